"""What the sides do to each other in the evaluation of chess: threats, checks, weak squares, the way of passed pawns.

These terms come after those of each side, because they compare what both attack. Boards are turned so that the side
looked at moves up.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Values, Word, Words, helper, popcount, scan
from evalsmith.games.chess.attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
from evalsmith.games.chess.frame import (
    BY_ANY,
    BY_BISHOP,
    BY_KNIGHT,
    BY_PAWN,
    BY_QUEEN,
    BY_ROOK,
    BY_TWO,
    ENEMY,
    OWN,
    PASSED,
    turn,
)
from evalsmith.games.chess.layout import FIRST, MAX_WEAK
from evalsmith.games.chess.pawns import down_fill, up_attacks, up_fill
from evalsmith.games.chess.words import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from evalsmith.games.emitting import emit

_0, _1, _8 = np.uint64(0), np.uint64(1), np.uint64(8)
_THIRD = np.uint64(0x0000000000FF0000)

_THREAT, _CHECK, _WEAK, _RESTRICTED = (
    FIRST[name] for name in ("threat", "safe check", "weak square in king zone", "restricted square")
)
_HELD, _STOPPED, _FREE, _BEHIND = (
    FIRST[name]
    for name in (
        "passed pawn, held ahead",
        "passed pawn, attacked ahead",
        "passed pawn, free way",
        "rook behind passed pawn",
    )
)


@helper("int64(words, uint64, int64, int64, indices, values, int64)", inline=True)
def _attacked_pieces(
    frame: Words, defended: Word, sign: int, fused: int, index: Indices, value: Values, count: int
) -> int:
    """What one side attacks of the other's pieces; ``defended`` is what the other side attacks itself."""
    enemy = frame[ENEMY]
    knights, bishops = frame[KNIGHT] & enemy, frame[BISHOP] & enemy
    rooks, queens = frame[ROOK] & enemy, frame[QUEEN] & enemy
    by_pawn, by_minor = frame[BY_PAWN], frame[BY_KNIGHT] | frame[BY_BISHOP]
    count = emit(fused, index, value, count, _THREAT, sign * popcount(by_pawn & knights))
    count = emit(fused, index, value, count, _THREAT + 1, sign * popcount(by_pawn & bishops))
    count = emit(fused, index, value, count, _THREAT + 2, sign * popcount(by_pawn & rooks))
    count = emit(fused, index, value, count, _THREAT + 3, sign * popcount(by_pawn & queens))
    count = emit(fused, index, value, count, _THREAT + 4, sign * popcount(by_minor & (knights | bishops)))
    count = emit(fused, index, value, count, _THREAT + 5, sign * popcount(by_minor & rooks))
    count = emit(fused, index, value, count, _THREAT + 6, sign * popcount(by_minor & queens))
    count = emit(fused, index, value, count, _THREAT + 7, sign * popcount(frame[BY_ROOK] & queens))
    loose = frame[BY_ANY] & ~defended
    count = emit(fused, index, value, count, _THREAT + 8, sign * popcount(loose & frame[PAWN] & enemy))
    return emit(fused, index, value, count, _THREAT + 9, sign * popcount(loose & (knights | bishops | rooks | queens)))


@helper("int64(words, uint64, uint64, int64, int64, indices, values, int64)", inline=True)
def _possible_threats(
    frame: Words, defended: Word, by_enemy_pawn: Word, sign: int, fused: int, index: Indices, value: Values, count: int
) -> int:
    """Threats that one move would make: a pawn's step towards a piece, an attack on the queen."""
    own, enemy = frame[OWN], frame[ENEMY]
    occupied = own | enemy
    step = ((frame[PAWN] & own) << _8) & ~occupied
    step |= ((step & _THIRD) << _8) & ~occupied
    step &= ~by_enemy_pawn & (frame[BY_ANY] | ~defended)
    pieces = enemy & ~(frame[PAWN] | frame[KING])
    count = emit(fused, index, value, count, _THREAT + 10, sign * popcount(up_attacks(step) & pieces))
    queens = frame[QUEEN] & enemy
    if queens != _0:
        queen, safe = scan(queens), ~(defended | own)
        jumps = knight_attacks(queen) & frame[BY_KNIGHT] & safe
        lines = (bishop_attacks(queen, occupied) & frame[BY_BISHOP]) | (rook_attacks(queen, occupied) & frame[BY_ROOK])
        count = emit(fused, index, value, count, _THREAT + 11, sign * popcount(jumps))
        count = emit(fused, index, value, count, _THREAT + 12, sign * popcount(lines & safe & frame[BY_TWO]))
    return count


@helper("int64(uint64, int64, int64, int64, indices, values, int64)", inline=True)
def _checks_of(squares: Word, first: int, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """The term of one kind of piece that can give check from some squares."""
    several = 1 if squares & (squares - _1) != _0 else 0
    return emit(fused, index, value, count, first + several, sign if squares != _0 else 0)


@helper("int64(words, uint64, uint64, uint64, int64, int64, indices, values, int64)", inline=True)
def _king_danger(
    frame: Words,
    defended: Word,
    twice: Word,
    by_queen: Word,
    sign: int,
    fused: int,
    index: Indices,
    value: Values,
    count: int,
) -> int:
    """Checks that nothing takes, and squares at the enemy's king that only king and queen defend."""
    place = frame[KING] & frame[ENEMY]
    king, occupied = scan(place), frame[OWN] | frame[ENEMY]
    beside = king_attacks(king)
    safe = ~(defended | frame[OWN])
    diagonals, lines = bishop_attacks(king, occupied) & safe, rook_attacks(king, occupied) & safe
    jumps = knight_attacks(king) & safe
    count = _checks_of(jumps & frame[BY_KNIGHT], _CHECK, sign, fused, index, value, count)
    count = _checks_of(diagonals & frame[BY_BISHOP], _CHECK + 2, sign, fused, index, value, count)
    count = _checks_of(lines & frame[BY_ROOK], _CHECK + 4, sign, fused, index, value, count)
    count = _checks_of((diagonals | lines) & frame[BY_QUEEN], _CHECK + 6, sign, fused, index, value, count)
    zone = beside | place
    zone |= zone >> _8
    weak = zone & frame[BY_ANY] & ~twice & (~defended | beside | by_queen)
    return emit(fused, index, value, count, _WEAK + min(popcount(weak), MAX_WEAK), sign)


@helper("int64(words, uint64, int64, int64, indices, values, int64)", inline=True)
def _passed_ways(frame: Words, defended: Word, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """What stands in the way of passed pawns, or behind them."""
    rest, occupied, rooks = frame[PASSED], frame[OWN] | frame[ENEMY], frame[ROOK]
    while rest != _0:
        square = scan(rest)
        rank = (square >> 3) - 1
        pawn = _1 << np.uint64(square)
        stop, behind = pawn << _8, down_fill(pawn >> _8)
        if frame[BY_ANY] & stop != _0:
            count = emit(fused, index, value, count, _HELD + rank, sign)
        if defended & stop != _0:
            count = emit(fused, index, value, count, _STOPPED + rank, sign)
        elif up_fill(stop) & (occupied | defended) == _0:
            count = emit(fused, index, value, count, _FREE + rank, sign)
        if rooks & behind & frame[OWN] != _0:
            count = emit(fused, index, value, count, _BEHIND, sign)
        if rooks & behind & frame[ENEMY] != _0:
            count = emit(fused, index, value, count, _BEHIND + 1, sign)
        rest &= rest - _1
    return count


@helper("int64(words, words, int64, int64, indices, values, int64)")
def clash_terms(frame: Words, other: Words, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """Everything that one side does to the other; ``other`` is the other side's frame."""
    defended, twice = turn(other[BY_ANY]), turn(other[BY_TWO])
    by_pawn, by_queen = turn(other[BY_PAWN]), turn(other[BY_QUEEN])
    count = _attacked_pieces(frame, defended, sign, fused, index, value, count)
    count = _possible_threats(frame, defended, by_pawn, sign, fused, index, value, count)
    count = _king_danger(frame, defended, twice, by_queen, sign, fused, index, value, count)
    held = by_pawn | (twice & ~frame[BY_TWO])
    count = emit(fused, index, value, count, _RESTRICTED, sign * popcount(defended & ~held & frame[BY_ANY]))
    return _passed_ways(frame, defended, sign, fused, index, value, count)
