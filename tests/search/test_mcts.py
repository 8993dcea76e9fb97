"""Monte Carlo tree search grows the tree that a plain one grows, proves what can be proven, and keeps to its memory."""

from __future__ import annotations

import functools
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import plain_search
import pytest
from broken import base as heaps
from plain_mcts import Node, PlainMcts

from evalsmith.games import CHANCE, OVER, Game, Position, find_game
from evalsmith.run import InputError
from evalsmith.search import Limit, evaluate, mcts
from evalsmith.search.mcts_searcher import MctsSearcher

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")
CHESS = find_game("chess")
DVONN = find_game("dvonn")
MARIO = find_game("drmario")
SMALL = 4 << 20

Tree = tuple[int, int, int, int, dict[int, "Tree"]]


def tree(searcher: MctsSearcher, address: int | None = None) -> Tree:
    """Visits, sum, bounds and children of every node, without addresses."""
    arena = searcher.context.arrays[mcts.ARENA]
    node = int(arena[mcts.ROOT]) if address is None else address
    visits, total, low, high, block, _ = (int(word) for word in arena[node + 1 : node + mcts.NODE_WORDS])
    edges = arena[block + 1 : block + (int(arena[block]) >> 1)].reshape(-1, 2).tolist() if block else []
    below = {word & ((1 << mcts.MOVE_BITS) - 1): tree(searcher, child) for word, child in edges if child}
    return visits, total, low, high, below


def plain_tree(node: Node) -> Tree:
    """The same of the plain search."""
    return node.visits, node.total, node.low, node.high, {m: plain_tree(child) for m, child in node.children.items()}


def after(game: Game, *moves: str) -> Position:
    """The position after moves from the start."""
    position = game.start()
    for text in moves:
        position = game.play(position, game.parse_move(position, text))
    return position


def revealed(game: Game, position: Position, choose: random.Random) -> Position:
    """The position after outcomes of chance, until a player moves."""
    while game.status(position) == CHANCE:
        chances = game.chance(position)
        position = game.reveal(position, choose.choices(range(len(chances)), chances)[0])
    return position


# ── The tree ──


@pytest.mark.parametrize(
    ("game", "positions", "simulations"),
    [(FOUR, 6, 600), (OTHELLO, 4, 400), (DVONN, 4, 400), (MARIO, 2, 300), (heaps.GAME, 6, 600)],
    ids=lambda value: value.name if isinstance(value, Game) else str(value),
)
def test_the_tree_is_that_of_the_plain_search(game: Game, positions: int, simulations: int) -> None:
    """Sums may differ by the last digit of a machine's tanh, all else must be equal."""
    for position in plain_search.random_positions(game, positions, seed=4):
        searcher = MctsSearcher(game, memory_bytes=SMALL, exploration=0.5)
        searcher.think(position, Limit(nodes=simulations))
        centre = evaluate(game, searcher.weights, position) if game.players == 1 else 0
        plain = PlainMcts(game, searcher.weights, position, exploration=0.5, scale=searcher.scale, centre=centre)
        plain.search(simulations)
        same_trees(tree(searcher), plain_tree(plain.root), game.format(position))


def same_trees(found: Tree, expected: Tree, where: str) -> None:
    assert found[0] == expected[0], where
    assert abs(found[1] - expected[1]) <= expected[0], where
    assert found[2:4] == expected[2:4], where
    assert found[4].keys() == expected[4].keys(), where
    for move, child in found[4].items():
        same_trees(child, expected[4][move], where)


def test_priors_sum_to_one_and_follow_the_order() -> None:
    position = CHESS.parse("6k1/5ppp/8/3q4/4P3/8/5PPP/6K1 w - - 0 1")
    searcher = MctsSearcher(CHESS, memory_bytes=SMALL, selection="puct", priors="order")
    searcher.think(position, Limit(nodes=1))
    priors = {CHESS.format_move(position, entry.move): entry.prior for entry in searcher.moves()}
    assert sum(priors.values()) == pytest.approx(1)
    assert max(priors, key=priors.__getitem__) == "e4d5"
    even = MctsSearcher(CHESS, memory_bytes=SMALL, selection="puct")
    even.think(position, Limit(nodes=1))
    assert [entry.prior for entry in even.moves()] == pytest.approx([1 / len(priors)] * len(priors), abs=1e-9)


@pytest.mark.parametrize("options", [{}, {"rollout": "random"}, {"selection": "puct", "priors": "order"}])
@pytest.mark.parametrize("name", ["chess", "connect_four", "drmario", "dvonn", "othello", "shogi"])
def test_every_game_is_searched(name: str, options: dict[str, str]) -> None:
    game = find_game(name)
    position = revealed(game, game.start(), random.Random(1))
    searcher = MctsSearcher(game, memory_bytes=SMALL, **options)
    thought = searcher.think(position, Limit(nodes=500), multipv=1000)
    assert thought.nodes == 500
    assert sorted(line.move for line in thought.lines) == sorted(game.moves(position))
    assert sum(entry.visits for entry in searcher.moves()) == 500
    visits = [entry.visits for entry in searcher.moves()]
    assert visits == sorted(visits, reverse=True)
    assert all(-1 <= entry.value <= 1 for entry in searcher.moves())
    for line in thought.lines[:5]:
        reached = position
        for move in line.moves:
            reached = game.play(reached, move)


# ── What can be proven ──


@pytest.mark.parametrize(
    ("game", "position", "best"),
    [
        (FOUR, after(FOUR, *"414141"), "4"),
        (CHESS, CHESS.parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), "a1a8"),
        (CHESS, CHESS.parse("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"), "a8a1"),
    ],
    ids=["connect_four", "white mates", "black mates"],
)
@pytest.mark.parametrize("options", [{}, {"rollout": "random"}, {"selection": "puct"}])
def test_a_win_in_one_is_found_and_proven(game: Game, position: Position, best: str, options: dict[str, str]) -> None:
    searcher = MctsSearcher(game, memory_bytes=SMALL, **options)
    thought = searcher.think(position, Limit(nodes=2000))
    assert game.format_move(position, thought.lines[0].move) == best
    assert thought.lines[0].score == game.win - 1
    assert searcher.proven
    assert thought.nodes < 2000


def test_a_loss_in_two_is_proven_and_delayed() -> None:
    """First has two ways to connect; second can only choose which one it stops."""
    position = after(FOUR, *"2737")
    position = FOUR.play(position, FOUR.parse_move(position, "4"))
    searcher = MctsSearcher(FOUR, memory_bytes=SMALL)
    thought = searcher.think(position, Limit(nodes=20_000))
    assert searcher.proven
    expected = plain_search.values_of_moves(FOUR, searcher.weights, position, 2)
    assert thought.lines[0].score == max(expected.values()) == 2 - FOUR.win


def test_othello_endgames_are_solved() -> None:
    for position in plain_search.random_positions(OTHELLO, 8, seed=8, least=55):
        searcher = MctsSearcher(OTHELLO, memory_bytes=SMALL)
        thought = searcher.think(position, Limit(nodes=50_000))
        expected = plain_search.values_of_moves(OTHELLO, searcher.weights, position, 100)
        assert searcher.proven
        assert thought.lines[0].score == max(expected.values()), OTHELLO.format(position)
        assert expected[thought.lines[0].move] == thought.lines[0].score


def test_late_connect_four_is_solved() -> None:
    for position in plain_search.random_positions(FOUR, 12, seed=5, least=32):
        searcher = MctsSearcher(FOUR, memory_bytes=SMALL)
        thought = searcher.think(position, Limit(nodes=50_000))
        expected = max(plain_search.values_of_moves(FOUR, searcher.weights, position, 100).values())
        sign = (expected > 0) - (expected < 0)
        assert searcher.proven
        found = thought.lines[0].score
        assert (found > 0) - (found < 0) == sign, FOUR.format(position)


def test_the_third_repetition_is_a_proven_draw() -> None:
    """White's rook and king's rest were on the board twice; going back once more is a draw, and white does not."""
    start = CHESS.parse("7k/8/8/8/8/8/6PP/R5K1 w - - 0 1")
    history, position = [], start
    for text in ("a1b1", "h8g8", "b1a1", "g8h8", "a1b1", "h8g8", "b1a1"):
        history.append(position)
        position = CHESS.play(position, CHESS.parse_move(position, text))
    searcher = MctsSearcher(CHESS, memory_bytes=SMALL)
    searcher.think(position, Limit(nodes=500), history=history)
    back = next(entry for entry in searcher.moves() if CHESS.format_move(position, entry.move) == "g8h8")
    assert (back.proven, back.value) == (True, 0)
    searcher.new_game()
    searcher.think(position, Limit(nodes=500))
    assert not any(entry.proven for entry in searcher.moves())


@functools.cache
def expectation(text: str) -> float:
    """What the mover of a position of heaps wins on average, of 1."""
    position = heaps.GAME.parse(text)
    status = heaps.GAME.status(position)
    if status == OVER:
        return heaps.GAME.result(position) / heaps.WIN
    if status == CHANCE:
        below = [heaps.GAME.reveal(position, outcome) for outcome in range(3)]
        chances = heaps.GAME.chance(position)
        return sum(p * expectation(heaps.GAME.format(child)) for p, child in zip(chances, below, strict=True))
    below = [heaps.GAME.play(position, move) for move in heaps.GAME.moves(position)]
    return max(-expectation(heaps.GAME.format(child)) for child in below)


@pytest.mark.parametrize("rollout", ["evaluation", "random"])
@pytest.mark.parametrize(
    "text", ["oo/oo/ first 3", "oo/oo/o second 1", "ooo/o/ first 1", "ooo/oo/ second 2", "ooo/ooo/o second 1"]
)
def test_chance_is_proven_to_the_expectation(text: str, rollout: str) -> None:
    searcher = MctsSearcher(heaps.GAME, memory_bytes=16 << 20, rollout=rollout, exploration=0.5)
    thought = searcher.think(heaps.GAME.parse(text), Limit(nodes=100_000))
    assert searcher.proven
    assert searcher.moves()[0].value == pytest.approx(expectation(text), abs=1e-6)
    assert thought.lines[0].score == round(heaps.WIN * expectation(text))


@pytest.mark.parametrize("rollout", ["evaluation", "random"])
@pytest.mark.parametrize("text", ["oooo/ooooo/oooo first 2", "oooo/oooo/oooo second 1"])
def test_many_simulations_come_near_the_expectation(text: str, rollout: str) -> None:
    searcher = MctsSearcher(heaps.GAME, rollout=rollout, exploration=0.5)
    position = heaps.GAME.parse(text)
    searcher.think(position, Limit(nodes=100_000))
    best = searcher.moves()[0]
    after_best = heaps.GAME.format(heaps.GAME.play(position, best.move))
    assert not searcher.proven
    assert -expectation(after_best) == pytest.approx(expectation(text), abs=0.03)
    assert best.value == pytest.approx(expectation(text), abs=0.06)


# ── Limits ──


@pytest.mark.parametrize("rollout", ["evaluation", "random"])
@pytest.mark.parametrize("game", [FOUR, OTHELLO, CHESS], ids=lambda game: game.name)
def test_a_number_of_simulations_repeats(game: Game, rollout: str) -> None:
    position = game.start()
    one = MctsSearcher(game, memory_bytes=SMALL, rollout=rollout)
    for nodes in (1, 7, 150, 1111):
        one.new_game()
        first = one.think(position, Limit(nodes=nodes), multipv=5).lines
        one.new_game()
        again = one.think(position, Limit(nodes=nodes), multipv=5).lines
        other = MctsSearcher(game, memory_bytes=2 * SMALL, rollout=rollout)
        fresh = other.think(position, Limit(nodes=nodes), multipv=5).lines
        assert first == again == fresh
    if rollout == "random":
        other = MctsSearcher(game, memory_bytes=SMALL, rollout=rollout, seed=2)
        other.think(position, Limit(nodes=1111))
        assert other.moves() != one.moves()


@pytest.mark.parametrize(
    ("game", "memory_bytes"),
    [(CHESS, 300_000), (CHESS, 1_000_000), (MARIO, 50_000), (DVONN, 100_000)],
    ids=lambda value: value.name if isinstance(value, Game) else str(value),
)
def test_memory_is_bounded_and_the_search_goes_on(game: Game, memory_bytes: int) -> None:
    searcher = MctsSearcher(game, memory_bytes=memory_bytes)
    assert memory_bytes - 8 < searcher.memory <= memory_bytes
    position = revealed(game, game.start(), random.Random(1))
    thought = searcher.think(position, Limit(nodes=30_000))
    assert thought.nodes == 30_000
    assert searcher.context.row[mcts.TOP] <= searcher.context.row[mcts.ARENA_WORDS]
    assert searcher.context.row[mcts.FULL] == 1
    assert searcher.fullness > 900
    assert sum(entry.visits for entry in searcher.moves()) <= 30_000
    assert all(-1 <= entry.value <= 1 for entry in searcher.moves())


def test_the_least_memory_is_enough_for_a_move() -> None:
    with pytest.raises(InputError, match=r"needs at least \d+ bytes, not 1000") as error:
        MctsSearcher(OTHELLO, memory_bytes=1000)
    least = int(str(error.value).split()[-4])
    thought = MctsSearcher(OTHELLO, memory_bytes=least).think(OTHELLO.start(), Limit(nodes=200))
    assert thought.nodes == 200
    assert thought.lines[0].move in OTHELLO.moves(OTHELLO.start())


def test_depth_stops_when_simulations_are_long_enough_or_memory_is_full() -> None:
    thought = MctsSearcher(OTHELLO, memory_bytes=16 << 20).think(OTHELLO.start(), Limit(depth=4))
    assert thought.depth == 4
    assert MctsSearcher(OTHELLO, memory_bytes=100_000).think(OTHELLO.start(), Limit(depth=30)).depth < 30


def test_stop_from_another_thread() -> None:
    searcher = MctsSearcher(CHESS, memory_bytes=SMALL)
    thoughts = []
    thinking = threading.Thread(target=lambda: thoughts.append(searcher.think(CHESS.start(), Limit())), daemon=True)
    thinking.start()
    while searcher.context.row[mcts.SIMULATIONS] < 100:
        assert thinking.is_alive()
    assert searcher.lines(1)[0].move in CHESS.moves(CHESS.start())
    searcher.stop()
    thinking.join(60)
    assert not thinking.is_alive()
    assert thoughts[0].lines[0].move in CHESS.moves(CHESS.start())


def test_a_single_move_is_played_at_once_on_a_clock() -> None:
    position = CHESS.parse("7k/8/8/8/8/7r/8/7K w - - 0 1")
    only = CHESS.parse("6rk/8/8/8/8/8/7r/7K w - - 0 1")
    searcher = MctsSearcher(CHESS, memory_bytes=SMALL)
    assert len(CHESS.moves(position)) > 1
    assert searcher.think(position, Limit(nodes=50, soft_seconds=1000)).nodes == 50
    assert len(CHESS.moves(only)) == 1
    assert searcher.think(only, Limit(nodes=50, soft_seconds=1000)).nodes == 1


def test_a_finished_game_has_no_lines() -> None:
    position = CHESS.parse("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert MctsSearcher(CHESS, memory_bytes=SMALL).think(position, Limit(nodes=10)).lines == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rollout": "greedy"}, "evaluation, random, not 'greedy'"),
        ({"selection": "best"}, "uct, puct, not 'best'"),
        ({"priors": "net"}, "uniform, order, not 'net'"),
        ({"exploration": 0}, "exploration must be above 0"),
        ({"scale": float("inf")}, "scale must be above 0 and finite"),
        ({"rollout_plies": -1}, "at least 0, not -1"),
        ({"seed": -1}, "seed must be from 0"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        MctsSearcher(OTHELLO, **options)


# ── Keeping the tree ──


@pytest.mark.parametrize("game", [FOUR, OTHELLO, DVONN, CHESS, MARIO], ids=lambda game: game.name)
def test_the_subtree_of_what_was_played_is_kept(game: Game) -> None:
    choose = random.Random(2)
    position, history = revealed(game, game.start(), choose), []
    searcher = MctsSearcher(game, memory_bytes=SMALL, scale=1e6 if game is MARIO else None)
    kept = 0
    for _ in range(8):
        line = searcher.think(position, Limit(nodes=3000), history=history).lines[0]
        before = tree(searcher)
        for move in line.moves[:2]:
            if game.status(position) == CHANCE:
                break
            history.append(position)
            position = game.play(position, move)
            before = before[4][move]
        while game.status(position) == CHANCE:
            outcome = max(before[4], key=lambda outcome: before[4][outcome][0])
            position = game.reveal(position, outcome)
            before = before[4][outcome]
        if game.status(position) == OVER or not before[4]:
            break
        searcher._place_root(position, history)
        assert tree(searcher) == before
        kept += 1
    assert kept >= 3


def test_reuse_gives_more_visits_than_a_new_tree() -> None:
    kept, forgetful = (MctsSearcher(OTHELLO, memory_bytes=SMALL, reuse=reuse) for reuse in (True, False))
    position = OTHELLO.start()
    for searcher in (kept, forgetful):
        searcher.think(position, Limit(nodes=2000))
    position = OTHELLO.play(position, kept.lines(1)[0].move)
    position = OTHELLO.play(position, kept.lines(1)[0].moves[1])
    visits = []
    for searcher in (kept, forgetful):
        assert searcher.think(position, Limit(nodes=500)).nodes == 500
        visits.append(sum(entry.visits for entry in searcher.moves()))
    assert visits[0] > visits[1] == 500


def test_another_position_starts_anew() -> None:
    searcher = MctsSearcher(OTHELLO, memory_bytes=SMALL)
    searcher.think(OTHELLO.start(), Limit(nodes=2000))
    position = plain_search.random_positions(OTHELLO, 1, seed=3, least=20, most=20)[0]
    lines = searcher.think(position, Limit(nodes=300)).lines
    assert lines == MctsSearcher(OTHELLO, memory_bytes=SMALL).think(position, Limit(nodes=300)).lines


def test_a_position_reached_otherwise_is_another_where_positions_repeat() -> None:
    """The same position, but what was played before it is not what the tree was grown after."""
    searcher = MctsSearcher(CHESS, memory_bytes=SMALL)
    start = CHESS.start()
    line = searcher.think(start, Limit(nodes=3000)).lines[0]
    after_one = CHESS.play(start, line.moves[0])
    searcher.think(after_one, Limit(nodes=100), history=[after_one])
    assert sum(entry.visits for entry in searcher.moves()) == 100


# ── Strength and the other mode ──


@pytest.mark.parametrize("options", [{"rollout": "evaluation"}, {"rollout": "random"}])
@pytest.mark.parametrize("game", [FOUR, OTHELLO], ids=lambda game: game.name)
def test_random_moves_lose_every_game(game: Game, options: dict[str, str]) -> None:
    choose = random.Random(7)
    searcher = MctsSearcher(game, memory_bytes=SMALL, **options)
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
from evalsmith.search import Limit
from evalsmith.search.mcts_searcher import MctsSearcher
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
