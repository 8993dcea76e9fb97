"""Rows in parts give the numbers of rows in one place, and a part that is made anew is sent what it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from evalsmith.fit.joint import scattered
from evalsmith.fit.joint.chunks import CHUNK
from evalsmith.fit.joint.objective import Objective, Penalty
from evalsmith.fit.joint.rows import build_rows
from evalsmith.fit.joint.scattered import RowsPart, ScatteredRows, scattered_rows
from evalsmith.games import find_game
from evalsmith.scale.local import Local
from evalsmith.scale.parts import Call, LocalParts
from evalsmith.weights import Layout

GAME = find_game("chess")
ROWS = 5 * CHUNK + 17


class Forgetful(LocalParts):
    """One part after another is lost between two questions."""

    def __init__(self, make: str, described: Sequence[tuple[Any, ...]]) -> None:
        super().__init__(make, described)
        self.described, self.asked = described, 0

    def ask(self, calls: Sequence[Call | None]) -> list[Any]:
        self.asked += 1
        if self.asked % 7 == 0:  # rarely enough that a part can be made whole before the next is lost
            lost = self.asked % len(self._parts)
            self._parts[lost] = RowsPart(*self.described[lost])
        return super().ask(calls)


@pytest.fixture(scope="module")
def positions() -> tuple[np.ndarray, np.ndarray]:
    """Positions of random games; those of a short list, again and again."""
    source = np.random.default_rng(3)
    found = []
    for _ in range(60):
        position = GAME.start()
        for _ in range(int(source.integers(0, 20))):
            if GAME.status(position) != 0:
                break
            moves = GAME.moves(position)
            position = GAME.play(position, moves[int(source.integers(len(moves)))])
        found.append(position)
    words = np.array(found, dtype=np.uint64)[source.integers(0, len(found), ROWS)]
    phase = np.array([GAME.phase(row) for row in found], dtype=np.int32) if hasattr(GAME, "phase") else None
    if phase is None:
        phase = np.zeros(ROWS, dtype=np.int32)
    return words, np.resize(phase, ROWS)


def objectives(positions: tuple[np.ndarray, np.ndarray], loss: str) -> tuple[Objective, Objective]:
    words, phase = positions
    layout = Layout.of(GAME)
    source = np.random.default_rng(4)
    target, weight = source.random(ROWS), (source.random(ROWS) > 0.2).astype(np.float32)
    both = []
    for build in (build_rows, scattered_rows):
        rows = build(GAME, layout, words, phase)
        penalty = Penalty(np.full(rows.unknowns, 3.0), np.zeros(rows.unknowns))
        both.append(Objective(rows, target, weight, loss, 1.3, penalty))
    return both[0], both[1]


@pytest.mark.parametrize("parts", [LocalParts, Forgetful])
@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_sums_are_those_of_rows_in_one_place(
    positions: tuple[np.ndarray, np.ndarray], parts: type, loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Local, "slots", lambda self: 3)
    monkeypatch.setattr(Local, "hold", lambda self, make, described, how: parts(make, described))
    here, there = objectives(positions, loss)
    assert isinstance(there.rows, ScatteredRows) and len(there.rows) == ROWS
    assert (there.rows.nbytes, there.rows.nonzeros) == (here.rows.nbytes, here.rows.nonzeros)
    source = np.random.default_rng(5)
    chance = np.full(here.unknowns, 0.5)
    numbers = np.arange(here.unknowns, dtype=np.int32)
    for _ in range(3):
        x, v = source.normal(size=(2, here.unknowns)) * 50
        assert here.value(x) == there.value(x)
        for one, other in zip(here.value_gradient(x), there.value_gradient(x), strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(here.curvature_times(x, v), there.curvature_times(x, v))
        assert np.array_equal(here.diagonal(x), there.diagonal(x))
        assert np.array_equal(here.rows.times(x), there.rows.times(x))
        assert np.array_equal(here.row_slopes(x), there.row_slopes(x))
        weight = source.random(ROWS).astype(np.float32)
        assert here.data_loss(x, weight) == there.data_loss(x, weight)
        for size in (None, chance):
            one = here.curvature_matrix(x, numbers, here.unknowns, size)
            other = there.curvature_matrix(x, numbers, here.unknowns, size)
            assert np.allclose(one, other, rtol=1e-12, atol=1e-15)
    assert np.array_equal(here.rows.counts(), there.rows.counts())
    clusters = source.integers(-1, 30, ROWS)
    slope = source.normal(size=ROWS)
    one, other = (each.rows.scores(slope, clusters, numbers, (30, here.unknowns)) for each in (here, there))
    assert np.allclose(one, other, rtol=1e-12, atol=1e-12)


def test_arrays_that_nobody_has_any_more_are_let_go(
    positions: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Local, "slots", lambda self: 2)
    _, there = objectives(positions, "logistic")
    assert isinstance(there.rows, scattered.ScatteredRows)
    x = np.zeros(there.unknowns)
    for _ in range(5):
        there.data_loss(x, np.ones(ROWS, dtype=np.float32))
    there.value(x)
    parts: Any = there.rows.parts
    assert all(len(part.arrays) <= 5 for part in parts._parts)
