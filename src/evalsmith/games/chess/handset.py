"""Hand-set weights of chess, in centipawns: sensible play before anything has been fitted.

Each block is a pair (middle game, endgame); features without one count nothing. Piece-square values come from how near
to the centre, how far advanced or how far from the edge a square is, not from games.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalsmith.games.chess.layout import FIRST, MAX_UNITS, SIZE

Numbers = Sequence[float] | npt.NDArray[np.float64]

_EDGE = np.array([-3.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, -3.0])  # by file, or by rank where both ends are bad
_RANKS = np.arange(8.0)
_MIDDLE_FILES = np.array([0.0, 0.0, 1.0, 2.0, 2.0, 1.0, 0.0, 0.0])


def _board(by_rank: Numbers, by_file: Numbers) -> npt.NDArray[np.float64]:
    """Values of the 64 squares as sums of a rank's and a file's."""
    ranks, files = np.asarray(by_rank, dtype=np.float64), np.asarray(by_file, dtype=np.float64)
    return (ranks[:, None] + files[None, :]).reshape(-1)


def _pawn_squares() -> tuple[Numbers, Numbers]:
    advance = np.array([0, -6, -2, 4, 10, 20, 30, 0], dtype=float)
    middle = _board(advance, np.zeros(8)) + np.outer([0, -5, 2, 9, 9, 6, 4, 0], _MIDDLE_FILES).reshape(-1)
    ending = _board([0, -6, -4, 2, 14, 34, 60, 0], -1.5 * _MIDDLE_FILES)
    return middle[8:56], ending[8:56]


def _king_squares() -> tuple[Numbers, Numbers]:
    middle = _board([6, -14, -34, -50, -60, -65, -70, -70], [22, 28, 8, -14, -14, 2, 28, 22])
    ending = _board([-22, -6, 4, 10, 12, 10, 0, -14], 7 * _EDGE)
    return middle, ending


def _mobility(size: int, usual: int, middle: float, ending: float) -> tuple[Numbers, Numbers]:
    """Each further square counts less; nothing at the usual number."""
    squares = np.sqrt(np.arange(size)) - np.sqrt(usual)
    step = 2 * np.sqrt(usual)  # a square more or less around the usual number is worth the given amount
    return middle * step * squares, ending * step * squares


def _king_attack() -> tuple[Numbers, Numbers]:
    units = np.arange(MAX_UNITS + 1.0)
    return np.minimum(units**2 / 16, 220), units / 8


_BLOCKS: dict[str, tuple[Numbers, Numbers]] = {
    "tempo": ([14], [8]),
    "material": ([82, 325, 340, 480, 985], [112, 300, 318, 535, 1000]),
    "pawn square": _pawn_squares(),
    "knight square": (_board([-16, -6, 2, 8, 12, 10, 0, -14], 7 * _EDGE), _board(5 * _EDGE, 6 * _EDGE)),
    "bishop square": (_board([-8, 2, 4, 4, 3, 2, -2, -8], 3 * _EDGE), _board(2.5 * _EDGE, 2.5 * _EDGE)),
    "rook square": (_board([0, -4, -4, -4, 0, 2, 4, 4], [-4, -2, 1, 4, 4, 1, -2, -4]), _board(1.5 * _RANKS, 0 * _EDGE)),
    "queen square": (
        _board([0, 2, 1, -1, -3, -4, -5, -4], 1.5 * _EDGE),
        _board([-12, -6, 0, 5, 8, 8, 4, 0], 4 * _EDGE),
    ),
    "king square": _king_squares(),
    "knight mobility": _mobility(9, 4, 5, 5),
    "bishop mobility": _mobility(14, 6, 5, 6),
    "rook mobility": _mobility(15, 7, 3, 6),
    "queen mobility": _mobility(28, 13, 2, 4),
    "pawn structure": ([-6, -6, -14, -5, -13], [-20, -10, -14, -8, -11]),
    "connected pawn": ([2, 7, 9, 16, 32, 50], [0, 3, 6, 14, 30, 45]),
    "passed pawn": ([0, 2, 8, 24, 48, 80], [8, 12, 28, 52, 88, 130]),
    "blocked passed pawn": ([0, 0, -4, -10, -20, -36], [-4, -5, -12, -28, -50, -80]),
    "own king from passed pawn": (np.zeros(8), -5 * np.arange(8.0)),
    "enemy king from passed pawn": (np.zeros(8), 8 * np.arange(8.0)),
    "candidate passed pawn": ([0, 1, 5, 12, 24], [3, 5, 10, 20, 40]),
    "pieces": ([28, 24, 12, 8, 26, 15], [48, 12, 8, 22, 14, 7]),
    "king shelter": ([-26, 20, 12, -2, -8, -12, -14, -16, 16, 11, 0, -4, -8, -10], np.zeros(14)),
    "pawn storm": ([0, -12, -26, -15, -5, 0, 0, 0, -8, -3, 0, 0, 0], np.zeros(13)),
    "attackers on king zone": ([0, 0, 12, 26, 42, 56, 66, 72], np.zeros(8)),
    "attack on king zone": _king_attack(),
    "attack on king zone without queen": _king_attack(),
    "threat": ([52, 54, 66, 60, 18, 38, 42, 40, 4, 26], [38, 40, 50, 60, 20, 36, 46, 44, 14, 28]),
    "space": ([2], [0]),
    "ahead without pawns": ([10, 20, 30, 10, 20, 30], [10, 20, 30, 10, 20, 30]),
    "pawns against a piece": (10 * np.arange(1, 9.0), 10 * np.arange(1, 9.0)),
    "foremost pawn against a piece": ([0, 0, 0, 10, 30, 60], [0, 0, 0, 10, 30, 60]),
}


def starting() -> npt.NDArray[np.int32]:
    """The hand-set weights, one row for the middle game and one for the endgame."""
    weights = np.zeros((2, SIZE), dtype=np.int32)
    for name, columns in _BLOCKS.items():
        for column, numbers in enumerate(columns):
            block = np.round(np.asarray(numbers, dtype=float)).astype(np.int32)
            weights[column, FIRST[name] : FIRST[name] + len(block)] = block
    return weights
