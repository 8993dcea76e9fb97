from __future__ import annotations

import io
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_samples import NOWHERE, WIN, names, only, random_game, random_record, read

from evalsmith.games.shogi import GAME
from evalsmith.records import Faults, Record, Sfen, Usi, format_usi, read_games
from evalsmith.records.shogi.replay import WRONG, replay
from evalsmith.run import InputError

USI, SFEN = Usi(), Sfen()
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
PROBLEM = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1"


@pytest.mark.parametrize(
    ("line", "start", "moves"),
    [
        ("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e", None, ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]),
        ("position startpos moves 7g7f", None, ["7g7f"]),
        (f"sfen {START} moves 7g7f", None, ["7g7f"]),
        (f"{START} moves 7g7f", None, ["7g7f"]),
        (f"position sfen {PROBLEM} moves G*5b", PROBLEM, ["G*5b"]),
        ("startpos moves", None, []),
        ("startpos", None, []),
        (f"sfen {PROBLEM}", PROBLEM, []),
        ("  startpos\tmoves  7g7f\t3c3d  ", None, ["7g7f", "3c3d"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", ""])
def test_lines(line: str, start: str | None, moves: list[str], end: str) -> None:
    record = only(USI, line + end)
    assert (record.start, names(record)) == (start, moves)
    assert record.result == (WIN if moves == ["G*5b"] else None)


def test_words_after_the_moves() -> None:
    assert only(USI, "startpos moves 7g7f resign\n").result == WIN
    assert only(USI, "startpos moves 7g7f win\n").termination == "declared"


def test_a_broken_line_costs_only_itself() -> None:
    lines = [
        "\ufeffstartpos moves 7g7f",
        "# a comment",
        "",
        "startpos moves 7g7f 3c3e",
        "startpos moves 7g7f what 3c3d",
        "startpos moves 7g7f what",
        "starting moves 7g7f",
        "startpos moves 7g7f 0a1a",
        "startpos moves 2g2f",
    ]
    records, faults = read(USI, "\n".join(lines))
    assert [(names(record), record.number, record.offset) for record in records] == [(["7g7f"], 1, 1), (["2g2f"], 7, 9)]
    found = [str(fault).removeprefix(f"{NOWHERE}, ") for fault in faults.examples]
    assert [text.partition(": ")[0] for text in found] == [
        "line 4 (byte 56), game 2, move 2", "line 5 (byte 81), game 3", "line 6 (byte 111), game 4",
        "line 7 (byte 116), game 5", "line 8 (byte 156), game 6",
    ]  # fmt: skip
    assert "illegal move: 3c3e in" in found[0]
    assert found[1].endswith("not a move: 'what'")
    assert found[2].endswith("not a move: 'what'")
    assert "not a position: not a shogi position" in found[3]
    assert found[4].endswith("not a move: '0a1a'")


def test_positions() -> None:
    text = (
        f"{START}\n\n# comment\nsfen {PROBLEM}\nrubbish\n4k4/4G4/9/9/9/9/9/9/4K4 b - 1\nposition startpos moves 7g7f\n"
    )
    faults = Faults()
    batches = list(SFEN.position_batches(io.BufferedReader(io.BytesIO(text.encode())), NOWHERE, faults))
    assert [GAME.format(row) for batch in batches for row in batch.words] == [
        START,
        PROBLEM,
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
    ]
    assert batches[0].numbers.tolist() == [1, 2, 5]
    assert batches[0].offsets.tolist() == [1, 4, 7]
    assert [fault.place for fault in faults.examples] == ["line 5 (byte 126)", "line 6 (byte 134)"]
    records, _ = read(SFEN, text)
    assert [(record.start, record.moves) for record in records][:2] == [(None, ()), (PROBLEM, ())]


def test_the_first_line_tells_games_from_positions(tmp_path: Path) -> None:
    (tmp_path / "games.sfen").write_text("# openings\nstartpos moves 7g7f 3c3d\n")
    (tmp_path / "positions.sfen").write_text(f"sfen {PROBLEM}\n")
    (tmp_path / "words.txt").write_text("something else\n")
    reader = read_games([tmp_path])
    assert [source.format.name for source in reader.sources] == ["usi", "sfen"]
    assert [path.name for path in reader.skipped] == ["words.txt"]
    assert [len(record.moves) for record in reader] == [2, 0]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_writing_and_reading_gives_the_same_game(seed: int) -> None:
    record = random_record(seed)
    again = only(USI, format_usi(record))
    assert (again.start, again.moves, again.finished) == (record.start, record.moves, record.finished)


def test_only_games_of_shogi_are_written() -> None:
    with pytest.raises(InputError, match="USI holds games of shogi, not of chess"):
        format_usi(Record("chess", ()))


# ── Playing through ─────────────────────────────────────────────────────────────────────────────

TRAPS = [
    "8k/9/6G1P/9/9/9/9/9/4K4 b P 1",
    "4k4/9/9/9/9/9/4P4/9/4K4 b P 1",
    "4k4/9/9/9/9/9/9/9/4K4 b NLP 1",
    "4k4/8P/9/9/9/9/9/9/4K4 b - 1",
    "4k4/9/9/9/4l4/9/6b2/9/4K4 b G 1",
    "g1g3+Pnb/1+PPLp2p1/3PP1kS1/1s1p5/N+B1NS3p/pP3S1PP/lg3+p2n/3g+r2L1/2+l3K1R w 3Pp 186",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
]


def accepted(position: np.ndarray) -> set[int]:
    claims = np.arange(1 << 15, dtype=np.int64)
    played = replay(claims, np.arange(len(claims) + 1, dtype=np.int64), np.repeat(position[None], len(claims), 0))
    return set(np.flatnonzero(played.facts[:, WRONG] < 0).tolist())


@pytest.mark.parametrize("sfen", TRAPS)
def test_exactly_the_legal_moves_are_accepted(sfen: str) -> None:
    position = GAME.parse(sfen)
    assert accepted(position) == set(GAME.moves(position))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exactly_the_legal_moves_are_accepted_in_random_positions(seed: int) -> None:
    position = GAME.start()
    for move in random_game(seed, most=random.Random(seed).randint(1, 200)):
        position = GAME.play_unchecked(position, move)
    assert accepted(position) == set(GAME.moves(position))


def test_records_have_what_batches_have() -> None:
    text = "".join(format_usi(random_record(seed)) for seed in range(20))
    records, _ = read(USI, text)
    batches = list(USI.batches(io.BufferedReader(io.BytesIO(text.encode())), NOWHERE, Faults()))
    assert [replace(record) for batch in batches for record in batch.records()] == records
    assert sum(len(batch) for batch in batches) == 20
