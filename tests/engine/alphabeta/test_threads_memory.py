"""Several threads on one table, bounded memory, and searches that repeat."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

from evalsmith.engine import Limit, Searcher
from evalsmith.engine.alphabeta import slots
from evalsmith.engine.alphabeta.deepening import think
from evalsmith.engine.alphabeta.techniques import SELECTIVE
from evalsmith.games import find_game
from evalsmith.run import InputError

CHESS, OTHELLO, SHOGI, DVONN = (find_game(name) for name in ("chess", "othello", "shogi", "dvonn"))
MIDDLE = "r1bqk2r/pp1nbppp/2p1pn2/3p4/2PP4/2N1PN2/PPQ2PPP/R1B1KB1R w KQkq - 2 7"
LIMITS = tuple(int(150 * 2000 ** (i / 19)) for i in range(20))  # twenty, from 150 to 300,000


def found(searcher: Searcher, nodes: int) -> tuple[object, ...]:
    thought = searcher.think(CHESS.parse(MIDDLE), Limit(nodes=nodes))
    return thought.nodes, thought.depth, [(line.score, list(line.moves)) for line in thought.lines]


def test_a_fixed_number_of_nodes_repeats_after_a_new_game_and_after_a_restart() -> None:
    assert LIMITS[0] == 150
    assert LIMITS[-1] == 300_000
    searcher = Searcher(CHESS, table_bytes=1 << 20)
    first = {}
    for nodes in LIMITS:
        searcher.new_game()
        first[nodes] = found(searcher, nodes)
        assert first[nodes][0] == nodes
    for nodes in reversed(LIMITS):
        searcher.new_game()
        assert found(searcher, nodes) == first[nodes]
    program = (
        "import json, sys; from test_threads_memory import *\n"
        "s = Searcher(CHESS, table_bytes=1 << 20)\n"
        "for n in LIMITS[::-3]: s.new_game(); print(json.dumps([n, found(s, n)]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=__file__.rpartition("/")[0], capture_output=True, text=True, check=True
    )
    for line in ran.stdout.splitlines():
        nodes, again = json.loads(line)
        assert again == json.loads(json.dumps(first[nodes]))


def test_two_threads_search_and_end() -> None:
    for game in (CHESS, OTHELLO, SHOGI, DVONN):
        searcher = Searcher(game, table_bytes=1 << 20, threads=2)
        before = threading.active_count()
        for depth in (1, 4):
            thought = searcher.think(game.start(), Limit(depth=depth))
            assert thought.depth == depth
            assert thought.lines[0].move in game.moves(game.start())
            assert threading.active_count() == before
        assert thought.nodes >= searcher.context.row[slots.NODES]


EXACT = (*SELECTIVE, "table", "aspiration", "quiescence")


@pytest.mark.parametrize("taken", [0, 1])
def test_moves_that_are_put_off_are_neither_lost_nor_judged_otherwise(taken: int) -> None:
    """Without anything that overlooks, the value is minimax: the same whatever other threads are said to be at."""
    for game in (CHESS, OTHELLO, DVONN):
        root, depth = game.start(), 4
        for _ in range(9):
            root = game.play(root, game.moves(root)[-1])
        alone, shared = (Searcher(game, table_bytes=1 << 20, threads=n, without=EXACT) for n in (1, 2))
        expected = alone.think(root, Limit(depth=depth))
        shared.place(root, ())
        shared.limit(Limit(depth=depth))
        busy = shared.context.arrays[slots.tasks.slot]
        for move in game.moves(root) if taken else ():
            word = np.array([(move * 256 + depth + 1)], dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            word = (word ^ np.uint64(game.key(root))) | np.uint64(1)
            busy[((word * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(50)).astype(np.int64)] = word
        marked = int((busy != 0).sum())
        assert (marked > 0) == bool(taken)
        think(shared.context.row)
        assert shared.lines(1)[0].score == expected.lines[0].score
        assert sorted(searched(shared, game, root)) == sorted(game.moves(root))
        # Those that were put off are taken and given back in the end; the first never was.
        assert int((busy != 0).sum()) <= 1


def searched(searcher: Searcher, game: object, root: object) -> list[int]:
    return [int(move) for move in searcher.context.arrays[slots.root_moves.slot][: len(game.moves(root))]]  # type: ignore[attr-defined]


def test_two_threads_find_the_value_that_one_finds() -> None:
    for game in (CHESS, OTHELLO, SHOGI, DVONN):
        alone, both = (Searcher(game, table_bytes=1 << 20, threads=n, without=EXACT) for n in (1, 2))
        root = game.start()
        for ply in range(20):
            root = game.play(root, game.moves(root)[(7 * ply) % len(game.moves(root))])
            limit = Limit(depth=3)
            assert both.think(root, limit).lines[0].score == alone.think(root, limit).lines[0].score


@pytest.mark.parametrize("nodes", [1, 2, 3, 101, 5000])
def test_a_number_of_nodes_is_that_of_all_threads(nodes: int) -> None:
    for threads in (2, 5):
        searcher = Searcher(CHESS, table_bytes=1 << 20, threads=threads)
        thought = searcher.think(CHESS.start(), Limit(nodes=nodes))
        assert thought.lines[0].move in CHESS.moves(CHESS.start())
        # A thread that finds its share used up has counted the position at which it found out.
        assert nodes - (threads - 1) * (nodes // threads) <= thought.nodes <= nodes + threads


def test_two_threads_stop_when_they_are_told() -> None:
    searcher = Searcher(CHESS, table_bytes=1 << 20, threads=2)
    thoughts = []
    worker = threading.Thread(target=lambda: thoughts.append(searcher.think(CHESS.start(), Limit())))
    worker.start()
    while searcher.nodes < 20_000:
        pass
    searcher.stop()
    worker.join(30)
    assert thoughts
    assert thoughts[0].lines[0].move in CHESS.moves(CHESS.start())


@pytest.mark.parametrize("threads", [0, 257])
def test_an_impossible_number_of_threads_is_refused(threads: int) -> None:
    with pytest.raises(InputError, match=f"from 1 to 256, not {threads}"):
        Searcher(CHESS, threads=threads)


@pytest.mark.parametrize("name", ["chess", "othello", "shogi", "dvonn", "drmario"])
@pytest.mark.parametrize("threads", [1, 2])
def test_memory_bounds_everything_that_was_allocated(name: str, threads: int) -> None:
    searcher = Searcher(find_game(name), memory_bytes=64_000_000, threads=threads)
    memory = searcher.memory
    assert 64_000_000 - 64 < memory.bounded <= 64_000_000
    arrays = {
        id(array): array.nbytes
        for context in searcher._contexts
        for slot, array in context.arrays.items()
        if slot >= slots.NODES  # below stand the game's own: weights and the rows of its terms
    }
    assert sum(arrays.values()) <= memory.bounded
    assert memory.interpreter > memory.bounded / 2
    assert f"{memory.table:,}" in str(memory)


def test_too_little_memory_is_refused_with_what_is_needed() -> None:
    with pytest.raises(InputError, match=r"a search of chess needs [\d,]+ bytes with 1 thread, not 1,000"):
        Searcher(CHESS, memory_bytes=1000)


def test_any_number_of_buckets_is_used_evenly() -> None:
    searcher = Searcher(CHESS, table_bytes=64 * 1000 + 5)
    assert searcher.context.row[slots.BUCKETS] == 1000
    searcher.think(CHESS.start(), Limit(nodes=60_000))
    used = (searcher.context.arrays[slots.table.slot].reshape(1000, 8)[:, 1] != 0).mean()
    assert used > 0.95


def test_the_state_tells_what_is_searched() -> None:
    searcher = Searcher(CHESS)
    searcher.think(CHESS.start(), Limit(depth=5))
    state = searcher.state
    assert state.depth == 5
    assert state.selective_depth >= 5
    assert state.current[0] in CHESS.moves(CHESS.start())
    assert 1 <= state.current[1] <= 20
    assert 0 <= state.full <= 1000
    assert not np.array_equal(searcher.context.arrays[slots.history.slot], 0)
