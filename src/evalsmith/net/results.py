"""What the commands of nets give: small results that show themselves as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalsmith.run.results import Result, RunResult
from evalsmith.run.tables import TextTable


@dataclass(frozen=True, repr=False)
class SelfplayResult(Result):
    """Games of self-play in a dataset. ``cleared`` and ``left`` are of games for one."""

    dataset: Path
    games: int
    positions: int
    moves: float
    won: float
    left: float | None

    def tables(self) -> Sequence[TextTable]:
        """One line."""
        rows: list[tuple[str, str]] = [("games", f"{self.games:,}"), ("positions", f"{self.positions:,}")]
        rows.append(("moves per game", f"{self.moves:.1f}"))
        rows.append(("won by the first side" if self.left is None else "cleared", f"{100 * self.won:.1f} %"))
        if self.left is not None:
            rows.append(("left on average", f"{self.left:.2f}"))
        return (TextTable((str(self.dataset), ""), tuple(rows), ()),)

    def to_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "dataset": str(self.dataset),
            "games": self.games,
            "positions": self.positions,
            "moves": self.moves,
            "won": self.won,
            "left": self.left,
        }


@dataclass(frozen=True, repr=False)
class TrainResult(RunResult):
    """A trained net, and its losses on held-out games (or, where none were held out, on those it learned from)."""

    net: Path
    run: Path | None
    steps: int
    positions: int
    losses: dict[str, float]
    held_out: bool

    def tables(self) -> Sequence[TextTable]:
        """The losses, part by part."""
        of = "held-out games" if self.held_out else "the games it learned from"
        rows = tuple((name, f"{value:.4f}") for name, value in self.losses.items())
        return (TextTable(("loss", of), rows, (f"{self.net}: {self.steps:,} steps on {self.positions:,} positions",)),)

    def to_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "net": str(self.net),
            "steps": self.steps,
            "positions": self.positions,
            "losses": self.losses,
            "held_out": self.held_out,
        }


@dataclass(frozen=True, repr=False)
class ValueResult(RunResult):
    """Weights with a small net, and losses on held-out games: mean squared errors of values between -1 and 1."""

    weights: Path
    run: Path | None
    steps: int
    positions: int
    units: int
    views: int
    numbers: int
    losses: dict[str, float]
    held_out: bool

    def tables(self) -> Sequence[TextTable]:
        """The losses of the linear weights, of the net and of its integers."""
        of = "held-out games" if self.held_out else "the games it learned from"
        rows = tuple((name, f"{value:.5f}") for name, value in self.losses.items())
        made = f"{self.weights}: {self.numbers:,} numbers, {self.steps:,} steps on {self.positions:,} positions"
        return (TextTable(("squared error", of), rows, (made,)),)

    def to_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "weights": str(self.weights),
            "steps": self.steps,
            "positions": self.positions,
            "units": self.units,
            "views": self.views,
            "numbers": self.numbers,
            "losses": self.losses,
            "held_out": self.held_out,
        }


@dataclass(frozen=True)
class PilotScore:
    """What one of two players did on all starts. ``cleared``, ``left`` and ``moves`` are of games for one.

    ``moves`` is the mean of the cleared boards; None where there are none.
    """

    name: str
    score: float
    cleared: int | None = None
    left: float | None = None
    moves: float | None = None


@dataclass(frozen=True)
class Difference:
    """A mean difference between two players over so many starts, with its standard error."""

    mean: float
    error: float
    count: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mean - 1.96 * self.error, self.mean + 1.96 * self.error

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"mean": self.mean, "error": self.error, "count": self.count, "interval": list(self.interval)}


def _moves(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:.1f}"


@dataclass(frozen=True, repr=False)
class NetComparison(Result):
    """Two players on the same starts: scores from 0 to 1, and the difference with its standard error.

    In games for one also how much more often the first cleared the board, and how many more moves it took where both
    did.
    """

    first: PilotScore
    second: PilotScore
    games: int
    difference: float
    error: float
    cleared: Difference | None = None
    moves: Difference | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference."""
        return self.difference - 1.96 * self.error, self.difference + 1.96 * self.error

    @property
    def worse(self) -> bool:
        """Whether the first is worse, beyond chance."""
        return self.interval[1] < 0

    def tables(self) -> Sequence[TextTable]:
        """Both players, and what may be concluded."""
        low, high = self.interval
        verdict = "better" if low > 0 else "worse" if high < 0 else "neither better nor worse beyond chance"
        sentence = f"{self.first.name} is {verdict}: {self.difference:+.4f} (95 % from {low:+.4f} to {high:+.4f})"
        rows = tuple(
            (
                one.name,
                f"{one.score:.4f}",
                *((one.cleared, f"{one.left:.2f}", _moves(one.moves)) if one.cleared is not None else ()),
            )
            for one in (self.first, self.second)
        )
        alone = self.first.cleared is not None
        columns = ("player", "score", *(("cleared", "left", "moves when cleared") if alone else ()))
        notes = [f"{self.games} paired starts", sentence]
        if self.cleared is not None:
            low, high = self.cleared.interval
            mean = 100 * self.cleared.mean
            notes.append(f"cleared more often by {mean:+.1f} % (95 % from {100 * low:+.1f} to {100 * high:+.1f})")
        if self.moves is not None:
            low, high = self.moves.interval
            where = f"where both cleared ({self.moves.count} starts)"
            notes.append(f"moves {where}: {self.moves.mean:+.1f} (95 % from {low:+.1f} to {high:+.1f})")
        return (TextTable(columns, rows, tuple(notes)),)

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain values."""
        low, high = self.interval
        return {
            "players": [vars(self.first), vars(self.second)],
            "games": self.games,
            "difference": self.difference,
            "error": self.error,
            "interval": [low, high],
            "cleared": None if self.cleared is None else self.cleared.to_json(),
            "moves": None if self.moves is None else self.moves.to_json(),
        }


@dataclass(frozen=True, repr=False)
class LoopResult(RunResult):
    """The rounds of a loop, and the best net. ``start`` is how the net that it began with met the ``yardstick``."""

    run: Path | None
    net: Path | None
    rounds: tuple[dict[str, Any], ...] = field(default_factory=tuple)
    yardstick: str = ""
    start: dict[str, Any] | None = None

    def tables(self) -> Sequence[TextTable]:
        """A line a round."""
        rows = tuple(
            (
                one["round"],
                one["games"],
                one["positions"],
                f"{100 * one['won']:.0f} %",
                f"{one['moves']:.1f}",
                f"{one['loss']:.3f}",
                "" if one.get("difference") is None else f"{one['difference']:+.4f} ± {1.96 * one['error']:.4f}",
                "kept" if one["kept"] else "refused",
            )
            for one in self.rounds
        )
        columns = ("round", "games", "positions", "won", "moves", "loss", "against the best", "")
        tables = [TextTable(columns, rows, (f"the best net: {self.net}",))]
        if points := curve_points(self.start, self.rounds):
            tables.append(_curve_table(points, self.yardstick))
        return tables

    def to_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {"net": str(self.net), "rounds": list(self.rounds), "yardstick": self.yardstick, "start": self.start}


@dataclass(frozen=True)
class CurvePoint:
    """One net of a loop against the yardstick; ``round`` is -1 for the net that the loop started from.

    ``score`` is the net's from 0 to 1, ``difference`` (with its standard error) that of net and yardstick; in a game
    for two a difference of 2·score − 1. ``cleared`` and ``moves`` are of games for one: how many boards, and the mean
    of the moves with its standard error against the yardstick's on the boards that both cleared.
    """

    round: int
    kept: bool
    games: int
    score: float
    difference: float
    error: float | None
    cleared: int | None
    moves: float | None
    moves_difference: Difference | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the difference."""
        if self.error is None:
            return None
        return self.difference - 1.96 * self.error, self.difference + 1.96 * self.error


def curve_points(start: dict[str, Any] | None, rounds: Sequence[dict[str, Any]]) -> list[CurvePoint]:
    """How the nets of a loop met the yardstick, where they did; the start first."""
    measured = [(-1, True, start)] if start is not None else []
    measured += [(one["round"], one["kept"], one["yardstick"]) for one in rounds if one.get("yardstick")]
    return [_point(number, kept, found) for number, kept, found in measured]


def _point(number: int, kept: bool, found: dict[str, Any]) -> CurvePoint:
    net, moves = found["players"][0], found["moves"]
    return CurvePoint(
        number, kept, found["games"], net["score"], found["difference"], found["error"], net["cleared"], net["moves"],
        None if moves is None else Difference(moves["mean"], moves["error"], moves["count"]),
    )  # fmt: skip


def _curve_table(points: Sequence[CurvePoint], yardstick: str) -> TextTable:
    alone = points[0].cleared is not None
    rows = tuple(
        (
            "start" if one.round < 0 else one.round,
            f"{one.score:.4f}",
            f"{one.difference:+.4f}" + ("" if one.error is None else f" ± {1.96 * one.error:.4f}"),
            *((one.cleared, _moves(one.moves), _fewer(one.moves_difference)) if alone else ()),
        )
        for one in points
    )
    columns = ("net of round", "score", f"against {yardstick}")
    more = ("cleared", "moves when cleared", "against its moves") if alone else ()
    return TextTable((*columns, *more), rows, (f"{points[0].games} paired starts, the same for all nets",))


def _fewer(found: Difference | None) -> str:
    return "–" if found is None else f"{found.mean:+.1f} ± {1.96 * found.error:.1f}"
