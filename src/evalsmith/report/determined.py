"""How well the data of a joint fit determines each weight, from the table ``weights.csv`` of its run folder."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evalsmith.games import Game
from evalsmith.report.page import Page
from evalsmith.run import InputError
from evalsmith.weights import Layout, Weights

TABLE = "weights.csv"
LISTED = 12  # weights in each list
_HEADS = ["feature", "index", "column", "start", "fitted", "error", "occurrences"]


@dataclass(frozen=True)
class FittedWeight:
    """One weight before and after; ``error`` is its standard error, None where the data does not determine it."""

    feature: str
    meaning: str
    column: str
    start: float
    fitted: float
    error: float | None
    occurrences: int

    @property
    def name(self) -> str:
        """The weight in words."""
        return f"{self.feature}, {self.meaning}"

    @property
    def change_in_errors(self) -> float | None:
        """How far the weight moved, in units of its error."""
        return (self.fitted - self.start) / self.error if self.error else None


def read_table(path: Path) -> list[FittedWeight]:
    """The weights of a run folder in the order of the layout, column after column; none where there is no table."""
    if not path.exists():
        return []
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return [_weight(row) for row in csv.DictReader(file)]
    except (KeyError, ValueError, TypeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"{path} is damaged ({what}); its columns are {', '.join(_HEADS)}") from None


def _weight(row: dict[str, str]) -> FittedWeight:
    try:
        error: float | None = float(row["error"])
    except ValueError:  # "not determined"
        error = None
    return FittedWeight(
        row["feature"],
        row["index"],
        row["column"],
        float(row["start"]),
        float(row["fitted"]),
        error if error is not None and math.isfinite(error) else None,
        int(float(row["occurrences"])),
    )


def weights_of(game: Game, table: Sequence[FittedWeight], which: str) -> Weights | None:
    """The ``start`` or the ``fitted`` weights of a table; None where it is not of this layout."""
    layout = Layout.of(game)
    shape = (len(layout.columns), layout.size)
    if len(table) != shape[0] * shape[1]:
        return None
    numbers = np.rint([getattr(one, which) for one in table]).astype(np.int32).reshape(shape)
    return Weights(game, numbers, which)


def determined_sections(page: Page, game: Game, table: Sequence[FittedWeight]) -> None:
    """The best and the worst determined weights, and those that moved most beyond their error."""
    # An error that rounds to nothing is not knowledge: there the penalty alone holds the weight.
    known = [one for one in table if one.error and one.occurrences > 0]
    if not known:
        return
    page.section("How well the data determines the weights")
    lost = len(table) - len(known)
    page.paragraph(
        f"Errors are one standard error, in {game.units}. The data determines {len(known):,} of {len(table):,} weights"
        + (f"; the penalty alone holds the other {lost:,}." if lost else ".")
    )
    by_error = sorted(known, key=lambda one: one.error or 0.0)
    moved = [one for one in known if one.change_in_errors]
    moved.sort(key=lambda one: -abs(one.change_in_errors or 0.0))
    lists = (
        ("Best determined", by_error[:LISTED]),
        ("Worst determined", by_error[::-1][:LISTED]),
        ("Largest changes, in units of their error", moved[:LISTED]),
    )
    for heading, members in lists:
        if members:
            page.section(heading, level=3)
            _list(page, members)


def _list(page: Page, members: Sequence[FittedWeight]) -> None:
    rows = []
    for one in members:
        change = one.change_in_errors
        rows.append(
            [
                one.name,
                one.column,
                f"{one.start:g}",
                f"{one.fitted:g}",
                f"± {one.error:.1f}",
                "" if change is None else f"{change:+.1f}",
                one.occurrences,
            ]
        )
    page.table(
        ["weight", "column", "start", "fitted", "error", "change in errors", "occurrences"], rows, align="llrrrrr"
    )
