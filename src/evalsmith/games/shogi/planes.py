"""What a net sees of shogi: 30 planes of 9×9 cells, as the side to move sees the board.

0–13   the mover's pieces: pawns, lances, knights, silvers, bishops, rooks, golds, king, then the promoted ones
14–27  the enemy's
28     the mover's hand: so many cells of each kind as it holds, pawns first
29     the enemy's hand
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Words, helper, int64, lowest, scan
from evalsmith.games.planes import WORD, Planes, plane_kernel
from evalsmith.games.shogi.hands import in_hand
from evalsmith.games.shogi.movegen.attacks import piece_at
from evalsmith.games.shogi.squares import COLOURS, HAND_KINDS, KINDS, NAMES, SET, SPLIT, SQUARES, STATE, WHITE

_0, _1 = np.uint64(0), np.uint64(1)
_PLANE_WORDS = -(-SQUARES // WORD)
_OF_SIDE = len(KINDS)
_HANDS = 2 * _OF_SIDE
_PLANES = _HANDS + 2
# Where the cells of each kind begin in a plane of a hand.
_BEGIN = np.array([sum(SET[k] for k in HAND_KINDS if k < kind) for kind in range(8)], dtype=np.int64)


@helper("void(words, int64, int64)", inline=True)
def _mark(out: Words, plane: int, cell: int) -> None:
    """Set a cell of a plane."""
    out[_PLANE_WORDS * plane + cell // WORD] |= _1 << np.uint64(cell % WORD)


@helper("int64(int64)", inline=True)
def _cell(square: int) -> int:
    """The cell of a square: ranks are rows, files are columns."""
    return 9 * (square % 9) + square // 9


@helper("void(words, words, int64)")
def _fill_for(position: Words, out: Words, mover: int) -> None:
    """Two words each, as a side sees the board."""
    for word in range(_PLANES * _PLANE_WORDS):
        out[word] = _0
    for place in range(2):
        side = mover ^ place
        for half in range(2):
            left = position[COLOURS + 2 * side + half]
            while left != _0:
                bit = lowest(left)
                left ^= bit
                square = SPLIT * half + scan(bit)
                kind = piece_at(position, square) & 15
                _mark(out, _OF_SIDE * place + kind - 1, _cell(square if mover != WHITE else SQUARES - 1 - square))
        for kind in range(1, 8):
            for number in range(in_hand(position, side, kind)):
                _mark(out, _HANDS + place, _BEGIN[kind] + number)


@plane_kernel
def fill(position: Words, out: Words) -> None:
    """As the mover sees the board."""
    _fill_for(position, out, int64(position[STATE] & _1))


@plane_kernel
def fill_enemy(position: Words, out: Words) -> None:
    """As the enemy sees it."""
    _fill_for(position, out, int64(position[STATE] & _1) ^ 1)


_PIECES = tuple(NAMES[kind] for kind in KINDS)
PLANES = Planes(
    fill,
    width=9,
    height=9,
    names=(
        *(f"the mover's {piece}" for piece in _PIECES),
        *(f"the enemy's {piece}" for piece in _PIECES),
        "the mover's hand",
        "the enemy's hand",
    ),
    as_mover=True,
    enemy=fill_enemy,
)
