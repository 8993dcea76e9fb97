from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_samples import WIN, names, only, random_record, read

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.handicaps import HANDICAPS
from evalsmith.games.shogi.notation import handicap
from evalsmith.records import Kif, Record, Score, format_kif, read_games, write_kif
from evalsmith.records.shogi.terminations import parse_summary
from evalsmith.run import InputError

KIF = Kif()
HEAD = """# ----  Kifu for Windows V6.22 棋譜ファイル  ----
開始日時：2003/05/03 10:30:00
棋戦：名人戦
手合割：平手\u3000\u3000
持ち時間：各9時間
先手：大内延介
後手：中原誠(R2105)
手数----指手---------消費時間--
"""
MOVES = """   1 ７六歩(77)   ( 0:16/00:00:16)
*ここで一言
   2 ３四歩(33)   ( 1:00/00:01:00)
&しおり
   3 ２二角成(88) ( 0:03/00:00:19)+
   4 同　銀(31)   (62:01/01:03:01)
   5 ５五角打     ( 0:00/00:00:19)
"""
NAMES = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp"])
def test_encodings_and_line_ends(encoding: str, end: str) -> None:
    record = only(KIF, (HEAD + MOVES + "   6 投了\nまで5手で先手の勝ち\n").replace("\n", end).encode(encoding))
    assert names(record) == NAMES
    assert (record.result, record.termination, record.start) == (WIN, "resigned", None)
    assert record.players == ("大内延介", "中原誠")
    assert record.ratings == (None, 2105)
    assert (record.event, record.date, record.time_control) == ("名人戦", "2003/05/03 10:30:00", "各9時間")
    assert [score.seconds for score in record.scores if score] == [16, 60, 3, 3721, 0]


@pytest.mark.parametrize(
    "moves",
    [
        "1 76歩(77)\n2 34歩(33)\n3 22角成(88)\n4 同銀(31)\n5 55角打\n",
        "１　７六歩（７７）\n２　３四歩（３３）\n３　２二角成（８８）\n４　同　銀（３１）\n５　５五角打（００）\n",
        "  1 ▲７六歩(77)\n 2 △3四歩 (33)\n 3 ▲２二角成(88)   ( 0:01/)\n 4 △同　銀(31)(0:01)\n 5 ▲５五角打 (1:02.5/)\n",
        "1 ７六歩\n2 ３四歩\n3 ２二角成\n4 同　銀\n5 ５五角\n",
    ],
)
def test_ways_to_write_moves(moves: str) -> None:
    assert names(only(KIF, "手合割：平手\n" + moves)) == NAMES


def test_promotions_that_are_not_made() -> None:
    sfen_board = (
        "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n" + "".join(f"| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n" for rank in "二三")
        + "| 銀 全 圭 杏 ・ ・ ・ ・ ・|四\n" + "".join(f"| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n" for rank in "五六七八")
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：飛　歩十八　\n"
    )  # fmt: skip
    moves = (
        "1 ９三銀不成(94)\n2 ５二玉(51)\n3 ８三成銀(84)\n4 ５一王(52)\n5 ７三成桂(74)\n6 ５二玉(51)\n7 ６三成香(64)\n"
    )
    record = only(KIF, "手合割：その他\n" + sfen_board + moves)
    assert names(record) == ["9d9c", "5a5b", "8d8c", "5b5a", "7d7c", "5a5b", "6d6c"]
    assert record.start == "4k4/9/9/S+S+N+L5/9/9/9/9/4K4 b R18P 1"
    white = only(KIF, sfen_board + "後手番\n手数----\n1 ５二玉(51)\n")
    assert white.start == "4k4/9/9/S+S+N+L5/9/9/9/9/4K4 w R18P 1"


@pytest.mark.parametrize("name", HANDICAPS)
def test_handicaps(name: str) -> None:
    # White has a king everywhere; at 平手 black moves.
    move = "７六歩(77)" if name == "平手" else "５二玉(51)"
    record = only(KIF, f"手合割：{name}　　\n下手：弱い\n上手：強い\n手数----\n1 {move}\n")
    start = GAME.start() if record.start is None else GAME.parse(record.start)
    assert GAME.format(start) == GAME.format(handicap(name))
    assert record.players == ("弱い", "強い")
    assert only(KIF, format_kif(record)).start == record.start


@pytest.mark.parametrize(("name", "usual"), [("２枚落ち", "二枚落ち"), ("10枚落", "十枚落ち"), ("飛落ち", "飛車落ち")])
def test_other_names_of_handicaps(name: str, usual: str) -> None:
    assert only(KIF, f"手合割：{name}\n1 ５二玉(51)\n").start == GAME.format(handicap(usual))


@pytest.mark.parametrize(
    ("word", "termination", "black_to_move", "white_to_move"),
    [
        ("投了", "resigned", -WIN, WIN),
        ("千日手", "repetition", 0, 0),
        ("持将棋", "impasse", 0, 0),
        ("中断", "interrupted", None, None),
        ("反則勝ち", "illegal", WIN, -WIN),
        ("反則負け", "illegal", -WIN, WIN),
        ("切れ負け", "time", -WIN, WIN),
        ("時間切れ", "time", -WIN, WIN),
        ("入玉勝ち", "declared", WIN, -WIN),
        ("詰み", "mate", -WIN, WIN),
        ("不詰", "no mate", None, None),
        ("封じ手", "sealed", None, None),
        ("不戦敗", "forfeit", -WIN, WIN),
        ("不戦勝", "forfeit", WIN, -WIN),
    ],
)
def test_terminations(word: str, termination: str, black_to_move: int | None, white_to_move: int | None) -> None:
    for moves, expected in ((" 1 ７六歩(77)\n 2 ３四歩(33)\n", black_to_move), (" 1 ７六歩(77)\n", white_to_move)):
        record = only(KIF, f"手合割：平手\n{moves}   {moves.count(chr(10)) + 1} {word}   ( 0:01/00:00:05)\n")
        assert (record.termination, record.result, record.finished) == (termination, expected, False)


@pytest.mark.parametrize(
    ("line", "termination", "result"),
    [
        ("まで2手で先手の勝ち", "", WIN),
        ("まで2手で後手の勝ち", "", -WIN),
        ("まで２手で下手の勝ち", "", WIN),
        ("まで2手で上手の勝ち", "", -WIN),
        ("まで2手で先手の反則勝ち", "illegal", WIN),
        ("まで2手で先手の反則負け", "illegal", -WIN),
        ("まで2手で後手の反則負けにより先手の勝ち", "illegal", WIN),
        ("まで2手で時間切れにより後手の勝ち", "time", -WIN),
        ("まで2手で後手の切れ負け", "time", WIN),
        ("まで2手で先手の入玉勝ち", "declared", WIN),
        ("まで2手で千日手", "repetition", 0),
        ("まで2手で持将棋", "impasse", 0),
        ("まで2手で引き分け", "agreed", 0),
        ("まで2手で先手の不戦勝", "forfeit", WIN),
        ("まで2手で先手の不戦敗", "forfeit", -WIN),
        ("まで2手で中断", "interrupted", None),
        ("まで2手で投了", "resigned", -WIN),
        ("まで2手", "", None),
        ("", "", None),
    ],
)
def test_last_lines(line: str, termination: str, result: int | None) -> None:
    record = only(KIF, f"手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n{line}\n")
    assert (record.termination, record.result) == (termination, result)


def test_last_lines_that_say_nothing_known() -> None:
    assert parse_summary("まで2手で何か") is None
    assert parse_summary("何か") is None


@pytest.mark.parametrize(
    ("tail", "note"),
    [
        ("3 投了\nまで2手で先手の勝ち\n", "two terminations that disagree"),
        ("まで7手で先手の勝ち\n", "the stated number of moves is not that of the moves"),
        ("まで2手で何か\n", "a termination that is not understood"),
        ("変化：2手\n 2 ８四歩(83)\n 3 ２六歩(27)\n変化：1手\n 1 ２六歩(27)\n", "a variation, left out"),
        ("まで2手で中断\n\n何か\n", "a line that is not understood"),
    ],
)
def test_what_is_odd_is_noted(tail: str, note: str) -> None:
    records, faults = read(KIF, "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n" + tail)
    assert names(records[0]) == ["7g7f", "3c3d"]
    assert not faults.examples
    assert faults.warnings == {note: tail.count("変化") or 1}


def test_a_game_goes_on_after_a_sealed_move() -> None:
    text = "手合割：平手\n1 ７六歩(77)\n2 封じ手\n2 ３四歩(33)\n3 中断\n3 ２六歩(27)\n4 投了\n"
    record = only(KIF, text)
    assert names(record) == ["7g7f", "3c3d", "2g2f"]
    assert (record.result, record.termination) == (WIN, "resigned")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("1 ７六歩(77)\n2 ３五歩(33)\n", r"line 10, game 2, move 2: illegal move: ３五歩\(33\) in .*cannot do that"),
        ("1 ７六銀(77)\n", r"line 9, game 2, move 1: illegal move: .*no such piece stands there"),
        ("1 ７六歩\n2 ３五歩\n3 ２六歩\n", r"line 10, game 2, move 2: illegal move: '３五歩' is not a legal move"),
        ("1 ７六歩(77)\n2 何だ\n", r"line 10, game 2, move 2: not a move: '何だ'"),
        ("1 ７六歩(77)\n3 ３四歩(33)\n", r"line 10, game 2, move 2: a line that is not understood: '3 ３四歩\(33\)'"),
        ("1 ７六歩(77)\n2 投了\n3 ３四歩(33)\n", r"line 11, game 2, move 2: a line that is not understood"),
        ("1 ７六歩(77)\n何か\n2 ３四歩(33)\n", r"line 10, game 2, move 2: a line that is not understood: '何か'"),
        ("1 同　歩(77)\n", r"line 9, game 2, move 1: not a move: '同'"),
        ("1 投了\n", r"line 2, game 2: no moves"),
    ],
)  # fmt: skip
def test_a_broken_game_costs_only_itself(moves: str, message: str) -> None:
    sound = HEAD + MOVES + "   6 投了\n"
    records, faults = read(KIF, sound + HEAD + moves + sound)
    assert [record.number for record in records] == [1, 3]
    assert [names(record) for record in records] == [NAMES, NAMES]
    assert len(faults.examples) == 1
    text = re.sub(
        r"line (\d+) \(byte \d+\)",
        lambda found: f"line {int(found[1]) - sound.count(chr(10))}",
        str(faults.examples[0]),
    )
    assert re.search(message, text), text


@pytest.mark.parametrize(
    ("heading", "message"),
    [
        ("手合割：何か", "unknown handicap '何か'"),
        ("手合割：その他", "not a shogi position"),
        ("手合割：その他\n|v玉|一", "9 rows, not 1"),
        ("\n".join(["手合割：その他"] + ["|v玉|一"] * 9), "1 squares, not 9"),
        ("\n".join(["手合割：その他"] + ["|？|一"] * 9), "is not a piece"),
        ("\n".join(["先手の持駒：玉"] + ["| ・ ・ ・ ・ ・ ・ ・ ・ ・|一"] * 9), "cannot be in hand"),
        ("\n".join(["先手の持駒：歩九十"] + ["| ・ ・ ・ ・ ・ ・ ・ ・ ・|一"] * 9), "cannot be in hand"),
    ],
)
def test_starts_that_are_none(heading: str, message: str) -> None:
    records, faults = read(KIF, heading + "\n手数----\n1 ７六歩(77)\n")
    assert not records
    assert faults.examples[0].reason == "not a position"
    assert message in faults.examples[0].detail


def test_an_illegal_move_that_ended_the_game_is_left_out() -> None:
    records, faults = read(KIF, "手合割：平手\n1 ７六歩(77)\n2 ３五歩(33)\n3 反則勝ち\n")
    assert names(records[0]) == ["7g7f"]
    assert records[0].result == WIN
    assert faults.warnings == {"the last move is illegal, as the termination says, and is left out": 1}


def test_games_without_headings_begin_with_the_first_move() -> None:
    records, _ = read(KIF, "1 ７六歩(77)\n2 投了\n1 ２六歩(27)\n2 投了\n")
    assert [names(record) for record in records] == [["7g7f"], ["2g2f"]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("強い(1523)", ("強い", 1523)),
        ("強い（R812）", ("強い", 812)),
        ("elmo(2017)", ("elmo(2017)", None)),
        ("elmo(R2017)", ("elmo", 2017)),
        ("強い(三段)", ("強い(三段)", None)),
        ("強い [R1523.7] 　", ("強い", 1523)),
        ("強い ( R 99 )", ("強い ( R 99 )", None)),
        ("(R1500)", ("", 1500)),
        ("R1500)", ("R1500)", None)),
        ("1500)", ("1500)", None)),
        ("(15000)", ("(15000)", None)),
        ("(R2017)x", ("(R2017)x", None)),
        ("elmo(1987)", ("elmo(1987)", None)),
        ("弱い(R150)", ("弱い", 150)),
        ("表", ("表", None)),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp"])
def test_ratings_after_names(name: str, expected: tuple[str, float | None], encoding: str) -> None:
    plain = only(KIF, f"先手：{name}\n後手：x\n1 ７六歩(77)\n".encode(encoding))
    assert (plain.players[0], plain.ratings) == (expected[0], (expected[1], None))
    record = only(KIF, f"先手：{name}\n後手R：1200\n1 ７六歩(77)\n".encode(encoding))
    assert (record.players[0], record.ratings[0]) == expected
    assert record.ratings[1] == 1200


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp"])
def test_a_long_name_is_cut_and_stays_readable(encoding: str) -> None:
    for less in range(4):
        record = only(KIF, f"先手：{'x' * less}{'長' * 1000}\n1 ７六歩(77)\n".encode(encoding))
        assert set(record.players[0][less:]) <= {"長", "\ufffd"}
        assert 60 < len(record.players[0]) <= 200


def test_a_file_is_found_by_its_name_and_by_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "a.kif").write_text(MOVES, encoding="cp932")
    (tmp_path / "b.txt").write_text(HEAD + MOVES, encoding="cp932")
    (tmp_path / "c.txt").write_text(MOVES, encoding="utf-8-sig")
    reader = read_games([tmp_path])
    assert [source.format.name for source in reader.sources] == ["kif"] * 3
    assert len(list(reader)) == 3
    assert not KIF.sniff("先手：a\n▲７六歩 △３四歩\n".encode())


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_writing_and_reading_gives_the_same_game(seed: int) -> None:
    record = random_record(seed, scores=False)
    again = only(KIF, format_kif(record))
    assert replace(again, offset=0) == record


def test_what_is_written() -> None:
    moves = only(KIF, HEAD + MOVES).moves
    record = Record(
        "shogi", moves, result=WIN, termination="time", players=("甲", "乙"), scores=(Score(None, None, 75.5),) * 5
    )
    assert format_kif(record) == (
        "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n"
        "   1 ７六歩(77)   ( 1:15/00:01:15)\n   2 ３四歩(33)   ( 1:15/00:01:15)\n"
        "   3 ２二角成(88)   ( 1:15/00:02:30)\n   4 同　銀(31)   ( 1:15/00:02:30)\n"
        "   5 ５五角打   ( 1:15/00:03:45)\n   6 切れ負け\nまで5手で時間切れにより先手の勝ち\n"
    )


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_a_file_of_several_games(tmp_path: Path, encoding: str) -> None:
    records = [random_record(seed, scores=False) for seed in range(5)]
    assert write_kif(tmp_path / "games.kif", records, encoding) == 5
    reader = read_games([tmp_path / "games.kif"])
    assert [replace(record, source=records[0].source, number=1, offset=0) for record in reader] == records


def test_only_games_of_shogi_are_written() -> None:
    with pytest.raises(InputError, match="hold Shogi, not a game of chess"):
        format_kif(Record("chess", ()))


# ── Ends in the words of other programs ──


@pytest.mark.parametrize(
    ("line", "termination", "result"),
    [
        ("先手 反則負け ( 0:01/00:00:01)", "illegal", -WIN),
        ("後手 反則負け", "illegal", WIN),
        ("後手　反則勝ち", "illegal", -WIN),
        ("先手の時間切れ", "time", -WIN),
        ("下手 投了", "resigned", -WIN),
        ("先手 千日手", "repetition", 0),
        ("トライ", "try", WIN),
        ("入玉宣言", "declared", -WIN),
        ("先手 入玉宣言勝ち", "declared", WIN),
        ("封じ手       (33:00/04:12:00)", "sealed", None),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp"])
def test_a_termination_may_name_its_side(line: str, termination: str, result: int | None, encoding: str) -> None:
    text = f"手合割：平手\n手数----指手---------消費時間--\n1 ７六歩(77)    ( 0:01/00:00:01)\n2 {line}\n"
    record = only(KIF, text.encode(encoding))
    assert (record.termination, record.result, len(record.moves)) == (termination, result, 1)


def test_a_side_that_does_something_else_breaks_the_game() -> None:
    records, faults = read(KIF, "手合割：平手\n1 ７六歩(77)\n2 先手 何か\n")
    assert not records and faults.counts == {"not a move": 1}
