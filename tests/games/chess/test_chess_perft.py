"""Perft: the counts of the data files, over a thousand million nodes in all."""

from pathlib import Path

import pytest

from evalsmith.compile import COMPILED
from evalsmith.games.chess import GAME
from evalsmith.games.perft import perft

# Without compilation a thousand nodes take a second.
MOST_NODES = 1_000_000_000 if COMPILED else 500
HERE = Path(__file__).parent


def rows(name: str) -> list[tuple[str, int, int]]:
    """FEN, depth and count of each row, as deep as time allows."""
    found = []
    for line in (HERE / name).read_text().splitlines():
        if line.startswith("#"):
            continue
        fen, *counts = line.split(" ;")
        depths = [(int(entry.split()[0][1:]), int(entry.split()[1])) for entry in counts]
        allowed = [(depth, count) for depth, count in depths if count <= MOST_NODES]
        if allowed:
            found.append((fen, *max(allowed)))
    return found


def test_there_are_enough_nodes() -> None:
    total = sum(count for name in ("perft.epd", "perft960.epd") for _, _, count in rows(name))
    assert total > (100_000_000 if COMPILED else 1000)


@pytest.mark.parametrize(("fen", "depth", "count"), rows("perft.epd"))
def test_perft(fen: str, depth: int, count: int) -> None:
    assert perft(GAME, GAME.parse(fen), depth).nodes == count


def test_perft_chess960() -> None:
    for fen, depth, count in rows("perft960.epd"):
        assert perft(GAME, GAME.parse(fen), depth).nodes == count, fen
