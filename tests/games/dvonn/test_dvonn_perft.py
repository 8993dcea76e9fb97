"""Known counts of DVONN move sequences, and the same counts by the naive twin."""

from pathlib import Path

import pytest

from evalsmith.compile import COMPILED
from evalsmith.games.dvonn import GAME
from evalsmith.games.perft import perft
from naive import dvonn as naive

_LINES = (Path(__file__).parent / "perft.txt").read_text().splitlines()
KNOWN = [line.split(": ") for line in _LINES if not line.startswith("#")]
# Without compilation the same counts are found, only not so many of them in the same time.
LARGEST = 10_000_000 if COMPILED else 3_000


@pytest.mark.parametrize(("text", "counts"), KNOWN)
def test_known_counts(text: str, counts: str) -> None:
    position = GAME.parse(text)
    for depth, count in enumerate(map(int, counts.split()), 1):
        if count <= LARGEST:
            assert perft(GAME, position, depth).nodes == count


def test_the_naive_twin_finds_the_known_counts() -> None:
    game = naive.Dvonn()
    assert naive.perft(game, 2) == 49 * 48
    for move in ["F3", "C3", "I3", *(name for name in naive.FIELDS if name not in ("F3", "C3", "I3"))]:
        game.play(move)
    text, counts = KNOWN[1]
    assert game.text() == text
    assert [naive.perft(game, depth) for depth in (1, 2)] == [int(count) for count in counts.split()[:2]]


def test_a_finished_game_is_one_leaf() -> None:
    assert perft(GAME, GAME.parse("E" + "BBB" + 46 * "A"), 3).nodes == 1
