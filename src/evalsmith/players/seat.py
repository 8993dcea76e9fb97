"""A seat at the board: what whoever runs a game asks of a player, be it our search or a program behind a pipe.

    seat = take_seat(player, limit, seed, logs)
    seat.begin(start, side)
    choice = seat.choose(board)
    seat.end()
    seat.close()

``limit`` is a ``Limit``, or a ``PlayLimit`` (``limit.py``) where a clock runs: then whoever runs the game keeps a
``GameClock`` for each side, sets ``Board.clocks`` to the seconds left, and spends ``Choice.seconds`` after each move.
The board should begin where the game began, with the opening among its moves: programs then see repetitions, and those
whose protocol has no positions (GTP, CodeCup) can follow. A seat changes nothing on the board.

Every call may raise ``Failure``: then the player has lost this game for the reason it names, and the seat is to be
closed; nothing it started is left behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evalsmith.games import Position
from evalsmith.games.board import Board


@dataclass(slots=True)
class Choice:
    """A move, and what its player reported: the score for the mover in the game's unit, depth, nodes, time.

    ``seconds`` is the time that we measured, ``reported_seconds`` the time that the player reported. A choice that
    ``resigns`` or ``declares`` a win has no move; whether the declaration is right is the referee's business.
    """

    move: int
    seconds: float
    score: int | None = None
    depth: int | None = None
    nodes: int | None = None
    reported_seconds: float | None = None
    resigns: bool = False
    declares: bool = False


class Seat(Protocol):
    """A player at one board; it belongs to one thread or process."""

    name: str

    def begin(self, start: Position, side: int) -> None:
        """Get ready for a new game as ``side``; programs are started here, or a new game is announced to them."""

    def choose(self, board: Board) -> Choice:
        """The move of the side to move, within the seat's limit."""

    def end(self) -> None:
        """The game is over; the program stays, if its protocol lets it."""

    def close(self) -> None:
        """Leave, and end everything that was started; never raises."""

    def bytes_used(self) -> int | None:
        """The most memory this player has held so far, in bytes, if that is known."""
