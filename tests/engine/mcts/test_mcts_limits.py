"""Monte Carlo tree search keeps to its limits and its memory, and with one thread it repeats."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from pathlib import Path

import plain_search
import pytest
from mcts_cases import CHESS, DVONN, FIVE, FOUR, MARIO, OTHELLO, SHOGI, SMALL, audit, name_of, revealed, searching

from evalsmith.engine import Limit, MctsSearcher
from evalsmith.engine.mcts import searcher as mcts_searcher
from evalsmith.engine.mcts import slots
from evalsmith.games import Game
from evalsmith.games.contract import BLEND, WEIGHTS
from evalsmith.run import InputError


@pytest.mark.parametrize("rollout", ["evaluation", "random"])
@pytest.mark.parametrize("game", [FOUR, OTHELLO, CHESS], ids=name_of)
def test_a_number_of_simulations_repeats(game: Game, rollout: str) -> None:
    position = game.start()
    one = searching(game, memory_bytes=SMALL, rollout=rollout)
    for nodes in (1, 7, 150, 1111):
        one.new_game()
        first = one.think(position, Limit(nodes=nodes), multipv=5).lines
        one.new_game()
        again = one.think(position, Limit(nodes=nodes), multipv=5).lines
        other = searching(game, memory_bytes=2 * SMALL, rollout=rollout)
        fresh = other.think(position, Limit(nodes=nodes), multipv=5).lines
        assert first == again == fresh
    if rollout == "random":
        other = searching(game, memory_bytes=SMALL, rollout=rollout, seed=2)
        other.think(position, Limit(nodes=1111))
        assert other.moves() != one.moves()


@pytest.mark.parametrize(
    ("game", "memory"),
    [(CHESS, 300_000), (CHESS, 1_000_000), (MARIO, 50_000), (DVONN, 100_000), (OTHELLO, 60_000), (SHOGI, 300_000)],
    ids=name_of,
)
def test_memory_is_bounded_and_the_search_goes_on(game: Game, memory: int) -> None:
    searcher = searching(game, memory_bytes=memory)
    assert memory - 8 < searcher.memory.bounded <= memory
    assert searcher.memory.table == searcher.context.arrays[slots.arena.slot].nbytes
    own = {id(array): array.nbytes for context in searcher.contexts for array in context.arrays.values()}
    weights = {id(array) for slot in (WEIGHTS, BLEND) for c in searcher.contexts for array in (c.arrays[slot],)}
    assert sum(size for array, size in own.items() if array not in weights) == searcher.memory.bounded
    position = revealed(game, game.start(), random.Random(1))
    thought = searcher.think(position, Limit(nodes=30_000))
    assert thought.nodes == 30_000
    assert audit(searcher).visits == 30_000
    assert searcher.context.row[slots.PRUNED] > 0
    assert searcher.state.full > 300
    assert sum(entry.visits for entry in searcher.moves()) <= 30_000
    assert all(-1 <= entry.value <= 1 for entry in searcher.moves())


@pytest.mark.parametrize("threads", [1, 2])
def test_a_small_tree_proves_what_a_large_one_does(threads: int) -> None:
    """Ten or so empty squares take a tree many times as large, so what was proven must outlive what is forgotten."""
    positions = plain_search.random_positions(OTHELLO, 5, seed=3, least=50, most=51)
    for position in (positions[0], positions[3], positions[4]):
        large = searching(OTHELLO, memory_bytes=4 * SMALL)
        small = searching(OTHELLO, memory_bytes=100_000, threads=threads)
        best = large.think(position, Limit(nodes=60_000)).lines[0]
        found = small.think(position, Limit(nodes=60_000)).lines[0]
        assert large.proven and small.proven
        assert found.score == best.score
        assert small.context.row[slots.PRUNED] > 5 and large.context.row[slots.PRUNED] == 0
        audit(small)


def test_two_threads_share_the_memory() -> None:
    one, two = (searching(OTHELLO, memory_bytes=1_000_000, threads=threads).memory for threads in (1, 2))
    assert two.work == 2 * one.work
    assert 1_000_000 - 8 < one.bounded <= 1_000_000
    assert 1_000_000 - 8 < two.bounded <= 1_000_000
    assert two.weights == one.weights
    assert two.interpreter > 10_000_000  # numpy alone takes more


def test_the_least_memory_is_enough_for_a_move() -> None:
    with pytest.raises(InputError, match=r"needs [\d,]+ bytes with 1 thread, not 1,000") as error:
        MctsSearcher(OTHELLO, memory_bytes=1000)
    least = int(str(error.value).split(" needs ")[1].split()[0].replace(",", ""))
    thought = searching(OTHELLO, memory_bytes=least).think(OTHELLO.start(), Limit(nodes=200))
    assert thought.nodes == 200
    assert thought.lines[0].move in OTHELLO.moves(OTHELLO.start())


def test_depth_stops_when_simulations_are_long_enough_or_memory_is_full() -> None:
    thought = searching(OTHELLO, memory_bytes=16 << 20).think(OTHELLO.start(), Limit(depth=4))
    assert thought.depth == 4
    assert searching(OTHELLO, memory_bytes=100_000).think(OTHELLO.start(), Limit(depth=30)).depth < 30


NODES = [round(150 * 2000 ** (step / 19)) for step in range(20)]

AGAIN = """
import json, sys
from evalsmith.games import find_game
from evalsmith.engine import Limit, MctsSearcher
from evalsmith.weights import starting_weights
game = find_game("othello")
searcher = MctsSearcher(game, starting_weights(game), memory_bytes=32 << 20)
found = []
for nodes in json.loads(sys.argv[1]):
    searcher.new_game()
    line = searcher.think(game.start(), Limit(nodes=nodes)).lines[0]
    found.append([line.score, list(line.moves)])
print(json.dumps(found))
"""


def test_twenty_numbers_of_simulations_repeat_in_a_new_game_and_after_a_restart() -> None:
    searcher = searching(OTHELLO, memory_bytes=32 << 20)
    found = []
    for nodes in NODES:
        searcher.new_game()
        line = searcher.think(OTHELLO.start(), Limit(nodes=nodes)).lines[0]
        found.append([line.score, list(line.moves)])
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", AGAIN, json.dumps(NODES)], cwd=root, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == found


@pytest.mark.parametrize("game", FIVE, ids=name_of)
def test_seconds_end_a_search_in_the_middle(game: Game) -> None:
    """However short: there is a move, and the tree is whole."""
    position = revealed(game, game.start(), random.Random(1))
    for rollout in ("evaluation", "random"):
        searcher = searching(game, memory_bytes=SMALL, rollout=rollout)
        thought = searcher.think(position, Limit(seconds=0.001))
        assert thought.lines[0].move in game.moves(position)
        assert audit(searcher).visits == thought.nodes


def test_stop_from_another_thread() -> None:
    searcher = searching(CHESS, memory_bytes=SMALL)
    thoughts = []
    thinking = threading.Thread(target=lambda: thoughts.append(searcher.think(CHESS.start(), Limit())), daemon=True)
    thinking.start()
    while searcher.context.row[slots.SIMULATIONS] < 100:
        assert thinking.is_alive()
    assert searcher.lines(1)[0].move in CHESS.moves(CHESS.start())
    searcher.stop()
    thinking.join(60)
    assert not thinking.is_alive()
    assert thoughts[0].lines[0].move in CHESS.moves(CHESS.start())


def test_a_single_move_is_played_at_once_on_a_clock() -> None:
    position = CHESS.parse("7k/8/8/8/8/7r/8/7K w - - 0 1")
    only = CHESS.parse("6rk/8/8/8/8/8/7r/7K w - - 0 1")
    searcher = searching(CHESS, memory_bytes=SMALL)
    assert len(CHESS.moves(position)) > 1
    assert searcher.think(position, Limit(nodes=50, soft_seconds=1000)).nodes == 50
    assert len(CHESS.moves(only)) == 1
    assert searcher.think(only, Limit(nodes=50, soft_seconds=1000)).nodes == 1


def test_a_finished_game_has_no_lines() -> None:
    position = CHESS.parse("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert searching(CHESS, memory_bytes=SMALL).think(position, Limit(nodes=10)).lines == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rollout": "greedy"}, "evaluation, random, not 'greedy'"),
        ({"selection": "best"}, "uct, puct, not 'best'"),
        ({"priors": "net"}, "uniform, order, evaluation, not 'net'"),
        ({"exploration": 0}, "exploration must be above 0"),
        ({"scale": float("inf")}, "scale must be above 0 and finite"),
        ({"rollout_plies": -1}, "at least 0, not -1"),
        ({"seed": -1}, "seed must be from 0"),
        ({"threads": 0}, "threads must be from 1 to 256, not 0"),
        ({"threads": 257}, "threads must be from 1 to 256, not 257"),
        ({"memory_bytes": -5}, "needs [0-9,]+ bytes with 1 thread, not -5"),
        ({"memory_bytes": 1 << 60}, "a tree has at most"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        MctsSearcher(OTHELLO, **options)


def test_a_stop_while_room_is_made_is_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer does not wait for the pruning; whoever looks at the tree afterwards does, and finds it whole."""
    begun, go_on, real = threading.Event(), threading.Event(), mcts_searcher.prune

    def slow(row: object) -> int:
        begun.set()
        assert go_on.wait(60)
        return real(row)

    monkeypatch.setattr(mcts_searcher, "prune", slow)
    searcher = searching(CHESS, memory_bytes=300_000)
    found = []
    thinker = threading.Thread(target=lambda: found.append(searcher.think(CHESS.start(), Limit(), multipv=3)))
    thinker.start()
    assert begun.wait(60)
    searcher.stop()
    thinker.join(60)
    assert len(found) == 1 and len(found[0].lines) == 3  # answered while the pruning still waits
    go_on.set()
    assert {line.move for line in found[0].lines} <= set(CHESS.moves(CHESS.start()))
    assert searcher.think(CHESS.start(), Limit(nodes=50)).nodes == 50
    audit(searcher)
