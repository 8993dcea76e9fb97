"""Scores, depths and times in the comments of PGN."""

from __future__ import annotations

import pytest
from chess_samples import PGN_DATA, read

from evalsmith.records import Score

WIN = 30000


def scores(moves: str, tags: str = "") -> list[Score | None]:
    records, faults = read(f"{tags}\n{moves}\n")
    assert not faults.counts, faults.examples
    return list(records[0].scores)


def close(found: Score | None, value: int | None, depth: int | None, seconds: float | None) -> bool:
    assert found is not None
    return (found.value, found.depth) == (value, depth) and found.seconds == pytest.approx(seconds)


def test_the_programs_own_scores_are_for_the_mover() -> None:
    records, _ = read((PGN_DATA / "scores.pgn").read_bytes())
    found = records[0].scores
    assert found[:2] == (None, None)
    assert close(found[2], 31, 12, 0.5)
    assert close(found[3], -25, 11, 0.48)
    assert close(found[4], WIN - 3, 20, 1.2)
    assert close(found[5], -(WIN - 2), 9, 0.1)
    assert close(found[6], WIN - 1, 1, 0)


def test_eval_comments_are_of_the_position_after_the_move() -> None:
    records, _ = read((PGN_DATA / "scores.pgn").read_bytes())
    found = records[1].scores
    assert found[0] is None
    assert close(found[1], -36, None, None)  # after White's move Black moves
    assert close(found[2], 20, 20, 4)  # 180 - 178 and the increment
    assert close(found[3], -10, None, 3)
    assert close(found[4], WIN - 5, None, 2.5)  # White mates in three moves and is to move: five plies
    assert close(found[5], WIN - 7, None, None)  # Black mates in four and is to move
    assert close(found[6], WIN - 1, None, None)
    assert records[1].ratings == (1500, None)


def test_tcec() -> None:
    records, _ = read((PGN_DATA / "scores.pgn").read_bytes())
    found = records[2].scores
    assert found[0] is None
    assert close(found[1], -88, 29, 136.1)
    assert close(found[2], 41, 20, 509)
    assert close(found[3], -40, 21, None)  # ev alone is White's view
    assert close(found[4], 18, 23, 239)
    assert close(found[5], -18, 23, 239)
    assert close(found[6], WIN - 20, 8, None)
    assert close(found[7], WIN - 5, 8, None)  # Black mates in three and is to move


@pytest.mark.parametrize(
    ("comment", "value", "depth", "seconds"),
    [
        ("0.00/1 0s", 0, 1, 0),
        ("+0.31/12", 31, 12, None),
        ("-12.345/7 1:02s", -1235, 7, 62),
        ("/0 0.001s", None, None, 0.001),
        ("0.50s", None, None, 0.5),
        ('+1.00/15 1.321s, tl=1.000s, n=5, sd=3, pv="e4 e8=Q"', 100, 15, 1.321),
        ("+M1/2 3s", WIN - 1, 2, 3),
        ("-M4/2 3s", 4 - WIN, 2, 3),
        ("+M99999/2 3s", WIN - 1000, 2, 3),
        ("+9999.99/2 3s", WIN - 1001, 2, 3),
        ("wv=1.5,d=3", 150, 3, None),
        ("d=5 wv=+0.07 mt=5", 7, 5, 0.005),
        ("wv=#2", WIN - 3, None, None),
        ("wv=-#2", 4 - WIN, None, None),
        ("ev=0.30, wv=-0.10", -10, None, None),
        ("wv=-0.10, ev=0.30", -10, None, None),
        ("[%emt 1:00:00]", None, None, 3600),
        ("[%emt 12]", None, None, 12),
    ],
)
def test_shapes(comment: str, value: int | None, depth: int | None, seconds: float | None) -> None:
    assert close(scores(f"1. e4 {{{comment}}} e5 *")[0], value, depth, seconds)


@pytest.mark.parametrize(
    "comment",
    ["book", "", "1/2-1/2 agreed", "12.5.2003", "a 0.31/12 0.5s", "+0.3", "[%eval]", "[%eval x]", "[%clk]",
     "[%clk 1:2:]", "3 moves", "wv=", "swv=1", "d8=Q", "%eval 3", "[%csl Ga1]", "10seconds", "+-/- 3", "M", "#", "-"],
)  # fmt: skip
def test_what_is_no_score(comment: str) -> None:
    assert scores(f"1. e4 {{{comment}}} e5 *") == []


def test_one_comment_may_say_several_things_and_the_own_score_is_preferred() -> None:
    found = scores("1. e4 {[%eval 1.0] text [%emt 0:00:01]} e5 {+0.10/5 0.2s [%eval 2.0,9]} 2. d4 *")
    assert close(found[0], None, None, 1)
    assert close(found[1], 10, 5, 0.2)
    assert close(found[2], 200, 9, None)


def test_clocks_need_a_simple_time_control() -> None:
    moves = "1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. d4 {[%clk 0:09:50]} d5 {[%clk 0:10:30]} *"
    assert close(scores(moves, '[TimeControl "600"]')[2], None, None, 10)
    assert scores(moves, '[TimeControl "600"]')[3] is None  # it cannot take less than no time
    assert scores(moves, '[TimeControl "40/600:600"]') == []
    assert scores(moves) == []


def test_comments_in_variations_and_before_the_first_move_say_nothing() -> None:
    assert scores("{+0.50/3 1s} 1. e4 (1. d4 {+0.31/12 0.5s}) e5 *") == []
