"""The result of a match between two players: counts, Elo with its interval, times, and one honest verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evalsmith.arena.play.load import HostLoad
from evalsmith.arena.results.boards import BoardScore, board_columns, board_rows, how_boards_count
from evalsmith.arena.results.counting import CountedGames
from evalsmith.arena.results.judging import judge_meeting
from evalsmith.arena.results.tally import Course, Margins, Meeting, PairCounts, Tally
from evalsmith.arena.results.times import Times, time_sentences
from evalsmith.arena.statistics.elo import Summary
from evalsmith.arena.statistics.sprt import Sprt
from evalsmith.arena.statistics.verdict import Failures, Verdict
from evalsmith.games import Game
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable


@dataclass(frozen=True)
class Score:
    """One player's score. Times are seconds per game; ``late_avg`` and ``late_max`` are of moves that lost on time."""

    name: str
    points: float
    won: int
    tied: int
    lost: int
    fail: int
    time_avg: float
    time_max: float
    late_avg: float | None = None
    late_max: float | None = None

    @property
    def games(self) -> int:
        """The number of its games."""
        return self.won + self.tied + self.lost

    @property
    def share(self) -> float:
        """The share of the points that it took, 0 to 1."""
        return self.points / max(1, self.games)


@dataclass(frozen=True, repr=False)
class MatchResult(RunResult):
    """A match from the first player's view: the games that count, and what they prove.

    ``entries`` are those games, ``games`` many, read from the log whenever they are asked for. ``margins`` are the mean
    margins of the pairs, in the game's unit. ``judged`` is the verdict, ``failures`` are those of the two players,
    ``pairs`` their counts as the match went, ``boards`` how far both players came on their boards, by level (none in
    games of two), ``hosts`` who played games with clocks. ``overload`` says why the times cannot be trusted, if they
    cannot.
    """

    game: Game
    players: tuple[Score, Score]
    pentanomial: PairCounts
    summary: Summary
    margins: Margins
    terminations: dict[str, int]
    games: int
    entries: CountedGames
    judged: Verdict
    failures: tuple[Failures, ...] = ()
    sprt: Sprt | None = None
    times: tuple[Times, ...] = ()
    pairs: Course = field(default_factory=Course)
    boards: tuple[BoardScore, ...] = ()
    hosts: tuple[HostLoad, ...] = ()
    overload: tuple[str, ...] = ()
    run: Path | None = None

    # ── Numbers ──

    @property
    def elo(self) -> float:
        """How much stronger the first player is."""
        return self.summary.elo

    @property
    def elo_error(self) -> float:
        """Half the width of the 95 % interval of the Elo; its ends are in ``summary``."""
        return self.summary.elo_error

    @property
    def margin(self) -> float:
        """The first player's mean margin per game, in the game's unit."""
        return self.margins.mean

    @property
    def margin_error(self) -> float:
        """Half the width of the 95 % interval of the margin."""
        return self.margins.error

    @property
    def p_value(self) -> float:
        """How often equal players would differ so much."""
        return self.summary.p_value

    @property
    def proven(self) -> bool:
        """Whether the difference is more than chance, and not a matter of failures."""
        return self.judged.proven

    def course(self) -> list[Summary]:
        """The match as it went: the summary after some of its pairs, the last one among them."""
        return self.pairs.summaries()

    # ── Texts ──

    def verdict(self) -> str:
        """The verdict in words: it never calls noise or a failure an improvement."""
        return self.judged.text

    def elo_text(self) -> str:
        """The Elo with both ends of its interval."""
        return self.summary.elo_text()

    def margin_text(self) -> str:
        """The mean margin with its error, in whole units of the game."""
        error = "" if len(self.margins) < 2 else f" ± {self.margin_error / 100:.2f}"
        return f"{self.margin / 100:+.2f}{error} {self.game.whole_unit} per game"

    def sprt_text(self) -> str:
        """The state of the sequential test; empty where there is none."""
        test = self.sprt
        return "" if test is None else f"LLR {test.llr:.2f} of {test.lower:.2f} … {test.upper:.2f}: {test.state}"

    def termination_text(self) -> str:
        """How many games ended in which way."""
        return ", ".join(f"{count} {name}" for name, count in sorted(self.terminations.items()))

    def sentences(self) -> list[str]:
        """Everything that is not in the table of the players."""
        summary = self.summary
        # Of results without any spread, or without games, normalized Elo would be a number made of nothing.
        spread = summary.games and not summary.sweep
        normalized = f"normalized {summary.nelo:+.1f} ± {summary.nelo_error:.1f}, " if spread else ""
        lines = [how_boards_count(self.game)] if self.boards else []
        lines.append(f"Pairs LL LD WL+DD WD WW: {' '.join(map(str, self.pentanomial))}")
        if self.judged.by_moves:
            failed = " with failures counted as losses" if any(one.failed for one in self.failures) else ""
            chances = f"LOS {100 * summary.los:.1f} %, {summary.p_text}"
            lines.append(f"Elo{failed} {self.elo_text()}, {normalized}{chances}")
        if self.game.win == 0:
            lines.append(f"Mean margin {self.margin_text()}")
        if self.sprt is not None:
            lines.append(f"SPRT {self.sprt_text()}")
        return [
            *lines,
            f"Terminations: {self.termination_text()}",
            *time_sentences(self.times, self.hosts, self.overload),
            self.verdict(),
        ]

    def tables(self) -> Sequence[TextTable]:
        """The players, and what follows."""
        late = any(one.late_avg is not None for one in self.players)
        columns = ("player", "points", "share", "games", "won", "tied", "lost", "fail", "time avg", "time max")
        rows = tuple(
            (
                one.name, one.points, f"{100 * one.share:.1f} %", one.games, one.won, one.tied, one.lost, one.fail,
                f"{one.time_avg:.3f} s", f"{one.time_max:.3f} s", *([failures.late_text()] if late else []),
            )
            for one, failures in zip(self.players, self.failures, strict=True)
        )  # fmt: skip
        where = (f"Games in {self.run}",) if self.run is not None else ()
        table = TextTable((*columns, *(["late"] if late else [])), rows, (*self.sentences(), *where))
        boards = TextTable(board_columns(self.game), board_rows(self.game, self.boards))
        return [boards, table] if self.boards else [table]

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith match --json`` and of ``result.json``."""
        return {
            "players": [asdict(score) for score in self.players],
            "pentanomial": list(self.pentanomial),
            "elo": self.elo,
            "elo_low": self.summary.elo_low,
            "elo_high": self.summary.elo_high,
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
            "hosts": [asdict(one) for one in self.hosts],
            "overload": list(self.overload),
            "game": self.game.name,
            "unit": self.game.unit,
            "outcome": self.judged.outcome,
            "verdict": self.verdict(),
            **({"boards": [asdict(one) for one in self.boards]} if self.boards else {}),
        }


def match_result(
    game: Game,
    counted: CountedGames,
    overload: Sequence[str] = (),
    run: Path | None = None,
    tally: Tally | None = None,
) -> MatchResult:
    """The result of the games that count, which ``tally`` has where they were summed up already.

    A pair of which only one game is played counts in points alone.
    """
    tally = tally or counted.tally(game)
    first, second = counted.names
    meeting = tally.meeting(first, second) or Meeting(first, second)
    lost, tied, won = meeting.all.game_counts
    players = [tally.players[name] for name in (first, second)]
    times, failures = (tuple(getattr(one, what).result() for one in players) for what in ("times", "failures"))
    summary, judged = judge_meeting(meeting)
    scores = [
        Score(
            name=own.name,
            points=wins + tied / 2,
            won=wins,
            tied=tied,
            lost=losses,
            fail=failed.failed,
            time_avg=own.time_avg,
            time_max=own.time_max,
            late_avg=failed.late_avg,
            late_max=failed.late_max,
        )
        for wins, losses, own, failed in zip((won, lost), (lost, won), times, failures, strict=True)
    ]
    return MatchResult(
        game=game,
        players=(scores[0], scores[1]),
        pentanomial=meeting.all.pair_counts,
        summary=summary,
        margins=meeting.margins,
        terminations=dict(tally.terminations),
        games=tally.games,
        entries=counted,
        judged=judged,
        failures=failures,
        sprt=tally.sprt,
        times=times,
        pairs=tally.course,
        boards=() if tally.boards is None else tally.boards.scores((first, second)),
        hosts=tally.machines.hosts(),
        overload=tuple(overload),
        run=run,
    )
