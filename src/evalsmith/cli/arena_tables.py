"""Tables of events for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from evalsmith.arena.events.plan import Plan
    from evalsmith.arena.results.standings import Standings
    from evalsmith.arena.results.summary import Score
    from evalsmith.arena.results.times import Times


def score_table(scores: Sequence[Score]) -> Table:
    """The players of a match."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("player", "points", "won", "tied", "lost", "fail", "time avg", "time max")
    for column in table.columns[1:]:
        column.justify = "right"
    for score in scores:
        table.add_row(
            escape(score.name), f"{score.points:g}", *(str(n) for n in (score.won, score.tied, score.lost, score.fail)),
            f"{score.time_avg:.3f} s", f"{score.time_max:.3f} s",
        )  # fmt: skip
    return table


def time_lines(times: Sequence[Times], overload: Sequence[str]) -> list[str]:
    """The players' own account of their times beside ours, and whether the machine was too busy."""
    lines = [
        f"{one.name}: {one.told_avg:.3f} s a game by its own account, {1000 * one.latency:+.1f} ms a move more by ours"
        for one in times
        if one.told_avg is not None and one.latency is not None
    ]
    if overload:
        lines.append(f"NOT A FAIR MEASUREMENT of times: {'; '.join(overload)}")
    return lines


def standings_table(standings: Standings, title: str = "") -> Table:
    """The competition table: No, Player, Points, Won, Tied, Lost, Fail, Avg Time, Max Time, and the rating."""
    from rich.markup import escape
    from rich.table import Table

    ratings = {one.name: one for one in standings.ratings}
    heads = ["No", "Player", "Points", "Won", "Tied", "Lost", "Fail", "Avg Time", "Max Time"]
    free = any(row.free for row in standings.rows)
    table = Table(
        *heads, *(["Elo"] if ratings else []), *(["Free"] if free else []), title=title or None,
        caption="Free: games of a free round, won without play; the points include them." if free else None,
    )  # fmt: skip
    for column in table.columns[2:]:
        column.justify = "right"
    for number, (row, times) in enumerate(zip(standings.rows, standings.times, strict=True), 1):
        cells = [str(n) for n in (row.won, row.tied, row.lost, row.fail)]
        one = ratings.get(row.name)
        rating = [f"{one.elo:+.0f} ± {one.error:.0f}" if one else ""] if ratings else []
        table.add_row(
            str(number), escape(row.name), f"{row.points:g}", *cells, f"{times.time_avg:.2f}", f"{times.time_max:.2f}",
            *rating, *([str(row.free)] if free else []),
        )  # fmt: skip
    return table


def matrix_table(title: str, standings: Standings, cells: Sequence[Sequence[str]]) -> Table:
    """A square table of all pairs of players."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("No", "Player", *(str(i + 1) for i in range(len(standings.rows))), title=title)
    for column in table.columns[2:]:
        column.justify = "right"
    for number, (row, line) in enumerate(zip(standings.rows, cells, strict=True), 1):
        table.add_row(str(number), escape(row.name), *line)
    return table


def plan_table(plan: Plan) -> Table:
    """What a plan asks for."""
    from rich.table import Table

    table = Table("to find", "games", "hours")
    for column in table.columns[1:]:
        column.justify = "right"
    for what, games in (
        (f"SPRT 0,{plan.elo:g}: mean, if the difference is {plan.elo:g}", plan.sprt_if_true),
        (f"SPRT 0,{plan.elo:g}: mean, if there is none", plan.sprt_if_equal),
        (f"SPRT 0,{plan.elo:g}: mean, at worst", plan.sprt_worst),
        (f"fixed number: {plan.elo:g} Elo found 4 times of 5 (p < 0.05)", plan.fixed_detect),
        (f"fixed number: a figure of {plan.elo:g} ± {plan.elo / 2:g}", plan.fixed_error),
    ):
        table.add_row(what, f"{games:,}", f"{plan.hours(games):,.1f}")
    return table
