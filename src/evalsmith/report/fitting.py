"""The part of a page that shows a fit: errors by stage, and the weights as pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from evalsmith.games import Feature, Game
from evalsmith.report.axes import Level
from evalsmith.report.bars import Bars, bar_chart
from evalsmith.report.heat import heat_map
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Markup, Page
from evalsmith.weights import Weights

EXTREMES = 6
SMALL = 340.0  # three pictures fit side by side


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
    _stage_table(page, game, stages)
    if result["repeated_columns"]:
        pairs = ", ".join(f"{column} like {source}" for column, source in result["repeated_columns"].items())
        page.paragraph(f"Columns without any position repeat their nearest neighbour of the same parity: {pairs}.")
    _choices(page, game, result.get("choices", []))
    if result.get("validation_plain"):
        _dense_section(page, game, result)
    if weights is not None:
        _weight_pictures(page, game, weights, _middle_column(stages))
    if result.get("seen"):
        _seen_section(page, game, result["seen"])


def _stage_table(page: Page, game: Game, stages: list[dict[str, Any]]) -> None:
    """What the solver did in each column, and the errors on both sides of the split."""
    page.paragraph(
        f"The solver, column by column. The objective is the sum of squared errors and penalties, for each fitted "
        f"position, in squared {game.units}; errors are mean absolute ones in {game.units}."
    )
    rows = [
        [
            stage["name"],
            stage["positions"],
            f"{stage['iterations']}{'' if stage.get('converged', True) else ' (not converged)'}",
            f"{stage['objective'] / max(1, stage['positions']):,.0f}" if "objective" in stage else "",
            round(stage["training"]["absolute"], 1),
            stage["validation"]["count"],
            round(stage["validation"]["absolute"], 1) if stage["validation"]["count"] else "",
        ]
        for stage in stages
    ]
    names = ["column", "fitted positions", "iterations", "objective", "error, fitted", "held out", "error, held out"]
    page.table(names, rows, align="l" + "r" * (len(names) - 1))


def _choices(page: Page, game: Game, choices: list[dict[str, Any]]) -> None:
    """What validation chose, and the errors of all that it tried."""
    if not choices:
        return
    page.section("What validation chose")
    page.paragraph(
        "Each value was tried on games held out of those that are fitted; the games that judge the fit were not used. "
        "The smallest mean squared error wins; the pictures show its root."
    )
    figures = []
    for choice in choices:
        setting, tried = choice["setting"], choice["tried"]
        roots = [one["square"] ** 0.5 / 100 for one in tried]
        caption = f"{setting} {choice['value']} was chosen."
        if any(isinstance(one["value"], str) for one in tried):
            bars = [Bars(setting, roots)]
            picture = bar_chart(
                [str(one["value"]) for one in tried], bars, title=f"Error by {setting}", value_label=game.whole_unit
            )
        else:
            picture = line_chart(
                [Series(setting, [one["value"] for one in tried], roots)],
                title=f"Error by {setting}",
                x_label=setting,
                y_label=game.whole_unit,
                x_log=setting == "penalty",
            )
        figures.append(Figure(picture, caption))
    page.figures(*figures)


def _dense_section(page: Page, game: Game, result: dict[str, Any]) -> None:
    """The errors with and without the curves of ordered features, by stage."""
    kind, stages = result["settings"]["dense"], result["stages"]
    page.section("Ordered features with and without curves")
    with_curves, without = result["validation"]["absolute"], result["validation_plain"]["absolute"]
    page.paragraph(
        f"Weights of ordered features were tied to curves ({kind}). On held-out games the mean absolute error is "
        f"{with_curves:.1f} {game.units} with them and {without:.1f} without."
    )
    known = [stage for stage in stages if stage["validation_plain"] and stage["validation"]["count"]]
    if len(known) > 1:
        gains = [(one["validation_plain"]["absolute"] - one["validation"]["absolute"]) / 100 for one in known]
        page.figure(
            line_chart(
                [Series("smaller error with curves", [one["column"] for one in known], gains)],
                title="What curves gain by stage",
                x_label=f"column (0 is {game.evaluation.columns[0]})",
                y_label=game.whole_unit,
                levels=[Level(0.0, "no difference")],
            ),
            "How much smaller the mean absolute error is with curves; below zero it is larger.",
        )


def _seen_section(page: Page, game: Game, seen: list[dict[str, Any]]) -> None:
    """How often weights were seen, and how far they moved."""
    page.section("How often weights were seen")
    page.paragraph(
        f"Weights of all columns by the number of times a fitted position used them. In brackets, how far they moved "
        f"from the starting weights on average, in {game.units}."
    )
    bins = [(one["least"], one["most"]) for one in seen if one["feature"] == seen[0]["feature"]]
    rows = []
    for name in dict.fromkeys(one["feature"] for one in seen):
        cells = [one for one in seen if one["feature"] == name]
        rows.append([name, *(f"{one['weights']:,} ({one['change']:.0f})" if one["weights"] else "" for one in cells)])
    page.table(["feature", *(_bin_name(*ends) for ends in bins)], rows, align="l" + "r" * len(bins))


def _bin_name(least: int, most: int | None) -> str:
    if most is None:
        return f"{least:,} or more"
    return "never" if most == 0 else f"{least:,}" if least == most else f"{least:,}–{most:,}"


def _middle_column(stages: list[dict[str, Any]]) -> int:
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
