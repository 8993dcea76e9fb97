"""Pawns in the evaluation of chess: structure, passed pawns, and the king's shelter.

All boards are turned so that the side looked at moves up; ``enemy`` pawns come down.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Values, Word, Words, helper, popcount, scan, table
from evalsmith.games.chess.frame import ENEMY, OWN, PASSED
from evalsmith.games.chess.layout import FIRST
from evalsmith.games.chess.words import PAWN
from evalsmith.games.emitting import emit

_0, _1, _7, _8, _9 = np.uint64(0), np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)
_16, _32 = np.uint64(16), np.uint64(32)
_NOT_A, _NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
FILE_A = np.uint64(0x0101010101010101)

_STRUCTURE, _CONNECTED = FIRST["pawn structure"], FIRST["connected pawn"]
_PASSED, _BLOCKED, _CANDIDATE = FIRST["passed pawn"], FIRST["blocked passed pawn"], FIRST["candidate passed pawn"]
_OWN_KING, _ENEMY_KING = FIRST["own king from passed pawn"], FIRST["enemy king from passed pawn"]
_SHELTER, _STORM = FIRST["king shelter"], FIRST["pawn storm"]
# From this rank (counted from 0) on, the kings' distances to a passed pawn matter.
_KINGS_MATTER = 3


def _beside(ahead: bool) -> list[int]:
    """For each square, the squares of the neighbouring files: ahead of it, or level with it and behind."""
    boards = []
    for square in range(64):
        rank, file = divmod(square, 8)
        ranks = range(rank + 1, 8) if ahead else range(rank + 1)
        boards.append(sum(1 << 8 * r + f for f in (file - 1, file + 1) if 0 <= f < 8 for r in ranks))
    return boards


_ahead = table("chess.beside_ahead", np.array(_beside(True), dtype=np.uint64))
_behind = table("chess.beside_behind", np.array(_beside(False), dtype=np.uint64))


@helper("uint64(uint64)", inline=True)
def up_fill(squares: Word) -> Word:
    """The squares and all above them."""
    squares |= squares << _8
    squares |= squares << _16
    return squares | (squares << _32)


@helper("uint64(uint64)", inline=True)
def down_fill(squares: Word) -> Word:
    """The squares and all below them."""
    squares |= squares >> _8
    squares |= squares >> _16
    return squares | (squares >> _32)


@helper("uint64(uint64)", inline=True)
def sideways(squares: Word) -> Word:
    """The squares left and right of each."""
    return ((squares & _NOT_H) << _1) | ((squares & _NOT_A) >> _1)


@helper("uint64(uint64)", inline=True)
def up_attacks(pawns: Word) -> Word:
    """What pawns that move up attack."""
    return ((pawns & _NOT_A) << _7) | ((pawns & _NOT_H) << _9)


@helper("uint64(uint64)", inline=True)
def twice_up(pawns: Word) -> Word:
    """What two pawns that move up attack."""
    return ((pawns & _NOT_A) << _7) & ((pawns & _NOT_H) << _9)


@helper("uint64(uint64)", inline=True)
def down_attacks(pawns: Word) -> Word:
    """What pawns that move down attack."""
    return ((pawns & _NOT_A) >> _9) | ((pawns & _NOT_H) >> _7)


@helper("int64(int64, int64)", inline=True)
def steps(first: int, second: int) -> int:
    """How many moves a king needs from one square to another."""
    files, ranks = abs((first & 7) - (second & 7)), abs((first >> 3) - (second >> 3))
    return files if files > ranks else ranks


@helper("int64(words, int64, int64, int64, int64, indices, values, int64)")
def pawn_terms(
    frame: Words, king: int, enemy_king: int, sign: int, fused: int, index: Indices, value: Values, count: int
) -> int:
    """Structure and passed pawns of one side; leaves the passed ones in the frame."""
    enemy_pieces = frame[ENEMY]
    own, enemy = frame[PAWN] & frame[OWN], frame[PAWN] & enemy_pieces
    above_enemy = down_fill(enemy >> _8)
    open_ahead = ~above_enemy
    doubled = own & down_fill(own >> _8)
    files = up_fill(down_fill(own))
    isolated = own & ~sideways(files)
    attacks, enemy_attacks = up_attacks(own), down_attacks(enemy)
    backward = (((own << _8) & enemy_attacks & ~up_fill(attacks)) >> _8) & ~isolated
    connected = own & (attacks | sideways(own))
    front = own & ~doubled & open_ahead
    passed = front & ~sideways(above_enemy)
    frame[PASSED] = passed

    count = emit(fused, index, value, count, _STRUCTURE, sign * popcount(doubled))
    count = emit(fused, index, value, count, _STRUCTURE + 1, sign * popcount(isolated & ~open_ahead))
    count = emit(fused, index, value, count, _STRUCTURE + 2, sign * popcount(isolated & open_ahead))
    count = emit(fused, index, value, count, _STRUCTURE + 3, sign * popcount(backward & ~open_ahead))
    count = emit(fused, index, value, count, _STRUCTURE + 4, sign * popcount(backward & open_ahead))
    while connected != _0:
        count = emit(fused, index, value, count, _CONNECTED + (scan(connected) >> 3) - 1, sign)
        connected &= connected - _1
    candidates = front & ~passed
    while candidates != _0:
        square = scan(candidates)
        if popcount(_behind()[square] & own) >= popcount(_ahead()[square] & enemy):
            count = emit(fused, index, value, count, _CANDIDATE + (square >> 3) - 1, sign)
        candidates &= candidates - _1
    while passed != _0:
        square = scan(passed)
        rank = square >> 3
        count = emit(fused, index, value, count, _PASSED + rank - 1, sign)
        if enemy_pieces & (_1 << np.uint64(square + 8)) != _0:
            count = emit(fused, index, value, count, _BLOCKED + rank - 1, sign)
        if rank >= _KINGS_MATTER:
            count = emit(fused, index, value, count, _OWN_KING + steps(king, square + 8), sign)
            count = emit(fused, index, value, count, _ENEMY_KING + steps(enemy_king, square + 8), sign)
        passed &= passed - _1
    return count


@helper("int64(uint64, uint64, int64, int64, int64, indices, values, int64)")
def king_pawns(
    own: Word, enemy: Word, king: int, sign: int, fused: int, index: Indices, value: Values, count: int
) -> int:
    """Shelter and storm on the three files around the king; at the edge, the three outermost."""
    file, rank = king & 7, king >> 3
    middle = min(max(file, 1), 6)
    # Pawns that the king has left behind neither shelter nor threaten it.
    level = _ALL << np.uint64(8 * rank)
    for near in range(middle - 1, middle + 2):
        column = (FILE_A << np.uint64(near)) & level
        shelter, storm = own & column, enemy & column
        own_rank = scan(shelter) >> 3 if shelter != _0 else 0
        side = 0 if near == file else 7
        count = emit(fused, index, value, count, _SHELTER + side + own_rank, sign)
        if storm == _0:
            count = emit(fused, index, value, count, _STORM, sign)
        else:
            enemy_rank = scan(storm) >> 3
            blocked = 6 if own_rank != 0 and own_rank + 1 == enemy_rank else 0
            count = emit(fused, index, value, count, _STORM + blocked + enemy_rank, sign)
    return count
