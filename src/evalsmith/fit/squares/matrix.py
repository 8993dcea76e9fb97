"""The design matrix: what ``terms`` emits for each position, as compact sparse rows, and its two products.

A row holds indices into the unknowns and factors. Where every factor is 1, as for patterns, none are stored.
Layouts that are sliced are fitted column by column, so a row's indices are those of one column. Otherwise the
unknowns are all columns one after another, and a position's blend is part of the factors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Reals, Values, Words, at, driver, pointer
from evalsmith.games import Game
from evalsmith.games.contract import WORDS, terms_of
from evalsmith.weights import Layout

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Matrix:
    """Sparse rows: row i is ``index[start[i]:start[i+1]]`` with factors at the same places (none: all 1)."""

    start: npt.NDArray[np.int64]
    index: npt.NDArray[np.int32]
    factor: npt.NDArray[np.float32]
    unknowns: int

    def __len__(self) -> int:
        return len(self.start) - 1

    def times(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """A·x."""
        out = np.zeros(len(self), dtype=np.float64)
        _times(self.start, self.index, self.factor, x, out)
        return out

    def transposed_times(self, r: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Aᵀ·r."""
        out = np.zeros(self.unknowns, dtype=np.float64)
        _transposed_times(self.start, self.index, self.factor, r, out)
        return out

    def normal_times(self, x: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], float]:
        """AᵀA·x and |A·x|²."""
        image = self.times(x)
        return self.transposed_times(image), dot(image, image)

    def squares(self) -> npt.NDArray[np.float64]:
        """For each unknown the sum of its squared factors: the diagonal of Aᵀ·A, but for rows that name it twice."""
        out = np.zeros(self.unknowns, dtype=np.float64)
        _squares(self.start, self.index, self.factor, out)
        return out

    def counts(self) -> npt.NDArray[np.float64]:
        """How often each unknown occurs."""
        return np.bincount(self.index, minlength=self.unknowns).astype(np.float64)

    def absolute(self) -> Matrix:
        """The same rows with the sizes of the factors, without their signs."""
        return Matrix(self.start, self.index, np.abs(self.factor), self.unknowns)

    def rows(self, chosen: npt.NDArray[np.intp]) -> Matrix:
        """Some of the rows."""
        lengths = np.diff(self.start)[chosen]
        start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        places = np.repeat(self.start[:-1][chosen] - start[:-1], lengths) + np.arange(start[-1])
        factor = self.factor[places] if self.factor.size else self.factor
        return Matrix(start, self.index[places], factor, self.unknowns)


def join(parts: list[Matrix]) -> Matrix:
    """The rows of several matrices, one after another."""
    starts = [np.zeros(1, dtype=np.int64)]
    offset = 0
    for part in parts:
        starts.append(part.start[1:] + offset)
        offset += int(part.start[-1])
    factors = [part.factor for part in parts]
    if any(factor.size for factor in factors):
        factors = [
            factor if factor.size else np.ones(len(part.index), dtype=np.float32)
            for factor, part in zip(factors, parts, strict=True)
        ]
    return Matrix(
        np.concatenate(starts),
        np.concatenate([part.index for part in parts]),
        np.concatenate(factors),
        parts[0].unknowns,
    )


@driver("float64(float64[::1], float64[::1])", floats=True)
def dot(a: Reals, b: Reals) -> float:
    """The inner product, always summed in the same order: a sum split over threads does not repeat itself."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@driver("void(int64[::1], int32[::1], float32[::1], float64[::1], float64[::1])", floats=True)
def _times(start: Integers, index: Indices, factor: Reals, x: Reals, out: Reals) -> None:
    if len(factor) == 0:
        for i in range(len(out)):
            total = 0.0
            for j in range(start[i], start[i + 1]):
                total += x[index[j]]
            out[i] = total
        return
    for i in range(len(out)):
        total = 0.0
        for j in range(start[i], start[i + 1]):
            total += factor[j] * x[index[j]]
        out[i] = total


@driver("void(int64[::1], int32[::1], float32[::1], float64[::1], float64[::1])", floats=True)
def _transposed_times(start: Integers, index: Indices, factor: Reals, r: Reals, out: Reals) -> None:
    if len(factor) == 0:
        for i in range(len(r)):
            for j in range(start[i], start[i + 1]):
                out[index[j]] += r[i]
        return
    for i in range(len(r)):
        for j in range(start[i], start[i + 1]):
            out[index[j]] += factor[j] * r[i]


@driver("void(int64[::1], int32[::1], float32[::1], float64[::1])", floats=True)
def _squares(start: Integers, index: Indices, factor: Reals, out: Reals) -> None:
    if len(factor) == 0:
        for j in range(len(index)):
            out[index[j]] += 1.0
        return
    for j in range(len(index)):
        amount = np.float64(factor[j])  # numba's float() would keep 32 bits
        out[index[j]] += amount * amount


@driver("int64(int64[::1], uint64[:,::1], int32[:,::1], int16[:,::1], int64[::1])")
def _emit(context: Integers, positions: Words, index: Indices, value: Values, counts: Integers) -> int:
    """The terms of a block of positions."""
    row, words, width = pointer(context), context[WORDS], index.shape[1]
    total = 0
    for i in range(len(positions)):
        here = at(pointer(positions), i * words)
        counts[i] = terms_of(row, here, at(pointer(index), i * width), at(pointer(value), i * width))
        total += counts[i]
    return total


_BLOCK = 8192


def build_matrix(game: Game, layout: Layout, words: npt.NDArray[np.uint64], phase: npt.NDArray[np.int32]) -> Matrix:
    """The rows of these positions."""
    context = game.context(evaluation=True)
    words = np.ascontiguousarray(words)
    blend = np.array(layout.blend, dtype=np.int64)[phase]
    lengths: list[npt.NDArray[np.int64]] = []
    indices: list[npt.NDArray[np.int32]] = []
    factors: list[npt.NDArray[np.float32]] = []
    for begin in range(0, len(words), _BLOCK):
        block = words[begin : begin + _BLOCK]
        index = np.zeros((len(block), game.max_terms), dtype=np.int32)
        value = np.zeros((len(block), game.max_terms), dtype=np.int16)
        counts = np.zeros(len(block), dtype=np.int64)
        _emit(context.row, block, index, value, counts)
        used = np.arange(game.max_terms) < counts[:, None]
        if layout.sliced:
            full = bool(used.all())
            lengths.append(counts)
            indices.append(index.reshape(-1) if full else index[used])
            factors.append((value.reshape(-1) if full else value[used]).astype(np.float32))
        else:
            first, second, share = (blend[begin : begin + _BLOCK, k][:, None] for k in range(3))
            part = share / layout.scale
            both = np.concatenate([index + first * layout.size, index + second * layout.size], axis=1)
            amount = np.concatenate([value * (1 - part), value * part], axis=1)
            present = np.concatenate([used, used], axis=1) & (amount != 0)
            lengths.append(present.sum(axis=1))
            indices.append(both[present].astype(np.int32))
            factors.append(amount[present].astype(np.float32))
    if len(words) == 0:
        lengths, indices, factors = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)], [np.zeros(0, np.float32)]
    start = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    factor = np.concatenate(factors)
    if (factor == 1).all():
        factor = np.zeros(0, dtype=np.float32)
    unknowns = layout.size if layout.sliced else layout.size * len(layout.columns)
    return Matrix(start, np.concatenate(indices), factor, unknowns)
