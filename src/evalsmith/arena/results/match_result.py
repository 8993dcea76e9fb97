"""The result of a match between two players: counts, Elo with its error, times, and one honest sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalsmith.arena.results.counting import (
    Counted,
    PairCounts,
    game_counts,
    pair_counts,
    pair_margins,
    pair_points,
)
from evalsmith.arena.results.entry import GameEntry
from evalsmith.arena.results.times import Times, time_sentences, times_of
from evalsmith.arena.statistics.elo import TOO_FEW, Z95, Summary, binomial_p_value, pentanomial
from evalsmith.arena.statistics.sprt import Sprt
from evalsmith.games import Game
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable


@dataclass(frozen=True)
class Score:
    """One player's score. Times are seconds per game."""

    name: str
    points: float
    won: int
    tied: int
    lost: int
    fail: int
    time_avg: float
    time_max: float


@dataclass(frozen=True, repr=False)
class MatchResult(RunResult):
    """A match from the first player's view: the games that count, and what they prove.

    ``entries`` are those games in the order of their pairs, ``margins`` the mean margins of the pairs, in the game's
    unit. ``overload`` says why the times cannot be trusted, if they cannot.
    """

    game: Game
    players: tuple[Score, Score]
    pentanomial: PairCounts
    summary: Summary
    margins: tuple[float, ...]
    terminations: dict[str, int]
    entries: tuple[GameEntry, ...]
    sprt: Sprt | None = None
    times: tuple[Times, ...] = ()
    overload: tuple[str, ...] = ()
    run: Path | None = None

    # ── Numbers ──

    @property
    def games(self) -> int:
        """The number of games that count."""
        return len(self.entries)

    @property
    def elo(self) -> float:
        """How much stronger the first player is."""
        return self.summary.elo

    @property
    def elo_error(self) -> float:
        """Half the width of the 95 % interval of the Elo."""
        return self.summary.elo_error

    @property
    def margin(self) -> float:
        """The first player's mean margin per game, in the game's unit."""
        return sum(self.margins) / len(self.margins) if self.margins else 0.0

    @property
    def margin_error(self) -> float:
        """Half the width of the 95 % interval of the margin."""
        if not self.margins:
            return 0.0
        spread = sum((margin - self.margin) ** 2 for margin in self.margins) / max(1, len(self.margins) - 1)
        return Z95 * math.sqrt(spread / len(self.margins))

    @property
    def p_value(self) -> float:
        """How often equal players would differ so much: the larger of the normal value and an exact sign test on pairs.

        A few pairs that all ended alike have no variance, and the normal value alone would call that a proof.
        """
        lost, won = sum(self.pentanomial[:2]), sum(self.pentanomial[3:])
        return max(self.summary.p_value, binomial_p_value(won, lost))

    @property
    def proven(self) -> bool:
        """Whether the difference is more than chance: beyond its 95 % interval, and p below 0.05."""
        return abs(self.elo) > self.elo_error and self.p_value < 0.05

    def course(self, points: int = 100) -> list[Summary]:
        """The match as it went: the summary after some of its pairs, the last one among them."""
        halves = pair_points({entry.key: entry for entry in self.entries}, self.players[0].name)
        step = max(1, len(halves) // points)
        counts, found = [0, 0, 0, 0, 0], []
        for number, half_points in enumerate(halves, 1):
            counts[half_points] += 1
            if number % step == 0 or number == len(halves):
                found.append(pentanomial(counts))
        return found

    # ── Texts ──

    def verdict(self) -> str:
        """One sentence that never calls noise an improvement."""
        first, second = (score.name for score in self.players)
        few = self.summary.few
        error = "" if few else f" ± {self.elo_error:.0f}"
        count = f"over {self.games} games{f', {TOO_FEW}' if few else ''}"
        if not self.proven:
            return f"{first} and {second} cannot be told apart ({self.elo:+.0f}{error} Elo {count})."
        better, worse = (first, second) if self.elo > 0 else (second, first)
        return f"{better} is stronger than {worse} by {abs(self.elo):.0f}{error} Elo {count}."

    def elo_text(self) -> str:
        """The Elo with its error."""
        return f"{self.summary.elo_text()}{'' if self.summary.few else ' (95 %)'}"

    def margin_text(self) -> str:
        """The mean margin with its error, in whole units of the game."""
        error = "" if self.summary.few else f" ± {self.margin_error / 100:.2f}"
        return f"{self.margin / 100:+.2f}{error} {self.game.whole_unit} per game"

    def sprt_text(self) -> str:
        """The state of the sequential test; empty where there is none."""
        test = self.sprt
        return "" if test is None else f"LLR {test.llr:.2f} of {test.lower:.2f} … {test.upper:.2f}: {test.state}"

    def sentences(self) -> list[str]:
        """Everything that is not in the table of the players."""
        summary = self.summary
        error = "" if summary.few else f" ± {summary.nelo_error:.1f}"
        ends = ", ".join(f"{count} {name}" for name, count in sorted(self.terminations.items()))
        lines = [
            f"Pairs LL LD WL+DD WD WW: {' '.join(map(str, self.pentanomial))}",
            f"Elo {self.elo_text()}, normalized {summary.nelo:+.1f}{error}, LOS {100 * summary.los:.1f} %, "
            f"p {self.p_value:.2g}",
        ]
        if self.game.win == 0:
            lines.append(f"Mean margin {self.margin_text()}")
        if self.sprt is not None:
            lines.append(f"SPRT {self.sprt_text()}")
        return [*lines, f"Terminations: {ends}", *time_sentences(self.times, self.overload), self.verdict()]

    def tables(self) -> Sequence[TextTable]:
        """The players, and what follows."""
        columns = ("player", "points", "won", "tied", "lost", "fail", "time avg", "time max")
        rows = tuple(
            (one.name, one.points, one.won, one.tied, one.lost, one.fail, *(f"{t:.3f} s" for t in times))
            for one in self.players
            for times in [(one.time_avg, one.time_max)]
        )
        where = (f"Games in {self.run}",) if self.run is not None else ()
        return [TextTable(columns, rows, (*self.sentences(), *where))]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith match --json`` and of ``result.json``."""
        return {
            "players": [asdict(score) for score in self.players],
            "pentanomial": list(self.pentanomial),
            "elo": self.elo,
            "elo_error": self.elo_error,
            "nelo": self.summary.nelo,
            "nelo_error": self.summary.nelo_error,
            "los": self.summary.los,
            "p_value": self.p_value,
            "sprt": asdict(self.sprt) if self.sprt else None,
            "margin": self.margin,
            "margin_error": self.margin_error,
            "reasons": self.terminations,
            "games": self.games,
            "times": [times.to_json() for times in self.times],
            "overload": list(self.overload),
            "game": self.game.name,
            "unit": self.game.unit,
            "verdict": self.verdict(),
        }


def match_result(
    game: Game, names: tuple[str, str], counted: Counted, overload: Sequence[str] = (), run: Path | None = None
) -> MatchResult:
    """The result of the games that count; a pair of which only one game is played counts in points alone."""
    entries = tuple(counted.games.values())
    lost, tied, won = game_counts(counted.games, names[0])
    pentanomial_counts = pair_counts(pair_points(counted.games, names[0]))
    times = tuple(times_of(name, entries) for name in names)
    scores = [
        Score(
            name=name,
            points=wins + tied / 2,
            won=wins,
            tied=tied,
            lost=losses,
            fail=sum(entry.sides.index(name) in entry.failed_sides for entry in entries),
            time_avg=own.time_avg,
            time_max=own.time_max,
        )
        for name, wins, losses, own in zip(names, (won, lost), (lost, won), times, strict=True)
    ]
    return MatchResult(
        game=game,
        players=(scores[0], scores[1]),
        pentanomial=pentanomial_counts,
        summary=pentanomial(pentanomial_counts),
        margins=pair_margins(counted.games, names[0]),
        terminations=dict(Counter(entry.termination for entry in entries)),
        entries=entries,
        sprt=counted.sprt,
        times=times,
        overload=tuple(overload),
        run=run,
    )
