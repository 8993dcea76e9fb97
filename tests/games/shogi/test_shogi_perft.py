"""Perft counts of shogi: the proof of the move generator."""

from pathlib import Path

import pytest

from evalsmith.games.perft import perft
from evalsmith.games.shogi import GAME

ROWS = [
    line.split(" ; ")
    for line in (Path(__file__).parent / "perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_counts(row):
    position = GAME.parse(row[0])
    for depth, expected in enumerate(row[1:], 1):
        assert perft(GAME, position, depth).nodes == int(expected)


def test_the_most_moves_there_can_be_fit():
    assert max(int(row[1]) for row in ROWS) == 593 < GAME.max_moves
