"""Positions from SFEN in bulk: the same as the game's own reader of texts, which also has the last word."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_samples import random_game

from evalsmith.games.shogi import GAME
from evalsmith.records.sfen.start import read_starts
from evalsmith.run import PositionError

START = GAME.format(GAME.start())
PROBLEM = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1"


def read(texts: list[str]) -> list[str | None]:
    """What is read of texts, None where nothing is sure."""
    content = "\n".join(texts).encode()
    lengths = [len(text.encode()) for text in texts]
    ends = np.cumsum([length + 1 for length in lengths]) - 1
    spans = np.stack([ends - lengths, ends], axis=1).astype(np.int64)
    found = read_starts(np.frombuffer(content, dtype=np.uint8).astype(np.uint16), spans)
    return [GAME.format(row) if sure else None for row, sure in zip(found.rows, found.sure, strict=True)]


def expected(text: str) -> str | None:
    try:
        return GAME.format(GAME.parse(text.removeprefix("position ").strip()))
    except PositionError:
        return None


@pytest.mark.parametrize(
    "text",
    [START, f"sfen {START}", f"position sfen {START}", "startpos", "position startpos", PROBLEM, PROBLEM[:-2],
     f"position   sfen {PROBLEM}", PROBLEM.replace("b 2G", "w 2G"), START.replace(" 1", " 100000")],
)  # fmt: skip
def test_texts_that_are_positions(text: str) -> None:
    assert read([text]) == [expected(text)]
    assert read([text]) != [None]


@pytest.mark.parametrize(
    "text",
    ["", " ", "startpos x", "startposition", "sfen", "position", START.replace("/9/", "/8/"),
     START.replace("b -", "x -"), START.replace("b -", "b"), START.replace("/9/", "/91/"), START.replace("9/9", "9"),
     START.replace("LNSG", "+L+N+S+G"),
     START.replace("K", "1"), START.replace("k", "K"), START.replace("b - 1", "b 19P 1"), START.replace("- 1", "P 1"),
     PROBLEM.replace("2G", "0G"), PROBLEM.replace("2G", "2"), PROBLEM.replace("2G", "GG"), PROBLEM.replace("2G", "2K"),
     PROBLEM.replace("17p 1", "17p 0"), PROBLEM.replace("17p 1", "17p 100001"), PROBLEM.replace("17p 1", "17p 1 x"),
     "P3k4/9/9/9/9/9/9/9/4K4 b - 1", "4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1", "4k4/4G4/9/9/9/9/9/9/4K4 b - 1",
     "4k4/9/9/9/9/9/9/9/4K3+ b - 1", "4k4/9/9/9/9/9/9/9/4K4/ b - 1", "二枚落ち", START.replace("b", "ｂ")],
)  # fmt: skip
def test_texts_that_are_not_sure(text: str) -> None:
    assert read([text, START]) == [None, START]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_positions_of_games(seed: int) -> None:
    position, texts = GAME.start(), []
    for move in random_game(seed, most=150):
        position = GAME.play_unchecked(position, move)
        texts.append(GAME.format(position))
    assert read(texts) == texts


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_changed_texts_are_never_read_otherwise(seed: int) -> None:
    rng = random.Random(seed)
    texts = []
    for _ in range(20):
        letters = list(rng.choice([START, PROBLEM, f"position sfen {PROBLEM}"]))
        for _ in range(rng.randint(1, 3)):
            letters[rng.randrange(len(letters))] = rng.choice(
                ["", " ", "+", "/", "1", "9", "K", "p", "G", "b", "w", "-"]
            )
        texts.append("".join(letters))
    for text, found in zip(texts, read(texts), strict=True):
        assert found is None or found == expected(text)
