"""What a match between two players comes to: counts, Elo with its error, times, and one honest sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalsmith.arena.play.adjudication import SOLVED
from evalsmith.arena.play.load import overload
from evalsmith.arena.results.entry import GameEntry, GameKey, sign
from evalsmith.arena.results.log import GAMES, read_log
from evalsmith.arena.results.times import Times, times_of
from evalsmith.arena.statistics.elo import TOO_FEW, Summary, binomial_p_value, pentanomial
from evalsmith.arena.statistics.sequential import SequentialTest, SprtConfig, half_points
from evalsmith.arena.statistics.sprt import Sprt
from evalsmith.games import Game
from evalsmith.games.termination import BY_MATE, BY_REPETITION, BY_RULE, BY_STALEMATE

# Ends whose result is the value of the game itself, so that it is a margin where the game has one.
_MEASURED = frozenset({BY_RULE, BY_MATE, BY_STALEMATE, BY_REPETITION, SOLVED})


@dataclass(frozen=True)
class Score:
    """How one player fared. Times are seconds a game."""

    name: str
    points: float
    won: int
    tied: int
    lost: int
    fail: int
    time_avg: float
    time_max: float


@dataclass(frozen=True)
class MatchResult:
    """A finished match, for the first player: the counts, and what may be concluded from them."""

    players: tuple[Score, Score]
    counts: tuple[int, int, int, int, int]
    margin: float
    margin_error: float
    summary: Summary
    reasons: dict[str, int]
    games: int
    sprt: Sprt | None = None
    times: tuple[Times, ...] = ()
    overload: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith match --json``."""
        return {
            "players": [asdict(score) for score in self.players],
            "pentanomial": list(self.counts),
            "elo": self.summary.elo,
            "elo_error": self.summary.elo_error,
            "nelo": self.summary.nelo,
            "nelo_error": self.summary.nelo_error,
            "los": self.summary.los,
            "p_value": self.p_value,
            "sprt": asdict(self.sprt) if self.sprt else None,
            "margin": self.margin,
            "margin_error": self.margin_error,
            "reasons": self.reasons,
            "games": self.games,
            "times": [asdict(times) for times in self.times],
            "overload": list(self.overload),
        }

    @property
    def p_value(self) -> float:
        """How often equal players would differ so much: the larger of the normal value and an exact sign test on pairs.

        A few pairs that all ended alike have no variance, and the normal value alone would call that a proof.
        """
        lost, won = sum(self.counts[:2]), sum(self.counts[3:])
        return max(self.summary.p_value, binomial_p_value(won, lost))

    @property
    def proven(self) -> bool:
        """Whether the difference is more than chance: beyond its 95 % interval, and p below 0.05."""
        return abs(self.summary.elo) > self.summary.elo_error and self.p_value < 0.05

    def verdict(self) -> str:
        """One sentence that never calls noise an improvement."""
        first, second = (score.name for score in self.players)
        elo, few = self.summary.elo, self.summary.few
        error = "" if few else f" ± {self.summary.elo_error:.0f}"
        count = f"over {self.games} games{f', {TOO_FEW}' if few else ''}"
        if not self.proven:
            return f"{first} and {second} cannot be told apart ({elo:+.0f}{error} Elo {count})."
        better, worse = (first, second) if elo > 0 else (second, first)
        return f"{better} is stronger than {worse} by {abs(elo):.0f}{error} Elo {count}."


def read_games(path: Path) -> dict[tuple[int, int], GameEntry]:
    """The finished games of a match by pair and half."""
    games = {(key.pair, key.half): entry for key, entry in read_log(path).items()}
    return dict(sorted(games.items()))


def has_margin(entry: GameEntry) -> bool:
    """Whether the result of a game is a margin: it was played to an end that has one, and nobody failed."""
    measured = entry.margin is not None or entry.termination in _MEASURED
    return measured and not entry.failed


def summarise(
    game: Game,
    path: Path,
    names: tuple[str, str],
    test: SprtConfig | None = None,
    concurrency: int | None = None,
    timed: bool = True,
) -> MatchResult:
    """The result of the games of a run folder, half pairs left out of the pair counts.

    Games that were played after a sequential test had its answer do not count. Where no time was limited (``timed`` is
    False) a busy machine changes nothing, and is not spoken of.
    """
    log = {key: entry for key, entry in read_log(path / GAMES).items() if {key.first, key.second} == set(names)}
    games = {(key.pair, key.half): entry for key, entry in sorted(log.items())}
    values = {key: entry.value_for(names[0]) for key, entry in games.items()}
    sequential = SequentialTest(test)
    if sequential.decided_by(values):
        games = {key: entry for key, entry in games.items() if key[0] < sequential.pairs}
        values = {key: value for key, value in values.items() if key[0] < sequential.pairs}
    counts, margins = _pairs(games, values)
    won, tied, lost = (sum(sign(v) == s for v in values.values()) for s in (1, 0, -1))
    mean = sum(margins) / len(margins) if margins else 0.0
    spread = sum((margin - mean) ** 2 for margin in margins) / max(1, len(margins) - 1)
    points = won + tied / 2
    times = tuple(times_of(name, games.values()) for name in names)
    fails = [sum(entry.sides.index(name) in entry.failed_sides for entry in games.values()) for name in names]
    first, second = times
    return MatchResult(
        (
            Score(names[0], points, won, tied, lost, fails[0], first.time_avg, first.time_max),
            Score(names[1], len(values) - points, lost, tied, won, fails[1], second.time_avg, second.time_max),
        ),
        (counts[0], counts[1], counts[2], counts[3], counts[4]),
        mean,
        1.959964 * (spread / len(margins)) ** 0.5 if margins else 0.0,
        pentanomial(counts),
        dict(Counter(entry.termination for entry in games.values())),
        len(values),
        sequential.state,
        times,
        tuple(overload(games.values(), concurrency)) if timed else (),
    )


def counts_of(log: Mapping[GameKey, GameEntry], first: str, second: str) -> tuple[list[int], tuple[int, int, int]]:
    """All games of two players in any rounds, for the first: counts of whole pairs, and games lost, drawn and won."""
    own = {key: entry for key, entry in log.items() if {key.first, key.second} == {first, second}}
    values = {key: entry.value_for(first) for key, entry in own.items()}
    counts, singles = [0, 0, 0, 0, 0], [0, 0, 0]
    for key, value in values.items():
        singles[1 + sign(value)] += 1
        other = key._replace(half=1)
        if key.half == 0 and other in values:
            counts[half_points(value, values[other])] += 1
    return counts, (singles[0], singles[1], singles[2])


def _pairs(
    games: Mapping[tuple[int, int], GameEntry], values: Mapping[tuple[int, int], int]
) -> tuple[list[int], list[float]]:
    """The counts of the whole pairs, and their mean margins where both games have one."""
    counts, margins = [0, 0, 0, 0, 0], []
    for pair in sorted({key[0] for key in values}):
        if (pair, 0) not in values or (pair, 1) not in values:
            continue
        both = (values[pair, 0], values[pair, 1])
        counts[half_points(*both)] += 1
        if has_margin(games[pair, 0]) and has_margin(games[pair, 1]):
            margins.append(sum(both) / 2)
    return counts, margins
