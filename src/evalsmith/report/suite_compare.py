"""The page of two runs of a suite: the verdict, all changes in a table, and the largest with their boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalsmith.report.bars import Bars, bar_chart, histogram
from evalsmith.report.page import Figure, Outcome, Page
from evalsmith.report.sortable import Row, sortable_table
from evalsmith.report.suite_boards import BEST, FIRST, SECOND, change_figure, legend
from evalsmith.suite.comparing import BETTER, OPEN, WORSE, Change, SuiteComparison
from evalsmith.suite.run_result import shown_score

SMALL, TALL = 340.0, 260.0
BOARDS = 24  # of each kind
ROWS = 5_000  # a page with more opens slowly
_OUTCOMES: dict[str, Outcome] = {WORSE: "weaker", BETTER: "stronger", OPEN: "not proven"}


def write_comparison(result: SuiteComparison, path: Path) -> Path:
    """Write the page."""
    first, second = result.names
    page = Page(f"{second} against {first}", subtitle=f"{result.game.title}, {result.first.suite}")
    comparison_sections(page, result)
    page.write(path)
    return path


def comparison_sections(page: Page, result: SuiteComparison) -> None:
    """The verdict, sums, boards of both kinds, and the table of all changes."""
    page.verdict(_OUTCOMES[result.verdict], ". ".join(result.sentences()) + ".")
    first, second = result.names
    page.section("The difference")
    page.facts(
        {
            "difference of mean loss": f"{result.difference:+.3f}",
            "95 % interval": f"{result.low:+.3f} to {result.high:+.3f}",
            "Wilcoxon p": f"{result.p_value:.2g}",
            f"mean loss of {first}": result.first.loss.text,
            f"mean loss of {second}": result.second.loss.text,
            "positions": result.positions,
        }
    )
    tags = result.by_tag()
    changed = [value for value in result.differences.tolist() if abs(value) > 1e-9]
    figures = [
        Figure(
            histogram(changed, title="Changes", x_label="loss", width=SMALL, height=TALL),
            f"What {second} lost more than {first}, where it is not the same.",
        )
    ]
    if tags:
        errors = [mean.error if mean.error == mean.error else 0.0 for mean in tags.values()]
        bars = Bars("difference", [mean.mean for mean in tags.values()], errors)
        chart = bar_chart(list(tags), [bars], title="By tag", value_label="difference of mean loss", width=SMALL)
        figures.append(Figure(chart, "Mean difference with its 95 % interval."))
    page.figures(*figures)
    colours = legend((BEST, "best"), (FIRST, first), (SECOND, second))
    for title, changes in (
        ("Regressions", result.regressions(BOARDS)),
        ("Improvements", result.improvements(BOARDS)),
    ):
        if changes:
            page.section(title)
            page.markup(colours)
            page.figures(*(change_figure(result.game, one.first, one.second) for one in changes), narrow=True)
    _all_changes(page, result)


def _all_changes(page: Page, result: SuiteComparison) -> None:
    changes = [*result.regressions(ROWS // 2), *reversed(result.improvements(ROWS // 2))]
    if not changes:
        return
    worse, _, better = result.counts
    page.section("All changes")
    left_out = worse + better - len(changes)
    note = f" The {left_out:,} smallest are left out." if left_out else ""
    caption = f"{worse + better:,} positions that cost more or less than before; click on a heading to sort.{note}"
    first, second = result.names
    columns = ["loss", first, second, f"loss of {first}", f"loss of {second}", "best", "tags", "id", "position"]
    sortable_table(page, columns, _rows(changes), caption=caption)


def _rows(changes: Sequence[Change]) -> list[Row]:
    return [
        Row(
            [
                change.loss,
                _move(change.first.move or change.first.reason, change.first.move_score),
                _move(change.second.move or change.second.reason, change.second.move_score),
                f"{change.first.loss:.1f}",
                f"{change.second.loss:.1f}",
                change.first.best,
                change.first.tags,
                change.first.id,
                change.first.text,
            ],
            change.first.tags.split(),
        )
        for change in changes
    ]


def _move(move: str, score: int) -> str:
    shown = shown_score(score)
    return f"{move} ({shown})" if shown else move
