"""Compact rows: where every position emits the same features in the same order, 16 bits a term are enough.

A term's index is the beginning of its feature and an offset below 2¹⁶, so a row is one line of offsets. Rows come in
parts (one a stage of the game) that several fits share without copying. Sums are always split in the same way, whatever
the number of threads, so results repeat to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Reals, Small, Values, Words, at, driver, helper, int64, pointer
from evalsmith.fit.matrix import Vector
from evalsmith.games import Game
from evalsmith.games.contract import WORDS, terms_of
from evalsmith.weights import Layout

Offsets = npt.NDArray[np.uint16]
SPLIT = 4  # into how many sums Aᵀ·r is split; each needs an array of all unknowns


@dataclass(frozen=True)
class Compact:
    """Rows whose term k has the index ``base[k]`` + its offset, all with the factor 1."""

    parts: tuple[Offsets, ...]
    base: npt.NDArray[np.int32]
    unknowns: int
    threads: int = 1

    def __len__(self) -> int:
        return sum(len(part) for part in self.parts)

    @property
    def bytes(self) -> int:
        """How much memory the rows take."""
        return sum(part.nbytes for part in self.parts)

    def with_threads(self, threads: int) -> Compact:
        """The same rows, multiplied by so many threads."""
        return Compact(self.parts, self.base, self.unknowns, threads)

    def times(self, x: Vector) -> Vector:
        """A·x."""
        out = np.empty(len(self), dtype=np.float64)
        pieces = self._pieces(8 * max(1, self.threads))
        self._share([lambda p=p: _times(p[1], self.base, x, out[p[0] : p[0] + len(p[1])]) for p in pieces])  # type: ignore[misc]
        return out

    def transposed_times(self, r: Vector) -> Vector:
        """Aᵀ·r."""
        sums = np.zeros((SPLIT, self.unknowns), dtype=np.float64)
        pieces = self._pieces(SPLIT)

        def add(number: int) -> None:
            share = -(-len(self) // SPLIT)
            for begin, part in pieces:
                if begin // share == number:
                    _transposed_times(part, self.base, r[begin : begin + len(part)], sums[number])

        self._share([lambda n=n: add(n) for n in range(SPLIT)])  # type: ignore[misc]
        return np.asarray(sums.sum(axis=0))

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
        """These rows and others behind them, none of them copied."""
        parts = self.parts + tuple(part for other in others for part in other.parts)
        return Compact(parts, self.base, self.unknowns, self.threads)

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

    def _share(self, tasks: list[Callable[[], None]]) -> None:
        if self.threads == 1:
            for task in tasks:
                task()
            return
        with ThreadPoolExecutor(self.threads) as pool:
            for done in [pool.submit(task) for task in tasks]:
                done.result()


@driver("void(uint16[:,::1], int32[::1], float64[::1], float64[::1])", floats=True)
def _times(offsets: Small, base: Indices, x: Reals, out: Reals) -> None:
    terms = len(base)
    for i in range(len(offsets)):
        # Four sums at once: one alone would wait for each addition to end.
        a = b = c = d = 0.0
        k = 0
        while k + 4 <= terms:
            a += x[base[k] + int64(offsets[i, k])]
            b += x[base[k + 1] + int64(offsets[i, k + 1])]
            c += x[base[k + 2] + int64(offsets[i, k + 2])]
            d += x[base[k + 3] + int64(offsets[i, k + 3])]
            k += 4
        while k < terms:
            a += x[base[k] + int64(offsets[i, k])]
            k += 1
        out[i] = (a + b) + (c + d)


@driver("void(uint16[:,::1], int32[::1], float64[::1], float64[::1])", floats=True)
def _transposed_times(offsets: Small, base: Indices, r: Reals, out: Reals) -> None:
    terms = len(base)
    for i in range(len(offsets)):
        amount = r[i]
        for k in range(terms):
            out[base[k] + int64(offsets[i, k])] += amount


@helper("int64(integers, words, indices, values, indices, int64)", inline=True)
def _row(context: Integers, here: Words, index: Indices, value: Values, base: Indices, terms: int) -> int:
    """Emit a position's terms; 1 where they are as many as there are bases, each with the factor 1 and in reach."""
    if terms_of(context, here, index, value) != terms:
        return 0
    for k in range(terms):
        away = int64(index[k]) - int64(base[k])
        if value[k] != 1 or away < 0 or away > 65535:
            return 0
    return 1


@driver("int64(int64[::1], uint64[:,::1], int32[::1], int32[::1], int16[::1], uint16[:,::1])")
def _emit(context: Integers, positions: Words, base: Indices, index: Indices, value: Values, out: Small) -> int:
    """The offsets of all positions; how many were made before one that does not fit."""
    row, words, terms = pointer(context), context[WORDS], len(base)
    for i in range(len(positions)):
        here = at(pointer(positions), i * words)
        if _row(row, here, pointer(index), pointer(value), pointer(base), terms) == 0:
            return i
        for k in range(terms):
            out[i, k] = np.uint16(int64(index[k]) - int64(base[k]))
    return len(positions)


def term_bases(game: Game, layout: Layout) -> npt.NDArray[np.int32] | None:
    """Where the feature of each term begins, if the game emits the same terms for every position."""
    terms = game.evaluation.terms
    if terms is None or not layout.sliced or any(size > 1 << 16 for _, size in layout.features):
        return None
    return np.array([layout.slice_of(feature).start for _, feature in terms], dtype=np.int32)


def build_compact(
    game: Game, layout: Layout, words: npt.NDArray[np.uint64], base: npt.NDArray[np.int32]
) -> Compact | None:
    """The rows of these positions, or None where one of them does not fit the form."""
    context = game.context(evaluation=True)
    offsets = np.empty((len(words), len(base)), dtype=np.uint16)
    index, value = np.zeros(game.max_terms, dtype=np.int32), np.zeros(game.max_terms, dtype=np.int16)
    made = _emit(context.row, np.ascontiguousarray(words), base, index, value, offsets)
    return Compact((offsets,), base, layout.size) if made == len(words) else None
