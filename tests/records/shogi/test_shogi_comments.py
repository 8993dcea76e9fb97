"""Comments of shogi games: where they belong, what keeps them, what loses them; and `.sfen` as a target."""

from __future__ import annotations

from pathlib import Path

import pytest
from shogi_samples import names, only, random_game, read

from evalsmith.games.shogi import GAME
from evalsmith.records import Csa, Ki2, Kif, Record, convert_records, format_csa, format_ki2, format_kif, read_games

KIF = """手合割：平手
*above the moves
手数----指手---------消費時間--
*before the first move
   1 ７六歩(77)   ( 0:01/00:00:01)
*after one
* and a second line
   2 ３四歩(33)
**評価値=12
   3 投了
*at the end
まで2手で後手の勝ち

変化：2手
   2 ８四歩(83)
*of a variation
"""
COMMENTS = {
    0: "above the moves\nbefore the first move",
    1: "after one\n and a second line",
    2: "*評価値=12\nat the end",
}


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp", "utf-16"])
def test_comments_have_plies(encoding: str) -> None:
    assert only(Kif(), KIF.encode(encoding)).comments == COMMENTS


def test_comments_belong_to_their_game() -> None:
    second = KIF.replace("after one", "in the second game")
    records, _ = read(Kif(), KIF.partition("変化")[0] + "\n" + second)
    assert records[0].comments == COMMENTS
    assert records[1].comments[1] == "in the second game\n and a second line"


def test_kif_keeps_its_comments_and_scores() -> None:
    record = only(Kif(), KIF)
    back = only(Kif(), format_kif(record))
    assert (back.comments, back.scores, back.moves) == (record.comments, record.scores, record.moves)


@pytest.mark.parametrize(("known", "write"), [(Kif(), format_kif), (Ki2(), format_ki2), (Csa(), format_csa)])
@pytest.mark.parametrize("seed", range(6))
def test_comments_come_back(known: object, write: object, seed: int) -> None:
    moves = random_game(seed)
    comments = {ply: f"ply {ply}、将棋\nsecond" for ply in range(0, len(moves) + 1, 1 + seed)}
    back = only(known, write(Record("shogi", moves, comments=comments)))  # type: ignore[operator,arg-type]
    assert (back.moves, back.comments) == (moves, comments)


def test_csa_comments_are_those_with_one_star() -> None:
    record = only(
        Csa(), "V2.2\nPI\n'*first\n+\n'a remark\n+7776FU\nT3\n'** 52 -3334FU\n'*kept\n-3334FU,'*inline\n%TORYO\n"
    )
    assert record.comments == {0: "first", 1: "kept", 2: "inline"}
    assert record.scores[0] is not None and record.scores[0].value == 52


@pytest.mark.parametrize(("suffix", "lost"), [(".kif", 0), (".ki2", 0), (".usi", 1), (".sfen", 1)])
def test_conversion_counts_the_games_that_lose_comments(suffix: str, lost: int, tmp_path: Path) -> None:
    source = tmp_path / "games.kifu"
    source.write_text(KIF.partition("変化")[0].replace("**評価値=12\n", ""), encoding="utf-8")
    found = convert_records(source, tmp_path / f"out{suffix}")
    assert (found.written, found.lost.get("comments", 0)) == (1, lost)


def test_what_csa_would_read_as_a_score_is_lost_there(tmp_path: Path) -> None:
    source = tmp_path / "games.kifu"
    source.write_text(KIF, encoding="utf-8")
    found = convert_records(source, tmp_path / "out.csa")
    assert found.lost.get("comments") == 1
    (record,) = read_games(tmp_path / "out.csa")
    assert record.comments == {**COMMENTS, 2: "at the end"}


# ── .sfen ──


def test_games_become_sfen_lines(tmp_path: Path) -> None:
    source, target = tmp_path / "games.csa", tmp_path / "games.sfen"
    source.write_text(format_csa(Record("shogi", random_game(3))))
    assert convert_records(source, target).target == "usi"
    assert target.read_text().startswith("startpos moves ")
    (record,) = read_games(target)
    assert record.moves == random_game(3)


def test_positions_become_sfen_lines(tmp_path: Path) -> None:
    source, target = tmp_path / "positions.txt", tmp_path / "positions.sfen"
    source.write_text(GAME.format(GAME.start()) + "\n")
    assert convert_records(source, target).target == "sfen"
    assert target.read_text() == source.read_text()


def test_games_of_a_match_are_saved_as_sfen(tmp_path: Path) -> None:
    from evalsmith.arena.results.saving import format_for

    assert format_for(GAME, tmp_path / "games.sfen").name == "usi"
    assert format_for(GAME, tmp_path / "games.csa").name == "csa"


def test_utf_16_files_are_recognised_by_their_content(tmp_path: Path) -> None:
    wanted = only(Kif(), KIF)
    for number, encoding in enumerate(("utf-16", "utf-16-le", "utf-16-be")):
        path = tmp_path / f"game{number}.txt"
        path.write_bytes(KIF.encode(encoding))
        (record,) = read_games(path)
        assert (record.moves, record.comments) == (wanted.moves, wanted.comments)
    path = tmp_path / "game.csa.txt"
    path.write_bytes(format_csa(Record("shogi", random_game(5), players=("先手", "b"))).encode("utf-16"))
    (record,) = read_games(path)
    assert (record.moves, record.players) == (random_game(5), ("先手", "b"))
    path = tmp_path / "lines.txt"
    path.write_bytes("startpos moves 7g7f 3c3d\n".encode("utf-16"))
    (record,) = read_games(path)
    assert names(record) == ["7g7f", "3c3d"]
