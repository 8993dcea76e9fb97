"""The result of a tournament: its table, the winner of a knockout, and the games that a player lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalsmith.arena.play.load import HostLoad
from evalsmith.arena.results.boards import BoardScore
from evalsmith.arena.results.counting import CountedGames
from evalsmith.arena.results.entry import GameEntry
from evalsmith.arena.results.standings import Comparison, Row, Standings
from evalsmith.arena.results.times import time_sentences
from evalsmith.arena.statistics.ratings import Rating
from evalsmith.games import Game
from evalsmith.run import InputError
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable


@dataclass(frozen=True, repr=False)
class TournamentResult(RunResult):
    """A tournament, complete or not.

    ``entries`` are the games of its table, read from the log whenever they are asked for; ``boards`` how far players
    came on their boards, by level (none in games of two), ``hosts`` who played games with clocks.
    """

    game: Game
    format: str
    standings: Standings
    entries: CountedGames
    winner: str | None = None
    boards: tuple[BoardScore, ...] = ()
    hosts: tuple[HostLoad, ...] = ()
    overload: tuple[str, ...] = ()
    run: Path | None = None

    @property
    def players(self) -> tuple[Row, ...]:
        """The rows of the table, the best player first."""
        return self.standings.rows

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The ratings of the players; none if the games do not connect them."""
        return self.standings.ratings

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All players who met, two at a time."""
        return self.standings.comparisons

    def verdict(self) -> str:
        """Who won, in a sentence that says when chance may explain it; before it, who failed in every game."""
        broken = [f"{one.sentence()}. " for one in self.standings.failures if one.always]
        return "".join(broken) + self._first()

    def _first(self) -> str:
        if self.winner is not None:
            return f"{self.winner} wins the knockout"
        if not self.standings.games:
            return "no games were played"
        names = self.standings.names
        equals = [
            other
            for one in self.comparisons
            for first, other in ((one.first, one.second), (one.second, one.first))
            if first == names[0] and not one.distinct
        ]
        if not equals:
            return f"{names[0]} is first"
        return f"{names[0]} is first, but cannot be told apart from {', '.join(equals)}"

    def lost_by(self, player: str, opponent: str | None = None) -> list[GameEntry]:
        """The games that a player lost, to one opponent or to any, sorted by opponent."""
        known = sorted(row.name for row in self.players if row.games)
        for name in (player, opponent):
            if name is not None and name not in known:
                raise InputError(f"no player has the name {name!r}; the players are {', '.join(known) or 'none'}")
        found = [
            entry
            for entry in self.entries
            if player in entry.sides
            and (opponent is None or opponent in entry.sides)
            and (entry.value_for(player) < 0 or entry.sides.index(player) in entry.failed_sides)
        ]
        return sorted(found, key=lambda entry: (entry.sides[1 - entry.sides.index(player)], entry.key))

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith tournament --json`` and of ``result.json``."""
        return {
            **self.standings.to_json(),
            "winner": self.winner,
            "hosts": [asdict(one) for one in self.hosts],
            "overload": list(self.overload),
            "game": self.game.name,
            "unit": self.game.unit,
            "format": self.format,
            "verdict": self.verdict(),
        }

    # ── Texts ──

    def tables(self) -> Sequence[TextTable]:
        """The standings, who beat whom, and every comparison with its p-value."""
        standings = self.standings
        wins = _matrix("Won (row beat column)", standings, standings.wins, "{:d}")
        found = [standings_table(standings), wins]
        if self.game.win == 0:
            means = [[None if cell is None else cell / 100 for cell in row] for row in standings.difference]
            found.append(_matrix(f"Mean difference in {self.game.whole_unit}", standings, means, "{:+.1f}"))
        return [*found, _comparisons(standings, self._sentences())]

    def _sentences(self) -> list[str]:
        lines = [one.sentence() for one in self.standings.failures if one.failed]
        ends = ", ".join(f"{count} {name}" for name, count in sorted(self.standings.terminations.items()))
        if ends:
            lines.append(f"Terminations: {ends}")
        if self.standings.unrated:
            lines.append(f"No ratings: {self.standings.unrated}")
        lines += [*time_sentences(self.standings.times, self.hosts, self.overload), self.verdict()]
        return [*lines, f"Games in {self.run}"] if self.run is not None else lines


def standings_table(standings: Standings, title: str = "") -> TextTable:
    """The table of a competition, with ratings and free rounds where there are any."""
    ratings = {one.name: one for one in standings.ratings}
    free = any(row.free for row in standings.rows)
    late = any(one.late_avg is not None for one in standings.failures)
    rows = []
    table = zip(standings.rows, standings.times, standings.failures, strict=True)
    for number, (row, times, failures) in enumerate(table, 1):
        one = ratings.get(row.name)
        cells = [number, row.name, *([_rating(one, standings)] if ratings else [])]
        cells += [row.games, row.points, f"{100 * row.share:.1f} %", row.won, row.tied, row.lost, row.fail]
        cells += [f"{times.time_avg:.2f}", f"{times.time_max:.2f}", *([failures.late_text()] if late else [])]
        rows.append((*cells, *([row.free] if free else [])))
    heads = ("games", "points", "share", "won", "tied", "lost", "fail", "avg time", "max time")
    columns = ("No", "player", *(["Elo"] if ratings else []), *heads, *(["late"] if late else []))
    notes = [f"Ranked by {standings.order}."]
    if free:
        notes.append("Free: games of a free round, won without play; the points include them.")
    return TextTable((*columns, *(["free"] if free else [])), tuple(rows), tuple(notes), title)


def _rating(one: Rating | None, standings: Standings) -> str:
    if one is None:
        return ""
    if one.name in standings.anchors:
        return f"{one.elo:.0f} (fixed)"
    return f"{one.elo:.0f} ± {one.error:.0f}" if standings.anchors else f"{one.elo:+.0f} ± {one.error:.0f}"


def _matrix(title: str, standings: Standings, matrix: Sequence[Sequence[Any]], form: str) -> TextTable:
    """A square table of all pairs of players."""
    rows = []
    for i, (name, line) in enumerate(zip(standings.names, matrix, strict=True)):
        cells = [
            "·" if i == j else "" if not standings.played[i][j] or cell is None else form.format(cell)
            for j, cell in enumerate(line)
        ]
        rows.append((i + 1, name, *cells))
    return TextTable(("No", "player", *map(str, range(1, len(rows) + 1))), tuple(rows), title=title)


def _comparisons(standings: Standings, sentences: Sequence[str]) -> TextTable:
    rows = tuple(
        (
            one.first, one.second, one.games, one.won, one.tied, one.lost, *strength_cells(one), short_verdict(one),
        )
        for one in standings.comparisons
    )  # fmt: skip
    columns = ("player", "against", "games", "won", "tied", "lost", "Elo", "LOS", "p", "")
    return TextTable(columns, rows, tuple(sentences))


def strength_cells(one: Comparison) -> tuple[str, str, str]:
    """Elo, likelihood of superiority and p-value; empty where no pair of games is without a failure."""
    if not one.verdict.by_moves:
        return "", "", ""
    return one.summary.elo_text(0), f"{100 * one.summary.los:.1f} %", one.summary.p_text.removeprefix("p ")


def short_verdict(one: Comparison) -> str:
    """The verdict on two players in a few words."""
    if one.distinct:
        return one.verdict.outcome
    failures = one.summary.proven or not one.verdict.by_moves
    return "decided by failures" if failures else "cannot be told apart"
