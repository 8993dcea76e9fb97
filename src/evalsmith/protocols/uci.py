"""UCI and its twin USI, the engine's side: one loop, two dialects.

Whatever comes in is survived: an unknown line is passed over, a wrong position, move or option gets an ``info
string`` and leaves the engine as it was.
"""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from evalsmith import __version__
from evalsmith.games import Game, Position
from evalsmith.protocols.engine import Engine, EngineOptions, Info
from evalsmith.run import EvalsmithError, InputError
from evalsmith.search.clock import Clock, allot

MEGABYTE = 1 << 20
MOST_THREADS = 256
MATE_RANGE = 256  # a value this close to `win` is a proven win, counted in plies


@dataclass(frozen=True)
class Dialect:
    """What UCI and USI call the same things."""

    hello: str
    ready: str
    new_game: str
    setup: str
    first: str
    second: str
    hash_option: str
    mate_in_plies: bool
    nothing: str


UCI = Dialect("uci", "uciok", "ucinewgame", "fen", "w", "b", "Hash", False, "0000")
USI = Dialect("usi", "usiok", "usinewgame", "sfen", "b", "w", "USI_Hash", True, "resign")


class UciServer:
    """Reads commands, drives an engine, writes answers."""

    def __init__(self, engine: Engine, dialect: Dialect, write: Callable[[str], None]) -> None:
        self.engine, self.dialect, self.game = engine, dialect, engine.game
        self._write, self._gate = write, threading.Lock()
        self._pondering = False
        self._held: str | None = None
        self._overhead = 0.03

    def say(self, text: str) -> None:
        """One whole line, whoever else is writing."""
        with self._gate:
            self._write(text + "\n")

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until ``quit`` or the end of the input."""
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "quit":
                break
            try:
                self.answer(words)
            except EvalsmithError as error:
                self.say(f"info string error: {error}")
        self.engine.stop()

    def answer(self, words: list[str]) -> None:
        """One command."""
        command, rest = words[0], words[1:]
        if command == self.dialect.hello:
            self._introduce()
        elif command == "isready":
            if not self.engine.ready:
                self.say("info string compiling kernels (first use; kept for later)")
            self.say(f"info string memory {self.engine.searcher.memory}")
            self.say("readyok")
        elif command == self.dialect.new_game:
            self.engine.new_game()
        elif command == "position":
            self._position(rest)
        elif command == "go":
            self._go(rest)
        elif command == "stop":
            self._release()
            self.engine.stop()
        elif command == "ponderhit":
            self._release()
        elif command == "setoption":
            self._option(rest)
        elif command not in ("debug", "register", "gameover"):
            self.say(f"info string unknown command: {command[:40]}")

    # ── Handshake and options ──

    def _introduce(self) -> None:
        self.say(f"id name Evalsmith {__version__}")
        self.say("id author the Evalsmith maintainers")
        self.say(f"option name {self.dialect.hash_option} type spin default 16 min 1 max 16384")
        self.say("option name MultiPV type spin default 1 min 1 max 500")
        self.say(f"option name Threads type spin default 1 min 1 max {MOST_THREADS}")
        self.say("option name Ponder type check default false")
        self.say("option name MoveOverhead type spin default 30 min 0 max 5000")
        self.say("option name Weights type string default <empty>")
        if self.dialect is UCI:
            self.say("option name UCI_Chess960 type check default false")
        self.say(self.dialect.ready)

    def _option(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        name, value = name.strip(), value.strip()
        if name == self.dialect.hash_option:
            self.engine.configure(table_bytes=_whole(name, value, 1, 16384) * MEGABYTE, memory_bytes=None)
        elif name == "MultiPV":
            self.engine.multipv = _whole(name, value, 1, 500)
        elif name == "Threads":
            self.engine.configure(threads=_whole(name, value, 1, MOST_THREADS))
        elif name == "MoveOverhead":
            self._overhead = _whole(name, value, 0, 5000) / 1000
        elif name == "Weights":
            if value and value != "<empty>":
                self.engine.configure(weights=Path(value))
        elif name not in ("Ponder", "USI_Ponder", "UCI_Chess960", "UCI_AnalyseMode", "UCI_ShowWDL"):
            raise InputError(f"no option is called {name!r}")

    # ── Positions ──

    def _position(self, words: list[str]) -> None:
        split = words.index("moves") if "moves" in words else len(words)
        setup, moves = words[:split], words[split + 1 :]
        _ = self.engine.searcher
        start: Position
        if setup == ["startpos"]:
            start = self.game.start()
        elif setup[:1] == [self.dialect.setup]:
            start = self.game.parse(" ".join(setup[1:]))
        else:
            raise InputError(f"position takes startpos or {self.dialect.setup}, not {' '.join(setup)[:60]!r}")
        self.engine.set_position(start, moves)

    # ── Searching ──

    def _go(self, words: list[str]) -> None:
        from evalsmith.search import Limit

        values = _go_values(words)
        self._release()
        self.engine.stop()
        _ = self.engine.searcher
        assert self.engine.position is not None
        side = self.game.mover(self.engine.position)
        mine = self.dialect.first if side == 0 else self.dialect.second
        seconds = soft = None
        if "movetime" in values:
            seconds = max(0.001, values["movetime"] / 1000 - self._overhead)
        elif f"{mine}time" in values or "byoyomi" in values:
            clock = Clock(
                max(0, values.get(f"{mine}time", 0)) / 1000,
                values.get(f"{mine}inc", 0) / 1000,
                values.get("movestogo"),
                values.get("byoyomi", 0) / 1000,
            )
            allotment = allot(clock, self._overhead)
            seconds, soft = allotment.hard, allotment.soft
        self._pondering = "ponder" in words
        waits = self._pondering or "infinite" in words
        if waits:
            seconds = soft = None
        self._held = "" if waits else None
        limit = Limit(depth=values.get("depth"), nodes=values.get("nodes"), seconds=seconds, soft_seconds=soft)
        position = self.engine.position

        def done(thought: object) -> None:
            self._info(position, self.engine.info(getattr(thought, "seconds", 0.0)))
            self._bestmove(position, [line.moves for line in getattr(thought, "lines", ())])

        if limit.nodes and self.engine.options.threads > 1:
            self.say("info string with several threads a search of so many nodes does not repeat")
        self.engine.go(limit, done, lambda info: self._info(position, info))

    def _bestmove(self, position: Position, lines: list[tuple[int, ...]]) -> None:
        if not lines or not lines[0]:
            text = f"bestmove {self.dialect.nothing}"
        else:
            names = self._names(position, lines[0][:2])
            text = f"bestmove {names[0]}" + (f" ponder {names[1]}" if len(names) > 1 else "")
        with self._gate:
            if self._held is not None:  # infinite or pondering: the move is said when it is asked for
                self._held = text
                return
            self._write(text + "\n")

    def _release(self) -> None:
        """Say a move that was held back, or let the search say it when it ends."""
        with self._gate:
            if self._held:
                self._write(self._held + "\n")
            self._held = None
        if self._pondering:
            self._pondering = False
            self.engine.stop()

    def _info(self, position: Position, info: Info) -> None:
        milliseconds = max(1, round(info.seconds * 1000))
        rate = round(info.nodes / max(info.seconds, 1e-6))
        for number, line in enumerate(info.lines, 1):
            self.say(
                f"info depth {line.depth} seldepth {max(info.selective_depth, line.depth)} multipv {number} "
                f"score {self._score(line.score)} nodes {info.nodes} nps {rate} hashfull {info.full} "
                f"time {milliseconds} pv {' '.join(self._names(position, line.moves))}"
            )
        move, number = info.current
        if move >= 0 and info.seconds >= 1:
            name = self.game.format_move(position, move)
            self.say(f"info currmove {name} currmovenumber {number} nodes {info.nodes} time {milliseconds}")

    def _score(self, score: int) -> str:
        win = self.game.win
        if win and abs(score) > win - MATE_RANGE:
            plies = win - abs(score)
            distance = plies if self.dialect.mate_in_plies else (plies + 1) // 2
            return f"mate {distance if score > 0 else -distance}"
        return f"cp {score}"

    def _names(self, position: Position, moves: tuple[int, ...]) -> list[str]:
        names = []
        for move in moves:
            names.append(self.game.format_move(position, move))
            position = self.game.play_unchecked(position, move)
        return names


def _whole(name: str, value: str, low: int, high: int) -> int:
    try:
        number = int(value)
    except ValueError:
        raise InputError(f"option {name} takes a whole number, not {value!r}") from None
    if not low <= number <= high:
        raise InputError(f"option {name} takes {low} to {high}, not {number}")
    return number


def _go_values(words: list[str]) -> dict[str, int]:
    """The numbers of a ``go`` command; what is not understood is passed over."""
    known = {"depth", "nodes", "movetime", "movestogo", "wtime", "btime", "winc", "binc", "byoyomi"}
    values: dict[str, int] = {}
    for name, value in itertools.pairwise(words):
        if name in known:
            try:
                values[name] = int(value)
            except ValueError:
                raise InputError(f"go {name} takes a whole number, not {value!r}") from None
    for name in ("depth", "nodes", "movestogo"):
        if name in values and values[name] < 1:
            values[name] = 1
    if values.get("depth", 0) > 100:
        values["depth"] = 100
    return values


def run_uci(game: Game, dialect: Dialect, options: EngineOptions) -> None:
    """Speak the protocol on standard input and output until ``quit``."""

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    UciServer(Engine(game, options), dialect, write).serve(sys.stdin)
