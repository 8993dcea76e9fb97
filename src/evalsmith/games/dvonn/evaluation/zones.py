"""Where fields lie: how far from the nearest red stone, and which stacks hang on one connection."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, Words, helper, int64
from evalsmith.games.dvonn import board
from evalsmith.games.dvonn.layout import ZONES
from evalsmith.games.dvonn.rules import beside

_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)
_BOARD = np.uint64(board.BOARD)
_STEP, _ROW, _SLANT = np.uint64(1), np.uint64(board.WIDTH), np.uint64(board.WIDTH + 1)


@helper("void(uint64, words)", inline=True)
def find_zones(red: Word, zones: Words) -> None:
    """The fields of each zone; without a red all lie in the last."""
    reached = red
    zones[0] = red
    for zone in range(1, ZONES - 1):
        grown = reached | (beside(reached) & _BOARD)
        zones[zone] = grown ^ reached
        reached = grown
    zones[ZONES - 1] = _BOARD & ~reached


@helper("uint64(uint64)", inline=True)
def hanging_stacks(occupied: Word) -> Word:
    """The stacks with exactly one neighbour: they are lost when it goes."""
    one, more = occupied << _STEP, _0
    for side in (occupied >> _STEP, occupied << _ROW, occupied >> _ROW, occupied << _SLANT, occupied >> _SLANT):
        more |= one & side
        one |= side
    return occupied & one & ~more


@helper("void(words, words)", inline=True)
def write_digits(zones: Words, planes: Words) -> None:
    """The binary digits of the zones of all fields, as three bitboards."""
    planes[0], planes[1] = zones[1] | zones[3] | zones[5], zones[2] | zones[3]
    planes[2] = zones[4] | zones[5]


@helper("int64(words, int64)", inline=True)
def zone_at(planes: Words, bit: int) -> int:
    """The zone of a field, from its digits."""
    shift = np.uint64(bit)
    zone = ((planes[0] >> shift) & _1) | (((planes[1] >> shift) & _1) << _1) | (((planes[2] >> shift) & _1) << _2)
    return int64(zone)
