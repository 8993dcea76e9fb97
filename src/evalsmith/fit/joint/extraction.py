"""From positions to compact rows: the game's terms, those of one feature added up, and sorted into two runs.

Positions of a game follow each other, and hardly a third of their features change from one to the next; and as the
evaluation is for the side to move, the others change their signs. So a row is stored as what it differs in from the
row before, or from its negative, where that is less than the row.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Reals, Values, Words, at, driver, helper, int64, pointer
from evalsmith.fit.joint.chunks import BLOCK, CHUNK, OPPOSITE, OWN, SAME, Array, Chunk
from evalsmith.games import Game
from evalsmith.games.contract import WORDS, terms_of

_NARROW = 1 << 15  # layouts with fewer features have indices of 16 bits
_REPEATED = 4  # the largest amount that is written as so many ones
_SHORT = 8000  # features; longer rows have no such amounts, so that 16 bits count their ones
DIFFERENCES, APART, UNPADDED = range(3)  # how rows are stored: as differences if these are fewer, or on their own
_LIMIT = 32767.0  # the largest value in 16 bits


@helper("int64(indices, int64, reals, indices, reals)", floats=True, inline=True)
def _collect(index: Indices, count: int, sums: Reals, own: Indices, amounts: Reals) -> int:
    """The features of a row with their sums, each once; ``sums`` is all zeros afterwards. How many there are."""
    found = 0
    for j in range(count):
        name = int64(index[j])
        amount = sums[name]
        if amount != 0.0:
            sums[name] = 0.0
            own[found] = name
            amounts[found] = amount
            found += 1
    return found


@helper("int64(int64, indices, reals, int64, reals, int64)", floats=True, inline=True)
def _kind_of(fresh: int, own: Indices, amounts: Reals, count: int, before: Reals, number: int) -> int:
    """How a row is stored with the fewest numbers; ``before`` has the sums of the row before, ``number`` of them."""
    if fresh != 0:
        return OWN
    same, opposite, both, largest = 0, 0, 0, 0.0
    for j in range(count):
        there = before[int64(own[j])]
        largest = max(largest, max(abs(there), abs(amounts[j])))
        if there != 0.0:
            both += 1
            if there == amounts[j]:
                same += 1
            if there == -amounts[j]:
                opposite += 1
    if max(same, opposite) <= number - both or largest > 0.5 * _LIMIT:
        return OWN
    return SAME if same >= opposite else OPPOSITE


@helper("int64(int64, float64, int64, indices, reals, integers)", floats=True, inline=True)
def _sort(name: int, amount: float, most: int, out: Indices, rest: Reals, runs: Integers) -> int:
    """Put a feature into the run of small whole amounts, as often as the amount says, or into that of all others.

    Twice its number stands for 1, one more for −1. ``most`` is the largest amount that is written so; others go to
    ``rest``, and their features to where runs[4] says. Whether the amount fits 16 bits.
    """
    size = int64(abs(amount))
    if np.float64(size) == abs(amount) and size <= most:
        for _ in range(size):
            out[runs[0]] = 2 * name + (1 if amount < 0.0 else 0)
            runs[0] += 1
        return 1
    out[runs[4] + runs[1]] = 2 * name
    rest[runs[1]] = amount
    runs[1] += 1
    return 1 if abs(amount) <= _LIMIT else 0


@helper("int64(int64, indices, reals, int64, reals, indices, indices, reals, integers)", floats=True, inline=True)
def _encode(
    fresh: int, own: Indices, amounts: Reals, count: int, before: Reals, earlier: Indices, out: Indices, rest: Reals,
    runs: Integers,
) -> int:  # fmt: skip
    """Sort what a row stores into its two runs; whether all values fit 16 bits.

    runs[2] becomes how the row is stored. runs[5] is the number of features of the row before, and becomes that of
    this row, whose sums and features go to ``before`` and ``earlier``.
    """
    number, fits = runs[5], 1
    kind = _kind_of(fresh, own, amounts, count, before, number)
    sign = 0.0
    if kind != OWN:
        sign = 1.0 if kind == SAME else -1.0
    most = _REPEATED if count + number <= _SHORT else 1
    runs[0], runs[1], runs[2] = 0, 0, kind
    for j in range(count):
        name = int64(own[j])
        amount = amounts[j] - sign * before[name]
        before[name] = 0.0
        if amount != 0.0:
            fits &= _sort(name, amount, most, out, rest, runs)
    for j in range(number):
        name = int64(earlier[j])
        amount = -sign * before[name]
        before[name] = 0.0
        if amount != 0.0:
            fits &= _sort(name, amount, most, out, rest, runs)
    for j in range(count):
        earlier[j] = own[j]
        before[int64(own[j])] = amounts[j]
    runs[5] = count
    return fits


def _extract(
    context: Integers, positions: Words, index: Indices, value: Values, apart: int, sums: Reals, own: Indices,
    amounts: Reals, before: Reals, earlier: Indices, names: Indices, rest: Reals, runs: Integers, length: Any,
    out_index: Any, out_value: Any,
) -> int:  # fmt: skip
    """The rows of a block of positions; whether all values fit 16 bits."""
    row, words = pointer(context), context[WORDS]
    terms, values, added = pointer(index), pointer(value), pointer(sums)
    parts, out, out_rest = pointer(runs), pointer(out_index), pointer(out_value)
    used, more, features, fits = 0, 0, 0, 1
    parts[4], parts[5] = int64(len(names) - len(rest)), 0
    for i in range(len(positions)):
        count = terms_of(row, at(pointer(positions), i * words), terms, values)
        for j in range(count):
            added[int64(terms[j])] += np.float64(values[j])
        count = _collect(terms, count, added, pointer(own), pointer(amounts))
        fresh = 1 if apart != DIFFERENCES or i % BLOCK == 0 else 0
        fits &= _encode(
            fresh, pointer(own), pointer(amounts), count, pointer(before), pointer(earlier), pointer(names),
            pointer(rest), parts,
        )  # fmt: skip
        if apart != UNPADDED and parts[0] % 2 != 0:
            names[parts[0]] = 2 * int64(len(sums))
            parts[0] += 1
        for j in range(parts[0]):
            out[used + j] = names[j]
        used += parts[0]
        for j in range(parts[1]):
            out[used + j] = names[parts[4] + j]
            out_rest[more + j] = rest[j]
        used += parts[1]
        more += parts[1]
        for part in range(3):
            length[i, part] = parts[part]
        features += parts[5]
    _forget(pointer(before), pointer(earlier), parts[5])
    parts[3], parts[4], parts[5] = used, more, features
    return fits


@helper("void(reals, indices, int64)", floats=True, inline=True)
def _forget(before: Reals, earlier: Indices, count: int) -> None:
    """Have no row before the next one."""
    for j in range(count):
        before[int64(earlier[j])] = 0.0


def _gather(
    lengths: Integers, index: Indices, value: Reals, apart: int, sums: Reals, own: Indices, amounts: Reals,
    before: Reals, earlier: Indices, names: Indices, rest: Reals, runs: Integers, length: Any, out_index: Any,
    out_value: Any,
) -> None:  # fmt: skip
    """The same of features that are given."""
    added, parts, out, out_rest = pointer(sums), pointer(runs), pointer(out_index), pointer(out_value)
    begin, used, more, features = 0, 0, 0, 0
    parts[4], parts[5] = int64(len(names) - len(rest)), 0
    for i in range(len(lengths)):
        count = lengths[i]
        for j in range(begin, begin + count):
            added[int64(index[j])] += value[j]
        mine = _collect(at(pointer(index), begin), count, added, pointer(own), pointer(amounts))
        fresh = 1 if apart != DIFFERENCES or i % BLOCK == 0 else 0
        _encode(
            fresh, pointer(own), pointer(amounts), mine, pointer(before), pointer(earlier), pointer(names),
            pointer(rest), parts,
        )  # fmt: skip
        if apart != UNPADDED and parts[0] % 2 != 0:
            names[parts[0]] = 2 * int64(len(sums))
            parts[0] += 1
        for j in range(parts[0]):
            out[used + j] = names[j]
        used += parts[0]
        for j in range(parts[1]):
            out[used + j] = names[parts[4] + j]
            out_rest[more + j] = rest[j]
        used += parts[1]
        more += parts[1]
        for part in range(3):
            length[i, part] = parts[part]
        features += parts[5]
        begin += count
    _forget(pointer(before), pointer(earlier), parts[5])
    parts[3], parts[4], parts[5] = used, more, features


_KINDS = [(index, value) for index in ("uint16", "int32") for value in ("int16", "float32")]
_WORK = (
    "int64, float64[::1], int32[::1], float64[::1], float64[::1], int32[::1], int32[::1], float64[::1], int64[::1], "
    "uint16[:,::1]"
)
_EXTRACT = {
    kind: driver(
        f"int64(int64[::1], uint64[:,::1], int32[::1], int16[::1], {_WORK}, {kind[0]}[::1], {kind[1]}[::1])",
        floats=True,
    )(_extract)
    for kind in _KINDS
}
_GATHER = {
    kind: driver(f"void(int64[::1], int32[::1], float64[::1], {_WORK}, {kind[0]}[::1], {kind[1]}[::1])", floats=True)(
        _gather
    )
    for kind in _KINDS
}


def _kind(size: int, wide: bool) -> tuple[str, str]:
    return "uint16" if size < _NARROW else "int32", "float32" if wide else "int16"


def _storing(wide: bool, pairs: bool) -> int:
    """How rows are stored; differences of fractions would be rounded."""
    return UNPADDED if not pairs else APART if wide else DIFFERENCES


class _Work:
    """The memory that one thread needs to make chunks."""

    def __init__(self, room: int, rows: int, size: int, kind: tuple[str, str], total: int) -> None:
        self.index, self.value = np.zeros(room + 8, dtype=np.int32), np.zeros(room + 8, dtype=np.int16)
        self.sums, self.before = np.zeros(size), np.zeros(size)
        self.own, self.amounts = np.zeros(room + 1, dtype=np.int32), np.zeros(room + 1)
        self.earlier, self.rest = np.zeros(room + 1, dtype=np.int32), np.zeros(room + 1)
        self.names = np.zeros((_REPEATED + 1) * (room + 1) + 1, dtype=np.int32)
        self.runs, self.length = np.zeros(6, dtype=np.int64), np.zeros((rows, 3), dtype=np.uint16)
        self.out_index = np.empty(_REPEATED * total + 2 * rows, dtype=kind[0])
        self.out_value = np.empty(total + 1, dtype=kind[1])

    @property
    def arguments(self) -> tuple[Array, ...]:
        """What kernels take, in their order."""
        of_row = self.sums, self.own, self.amounts, self.before, self.earlier
        return *of_row, self.names, self.rest, self.runs, self.length, self.out_index, self.out_value

    def chunk(self, begin: int, rows: int, blend: npt.NDArray[np.int32]) -> Chunk:
        """What a kernel left, in memory of its own."""
        used, more, features = self.runs[3:].tolist()
        index, value = self.out_index[:used].copy(), self.out_value[:more].copy()
        return Chunk(begin, features, index, value, self.length[:rows].copy(), blend.copy())


class Extractor:
    """Makes chunks of a game's positions, in any number of threads at once."""

    def __init__(
        self,
        game: Game,
        size: int,
        words: npt.NDArray[np.uint64],
        blend: npt.NDArray[np.int32],
        *,
        wide: bool,
        pairs: bool,
    ) -> None:
        self._context = game.context(evaluation=True)
        self._words, self._blend, self._size, self._room = words, blend, size, game.max_terms
        self._kind = _kind(size, wide)
        self._wide, self._storing = wide, _storing(wide, pairs)
        self._mine = threading.local()

    def chunk(self, begin: int) -> Chunk | None:
        """The rows from ``begin`` on; none if a value does not fit."""
        rows = min(CHUNK, len(self._words) - begin)
        work: _Work | None = getattr(self._mine, "work", None)
        if work is None:
            most = min(CHUNK, len(self._words))
            work = self._mine.work = _Work(self._room, most, self._size, self._kind, most * self._room)
        fits = _EXTRACT[self._kind](
            self._context.row, self._words[begin : begin + rows], work.index, work.value, self._storing, *work.arguments
        )
        if not fits and not self._wide:
            return None
        return work.chunk(begin, rows, self._blend[begin : begin + rows])


def merged_chunk(
    begin: int,
    lengths: Array,
    index: Array,
    value: Array,
    blend: npt.NDArray[np.int32],
    size: int,
    *,
    wide: bool,
    pairs: bool,
) -> Chunk:
    """A chunk of rows that are given as lengths, indices and values."""
    kind, room = _kind(size, wide), int(lengths.max(initial=0))
    work = _Work(room, len(lengths), size, kind, len(index))
    _GATHER[kind](
        np.ascontiguousarray(lengths, dtype=np.int64),
        np.array(index, dtype=np.int32),
        np.array(value, dtype=np.float64),
        _storing(wide, pairs),
        *work.arguments,
    )
    return work.chunk(begin, len(lengths), blend)
