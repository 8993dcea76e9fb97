"""Several threads grow one tree: it is sound whatever they do to each other, and it is worth what one thread's is.

`audit` reads the whole arena: every block pointed to once, no claim and no virtual loss left, no visit lost, bounds as
the children have them.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import plain_search
import pytest
from broken import base as heaps
from mcts_cases import (
    CHESS,
    DVONN,
    FIVE,
    FOUR,
    MARIO,
    OTHELLO,
    SHOGI,
    SMALL,
    audit,
    name_of,
    play_on,
    revealed,
    searching,
)

from evalsmith.compile import COMPILED, Integers, driver, exchange, pointer, volatile
from evalsmith.engine import Limit
from evalsmith.engine.mcts import blocks, slots
from evalsmith.games import Game
from evalsmith.scale import on_threads

OPTIONS: list[dict[str, Any]] = [
    {"selection": "uct"},
    {"selection": "uct", "rollout": "random", "rollout_plies": 6},
    {"priors": "order"},
    {},
]


@driver("int64(int64[::1], int64, int64, int64)")
def _exchange(row: Integers, index: int, old: int, new: int) -> int:
    return exchange(pointer(row), index, old, new)


@driver("void(int64[::1], int64)")
def _count_up(row: Integers, times: int) -> None:
    """Add 1 so often, by exchanges that may fail."""
    counter, done = pointer(row), 0
    while done < times:
        old = volatile(counter, 0)
        done += exchange(counter, 0, old, old + 1)


def test_an_exchange_puts_a_word_only_in_the_place_of_the_expected_one() -> None:
    row = np.array([5, 6, 7], dtype=np.int64)
    assert _exchange(row, 1, 6, -1) == 1
    assert _exchange(row, 1, 6, 9) == 0
    assert row.tolist() == [5, -1, 7]


def test_no_exchange_is_lost_between_threads() -> None:
    row = np.zeros(1, dtype=np.int64)
    times = 300_000 if COMPILED else 300
    for _ in on_threads(lambda _: _count_up(row, times), range(3), 3, lambda: None):
        pass
    assert row[0] == 3 * times


@pytest.mark.parametrize("options", OPTIONS, ids=["uct", "random", "order", "priors"])
@pytest.mark.parametrize("game", FIVE, ids=name_of)
def test_short_searches_leave_sound_trees(game: Game, options: dict[str, Any]) -> None:
    """Ten searches for each of five games and four ways: 200, along games, with the tree kept between moves."""
    choose = random.Random(11)
    searcher = searching(game, memory_bytes=SMALL, threads=2, **options)
    position, history = revealed(game, game.start(), choose), []
    for _ in range(10):
        thought = searcher.think(position, Limit(nodes=700), history=history)
        audit(searcher)
        assert thought.nodes == 700 or searcher.proven
        assert thought.lines[0].move in game.moves(position)
        history.append(position)
        following = play_on(game, position, thought.lines[0].move, choose)
        if following is None:
            position, history = revealed(game, game.start(), choose), []
        else:
            position = following


@pytest.mark.parametrize("game", [*FIVE, FOUR, heaps.GAME], ids=name_of)
@pytest.mark.parametrize("threads", [2, 5])
def test_no_visit_is_lost(game: Game, threads: int) -> None:
    for position in plain_search.random_positions(game, 2, seed=9):
        searcher = searching(game, memory_bytes=4 * SMALL, threads=threads)
        thought = searcher.think(position, Limit(nodes=8000))
        assert audit(searcher).visits == thought.nodes
        assert thought.nodes == 8000 or searcher.proven
        assert searcher.nodes == sum(int(context.row[slots.SIMULATIONS]) for context in searcher.contexts)


@pytest.mark.parametrize(
    ("game", "memory"),
    [(CHESS, 700_000), (MARIO, 60_000), (DVONN, 100_000), (OTHELLO, 60_000), (SHOGI, 500_000)],
    ids=name_of,
)
def test_a_full_tree_stays_within_its_memory(game: Game, memory: int) -> None:
    searcher = searching(game, memory_bytes=memory, threads=3)
    words = int(searcher.context.row[slots.ARENA_WORDS])
    fenced = np.full(words + 1000, 77, dtype=np.int64)
    fenced[:words] = 0
    for context in searcher.contexts:
        slots.arena.attach(context, fenced[:words])
    searcher._view.arena = fenced[:words]
    position = revealed(game, game.start(), random.Random(1))
    for _ in range(3):
        thought = searcher.think(position, Limit(nodes=10_000))
        assert thought.nodes == 10_000
        audit(searcher)
        assert searcher.context.row[slots.PRUNED] > 0
    assert set(fenced[words:].tolist()) == {77}


@pytest.mark.parametrize("rollout", ["evaluation", "random"])
@pytest.mark.parametrize("game", FIVE, ids=name_of)
def test_stop_ends_all_threads_at_once(game: Game, rollout: str) -> None:
    """After the flag is up, a thread ends what it took: at most eight evaluations, or one random game."""
    searcher = searching(game, memory_bytes=SMALL, threads=2, rollout=rollout)
    position, thoughts = revealed(game, game.start(), random.Random(1)), []
    thinking = threading.Thread(target=lambda: thoughts.append(searcher.think(position, Limit())), daemon=True)
    thinking.start()
    while searcher.nodes < 50:
        assert thinking.is_alive()
    assert searcher.lines(1)[0].move in game.moves(position)
    searcher.stop()
    seen = searcher.nodes
    thinking.join(60)
    assert not thinking.is_alive()
    assert thoughts[0].nodes - seen <= 2 * (1 if rollout == "random" else 8)
    assert audit(searcher).visits == thoughts[0].nodes


def test_a_reader_always_sees_whole_lines() -> None:
    """Lines read while two threads think, and while the tree slides, are lines of legal moves."""
    searcher = searching(OTHELLO, memory_bytes=SMALL, threads=2)
    done, seen, failures = threading.Event(), 0, []

    def read() -> None:
        nonlocal seen
        try:
            while not done.is_set():
                for entry in searcher.moves():
                    assert -1 <= entry.value <= 1
                    assert entry.visits >= 0
                seen += len(searcher.lines(3))
        except Exception as error:
            failures.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    position = OTHELLO.start()
    for _ in range(25):
        position = OTHELLO.play(position, searcher.think(position, Limit(nodes=3000)).lines[0].move)
    done.set()
    reader.join()
    assert not failures
    assert seen > 0


def test_two_threads_solve_what_one_does() -> None:
    for position in plain_search.random_positions(OTHELLO, 6, seed=8, least=55):
        searcher = searching(OTHELLO, memory_bytes=SMALL, threads=2)
        thought = searcher.think(position, Limit(nodes=50_000))
        expected = plain_search.values_of_moves(OTHELLO, searcher.weights, position, 100)
        assert searcher.proven
        assert thought.lines[0].score == max(expected.values()) == expected[thought.lines[0].move]
        audit(searcher)


def test_two_threads_prove_the_expectation_of_chance() -> None:
    position = heaps.GAME.parse("ooo/oo/ second 2")
    values = set()
    for threads in (1, 2):
        searcher = searching(heaps.GAME, memory_bytes=4 * SMALL, threads=threads, exploration=0.5)
        searcher.think(position, Limit(nodes=100_000))
        assert searcher.proven
        values.add(searcher.moves()[0].value)
        audit(searcher)
    assert len(values) == 1


@pytest.mark.parametrize("options", OPTIONS, ids=["uct", "random", "order", "priors"])
@pytest.mark.parametrize("game", FIVE, ids=name_of)
def test_threads_part_by_virtual_loss(game: Game, options: dict[str, Any]) -> None:
    """Where one simulation would go, another does not while others are still there."""
    position = revealed(game, game.start(), random.Random(1))
    free, held = (searching(game, memory_bytes=SMALL, **options) for _ in range(2))
    for searcher in (free, held):
        searcher.think(position, Limit(nodes=300))
    before = {entry.move: entry.visits for entry in free.moves()}
    free.think(position, Limit(nodes=1))
    [taken] = [entry.move for entry in free.moves() if entry.visits > before[entry.move]]

    arena = held.context.arrays[slots.arena.slot]
    root = int(arena[blocks.ROOT])
    block = int(arena[root + blocks.EDGES])
    [child] = [
        int(arena[edge + 1])
        for edge in range(block + 1, block + (int(arena[block]) >> 1), 2)
        if int(arena[edge]) & blocks.MOVE == taken
    ]
    assert child
    arena[child + blocks.VISITS] += 10_000 * blocks.ONE_PENDING
    held.think(position, Limit(nodes=1))
    [other] = [entry.move for entry in held.moves() if entry.visits > before[entry.move]]
    assert other != taken


@pytest.mark.parametrize(("threads", "repeats"), [(1, True), (2, False)])
def test_a_searcher_says_whether_it_repeats(threads: int, repeats: bool) -> None:
    assert searching(OTHELLO, memory_bytes=SMALL, threads=threads).repeats is repeats


PLAIN = """
import sys
sys.path[:0] = [TESTS]
from mcts_cases import OTHELLO, MARIO, audit, revealed
import random
from evalsmith.engine import Limit, MctsSearcher
for game in (OTHELLO, MARIO):
    searcher = MctsSearcher(game, memory_bytes=300_000, threads=2)
    position = revealed(game, game.start(), random.Random(1))
    for _ in range(2):
        searcher.think(position, Limit(nodes=40))
        audit(searcher)
print("sound")
"""


def test_uncompiled_threads_leave_sound_trees_too() -> None:
    folder = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", PLAIN.replace("TESTS", repr(str(folder)))],
        env=dict(os.environ, EVALSMITH_COMPILE="0"),
        cwd=folder.parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "sound"
