"""The part of a page that shows a run of `improve`: Elo by generation, held-out losses, and the weights that moved."""

from __future__ import annotations

from collections.abc import Sequence

from evalsmith.improvement.record import START, Generation
from evalsmith.improvement.result import ImproveResult
from evalsmith.report.axes import Level
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Page
from evalsmith.report.weights import weight_sections
from evalsmith.weights import read_weights_file
from evalsmith.weights.comparison import compare_weights

MOVED = 30  # weights that are listed one by one


def improvement_sections(page: Page, result: ImproveResult) -> None:
    """The verdict, the generations in a table and in charts, and what the best weights changed."""
    sentences = result.sentences()
    page.verdict("stronger" if result.improved else "not proven", sentences[-1])
    page.section("Generations")
    for sentence in sentences[:-1]:
        page.paragraph(sentence)
    _table(page, result.generations)
    if result.generations:
        page.figures(Figure(_elo_chart(result), _ELO_CAPTION), Figure(_loss_chart(result.generations), _LOSS_CAPTION))
    _candidates(page, result.generations)
    if result.improved and result.run is not None:
        start = read_weights_file(result.run / START, result.game)
        _moved(page, result)
        weight_sections(page, result.weights, start)


_ELO_CAPTION = (
    "Elo of the best weights after each generation against the start, with its 95 % interval, in games of their own. A "
    "generation that was not kept leaves the best weights as they were."
)
_LOSS_CAPTION = (
    "The loss on held-out games of each generation, with the best weights before it and with the new ones. Every "
    "generation has games of its own, so losses of different generations do not compare."
)


def _table(page: Page, generations: Sequence[Generation]) -> None:
    page.table(
        ["generation", "games", "nodes", "positions", "against the best", "in", "against the start", "in", "kept"],
        [
            [
                one.number, one.games, one.nodes, one.positions, str(one.gate), one.gate.games,
                None if one.start is None else str(one.start), None if one.start is None else one.start.games, one.kept,
            ]
            for one in generations
        ],
        caption="Elo with both ends of its 95 % interval, and the games it was measured in.",
    )  # fmt: skip


def _elo_chart(result: ImproveResult) -> str:
    numbers, elo, low, high = [0], [0.0], [0.0], [0.0]
    for one in result.generations:
        numbers.append(one.number)
        facts = one.start
        elo.append(elo[-1] if facts is None else facts.elo)
        low.append(low[-1] if facts is None else facts.low)
        high.append(high[-1] if facts is None else facts.high)
    return line_chart(
        [Series("best weights", numbers, elo, low, high)],
        title="Elo against the start",
        x_label="generation",
        y_label="Elo",
        levels=[Level(0, "start")],
    )


def _loss_chart(generations: Sequence[Generation]) -> str:
    numbers = [one.number for one in generations]
    return line_chart(
        [
            Series("best weights before", numbers, [one.fit.loss_before for one in generations]),
            Series("new weights", numbers, [one.fit.loss_after for one in generations]),
        ],
        title=f"Loss on held-out games ({generations[0].fit.loss})",
        x_label="generation",
    )


def _candidates(page: Page, generations: Sequence[Generation]) -> None:
    """Fits that were compared by short matches, where there were several."""
    rows = [
        [
            one.number, tried.penalty, tried.result_share, tried.loss_before, tried.loss_after, str(tried.trial),
            tried.trial.games, place == one.chosen,
        ]
        for one in generations
        for place, tried in enumerate(one.candidates, 1)
        if tried.trial is not None
    ]  # fmt: skip
    if rows:
        columns = [
            "generation",
            "penalty",
            "result share",
            "loss before",
            "loss after",
            "trial (Elo)",
            "in",
            "chosen",
        ]
        page.table(columns, rows, caption="Candidates, each in a short match against the best weights before it.")


def _moved(page: Page, result: ImproveResult) -> None:
    assert result.run is not None
    found = compare_weights(result.run / START, result.weights, top=MOVED)
    page.section("Weights that moved")
    page.table(
        ["feature", "weights", "changed", f"mean change ({result.game.units})", "largest"],
        [[one.feature, one.weights, one.changed, one.mean, one.largest] for one in found.features],
    )
    page.table(
        ["column", "feature", "is", "start", "best", "change"],
        [
            [one.column, one.feature, one.meaning, one.before, one.after, one.after - one.before]
            for one in found.largest
        ],
        folded=f"The {len(found.largest)} weights that moved most",
    )
