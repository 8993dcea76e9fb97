"""The page of a fit of ProbCut: shallow against deep values by stage, and how errors shrink with depth."""

from __future__ import annotations

from evalsmith.fit.probcut.result import ProbCutFit
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Page
from evalsmith.report.scatter import scatter_chart
from evalsmith.weights.probcut import Pair

_POINTS = 500  # of a stage that are drawn
_SMALL, _TALL = 340.0, 260.0  # three pictures fit side by side


def probcut_sections(page: Page, fit: ProbCutFit) -> None:
    """The scatter of each stage, the errors, and all pairs."""
    stages = sorted({pair.stage for pair in fit.probcut.pairs})
    deepest = {stage: _shown(fit, stage) for stage in stages}
    page.section("Shallow and deep values")
    page.facts({"positions": fit.positions, "stages": len(stages), "pairs": len(fit.probcut.pairs)})
    page.paragraph(
        "Each point is a position: the value of a shallow search, and that of a deep one, for the side to move. The "
        "line is fitted to them; the band is one standard deviation. The search leaves a deep search out where the "
        f"line is beyond its window by a chosen number of these. Values are in {fit.game.units}."
    )
    page.figures(*(_scatter(fit, deepest[stage]) for stage in stages))
    page.section("Errors by stage")
    page.figure(_errors(fit, stages), f"Standard deviation of what is left, {fit.game.units}.")
    head = ["stage", "shallow", "deep", "slope", "offset", "error", "positions"]
    rows = [
        [fit.stage_name(one.stage), one.shallow, one.deep, f"{one.slope:.3f}", f"{one.offset:+.0f}",
         f"{one.error:.0f}", one.positions]
        for one in fit.probcut.pairs
    ]  # fmt: skip
    page.table(head, rows, folded=f"All {len(rows)} pairs")


def _shown(fit: ProbCutFit, stage: int) -> Pair:
    """The deepest pair of a stage, with the deeper of its shallow searches."""
    return max((one for one in fit.probcut.pairs if one.stage == stage), key=lambda one: (one.deep, one.shallow))


def _scatter(fit: ProbCutFit, pair: Pair) -> Figure:
    points = [(float(a), float(b)) for a, b in fit.points(pair)[:_POINTS].tolist()]
    chart = scatter_chart(
        points,
        slope=pair.slope,
        offset=pair.offset,
        error=pair.error,
        title=fit.stage_name(pair.stage),
        x_label=f"depth {pair.shallow}",
        y_label=f"depth {pair.deep}",
        width=_SMALL,
        height=_TALL,
    )
    return Figure(
        chart, f"{pair.slope:.3f} · shallow {pair.offset:+.0f} ± {pair.error:.0f}, {pair.positions} positions"
    )


def _errors(fit: ProbCutFit, stages: list[int]) -> str:
    """The error of each deep search from the deeper of its shallow ones."""
    series = []
    for stage in stages:
        best: dict[int, Pair] = {}
        for pair in fit.probcut.pairs:
            if pair.stage == stage and (pair.deep not in best or pair.shallow > best[pair.deep].shallow):
                best[pair.deep] = pair
        depths = sorted(best)
        series.append(Series(fit.stage_name(stage), depths, [best[depth].error for depth in depths]))
    return line_chart(series, title="Error", x_label="deep search", y_label="error", y_zero=True)
