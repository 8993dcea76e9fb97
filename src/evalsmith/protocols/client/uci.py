"""UCI and USI as whoever runs an engine speaks them: what is written to it, and what its lines mean.

Scores become the game's unit for the mover: centipawns are that unit, and a mate is ``win`` less the plies to it.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

from evalsmith.games import Game, Position
from evalsmith.games.board import Board
from evalsmith.games.scores import decided_above
from evalsmith.protocols.uci import USI, Dialect

READY = re.compile(rb"(?:^|\n)[ \t]*readyok[ \t\r]*\n")
# The word comes first, and then that it begins its line: so the pattern is looked for at the speed of memory.
BESTMOVE = re.compile(rb"bestmove(?<![^\n]bestmove)(?:[ \t]+([^\n]*))?[ \t\r]*\n")
_SCORE = re.compile(rb" score +(cp|mate) +([-+]?[0-9]{0,18})(?![0-9])")
_DEPTH, _NODES, _TIME = (re.compile(rb" %s +([0-9]{1,18})(?![0-9])" % key) for key in (b"depth", b"nodes", b"time"))
_LINE = re.compile(rb" pv +")
_RANK = re.compile(rb" multipv +([0-9]{1,9})(?![0-9])")
# What most engines write, in one go.
_COMMON = re.compile(
    rb"info depth ([0-9]{1,9})(?: seldepth [0-9]+)?(?: multipv 1)? score cp (-?[0-9]{1,9})(?: nodes ([0-9]{1,18}))?"
    rb"(?: nps [0-9]+)?(?: hashfull [0-9]+)?(?: tbhits [0-9]+)?(?: time ([0-9]{1,18}))? pv "
)
_MAX_OPTIONS = 10_000


def greeting(dialect: Dialect) -> re.Pattern[bytes]:
    """What ends the handshake."""
    return re.compile(rb"(?:^|\n)[ \t]*" + dialect.ready.encode() + rb"[ \t\r]*\n")


@dataclass(frozen=True)
class SearchReport:
    """What an engine reported about its search: score for the mover in the game's unit, depth, nodes, seconds, line."""

    score: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    rest: bytes = b""

    @property
    def line(self) -> tuple[str, ...]:
        """The moves of its line."""
        return tuple(self.rest.decode("utf-8", "replace").split())


@dataclass(frozen=True)
class Option:
    """An option that an engine offers, with the bounds of a spin or the choices of a combo."""

    name: str
    kind: str
    default: str
    low: str = ""
    high: str = ""
    choices: tuple[str, ...] = ()

    def fault(self) -> str:
        """What is wrong with it, or nothing."""
        if self.kind not in ("check", "spin", "combo", "button", "string", "filename"):
            return f"no type is called {self.kind!r}"
        if self.kind == "check" and self.default not in ("true", "false"):
            return f"a check is true or false by default, not {self.default!r}"
        if self.kind == "combo" and self.default not in self.choices:
            return f"{self.default!r} is not among its choices"
        if self.kind == "spin":
            low, value, high = (_whole(text) for text in (self.low, self.default, self.high))
            if low is None or value is None or high is None:
                return "a spin has a default, a minimum and a maximum"
            if not low <= value <= high:
                return f"{value} is not from {low} to {high}"
        return ""


def parse_handshake(text: str) -> tuple[str, dict[str, Option]]:
    """The name of an engine, and its options by their names in small letters."""
    name = ""
    options: dict[str, Option] = {}
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["id", "name"]:
            name = " ".join(words[2:])
        elif words[:2] == ["option", "name"] and "type" in words[3:] and len(options) < _MAX_OPTIONS:
            split = words.index("type", 3)
            label, rest = " ".join(words[2:split]), words[split + 1 :]
            parts = _parts(rest[1:])
            low, high = (parts.get(key, [""])[0] for key in ("min", "max"))
            options[label.lower()] = Option(
                label,
                rest[0] if rest else "",
                parts.get("default", [""])[0],
                low,
                high,
                tuple(parts.get("var", [])),
            )
    return name, options


def _parts(words: list[str]) -> dict[str, list[str]]:
    """The values behind each key of an option; ``var`` comes more than once."""
    parts: dict[str, list[str]] = {}
    key = ""
    for word in words:
        if word in ("default", "min", "max", "var"):
            key = word
            parts.setdefault(key, []).append("")
        elif key:
            parts[key][-1] = f"{parts[key][-1]} {word}".strip()
    return parts


# ── What is written ─────────────────────────────────────────────────────────────────────────────


def set_option(name: str, value: str) -> str:
    """An option; a button has no value."""
    return f"setoption name {name} value {value}\n" if value else f"setoption name {name}\n"


@dataclass(frozen=True)
class Time:
    """The time as it is sent to an engine, in seconds: each side's clock, and what follows for the mover."""

    clocks: tuple[float, float]
    increment: float = 0.0
    moves_to_go: int | None = None
    byoyomi: float = 0.0


def go_command(
    dialect: Dialect,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    movetime: float | None = None,
    time: Time | None = None,
) -> str:
    """The command that starts a search under a limit; without one, until ``stop``."""
    parts = ["go"]
    if depth is not None:
        parts.append(f"depth {depth}")
    if nodes is not None:
        parts.append(f"nodes {nodes}")
    if movetime is not None:
        parts.append(f"movetime {max(1, int(1000 * movetime))}")
    if time is not None:
        for side, left in zip((dialect.first, dialect.second), time.clocks, strict=True):
            parts.append(f"{side}time {max(0, int(1000 * left))}")
        if dialect is USI and not time.increment:
            parts.append(f"byoyomi {int(1000 * time.byoyomi)}")
        else:
            parts += [f"{side}inc {int(1000 * time.increment)}" for side in (dialect.first, dialect.second)]
        if time.moves_to_go is not None:
            parts.append(f"movestogo {time.moves_to_go}")
    return " ".join(parts if len(parts) > 1 else ["go", "infinite"]) + "\n"


@functools.cache
def _standard_start(game: Game) -> Position:
    """The standard start, cached because every game needs it."""
    return game.start()


@functools.cache
def namer(game: Game, chess960: bool) -> Callable[[Position, int], str]:
    """What moves are called in a game; that castling in chess has two names is settled by its start."""
    if game.name != "chess":
        return game.format_move
    from evalsmith.games.chess.notation import format_uci

    return lambda position, move: format_uci(position, move, chess960)


class PositionWriter:
    """The ``position`` command of a game in progress; each move is put into words once."""

    def __init__(self, game: Game, dialect: Dialect, chess960: bool = False) -> None:
        self.game, self.dialect = game, dialect
        self._moves: list[int] = []
        self._text = b""
        self._start: Position | None = None
        self.name = namer(game, chess960)
        self._standard_names = not chess960

    def command(self, board: Board) -> bytes:
        """The command; only the position where chance has a part, because the protocol has no outcomes of chance."""
        if self.game.max_outcomes:
            return f"position {self._setup(board.position)}\n".encode()
        moves, known = board.move_stack, len(self._moves)
        self._moves += moves[known:]
        if board.start is not self._start or self._moves != moves:
            self._start, self._moves, known = board.start, list(moves), 0
            self._text = f"position {self._setup(board.start)}".encode()
        if len(moves) > known:
            if self._standard_names:
                words = board.names(known)
            else:
                words = [self.name(board.history[ply], moves[ply]) for ply in range(known, len(moves))]
            self._text += f"{' ' if known else ' moves '}{' '.join(words)}".encode()
        return self._text + b"\n"

    def _setup(self, position: Position) -> str:
        standard = bool((position == _standard_start(self.game)).all())
        return "startpos" if standard else f"{self.dialect.setup} {self.game.format(position)}"


# ── What is read ────────────────────────────────────────────────────────────────────────────────


def last_info(text: bytes) -> bytes:
    """The last line that gives the score of the best move; one that is only a bound counts if there is no other."""
    end, bound = len(text), b""
    while (found := text.rfind(b" score ", 0, end)) >= 0:
        first = text.rfind(b"\n", 0, found) + 1
        last = text.find(b"\n", found)
        line = text[first : last if last >= 0 else len(text)].strip()
        end = first
        words = line.split(None, 2)
        if words[:1] != [b"info"] or words[1:2] == [b"string"] or _second_line(line):
            continue
        if b"bound " not in line + b" ":
            return line
        bound = bound or line
    return bound


def line_infos(text: bytes) -> list[bytes]:
    """The last line of each rank (``multipv``) that gives a score, best first; no two of them begin with one move.

    A search that ends amid a depth may have reported a better first line, and its second one only at the depth before:
    of such a rank an earlier line is taken. A bound counts where a rank has nothing else.
    """
    ranks: dict[int, tuple[list[bytes], list[bytes]]] = {}
    for line in text.split(b"\n"):
        if b" score " not in line or not line.lstrip().startswith(b"info ") or line.split(None, 2)[1] == b"string":
            continue
        rank = _RANK.search(line)
        exact, bounds = ranks.setdefault(int(rank[1]) if rank else 1, ([], []))
        (bounds if b"bound " in line + b" " else exact).append(line.strip())
    found: dict[bytes, bytes] = {}
    for rank_number in sorted(ranks):
        exact, bounds = ranks[rank_number]
        for line in reversed(exact or bounds):
            words = line[begin.end() :].split(None, 1) if (begin := _LINE.search(line)) else []
            if words and words[0] not in found:
                found[words[0]] = line
                break
    return list(found.values())


def _second_line(line: bytes) -> bool:
    found = line.find(b" multipv ")
    return found >= 0 and line[found + 9 :].split(None, 1)[:1] != [b"1"]


def parse_info(line: bytes, win: int, dialect: Dialect) -> SearchReport:
    """An ``info`` line; what is not understood is left out."""
    if common := _COMMON.match(line):
        deep, points, count, milliseconds = common.groups()
        return SearchReport(
            bounded(int(points), win),
            None,
            int(deep),
            int(count) if count else None,
            int(milliseconds) / 1000 if milliseconds else None,
            line[common.end() :],
        )
    begin = _LINE.search(line)
    head = line[: begin.start()] if begin else line
    if b" string" in head:
        head = head[: head.index(b" string")]
    score = mate = None
    if found := _SCORE.search(head):
        score, mate = _score(found[1], found[2].decode(), win, dialect)
    depth, nodes, time = _DEPTH.search(head), _NODES.search(head), _TIME.search(head)
    return SearchReport(
        score,
        mate,
        int(depth[1]) if depth else None,
        int(nodes[1]) if nodes else None,
        int(time[1]) / 1000 if time else None,
        line[begin.end() :] if begin else b"",
    )


def highest_score(win: int) -> int:
    """Below every proven win."""
    return decided_above(win) if win else sys.maxsize


def bounded(value: int, win: int) -> int:
    """A score that is no proven win stays below one."""
    most = highest_score(win)
    return max(-most, min(most, value))


def mate_score(distance: int, win: int, dialect: Dialect) -> int:
    """The score of a mate at a distance other than 0, as the engine counts it."""
    plies = abs(distance) if dialect.mate_in_plies else 2 * abs(distance) - (distance > 0)
    value = max(win - plies, decided_above(win))
    return -value if distance < 0 else value


def _score(kind: bytes, number: str, win: int, dialect: Dialect) -> tuple[int | None, int | None]:
    """The score in the game's unit, and the distance of a mate as the engine counts it."""
    if kind == b"cp":
        value = _whole(number)
        return None if value is None else bounded(value, win), None
    if kind != b"mate" or not win:
        return None, None
    if number in ("+", "-"):  # USI: somebody mates, but it is not known when
        value = decided_above(win)
        return (value, None) if number == "+" else (-value, None)
    distance = _whole(number)
    if distance is None:
        return None, None
    if distance == 0:
        return win if number.startswith("+") else -win, distance
    return mate_score(distance, win, dialect), distance


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-").removeprefix("+")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


@dataclass(frozen=True)
class Best:
    """What follows ``bestmove``: the text of the move, and of the answer it expects."""

    text: str
    ponder: str = ""

    @property
    def resigns(self) -> bool:
        """USI: the mover gives up."""
        return self.text == "resign"

    @property
    def claims_win(self) -> bool:
        """USI: the mover claims to have won by entering with the king."""
        return self.text == "win"


def parse_bestmove(rest: bytes) -> Best:
    """The words after ``bestmove``; empty if there are none."""
    words = rest.decode("utf-8", "replace").split()
    ponder = words[2] if words[1:2] == ["ponder"] and len(words) > 2 else ""
    return Best(words[0] if words else "", ponder)
