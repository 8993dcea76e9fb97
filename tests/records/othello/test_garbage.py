"""Whatever a file holds, reading it ends, raises nothing, and accounts for every game."""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from othello_samples import DATA, play_through, random_game, wtb, wtb_game

from evalsmith.games import find_game
from evalsmith.records import FORMATS, Faults, Format, Record, format_moves
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.records.packed.positions import Positions

NOWHERE = Path("/no/such/folder/games")
BOARD = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;\n"
SOUND = {
    "wthor": wtb([wtb_game(random_game(seed)) for seed in range(5)]),
    "ggf": (DATA / "example.ggf").read_bytes(),
    "transcript": (DATA / "example.transcript").read_bytes() * 5,
    "obf": BOARD.encode() * 5,
}
VALUES = np.stack([find_game("othello").parse("f5d6"), find_game("othello").parse("f5d6c3")] * 5)
SOUND["othello20"] = OthelloValues().pack(Positions.of(VALUES, range(-500, 500, 100))).content.tobytes()
SOUND["othello20-high"] = OthelloValues("high").pack(Positions.of(VALUES, range(-500, 500, 100))).content.tobytes()
SOUND["othello-list"] = b"".join(f"{BOARD[:66]} {tail}\n".encode() for tail in ("[+12]", "| -30 | 1.0", "[0.5]"))
PLAYED = [Record("othello", tuple(random_game(seed).plies), result=200) for seed in range(4)]
SOUND["othello-games"] = "".join(map(format_moves, PLAYED)).encode()
OTHELLO = [known for known in FORMATS if known.game == "othello"]
FRAGMENTS = [b"(;", b";)", b"]", b"[", b"B[", b"PA", b"f5", b"\n", b"\r", b"\0", b"\xff", b";", b":", b"%", b"8 ", b"-"]


def read(known: Format, content: bytes) -> tuple[list[Record], Faults]:
    faults = Faults(limit=5)
    records = list(known.games(io.BufferedReader(io.BytesIO(content)), NOWHERE, faults))
    assert len(faults.examples) == min(5, sum(faults.counts.values()))
    assert all(len(str(fault)) < 500 for fault in faults.examples)
    numbers = [record.number for record in records]
    assert numbers == sorted(set(numbers))
    for record in records:
        if record.start is None:
            played = play_through([move for move in record.moves if move != 64])
            assert list(record.moves[: len(played.plies)]) == played.plies
            assert record.finished <= played.finished
        assert record.result is None or abs(record.result) <= 6400
        assert all(0 <= ply <= len(record.moves) and abs(value) <= 6400 for ply, value in record.labels.items())
    return records, faults


@pytest.mark.parametrize("known", OTHELLO, ids=lambda known: known.name)
@settings(deadline=None)
@given(content=st.binary(max_size=300) | st.lists(st.sampled_from(FRAGMENTS), max_size=80).map(b"".join))
def test_rubbish(known: Format, content: bytes) -> None:
    records, faults = read(known, content)
    assert records or faults.counts or not known.sniff(content)  # what is taken for a file of games has some


@pytest.mark.parametrize("known", OTHELLO, ids=lambda known: known.name)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_sound_files_with_something_changed(known: Format, seed: int) -> None:
    rng = random.Random(seed)
    content = bytearray(SOUND[known.name])
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(content) + 1)
        piece = rng.choice([*FRAGMENTS, bytes([rng.randrange(256)])])
        content[place : place + rng.choice([0, 1, len(piece), 40])] = piece
    read(known, bytes(content))


@pytest.mark.parametrize("known", OTHELLO, ids=lambda known: known.name)
@settings(max_examples=60, deadline=None)
@given(share=st.floats(0, 1))
def test_cut_files_give_the_games_before_the_cut(known: Format, share: float) -> None:
    content = SOUND[known.name]
    whole, _ = read(known, content)
    found, faults = read(known, content[: int(share * len(content))])
    # The last line of a text may be cut and still be a game.
    sure = found[:-1]
    assert [record.moves for record in sure] == [record.moves for record in whole[: len(sure)]]
    assert len(found) + sum(faults.counts.values()) <= len(whole) + 1
