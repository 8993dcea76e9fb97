"""The part of a page that shows a tournament: its table, who beat whom, ratings, failures, times."""

from __future__ import annotations

from itertools import islice

from evalsmith.arena.results.boards import board_columns, board_rows, how_boards_count
from evalsmith.arena.results.standings import Standings
from evalsmith.arena.results.tournament_result import TournamentResult, short_verdict, strength_cells
from evalsmith.games import Game
from evalsmith.report.bars import Bars, bar_chart
from evalsmith.report.heat import RESULT_COLOURS, cross_table, heat_map
from evalsmith.report.matches import SMALL, TALL, last_positions, time_parts
from evalsmith.report.page import Page


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
        page.figures(*last_positions(game, islice(result.entries, 3)))


def _table(page: Page, result: TournamentResult) -> None:
    standings = result.standings
    page.section("The table")
    page.paragraph(f"{result.verdict()}.")
    page.facts({"players": len(standings.rows), "games": standings.games})
    free, rated = any(row.free for row in standings.rows), {one.name: one for one in standings.ratings}
    late = any(one.late_avg is not None for one in standings.failures)
    page.table(
        [
            "No", "player", *(["Elo"] if rated else []), "games", "points", "share", "won", "tied", "lost", "fail",
            "avg time (s)", "max time (s)", *(["late (s, mean)"] * late), *(["free"] * free),
        ],
        [
            [
                number, row.name, *([round(rated[row.name].elo)] if row.name in rated else [None] if rated else []),
                row.games, row.points, f"{100 * row.share:.1f} %", row.won, row.tied, row.lost, row.fail,
                times.time_avg, times.time_max, *([failures.late_avg] * late), *([row.free] * free),
            ]
            for number, (row, times, failures) in enumerate(
                zip(standings.rows, standings.times, standings.failures, strict=True), 1
            )
        ],
        caption=f"Ranked by {standings.order}. Times are seconds per game."
        + " Free: games of a free round, won without play." * free,
    )  # fmt: skip
    if result.game.players == 1:
        page.table(
            list(board_columns(result.game)),
            [list(row) for row in board_rows(result.game, result.boards)],
            caption=how_boards_count(result.game),
        )
    _by_side(page, result.game, standings)


def _by_side(page: Page, game: Game, standings: Standings) -> None:
    """Results with each side, and failures by reason; the sides of a game for one mean nothing."""
    failed = any(one.failed for one in standings.failures)
    if game.players == 2:
        first, second = (side.capitalize() for side in game.sides)
        page.table(
            ["player", *(f"{side}: {what}" for side in (first, second) for what in ("won", "tied", "lost"))],
            [[row.name, *row.by_side[0], *row.by_side[1]] for row in standings.rows],
            caption="Results by side.",
        )
    if failed:
        page.table(
            ["player", "failures"],
            [[one.name, one.sentence().partition(": ")[2]] for one in standings.failures if one.failed],
            caption="Failures by reason.",
        )


def _crosses(page: Page, game: Game, standings: Standings) -> None:
    page.section("Who beat whom")
    if not standings.games:
        return
    page.markup(
        cross_table(standings.names, standings.points, standings.played, caption="Points of row against column.")
    )
    if game.win == 0 and any(cell is not None for row in standings.difference for cell in row):
        means = [[None if cell is None else cell / 100 for cell in row] for row in standings.difference]
        page.figure(
            heat_map(
                means,
                rows=standings.names,
                columns=standings.names,
                title="Mean difference",
                unit=game.whole_unit,
                colours=RESULT_COLOURS,
            ),
            f"Mean difference of row against column, in {game.whole_unit}.",
        )


def _comparisons(page: Page, standings: Standings) -> None:
    if not standings.comparisons:
        return
    page.table(
        ["player", "against", "games", "won", "tied", "lost", "Elo", "LOS", "p", "verdict"],
        [
            [
                one.first, one.second, one.games, one.won, one.tied, one.lost, *strength_cells(one), short_verdict(one),
            ]
            for one in standings.comparisons
        ],
        caption="Each two players as a match of their own, by pairs of games. The verdict is on the first of them.",
    )  # fmt: skip


def _ratings(page: Page, standings: Standings) -> None:
    page.section("Ratings")
    if not standings.games:
        return
    if standings.unrated:
        page.paragraph(f"No ratings: {standings.unrated}.")
        return
    fixed = ", ".join(f"{name} at {elo:g}" for name, elo in standings.anchors.items())
    zero = f"fixed: {fixed}" if fixed else "the mean is 0"
    page.table(
        ["player", "Elo", "± 95 %"],
        [[one.name, round(one.elo, 1), round(one.error, 1)] for one in standings.ratings],
        caption=f"Bradley–Terry by maximum likelihood; {zero}.",
    )


def _times(page: Page, result: TournamentResult) -> None:
    standings = result.standings
    page.section("Times")
    if not standings.games:
        return
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
    time_parts(page, standings.times, result.hosts, result.overload)
