"""The part of a page that shows a joint fit, of all columns by one loss: losses, calibration, residuals, weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.report.axes import Level
from evalsmith.report.bars import Bars, bar_chart
from evalsmith.report.determined import TABLE, FittedWeight, determined_sections, read_table, weights_of
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Page
from evalsmith.report.weights import weight_sections
from evalsmith.weights import Weights

HALF = 500.0  # two pictures fit side by side
SQUARED = "squared"
_SPLITS = ["", "games", "positions", "start", "fitted", "change", "±"]


def joint_sections(page: Page, game: Game, result: dict[str, Any], weights: Weights | None, run: Path | None) -> None:
    """What a joint fit achieved, how sure that is, and what the weights look like."""
    _summary(page, result)
    _choices(page, result.get("choices") or [])
    _history(page, result["history"])
    _calibration(page, result)
    _residuals(page, result)
    _proof(page, result)
    _folds(page, "Folds", "fold", result.get("folds"), "Each fold is held out once, and the others are fitted.")
    _learning_curve(page, result.get("learning_curve"))
    table = [] if run is None else read_table(run / TABLE)
    _weights(page, game, table, weights)
    determined_sections(page, game, table)
    _undetermined(page, result.get("undetermined") or {})


def _kind(result: dict[str, Any]) -> str:
    return "squared error of the value" if result["loss"] == SQUARED else "squared error of the winning probability"


def _summary(page: Page, result: dict[str, Any]) -> None:
    page.section("The fit")
    facts: dict[str, object] = {"positions": f"{result['positions']:,}", "games": f"{result['games']:,}"}
    if result.get("k") is not None:
        facts["K"] = f"{result['k']:.3f}"
    held = result["splits"]["validation"]
    facts |= {"loss before, held out": f"{held['start']:.6f}", "loss after, held out": f"{held['fitted']:.6f}"}
    page.facts(facts)
    left_out = ", ".join(f"{count:,} {why}" for why, count in (result.get("dropped") or {}).items() if count)
    page.paragraph(
        f"Losses are means of the {_kind(result)}; the target is {result['target']}, the penalty "
        f"{result['penalty']:g}. Method {result['method']}, {result['passes']} passes, stopped: {result['stopped']}."
        + (f" Left out: {left_out}." if left_out else "")
    )
    page.table(
        _SPLITS, [_split_row(name, one) for name, one in result["splits"].items()], align="l" + "r" * (len(_SPLITS) - 1)
    )
    page.paragraph(
        "± is one standard error of the change, between games. All positions of a game are in the same split; only "
        "the games of validation and test were not fitted."
    )
    for sentence in _sentences(result):
        page.paragraph(sentence)


def _split_row(name: str, one: dict[str, Any]) -> list[object]:
    change = one["fitted"] - one["start"]
    losses = (f"{one['start']:.6f}", f"{one['fitted']:.6f}", f"{change:+.6f}", f"{one['error']:.6f}")
    return [name, one["games"], one["rows"], *losses]


def _sentences(result: dict[str, Any]) -> list[str]:
    """The scale of the evaluation, and the price of whole numbers."""
    found = []
    if scale := result.get("scale"):
        found.append(
            f"Fitted evaluations are {scale['factor']:.2f} times the starting ones (correlation "
            f"{scale['correlation']:.3f})."
        )
    if rounding := result.get("rounding"):
        found.append(
            f"Rounding to whole numbers raises the training objective from {rounding['exact']:.6f} to "
            f"{rounding['rounded']:.6f}, and {rounding['repaired']:.6f} after repair."
        )
    return found


def _choices(page: Page, choices: Sequence[dict[str, Any]]) -> None:
    """What was tried for every setting that was chosen."""
    if not choices:
        return
    page.section("What was chosen")
    page.paragraph(
        "Settings were chosen one after another, each with those before it as chosen. Every candidate was fitted and "
        f"judged by the {choices[0]['figure']}."
    )
    rows = []
    for choice in choices:
        shown = "+.0f" if choice["by"] == "match" else ".3f" if choice["by"] == "halves" else "+.6f"
        for one in choice["tried"]:
            error = "" if one["error"] is None else format(one["error"], shown.removeprefix("+"))
            mark = "chosen" if one["value"] == choice["value"] else ""
            rows.append([choice["setting"], one["text"], format(one["figure"], shown), error, mark])
    page.table(["setting", "candidate", choices[0]["figure"], "±", ""], rows, align="llrrl")


def _history(page: Page, history: Sequence[dict[str, Any]]) -> None:
    if len(history) < 2:
        return
    passes = [one["passes"] for one in history]
    picture = line_chart(
        [
            Series("training objective", passes, [one["objective"] for one in history]),
            Series("validation", passes, [one["validation"] for one in history]),
        ],
        title="Loss over passes",
        x_label="passes over the data",
        y_label="loss",
    )
    page.figure(
        picture, "What is minimised (the loss on the fitted games and the penalties), and the loss on held-out games."
    )


def _calibration(page: Page, result: dict[str, Any]) -> None:
    bins = [one for one in result["calibration"] if one["rows"]]
    if not bins:
        return
    page.section("Calibration")
    ends = [min(one[key] for one in bins for key in ("predicted", "actual")),
            max(one[key] for one in bins for key in ("predicted", "actual"))]  # fmt: skip
    if result["loss"] != SQUARED:
        ends = [0.0, 1.0]
    picture = line_chart(
        [
            Series("as predicted", ends, ends),
            Series("held-out games", [one["predicted"] for one in bins], [one["actual"] for one in bins]),
        ],
        title="Predicted against actual",
        x_label="mean prediction",
        y_label="mean target",
        height=380,
        width=HALF,
    )
    page.figure(picture, "On the diagonal, predictions are neither too bold nor too careful.")
    rows = [
        [one["name"], one["rows"], f"{one['predicted']:.3f}", f"{one['actual']:.3f}"] for one in result["calibration"]
    ]
    page.table(["prediction", "positions", "mean prediction", "mean target"], rows, align="lrrr", folded="The figures")


def _residuals(page: Page, result: dict[str, Any]) -> None:
    figures = []
    for title, key in (("By phase", "by_phase"), ("By material", "by_material")):
        bins = [one for one in result.get(key) or [] if one["rows"]]
        if bins:
            figures.append(Figure(_residual_chart(title, bins), ""))
    if figures:
        page.section("Residuals")
        page.figures(*figures)
        page.paragraph(
            "Mean target less mean prediction on held-out games, for the side to move, with the starting and with the "
            "fitted weights. Bars far from 0 show what the evaluation gets wrong as a whole."
        )


def _residual_chart(title: str, bins: Sequence[dict[str, Any]]) -> str:
    bars = [
        Bars("starting weights", [one["actual"] - one["start"] for one in bins]),
        Bars("fitted weights", [one["actual"] - one["predicted"] for one in bins]),
    ]
    names = [_short(one["name"]) for one in bins]
    return bar_chart(names, bars, title=title, value_label="actual − predicted", width=HALF)


def _short(name: str) -> str:
    """A name of a bin with whole numbers: ``material -739.917 to 0`` is ``-740 to 0``."""
    words = name.removeprefix("material ").split(" ")
    return " ".join(_whole(word) for word in words)


def _whole(word: str) -> str:
    try:
        return f"{float(word):.0f}"
    except ValueError:
        return word


def _proof(page: Page, result: dict[str, Any]) -> None:
    proof = result.get("proof")
    if proof is None:
        return
    page.section("Proof")
    page.paragraph(f"A match of the fitted against the starting weights: {proof['verdict']}")
    page.facts(
        {"Elo": f"{proof['elo']:+.1f} ± {proof['elo_error']:.1f}", "games": proof["games"], "run": "proof"}
        if proof.get("elo_error") is not None
        else {"Elo": f"{proof['elo']:+.1f}", "games": proof["games"]}
    )


def _folds(page: Page, heading: str, word: str, folds: list[dict[str, Any]] | None, sentence: str) -> None:
    if not folds:
        return
    page.section(heading)
    page.paragraph(sentence)
    rows = [[f"{word} {fold['name']}".strip(), *_split_row("", fold["comparison"])[1:]] for fold in folds]
    page.table(_SPLITS, rows, align="l" + "r" * (len(_SPLITS) - 1))


def _learning_curve(page: Page, curve: list[dict[str, Any]] | None) -> None:
    if not curve:
        return
    _folds(page, "Learning curve", "", curve, "Fits to a part of the games, judged on the same held-out games.")
    if len(curve) > 1:
        page.figure(
            line_chart(
                [Series("held out", [one["games"] for one in curve], [one["comparison"]["fitted"] for one in curve])],
                title="Loss by the number of games",
                x_label="fitted games",
                y_label="loss, held out",
                levels=[Level(curve[-1]["comparison"]["start"], "starting weights")],
            ),
            "Where the line still falls at its end, more games would help.",
        )


def _weights(page: Page, game: Game, table: Sequence[FittedWeight], weights: Weights | None) -> None:
    """The weights beside those before; the table of the run knows both."""
    fitted = weights_of(game, table, "fitted") or weights
    if fitted is not None:
        weight_sections(page, fitted, weights_of(game, table, "start"))


def _undetermined(page: Page, found: dict[str, Any]) -> None:
    if found.get("unseen"):
        page.details(f"{len(found['unseen'])} weights never occur", "; ".join(found["unseen"]))
    if found.get("collinear"):
        groups = "; ".join(" + ".join(group[:3]) + (" + …" if len(group) > 3 else "") for group in found["collinear"])
        page.details(f"{len(found['collinear'])} groups of weights cannot be told apart by the data", groups)
