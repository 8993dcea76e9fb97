"""Moves as CSA writes them, ``+7776FU``: read from bytes by compiled code, and written."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Small, helper, int64, table
from evalsmith.games.game import Position
from evalsmith.games.shogi.board import kind_moved, side_of
from evalsmith.games.shogi.movegen.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.notation.claims import AFTER, SIDE
from evalsmith.games.shogi.squares import GOLD, PROMOTED

CODES = ("", "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY")  # of CSA, by kind

_PLUS, _ZERO, _A = (ord(letter) for letter in "+0A")

_kinds = np.zeros(26 * 26, dtype=np.int64)
for _kind, _code in enumerate(CODES):
    if _kind:
        _kinds[26 * (ord(_code[0]) - _A) + ord(_code[1]) - _A] = _kind
_code_kinds = table("shogi.csa_codes", _kinds)


@helper("int64(small, int64, int64)", inline=True)
def csa_claim(data: Small, place: int, end: int) -> int:
    """``+7776FU`` as a claim; -1 where it is no move."""
    if end - place != 7:
        return -1
    file, rank = int64(data[place + 3]) - _ZERO, int64(data[place + 4]) - _ZERO
    first, second = int64(data[place + 5]) - _A, int64(data[place + 6]) - _A
    if min(file, rank, first + 1, second + 1) < 1 or max(file, rank) > 9 or max(first, second) > 25:
        return -1
    kind = _code_kinds()[26 * first + second]
    if kind == 0:
        return -1
    target = 9 * file + rank - 10
    file, rank = int64(data[place + 1]) - _ZERO, int64(data[place + 2]) - _ZERO
    if file == 0 and rank == 0:
        if kind > GOLD:
            return -1
        origin = DROP + kind
    elif min(file, rank) < 1 or max(file, rank) > 9:
        return -1
    else:
        origin = 9 * file + rank - 10
    side = 1 if int64(data[place]) == _PLUS else 2
    return target + ORIGIN * origin + (kind << AFTER) + (side << SIDE)


def format_csa(position: Position, move: int) -> str:
    """``+7776FU``, ``-0055KA``: sign, origin (00 is the hand), target, and the piece as it stands afterwards."""
    target, origin = move & 127, move >> 7 & 127
    kind = kind_moved(position, move) + (PROMOTED if move & PROMOTE else 0)
    start = "00" if origin > DROP else f"{origin // 9 + 1}{origin % 9 + 1}"
    return f"{'+-'[side_of(position)]}{start}{target // 9 + 1}{target % 9 + 1}{CODES[kind]}"
