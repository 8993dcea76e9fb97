"""The page, or the picture alone, of how far weights are from known values."""

from __future__ import annotations

from pathlib import Path

from evalsmith.fit.accuracy import Accuracy, Check
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Page
from evalsmith.run import write_text


def accuracy_chart(check: Check) -> str:
    """Mean absolute errors by stage, as SVG."""
    phases = [stage.phase for stage in check.stages]
    series = [
        Series("predicting 0", phases, [stage.static.zero for stage in check.stages]),
        Series("evaluation", phases, [stage.static.error for stage in check.stages]),
        Series("bias", phases, [stage.static.bias for stage in check.stages]),
    ]
    for number, depth in enumerate(check.depths):
        found = [stage.searches[number] for stage in check.stages]
        series.append(Series(f"depth {depth}", phases, [one.error if one.positions else None for one in found]))
    label = "phase" if not check.stages else f"phase ({check.stages[0].phase} is {check.stages[0].name})"
    return line_chart(series, title="Mean absolute error by stage", x_label=label, y_label=check.unit, y_zero=True)


def write_accuracy(check: Check, path: Path, subtitle: str) -> None:
    """Write a page, or only the picture if the name ends in .svg."""
    if path.suffix == ".svg":
        write_text(path, accuracy_chart(check))
        return
    page = Page(f"How accurate {check.weights} weights are", subtitle=subtitle)
    page.section("By stage")
    page.paragraph(
        f"Mean absolute differences between the evaluation and the value of a position, in {check.unit} for the side "
        f"to move; bias is the mean difference. {check.scored:,} positions have a score, and {check.results:,} only "
        "the result of their game."
    )
    page.figure(accuracy_chart(check), "Errors by stage, beside what predicting 0 gives.")
    heads = ["stage", "positions", "predicting 0", "error", "ratio", "bias"]
    rows = [[stage.name, *_cells(stage.static)] for stage in check.stages] + [["all", *_cells(check.static)]]
    if check.depths:
        heads += [*(f"depth {depth}" for depth in check.depths), "positions searched"]
        more = [*(stage.searches for stage in check.stages), check.searches]
        rows = [
            [*row, *(f"{one.error:.2f}" if one.positions else None for one in found), found[0].positions]
            for row, found in zip(rows, more, strict=True)
        ]
    page.table(heads, rows)
    if check.searched is not None:
        page.section("By depth")
        page.paragraph(f"On the same {check.searched.positions:,} positions; ± is one standard error.")
        by_depth = [("evaluation", check.searched), *((f"depth {d}", one) for d, one in check.by_depth())]
        cells = [[name, f"{one.error:.2f} ± {one.spread:.2f}", *_cells(one)[3:]] for name, one in by_depth]
        page.table(["", "error", "ratio", "bias"], cells)
    page.write(path)


def _cells(one: Accuracy) -> list[object]:
    ratio = None if one.ratio is None else f"{one.ratio:.3f}"
    return [one.positions, f"{one.zero:.2f}", f"{one.error:.2f}", ratio, f"{one.bias:+.2f}"]
