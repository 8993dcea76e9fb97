"""NBoard as an interface speaks it: the game as GGF, and the engine's move with its evaluation in discs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalsmith.games import Game, Position
from evalsmith.games.board import Board

MOVE = re.compile(rb"(?:^|\n)[ \t]*(?:===[ \t]*([^\n]*)|(status error:[^\n]*))\n")
"""A move; or, in the second group, the reason why there will be none, as our own engine gives it."""


def pong(number: int) -> re.Pattern[bytes]:
    """The answer to ``ping``."""
    return re.compile(rb"(?:^|\n)[ \t]*pong[ \t]+" + str(number).encode() + rb"[ \t\r]*\n")


def format_game(board: Board, seconds: float) -> str:
    """The game so far as GGF."""
    game = board.game
    squares, mover = game.format(board.start).replace("X", "*").split()
    minutes, rest = divmod(max(0, int(seconds)), 60)
    played = [
        f"{'BW'[game.mover(position)]}[{_name(game, position, move)}]"
        for position, move in zip(board.history, board.move_stack, strict=True)
    ]
    head = f"(;GM[Othello]PC[Evalsmith]PB[black]PW[white]RE[?]TI[{minutes}:{rest:02d}]TY[8]BO[8 {squares} {mover}]"
    return f"{head}{''.join(played)};)"


def _name(game: Game, position: Position, move: int) -> str:
    name = game.format_move(position, move)
    return "PA" if name == "pass" else name.upper()


@dataclass(frozen=True)
class Reply:
    """``E6/-0.26/0.01``: a move, and if given the evaluation in hundredths of a disc and the seconds."""

    move: str
    score: int | None = None
    seconds: float | None = None


def parse_move(rest: bytes) -> Reply:
    """What follows ``===``."""
    parts = rest.decode("utf-8", "replace").strip().split("/")
    score, seconds = (_number(part) for part in (*parts[1:3], "", "")[:2])
    name = parts[0].strip().lower()
    return Reply("pass" if name in ("pa", "pass") else name, None if score is None else round(100 * score), seconds)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e6 else None
