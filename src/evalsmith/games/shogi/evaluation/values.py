"""What pieces are worth before anything is fitted, in centipawns: move ordering and the hand-set weights share them."""

from __future__ import annotations

import numpy as np

from evalsmith.games.shogi.squares import (
    BISHOP,
    DRAGON,
    GOLD,
    HORSE,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED_KNIGHT,
    PROMOTED_LANCE,
    PROMOTED_SILVER,
    ROOK,
    SILVER,
    TOKIN,
)

ON_BOARD = {
    PAWN: 100, LANCE: 290, KNIGHT: 310, SILVER: 440, GOLD: 510, BISHOP: 680, ROOK: 800,
    TOKIN: 540, PROMOTED_LANCE: 520, PROMOTED_KNIGHT: 530, PROMOTED_SILVER: 520, HORSE: 980, DRAGON: 1150,
}  # fmt: skip
# A piece in hand can go anywhere, so it is worth a little more than on the board.
IN_HAND = {PAWN: 115, LANCE: 320, KNIGHT: 340, SILVER: 490, GOLD: 570, BISHOP: 760, ROOK: 880}


def board_values() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """By kind, 0 where there is none."""
    return np.array([ON_BOARD.get(kind, 0) for kind in range(16)], dtype=np.int64)


def capture_values() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """By kind: what the enemy loses on the board and the capturer gains in hand."""
    return np.array([ON_BOARD.get(kind, 0) + IN_HAND.get(kind & 7, 0) for kind in range(16)], dtype=np.int64)


def promotion_values() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """By kind: what promoting it adds."""
    return np.array([max(0, ON_BOARD.get(kind + 8, 0) - ON_BOARD.get(kind, 0)) for kind in range(8)], dtype=np.int64)
