"""Othello positions and moves as text.

The position text is the 64 cells from a1 to h8, row by row, a space and the side to move:
``X`` black, ``O`` white, ``-`` empty. Reading is generous, as the files of the world need: ``*`` and ``b`` are
black too, ``w`` and ``0`` white, ``.`` and ``_`` empty, either case, with spaces and line breaks anywhere. A list of
moves (``f5d6c3``) is the position after them.
"""

from __future__ import annotations

import re

import numpy as np

from evalsmith.games.game import Position, Symmetry
from evalsmith.games.othello import GAME
from evalsmith.games.othello.rules import PASS
from evalsmith.run.errors import MoveError, PositionError

BLACK, WHITE = 0, 1
_CELLS = {"x": BLACK, "*": BLACK, "b": BLACK, "o": WHITE, "w": WHITE, "0": WHITE, "-": None, ".": None, "_": None}
_PASSES = {"pass", "pa", "ps", "--", "@@"}
_TRANSCRIPT = re.compile(r"(?:\s*[a-h][1-8])+\s*", re.IGNORECASE)


def start() -> Position:
    """White on d4 and e5, black on e4 and d5, black to move."""
    return make(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, BLACK)


def make(black: int, white: int, side: int) -> Position:
    """A position from bitboards of the two colours and the side to move."""
    own, other = (black, white) if side == BLACK else (white, black)
    return np.array([own, other, side], dtype=np.uint64)


def colours(position: Position) -> tuple[int, int]:
    """The bitboards of black and white."""
    own, other, side = (int(word) for word in position)
    return (own, other) if side == BLACK else (other, own)


def parse(text: str) -> Position:
    """A position from board text, from an OBF line, or from a list of moves."""
    body = text.split(";")[0].split("%")[0].strip()
    if not body:
        return start() if text.strip().lower() in ("start", "startpos") else _refuse(text, "it is empty")
    if body.lower() in ("start", "startpos"):
        return start()
    if _TRANSCRIPT.fullmatch(body):
        return after(re.findall(r"[a-hA-H][1-8]", body))
    discs = [0, 0]
    cells = 0
    side: int | None = None
    for place, letter in enumerate(body):
        if letter.isspace():
            continue
        cell = _CELLS.get(letter.lower(), -1)
        if cell == -1:
            return _refuse(text, f"{letter!r} at character {place + 1} is neither X, O nor -")
        if cells < 64:
            if cell is not None:
                discs[cell] |= 1 << cells
            cells += 1
        elif side is None and cell is not None:
            side = cell
        else:
            return _refuse(text, f"{letter!r} at character {place + 1} follows the side to move")
    if cells < 64:
        return _refuse(text, f"it has {cells} cells, not 64")
    if side is None:
        return _refuse(text, "the side to move (X or O) is missing after the 64 cells")
    return make(discs[BLACK], discs[WHITE], side)


def after(names: list[str]) -> Position:
    """The position after moves from the start; passes may be left out."""
    position = start()
    for ply, name in enumerate(names, 1):
        square = _square(name)
        legal = GAME.moves(position)
        if legal == [PASS] and square != PASS:
            position = GAME.play_unchecked(position, PASS)
            legal = GAME.moves(position)
        if square not in legal:
            raise PositionError(f"move {ply}, {name}, is illegal in {format(position)}")
        position = GAME.play_unchecked(position, square)
    return position


def format(position: Position) -> str:
    """The 64 cells and the side to move."""
    black, white = colours(position)
    cells = ("X" if black >> i & 1 else "O" if white >> i & 1 else "-" for i in range(64))
    return "".join(cells) + (" X" if int(position[2]) == BLACK else " O")


def parse_move(position: Position, text: str) -> int:
    """A legal move from its name: ``f5``, ``F5``, ``pass``."""
    move = _square(text)
    legal = GAME.moves(position)
    if move is None or move not in legal:
        names = " ".join(format_move(position, m) for m in legal) or "none, the game is over"
        raise MoveError(f"{text!r} is not a legal move in {format(position)}; legal moves: {names}")
    return move


def format_move(position: Position, move: int) -> str:
    """``f5``, or ``pass``."""
    return "pass" if move == PASS else f"{'abcdefgh'[move % 8]}{move // 8 + 1}"


def _square(text: str) -> int | None:
    name = text.strip().lower()
    if name in _PASSES:
        return PASS
    if len(name) == 2 and name[0] in "abcdefgh" and name[1] in "12345678":
        return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)
    return None


def _refuse(text: str, reason: str) -> Position:
    shown = text if len(text) <= 80 else text[:77] + "…"
    raise PositionError(f"not an Othello position, {reason}: {shown!r}")


# ── Symmetries ──────────────────────────────────────────────────────────────────────────────────


def _maps() -> dict[str, list[int]]:
    """Where each square goes, for the eight symmetries of the board."""

    def squares(row: str, column: str) -> list[int]:
        places = []
        for square in range(64):
            r, c = divmod(square, 8)
            values = {"r": r, "c": c, "-r": 7 - r, "-c": 7 - c}
            places.append(8 * values[row] + values[column])
        return places

    return {
        "identity": squares("r", "c"),
        "mirror files": squares("r", "-c"),
        "mirror ranks": squares("-r", "c"),
        "half turn": squares("-r", "-c"),
        "main diagonal": squares("c", "r"),
        "other diagonal": squares("-c", "-r"),
        "quarter turn": squares("c", "-r"),
        "three quarter turn": squares("-c", "r"),
    }


BOARD_MAPS = _maps()


def _moved(bits: int, places: list[int]) -> int:
    return sum(1 << places[square] for square in range(64) if bits >> square & 1)


def _symmetry(name: str, places: list[int]) -> Symmetry:
    def of_position(position: Position) -> Position:
        own, other, side = (int(word) for word in position)
        return np.array([_moved(own, places), _moved(other, places), side], dtype=np.uint64)

    def of_move(position: Position, move: int) -> int:
        return move if move == PASS else places[move]

    return Symmetry(name, of_position, of_move)


def symmetries() -> tuple[Symmetry, ...]:
    """The symmetries of the square, the identity left out."""
    return tuple(_symmetry(name, places) for name, places in BOARD_MAPS.items() if name != "identity")
