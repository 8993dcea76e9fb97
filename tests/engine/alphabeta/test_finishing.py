"""The solver in play: exact where it is tried, never beyond the limits, and the same every time."""

from __future__ import annotations

import random

import pytest

from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.games import Position, find_game
from evalsmith.run import InputError

OTHELLO = find_game("othello")


def late(empties: int, seed: int) -> Position:
    """A position of a game in which every move is one of the two that the game's order likes best."""
    choose = random.Random(seed)
    while True:
        here = OTHELLO.start()
        while moves := OTHELLO.moves(here):
            if 64 - int(here[0] | here[1]).bit_count() == empties and len(moves) > 1:
                return here
            here = OTHELLO.play_unchecked(
                here, choose.choice(sorted(moves, key=lambda move: -OTHELLO.order(here, move))[:2])
            )


@pytest.mark.parametrize("empties", [4, 7, 9])
def test_the_end_is_proven(empties: int) -> None:
    position = late(empties, empties)
    solve = OTHELLO.hook("solve")
    assert solve is not None
    exact = solve(position)
    found = Searcher(OTHELLO, table_bytes=1 << 20).think(position, Limit(nodes=200_000))
    assert (found.lines[0].score, found.depth) == (exact.score, empties)
    assert len(found.lines[0].moves) >= 1 and found.lines[0].move == found.lines[0].moves[0]
    # The line is played out to that score.
    here = position
    for move in found.lines[0].moves:
        assert move in OTHELLO.moves(here)
        here = OTHELLO.play_unchecked(here, move)
    sign = 1 if OTHELLO.mover(here) == OTHELLO.mover(position) else -1
    assert OTHELLO.status(here) == 2 and sign * OTHELLO.result(here) == exact.score


def test_it_costs_fewer_nodes_than_a_search() -> None:
    position = late(8, 3)
    solved = Searcher(OTHELLO, table_bytes=1 << 20).think(position, Limit(nodes=1_000_000))
    searched = Searcher(OTHELLO, table_bytes=1 << 20, without=("solver",)).think(position, Limit(nodes=1_000_000))
    assert solved.nodes < searched.nodes


@pytest.mark.parametrize(
    ("limit", "lines"), [(Limit(depth=4), 1), (Limit(depth=4, nodes=500_000), 1), (Limit(nodes=50_000), 2)]
)
def test_depths_and_several_lines_are_searched(limit: Limit, lines: int) -> None:
    position = late(8, 5)
    with_solver = Searcher(OTHELLO, table_bytes=1 << 20).think(position, limit, lines)
    without = Searcher(OTHELLO, table_bytes=1 << 20, without=("solver",)).think(position, limit, lines)
    assert (with_solver.nodes, with_solver.lines) == (without.nodes, without.lines)


def test_a_search_that_has_too_few_nodes_is_not_spent_on_it() -> None:
    position = late(14, 2)
    with_solver = Searcher(OTHELLO, table_bytes=1 << 20).think(position, Limit(nodes=2000))
    without = Searcher(OTHELLO, table_bytes=1 << 20, without=("solver",)).think(position, Limit(nodes=2000))
    assert (with_solver.nodes, with_solver.lines) == (without.nodes, without.lines)


def test_fixed_nodes_repeat_in_complete_games() -> None:
    first, second = Searcher(OTHELLO, table_bytes=1 << 18), Searcher(OTHELLO, table_bytes=1 << 18)
    games = []
    for _ in range(2):
        for searcher in (first, second):
            prepare(searcher, Limit(nodes=400), seed=3)
        games.append(play_game(OTHELLO, first, second, OTHELLO.start()))
    assert games[0].moves == games[1].moves and games[0].scores == games[1].scores


def test_memory_stays_within_its_bound() -> None:
    for wanted in (3_000_000, 64_000_000):
        assert Searcher(OTHELLO, memory_bytes=wanted).memory.bounded <= wanted


def test_a_game_without_a_solver_has_no_such_switch() -> None:
    assert "solver" in Searcher(OTHELLO, table_bytes=1 << 16).techniques
    assert "solver" not in Searcher(find_game("dvonn"), table_bytes=1 << 16).techniques
    with pytest.raises(InputError, match="unknown technique"):
        Searcher(OTHELLO, without=("solvent",))
