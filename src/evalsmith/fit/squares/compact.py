"""Compact rows: where every position emits the same features in the same order, 16 bits a term are enough.

A row names entries (sums of unknowns), by an offset below 2¹⁶ for each group of terms. Rows come in parts (one a
stage of the game) that several fits share without copying. Sums are always split in the same way, whatever the number
of threads, so results repeat to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from evalsmith.compile import Indices, Reals, Small, at, driver, helper, int64, pointer
from evalsmith.fit.squares.entries import Entries, Offsets, Vector

SPLIT = 4  # into how many sums Aᵀ·r is split; each needs an array of all entries
BLOCK = 256  # rows whose offsets stay in the fastest memory between A·x and Aᵀ·(A·x)


@dataclass(frozen=True)
class Compact:
    """Rows that name entries: number ``base[k]`` + offset for each group k of terms, all with the factor 1."""

    parts: tuple[Offsets, ...]
    entries: Entries
    threads: int = 1

    def __len__(self) -> int:
        return sum(len(part) for part in self.parts)

    @property
    def unknowns(self) -> int:
        """How many columns the matrix has."""
        return self.entries.unknowns

    @property
    def bytes(self) -> int:
        """How much memory the rows take."""
        return sum(part.nbytes for part in self.parts)

    def with_threads(self, threads: int) -> Compact:
        """The same rows, multiplied by this number of threads."""
        return Compact(self.parts, self.entries, threads)

    def times(self, x: Vector) -> Vector:
        """A·x."""
        out, sums = np.empty(len(self), dtype=np.float64), self.entries.sums(x)
        pieces = self._pieces(8 * max(1, self.threads))
        base = self.entries.base
        self._share([partial(_times, part, base, sums, out[begin : begin + len(part)]) for begin, part in pieces])
        return out

    def transposed_times(self, r: Vector) -> Vector:
        """Aᵀ·r."""
        sums, pieces = np.zeros((SPLIT, len(self.entries))), self._split()

        def add(number: int) -> None:
            for begin, part in pieces[number]:
                _transposed_times(part, self.entries.base, r[begin : begin + len(part)], sums[number])

        self._share([partial(add, number) for number in range(SPLIT)])
        return self.entries.spread(sums.sum(axis=0))

    def normal_times(self, x: Vector) -> tuple[Vector, float]:
        """AᵀA·x and |A·x|², in one pass over the rows."""
        sums, pieces, image = np.zeros((SPLIT, len(self.entries))), self._split(), self.entries.sums(x)
        squares = np.zeros(SPLIT)

        def add(number: int) -> None:
            work = np.empty(BLOCK)
            for _, part in pieces[number]:
                squares[number] += _normal_times(part, self.entries.base, image, sums[number], work)

        self._share([partial(add, number) for number in range(SPLIT)])
        return self.entries.spread(sums.sum(axis=0)), float(squares.sum())

    def squares(self) -> Vector:
        """How often each unknown occurs: the diagonal of Aᵀ·A, but for rows that name it twice."""
        return self.transposed_times(np.ones(len(self)))

    def counts(self) -> Vector:
        """How often each unknown occurs."""
        return self.squares()

    def absolute(self) -> Compact:
        """The rows themselves: no factor has a sign."""
        return self

    def stacked(self, others: Sequence[Compact]) -> Compact:
        """These rows and others of the same entries after them, none of them copied."""
        parts = self.parts + tuple(part for other in others for part in other.parts)
        return Compact(parts, self.entries, self.threads)

    def _pieces(self, count: int) -> list[tuple[int, Offsets]]:
        """Runs of rows, each within one part and one of ``count`` equal shares, with the number of their first row."""
        share = max(1, -(-len(self) // count))
        pieces, begin = [], 0
        for part in self.parts:
            inside = 0
            while inside < len(part):
                room = share - (begin + inside) % share
                pieces.append((begin + inside, part[inside : inside + room]))
                inside += room
            begin += len(part)
        return pieces

    def _split(self) -> list[list[tuple[int, Offsets]]]:
        """The runs of rows of each of the sums that Aᵀ·r is split into."""
        share = max(1, -(-len(self) // SPLIT))
        split: list[list[tuple[int, Offsets]]] = [[] for _ in range(SPLIT)]
        for begin, part in self._pieces(SPLIT):
            split[begin // share].append((begin, part))
        return split

    def _share(self, tasks: list[Callable[[], None]]) -> None:
        if self.threads == 1:
            for task in tasks:
                task()
            return
        with ThreadPoolExecutor(self.threads) as pool:
            for done in [pool.submit(task) for task in tasks]:
                done.result()


@helper("float64(small, indices, reals, int64)", floats=True, inline=True)
def _row_times(row: Small, base: Indices, x: Reals, terms: int) -> float:
    # Four sums at once: one alone would wait for each addition to end.
    a = b = c = d = 0.0
    k = 0
    while k + 4 <= terms:
        a += x[int64(base[k]) + int64(row[k])]
        b += x[int64(base[k + 1]) + int64(row[k + 1])]
        c += x[int64(base[k + 2]) + int64(row[k + 2])]
        d += x[int64(base[k + 3]) + int64(row[k + 3])]
        k += 4
    while k < terms:
        a += x[int64(base[k]) + int64(row[k])]
        k += 1
    return (a + b) + (c + d)


@helper("void(small, indices, float64, reals, int64)", floats=True, inline=True)
def _row_add(row: Small, base: Indices, amount: float, out: Reals, terms: int) -> None:
    for k in range(terms):
        out[int64(base[k]) + int64(row[k])] += amount


@driver("void(uint16[:,::1], int32[::1], float64[::1], float64[::1])", floats=True)
def _times(offsets: Small, base: Indices, x: Reals, out: Reals) -> None:
    terms = len(base)
    for i in range(len(offsets)):
        out[i] = _row_times(at(pointer(offsets), i * terms), pointer(base), pointer(x), terms)


@driver("void(uint16[:,::1], int32[::1], float64[::1], float64[::1])", floats=True)
def _transposed_times(offsets: Small, base: Indices, r: Reals, out: Reals) -> None:
    terms = len(base)
    for i in range(len(offsets)):
        _row_add(at(pointer(offsets), i * terms), pointer(base), r[i], pointer(out), terms)


@driver("float64(uint16[:,::1], int32[::1], float64[::1], float64[::1], float64[::1])", floats=True)
def _normal_times(offsets: Small, base: Indices, x: Reals, out: Reals, work: Reals) -> float:
    """Add Aᵀ(A·x) to ``out``, block by block; |A·x|²."""
    terms, total = len(base), 0.0
    for begin in range(0, len(offsets), len(work)):
        count = min(len(work), len(offsets) - begin)
        for i in range(count):
            image = _row_times(at(pointer(offsets), (begin + i) * terms), pointer(base), pointer(x), terms)
            total += image * image
            work[i] = image
        for i in range(count):
            _row_add(at(pointer(offsets), (begin + i) * terms), pointer(base), work[i], pointer(out), terms)
    return total
