"""Hand-set weights of shogi's evaluation, in centipawns: a sensible player to begin fitting from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.shogi.evaluation.values import IN_HAND, ON_BOARD
from evalsmith.games.shogi.layout import FEATURES, MOBILE, SIZE, STARTS, VICTIMS
from evalsmith.games.shogi.squares import (
    BISHOP,
    DRAGON,
    GOLD,
    GOLD_LIKE,
    HAND_KINDS,
    HORSE,
    KINDS,
    KING,
    KNIGHT,
    LANCE,
    NAMES,
    PAWN,
    ROOK,
    SET,
    SILVER,
)

MIDDLE, END = 0, 1
Column = npt.NDArray[np.int32]

# Centipawns a square beside the enemy's king that a piece attacks, middle game and endgame.
_KING_ATTACK = {
    PAWN: (4, 10), LANCE: (4, 8), KNIGHT: (6, 14), SILVER: (8, 16), GOLD: (10, 20), BISHOP: (6, 12), ROOK: (8, 16),
    HORSE: (12, 24), DRAGON: (14, 28), KING: (0, 0),
}  # fmt: skip
# A point of mobility, and the number of squares that is worth nothing.
_MOBILITY = {
    LANCE: (3, 3), KNIGHT: (8, 1), SILVER: (5, 3), GOLD: (4, 3), BISHOP: (6, 6), ROOK: (6, 6), HORSE: (5, 10),
    DRAGON: (6, 11),
}  # fmt: skip
_SAFE_CHECK = {PAWN: 4, LANCE: 5, KNIGHT: 10, SILVER: 10, BISHOP: 5, ROOK: 5, GOLD: 14}
_HOLE = {PAWN: 2, LANCE: 0, KNIGHT: 1, SILVER: 2, BISHOP: 4, ROOK: 5, GOLD: 1}
_ATTACKERS = (0, -4, -16, -36, -62, -92, -124, -158, -192, -226, -260, -292, -324)
_GUARDS = (-20, 0, 18, 32, 40, 44, 46, 48, 50)
_ESCAPES = (-24, -8, 0, 6, 10, 12, 12, 10, 8)
_CASTLE = {  # by grade; in the endgame half of it
    "Mino castle": (4, 14, 32, 44, 54),
    "Anaguma castle": (4, 16, 40, 62, 80),
    "Yagura castle": (4, 14, 32, 46, 56),
}


def starting() -> npt.NDArray[np.int32]:
    """Material, hands, a few squares, king safety, mobility and threats."""
    weights = np.zeros((2, SIZE), dtype=np.int32)
    for column, late in ((weights[MIDDLE], False), (weights[END], True)):
        _set_pieces(column, late)
        _set_king(column, late)
        _set_threats(column, late)
        _set_squares(column, late)
    return weights


def _block(column: Column, name: str) -> Column:
    size = next(feature.size for feature in FEATURES if feature.name == name)
    return column[STARTS[name] : STARTS[name] + size]


def _set_pieces(column: Column, late: bool) -> None:
    _block(column, "material")[:] = [ON_BOARD[kind] for kind in VICTIMS]
    for kind in HAND_KINDS:
        # The first of a kind is worth the most: it can be dropped at once. Many pawns in hand wait for open files.
        numbers = np.arange(1, SET[kind] + 1)
        worth = IN_HAND[kind] * numbers
        if kind == PAWN:
            worth = 115 * np.minimum(numbers, 4) + 80 * np.maximum(0, numbers - 4)
        _block(column, f"{NAMES[kind]} in hand")[:] = worth
    for kind, reach in MOBILE.items():
        each, neutral = _MOBILITY[kind]
        _block(column, f"{NAMES[kind]} mobility")[:] = each * (np.arange(reach + 1) - neutral)
    _block(column, "promoted piece mobility")[:] = 4 * (np.arange(7) - 4)
    _block(column, "files open for a pawn")[:] = 3 * np.minimum(np.arange(10), 4)
    _block(column, "pawns side by side")[:] = 2 * np.arange(9)
    _block(column, "undefended pawns")[:] = -3 * np.arange(10)
    _block(column, "defended pawns beyond the middle")[:] = 10 * np.minimum(np.arange(10), 4)
    _block(column, "tempo")[:] = 30 if late else 20


def _set_king(column: Column, late: bool) -> None:
    factor = 2 if late else 1
    attack = [_KING_ATTACK[GOLD if kind in GOLD_LIKE else kind][late] for kind in KINDS]
    _block(column, "square at the enemy's king attacked")[:] = attack
    _block(column, "attackers near the king")[:] = np.array(_ATTACKERS) * factor
    _block(column, "guards beside the king")[:] = np.array(_GUARDS) * factor
    _block(column, "escape squares of the king")[:] = np.array(_ESCAPES) * factor
    _block(column, "unguarded squares beside the king")[:] = -8 * factor * np.arange(9)
    for name, grades in _CASTLE.items():
        _block(column, name)[:] = np.array(grades) // factor


def _set_threats(column: Column, late: bool) -> None:
    large = (BISHOP, ROOK, HORSE, DRAGON)
    _block(column, "defended piece")[:] = [6 if kind == PAWN else 10 for kind in VICTIMS]
    _block(column, "attacked and undefended piece")[:] = [
        -ON_BOARD[kind] // (6 if kind in large else 8) for kind in VICTIMS
    ]
    _block(column, "piece attacked by a pawn")[:] = [0 if kind == PAWN else -ON_BOARD[kind] // 10 for kind in VICTIMS]
    _block(column, "square attacked")[:] = (2, 3, 5)
    _block(column, "square attacked twice")[:] = (2, 3, 6)
    _block(column, "safe check by drop")[:] = [_SAFE_CHECK[kind] * (2 if late else 1) for kind in HAND_KINDS]
    _block(column, "hole in the enemy camp for drop")[:] = [_HOLE[kind] for kind in HAND_KINDS]
    _block(column, "pawn drop before")[:] = [0 if kind == PAWN else 8 if kind in large else 12 for kind in VICTIMS]


def _set_squares(column: Column, late: bool) -> None:
    files, ranks = np.divmod(np.arange(81), 9)
    advance, centre = 8 - ranks, 4 - np.abs(files - 4)
    _block(column, "pawn on square")[:] = np.select([advance >= 5, advance == 4, advance == 3], [20, 10, 5], 0)
    _block(column, "lance on square")[:] = np.where(advance > 2, -10, 0)
    _block(column, "knight on square")[:] = np.select([advance == 2, advance == 4], [12, 8], 0)
    # Silvers and golds belong before the king and not beyond; in the endgame wherever the battle is.
    for kind, best in ((SILVER, 3), (GOLD, 1)):
        distance = np.maximum(0, advance - best - (3 if late else 1))
        _block(column, f"{NAMES[kind]} on square")[:] = 3 * centre - 6 * distance
    for kind in GOLD_LIKE[1:]:
        # Near the enemy's king they are worth most, which is mostly on ranks b to d; at the edge they are lost.
        _block(column, f"{NAMES[kind]} on square")[:] = 5 * centre + np.where((ranks >= 1) & (ranks <= 3), 15, -10)
    _block(column, "bishop on square")[:] = 2 * centre
    _block(column, "rook on square")[:] = np.where(advance >= 6, 25, 0)
    _block(column, "horse on square")[:] = 4 * centre
    _block(column, "dragon on square")[:] = np.where(advance >= 6, 15, 0)
    # The king stays home and off the middle; late in the game, further up is further from the attackers.
    home = np.select([ranks == 8, ranks == 7, ranks == 6], [0, 5, -25], -70 if not late else -20)
    away = np.where(ranks >= 6, np.select([np.abs(files - 4) >= 3, np.abs(files - 4) == 2], [30, 15], -15), 0)
    _block(column, "king on square")[:] = home + (away if not late else away // 2)
