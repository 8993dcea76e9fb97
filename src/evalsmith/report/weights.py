"""The part of a page that shows weights: tables of named ones, maps of squares, curves of amounts, patterns.

Where the weights before a fit are known, they are beside those after it, with the difference. All maps of a feature
have one scale of colours, so the same colour is the same weight before and after, in every column.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Feature, Game, Overview
from evalsmith.report.heat import heat_map
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Markup, Page
from evalsmith.weights import Weights

EXTREMES = 6
FEW_COLUMNS = 5  # so many columns of weights are shown one by one; of more, the middle one
LONGEST_LIST = 64  # weights; of a longer list, only the largest and the smallest are listed
LONGEST_MAP = 24  # names in a map
SHORTEST_CURVE = 4  # amounts; fewer are easier to read in a table
LONG_TABLE = 12  # rows; a longer table is folded away
SMALL = 330.0  # three pictures fit side by side
MATERIAL = "material"
_NUMBER = re.compile(r"\d+")
Block = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Shown:
    """The weights of one feature, one row a column: fitted ones, and those before where they are known."""

    feature: Feature
    columns: tuple[str, ...]
    after: Block
    before: Block | None

    @property
    def versions(self) -> list[tuple[str, Block]]:
        """What is shown of each column."""
        if self.before is None:
            return [("", self.after)]
        return [("before", self.before), ("after", self.after), ("difference", self.after - self.before)]

    @property
    def used(self) -> bool:
        """Whether any weight is or was not 0."""
        return bool(self.after.any() or (self.before is not None and self.before.any()))


def weight_sections(page: Page, weights: Weights, start: Weights | None, column: int | None = None) -> None:
    """Pictures of weights; of many columns only ``column``, the middle one where nothing else is said."""
    game = weights.game
    if start is not None and start.layout != weights.layout:
        start = None
    names = weights.layout.columns
    if not weights.values.any():
        return
    page.section("The weights")
    whose = "side to move" if game.players > 1 else "player"
    if len(names) > FEW_COLUMNS:
        chosen = len(names) // 2 if column is None else column
        page.paragraph(f"Column {names[chosen]}, in {game.units} for the {whose}.")
        _many_columns(page, weights, chosen)
        return
    compared = "" if start is None else f", before ({start.name}) and after the fit"
    page.paragraph(f"In {game.units} for the {whose}{compared}. Columns: {', '.join(names)}.")
    shown = []
    for feature in game.evaluation.features:
        part = weights.layout.slice_of(feature.name)
        before = None if start is None else start.values[:, part].astype(np.int64)
        shown.append(_Shown(feature, names, weights.values[:, part].astype(np.int64), before))
    _tables(page, [one for one in shown if one.used])
    _maps(page, game, [one for one in shown if one.used and one.feature.overview is not None])
    _curves(page, game, [one for one in shown if one.used and _is_curve(one.feature)])


def _is_curve(feature: Feature) -> bool:
    return feature.ordered and feature.overview is None and feature.size >= SHORTEST_CURVE


# ── Tables ──


def _tables(page: Page, shown: Sequence[_Shown]) -> None:
    """Material by itself, then other weights that have a name each."""
    named = [one for one in shown if one.feature.overview is None and not _is_curve(one.feature)]
    material = [one for one in named if MATERIAL in (one.feature.name, one.feature.group)]
    others = [one for one in named if one not in material]
    for heading, members in (("Material", material), ("Single weights", others)):
        rows = [row for one in members for row in _rows(one, prefix=len(members) > 1)]
        if rows:
            page.section(heading, level=3)
            if members is others:
                _lists(page, members)
            heads = [""] + [
                f"{column}: {name}".removesuffix(": ") if place == 0 else name
                for column in members[0].columns
                for place, (name, _) in enumerate(members[0].versions)
            ]
            folded = f"All {len(rows)} weights" if len(rows) > LONG_TABLE and members is others else ""
            page.table(heads, rows, align="l" + "r" * (len(heads) - 1), folded=folded)


def _lists(page: Page, members: Sequence[_Shown]) -> None:
    """Features of a few named weights as maps of names against columns, each feature with one scale of colours."""
    for one in members:
        if not SHORTEST_CURVE <= one.feature.size <= LONGEST_MAP:
            continue
        limit = max(float(np.abs(block).max()) for _, block in one.versions)
        names = [one.feature.describe(index) for index in range(one.feature.size)]
        figures = [
            Figure(
                heat_map(
                    block.T.tolist(),
                    rows=names,
                    columns=one.columns,
                    title=f"{kind}: {one.feature.name}".removeprefix(": "),  # a long name is cut at its end
                    limit=limit,
                    width=SMALL,
                )
            )
            for kind, block in one.versions
        ]
        page.figures(*figures)


def _rows(one: _Shown, *, prefix: bool) -> list[list[object]]:
    """A row for each weight; of a long list, the largest and the smallest of the first column that has any."""
    order = list(range(one.feature.size))
    if one.feature.size > LONGEST_LIST:
        column = next((row for row in one.after if row.any()), one.after[0])
        by_size = np.argsort(-column, kind="stable").tolist()
        order = [*by_size[:EXTREMES], *by_size[-EXTREMES:]]
    rows: list[list[object]] = []
    for index in order:
        name = one.feature.describe(index)
        cells: list[object] = [f"{one.feature.name}: {name}" if prefix else name]
        for place in range(len(one.columns)):
            for kind, block in one.versions:
                number = int(block[place, index])
                cells.append(f"{number:+d}" if kind == "difference" and number else str(number))
        rows.append(cells)
    return rows


# ── Maps ──


def _maps(page: Page, game: Game, shown: Sequence[_Shown]) -> None:
    """For each feature a row of maps a column: before, after, difference."""
    for one in shown:
        make = one.feature.overview
        assert make is not None
        page.section(one.feature.name.capitalize(), level=3)
        views = [
            (f"{column}, {kind}".removesuffix(", "), make(block[number].astype(np.int32)))
            for number, column in enumerate(one.columns)
            for kind, block in one.versions
        ]
        limit = _limit([view for _, view in views])
        figures = [Figure(_map(view, title, game, limit), "") for title, view in views]
        page.figures(*figures)
        if one is shown[0]:
            page.paragraph(f"{views[0][1].caption} The maps of a piece share one scale of colours.")


def _limit(views: Sequence[Overview]) -> float:
    """The value of full colour, the largest of all."""
    return max((float(np.nanmax(np.abs(view.matrix), initial=0.0)) for view in views), default=0.0) or 1.0


def _map(view: Overview, title: str, game: Game, limit: float) -> str:
    return heat_map(
        view.matrix.tolist(),
        rows=view.rows,
        columns=view.columns,
        title=title,
        unit=game.unit,
        limit=limit,
        width=SMALL,
    )


# ── Curves ──


def _curves(page: Page, game: Game, shown: Sequence[_Shown]) -> None:
    """Weights of amounts as lines, one a column, before and after."""
    if not shown:
        return
    page.section("Weights by amount", level=3)
    figures = []
    for one in shown:
        amounts = _amounts(one.feature)
        series = [
            Series(f"{column}, {kind}".removesuffix(", "), amounts, block[number].tolist())
            for number, column in enumerate(one.columns)
            for kind, block in one.versions
            if kind != "difference" and block[number].any()
        ]
        picture = line_chart(
            series, title=one.feature.name, x_label=_unit_of(one.feature), y_label=game.units, width=SMALL, height=270
        )
        figures.append(Figure(picture, ""))
    page.figures(*figures)


def _amounts(feature: Feature) -> list[int]:
    """The amounts that indices mean, read from their names; the indices themselves where the names have none."""
    found = [_NUMBER.search(feature.describe(index)) for index in range(feature.size)]
    numbers = [int(match[0]) for match in found if match is not None]
    rising = len(numbers) == feature.size and all(a < b for a, b in itertools.pairwise(numbers))
    return numbers if rising else list(range(feature.size))


def _unit_of(feature: Feature) -> str:
    """What is counted: the name of the second index without its number."""
    return _NUMBER.sub("", feature.describe(1)).strip() or "amount"


# ── Many columns, as in Othello ──


def _many_columns(page: Page, weights: Weights, column: int) -> None:
    game, row = weights.game, weights.values[column]
    features = game.evaluation.features
    views = [
        (feature, feature.overview(row[weights.layout.slice_of(feature.name)]))
        for feature in features
        if feature.overview is not None
    ]
    views = [(feature, view) for feature, view in views if np.isfinite(view.matrix).any()]
    if views:
        limit = _limit([view for _, view in views])
        page.figures(*(Figure(_map(view, feature.name, game, limit), "") for feature, view in views))
        page.paragraph(f"{views[0][1].caption} All these maps share one scale of colours.")
    ordered = [
        feature
        for feature in features
        if feature.ordered and weights.values[:, weights.layout.slice_of(feature.name)].any()
    ]
    if ordered:
        blocks = [_ordered_block(weights, feature) for feature in ordered[:4]]
        limit = max(float(np.abs(block).max()) for block in blocks)
        maps = zip(ordered, blocks, strict=False)
        page.figures(*(Figure(_ordered_map(weights.game, feature, block, limit), "") for feature, block in maps))
    for feature in features:
        block = row[weights.layout.slice_of(feature.name)]
        if feature.picture is not None and block.any():
            _extremes(page, feature, block)


def _ordered_block(weights: Weights, feature: Feature) -> Block:
    """The weights of the amounts that a picture can show, one row a column: large amounts hardly occur."""
    block = weights.values[:, weights.layout.slice_of(feature.name)].astype(np.int64)
    used = np.flatnonzero(np.any(block != 0, axis=0))
    return block[:, : min(int(used.max()) + 1, LONGEST_MAP)]


def _ordered_map(game: Game, feature: Feature, block: Block, limit: float) -> str:
    """Amounts against columns, these thinned out to what a picture can show."""
    columns = list(range(0, len(block), max(1, len(block) // 32)))
    return heat_map(
        block[columns].T.tolist(),
        rows=[feature.describe(amount) for amount in range(block.shape[1])],
        columns=[str(column) for column in columns],
        title=feature.name,
        unit=game.unit,
        column_label="column",
        row_label="amount",
        limit=limit,
        width=SMALL,
    )


def _extremes(page: Page, feature: Feature, block: np.ndarray[Any, Any]) -> None:
    """The largest and smallest weights of a feature, drawn."""
    assert feature.picture is not None
    order = np.argsort(block, kind="stable")
    chosen = [*order[::-1][:EXTREMES], *order[:EXTREMES][::-1]]
    page.section(f"Best and worst of {feature.name}", level=3)
    pictures = [Markup(feature.picture(int(index))) for index in chosen]
    page.table([f"{int(block[index]):+d}" for index in chosen], [pictures], align="l" * len(chosen))
