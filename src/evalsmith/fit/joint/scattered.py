"""Rows in parts that workers hold: weights go out, sums come back, and are added in the order of the local run.

A part has whole groups of chunks, and answers with the sum of each group, so losses and gradients are the very numbers
of rows in one place. Targets, weights and curvatures of rows stay with their part too: they are sent once. A part that
was lost is built again from its positions; it then lacks these, says so, and is sent them again.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.chunks import CHUNK
from evalsmith.fit.joint.passes import CURVATURE
from evalsmith.fit.joint.rows import Rows, Singles, Vector, build_rows, group_cuts
from evalsmith.games import Game
from evalsmith.run import Silent
from evalsmith.scale import How, current_place
from evalsmith.scale.parts import Parts
from evalsmith.weights import Layout


class Missing(list[int]):
    """The answer of a part that lacks some arrays, by their numbers."""


class RowsPart:
    """The rows of some groups of chunks, and arrays with one number for each of them."""

    def __init__(
        self, game: Game, layout: Layout, words: npt.NDArray[np.uint64], phase: npt.NDArray[np.int32],
        before: int, cuts: list[int],
    ) -> None:  # fmt: skip
        self.rows = build_rows(game, layout, words, phase)
        self.rows.before = before
        self.rows.groups = [self.rows.chunks[a:b] for a, b in pairwise(cuts)]
        self.arrays: dict[int, Any] = {}

    def facts(self) -> tuple[int, int]:
        """The bytes and the non-zeros of the rows."""
        return self.rows.nbytes, self.rows.nonzeros

    def put(self, arrays: dict[int, Any]) -> None:
        """Hold some arrays."""
        self.arrays |= arrays

    def drop(self, numbers: list[int]) -> None:
        """Let go of some arrays."""
        for number in numbers:
            self.arrays.pop(number, None)

    def times(self, x: Vector) -> Vector:
        """The prediction of every row."""
        return self.rows.times(x)

    def fold(
        self, x: Vector, target: int, weight: int, curvature: int, kind: int, rate: float, gradient: bool
    ) -> Missing | tuple[Vector, Vector]:
        """As the rows do, by the numbers of the arrays; what is not the curvature's own pass writes the curvature."""
        if kind != CURVATURE:
            self.arrays.setdefault(curvature, np.zeros(len(self.rows), dtype=np.float32))
        lacking = Missing(number for number in (target, weight, curvature) if number not in self.arrays)
        if lacking:
            if kind != CURVATURE:
                del self.arrays[curvature]  # it has not been written yet
            return lacking
        given = (self.arrays[target], self.arrays[weight], self.arrays[curvature])
        return self.rows.group_folds(x, *given, kind, rate, gradient=gradient)

    def counts(self) -> Vector:
        """How often each unknown occurs in each group."""
        return self.rows.group_squares(np.zeros(0, dtype=np.float32))

    def squares(self, curvature: int) -> Missing | Vector:
        """The squares of each group."""
        if curvature not in self.arrays:
            return Missing([curvature])
        return self.rows.group_squares(self.arrays[curvature])

    def outer(
        self, curvature: int, number_of: npt.NDArray[np.int32], size: int, chance: Vector | None
    ) -> Missing | Vector:
        """Σ curvature·row·rowᵀ of this part."""
        if curvature not in self.arrays:
            return Missing([curvature])
        return self.rows.outer(self.arrays[curvature], number_of, size, chance)

    def scores(
        self, slope: Vector, cluster: npt.NDArray[np.int64], number_of: npt.NDArray[np.int32], shape: tuple[int, int]
    ) -> Vector:
        """Σ slope·row of each cluster in this part."""
        return self.rows.scores(slope, cluster, number_of, shape)


class ScatteredRows(Rows):
    """Rows whose parts are held elsewhere; to a fit they are rows like any other."""

    def __init__(self, parts: Parts, cuts: list[int], rows: int, columns: int, size: int) -> None:
        self.parts, self.cuts, self.columns, self.size = parts, cuts, columns, size
        self.unknowns, self._rows, self.before = columns * size, rows, 0
        self.chunks, self.groups = (), []
        self._numbers: dict[int, int] = {}  # of arrays, by their identity
        self._arrays: dict[int, Callable[[], Any]] = {}
        self._written: dict[int, tuple[Any, ...]] = {}  # how the curvatures came about
        self._forgotten: list[int] = []
        self._next = 0
        facts = self._ask("facts", lambda part: ())
        self.nbytes = sum(size for size, _ in facts)
        self._nonzeros = sum(nonzeros for _, nonzeros in facts)

    @property
    def nonzeros(self) -> int:
        """How many pairs of a row and a feature are stored."""
        return self._nonzeros

    def times(self, x: Vector, threads: int = 1) -> Vector:
        """The prediction of every row."""
        return np.concatenate([np.zeros(0), *self._ask("times", lambda part: (x,))])

    def group_folds(
        self, x: Vector, target: Vector, weight: Singles, curvature: Singles, kind: int, rate: float,
        *, gradient: bool = True, threads: int = 1,
    ) -> tuple[Vector, Vector]:  # fmt: skip
        """The sums of all groups, in the order of the groups."""
        numbers = tuple(self._number(array) for array in (target, weight, curvature))
        if kind != CURVATURE:
            self._written[numbers[2]] = (x.copy(), *numbers, kind, rate, False)
        found = self._ask("fold", lambda part: (x, *numbers, kind, rate, gradient))
        width = len(self._packed(x)) if gradient else 0
        totals = np.concatenate([np.zeros(0), *(each[0] for each in found)])
        return totals, np.concatenate([np.zeros((0, width)), *(each[1] for each in found)])

    def counts(self, threads: int = 1) -> Vector:
        """How often each unknown occurs, in rows whose blend has a share of its column."""
        added = np.zeros(self.unknowns)
        for groups in self._ask("counts", lambda part: ()):
            for group in groups:
                added += group
        return added

    def group_squares(self, curvature: Singles, threads: int = 1) -> Vector:
        """The squares of all groups, in the order of the groups."""
        number = self._number(curvature)
        found = self._ask("squares", lambda part: (number,))
        return np.concatenate([np.zeros((0, self.unknowns)), *found])

    def outer(
        self, curvature: Singles, number_of: npt.NDArray[np.int32], size: int, chance: Vector | None = None,
        threads: int = 1,
    ) -> Vector:  # fmt: skip
        """Σ curvature·row·rowᵀ, added in the order of the parts."""
        number = self._number(curvature)
        added = np.zeros((size, size))
        for part in self._ask("outer", lambda part: (number, number_of, size, chance)):
            added += part
        return added

    def scores(
        self, slope: Vector, cluster: npt.NDArray[np.int64], number_of: npt.NDArray[np.int32], shape: tuple[int, int]
    ) -> Vector:
        """Σ slope·row over the rows of each cluster, added in the order of the parts."""
        added = np.zeros(shape)
        for part in self._ask("scores", lambda part: (slope[part], cluster[part], number_of, shape)):
            added += part
        return added

    @property
    def crew(self) -> str:
        """Who holds the parts."""
        return self.parts.crew()

    # ── Parts ──

    def _ask(self, name: str, arguments: Callable[[slice], tuple[Any, ...]]) -> list[Any]:
        """The answers of all parts; what one lacks is sent, and it is asked again."""
        if self._forgotten:
            forgotten, self._forgotten = self._forgotten, []
            self.parts.ask([("drop", (forgotten,)) for _ in self._slices])
        calls: list[Any] = [(name, arguments(part)) for part in self._slices]
        answers = self.parts.ask(calls)
        while any(isinstance(answer, Missing) for answer in answers):
            self._send(answers)
            again = self.parts.ask(
                [call if isinstance(old, Missing) else None for call, old in zip(calls, answers, strict=True)]
            )
            answers = [new if isinstance(old, Missing) else old for old, new in zip(answers, again, strict=True)]
        return answers

    @property
    def _slices(self) -> list[slice]:
        return [slice(a, b) for a, b in pairwise(self.cuts)]

    def _send(self, answers: list[Any]) -> None:
        """Give the parts the arrays that they lack; a curvature is made where it is needed, as it was before."""
        for make in (False, True):
            calls: list[Any] = []
            for part, answer in zip(self._slices, answers, strict=True):
                lacking = answer if isinstance(answer, Missing) else Missing()
                written = [number for number in lacking if number in self._written]
                if make:
                    calls += [("fold", self._written[written[0]]) if written else None]
                    continue
                wanted = [number for number in lacking if number not in self._written]
                for number in written:
                    wanted += self._written[number][1:3]
                arrays = {number: self._arrays[number]()[part].copy() for number in dict.fromkeys(wanted)}
                calls.append(("put", (arrays,)) if arrays else None)
            if any(calls):
                self.parts.ask(calls)

    def _number(self, array: Any) -> int:
        """The number by which parts know an array, as long as it lives here."""
        known = self._numbers.get(id(array))
        if known is not None:
            return known
        number, self._next = self._next, self._next + 1
        self._numbers[id(array)] = number
        self._arrays[number] = weakref.ref(array)
        weakref.finalize(array, self._forget, id(array), number)
        return number

    def _forget(self, identity: int, number: int) -> None:
        self._numbers.pop(identity, None)
        self._arrays.pop(number, None)
        self._written.pop(number, None)
        self._forgotten.append(number)


def scattered_rows(
    game: Game,
    layout: Layout,
    words: npt.NDArray[np.uint64],
    phase: npt.NDArray[np.int32],
    *,
    threads: int = 1,
    folder: Path | None = None,
    max_bytes: int | None = None,
) -> Rows:
    """The rows of these positions, built and held by the workers of the place where work runs now.

    The events of ``folder`` tell who holds which part.
    """
    place, chunks = current_place(), -(-len(words) // CHUNK)
    columns = len(layout.columns)
    groups = group_cuts(chunks, columns * layout.size)
    bounds = np.linspace(0, len(groups) - 1, min(place.slots(), len(groups) - 1) + 1).astype(int).tolist()
    cuts = [min(len(words), groups[bound] * CHUNK) for bound in bounds]
    number = np.ascontiguousarray(phase, dtype=np.int32)
    described = [
        (game, layout, words[a:b], number[a:b], a, [cut - groups[first] for cut in groups[first : last + 1]])
        for (a, b), (first, last) in zip(pairwise(cuts), pairwise(bounds), strict=True)
    ]
    how = How() if folder is None else How.shown(None, Silent(), folder)
    parts = place.hold(f"{__name__}:RowsPart", described, how)
    rows = ScatteredRows(parts, cuts, len(words), columns, layout.size)
    weakref.finalize(rows, parts.close)
    return rows
