"""Programs at the board that speak a protocol of lines: NBoard, GTP, CodeCup's, or states as text."""

from __future__ import annotations

import re
import time
from pathlib import Path

from evalsmith.engine import Limit
from evalsmith.games.board import Board
from evalsmith.players.program_seat import ProgramSeat
from evalsmith.players.seat import Choice
from evalsmith.players.spec import Player
from evalsmith.processes.failure import ILLEGAL, PROTOCOL, STALL, Failure
from evalsmith.processes.program import Answer, Silence
from evalsmith.protocols.client import gtp, nboard
from evalsmith.protocols.client.gtp import COLOURS
from evalsmith.run import InputError

_LINE = re.compile(rb"[ \t\r\n]*([^\n]*[^\s][^\n]*)\n")


class NBoardSeat(ProgramSeat):
    """An Othello program; the complete game is sent with each move."""

    tells = ("depth",)

    def __init__(self, player: Player, limit: Limit, logs: Path | None = None) -> None:
        super().__init__(player, limit, logs)
        self._pings = 0

    def _greet(self) -> None:
        self._pings += 1
        self._send(f"nboard 2\nping {self._pings}\n", "handshake")
        self._expect(nboard.pong(self._pings), "handshake")

    def _announce(self) -> None:
        self._pings += 1
        depth = f"set depth {self.limit.depth}\n" if self.limit.depth is not None else ""
        self._send(f"{depth}ping {self._pings}\n")
        self._expect(nboard.pong(self._pings), "newgame")

    def _request(self, board: Board) -> float:
        seconds = board.clocks[self._side] or self.limit.seconds or 0.0
        sent = nboard.format_game(board, seconds)
        self.program.forget()
        return self._send(f"set game {sent}\ngo\n")

    def _pattern(self) -> re.Pattern[bytes]:
        return nboard.MOVE

    def _understand(self, board: Board, answer: Answer, seconds: float) -> Choice:
        if answer.match[2] is not None:
            raise Failure(PROTOCOL, answer.match[2].decode("utf-8", "replace").strip()[:120])
        reply = nboard.parse_move(answer.match[1])
        return Choice(self._move(board, reply.move), seconds, reply.score, reported_seconds=reply.seconds)


class GtpSeat(ProgramSeat):
    """A GTP program; each move is sent once, and the program keeps the board."""

    tells = ("clock", "movetime")

    def __init__(self, player: Player, limit: Limit, logs: Path | None = None) -> None:
        super().__init__(player, limit, logs)
        self._number = 0
        self._known: list[int] = []

    def _greet(self) -> None:
        self._ask(["protocol_version"], "handshake")

    def _announce(self) -> None:
        if not bool((self._start == self.game.start()).all()):
            raise InputError(f"player {self.name!r}: GTP has no positions, so games must begin at the standard start")
        self._known = []
        commands = ["boardsize 8", "clear_board"]
        limit = self.limit
        if limit.timed:
            commands.append(gtp.time_settings(limit.start, limit.byoyomi, 1 if limit.byoyomi else 0))
        elif limit.seconds is not None and limit.seconds >= 1:
            commands.append(gtp.time_settings(0, limit.seconds, 1))
        for command, response in zip(commands, self._ask(commands, "newgame"), strict=True):
            if not response.ok and not command.startswith("time_settings"):
                raise Failure(PROTOCOL, f"{command!r} is answered by {response.text[:80]!r}")

    def _ask(self, commands: list[str], step: str) -> list[gtp.Response]:
        first = self._number + 1
        self._number += len(commands)
        self._send("".join(f"{first + at} {command}\n" for at, command in enumerate(commands)), step)
        return [
            gtp.parse_response(self._expect(gtp.response_to(first + at), step).match) for at in range(len(commands))
        ]

    def _request(self, board: Board) -> float:
        moves = board.move_stack
        if moves[: len(self._known)] != self._known:
            self._announce()
        commands = []
        for at in range(len(self._known), len(moves)):
            position = board.history[at]
            name = self.game.format_move(position, moves[at])
            commands.append(f"play {COLOURS[self.game.mover(position)]} {name}")
        left = board.clocks[self._side]
        if self.limit.timed and left is not None:
            commands.append(gtp.time_left(self._side, left))
        try:
            responses = self._ask(commands, "newgame")
        except Silence as instead:
            waited = f"{self.outside.deadlines.newgame:g} s"
            raise Failure(STALL, f"no answer to {commands[0]!r} in {waited}{instead}") from None
        for command, response in zip(commands, responses, strict=True):
            # Some programs leave out passes, and time_left is a courtesy.
            if not response.ok and command.startswith("play") and not command.endswith(" pass"):
                raise Failure(PROTOCOL, f"{command!r} is answered by {response.text[:80]!r}")
        self._known = list(moves)
        self._number += 1
        return self._send(f"{self._number} genmove {COLOURS[self._side]}\n")

    def _pattern(self) -> re.Pattern[bytes]:
        return gtp.response_to(self._number)

    def _understand(self, board: Board, answer: Answer, seconds: float) -> Choice:
        response = gtp.parse_response(answer.match)
        if not response.ok:
            raise Failure(PROTOCOL, f"genmove is answered by {response.text[:80]!r}")
        if response.text.lower() == "resign":
            return Choice(-1, seconds, resigns=True)
        move = self._move(board, response.text.lower())
        self._known = [*board.move_stack, move]
        return Choice(move, seconds)


class CodeCupSeat(ProgramSeat):
    """A contest program: started again for each game, one line a move, either case, any line ending."""

    def __init__(self, player: Player, limit: Limit, logs: Path | None = None) -> None:
        super().__init__(player, limit, logs)
        self._known = 0

    def _announce(self) -> None:
        if not bool((self._start == self.game.start()).all()):
            raise InputError(f"player {self.name!r}: CodeCup has no positions, so games must begin at the start")
        self._known = 0

    def _request(self, board: Board) -> float:
        lines = [] if board.move_stack else ["Start"]
        for at in range(self._known, board.ply):
            position, move = board.history[at], board.move_stack[at]
            name = self.game.format_move(position, move)
            if self.game.mover(position) != self._side:
                lines.append(name)
                continue
            if len(self.game.moves(position)) != 1:
                raise InputError(
                    f"player {self.name!r}: CodeCup programs choose all their moves, so openings are impossible"
                )
            self._send("".join(f"{line}\n" for line in lines))
            lines = []
            self._skip(name)
        self._known = board.ply
        return self._send("".join(f"{line}\n" for line in lines)) if lines else time.perf_counter()

    def _skip(self, name: str) -> None:
        """A move that the program had to make was made for it: it says so itself."""
        try:
            said = self._expect(_LINE, "watchdog").match[1].decode("utf-8", "replace").strip()
        except Silence:
            raise Failure(STALL, f"silent where only {name} is possible") from None
        if said.lower() != name.lower():
            raise Failure(ILLEGAL, f"{said[:60]!r} where only {name} is possible")

    def _pattern(self) -> re.Pattern[bytes]:
        return _LINE

    def _understand(self, board: Board, answer: Answer, seconds: float) -> Choice:
        text = answer.match[1].decode("utf-8", "replace").strip()
        move = self._move(board, text)
        self._known = board.ply + 1
        return Choice(move, seconds)

    def _farewell(self) -> str:
        return "Quit\n"


class StatesSeat(ProgramSeat):
    """A program that is shown each position as text, and answers with its move and the position after it."""

    tells = ("nodes", "movetime")

    def _greet(self) -> None:
        limit = self.limit
        for text in ([f"nodes {limit.nodes}"] if limit.nodes else []) + (
            [f"movetime {limit.seconds:g}"] if limit.seconds else []
        ):
            self._send(f"{text}\n", "handshake")
            said = self._expect(_LINE, "handshake").match[1].decode("utf-8", "replace").strip()
            if said != "ok":
                raise Failure(PROTOCOL, f"{text!r} is answered by {said[:80]!r}")

    def _request(self, board: Board) -> float:
        self.program.forget()
        return self._send(f"{board.text}\n")

    def _pattern(self) -> re.Pattern[bytes]:
        return _LINE

    def _understand(self, board: Board, answer: Answer, seconds: float) -> Choice:
        text = answer.match[1].decode("utf-8", "replace").strip()
        if text.startswith("error"):
            raise Failure(PROTOCOL, text[:120])
        return Choice(self._move(board, text.partition(" ")[0]), seconds)
