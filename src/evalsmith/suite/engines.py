"""An outside program that is asked about one position after another, and started again when it has failed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from evalsmith.engine import Limit
from evalsmith.games import Position
from evalsmith.games.board import Board
from evalsmith.players import Choice, Failure, Player, Seat, take_seat
from evalsmith.players.limit import PlayLimit, play_limit
from evalsmith.players.program_seat import ProgramSeat
from evalsmith.players.uci_seat import Question, Spoken, UciSeat, UnderWay
from evalsmith.run import InputError

T = TypeVar("T")


class Stopped(Exception):
    """The work was interrupted; the position is not done."""


TRIES = 2  # a position that fails once may have had bad luck
_PATIENCE = 10.0  # seconds that an answer may come late
_LONG_ANSWER = 1 << 24  # bytes: every move at every depth


def patient(limit: Limit) -> PlayLimit:
    """A limit under which no game is lost by time: a late answer is an answer, and only silence is a failure."""
    made = play_limit(limit)
    return replace(made, margin=max(made.margin, _PATIENCE))


def with_watchdog(player: Player, seconds: float) -> Player:
    """The player, with that much time for a search unless its text says otherwise."""
    if player.outside is None or "watchdog=" in player.text:
        return player
    deadlines = replace(player.outside.deadlines, watchdog=seconds)
    return replace(player, outside=replace(player.outside, deadlines=deadlines))


class SeatKeeper:
    """A player's seat: taken when it is needed, and again after a failure. Nothing is carried between positions."""

    def __init__(self, player: Player, limit: Limit, seed: int) -> None:
        self.player, self.limit, self.seed = player, limit, seed
        self._seat: Seat | None = None
        self._stopped = self._greeted = False

    @property
    def seat(self) -> Seat:
        """The seat in use."""
        if self._seat is None:
            self._seat = take_seat(self.player, self.limit, self.seed)
            if isinstance(self._seat, ProgramSeat):
                self._seat.limit = patient(self._seat.limit)
        return self._seat

    def begin(self, position: Position, side: int) -> None:
        """A new game from a position; the program is started if it does not run."""
        self.seat.begin(position, side)
        self._greeted = True
        if isinstance(self._seat, UciSeat):
            self._seat.program.max_buffered = _LONG_ANSWER

    def choose(self, board: Board) -> Choice:
        """The answer of the player."""
        return self.seat.choose(board)

    @property
    def uci_seat(self) -> UciSeat:
        """The seat in use, of a UCI or USI program."""
        seat = self.seat
        assert isinstance(seat, UciSeat)
        return seat

    def ask_alone(self, question: Question, under_way: UnderWay | None) -> Spoken:
        """The answer of a UCI or USI program, without a board; see `UciSeat.ask_alone`."""
        if not self._greeted:
            self.begin(question.position, question.side)
        return self.uci_seat.ask_alone(question, under_way)

    def attempt(self, work: Callable[[], T]) -> T:
        """Do something with the seat; a failure costs the program, and the second one is raised."""
        for again in range(TRIES - 1, -1, -1):
            if self._stopped:
                raise Stopped
            try:
                return work()
            except Failure as failure:
                self.close()
                if self._stopped:
                    raise Stopped from None
                if not self._greeted:
                    raise InputError(f"{self.player.name} cannot be started: {failure}") from None
                if not again:
                    raise
        raise AssertionError

    def stop(self) -> None:
        """End a search that is under way; another thread calls this."""
        self._stopped = True
        seat = self._seat
        if isinstance(seat, ProgramSeat):
            with contextlib.suppress(AssertionError, OSError):
                os.killpg(seat.program.pid, signal.SIGKILL)

    def close(self) -> None:
        """Leave."""
        if self._seat is not None:
            self._seat.close()
            self._seat = None
