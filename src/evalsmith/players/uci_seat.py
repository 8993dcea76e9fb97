"""A UCI or USI engine at the board."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from evalsmith.engine import Limit
from evalsmith.games import Position
from evalsmith.games.board import Board
from evalsmith.players.limit import moves_to_go
from evalsmith.players.program_seat import ProgramSeat
from evalsmith.players.seat import Choice
from evalsmith.players.spec import Options, Player
from evalsmith.processes.program import Answer
from evalsmith.protocols.client import uci
from evalsmith.protocols.client.uci import BESTMOVE, READY, Option, PositionWriter, SearchReport
from evalsmith.protocols.uci import UCI, USI, Dialect
from evalsmith.run import InputError

_HIDDEN = ("uci_", "usi_")  # options that a protocol defines need not be announced


class Line(NamedTuple):
    """A program's pipes; the game as it is sent, what asks for a move, and the seconds that it may take."""

    pipes: tuple[int, int, int, int]
    game: bytes
    go: bytes
    patience: float


class Question(NamedTuple):
    """A position that is asked about by itself: whose move it is, what is sent, and whether castling is Chess960's."""

    position: Position
    side: int
    command: bytes
    chess960: bool


class Spoken(NamedTuple):
    """The words after ``bestmove``, what was said before it, and the seconds that it took."""

    best: bytes
    said: bytes
    seconds: float


class UnderWay(NamedTuple):
    """A question that was put in our place, up to its announcement or its search.

    Of that ``rest`` was not sent, or all was sent at ``began`` and ``said`` is what came until now.
    """

    searching: bool
    rest: bytes
    began: float
    said: bytes


class UciSeat(ProgramSeat):
    """Speaks either dialect."""

    tells = ("depth", "nodes", "movetime", "clock")

    def __init__(self, player: Player, limit: Limit, logs: Path | None = None) -> None:
        super().__init__(player, limit, logs)
        self.dialect: Dialect = UCI if self.outside.protocol == "uci" else USI
        self.engine_name = ""
        self.options: dict[str, Option] = {}
        self.multipv = 1
        self._said = b""
        self._changed = ""
        self._go = b""
        self._writer = PositionWriter(self.game, self.dialect)
        self._chess960 = False

    # ── Handshake and new game ──

    def _greet(self) -> None:
        self._chess960, self._changed = False, ""
        self._send(f"{self.dialect.hello}\n", "handshake")
        answer = self._expect(uci.greeting(self.dialect), "handshake")
        self.engine_name, self.options = uci.parse_handshake(answer.before.decode("utf-8", "replace"))
        chosen = self.outside.options
        for name, _ in chosen:
            if name.lower() not in self.options and not name.lower().startswith(_HIDDEN):
                known = ", ".join(option.name for option in self.options.values())
                raise InputError(f"player {self.name!r}: the engine has no option {name!r}; it has: {known}"[:600])
        text = "".join(uci.set_option(name, value) for name, value in chosen)
        threads = self.options.get("threads")
        # Players have one thread by default; some engines take every core.
        if threads is not None and threads.default != "1" and "threads" not in {name.lower() for name, _ in chosen}:
            text += uci.set_option(threads.name, "1")
        if self.multipv > 1:
            text += uci.set_option(self._lines_option(), str(self.multipv))
        self._send(f"{text}isready\n", "handshake")
        self._expect(READY, "handshake")

    def set_options(self, options: Options) -> None:
        """Give the engine these values of its options from the next game on."""
        known = dict(self.outside.options)
        self._changed += "".join(uci.set_option(name, value) for name, value in options if known.get(name) != value)
        self.outside = replace(self.outside, options=options)

    @property
    def reports_lines(self) -> bool:
        """Whether the engine can report several lines; known once it has been greeted."""
        return self._multipv() is not None

    def set_lines(self, count: int) -> None:
        """Ask for that number of best lines from the next game on, or for as many as the engine can report."""
        option = self._multipv()
        assert option is not None, "reports_lines comes first"
        wanted = max(1, min(count, int(option.high)) if option.high.isdigit() else count)
        if wanted != self.multipv:
            self.multipv = wanted
            self._changed += uci.set_option(option.name, str(wanted))

    def _multipv(self) -> Option | None:
        return self.options.get("multipv") or self.options.get("usi_multipv")

    def _lines_option(self) -> str:
        """What this engine calls the number of its lines."""
        option = self._multipv()
        if option is None:
            raise InputError(f"player {self.name!r}: the engine has no option MultiPV, so it reports one line only")
        if option.high.isdigit() and self.multipv > int(option.high):
            raise InputError(f"player {self.name!r} reports at most {option.high} lines, not {self.multipv}")
        return option.name

    def _announce(self) -> None:
        wanted = self._is_chess960(self._start)
        if wanted != self._chess960:
            self._chess960 = wanted
            self._changed += uci.set_option("UCI_Chess960", str(wanted).lower())
        self._writer = PositionWriter(self.game, self.dialect, wanted)
        self._announce_again()

    def _announce_again(self) -> None:
        """A new game in which castling has the same names."""
        text, self._changed = self._changed, ""
        if self.dialect is UCI:
            self._send(f"{text}{self.dialect.new_game}\nisready\n")
            self._expect(READY, "newgame")
        else:
            self._send(f"{text}isready\n")
            self._expect(READY, "newgame")
            self._send(f"{self.dialect.new_game}\n")

    def _is_chess960(self, start: Position) -> bool:
        if self.game.name != "chess" or self.dialect is not UCI:
            return False
        from evalsmith.games.chess.board import is_chess960

        return bool(is_chess960(start))

    # ── A move ──

    def _request(self, board: Board) -> float:
        self.program.drop()
        return self._send(self.position_command(board) + self.go_command(board).encode())

    def position_command(self, board: Board) -> bytes:
        """The ``position`` command that tells the engine the game so far."""
        return self._writer.command(board)

    def go_command(self, board: Board) -> str:
        """The limit as it is sent to the engine."""
        limit, time_left = self.limit, None
        if limit.timed:
            own = board.clocks[self._side]
            mine = limit.start if own is None else own
            clocks = [mine if left is None else left for left in board.clocks]
            time_left = uci.Time(
                (clocks[0], clocks[1]), limit.increment, moves_to_go(limit, self._own_moves), limit.byoyomi
            )
        return uci.go_command(
            self.dialect, depth=limit.depth, nodes=limit.nodes, movetime=limit.seconds, time=time_left
        )

    def _pattern(self) -> re.Pattern[bytes]:
        return BESTMOVE

    def _understand(self, board: Board, answer: Answer, seconds: float) -> Choice:
        best = uci.parse_bestmove(answer.match[1] or b"")
        usi = self.dialect is USI
        if usi and (best.resigns or best.claims_win):
            choice = self._choice(-1, seconds, answer.before)
            choice.resigns, choice.declares = best.resigns, best.claims_win
            return choice
        return self._choice(self._move(board, best.text), seconds, answer.before)

    def _choice(self, move: int, seconds: float, said: bytes) -> Choice:
        """A move with what was said before it."""
        self._said = said
        report = self.report_of(said)
        return Choice(move, seconds, report.score, report.depth, report.nodes, report.seconds)

    @property
    def said(self) -> bytes:
        """What the engine printed in its last search, before its move."""
        return self._said

    def lines(self, board: Board) -> list[tuple[int, SearchReport]]:
        """The best moves that the engine reported in its last search, each with its report; ``multipv`` at most."""
        found: list[tuple[int, SearchReport]] = []
        for line in uci.line_infos(self._said)[: self.multipv]:
            report = uci.parse_info(line, self.game.win, self.dialect)
            if report.score is not None and report.line:
                found.append((self._move(board, report.line[0]), report))
        return found

    # ── For one who asks about many positions, each a game of its own ──

    def question(self, position: Position, text: str) -> Question:
        """What `ask_alone` asks; ``text`` is the position as the game writes it."""
        limit = self.limit
        go = uci.go_command(self.dialect, depth=limit.depth, nodes=limit.nodes, movetime=limit.seconds)
        command = f"position {self.dialect.setup} {text}\n{go}".encode("utf-8", "replace")
        return Question(position, self.game.mover(position), command, self._is_chess960(position))

    def ask_alone(self, question: Question, under_way: UnderWay | None = None) -> Spoken:
        """What ``begin`` and ``choose`` do, without a board, for limits of a single search.

        Beside a short search everything costs: memory is cold between two answers. So nothing is made or understood
        here; what the words mean, and whether the move is legal, is found out for many at once.
        """
        assert not self.limit.timed
        try:
            if under_way is not None:
                began = self._go_on(question, under_way)
            else:
                self._begin_alone(question)
                began = self._send(question.command)
            seconds = self.limit.seconds
            answer = self._await(began, self._patience(seconds), timed=seconds is not None)
        except BaseException:
            self._kill()
            raise
        return Spoken(answer.match[1] or b"", answer.before, answer.when - began)

    def _begin_alone(self, question: Question) -> None:
        if self._program is None or self.outside.restart:
            self.begin(question.position, question.side)
        else:
            self._side, self._start = question.side, question.position
            self._within("newgame", self._announce if question.chess960 != self._chess960 else self._announce_again)
        self.program.drop()

    def _go_on(self, question: Question, under_way: UnderWay) -> float:
        """Send what was not sent; when the search began."""
        self.program.drop(under_way.said)
        began = self._send(under_way.rest) if under_way.rest else under_way.began
        if under_way.searching:
            return began
        self._within("newgame", lambda: (self._expect(READY, "newgame"), None)[1])
        self.program.drop()
        return self._send(self.commands_alone[1] + question.command)

    @property
    def is_chess960(self) -> bool:
        """Whether the engine was told that castling is Chess960's."""
        return self._chess960

    @property
    def commands_alone(self) -> tuple[bytes, bytes]:
        """What announces a new game and asks whether the engine is ready, and what follows before the question."""
        new = f"{self.dialect.new_game}\n".encode()
        return (new + b"isready\n", b"") if self.dialect is UCI else (b"isready\n", new)

    def pipes_alone(self, question: Question) -> tuple[int, int, int, int] | None:
        """The pipes for one who asks `commands_alone` and questions in our place; None where more is to be done."""
        ready = self._program is not None and not self.outside.restart and not self._changed
        if not ready or self.limit.seconds is not None or question.chess960 != self._chess960:
            return None
        return self.program.pipes

    def report_of(self, said: bytes) -> SearchReport:
        """What was reported of the best move."""
        line = uci.last_info(said)
        return uci.parse_info(line, self.game.win, self.dialect) if line else SearchReport()

    # ── For one who asks in our place, and comes back when more happens than answers ──

    def line(self, board: Board) -> Line | None:
        """What there is to write to, to read from and to say; None where a clock or chance has a part."""
        pipes = self.program.pipes
        if pipes is None or self.limit.timed or self.game.max_outcomes:
            return None
        if not self._go:
            self._go = b"\n" + self.go_command(board).encode()
        return Line(pipes, self.position_command(board)[:-1], self._go, self._patience(self.limit.seconds))

    @property
    def namer(self) -> Callable[[Position, int], str]:
        """What the program calls moves."""
        return self._writer.name

    def heard(self, move: int, seconds: float, said: bytes) -> Choice:
        """A move that was asked for in our place, and what was said before it."""
        self._own_moves += 1
        return self._choice(move, seconds, said)

    def take_over(self, board: Board, rest: bytes, began: float, said: bytes) -> Choice:
        """Continue a request of which ``rest`` was not sent, or that was sent at ``began`` and answered by ``said``."""
        self.program.drop(said)
        return self._asked(board, lambda: self._send(rest) if rest else began)

    def _interrupt(self) -> None:
        self.program.send("stop\n", self.outside.deadlines.stop)

    # ── For whoever examines an engine ──

    def ask(self, text: str, seconds: float) -> tuple[Answer, float]:
        """Send commands that end in a search, and wait for its move; also how long that took."""
        self.program.forget()
        self.program.send(text, seconds)
        began = time.perf_counter()
        answer = self.program.until(BESTMOVE, began + seconds)
        return answer, answer.when - began

    def is_ready(self, seconds: float) -> bool:
        """Whether the engine still answers."""
        self.program.send("isready\n", seconds)
        self.program.until(READY, time.perf_counter() + seconds)
        return True
