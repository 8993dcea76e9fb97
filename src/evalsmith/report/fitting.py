"""The part of a page that shows a fit: errors by stage, and the weights as pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from evalsmith.games import Feature, Game
from evalsmith.report.heat import heat_map
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Markup, Page
from evalsmith.weights import Weights

EXTREMES = 6
SMALL = 340.0  # three pictures stand side by side


def fit_sections(page: Page, game: Game, result: dict[str, Any], weights: Weights | None) -> None:
    """What a fit achieved on held-out games, by stage, and what the weights look like."""
    page.section("The fit")
    after, before = result["validation"], result["validation_before"]
    page.facts(
        {
            "positions": f"{result['positions']:,}",
            "games": f"{result['games']:,}",
            f"error before ({game.units})": f"{before['absolute']:.0f}",
            f"error after ({game.units})": f"{after['absolute']:.0f}",
        }
    )
    page.paragraph(
        "Errors are mean absolute differences between the evaluation and the value of the position, on games that the "
        "fit did not see. All positions of a game are on the same side of the split."
    )
    stages = result["stages"]
    if len(stages) > 1:
        page.figure(_loss_chart(game, stages), "Error by stage on held-out games, and on the games that were fitted.")
    else:
        page.table(
            ["", "positions", "mean absolute error"],
            [
                [
                    "predicting 0, held out",
                    stages[0]["validation_zero"]["count"],
                    round(stages[0]["validation_zero"]["absolute"], 1),
                ],
                ["starting weights, held out", before["count"], round(before["absolute"], 1)],
                ["fitted weights, held out", after["count"], round(after["absolute"], 1)],
                [
                    "fitted weights, fitted games",
                    stages[0]["training"]["count"],
                    round(stages[0]["training"]["absolute"], 1),
                ],
            ],
        )
    if result["repeated_columns"]:
        pairs = ", ".join(f"{column} like {source}" for column, source in result["repeated_columns"].items())
        page.paragraph(f"Columns without any position repeat their nearest neighbour of the same parity: {pairs}.")
    if weights is not None:
        _weight_pictures(page, game, weights, _usual_column(stages))


def _usual_column(stages: list[dict[str, Any]]) -> int:
    """The column in the middle of those that were fitted."""
    return int(stages[len(stages) // 2]["column"])


def _loss_chart(game: Game, stages: list[dict[str, Any]]) -> str:
    columns = [stage["column"] for stage in stages]

    def errors(key: str) -> list[float | None]:
        return [stage[key]["absolute"] / 100 if stage[key]["count"] else None for stage in stages]

    return line_chart(
        [
            Series("predicting 0", columns, errors("validation_zero")),
            Series("starting weights", columns, errors("validation_before")),
            Series("fitted weights", columns, errors("validation")),
            Series("fitted, on its own games", columns, errors("training")),
        ],
        title="Mean absolute error by stage",
        x_label=f"column (0 is {game.evaluation.columns[0]})",
        y_label=game.whole_unit,
        y_zero=True,
    )


def _weight_pictures(page: Page, game: Game, weights: Weights, column: int) -> None:
    page.section("The weights")
    page.paragraph(f"Column {weights.layout.columns[column]}, in {game.units} for the side to move.")
    row = weights.values[column]
    figures: list[Figure] = []
    for feature in game.evaluation.features:
        if feature.overview is not None:
            view = feature.overview(row[weights.layout.slice_of(feature.name)])
            picture = heat_map(
                view.matrix.tolist(),
                rows=view.rows,
                columns=view.columns,
                title=feature.name,
                unit=game.unit,
                width=SMALL,
            )
            figures.append(Figure(picture, view.caption if not figures else ""))
    if figures:
        page.figures(*figures[:6])
    ordered = [feature for feature in game.evaluation.features if feature.ordered]
    if ordered and len(weights.layout.columns) > 2:
        page.figures(*(Figure(_ordered_map(weights, feature), "") for feature in ordered[:4]))
    for feature in game.evaluation.features:
        if feature.picture is not None:
            _extremes(page, feature, row[weights.layout.slice_of(feature.name)])


def _ordered_map(weights: Weights, feature: Feature) -> str:
    """Amounts against columns, both thinned out to what a picture can show."""
    block = weights.values[:, weights.layout.slice_of(feature.name)]
    used = np.flatnonzero(np.any(block != 0, axis=0))
    top = min(feature.size, int(used.max()) + 1 if len(used) else 1, 24)
    columns = list(range(0, len(block), max(1, len(block) // 32)))
    return heat_map(
        [[float(block[column, amount]) for column in columns] for amount in range(top)],
        rows=[feature.describe(amount) for amount in range(top)],
        columns=[str(column) for column in columns],
        title=feature.name,
        column_label="column",
        row_label="amount",
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
