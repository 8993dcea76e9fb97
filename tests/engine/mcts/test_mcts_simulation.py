"""Monte Carlo tree search grows the tree that a plain one grows, in every game, and plays better than chance."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import plain_search
import pytest
from broken import base as heaps
from mcts_cases import CHESS, DVONN, FOUR, MARIO, OTHELLO, SMALL, Tree, audit, name_of, revealed, searching, tree
from plain_mcts import Node, PlainMcts

from evalsmith.engine import Limit, evaluate
from evalsmith.games import OVER, Game, find_game


def plain_tree(node: Node) -> Tree:
    """Visits, sum, bounds and children of every node of the plain search."""
    return node.visits, node.total, node.low, node.high, {m: plain_tree(child) for m, child in node.children.items()}


@pytest.mark.parametrize(
    ("game", "positions", "simulations"),
    [(FOUR, 6, 600), (OTHELLO, 4, 400), (DVONN, 4, 400), (MARIO, 2, 300), (heaps.GAME, 6, 600)],
    ids=name_of,
)
def test_the_tree_is_that_of_the_plain_search(game: Game, positions: int, simulations: int) -> None:
    """Sums may differ by the last digit of a machine's tanh, all else must be equal."""
    for position in plain_search.random_positions(game, positions, seed=4):
        searcher = searching(game, memory_bytes=SMALL, exploration=0.5, selection="uct")
        searcher.think(position, Limit(nodes=simulations))
        centre = evaluate(game, searcher.weights, position) if game.players == 1 else 0
        plain = PlainMcts(game, searcher.weights, position, exploration=0.5, scale=searcher.scale, centre=centre)
        plain.search(simulations)
        same_trees(tree(searcher), plain_tree(plain.root), game.format(position))


@pytest.mark.parametrize("priors", ["uniform", "order", "evaluation"])
@pytest.mark.parametrize("game", [FOUR, OTHELLO, DVONN, heaps.GAME], ids=name_of)
def test_the_tree_of_priors_is_that_of_the_plain_search(game: Game, priors: str) -> None:
    for position in plain_search.random_positions(game, 2, seed=6):
        searcher = searching(game, memory_bytes=SMALL, exploration=0.8, selection="puct", priors=priors)
        searcher.think(position, Limit(nodes=300))
        plain = PlainMcts(game, searcher.weights, position, exploration=0.8, scale=searcher.scale, priors=priors)
        plain.search(300)
        same_trees(tree(searcher), plain_tree(plain.root), game.format(position))


def same_trees(found: Tree, expected: Tree, where: str) -> None:
    assert found[0] == expected[0], where
    assert abs(found[1] - expected[1]) <= expected[0], where
    assert found[2:4] == expected[2:4], where
    assert found[4].keys() == expected[4].keys(), where
    for move, child in found[4].items():
        same_trees(child, expected[4][move], where)


@pytest.mark.parametrize("priors", ["order", "evaluation"])
def test_priors_sum_to_one_and_see_a_hanging_queen(priors: str) -> None:
    position = CHESS.parse("6k1/5ppp/8/3q4/4P3/8/5PPP/6K1 w - - 0 1")
    searcher = searching(CHESS, memory_bytes=SMALL, selection="puct", priors=priors)
    searcher.think(position, Limit(nodes=1))
    shares = {CHESS.format_move(position, entry.move): entry.prior for entry in searcher.moves()}
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares, key=shares.__getitem__) == "e4d5"
    even = searching(CHESS, memory_bytes=SMALL, priors="uniform")
    even.think(position, Limit(nodes=1))
    assert [entry.prior for entry in even.moves()] == pytest.approx([1 / len(shares)] * len(shares), abs=1e-9)


def test_a_win_at_once_has_nearly_all_of_the_prior() -> None:
    position = CHESS.parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    searcher = searching(CHESS, memory_bytes=SMALL, selection="puct", priors="evaluation")
    searcher.think(position, Limit(nodes=1))
    shares = {CHESS.format_move(position, entry.move): entry.prior for entry in searcher.moves()}
    assert shares["a1a8"] > 0.99
    assert min(shares.values()) > 0


@pytest.mark.parametrize(
    "options",
    [
        {"selection": "uct"},
        {"selection": "uct", "rollout": "random"},
        {"rollout": "random", "rollout_plies": 4},
        {"selection": "puct", "priors": "order"},
        {"selection": "puct", "priors": "evaluation"},
    ],
    ids=["uct", "random", "mixed", "order", "puct"],
)
@pytest.mark.parametrize("name", ["chess", "connect_four", "drmario", "dvonn", "othello", "shogi"])
def test_every_game_is_searched(name: str, options: dict[str, Any]) -> None:
    game = find_game(name)
    position = revealed(game, game.start(), random.Random(1))
    searcher = searching(game, memory_bytes=SMALL, **options)
    thought = searcher.think(position, Limit(nodes=500), multipv=1000)
    assert thought.nodes == 500
    assert sorted(line.move for line in thought.lines) == sorted(game.moves(position))
    assert sum(entry.visits for entry in searcher.moves()) == 500
    visits = [entry.visits for entry in searcher.moves()]
    assert visits == sorted(visits, reverse=True)
    assert all(-1 <= entry.value <= 1 for entry in searcher.moves())
    assert audit(searcher).visits == 500
    for line in thought.lines[:5]:
        reached = position
        for move in line.moves:
            reached = game.play(reached, move)


# ── Strength and the other mode ──


@pytest.mark.parametrize("options", [{}, {"selection": "uct"}, {"selection": "uct", "rollout": "random"}])
@pytest.mark.parametrize("game", [FOUR, OTHELLO], ids=name_of)
def test_random_moves_lose_every_game(game: Game, options: dict[str, str]) -> None:
    choose = random.Random(7)
    searcher = searching(game, memory_bytes=SMALL, **options)
    for number in range(20):
        searcher.new_game()
        position = game.start()
        while game.status(position) != OVER:
            if game.mover(position) == number % 2:
                move = searcher.think(position, Limit(nodes=400)).lines[0].move
            else:
                move = choose.choice(game.moves(position))
            position = game.play(position, move)
        value = game.result(position)
        assert (value if game.mover(position) == number % 2 else -value) > 0


PLAIN = """
import json
from evalsmith.games import find_game
from evalsmith.engine import Limit, MctsSearcher
found = {}
for name in ("connect_four", "othello"):
    game = find_game(name)
    searcher = MctsSearcher(game, memory_bytes=200_000, rollout="random", selection="puct", priors="order")
    position = game.start()
    searcher.think(position, Limit(nodes=40))
    position = game.play(position, searcher.lines(1)[0].move)
    searcher.think(position, Limit(nodes=20))
    found[name] = [[entry.move, entry.visits] for entry in searcher.moves()]
print(json.dumps(found))
"""


def test_uncompiled_kernels_grow_the_same_tree() -> None:
    answers = []
    for compiled in ("0", "1"):
        environment = dict(os.environ, EVALSMITH_COMPILE=compiled)
        root = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, "-c", PLAIN], env=environment, cwd=root, capture_output=True, text=True, check=True
        )
        answers.append(json.loads(done.stdout))
    assert answers[0] == answers[1]
