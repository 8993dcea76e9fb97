"""A chess position for Python: its pieces by square, and the names of squares."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Words, driver, pointer
from evalsmith.games.chess.validity import key_of
from evalsmith.games.chess.words import BLACK, KEY, KING, STATE, WHITE, WHITE_PIECES
from evalsmith.games.game import Position

LETTERS = "pnbrqk"
COLOURS = ("white", "black")


@driver("void(uint64[::1])")
def _set_key(position: Words) -> None:
    position[KEY] = key_of(pointer(position))


def make(boards: list[int], state: int) -> Position:
    """A position from its eight boards and its state; the key is worked out."""
    position = np.array([*boards, state, 0], dtype=np.uint64)
    _set_key(position)
    return position


def square_name(square: int) -> str:
    """``e4`` for 28."""
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def parse_square(name: str) -> int | None:
    """28 for ``e4``; None when it is no square."""
    if len(name) == 2 and name[0] in "abcdefgh" and name[1] in "12345678":
        return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])
    return None


def pieces(position: Position) -> dict[int, str]:
    """The letter of the piece on each occupied square, capital for white."""
    found = {}
    for piece, letter in enumerate(LETTERS):
        for side, shown in ((WHITE, letter.upper()), (BLACK, letter)):
            for square in squares_of(int(position[piece]) & int(position[WHITE_PIECES + side])):
                found[square] = shown
    return found


def squares_of(board: int) -> list[int]:
    """The squares of a board, lowest first."""
    found = []
    while board:
        found.append((board & -board).bit_length() - 1)
        board &= board - 1
    return found


def is_chess960(position: Position) -> bool:
    """Whether some castling right needs Chess960: a king not on the e-file, or a rook not in the corner."""
    state, kings = int(position[STATE]), int(position[KING])
    rights = (state & 0xFF, state >> 8 & 0xFF)
    return any(
        files and (files & ~0x81 != 0 or not kings & int(position[WHITE_PIECES + side]) & 0x10 << 56 * side)
        for side, files in enumerate(rights)
    )
