"""The part of a page that shows a tournament: its table, who beat whom, ratings, failures, times."""

from __future__ import annotations

from evalsmith.arena.results.standings import Standings
from evalsmith.arena.results.tournament_result import TournamentResult
from evalsmith.games import Game
from evalsmith.report.bars import Bars, bar_chart
from evalsmith.report.heat import cross_table, heat_map
from evalsmith.report.matches import SMALL, TALL, last_positions, time_parts
from evalsmith.report.page import Figure, Page


def tournament_sections(page: Page, result: TournamentResult) -> None:
    """All parts, from the result alone."""
    game, standings = result.game, result.standings
    _table(page, result)
    _crosses(page, game, standings)
    _comparisons(page, standings)
    _ratings(page, standings)
    _times(page, result)
    if game.players == 2:
        page.section("Some games")
        page.figures(*last_positions(game, list(result.entries.values())[:3]))


def _table(page: Page, result: TournamentResult) -> None:
    standings = result.standings
    page.section("The table")
    page.paragraph(f"{result.verdict()}.")
    page.facts({"players": len(standings.rows), "games": standings.games})
    free = any(row.free for row in standings.rows)
    page.table(
        ["No", "player", "points", "won", "tied", "lost", "fail", "avg time (s)", "max time (s)", *(["free"] * free)],
        [
            [
                number, row.name, row.points, row.won, row.tied, row.lost, row.fail, times.time_avg, times.time_max,
                *([row.free] * free),
            ]
            for number, (row, times) in enumerate(zip(standings.rows, standings.times, strict=True), 1)
        ],
        caption="Times are seconds per game." + " Free: games of a free round, won without play." * free,
    )  # fmt: skip
    page.table(
        ["player", "first side: won", "tied", "lost", "second side: won", "tied", "lost", "failures"],
        [
            [
                row.name,
                *row.by_side[0],
                *row.by_side[1],
                ", ".join(f"{n} {why}" for why, n in row.failures.items()) or "–",
            ]
            for row in standings.rows
        ],
        caption="By side, and failures by reason.",
    )


def _crosses(page: Page, game: Game, standings: Standings) -> None:
    page.section("Who beat whom")
    page.markup(
        cross_table(standings.names, standings.points, standings.played, caption="Points of row against column.")
    )
    figures = [
        Figure(
            heat_map(
                [
                    [
                        None if i == j or not played else 100 * standings.points[i][j] / played - 50
                        for j, played in enumerate(row)
                    ]
                    for i, row in enumerate(standings.played)
                ],
                rows=standings.names,
                columns=standings.names,
                title="Share of points above one half",
                unit="%",
                limit=50,
            ),
            "Row against column.",
        )
    ]
    if game.win == 0:
        means = [[None if cell is None else cell / 100 for cell in row] for row in standings.difference]
        figures.append(
            Figure(
                heat_map(
                    means, rows=standings.names, columns=standings.names, title="Mean difference", unit=game.whole_unit
                ),
                f"Mean difference of row against column, in {game.whole_unit}.",
            )
        )
    page.figures(*figures)


def _comparisons(page: Page, standings: Standings) -> None:
    page.table(
        ["player", "against", "won", "tied", "lost", "Elo", "p (exact)", "verdict"],
        [
            [
                one.first, one.second, one.won, one.tied, one.lost,
                one.summary.elo_text(0), f"{one.p_value:.2g}",
                "differ" if one.distinct else "cannot be told apart",
            ]
            for one in standings.comparisons
        ],
        caption="The exact binomial p-value of wins against losses, ties left out, for each pair by itself.",
    )  # fmt: skip


def _ratings(page: Page, standings: Standings) -> None:
    page.section("Ratings")
    if standings.unrated:
        page.paragraph(f"No ratings: {standings.unrated}.")
        return
    page.table(
        ["player", "Elo", "± 95 %"],
        [[one.name, round(one.elo, 1), round(one.error, 1)] for one in standings.ratings],
        caption="Bradley–Terry by maximum likelihood; the mean is 0.",
    )


def _times(page: Page, result: TournamentResult) -> None:
    standings = result.standings
    page.section("Times")
    page.figure(
        bar_chart(
            standings.names,
            [
                Bars("mean", [one.time_avg for one in standings.times]),
                Bars("longest", [one.time_max for one in standings.times]),
            ],
            title="Seconds per game",
            value_label="s",
            width=2 * SMALL,
            height=TALL,
        ),
        "Time waited for each player.",
    )
    time_parts(page, standings.times, result.overload)
