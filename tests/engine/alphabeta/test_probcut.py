"""ProbCut in the search: it cuts only where it has parameters and is switched on, and it repeats."""

from __future__ import annotations

from dataclasses import replace

import plain_search
import pytest

from evalsmith.engine import Limit, Searcher
from evalsmith.engine.constants import SearchConstants
from evalsmith.games import Game, find_game
from evalsmith.weights import Weights, starting_weights
from evalsmith.weights.probcut import Pair, ProbCut, layout_digest

OTHELLO, DVONN = find_game("othello"), find_game("dvonn")


def weights_with(game: Game, error: float = 300.0, slope: float = 1.0) -> Weights:
    plain = starting_weights(game)
    pairs = tuple(Pair(0, deep, deep % 2 + 2 * (deep // 4), slope, 0.0, error, 100) for deep in range(3, 8))
    return replace(plain, probcut=ProbCut(game.name, layout_digest(plain.layout), 1, pairs))


@pytest.mark.parametrize("game", [OTHELLO, DVONN])
def test_off_it_changes_nothing(game: Game) -> None:
    for position in plain_search.random_positions(game, 2, seed=4):
        plain = Searcher(game, starting_weights(game), 1 << 18).think(position, Limit(depth=5))
        off = Searcher(game, weights_with(game), 1 << 18, without=("probcut",)).think(position, Limit(depth=5))
        assert (off.nodes, off.lines) == (plain.nodes, plain.lines)


def test_without_parameters_it_is_not_used() -> None:
    assert "probcut" not in Searcher(OTHELLO, starting_weights(OTHELLO), 1 << 16).techniques
    assert "probcut" in Searcher(OTHELLO, weights_with(OTHELLO), 1 << 16).techniques


def test_it_saves_nodes() -> None:
    position = plain_search.random_positions(OTHELLO, 1, seed=9)[0]
    found = [
        Searcher(OTHELLO, weights_with(OTHELLO, error=50.0), 1 << 20, without=("lmr", *without))
        .think(position, Limit(depth=7))
        .nodes
        for without in ((), ("probcut",))
    ]
    assert found[0] < found[1] / 2


def test_nothing_is_sure_enough_for_an_endless_error() -> None:
    for position in plain_search.random_positions(OTHELLO, 3, seed=5):
        sure = Searcher(OTHELLO, weights_with(OTHELLO, error=100_000.0), 1 << 20).think(position, Limit(depth=6))
        plain = Searcher(OTHELLO, starting_weights(OTHELLO), 1 << 20).think(position, Limit(depth=6))
        assert sure.lines[0].score == plain.lines[0].score


def test_fixed_nodes_repeat() -> None:
    searcher = Searcher(OTHELLO, weights_with(OTHELLO), 1 << 20)
    for position in plain_search.random_positions(OTHELLO, 2, seed=6):
        found = []
        for _ in range(2):
            searcher.new_game()
            result = searcher.think(position, Limit(nodes=3000))
            found.append((result.nodes, result.lines))
        assert found[0] == found[1]


def test_less_confidence_cuts_more() -> None:
    positions = plain_search.random_positions(OTHELLO, 12, seed=9)
    nodes = []
    for confidence in (50, 400):
        constants = SearchConstants(probcut_confidence=confidence)
        searcher = Searcher(OTHELLO, weights_with(OTHELLO), 1 << 20, constants=constants)
        nodes.append(sum(searcher.think(position, Limit(depth=7)).nodes for position in positions))
    assert nodes[0] < nodes[1]


def test_the_depth_from_which_it_is_tried() -> None:
    position = plain_search.random_positions(OTHELLO, 1, seed=9)[0]
    late = Searcher(OTHELLO, weights_with(OTHELLO), 1 << 20, constants=SearchConstants(probcut_depth=20))
    off = Searcher(OTHELLO, weights_with(OTHELLO), 1 << 20, without=("probcut",))
    assert late.think(position, Limit(depth=6)).nodes == off.think(position, Limit(depth=6)).nodes
