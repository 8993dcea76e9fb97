"""The checks of NBoard, GTP, CodeCup and states programs."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from evalsmith.games.board import Board
from evalsmith.players.checkup.examiner import Examiner, Inapplicable, Unfit
from evalsmith.players.line_seats import GtpSeat, NBoardSeat
from evalsmith.processes.program import Silence
from evalsmith.protocols.client import nboard
from evalsmith.protocols.client.gtp import Response
from evalsmith.run import InputError

PATIENCE = 10.0
_REQUIRED = ("boardsize", "clear_board", "play", "genmove", "quit")
_LINE = re.compile(rb"[ \t\r\n]*([^\n]*[^\s][^\n]*)\n")
_HINT = re.compile(rb"(?:^|\n)[ \t]*(?:search|book)[ \t]+([A-Za-z0-9]+)[ \t]+([-+0-9.]+)[^\n]*\n")


class GtpExaminer(Examiner):
    """Asks a GTP program for what a controller needs."""

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """The checks in their order."""
        return [
            ("commands", self.commands),
            ("board size", self.board_size),
            ("genmove", self.genmove),
            ("play and undo", self.play_and_undo),
            ("illegal moves", self.illegal_moves),
            ("unknown commands", self.unknown_commands),
            ("time settings", self.time_settings),
            ("book positions", self.book_positions),
            ("complete game", self.play_a_game),
            ("memory", self.memory),
            ("quit", self.leave),
            ("end of input", self.input_ends),
        ]

    def _ask(self, *commands: str) -> list[Response]:
        assert isinstance(self.seat, GtpSeat)
        return self.seat._ask(list(commands), "newgame")

    def handshake(self) -> str:
        """The program starts, and says who it is."""
        took = super().handshake()
        name, version = self._ask("name", "version")
        self.engine = f"{name.text} {version.text}".strip() if name.ok else ""
        if not self.engine:
            raise Unfit("no name")
        return f"{self.engine}, {took}"

    def commands(self) -> str:
        """The commands that every game needs are known."""
        [known] = self._ask("list_commands")
        if not known.ok:
            raise Unfit("list_commands is not known")
        missing = [name for name in _REQUIRED if name not in known.text.split()]
        if missing:
            raise Unfit(f"{', '.join(missing)} missing")
        return f"{len(known.text.split())} commands"

    def board_size(self) -> str:
        """The standard board is accepted, an impossible one refused."""
        right, wrong = self._ask("boardsize 8", "boardsize 999")
        self._ask("boardsize 8", "clear_board")
        if not right.ok:
            raise Unfit(f"boardsize 8 is answered by {right.text[:60]!r}")
        if wrong.ok:
            raise Unfit("boardsize 999 is taken")
        return "8 is taken, 999 refused"

    def genmove(self) -> str:
        """A legal move for the first player."""
        self.begin()
        board = Board(self.game)
        choice = self.seat.choose(board)
        return f"{board.push(choice.move)} in {choice.seconds:.3f} s"

    def play_and_undo(self) -> str:
        """A move can be played, and taken back if ``undo`` is known."""
        start = self.game.start()
        first = self.game.format_move(start, self.game.moves(start)[0])
        _, played, undone, again = self._ask("clear_board", f"play b {first}", "undo", f"play b {first}")
        if not played.ok:
            raise Unfit(f"play b {first} is answered by {played.text[:60]!r}")
        if not undone.ok:
            raise Inapplicable(f"undo is answered by {undone.text[:60]!r}")
        if not again.ok:
            raise Unfit(f"play b {first} is refused after undo")
        return f"{first} played, taken back and played again"

    def illegal_moves(self) -> str:
        """An illegal move is refused."""
        _, *answers = self._ask("clear_board", "play b a1", "play b z99", "play x d3", "play")
        taken = [text for text, answer in zip(("b a1", "b z99", "x d3", ""), answers, strict=True) if answer.ok]
        if taken:
            raise Unfit(f"'play {taken[0]}' is taken")
        return "4 refused"

    def unknown_commands(self) -> str:
        """What is not known is refused, and survived."""
        answers = self._ask("xyzzy", "genmove", "protocol_version")
        if answers[0].ok:
            raise Unfit("an unknown command is answered by '='")
        if answers[2].text != "2":
            raise Unfit(f"protocol_version is {answers[2].text[:20]!r}, not 2")
        return "refused"

    def time_settings(self) -> str:
        """The program accepts time settings."""
        answers = self._ask("time_settings 10 0 0", "time_left b 10 0")
        if not answers[0].ok:
            raise Inapplicable(f"time_settings is answered by {answers[0].text[:60]!r}")
        return "time_settings" + (" and time_left" if answers[1].ok else "")


class NBoardExaminer(Examiner):
    """Asks an NBoard program for what an interface needs."""

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """The checks in their order."""
        return [
            ("go", self.go),
            ("hint", self.hint),
            ("ping", self.ping),
            ("unknown commands", self.unknown_commands),
            ("book positions", self.book_positions),
            ("complete game", self.play_a_game),
            ("memory", self.memory),
            ("quit", self.leave),
            ("end of input", self.input_ends),
        ]

    def go(self) -> str:
        """A legal move with an evaluation."""
        board = Board(self.game)
        choice = self.seat.choose(board)
        move = board.push(choice.move)
        if choice.score is not None and abs(choice.score) > self.game.margin:
            raise Unfit(f"an evaluation of {choice.score / 100:g} discs")
        said = "no evaluation" if choice.score is None else f"{choice.score / 100:+.2f} discs"
        return f"{move}, {said}, in {choice.seconds:.3f} s"

    def hint(self) -> str:
        """``hint`` names legal moves."""
        board = Board(self.game)
        sent = nboard.format_game(board, 0)
        self.seat.program.send(f"set game {sent}\nhint 1\n", PATIENCE)
        try:
            answer = self.seat.program.until(_HINT, time.perf_counter() + PATIENCE)
        except Silence:
            self.drop()
            raise Inapplicable("hint is not answered") from None
        text = answer.match[1].decode()
        try:
            board.push(text)
        except InputError:
            raise Unfit(f"hint names {text!r}") from None
        return f"{text} {answer.match[2].decode()}"

    def ping(self) -> str:
        """``ping`` is answered with its number."""
        self.seat.program.send("ping 4711\n", PATIENCE)
        began = time.perf_counter()
        when = self.seat.program.until(nboard.pong(4711), began + PATIENCE).when
        return f"pong after {1000 * (when - began):.1f} ms"

    def unknown_commands(self) -> str:
        """What is not known, and a broken game, are survived."""
        for line in ("xyzzy", "set game nonsense", "set depth x", "set nothing 1", "", "move Z9"):
            self.seat.program.send(f"{line}\n", PATIENCE)
        self.ping()
        assert isinstance(self.seat, NBoardSeat)
        return "6 lines survived"


class CodeCupExaminer(Examiner):
    """Lets a contest program play; there is nothing else to ask."""

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """The checks in their order."""
        return [
            ("first move", self.first_move),
            ("book positions", self.book_positions),
            ("complete game", self.play_a_game),
            ("memory", self.memory),
            ("quit", self.leave),
            ("end of input", self.input_ends),
        ]

    def first_move(self) -> str:
        """``Start`` is answered by a legal move."""
        board = Board(self.game)
        board.clocks = (self.seat.limit.start or None, None)
        choice = self.seat.choose(board)
        return f"{board.push(choice.move)} in {choice.seconds:.3f} s"

    def settle(self) -> None:
        """There is no handshake: a program has loaded when it has moved."""
        self.begin()
        self.seat.program.send("Start\n", PATIENCE)
        self.seat.program.until(_LINE, time.perf_counter() + PATIENCE)


class StatesExaminer(Examiner):
    """Shows a program positions, and what is none."""

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """The checks in their order."""
        return [
            ("broken positions", self.broken_positions),
            ("book positions", self.book_positions),
            ("complete game", self.play_a_game),
            ("memory", self.memory),
            ("quit", self.leave),
            ("end of input", self.input_ends),
        ]

    def broken_positions(self) -> str:
        """What is no position is answered by an error."""
        for line in ("xyzzy", "nodes many", "0"):
            self.seat.program.send(f"{line}\n", PATIENCE)
            said = self.seat.program.until(_LINE, time.perf_counter() + PATIENCE).match[1]
            if not said.startswith(b"error"):
                raise Unfit(f"{line!r} is answered by {said[:40].decode('utf-8', 'replace')!r}")
        return "3 lines answered by error"
