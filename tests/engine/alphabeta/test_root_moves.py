"""A search that may choose from some of the moves only."""

from __future__ import annotations

import plain_search
import pytest

from evalsmith.engine import Limit, Searcher
from evalsmith.games import find_game
from evalsmith.run import InputError

OTHELLO = find_game("othello")
MIDDLE = OTHELLO.parse("f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7")
LEGAL = OTHELLO.moves(MIDDLE)


def every_line() -> dict[int, int]:
    """The value of each move at depth 3."""
    thought = Searcher(OTHELLO).think(MIDDLE, Limit(depth=3), multipv=len(LEGAL))
    return {line.move: line.score for line in thought.lines}


@pytest.mark.parametrize("threads", [1, 2])
def test_the_best_of_the_allowed_moves_is_found(threads: int) -> None:
    values = every_line()
    searcher = Searcher(OTHELLO, threads=threads)
    for chosen in ([LEGAL[-1]], LEGAL[1:3], LEGAL[::2], list(reversed(LEGAL))):
        searcher.new_game()
        [line] = searcher.think(MIDDLE, Limit(depth=3), only=chosen).lines
        assert line.move in chosen and line.moves[0] == line.move
        if threads == 1:
            assert line.score == max(values[move] for move in chosen) == values[line.move]


def test_there_are_no_more_lines_than_allowed_moves() -> None:
    searcher = Searcher(OTHELLO)
    lines = searcher.think(MIDDLE, Limit(depth=2), multipv=len(LEGAL), only=LEGAL[:2]).lines
    assert {line.move for line in lines} == set(LEGAL[:2])
    assert searcher.think(MIDDLE, Limit(depth=2), multipv=99).lines[len(LEGAL) - 1].depth == 2, "and then all again"


def test_illegal_moves_do_not_count_and_must_not_be_all() -> None:
    searcher = Searcher(OTHELLO)
    illegal = next(move for move in range(60) if move not in LEGAL)
    assert searcher.think(MIDDLE, Limit(depth=1), only=[illegal, LEGAL[0]]).lines[0].move == LEGAL[0]
    with pytest.raises(InputError, match="none of the moves to choose from is legal"):
        searcher.think(MIDDLE, Limit(depth=1), only=[illegal])


def test_any_choice_of_moves_in_random_positions() -> None:
    searcher = Searcher(OTHELLO)
    for number, position in enumerate(plain_search.random_positions(OTHELLO, 20, seed=4)):
        legal = OTHELLO.moves(position)
        chosen = legal[number % len(legal) :: 2]
        assert searcher.think(position, Limit(nodes=200), only=chosen).lines[0].move in chosen
