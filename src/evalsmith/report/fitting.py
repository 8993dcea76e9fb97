"""The part of a page that shows a fit: errors by stage, and the weights as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.report.axes import Level
from evalsmith.report.bars import Bars, bar_chart
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Page
from evalsmith.report.texel import joint_sections
from evalsmith.report.weights import LONG_TABLE, weight_sections
from evalsmith.weights import Weights, starting_weights

HAND_SET = "hand-set"
TARGET_WORDS = {
    "exact": "exact scores",
    "result": "results of games",
    "playout": "scores of playouts",
    "search": "scores of a search",
    "reported": "scores that players reported",
    "player": "scores of another program",
    "mixture": "mixtures of result and score",
}


def fit_sections(
    page: Page, game: Game, result: dict[str, Any], weights: Weights | None, run: Path | None = None
) -> None:
    """What a fit achieved on held-out games, by stage, and what the weights look like; ``run`` is its folder."""
    if "splits" in result:
        joint_sections(page, game, result, weights, run)
        return
    page.section("The fit")
    after, before = result["validation"], result["validation_before"]
    page.facts(
        {
            "positions": f"{result['positions']:,}",
            "games": f"{result['games']:,}",
            f"error before ({game.whole_unit})": _whole(before),
            f"error after ({game.whole_unit})": _whole(after),
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
            ["", "positions", f"mean absolute error ({game.whole_unit})"],
            [
                [
                    "predicting 0, held out",
                    stages[0]["validation_zero"]["count"],
                    _whole(stages[0]["validation_zero"]),
                ],
                ["starting weights, held out", before["count"], _whole(before)],
                ["fitted weights, held out", after["count"], _whole(after)],
                [
                    "fitted weights, fitted games",
                    stages[0]["training"]["count"],
                    _whole(stages[0]["training"]),
                ],
            ],
        )
    _stage_table(page, game, stages, result.get("targets") or {})
    if result["repeated_columns"]:
        pairs = ", ".join(f"{column} like {source}" for column, source in result["repeated_columns"].items())
        page.paragraph(f"Columns without any position repeat their nearest neighbour of the same parity: {pairs}.")
    _choices(page, game, result.get("choices", []))
    if result.get("validation_plain"):
        _dense_section(page, game, result)
    if weights is not None:
        weight_sections(page, weights, _start_of(weights), _middle_column(stages))
    if result.get("seen"):
        _seen_section(page, game, result["seen"])


def _whole(errors: dict[str, Any]) -> str:
    """A mean absolute error in the unit that players use."""
    return f"{errors['absolute'] / 100:.2f}"


def _target_sentence(stages: list[dict[str, Any]], targets: dict[str, dict[str, int]]) -> str:
    """What the weights of which columns are fitted to: runs of stages whose targets are mostly of one kind."""
    runs: list[tuple[str, list[str]]] = []
    for stage in stages:
        kinds = targets.get(str(stage["column"]))
        if not kinds:
            continue
        kind = max(kinds, key=lambda name: kinds[name])
        if not runs or runs[-1][0] != kind:
            runs.append((kind, []))
        runs[-1][1].append(stage["name"])
    if len(runs) == 1:
        return f"Most targets are {TARGET_WORDS.get(runs[0][0], runs[0][0])}."
    parts = [
        f"{TARGET_WORDS.get(kind, kind)} in {names[0]}" + (f" to {names[-1]}" if len(names) > 1 else "")
        for kind, names in runs
    ]
    return f"Most targets are {', '.join(parts)}." if parts else ""


def _stage_table(page: Page, game: Game, stages: list[dict[str, Any]], targets: dict[str, dict[str, int]]) -> None:
    """What the solver did in each column, and the errors on both sides of the split."""
    page.paragraph(
        f"The solver, column by column. The objective is the sum of squared errors and penalties, for each fitted "
        f"position, in squared {game.units}; errors are mean absolute ones in {game.whole_unit}."
    )
    if sentence := _target_sentence(stages, targets):
        page.paragraph(sentence)
    rows = [
        [
            stage["name"],
            ", ".join(f"{count:,} {kind}" for kind, count in targets.get(str(stage["column"]), {}).items()),
            stage["positions"],
            f"{stage['iterations']}{'' if stage.get('converged', True) else ' (not converged)'}",
            f"{stage['objective'] / max(1, stage['positions']):,.0f}" if "objective" in stage else "",
            _whole(stage["training"]),
            stage["validation"]["count"],
            _whole(stage["validation"]) if stage["validation"]["count"] else "",
        ]
        for stage in stages
    ]
    names = [
        "column",
        "targets",
        "fitted positions",
        "iterations",
        "objective",
        "error, fitted",
        "held out",
        "error, held out",
    ]
    folded = f"All {len(rows)} columns" if len(rows) > LONG_TABLE else ""
    page.table(names, rows, align="ll" + "r" * (len(names) - 2), folded=folded)


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
        f"{with_curves / 100:.2f} {game.whole_unit} with them and {without / 100:.2f} without."
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


def _bin_name(low: int, high: int | None) -> str:
    if high is None:
        return f"{low:,} or more"
    return "never" if high == 0 else f"{low:,}" if low == high else f"{low:,}–{high:,}"


def _start_of(weights: Weights) -> Weights | None:
    """The weights that a fit began with, where they can still be had."""
    start = weights.provenance.get("start", HAND_SET)
    return starting_weights(weights.game) if start == HAND_SET else None


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
