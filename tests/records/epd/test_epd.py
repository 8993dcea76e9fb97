"""Lists of chess positions: the shapes of lines, views, and broken lines."""

from __future__ import annotations

import functools
import io
import random
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from chess_samples import random_game
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.chess import GAME
from evalsmith.records import UNKNOWN, Epd, Faults, PositionBatch, Record
from evalsmith.records.epd.buffer import ODD_RESULT
from evalsmith.records.epd.format import EpdMover
from evalsmith.records.format import LONG_LINE, NOT_POSITION
from evalsmith.run.errors import PositionError

WIN = 30000
WHITE = "r1bqk2r/1p2ppbp/p2p1np1/n1pP4/2P1P3/2N2N1P/PP3PP1/R1BQKB1R w KQkq - 0 9"
BLACK = "4rrk1/ppq2ppp/2b1p3/3pP3/8/1BQ1P3/PP3PPP/3R1RK1 b - - 0 19"
SHORT = "r1q1kb1r/6pp/b1p1pn2/2P1Np2/QP6/4P3/P2N2PP/R1BR2K1 b kq -"


def batches(content: str | bytes, form: Epd | None = None) -> tuple[list[PositionBatch], Faults]:
    faults = Faults()
    data = content if isinstance(content, bytes) else content.encode()
    return list((form or Epd()).position_batches(io.BufferedReader(io.BytesIO(data)), Path("p.epd"), faults)), faults


def said(line: str, form: Epd | None = None) -> tuple[int | None, int | None]:
    """Result for White and score for the mover."""
    found, faults = batches(line, form)
    assert not faults.counts, faults.examples
    (batch,) = found
    assert len(batch) == 1
    fen = " ".join(line.replace(";", " ").replace("|", " ").split()[: 4 if line.startswith(SHORT) else 6])
    np.testing.assert_array_equal(batch.words[0], GAME.parse(fen))
    result, score = int(batch.results[0]), int(batch.scores[0])
    return None if result == UNKNOWN else result, None if score == UNKNOWN else score


@pytest.mark.parametrize(
    ("tail", "result", "score"),
    [
        (" [1.0]", WIN, None),
        (" [0.0]", -WIN, None),
        ("; [0.5]", 0, None),
        ("; [1-0]", WIN, None),
        ("; [0-1]", -WIN, None),
        (" [1/2-1/2]", 0, None),
        (";[1]", WIN, None),
        ("; [0.5] 1.00", 0, 100),
        ("; [0.5] -0.07", 0, -7),
        ("; [0.5] 35", 0, 35),
        ("; [*] 35", None, 35),
        ("; [?]", None, None),
        (" | 25 | 0.5", 0, 25),
        (" | -25 | 1.0", WIN, -25),
        (" | 25.9 | [0.0]", -WIN, 25),
        ("|25|1", WIN, 25),
        (" | 25 | 1/2-1/2", 0, 25),
        (" | 32767 | 1", WIN, WIN - 1001),
        (" | 0.5", 0, None),
        (" | 17", None, 17),
        (" 1-0", WIN, None),
        (' c9 "1-0";', WIN, None),
        (' c9 "1/2-1/2";', 0, None),
        (" 0.5", 0, None),
        ("; 0-1", -WIN, None),
        ("", None, None),
        (' bm Nf3; id "1-0 is a name";', None, None),
        (" ;D1 20 ;D2 400 ;D3 8902", None, None),
        (' acd 5; bm Qg6; id "WAC.001"; ce 32764; dm 2; pv Qg6 h5 Qh7#;', None, WIN - 3),
        (" ce -35;", None, -35),
        (" ce +35", None, 35),
        (" ce -32763", None, 4 - WIN),
        (" dm 2; bm Qg6", None, WIN - 3),
        (" dm -2;", None, 4 - WIN),
        (' c0 "f5=10, Be5+=2"; c7 "f5 Be5+"; c8 "10 2"; c9 "f4f5 d4e5";', None, None),
        (" [1.0] #3", WIN, WIN - 5),
        ("\r", None, None),
    ],
)
def test_shapes(tail: str, result: int | None, score: int | None) -> None:
    assert said(WHITE + tail) == (result, score)
    own = " ce " in tail or " dm " in tail
    turned = score if score is None or own else -score
    if "#" in tail and not own:
        turned = 6 - WIN  # White mates in three moves, and Black moves first
    assert said(BLACK + tail) == (result, turned)
    if tail.startswith((" c9", " [", "; [", " bm")):
        assert said(SHORT + tail) == (result, turned)


def test_views_and_units() -> None:
    line = "; [1.0] 0.25"
    assert said(BLACK + line, Epd(result_view="mover")) == (-WIN, -25)
    assert said(BLACK + line, Epd(score_view="mover")) == (WIN, 25)
    assert said(WHITE + line, Epd(result_view="mover", score_view="mover")) == (WIN, 25)
    assert said(WHITE + "; [1.0] 3", Epd(score_unit="pawns")) == (WIN, 300)
    assert said(WHITE + "; [1.0] 25.0", Epd(score_unit="centipawns")) == (WIN, 25)
    assert said(WHITE + " | 1.5 | 0.5", Epd(score_unit="pawns")) == (0, 150)
    assert said(BLACK + " | M3 | 0", Epd(score_view="mover")) == (-WIN, WIN - 3)


def test_records() -> None:
    faults = Faults()
    start = GAME.format(GAME.start())
    content = f"\ufeff# list\n\n{WHITE}; [1.0] 0.25\nnonsense\r\n{start} [0.5]\r\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    records = list(Epd().games(io.BufferedReader(io.BytesIO(content.encode())), Path("p.epd"), faults))
    assert [record.start for record in records] == [WHITE, None, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]
    assert [record.result for record in records] == [WIN, 0, None]
    assert [record.labels for record in records] == [{0: 25}, {}, {}]
    assert [(record.number, record.offset) for record in records] == [(1, 3), (3, 5), (4, 6)]
    assert [record.finished for record in records] == [False, False, True]
    assert [str(fault) for fault in faults.examples] == [
        "p.epd, line 4, game 2: not a position: not a chess position, the side to move is missing: 'nonsense'"
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", None),
        ("% comment", None),
        ("8/8/8/8/8/8/8/8 w - - 0 1", NOT_POSITION),
        (WHITE.replace("KQkq", "KQkqK"), NOT_POSITION),
        (WHITE.replace(" w ", " x "), NOT_POSITION),
        (WHITE + " [0.7]", ODD_RESULT),
        (WHITE + " | 5 | 0.7", ODD_RESULT),
        (WHITE + " [", None),
        (WHITE + " " + "x" * 70000, LONG_LINE),
        ("\xff\0\xfe", NOT_POSITION),
    ],
)
def test_broken_lines_cost_themselves_only(line: str, reason: str | None) -> None:
    found, faults = batches(f"{WHITE} [1.0]\n{line}\n{BLACK} [0.0]\n".encode("latin-1"))
    assert [fault.reason for fault in faults.examples] == ([reason] if reason else [])
    assert faults.examples == [] or faults.examples[0].place == "line 2"
    results = np.concatenate([batch.results for batch in found])
    assert (int(results[0]), int(results[-1])) == (WIN, -WIN)
    assert [int(batch.offsets[-1]) for batch in found][-1] == 3


@functools.cache
def positions(seed: int) -> list[str]:
    game = random_game(seed, 80, seed % 2 == 0)
    return [node.board().fen(shredder=seed % 4 == 0, en_passant="fen") for node in game.mainline()]


def test_positions_are_as_the_games_own_reader_has_them() -> None:
    fens = [fen for seed in range(20) for fen in positions(seed)]
    found, faults = batches("\n".join(fens))
    assert not faults.counts, faults.examples
    words = np.concatenate([batch.words for batch in found])
    np.testing.assert_array_equal(words, np.stack([GAME.parse(fen) for fen in fens]))


@settings(deadline=None, max_examples=300)
@given(seed=st.integers(0, 2**32))
def test_what_the_games_own_reader_refuses_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    fens = positions(rng.randrange(8))
    fields = rng.choice(fens).split()[: rng.choice([2, 3, 4, 5, 6])]
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(fields))
        letters = ("pPkKrRnNqQ/12345678", "wb", "KQkqAHahEeBb-", "abcdefgh36-", "0123456789", "0123456789")[place]
        cut = rng.randrange(len(fields[place]) + 1)
        made = fields[place][:cut] + rng.choice(["", *letters]) + fields[place][cut + rng.randint(0, 1) :]
        fields[place] = made or letters[0]
    line = " ".join(fields)
    try:
        expected = GAME.parse(line)
    except PositionError:
        _, faults = batches(line)
        assert faults.counts == {NOT_POSITION: 1}
    else:
        found, faults = batches(line)
        assert not faults.counts, faults.examples
        np.testing.assert_array_equal(found[0].words[0], expected)


@settings(deadline=None, max_examples=100)
@given(
    content=st.binary(max_size=300)
    | st.lists(
        st.sampled_from([WHITE, BLACK, SHORT, " ", "\n", "\r", "|", "[", "]", ";", '"', "1", "0.5", "ce", "dm", "-"])
    )
    .map("".join)
    .map(str.encode)
)
def test_rubbish(content: bytes) -> None:
    found, faults = batches(content)
    assert found or faults.counts or not Epd().sniff(content)  # what is taken for a list has lines
    for batch in found:
        for row in batch.words:
            assert GAME.format(row)
        assert set(batch.results.tolist()) <= {UNKNOWN, -WIN, 0, WIN}
    assert all(len(str(fault)) < 600 for fault in faults.examples)


def test_where_the_buffer_ends_makes_no_difference() -> None:
    rng = random.Random(1)
    ends = ("\n", "\r\n", "\r")
    lines = (
        rng.choice([WHITE, BLACK, SHORT, "x", ""]) + " " * rng.randrange(300) + rng.choice(ends) for _ in range(6000)
    )
    content = "".join(lines).encode()
    whole, all_faults = batches(content, Epd(chunk=4 << 20))
    pieces, faults = batches(content, Epd(chunk=1))
    assert len(pieces) > len(whole) == 1
    for column in ("words", "results", "numbers", "offsets"):
        found = np.concatenate([getattr(batch, column) for batch in pieces])
        np.testing.assert_array_equal(found, getattr(whole[0], column))
    assert faults.examples == all_faults.examples
    assert faults.counts == all_faults.counts


def test_a_line_without_end_takes_no_memory() -> None:
    content = f"{WHITE}\n" + "x" * (8 << 20) + f"\n{BLACK}\n"
    batches(WHITE)
    tracemalloc.start()
    try:
        found, faults = batches(content, Epd(chunk=1 << 18))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert faults.counts == {LONG_LINE: 1}
    assert [int(line) for batch in found for line in batch.offsets] == [1, 3]
    assert peak < 40 << 20


@pytest.mark.parametrize("fen", [WHITE, BLACK])
@pytest.mark.parametrize("score", [None, 0, 35, -28999, WIN - 3, 4 - WIN])
@pytest.mark.parametrize("result", [None, WIN, 0, -WIN])
def test_written_lines_are_read_again(fen: str, score: int | None, result: int | None) -> None:
    record = Record("chess", (), start=fen, result=result, labels={} if score is None else {0: score})
    assert said(Epd().format_record(record)) == (result, score)
    assert said(EpdMover().format_record(record), EpdMover()) == (result, score)


@pytest.mark.parametrize(
    ("told", "score"),
    [(28999, 28999), (29990, 29990), (30000, 30000), (30001, 28999), (30999, 28999), (31000, 29000), (31995, 29995),
     (32000, 30000), (32001, 28999), (10**9, 28999)],
)  # fmt: skip
def test_mates_in_plain_numbers(told: int, score: int) -> None:
    """Those of datasets, 30000 less the plies, and those of many engines, 32000 less the plies."""
    assert said(f"{WHITE} | {told} | 1.0") == (WIN, score)
    assert said(f"{WHITE} | -{told} | 0.0") == (-WIN, -score)
    assert said(f"{BLACK} | {told} | 1.0") == (WIN, -score)
    assert said(f"{WHITE} [1.0] {told}") == (WIN, score)


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (WHITE.encode(), True),
        (b"\xef\xbb\xbf# x\n\n" + SHORT.encode(), True),
        (b"8/8/8/8/8/8/8/K1k5 w;", True),
        (b"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", False),
        (b"1. e4", False),
        (b"", False),
    ],
)
def test_sniff(head: bytes, known: bool) -> None:
    assert Epd().sniff(head) is known
