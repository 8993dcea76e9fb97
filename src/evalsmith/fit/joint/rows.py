"""Compact sparse rows of all columns together: what a position has of each weight, and passes over all of them.

A position's features are stored once, whatever the number of columns, with the number of its blend: its prediction is
Σ value·((1−t)·x[a, index] + t·x[b, index]). Rows stand in chunks of a fixed size and chunks in fixed groups, each with
a sum of its own, so that no result depends on the number of threads or on where a chunk is stored.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint import plain
from evalsmith.fit.joint.chunks import CHUNK, Array, Chunk, Shelf
from evalsmith.fit.joint.extraction import Extractor, merged_chunk
from evalsmith.fit.joint.passes import COLUMN_PASS, PAIR_PASS, PREDICT
from evalsmith.fit.joint.plain import Unfolder
from evalsmith.games import Game
from evalsmith.run import InputError
from evalsmith.scale import on_threads
from evalsmith.weights import Layout

Vector = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

PAIR = 2  # columns of the layouts whose rows may stand for differences
MAX_GROUPS = 64
_GROUP_NUMBERS = 1 << 23  # all sums of a gradient together, unless two of them are more

_DRAW = 0x6A6F696E74  # a seed that nobody else draws with: a sample must not follow what shuffled the rows

_NONE = np.zeros(0)
_NO_SINGLES = np.zeros(0, dtype=np.float32)


class Rows:
    """Rows in chunks; ``blend`` float64[blends, 4] has the columns a and b of each blend, and their shares."""

    def __init__(self, chunks: tuple[Chunk, ...], blend: Vector, columns: int, size: int) -> None:
        self.chunks, self.columns, self.size = chunks, columns, size
        self.unknowns = columns * size
        self.nbytes = sum(chunk.nbytes for chunk in chunks)
        self._rows = chunks[-1].end if chunks else 0
        self.before = 0  # rows of other parts that stand before these
        self._mine = threading.local()
        first, second, one, other = blend.T.copy()
        same = first == second
        one[same], other[same] = one[same] + other[same], 0.0  # one column is read once
        # Kernels find columns by where they begin.
        self._shares = np.ascontiguousarray(np.stack([first * size, second * size, one, other], axis=1))
        self._pairs = np.zeros((len(blend), 2))
        if columns == PAIR:
            np.add.at(self._pairs, (np.arange(len(blend)), first.astype(int)), one)
            np.add.at(self._pairs, (np.arange(len(blend)), second.astype(int)), other)
        self.groups = [chunks[a:b] for a, b in pairwise(group_cuts(len(chunks), self.unknowns))]

    def __len__(self) -> int:
        return self._rows

    @property
    def crew(self) -> str:
        """Who holds them, where others do."""
        return ""

    @property
    def nonzeros(self) -> int:
        """How many pairs of a row and a feature there are; fewer are stored."""
        return sum(chunk.features for chunk in self.chunks)

    @property
    def kind(self) -> tuple[str, str]:
        """The types of indices and values."""
        return self.chunks[0].index.dtype.name, self.chunks[0].value.dtype.name

    # ── Passes ──

    def times(self, x: Vector, threads: int = 1) -> Vector:
        """The prediction of every row."""
        out, packed = np.zeros(len(self)), self._packed(x)

        def work(number: int) -> None:
            for chunk in self.groups[number]:
                self._pass(chunk, packed, (_NONE, _NO_SINGLES, _NO_SINGLES), PREDICT, 0.0, out[chunk.begin : chunk.end])

        self._share(work, threads)
        return out

    def fold(
        self, x: Vector, target: Vector, weight: Singles, curvature: Singles, kind: int, rate: float,
        *, gradient: bool = True, threads: int = 1,
    ) -> tuple[float, Vector]:  # fmt: skip
        """The sum of the losses and its gradient (none if not asked for) in one read of the rows; see `passes`."""
        totals, sums = self.group_folds(x, target, weight, curvature, kind, rate, gradient=gradient, threads=threads)
        total, added = 0.0, np.zeros(sums.shape[1])
        for number in range(len(totals)):
            total += float(totals[number])
            added += sums[number]
        return total, self._unpacked(added) if gradient else added

    def group_folds(
        self, x: Vector, target: Vector, weight: Singles, curvature: Singles, kind: int, rate: float,
        *, gradient: bool = True, threads: int = 1,
    ) -> tuple[Vector, Vector]:  # fmt: skip
        """The sum of the losses of each group of chunks and their gradients, as kernels order them."""
        packed = self._packed(x)
        sums = np.zeros((len(self.groups), len(packed) if gradient else 0))
        totals = np.zeros(len(self.groups))

        def work(number: int) -> None:
            for chunk in self.groups[number]:
                part = slice(chunk.begin, chunk.end)
                given = (target[part], weight[part], curvature[part])
                totals[number] += self._pass(chunk, packed, given, kind, rate, sums[number])

        self._share(work, threads)
        return totals, sums

    def counts(self, threads: int = 1) -> Vector:
        """How often each unknown occurs, in rows whose blend has a share of its column."""
        return self.squares(_NO_SINGLES, threads)

    def squares(self, curvature: Singles, threads: int = 1) -> Vector:
        """Σ curvature·coefficient² of each unknown: the diagonal of the matrix of second derivatives."""
        added = np.zeros(self.unknowns)
        for part in self.group_squares(curvature, threads):
            added += part
        return added

    def group_squares(self, curvature: Singles, threads: int = 1) -> Vector:
        """The squares of each group of chunks."""
        sums = np.zeros((len(self.groups), self.unknowns))

        def work(number: int) -> None:
            for chunk in self.groups[number]:
                plain.squares(*self._plain(chunk), curvature[chunk.begin : chunk.end], sums[number])

        self._share(work, threads)
        return sums

    def outer(
        self,
        curvature: Singles,
        number_of: npt.NDArray[np.int32],
        size: int,
        chance: Vector | None = None,
        threads: int = 1,
    ) -> Vector:
        """Σ curvature·row·rowᵀ; with ``chance`` (one an unknown of the matrix) of a sample, always the same.

        ``number_of`` gives the place of each unknown in the matrix of ``size``, or −1.
        """
        # Few sums: each is a matrix.
        cuts = np.linspace(0, len(self.groups), min(4, len(self.groups)) + 1).astype(int).tolist()
        sums = np.zeros((max(1, len(cuts) - 1), size, size))
        chances = _NONE if chance is None else chance
        draw = _NO_SINGLES if chance is None else self.draws()

        def work(number: int) -> None:
            ids, amounts = np.zeros(2 * self.size, dtype=np.int64), np.zeros(2 * self.size)
            for group in self.groups[cuts[number] : cuts[number + 1]]:
                for chunk in group:
                    part = slice(chunk.begin, chunk.end)
                    given = (curvature[part], number_of, chances, draw[part], ids, amounts)
                    plain.outer(*self._plain(chunk), *given, sums[number])

        self._share(work, threads, len(cuts) - 1)
        half = sums[0]
        for part in sums[1:]:
            half += part
        return half + half.T

    def draws(self) -> Singles:
        """A number between 0 and 1 for each row, always the same, that decides whether it is in a sample."""
        return np.random.default_rng(_DRAW).random(self.before + len(self), dtype=np.float32)[self.before :]

    def scores(
        self, slope: Vector, cluster: npt.NDArray[np.int64], number_of: npt.NDArray[np.int32], shape: tuple[int, int]
    ) -> Vector:
        """Σ slope·row over the rows of each cluster, a row of the result each; cluster −1 is none."""
        out = np.zeros(shape)
        for chunk in self.chunks:
            part = slice(chunk.begin, chunk.end)
            plain.scores(*self._plain(chunk), slope[part], cluster[part], number_of, out)
        return out

    def _plain(self, chunk: Chunk) -> tuple[Array, Array, Array, Array, Array]:
        """What kernels take that read rows on their own."""
        unfolder: Unfolder | None = getattr(self._mine, "unfolder", None)
        if unfolder is None:
            unfolder = self._mine.unfolder = Unfolder(self.size)
        index, amount, start = unfolder.rows(chunk)
        blend = chunk.blend.copy()
        chunk.release()
        return index, amount, start, blend, self._shares

    def _pass(
        self, chunk: Chunk, x: Vector, given: tuple[Vector, Singles, Singles], kind: int, rate: float, out: Vector
    ) -> float:
        kernel, shares = (PAIR_PASS, self._pairs) if self.columns == PAIR else (COLUMN_PASS, self._shares)
        total = kernel[self.kind](*chunk.arrays, shares, x, *given, kind, rate, out)
        chunk.release()
        return float(total)

    def _share(self, work: Callable[[int], None], threads: int, count: int | None = None) -> None:
        numbers = range(len(self.groups) if count is None else count)
        if threads <= 1:
            for number in numbers:
                work(number)
            return
        for _ in on_threads(work, numbers, min(threads, max(1, len(numbers))), lambda: None):
            pass

    def _packed(self, x: Vector) -> Vector:
        """Unknowns as kernels read them: two columns in pairs, each followed by its negative, and zeros at the end."""
        if len(x) != self.unknowns:
            raise ValueError(f"these rows have {self.unknowns} unknowns, not {len(x)}")
        given = np.array(x, dtype=np.float64)
        if self.columns != PAIR:
            return given
        packed = np.zeros((self.size + 1, 4))
        packed[:-1, :PAIR] = given.reshape(PAIR, -1).T
        packed[:, PAIR:] = -packed[:, :PAIR]
        return packed.reshape(-1)

    def _unpacked(self, gradient: Vector) -> Vector:
        if self.columns != PAIR:
            return gradient
        both = gradient.reshape(-1, 4)[:-1]
        return np.ascontiguousarray((both[:, :PAIR] - both[:, PAIR:]).T).reshape(-1)


def group_cuts(chunks: int, unknowns: int) -> list[int]:
    """Where groups of chunks begin and end."""
    groups = max(2, min(MAX_GROUPS, _GROUP_NUMBERS // max(1, unknowns)))
    found: list[int] = np.linspace(0, chunks, min(groups, chunks) + 1).astype(int).tolist()
    return found


def build_rows(
    game: Game,
    layout: Layout,
    words: npt.NDArray[np.uint64],
    phase: npt.NDArray[np.int32],
    *,
    threads: int = 1,
    folder: Path | None = None,
    max_bytes: int | None = None,
) -> Rows:
    """The rows of these positions; beyond ``max_bytes`` they go to a file in ``folder`` (default: a temporary one)."""
    table = np.array(layout.blend, dtype=np.float64).reshape(-1, 3)
    part = table[:, 2] / layout.scale
    blend = np.stack([table[:, 0], table[:, 1], 1 - part, part], axis=1)
    words, number = np.ascontiguousarray(words), np.ascontiguousarray(phase, dtype=np.int32)
    if len(words) != len(number):
        raise ValueError(f"{len(words)} positions have {len(number)} phases")
    for wide in (False, True):  # sums of values that 16 bits cannot hold are so rare that the rows are made again
        extractor = Extractor(game, layout.size, words, number, wide=wide, pairs=len(layout.columns) == PAIR)
        shelf = Shelf(folder, max_bytes)
        fits = True
        for _, chunk in on_threads(extractor.chunk, range(0, len(words), CHUNK), threads, lambda: None):
            if chunk is None:
                fits = False
                break
            shelf.add(chunk)
        if fits:
            break
    return Rows(shelf.chunks(), blend, len(layout.columns), layout.size)


def rows_from_arrays(
    start: npt.NDArray[np.integer],
    index: npt.NDArray[np.integer],
    value: npt.NDArray[Any],
    blend_a: npt.NDArray[np.integer],
    blend_b: npt.NDArray[np.integer],
    share: npt.NDArray[np.floating],
    *,
    columns: int,
    size: int,
    folder: Path | None = None,
    max_bytes: int | None = None,
) -> Rows:
    """Rows that another program gives: row i is ``index[start[i]:start[i+1]]`` with the values at the same places.

    Its prediction blends column ``blend_a`` with ``share`` of column ``blend_b``. Values may be fractional; they are
    stored with 32 bits. What a row says twice of a feature is added.
    """
    count = len(start) - 1
    _check_arrays(start, index, value, (blend_a, blend_b, share), columns, size)
    triples = np.stack([np.asarray(each, dtype=np.float64).reshape(-1) for each in (blend_a, blend_b, share)], axis=1)
    table, number = np.unique(triples, axis=0, return_inverse=True)
    places: npt.NDArray[np.int32] = number.reshape(-1).astype(np.int32)
    blend = np.stack([table[:, 0], table[:, 1], 1 - table[:, 2], table[:, 2]], axis=1)
    most = float(np.abs(value).max(initial=0)) * int(np.diff(start).max(initial=0))  # the largest sum of a feature
    whole = bool((value == np.rint(value)).all()) and most <= np.iinfo(np.int16).max
    shelf = Shelf(folder, max_bytes)
    for begin in range(0, count, CHUNK):
        end = min(count, begin + CHUNK)
        inside = slice(int(start[begin]), int(start[end]))
        lengths = np.diff(start[begin : end + 1])
        given = lengths, index[inside], value[inside], places[begin:end]
        shelf.add(merged_chunk(begin, *given, size, wide=not whole, pairs=columns == PAIR))
    return Rows(shelf.chunks(), blend, columns, size)


def _check_arrays(
    start: npt.NDArray[np.integer], index: npt.NDArray[np.integer], value: npt.NDArray[Any],
    blend: tuple[npt.NDArray[Any], ...], columns: int, size: int,
) -> None:  # fmt: skip
    """Refuse what no kernel could survive."""
    lengths = np.diff(start)
    if len(start) == 0 or start[0] != 0 or (lengths < 0).any() or start[-1] != len(index) or len(index) != len(value):
        raise InputError(f"rows must begin at 0, grow, and end at the number of indices ({len(index)}) and of values")
    if any(len(each) != len(lengths) for each in blend):
        raise InputError(f"each of the {len(lengths)} rows needs its two columns and a share")
    if lengths.max(initial=0) >= np.iinfo(np.uint16).max:
        raise InputError(f"row {int(lengths.argmax())} has {int(lengths.max())} features; at most 65,534 are possible")
    for name, each, most in (("index", index, size), ("column", blend[0], columns), ("column", blend[1], columns)):
        wrong = np.flatnonzero((each < 0) | (each >= most))
        if wrong.size:
            raise InputError(f"{name} {each[wrong[0]]} at place {wrong[0]} is not between 0 and {most - 1}")
    for name, each in (("value", value), ("share", blend[2])):
        if not np.isfinite(each).all():
            raise InputError(f"the {name} at place {int(np.flatnonzero(~np.isfinite(each))[0])} is not a number")
