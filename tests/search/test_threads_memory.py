"""Several threads on one table, bounded memory, and searches that repeat."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.run import InputError
from evalsmith.search import Limit, Searcher, slots

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
    assert searcher.context.row[slots.TABLE_BUCKETS] == 1000
    searcher.think(CHESS.start(), Limit(nodes=60_000))
    used = (searcher.context.arrays[slots.TABLE].reshape(1000, 8)[:, 1] != 0).mean()
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
    assert not np.array_equal(searcher.context.arrays[slots.HISTORY], 0)
