"""Moves as USI writes them, ``7g7f``, ``8h2b+``, ``P*5e``: read from bytes by compiled code, and written."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Small, helper, int64, table
from evalsmith.games.game import Position
from evalsmith.games.shogi.board import LETTERS, square_name
from evalsmith.games.shogi.movegen.generate import DROP, ORIGIN, PROMOTE

_STAR, _PLUS, _ONE, _SMALL_A, _A = (ord(letter) for letter in "*+1aA")

_kinds = np.zeros(26, dtype=np.int64)
for _kind in range(1, 8):
    _kinds[ord(LETTERS[_kind]) - _A] = _kind
_letter_kinds = table("shogi.usi_letters", _kinds)


@helper("int64(small, int64)", inline=True)
def _square(data: Small, place: int) -> int:
    """``7g`` as a square; -1 where it is none."""
    file, rank = int64(data[place]) - _ONE, int64(data[place + 1]) - _SMALL_A
    return -1 if min(file, rank) < 0 or max(file, rank) > 8 else 9 * file + rank


@helper("int64(small, int64, int64)", inline=True)
def usi_claim(data: Small, place: int, end: int) -> int:
    """``7g7f``, ``8h2b+`` or ``P*5e`` as a claim; -1 where it is no move."""
    width = end - place
    if width != 4 and not (width == 5 and int64(data[place + 4]) == _PLUS):
        return -1
    target = _square(data, place + 2)
    if int64(data[place + 1]) == _STAR:
        letter = int64(data[place]) - _A
        kind = _letter_kinds()[letter] if 0 <= letter < 26 else int64(0)
        origin = DROP + kind if kind > 0 and width == 4 else int64(-1)
    else:
        origin = _square(data, place)
    if target < 0 or origin < 0:
        return -1
    return target + ORIGIN * origin + (PROMOTE if width == 5 else 0)


def format_usi(position: Position, move: int) -> str:
    """The move as USI writes it."""
    target, origin = move & 127, move >> 7 & 127
    if origin > DROP:
        return f"{LETTERS[origin - DROP]}*{square_name(target)}"
    return square_name(origin) + square_name(target) + ("+" if move & PROMOTE else "")
