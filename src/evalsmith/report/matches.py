"""The part of a page that shows a match; every number comes from its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evalsmith.arena.results.entry import GameEntry
from evalsmith.arena.results.match_result import MatchResult
from evalsmith.arena.results.times import Times
from evalsmith.games import CHANCE, Game
from evalsmith.games.board import Board
from evalsmith.report.axes import Level
from evalsmith.report.bars import Bars, bar_chart, histogram
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Outcome, Page

SMALL, TALL = 340.0, 260.0  # three pictures fit side by side


def match_verdict(page: Page, result: MatchResult) -> None:
    """The sentence that a reader came for."""
    outcome: Outcome = "not proven"
    if result.proven:
        outcome = "stronger" if result.elo > 0 else "weaker"
    page.verdict(outcome, result.verdict())


def match_sections(page: Page, result: MatchResult) -> None:
    """The table, the pairs, the score as it went, and the last positions of some games."""
    page.section("The match")
    facts = {
        "Elo": result.summary.elo_text(),
        "likelihood of superiority": f"{100 * result.summary.los:.1f} %",
        "p-value": f"{result.p_value:.2g}",
        "games": result.games,
    }
    page.facts(facts | ({"SPRT": result.sprt_text()} if result.sprt is not None else {}))
    page.table(
        ["player", "points", "won", "tied", "lost", "fail", "time per game (s)", "longest game (s)"],
        [
            [one.name, one.points, one.won, one.tied, one.lost, one.fail, one.time_avg, one.time_max]
            for one in result.players
        ],
        caption="Both players had each opening once with either side.",
    )
    time_parts(page, result.times, result.overload)
    page.figures(*_pictures(result))
    page.figures(*last_positions(result.game, result.entries[:3]))


def _pictures(result: MatchResult) -> Iterator[Figure]:
    first = result.players[0].name
    names = ["both lost", "half a point", "level", "one and a half", "both won"]
    pairs = [Bars("pairs", result.pentanomial)]
    yield Figure(
        bar_chart(names, pairs, title="Pairs of games", value_label="pairs", width=SMALL, height=TALL),
        f"What {first} scored in the two games from each opening.",
    )
    yield Figure(_course(result), "The score as the match went on, with its 95 % interval, by pairs of games.")
    if result.game.win == 0:
        unit = result.game.whole_unit
        margins = [margin / 100 for margin in result.margins]
        yield Figure(
            histogram(margins, title="Margins", width=SMALL, height=TALL, x_label=f"{unit} for {first}"),
            f"Mean margin {result.margin_text()}, over the pairs that both players finished.",
        )


def _course(result: MatchResult) -> str:
    """The running score with its interval."""
    steps = result.course()
    name = result.players[0].name
    score = Series(
        name,
        [step.games for step in steps],
        [100 * step.score for step in steps],
        [100 * max(0.0, step.score - step.score_error) for step in steps],
        [100 * min(1.0, step.score + step.score_error) for step in steps],
    )
    return line_chart(
        [score],
        title=f"Score of {name}",
        x_label="games",
        y_label="%",
        levels=[Level(50.0, "even")],
        width=SMALL,
        height=TALL,
    )


def time_parts(page: Page, times: Sequence[Times], overload: Sequence[str]) -> None:
    """The times that players reported beside ours, and whether the machine was too busy."""
    rows = [
        [one.name, one.time_avg, one.reported_avg, round(1000 * one.latency, 2), one.longest]
        for one in times
        if one.reported_avg is not None and one.latency is not None
    ]
    if rows:
        page.table(
            [
                "player",
                "by our clock (s per game)",
                "reported (s per game)",
                "latency (ms per move)",
                "longest move (s)",
            ],
            rows,
            caption="The times that programs report, and how much more we measured for each move.",
        )
    if overload:
        page.paragraph(f"The machine was too busy for these times to count: {'; '.join(overload)}.")


def last_positions(game: Game, entries: Iterable[GameEntry]) -> Iterator[Figure]:
    """How some games ended, as boards."""
    for entry in entries:
        board, last = Board(game, None if entry.start is None else game.parse(entry.start)), None
        for move in (*entry.opening, *entry.moves):
            last = last if board.status == CHANCE else move
            board.push(move)
        sides = " – ".join(entry.sides)
        yield Figure(
            game.svg(board.position, size=260, last=last), f"{sides}: {entry.result / 100:+g} ({entry.termination})"
        )
