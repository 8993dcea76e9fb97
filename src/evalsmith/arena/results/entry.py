"""One finished game as the log of an event has it, and its JSON form both ways.

A game is named by its round, its two players, its pair and its half. The first player of a name has side 0 in half 0
and side 1 in half 1. The keys of the JSON form are stable, because scripts of users read them: `termination` is
written as ``reason``, and the times that players reported as ``told``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from sys import intern
from typing import Any, NamedTuple

from evalsmith.processes.failure import Failure


class GameKey(NamedTuple):
    """The name of a game."""

    round: int
    first: str
    second: str
    pair: int
    half: int

    @property
    def sides(self) -> tuple[str, str]:
        """Who has side 0, and who has side 1."""
        return (self.first, self.second) if self.half == 0 else (self.second, self.first)


@dataclass(frozen=True, slots=True)
class Failed:
    """A player's failure: its side, the reason by name, the details, and after how many plies.

    ``late`` is by how many seconds a move came after its time, where that was the failure.
    """

    side: int
    reason: str
    detail: str = ""
    ply: int = 0
    late: float | None = None

    @classmethod
    def of(cls, side: int, failure: Failure, ply: int) -> Failed:
        """What happened to a side's player after ``ply`` plies."""
        late = None if failure.late is None else round(failure.late, 4)
        return cls(side, failure.reason, failure.detail, ply, late)

    def to_json(self) -> dict[str, Any]:
        """As it appears in the log."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Reported:
    """The seconds that a player reported for some of its moves, and the seconds that we measured for the same moves."""

    seconds: float = 0.0
    measured: float = 0.0
    moves: int = 0


@dataclass(frozen=True, slots=True)
class SideUsage:
    """What one side used in a game: seconds in all, seconds of its longest move, nodes, and bytes of memory."""

    seconds: float
    longest: float = 0.0
    nodes: int = 0
    reported: Reported | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class MachineLoad:
    """How busy the machine was during a game.

    ``wall`` is the duration, ``cpu`` the work of the thread that ran the game and ``waited`` its wait for a core, all
    in seconds; ``load`` is the number of runnable processes per core. Of games with clocks it is also known which
    ``host`` played and, on a cluster, its ``speed``: thousands of nodes per second of CPU that our search looks at.
    """

    wall: float = 0.0
    cpu: float = 0.0
    waited: float = 0.0
    load: float = 0.0
    host: str = ""
    speed: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """As it appears in the log; what is not known is left out."""
        return {name: value for name, value in asdict(self).items() if value or name in _LOAD}


@dataclass(frozen=True)
class MoveReports:
    """What the movers said of each move: the score, the depth, and the seconds that the move took."""

    scores: tuple[int | None, ...]
    depths: tuple[int | None, ...]
    times: tuple[float, ...]


@dataclass(frozen=True)
class SoloBoards:
    """The two boards of a game for one player: the moves of side 1, and for each side how far it came.

    ``time`` is in the game's own unit, Dr. Mario's are frames; None where the game has none.
    """

    second: tuple[int, ...]
    cleared: tuple[bool, bool]
    own_moves: tuple[int, int]
    left: tuple[int, int]
    time: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A finished game.

    ``result`` is its value for side 0 in the game's unit; where a player failed only its sign counts. ``margin`` is the
    value of the final position for side 0, where the game was played to its end. ``moves`` follow those of the
    ``opening``; ``start`` is the text of the starting position unless it is the standard one. ``counts`` are what each
    side has on the board at the end. ``date`` is the day on which it ended, such as 2026.03.01.
    """

    key: GameKey
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    result: int
    termination: str
    usage: tuple[SideUsage, SideUsage]
    start: str | None = None
    margin: int | None = None
    counts: tuple[int, int] | None = None
    failed: tuple[Failed, ...] = ()
    reports: MoveReports | None = None
    solo: SoloBoards | None = None
    machine: MachineLoad | None = None
    date: str = ""

    @property
    def plies(self) -> int:
        """The number of moves after the opening."""
        return len(self.moves)

    @property
    def sides(self) -> tuple[str, str]:
        """Who had side 0, and who had side 1."""
        return self.key.sides

    @property
    def failed_sides(self) -> set[int]:
        """The sides whose players failed."""
        return {failed.side for failed in self.failed}

    def value_for(self, name: str) -> int:
        """The result from a player's view."""
        return self.result if self.sides[0] == name else -self.result

    def to_json(self) -> dict[str, Any]:
        """The line of the log."""
        key = self.key
        line: dict[str, Any] = {"round": key.round, "pair": key.pair, "half": key.half, "sides": list(key.sides)}
        if self.date:
            line["date"] = self.date
        if self.start is not None:
            line["start"] = self.start
        line |= {"opening": list(self.opening), "moves": list(self.moves)}
        if self.solo is not None:
            line["second"] = list(self.solo.second)
        line |= {"result": self.result, "reason": self.termination}
        if self.solo is not None:
            line |= {name: list(getattr(self.solo, name)) for name in ("cleared", "own_moves", "left")}
            if self.solo.time is not None:
                line["time"] = list(self.solo.time)
        if self.failed:
            line["failed"] = [one.to_json() for one in self.failed]
        if self.margin is not None:
            line["margin"] = self.margin
        if self.counts is not None:
            line["counts"] = list(self.counts)
        if self.reports is not None:
            line |= {name: list(values) for name, values in vars(self.reports).items()}
        line |= {name: [getattr(side, name) for side in self.usage] for name in ("seconds", "longest", "nodes")}
        reported = [side.reported for side in self.usage]
        if any(one is not None for one in reported):
            line["told"] = [[one.seconds, one.measured, one.moves] if one else [0.0, 0.0, 0] for one in reported]
        if any(side.bytes is not None for side in self.usage):
            line["bytes"] = [side.bytes for side in self.usage]
        return line if self.machine is None else line | self.machine.to_json()

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> GameEntry:
        """The game of a line; a malformed line raises ValueError, TypeError, KeyError or IndexError."""
        sides, half = line["sides"], line["half"]
        if half not in (0, 1) or len(sides) != 2 or not all(isinstance(name, str) for name in sides):
            raise ValueError("a game has two named sides and is one of a pair")
        first, second = intern(sides[half]), intern(sides[1 - half])
        key = GameKey(_whole(line.get("round", 0)), first, second, _whole(line["pair"]), half)
        if key.pair < 0 or not isinstance(line["reason"], str):
            raise ValueError("a game has a pair and a reason for its end")
        moves = _wholes(line.get("moves") or ())
        counts, start = line.get("counts"), line.get("start")
        if not isinstance(start, str | None):
            raise TypeError(f"a start is a text, not {start!r}")
        return cls(
            key=key,
            opening=_wholes(line.get("opening") or ()),
            moves=moves,
            result=_whole(line["result"]),
            termination=intern(line["reason"]),
            usage=_usage(line),
            start=start,
            margin=None if line.get("margin") is None else _whole(line["margin"]),
            counts=None if counts is None else _pair(counts),
            failed=tuple(_failed(one) for one in line.get("failed") or ()),
            reports=_reports(line, len(moves)),
            solo=_solo(line),
            date=intern(str(line.get("date") or "")),
            machine=_machine(line) if "wall" in line else None,
        )


_LOAD = ("wall", "cpu", "waited", "load")


def sign(value: int) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)


def read_entry(line: Mapping[str, Any]) -> GameEntry | None:
    """The game of a line of a log; None if the line is no game."""
    try:
        return GameEntry.from_json(line)
    except (ValueError, TypeError, KeyError, IndexError):
        return None


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"expected a whole number, got {value!r}")
    return value


def _wholes(values: Sequence[Any]) -> tuple[int, ...]:
    return tuple(_whole(value) for value in values)


def _pair(values: Sequence[Any]) -> tuple[int, int]:
    first, second = values
    return _whole(first), _whole(second)


def _failed(one: Mapping[str, Any]) -> Failed:
    if one["side"] not in (0, 1):
        raise ValueError("a failure has side 0 or 1")
    late = one.get("late")
    return Failed(
        one["side"],
        str(one.get("reason", "")),
        str(one.get("detail", "")),
        _whole(one.get("ply", 0)),
        None if late is None else float(late),
    )


def _machine(line: Mapping[str, Any]) -> MachineLoad:
    wall, cpu, waited, load, speed = (float(line.get(name) or 0.0) for name in (*_LOAD, "speed"))
    return MachineLoad(wall, cpu, waited, load, intern(str(line.get("host") or "")), speed)


def _usage(line: Mapping[str, Any]) -> tuple[SideUsage, SideUsage]:
    seconds = line["seconds"]
    if len(seconds) != 2:
        raise ValueError("a game has the seconds of two sides")
    longest, nodes, held = (line.get(name) or (0, 0) for name in ("longest", "nodes", "bytes"))
    reported: Sequence[Any] = line.get("told") or (None, None)
    first, second = (
        SideUsage(
            float(seconds[side]),
            float(longest[side]),
            int(nodes[side]),
            Reported(float(reported[side][0]), float(reported[side][1]), int(reported[side][2]))
            if reported[side]
            else None,
            int(held[side]) if held[side] else None,
        )
        for side in (0, 1)
    )
    return first, second


def _reports(line: Mapping[str, Any], moves: int) -> MoveReports | None:
    """The reports, if there is one of each kind for every move."""
    rows = [line.get(name) for name in ("scores", "depths", "times")]
    if not all(isinstance(row, list) and len(row) == moves for row in rows):
        return None
    scores, depths, times = (tuple(row) for row in rows if row is not None)
    return MoveReports(scores, depths, times)


def _solo(line: Mapping[str, Any]) -> SoloBoards | None:
    if "second" not in line:
        return None
    first, second = line["cleared"]
    time = line.get("time")
    return SoloBoards(
        _wholes(line["second"]), (bool(first), bool(second)), _pair(line["own_moves"]), _pair(line["left"]),
        None if time is None else _pair(time),
    )  # fmt: skip
