"""An outside program at the board, whatever its protocol: started, sent games, timed, and ended.

A protocol adds how a game is announced (``_greet``, ``_announce``), how a move is asked for (``_request``) and what the
answer means (``_understand``). A program that has failed is killed at once: what it says later belongs to no move.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from evalsmith.engine import Limit
from evalsmith.games import Position
from evalsmith.games.board import Board
from evalsmith.players.limit import PlayLimit, play_limit
from evalsmith.players.outside import Outside
from evalsmith.players.seat import Choice
from evalsmith.players.spec import Player
from evalsmith.processes.failure import ILLEGAL, PROTOCOL, STALL, TIME, Failure
from evalsmith.processes.program import Answer, Program, Silence
from evalsmith.run import InputError

_ODD = re.compile(r"[^A-Za-z0-9._+-]+")


class ProgramSeat:
    """A program that plays one game after another. ``label`` names the next game in the logs."""

    tells: tuple[str, ...] = ()
    """Which parts of a limit the protocol can tell a program; the rest is left to it, and watched."""

    def __init__(self, player: Player, limit: Limit, logs: Path | None = None) -> None:
        assert player.outside is not None
        self.name, self.game, self.label = player.name, player.game, ""
        self.outside: Outside = player.outside
        self.limit: PlayLimit = play_limit(player.limit or limit)
        self._logs = logs
        self._program: Program | None = None
        self._peak = self._games = self._own_moves = 0
        self._side = 0
        self._start: Position = self.game.start()

    @property
    def untold(self) -> tuple[str, ...]:
        """Parts of the limit that the program does not know of, because its protocol has no word for them."""
        limit = self.limit
        parts = {
            "depth": limit.depth is not None,
            "nodes": limit.nodes is not None,
            "movetime": limit.seconds is not None,
            "clock": limit.timed,
        }
        return tuple(part for part, there in parts.items() if there and part not in self.tells)

    @property
    def program(self) -> Program:
        """The running program."""
        assert self._program is not None, "begin comes first"
        return self._program

    # ── The seat ──

    def begin(self, start: Position, side: int) -> None:
        """Start the program if it does not run, and tell it of a new game."""
        self._side, self._start, self._own_moves = side, start, 0
        self._games += 1
        try:
            if self._program is not None and self.outside.restart:
                self._leave()
            if self._program is None:
                self._program = Program(self.outside.launch, self._log())
                self._within("handshake", self._greet)
            else:
                self._program.log.reopen(self._log())
            self._within("newgame", self._announce)
        except BaseException:
            self._kill()
            raise

    def choose(self, board: Board) -> Choice:
        """Ask for a move, and wait for it no longer than the limit allows."""
        return self._asked(board, lambda: self._request(board))

    def _asked(self, board: Board, request: Callable[[], float]) -> Choice:
        """The answer to a request, which says when its time began."""
        allowed = self._allowed(board)
        try:
            began = request()
            answer = self._await(began, self._patience(allowed), timed=allowed is not None)
            choice = self._understand(board, answer, answer.when - began)
        except BaseException:
            self._kill()
            raise
        self._own_moves += 1
        return choice

    def end(self) -> None:
        """The game is over; the program stays unless each game needs a new one."""
        if self._program is None:
            return
        if self.outside.restart:
            self._leave()

    def close(self) -> None:
        """Ask the program to go, and end it and all that it has started."""
        self._leave()

    def bytes_used(self) -> int | None:
        """The most memory that the program and what it started were seen to hold, in bytes."""
        if self._program is not None:
            self._peak = max(self._peak, self._program.bytes_used())
        return self._peak or None

    # ── What a protocol adds ──

    def _greet(self) -> None:
        """The handshake with a program that was just started."""

    def _announce(self) -> None:
        """A new game."""

    def _request(self, board: Board) -> float:
        """Ask for a move; when its time began."""
        raise NotImplementedError

    def _pattern(self) -> re.Pattern[bytes]:
        """What the answer to the request looks like."""
        raise NotImplementedError

    def _understand(self, board: Board, answer: Answer, seconds: float) -> Choice:
        """The move that the answer names."""
        raise NotImplementedError

    def _interrupt(self) -> None:
        """Ask for the move at once, if the protocol can."""

    def _farewell(self) -> str:
        """What asks the program to end."""
        return "quit\n"

    # ── Shared ──

    def _within(self, step: str, work: Callable[[], None]) -> None:
        """Do a step of the protocol; its silence is a stall."""
        try:
            work()
        except Silence as instead:
            seconds = getattr(self.outside.deadlines, step)
            raise Failure(STALL, f"no answer to the {step} in {seconds:g} s{instead}") from None

    def _send(self, text: str | bytes, step: str = "newgame") -> float:
        """Write in one call; the moment after it."""
        self.program.send(text, getattr(self.outside.deadlines, step))
        return time.perf_counter()

    def _expect(self, pattern: re.Pattern[bytes], step: str) -> Answer:
        return self.program.until(pattern, time.perf_counter() + getattr(self.outside.deadlines, step))

    def _allowed(self, board: Board) -> float | None:
        """The seconds that the move may take, or None where only the watchdog watches."""
        limit = self.limit
        if not limit.timed:
            return limit.seconds
        left = board.clocks[self._side] if self._side < len(board.clocks) else None
        clock = (limit.start if left is None else left) + limit.byoyomi
        return clock if limit.seconds is None else min(clock, limit.seconds)

    def _patience(self, allowed: float | None) -> float:
        """How long we wait for a move that is allowed a number of seconds."""
        return self.outside.deadlines.watchdog if allowed is None else allowed + self.limit.margin

    def _await(self, began: float, patience: float, timed: bool) -> Answer:
        """The answer, or the failure to give one in time."""
        pattern = self._pattern()
        try:
            answer = self.program.until(pattern, began + patience)
            late = answer.when - began - patience
            if not timed or late <= 0:
                return answer
        except Silence as instead:
            if not timed:
                raise Failure(STALL, f"no move in {patience:g} s under {self.limit}{instead}") from None
            self._interrupt()
            grace = self.outside.deadlines.stop
            try:
                late = self.program.until(pattern, began + patience + grace).when - began - patience
            except Silence:
                late = grace + self.limit.margin
                raise Failure(TIME, f"no move {late:g} s after its time was up", late) from None
        late += self.limit.margin
        raise Failure(TIME, f"{late:.3f} s late, {self.limit.margin:g} s allowed", late)

    def _move(self, board: Board, text: str) -> int:
        """The move of a text, or the failure that it is illegal."""
        if not text:
            raise Failure(PROTOCOL, "an answer without a move")
        try:
            return self.game.parse_move(board.position, text)
        except InputError:
            shown = text if len(text) <= 60 else text[:57] + "…"
            raise Failure(ILLEGAL, f"{shown!r} in {board.text}") from None

    def _log(self) -> Path | None:
        """The file for standard error in this game."""
        if self._logs is None:
            return self.outside.stderr
        label = self.label or f"{os.getpid()}-{self._games}"
        return self._logs / f"{_ODD.sub('_', label)}-{_ODD.sub('_', self.name)}-{self._side}.err"

    def _leave(self) -> None:
        program = self._program
        if program is None:
            return
        try:
            self._peak = max(self._peak, program.bytes_used())
            program.send(self._farewell(), self.outside.deadlines.quit)
            program.wait_for_end(self.outside.deadlines.quit)
        except (Failure, OSError):
            pass  # it goes either way
        finally:
            self._kill()

    def _kill(self) -> None:
        if self._program is not None:
            self._program.close()
            self._peak = max(self._peak, self._program.peak)
            self._program = None
