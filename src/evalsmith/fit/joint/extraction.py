"""From positions to compact rows: the game's terms, those of one feature added up, and sorted into three runs."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Reals, Values, Words, at, driver, helper, int64, pointer
from evalsmith.fit.joint.chunks import CHUNK, Array, Chunk
from evalsmith.games import Game
from evalsmith.games.contract import WORDS, terms_of

_NARROW = 1 << 16  # layouts with at most so many features have indices of 16 bits
_LIMIT = 32767.0  # the largest value in 16 bits


@helper("int64(indices, int64, reals, indices, reals, integers)", floats=True, inline=True)
def _merge(index: Indices, count: int, sums: Reals, names: Indices, rest: Reals, runs: Integers) -> int:
    """Sort the features of a row by the sum of each: 1 first, then −1, then others, whose sums go to ``rest``.

    ``sums`` has the sums and is all zeros afterwards. ``names`` has room for three times the features; the three runs
    begin at its thirds. Whether all sums are whole and fit 16 bits.
    """
    plus, minus, other, fits = 0, 0, 0, 1
    for j in range(count):
        name = int64(index[j])
        amount = sums[name]
        if amount != 0.0:
            sums[name] = 0.0
            if amount == 1.0:
                names[plus] = name
                plus += 1
            elif amount == -1.0:
                names[count + minus] = name
                minus += 1
            else:
                names[2 * count + other] = name
                rest[other] = amount
                other += 1
                if abs(amount) > _LIMIT:
                    fits = 0
    runs[0], runs[1], runs[2] = plus, minus, other
    return fits


def _extract(
    context: Integers, positions: Words, index: Indices, value: Values, sums: Reals, names: Indices, rest: Reals,
    runs: Integers, length: Any, out_index: Any, out_value: Any,
) -> int:  # fmt: skip
    """The rows of a block of positions; whether all values fit 16 bits."""
    row, words = pointer(context), context[WORDS]
    terms, amounts, added = pointer(index), pointer(value), pointer(sums)
    sorted_names, others, parts = pointer(names), pointer(rest), pointer(runs)
    out, out_rest = pointer(out_index), pointer(out_value)
    used, more, fits = 0, 0, 1
    for i in range(len(positions)):
        count = terms_of(row, at(pointer(positions), i * words), terms, amounts)
        for j in range(count):
            added[int64(terms[j])] += np.float64(amounts[j])
        if _merge(terms, count, added, sorted_names, others, parts) == 0:
            fits = 0
        for run in range(3):
            size = parts[run]
            length[i, run] = size
            for j in range(size):
                out[used + j] = sorted_names[run * count + j]
            used += size
        for j in range(parts[2]):
            out_rest[more + j] = others[j]
        more += parts[2]
    parts[0], parts[1] = used, more
    return fits


def _collect(
    lengths: Integers, index: Indices, value: Reals, sums: Reals, names: Indices, rest: Reals, runs: Integers,
    length: Any, out_index: Any, out_value: Any,
) -> None:  # fmt: skip
    """The same of features that are given."""
    added, sorted_names, others, parts = pointer(sums), pointer(names), pointer(rest), pointer(runs)
    out, out_rest = pointer(out_index), pointer(out_value)
    begin, used, more = 0, 0, 0
    for i in range(len(lengths)):
        count = lengths[i]
        for j in range(begin, begin + count):
            added[int64(index[j])] += value[j]
        _merge(at(pointer(index), begin), count, added, sorted_names, others, parts)
        for run in range(3):
            size = parts[run]
            length[i, run] = size
            for j in range(size):
                out[used + j] = sorted_names[run * count + j]
            used += size
        for j in range(parts[2]):
            out_rest[more + j] = others[j]
        more += parts[2]
        begin += count
    parts[0], parts[1] = used, more


_KINDS = [(index, value) for index in ("uint16", "int32") for value in ("int16", "float32")]
_WORK = "float64[::1], int32[::1], float64[::1], int64[::1], uint16[:,::1]"
_EXTRACT = {
    kind: driver(
        f"int64(int64[::1], uint64[:,::1], int32[::1], int16[::1], {_WORK}, {kind[0]}[::1], {kind[1]}[::1])",
        floats=True,
    )(_extract)
    for kind in _KINDS
}
_COLLECT = {
    kind: driver(f"void(int64[::1], int32[::1], float64[::1], {_WORK}, {kind[0]}[::1], {kind[1]}[::1])", floats=True)(
        _collect
    )
    for kind in _KINDS
}


def _kind(size: int, wide: bool) -> tuple[str, str]:
    return "uint16" if size <= _NARROW else "int32", "float32" if wide else "int16"


class _Work:
    """The memory that one thread needs to make chunks."""

    def __init__(self, room: int, rows: int, size: int, kind: tuple[str, str], total: int) -> None:
        self.index, self.value = np.zeros(room + 8, dtype=np.int32), np.zeros(room + 8, dtype=np.int16)
        self.sums, self.names = np.zeros(size), np.zeros(3 * room + 3, dtype=np.int32)
        self.rest, self.runs = np.zeros(room + 1), np.zeros(3, dtype=np.int64)
        self.length = np.zeros((rows, 3), dtype=np.uint16)
        self.out_index, self.out_value = np.empty(total + 1, dtype=kind[0]), np.empty(total + 1, dtype=kind[1])

    @property
    def arguments(self) -> tuple[Array, ...]:
        """What kernels take, in their order."""
        return self.sums, self.names, self.rest, self.runs, self.length, self.out_index, self.out_value

    def chunk(self, begin: int, rows: int, blend: npt.NDArray[np.int32]) -> Chunk:
        """What a kernel left, in memory of its own."""
        used, more = int(self.runs[0]), int(self.runs[1])
        return Chunk(
            begin, self.out_index[:used].copy(), self.out_value[:more].copy(), self.length[:rows].copy(), blend.copy()
        )


class Extractor:
    """Makes chunks of a game's positions, in any number of threads at once."""

    def __init__(
        self, game: Game, size: int, words: npt.NDArray[np.uint64], blend: npt.NDArray[np.int32], wide: bool
    ) -> None:
        self._context = game.context(evaluation=True)
        self._words, self._blend, self._size, self._room = words, blend, size, game.max_terms
        self._kind = _kind(size, wide)
        self._wide = wide
        self._mine = threading.local()

    def chunk(self, begin: int) -> Chunk | None:
        """The rows from ``begin`` on; none if a value does not fit."""
        rows = min(CHUNK, len(self._words) - begin)
        work: _Work | None = getattr(self._mine, "work", None)
        if work is None:
            most = min(CHUNK, len(self._words))
            work = self._mine.work = _Work(self._room, most, self._size, self._kind, most * self._room)
        fits = _EXTRACT[self._kind](
            self._context.row, self._words[begin : begin + rows], work.index, work.value, *work.arguments
        )
        if not fits and not self._wide:
            return None
        return work.chunk(begin, rows, self._blend[begin : begin + rows])


def merged_chunk(
    begin: int, lengths: Array, index: Array, value: Array, blend: npt.NDArray[np.int32], size: int, wide: bool
) -> Chunk:
    """A chunk of rows that are given as lengths, indices and values."""
    kind, room = _kind(size, wide), int(lengths.max(initial=0))
    work = _Work(room, len(lengths), size, kind, len(index))
    _COLLECT[kind](
        np.ascontiguousarray(lengths, dtype=np.int64),
        np.array(index, dtype=np.int32),
        np.array(value, dtype=np.float64),
        *work.arguments,
    )
    return work.chunk(begin, len(lengths), blend)
