"""The transposition table: what is stored is found, bit for bit, and the right entry gives way."""

from __future__ import annotations

import functools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.compile import Context, Integers, Word, driver, pointer, uint64
from evalsmith.engine import Searcher
from evalsmith.engine.alphabeta import slots, table
from evalsmith.games import find_game
from evalsmith.games.scores import INFINITE

TRIALS = settings(max_examples=300, deadline=None, database=None)
KEYS = st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**63, 2**64 - 1]))
MOVES = st.one_of(st.integers(-1, 2**24 - 2), st.sampled_from([-1, 0, 2**24 - 2]))
VALUES = st.one_of(st.integers(-(2**23), 2**23 - 1), st.sampled_from([-(2**23), 0, 2**23 - 1, INFINITE]))
DEPTHS = st.integers(0, slots.SOLVED)
BOUNDS = st.sampled_from([table.UPPER, table.LOWER, table.EXACT])


@driver("void(int64[::1], uint64, int64, int64, int64, int64)")
def store(context: Integers, key: Word, move: int, value: int, depth: int, bound: int) -> None:
    table.store(pointer(context), key, move, value, depth, bound)


@driver("int64(int64[::1], uint64, int64[::1])")
def probe(context: Integers, key: Word, out: Integers) -> int:
    data = table.probe(pointer(context), key)
    out[0], out[1] = table.move_in(data), table.value_in(data)
    out[2], out[3] = table.depth_in(data), table.bound_in(data)
    return 0 if data == uint64(0) else 1


@driver("void(int64[::1])")
def clear(context: Integers) -> None:
    table.clear(pointer(context))


@functools.cache
def context_of(buckets: int) -> Context:
    return Searcher(find_game("connect_four"), table_bytes=64 * buckets).context


class Table:
    """An empty table of so many buckets, called from Python."""

    def __init__(self, buckets: int = 1) -> None:
        self.context = context_of(buckets)
        assert self.context.row[slots.BUCKETS] == buckets
        clear(self.context.row)
        self.age(0)
        self.context.row[slots.REPLACEMENT] = table.RELEVANCE

    def store(self, key: int, move: int, value: int, depth: int, bound: int) -> None:
        store(self.context.row, uint64(key), move, value, depth, bound)

    def probe(self, key: int) -> tuple[int, ...] | None:
        out = np.zeros(4, dtype=np.int64)
        return tuple(int(x) for x in out) if probe(self.context.row, uint64(key), out) else None

    def age(self, generation: int) -> None:
        self.context.row[slots.GENERATION] = generation


@TRIALS
@given(KEYS, MOVES, VALUES, DEPTHS, BOUNDS, st.integers(0, 63))
def test_what_is_stored_is_found(key: int, move: int, value: int, depth: int, bound: int, generation: int) -> None:
    made = Table(8)
    made.age(generation)
    assert made.probe(key) is None
    made.store(key, move, value, depth, bound)
    assert made.probe(key) == (move, value, depth, bound)
    assert made.probe(key ^ 1) is None
    assert made.probe(key ^ 2**63) is None


@TRIALS
@given(KEYS, MOVES, VALUES, DEPTHS, BOUNDS, MOVES, VALUES, DEPTHS, BOUNDS)
def test_the_same_position_replaces_itself_unless_it_was_searched_much_deeper(
    key: int, move: int, value: int, depth: int, bound: int, move2: int, value2: int, depth2: int, bound2: int
) -> None:
    made = Table()
    for other in range(3):
        made.store(key ^ (other + 1) << 32, 0, other, 1, table.EXACT)
    made.store(key, move, value, depth, bound)
    made.store(key, move2, value2, depth2, bound2)
    if depth > depth2 + 3 and bound2 != table.EXACT:
        assert made.probe(key) == (move, value, depth, bound)
    else:  # an entry without a move keeps the one that was known
        assert made.probe(key) == (move2 if move2 >= 0 else move, value2, depth2, bound2)
    for other in range(3):
        assert made.probe(key ^ (other + 1) << 32) == (0, other, 1, table.EXACT)


def test_what_an_earlier_search_found_of_a_position_gives_way() -> None:
    made = Table()
    made.store(5, 1, 10, 9, table.LOWER)
    made.age(1)
    made.store(5, 2, 20, 0, table.UPPER)
    assert made.probe(5) == (2, 20, 0, table.UPPER)


def test_a_bucket_holds_four_and_the_shallowest_gives_way() -> None:
    made = Table()
    for number, depth in enumerate((7, 3, 9, 5)):
        made.store(number, number, 10 * number, depth, table.EXACT)
    assert all(made.probe(number) is not None for number in range(4))
    made.store(4, 4, 40, 2, table.EXACT)
    assert made.probe(4) is None  # every entry is more relevant
    made.store(4, 4, 40, 3, table.EXACT)
    assert made.probe(1) is None
    assert made.probe(4) == (4, 40, 3, table.EXACT)
    assert all(made.probe(number) is not None for number in (0, 2, 3))


def test_by_depth_old_searches_give_way_first() -> None:
    made = Table()
    made.context.row[slots.REPLACEMENT] = table.DEPTH
    made.store(0, 0, 0, 12, table.EXACT)
    made.age(1)
    for number, depth in enumerate((8, 7, 9), 1):
        made.store(number, number, 0, depth, table.EXACT)
    made.store(4, 4, 0, 1, table.EXACT)
    assert made.probe(0) is None
    assert made.probe(4) is not None
    made.store(5, 5, 0, 0, table.EXACT)
    assert made.probe(5) is None
    made.store(5, 5, 0, 7, table.EXACT)
    assert made.probe(4) is None
    assert made.probe(5) is not None


def test_always_takes_the_place_of_the_key() -> None:
    made = Table()
    made.context.row[slots.REPLACEMENT] = table.ALWAYS
    for number in range(4):
        made.store(number, number, 0, 50, table.EXACT)
    made.store(6, 6, 0, 0, table.EXACT)
    assert made.probe(6) is not None
    assert made.probe(2) is None


def test_solved_values_give_way_in_the_end() -> None:
    made = Table()
    for number in range(4):
        made.store(number, number, 0, slots.SOLVED, table.EXACT)
    made.store(4, 4, 0, 5, table.EXACT)
    assert made.probe(4) is None
    made.age(36)
    made.store(4, 4, 0, 5, table.EXACT)
    assert made.probe(4) is not None


def test_age_makes_room() -> None:
    made = Table()
    made.store(0, 0, 0, 12, table.EXACT)
    made.age(10)
    for number, depth in enumerate((8, 8, 8), 1):
        made.store(number, number, 0, depth, table.EXACT)
    made.store(4, 4, 0, 3, table.EXACT)
    assert made.probe(0) is None  # 12 less 10 searches is below 3
    assert all(made.probe(number) is not None for number in (1, 2, 3, 4))


def test_the_age_goes_round() -> None:
    """Generation 1 comes after generation 63."""
    made = Table()
    made.age(63)
    made.store(0, 0, 0, 10, table.EXACT)
    made.age(1)
    for number in (1, 2, 3):
        made.store(number, number, 0, 10, table.EXACT)
    made.store(4, 4, 0, 9, table.EXACT)
    assert made.probe(0) is None


def test_a_torn_entry_is_not_found() -> None:
    made = Table()
    made.store(77, 5, -300, 9, table.LOWER)
    entries = made.context.arrays[slots.table.slot]
    place = next(i for i in range(0, len(entries), 2) if entries[i + 1])
    entries[place + 1] ^= entries[place + 1].dtype.type(1 << 30)
    assert made.probe(77) is None


def test_clearing_forgets_everything() -> None:
    made = Table(4)
    for key in range(200):
        made.store(key, 1, 1, 1, table.EXACT)
    clear(made.context.row)
    assert not made.context.arrays[slots.table.slot].any()
    assert all(made.probe(key) is None for key in range(200))
