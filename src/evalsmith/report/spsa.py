"""The part of a page that shows an SPSA run: the parameters, and how their values went."""

from __future__ import annotations

from collections.abc import Iterator

from evalsmith.arena.spsa.course import Parameter
from evalsmith.arena.spsa.result import SpsaResult, TunedParameter
from evalsmith.report.axes import Level
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Page

SMALL, TALL = 340.0, 260.0  # three pictures fit side by side
_POINTS = 500  # a picture has no more columns than that


def spsa_sections(page: Page, result: SpsaResult) -> None:
    """The table, what may be concluded, the values iteration by iteration, and the line to paste."""
    page.section("The parameters")
    page.facts({"iterations": f"{result.iterations:,} of {result.all_iterations:,}", "games": result.games})
    page.table(
        ["parameter", "start", "end", "value", "standard error", "moved (errors)", "min", "max", "c_end", "r_end"],
        [
            [one.name, one.start, one.end, str(one.value), one.error, one.moved, *_given(one.parameter)]
            for one in result.parameters
        ],
        caption="The standard error is how far chance alone would have moved a parameter that does not matter.",
    )
    for sentence in result.sentences():
        page.paragraph(sentence)
    page.section("The values, iteration by iteration")
    page.figures(*_pictures(result))


def _given(parameter: Parameter) -> list[float]:
    return [parameter.low, parameter.high, parameter.c_end, parameter.r_end]


def _pictures(result: SpsaResult) -> Iterator[Figure]:
    step = max(1, len(result.path) // _POINTS)
    places = sorted({*range(0, len(result.path), step), len(result.path) - 1})
    for number, one in enumerate(result.parameters):
        values = [result.path[place][number] for place in places]
        yield Figure(_picture(one, places, values), _caption(one))


def _picture(one: TunedParameter, places: list[int], values: list[float]) -> str:
    return line_chart(
        [Series(one.name, places, values)],
        title=one.name,
        x_label="iterations",
        levels=[
            Level(one.start, "start"),
            Level(one.start - one.error, "−1 error"),
            Level(one.start + one.error, "+1 error"),
        ],
        width=SMALL,
        height=TALL,
    )


def _caption(one: TunedParameter) -> str:
    return f"From {one.start:g} to {one.end:.4g}: {one.moved:+.1f} standard errors."
