"""UCI and its twin USI, the engine's side: one loop, two dialects.

Whatever comes in is survived: an unknown line is passed over, a wrong position, move or option gets an ``info
string`` and leaves the engine as it was.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evalsmith.engine import Limit, SearchResult
from evalsmith.engine.alphabeta import techniques
from evalsmith.engine.clock import OVERHEAD, Clock, Lateness, TimeBudget, allot
from evalsmith.engine.constants import CONSTANTS, constants_of, parse_constants, technique_of
from evalsmith.engine.limit import MAX_DEPTH, NO_LIMIT
from evalsmith.games import Game, Position
from evalsmith.games.board import DECLARATION
from evalsmith.games.scores import is_decided
from evalsmith.protocols.engine import Engine, EngineOptions, Info
from evalsmith.protocols.listening import standard_lines, write
from evalsmith.run import EvalsmithError, InputError
from evalsmith.run.declarations import Entry
from evalsmith.version import __version__

MEGABYTE = 1 << 20
MAX_THREADS = 256
MAX_MOVES_TO_GO = 1000  # to a time control
_NUMBERS = frozenset(("depth", "nodes", "movetime", "movestogo", "wtime", "btime", "winc", "binc", "byoyomi", "mate"))
_GO_WORDS = _NUMBERS | {"searchmoves", "ponder", "infinite"}
# What USI engines call the rules of declarations, as others do.
ENTERING_KING = {"CSARule27": 27, "CSARule24": 24, "NoEnteringKing": 0}
LONGEST = 10**11  # milliseconds beyond which more time means the same


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
        self._held: str | None = None  # a move that waits to be asked for; empty while it is sought
        self._on_hit: TimeBudget | None = None  # the time for a move after `ponderhit`
        self._lateness = Lateness()
        self._chess960 = False
        self._declaration = DECLARATION
        self._memory_text = ""
        self._lost = False  # whether the last position was refused, so that the interface has another one

    def say(self, text: str) -> None:
        """One complete line, whoever else is writing."""
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
                if self.engine.failed:
                    raise
        self.engine.stop()

    def answer(self, words: list[str]) -> None:
        """One command."""
        command, rest = words[0], words[1:]
        if command == self.dialect.hello:
            self._introduce()
        elif command == "isready":
            if not self.engine.ready:
                self.say("info string compiling kernels (on first use; they are stored for later)")
            self._tell_memory()
            self.say("readyok")
        elif command == self.dialect.new_game:
            self.engine.new_game()
            self._lost = False
        elif command == "position":
            self._position(rest)
        elif command == "go":
            self._go(rest)
        elif command == "stop":
            self._release()
            self.engine.stop()
        elif command == "ponderhit":
            self._ponderhit()
        elif command == "setoption":
            self._option(rest)
        elif command not in ("debug", "register", "gameover"):
            self.say(f"info string unknown command: {command[:40]}")

    # ── Handshake and options ──

    def _tell_memory(self) -> None:
        """Say what was made of the bounds, once for each search."""
        text = str(self.engine.searcher.memory).partition("; ")
        if text[0] != self._memory_text:
            self._memory_text = text[0]
            self.say(f"info string memory {''.join(text)}")

    def _introduce(self) -> None:
        self.say(f"id name Evalsmith {__version__}")
        self.say("id author the Evalsmith maintainers")
        self.say(f"option name {self.dialect.hash_option} type spin default 16 min 1 max 16384")
        self.say(f"option name MultiPV type spin default 1 min 1 max {self.game.max_moves}")
        self.say(f"option name Threads type spin default 1 min 1 max {MAX_THREADS}")
        self.say("option name Ponder type check default false")
        self.say("option name MoveOverhead type spin default 30 min 0 max 5000")
        self.say("option name Weights type string default <empty>")
        if self.game.name == "chess":
            self.say("option name UCI_Chess960 type check default false")
        defaults = constants_of(self.game).to_table()
        for entry in self._constants().values():
            low, high = entry.declared.low, entry.declared.high
            self.say(f"option name {entry.name} type spin default {defaults[entry.name]} min {low} max {high}")
        if self._has_declarations:
            rules = " var ".join(ENTERING_KING)
            self.say(f"option name EnteringKingRule type combo default CSARule27 var {rules}")
        self.say(self.dialect.ready)

    def _constants(self) -> dict[str, Entry]:
        """The constants that matter in this search, by their names."""
        options = self.engine.options
        used = () if options.method == "mcts" else techniques.chosen(self.game, options.without)
        return {name: entry for name, entry in CONSTANTS.items() if technique_of(name) in used}

    def _option(self, words: list[str]) -> None:
        text = " ".join(words)
        given, _, value = text.removeprefix("name ").partition(" value ")
        given, value = given.strip(), value.strip()
        name = given.lower()
        if name == self.dialect.hash_option.lower():
            self.engine.configure(table_bytes=_whole(given, value, 1, 16384) * MEGABYTE, memory_bytes=None)
        elif name == "multipv":
            self.engine.multipv = _whole(given, value, 1, self.game.max_moves)
        elif name == "threads":
            self.engine.configure(threads=_whole(given, value, 1, MAX_THREADS))
        elif name == "moveoverhead":
            self._lateness.least = _whole(given, value, 0, 5000) / 1000
        elif name == "weights":
            self.engine.configure(weights=None if value in ("", "<empty>") else value)
        elif name == "uci_chess960" and self.game.name == "chess":
            if value not in ("true", "false"):
                raise InputError(f"option {given} takes true or false, not {value[:20]!r}")
            self._chess960 = value == "true"
        elif name in self._constants():
            value = str(_whole(given, value, -(2**31), 2**31))
            known = self.engine.options.constants or constants_of(self.game)
            constants = known.override(parse_constants({name: value}))
            self.engine.configure(constants=constants)
        elif name == "enteringkingrule" and self._has_declarations:
            if value not in ENTERING_KING:
                raise InputError(f"option {given} takes one of {', '.join(ENTERING_KING)}, not {value[:20]!r}")
            self._declaration = ENTERING_KING[value]
        elif name not in ("ponder", "usi_ponder", "uci_analysemode", "uci_showwdl"):
            raise InputError(f"unknown option {given[:40]!r}")

    # ── Positions ──

    def _position(self, words: list[str]) -> None:
        self._lost = True
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
        self._lost = False

    # ── Searching ──

    def _go(self, words: list[str]) -> None:
        if self.dialect is USI and "mate" in words:
            self.say("checkmate notimplemented")
            return
        values = _go_values(words)
        self._release()
        self.engine.stop()
        if self._lost:  # a move of another position would be illegal, or worse, legal
            self.say("info string error: the last position was refused, so there is no move")
            self.say(f"bestmove {self.dialect.nothing}")
            return
        position = self.engine.board.position
        only = self._only(position, words)
        time = self._time(values, self.game.mover(position))
        waits = "ponder" in words or "infinite" in words
        self._held, self._on_hit = ("" if waits else None), time
        if self._declares(words):
            self._say_best("bestmove win")
            return
        limit = Limit(
            depth=values.get("depth"),
            nodes=values.get("nodes"),
            seconds=time.hard if time and not waits else None,
            soft_seconds=time.soft if time and not waits else None,
            free_seconds=time.free if time and not waits else 0.0,
        )

        def done(thought: SearchResult) -> None:
            self._lateness.note(limit.seconds, thought.seconds)
            lines = tuple(line for line in thought.lines if line.depth > 0)
            full = self.engine.searcher.state.full
            self._info(position, Info(lines, thought.selective_depth, thought.nodes, thought.seconds, full))
            self._bestmove(position, thought)

        if limit.nodes and self.engine.options.threads > 1:
            self.say("info string with several threads, a search with a node limit is not reproducible")
        self.engine.go(limit, done, lambda info: self._info(position, info), only)

    def _only(self, position: Position, words: list[str]) -> list[int]:
        """The moves after ``searchmoves``; what is illegal among them is passed over, and all are if none is legal."""
        found: list[int] = []
        named = list(itertools.takewhile(lambda word: word not in _GO_WORDS, _after(words, "searchmoves")))
        if named and self.engine.options.method == "mcts":
            self.say("info string searchmoves is not supported with mcts: all moves are searched")
            return found
        for text in named:
            try:
                found.append(self.game.parse_move(position, text))
            except InputError as error:
                self.say(f"info string searchmoves: {error}")
        if named and not found:
            self.say("info string searchmoves: none of the moves is legal, so all are searched")
        return found

    def _time(self, values: dict[str, int], side: int) -> TimeBudget | None:
        """The seconds for a move, from the numbers of ``go``."""
        mine = self.dialect.first if side == 0 else self.dialect.second
        if "movetime" in values:
            given = values["movetime"] / 1000
            # A short time must not go to the reserve for the way alone, unless that was asked for or moves come late.
            least = self._lateness.least
            on_way = least if least > OVERHEAD else min(least, 0.1 * given + 0.002)
            late = min(self._lateness.overhead - least, given / 2)
            return TimeBudget.fixed(max(0.001, given - on_way - late))
        if f"{mine}time" not in values and "byoyomi" not in values:
            return None
        clock = Clock(
            values.get(f"{mine}time", 0) / 1000,
            values.get(f"{mine}inc", 0) / 1000,
            values.get("movestogo"),
            values.get("byoyomi", 0) / 1000,
        )
        return allot(clock, self._lateness.overhead)

    def _bestmove(self, position: Position, thought: SearchResult) -> None:
        names = self._names(position, thought.lines[0].moves[:2]) if thought.lines else []
        text = f"bestmove {names[0] if names else self.dialect.nothing}"
        if len(names) > 1:
            text += f" ponder {names[1]}"
        self._say_best(text)

    def _declares(self, words: list[str]) -> bool:
        """Whether a win is declared in place of a search; one who analyses wants the search."""
        if not self._has_declarations or "infinite" in words or "searchmoves" in words:
            return False
        board = self.engine.board
        board.declaration = self._declaration
        return board.wins_by_declaration

    @property
    def _has_declarations(self) -> bool:
        return self.dialect is USI and self.game.hook("declaration") is not None

    def _say_best(self, text: str) -> None:
        with self._gate:
            if self._held is not None:  # infinite or pondering: the move is said when it is asked for
                self._held = text
                return
            self._write(text + "\n")

    def _release(self) -> bool:
        """Say a move that was held back, or let the search say it when it ends; whether it was said."""
        with self._gate:
            held, self._held = self._held, None
            if held:
                self._write(held + "\n")
        return bool(held)

    def _ponderhit(self) -> None:
        """The opponent played what was expected: what was found stays, and the clock runs from now."""
        if self._held is None or self._release():
            return
        if self._on_hit is None:
            self.engine.stop()
        else:
            self.engine.hurry(max(self._on_hit.soft, self._on_hit.free), self._on_hit.hard)

    def _info(self, position: Position, info: Info) -> None:
        milliseconds = max(1, round(info.seconds * 1000))
        rate = round(info.nodes / max(info.seconds, 1e-6))
        for number, line in enumerate(info.lines, 1):
            names = self._names(position, line.moves)
            if not names:
                continue
            self.say(
                f"info depth {line.depth} seldepth {max(info.selective_depth, line.depth)} multipv {number} "
                f"score {self._score(line.score)} nodes {info.nodes} nps {rate} hashfull {info.full} "
                f"time {milliseconds} pv {' '.join(names)}"
            )
        move, number = info.current
        names = self._names(position, (move,))
        if names and info.seconds >= 1:
            self.say(f"info currmove {names[0]} currmovenumber {number} nodes {info.nodes} time {milliseconds}")

    def _score(self, score: int) -> str:
        win = self.game.win
        if is_decided(score, win):
            plies = win - abs(score)
            distance = plies if self.dialect.mate_in_plies else (plies + 1) // 2
            return f"mate {distance if score > 0 else -distance}"
        return f"cp {score}"

    def _names(self, position: Position, moves: tuple[int, ...]) -> list[str]:
        """The moves as text, as far as they are legal: a line may be read while the search writes it."""
        names = []
        for move in moves:
            if move not in self.game.moves(position):
                break
            names.append(self._name(position, move))
            position = self.game.play_unchecked(position, move)
        return names

    def _name(self, position: Position, move: int) -> str:
        if not self._chess960:
            return self.game.format_move(position, move)
        from evalsmith.games.chess.notation import format_uci

        return format_uci(position, move, chess960=True)


def _after(words: list[str], name: str) -> list[str]:
    return words[words.index(name) + 1 :] if name in words else []


def _whole(name: str, value: str, low: int, high: int) -> int:
    try:
        number = int(value)
    except ValueError:
        raise InputError(f"option {name} takes a whole number, not {value[:20]!r}") from None
    if not low <= number <= high:
        raise InputError(f"option {name} takes {low} to {high}, not {number}")
    return number


def _go_values(words: list[str]) -> dict[str, int]:
    """The numbers of a ``go`` command, none beyond what it can mean; what is not understood is passed over."""
    values: dict[str, int] = {}
    for name, value in itertools.pairwise(words):
        if name in _NUMBERS:
            try:
                values[name] = int(value)
            except ValueError:
                raise InputError(f"go {name} takes a whole number, not {value[:20]!r}") from None
    if "mate" in values:  # in a number of moves, which are twice as many plies
        values.setdefault("depth", 2 * values["mate"])
    largest = {"depth": MAX_DEPTH, "nodes": NO_LIMIT - 1, "movestogo": MAX_MOVES_TO_GO}
    return {
        name: max(1, min(number, largest[name])) if name in largest else max(0, min(number, LONGEST))
        for name, number in values.items()
    }


def run_uci(game: Game, dialect: Dialect, options: EngineOptions) -> None:
    """Speak the protocol on standard input and output until ``quit``."""
    lines = standard_lines()
    UciServer(Engine(game, options), dialect, write).serve(lines)
