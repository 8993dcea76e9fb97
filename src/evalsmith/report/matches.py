"""The part of a page that shows a match; every number comes from its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from evalsmith.arena.play.load import HostLoad
from evalsmith.arena.results.boards import attempt_text, board_columns, board_rows, how_boards_count
from evalsmith.arena.results.entry import GameEntry, sign
from evalsmith.arena.results.match_result import MatchResult
from evalsmith.arena.results.tally import has_margin
from evalsmith.arena.results.times import Times
from evalsmith.games import CHANCE, Game
from evalsmith.games.board import Board
from evalsmith.report.axes import Level
from evalsmith.report.bars import Bars, bar_chart, histogram
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Page

SMALL, TALL = 340.0, 260.0  # three pictures fit side by side


def match_verdict(page: Page, result: MatchResult) -> None:
    """The sentence that a reader came for."""
    page.verdict(result.judged.outcome, result.verdict())


def match_sections(page: Page, result: MatchResult) -> None:
    """The table, the pairs, the score as it went, and the last positions of some games."""
    page.section("The match")
    alone = result.game.players == 1
    figures = {
        "Elo": result.summary.elo_text(),
        "likelihood of superiority": f"{100 * result.summary.los:.1f} %",
        "p-value": result.summary.p_text.removeprefix("p "),
    }
    facts = (figures if result.judged.by_moves else {}) | {"boards" if alone else "games": result.games}
    page.facts(facts | ({"SPRT": result.sprt_text()} if result.sprt is not None else {}))
    late = any(one.late_avg is not None for one in result.players)
    columns = ["player", "points", "share", "games", "won", "tied", "lost", "fail"]
    page.table(
        [*columns, "time per game (s)", "longest game (s)", *(["late (s, mean)"] * late)],
        [
            [
                one.name, one.points, f"{100 * one.share:.1f} %", one.games, one.won, one.tied, one.lost, one.fail,
                one.time_avg, one.time_max, *([one.late_avg] * late),
            ]
            for one in result.players
        ],
        caption=how_boards_count(result.game) if alone else "Both players had each opening once with either side.",
    )  # fmt: skip
    if alone:
        page.table(list(board_columns(result.game)), [list(row) for row in board_rows(result.game, result.boards)])
    page.paragraph(f"Terminations: {result.termination_text()}.")
    time_parts(page, result.times, result.hosts, result.overload)
    if sum(result.pentanomial):
        page.figures(*_pictures(result))
    page.figures(*last_positions(result.game, islice(result.entries, 3)))


def _pictures(result: MatchResult) -> Iterator[Figure]:
    first = result.players[0].name
    names = ["0–2", "½–1½", "1–1", "1½–½", "2–0"]
    pairs = [Bars("pairs", result.pentanomial)]
    yield Figure(
        bar_chart(names, pairs, title="Pairs of games", value_label="pairs", width=SMALL, height=TALL),
        f"The score of {first} on two boards that count as a pair."
        if result.game.players == 1
        else f"The score of {first} in the two games from each opening.",
    )
    yield Figure(_course(result), "The score as the match went on, with its 95 % interval, by pairs of games.")
    if result.game.win == 0 and result.margins:
        unit = result.game.whole_unit
        margins = [value / 100 for value, count in result.margins.counts() for _ in range(count)]
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
        [100 * step.score_low for step in steps],
        [100 * step.score_high for step in steps],
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


def time_parts(page: Page, times: Sequence[Times], hosts: Sequence[HostLoad], overload: Sequence[str]) -> None:
    """The times that players reported beside ours, who played if there were several hosts, and if one was too busy."""
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
    if len(hosts) > 1:
        page.table(
            ["host", "games", "thousand nodes per second of CPU", "waited for a core", "processes for each core"],
            [[one.host, one.games, one.speed or None, f"{100 * one.waited:.0f} %", one.load] for one in hosts],
            caption="The hosts that played.",
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
        yield Figure(game.svg(board.position, size=260, last=last), result_caption(game, entry))


def result_caption(game: Game, entry: GameEntry) -> str:
    """Who had which side, the score, and how it came about; of a game for one, whose board the picture shows."""
    if entry.solo is not None:
        first, second = (f"{name}: {attempt_text(game, entry, side)}" for side, name in enumerate(entry.sides))
        return f"{entry.start or 'the standard start'}. The board of {first}. {second}."
    sides = " – ".join(f"{name} ({side.capitalize()})" for name, side in zip(entry.sides, game.sides, strict=True))
    score = {1: "1–0", 0: "½–½", -1: "0–1"}[sign(entry.result)]
    margin = f" by {abs(entry.result) / 100:g} {game.whole_unit}" if has_margin(entry) and game.win == 0 else ""
    return f"{sides}: {score}{margin if entry.result else ''}, {entry.termination}"
