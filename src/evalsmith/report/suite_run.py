"""The page of a run of a suite: what moves cost, by tag and phase, and the costliest positions with their boards."""

from __future__ import annotations

from evalsmith.report.bars import Bars, bar_chart, histogram
from evalsmith.report.page import Figure, Page
from evalsmith.report.suite_boards import BEST, SECOND, answer_figure, legend
from evalsmith.suite.run_result import SuiteRun
from evalsmith.suite.static_result import StaticRun, TermResidual, shown
from evalsmith.suite.statistics import Mean

SMALL, TALL = 340.0, 260.0  # three pictures fit side by side
BOARDS = 24
_FEATURES = 16


def suite_run_sections(page: Page, result: SuiteRun) -> None:
    """The sums, the distribution, the tables and the worst positions."""
    page.section("What the moves cost")
    points = result.points
    page.facts(
        {
            "mean loss": result.loss.text,
            "total loss": f"{result.loss_total:,.1f}",
            "positions": result.positions,
            "a best move": f"{result.solved:,} ({100 * result.solved / max(1, len(result.losses)):.0f} %)",
            **({} if points is None else {"points": f"{points[0]:,} of {points[1]:,}"}),
            **({"failed": result.failed} if result.failed else {}),
            **({"illegal": result.illegal} if result.illegal else {}),
        }
    )
    page.paragraph(
        "A loss is the chance to win that a move gives up against the best one, in percent: 0 for a best move. In a "
        "suite with points it is the share of the points, and where only best moves are known it is 0 or 100. The "
        "interval is of 95 %, over the played games that positions come from."
    )
    page.figures(*_pictures(result))
    for title, means in (("tag", result.by_tag()), ("phase", result.by_phase()), ("played game", result.by_game())):
        if means:
            _mean_table(page, title, means)
    page.section("The costliest positions")
    page.markup(legend((BEST, "best"), (SECOND, "played")))
    page.figures(*(answer_figure(result.game, one) for one in result.worst(BOARDS)), narrow=True)
    _failures(page, result)


def _pictures(result: SuiteRun) -> list[Figure]:
    lost = [loss for loss in result.losses.tolist() if loss > 1e-9]
    found = [
        Figure(
            histogram(lost, title="Losses", x_label="loss", width=SMALL, height=TALL),
            f"The positions that cost something; {result.solved:,} others cost nothing.",
        )
    ]
    for title, means in (("By tag", result.by_tag()), ("By phase", result.by_phase())):
        if means:
            found.append(Figure(_mean_chart(title, means), "Mean loss with its 95 % interval."))
    return found


def _mean_chart(title: str, means: dict[str, Mean]) -> str:
    errors = [mean.error if mean.error == mean.error else 0.0 for mean in means.values()]
    bars = Bars("mean loss", [mean.mean for mean in means.values()], errors)
    return bar_chart(list(means), [bars], title=title, value_label="mean loss", width=SMALL)


def _mean_table(page: Page, title: str, means: dict[str, Mean]) -> None:
    rows = [[name, mean.count, mean.text, f"{mean.count * mean.mean:,.1f}"] for name, mean in means.items()]
    caption = "The played games that cost most, of those with several positions." if title == "played game" else ""
    page.table([title, "positions", "mean loss", "total loss"], rows, caption=caption)


def _failures(page: Page, result: SuiteRun) -> None:
    failures = result.failures()
    if not failures:
        return
    page.section("Failed positions and illegal answers")
    page.table(
        ["id", "position", "what", "reason"],
        [[one.id, one.text, one.status, one.reason] for one in failures[:1000]],
        caption="Failed positions are left out of all sums; illegal answers cost 100 each.",
        folded=f"{len(failures):,} positions",
    )


def static_sections(page: Page, result: StaticRun) -> None:
    """Where an evaluation is wrong."""
    page.section("Evaluation and reference")
    overall = result.overall
    page.facts(
        {
            "rank correlation": shown(overall.rank_correlation, 3),
            "error in win probability": f"{overall.error:.1f} ± {shown(overall.error_interval)} %",
            "bias": f"{overall.bias:+.1f} ± {shown(overall.bias_interval)} %",
            "positions": overall.positions,
        }
    )
    page.paragraph(
        "The evaluation of each position, without any search, against the score of its best move. The error is the "
        "mean distance of the two chances to win; a bias above 0 means that the evaluation thinks too little of the "
        "side to move."
    )
    page.table(
        ["positions", "count", "rank correlation", "error (%)", "bias (%)"],
        [
            [one.name, one.positions, shown(one.rank_correlation, 3), f"{one.error:.1f} ± {shown(one.error_interval)}",
             f"{one.bias:+.1f} ± {shown(one.bias_interval)}"]
            for one in (overall, *result.parts)
        ],
    )  # fmt: skip
    page.section("Terms with the largest residuals")
    page.paragraph(
        "The mean of what the evaluation misses where a side has the term, for that side: above 0 the evaluation "
        "thinks too little of whoever has it. Beyond chance means so far from 0 even as the most extreme of all that "
        "were looked at."
    )
    chosen = result.features[:_FEATURES]
    if chosen:
        bars = Bars("residual", [one.residual for one in chosen], [one.interval for one in chosen])
        names = [one.term for one in chosen]
        chart = bar_chart(names, [bars], title="By feature", value_label="% win probability", horizontal=True)
        page.figure(chart, "The features that are furthest from 0 for their error, first.")
    _term_table(page, "Features", result.features)
    _term_table(page, "Single terms", result.terms[:200])


def _term_table(page: Page, title: str, terms: tuple[TermResidual, ...]) -> None:
    rows = [
        [
            one.term,
            one.index,
            one.positions,
            f"{one.residual:+.2f} ± {one.interval:.2f}",
            "yes" if one.significant else "",
        ]
        for one in terms
    ]
    page.table(["term", "is", "positions", "residual (%)", "beyond chance"], rows, folded=f"{title} ({len(rows):,})")
