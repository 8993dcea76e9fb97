"""Scores and depths that programs leave in the comments of KIF."""

from __future__ import annotations

import pytest
from shogi_samples import WIN, names, only, read

from evalsmith.records import Ki2, Kif, Record

KIF = Kif()
HEAD = "手合割：平手\n手数----指手---------消費時間--\n"
LINES = [
    "   1 ７六歩(77)   ( 0:16/00:00:16)\n",
    "   2 ３四歩(33)   ( 1:00/00:01:00)\n",
    "   3 ２六歩(27)   ( 0:03/00:00:19)\n",
]
SHOGI_GUI = "時間 00:00.8 深さ 22/28 ノード数 744743 評価値 {} 読み筋 ▲３四飛(24) △３三角(22)"


def told(*comments: str, encoding: str = "utf-8", head: str = HEAD) -> list[tuple[int | None, int | None]]:
    """Score and depth of every move, of a game with comments before the first move and after each one."""
    text = head + comments[0]
    for line, comment in zip(LINES, comments[1:], strict=False):
        text += line + comment
    record = only(KIF, text.encode(encoding))
    assert names(record) == ["7g7f", "3c3d", "2g2f"][: len(comments) - 1]
    return scores_of(record)


def scores_of(record: Record) -> list[tuple[int | None, int | None]]:
    return [(score.value, score.depth) if score else (None, None) for score in record.scores]


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp"])
def test_what_shogihome_writes_of_who_moved(encoding: str) -> None:
    first = "*先手有望\n**評価値=210\n**読み筋=▲２六歩△３四歩\n**深さ=10\n**ノード数=12345678\n"
    found = told("", first, "**評価値=-35\n", "**詰み=先手勝ち:5手\n", encoding=encoding)
    assert found == [(210, 10), (35, None), (WIN, None)]


def test_an_analysis_is_of_the_position_after_the_move() -> None:
    found = told("*#評価値=12\n*#深さ=3\n", "*互角\n*#評価値=158\n*#深さ=8\n", "*#詰み=後手勝ち\n", "*#評価値=99\n")
    assert found == [(12, 3), (-158, 8), (-WIN, None)]


def test_who_moved_knows_better_than_an_analysis() -> None:
    assert told("", "*#評価値=50\n*#深さ=8\n", "**評価値=-20\n**深さ=9\n") == [(None, None), (20, 9)]


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("88", 88), ("+88", 88), ("-1234", -1234), ("0", 0), ("+詰", WIN), ("-詰 3", -WIN), ("詰", WIN), ("88↑", 88),
        ("99999999", WIN), ("?", None), ("", None),
    ],
)  # fmt: skip
def test_what_shogigui_writes(value: str, score: int | None) -> None:
    text = SHOGI_GUI.format(value)
    assert told("", f"**対局 {text}\n", "") == [(score, 22), (None, None)]
    for stars in ("*", "**"):
        after = None if score is None else -score
        assert told("", f"{stars}解析 0 △ 候補1 {text}\n", "") == [(None, None), (after, 22)]
        assert told("", f"{stars}検討 {text}\n", "") == [(None, None), (after, 22)]


def test_of_several_lines_of_moves_the_first_counts() -> None:
    lines = "".join(f"**解析 0 候補{number} {SHOGI_GUI.format(10 * number)}\n" for number in (1, 2, 3))
    assert told("", lines, "") == [(None, None), (-10, 22)]


@pytest.mark.parametrize("text", ["** 52 ▲７六歩", "**52", "**+52 ", "**評価値 52", "**評価値=52"])
def test_other_ways_to_tell_a_score(text: str) -> None:
    assert told("", f"{text}\n", "") == [(52, None), (None, None)]


@pytest.mark.parametrize(
    "text",
    ["*評価値", "*52", "*良い手 評価値 52", "**", "**評価値", "**評価値52", "**評価", "*#",
     "*#評価値=", "*#52", "&評価値=52", "#評価値=52", "**時間 3", "**対局", "**対局 評価値", "*#評価値=\udc80"],
)  # fmt: skip
def test_what_is_no_score(text: str) -> None:
    comment = text.encode("utf-8", "surrogateescape") + b"\n"
    record = only(KIF, HEAD.encode() + LINES[0].encode() + comment + LINES[1].encode())
    assert scores_of(record) == [(None, None), (None, None)]


def test_in_a_handicap_game_white_moves_first() -> None:
    text = "手合割：香落ち\n手数----\n1 ３四歩(33)\n**評価値=-120\n2 ７六歩(77)\n**評価値=-90\n"
    assert scores_of(only(KIF, text)) == [(120, None), (-90, None)]


def test_scores_of_variations_and_of_the_game_before_are_left_out() -> None:
    game = HEAD + LINES[0] + LINES[1]
    text = game + "*#評価値=5\n変化：2手\n   2 ８四歩(83)\n**評価値=77\n*#評価値=78\n\n" + game
    records, faults = read(KIF, text)
    assert [scores_of(record) for record in records] == [[(None, None)] * 2] * 2
    assert faults.warnings == {"a variation, left out": 1}


def test_comments_of_ki2() -> None:
    record = only(Ki2(), "手合割：平手\n▲７六歩\n**評価値=10\n△３四歩\n*#評価値=20\n▲２六歩\n")
    assert scores_of(record) == [(10, None), (None, None), (20, None)]
