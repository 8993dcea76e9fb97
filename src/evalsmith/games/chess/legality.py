"""Legal moves of chess: checks and pins first, then only moves that respect them.

Every move that is written is legal; none is made and taken back. A pinned piece stays on the line between
its king and the pinning piece; in check a move must capture the checking piece or step in between.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, lowest, scan, scratch
from evalsmith.games.chess.attacks import (
    antidiagonal_table,
    between_squares,
    bishop_attacks,
    bit,
    diagonal_table,
    file_table,
    forward,
    king_attacks,
    knight_attacks,
    line_through,
    pawn_attacks,
    rook_attacks,
)
from evalsmith.games.chess.words import (
    BISHOP,
    BLACK_PIECES,
    CASTLING,
    DOUBLE,
    EN_PASSANT,
    KIND,
    KING,
    KNIGHT,
    ORIGIN,
    PAWN,
    PIECE,
    QUEEN,
    ROOK,
    STATE,
    WHITE_PIECES,
    castled_king,
    castled_rook,
    en_passant_of,
    side_of,
)

_0, _1 = np.uint64(0), np.uint64(1)
_7, _8, _9, _BYTE = np.uint64(7), np.uint64(8), np.uint64(9), np.uint64(0xFF)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_NOT_A, _NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
_RANK_3, _RANK_6 = np.uint64(0x0000000000FF0000), np.uint64(0x0000FF0000000000)
_LAST_RANKS = np.uint64(0xFF000000000000FF)

# What the parts of `generate` share of a position.
_OWN, _ENEMY, _PLACE = 0, 1, 2  # the mover's pieces, the enemy's, the mover's king
_CHECKING, _PINNED = 3, 4  # the enemy's pieces that give check, the mover's that are pinned
_QUIET, _ALLOWED, _ANSWERS = 5, 6, 7  # ALL if quiet moves are wanted, targets of pieces, targets that answer a check
_view = scratch("words", 8)

# More than any position that is read can have: fifteen queens with 27 moves each, and a king with 8.
MAX_MOVES = 416
_BUFFER = scratch("integers", MAX_MOVES)


@helper("uint64(words, int64)")
def checkers(position: Words, side: int) -> Word:
    """The enemy's pieces that attack the king of a side."""
    own, enemy = position[WHITE_PIECES + side], position[BLACK_PIECES - side]
    place = position[KING] & own
    king, occupied = scan(place), own | enemy
    found = knight_attacks(king) & position[KNIGHT]
    found |= pawn_attacks(place, side) & position[PAWN]
    found |= rook_attacks(king, occupied) & (position[ROOK] | position[QUEEN])
    found |= bishop_attacks(king, occupied) & (position[BISHOP] | position[QUEEN])
    return found & enemy


@helper("int64(words, int64, int64, int64)")
def safe_en_passant(position: Words, side: int, origin: int, target: int) -> int:
    """Whether the king of a side is safe after that side captures en passant."""
    own, enemy = position[WHITE_PIECES + side], position[BLACK_PIECES - side]
    captured = bit(target - 8 + 16 * side)
    place = position[KING] & own
    king = scan(place)
    occupied = ((own | enemy) ^ captured ^ bit(origin)) | bit(target)
    left = enemy ^ captured
    found = knight_attacks(king) & position[KNIGHT]
    found |= pawn_attacks(place, side) & position[PAWN]
    found |= rook_attacks(king, occupied) & (position[ROOK] | position[QUEEN])
    found |= bishop_attacks(king, occupied) & (position[BISHOP] | position[QUEEN])
    return 1 if found & left == _0 else 0


@helper("uint64(words, int64, uint64)")
def attacked_by(position: Words, side: int, occupied: Word) -> Word:
    """Every square that the pieces of a side attack, with these squares occupied."""
    own = position[WHITE_PIECES + side]
    attacked = pawn_attacks(position[PAWN] & own, side) | king_attacks(scan(position[KING] & own))
    rest = position[KNIGHT] & own
    while rest != _0:
        attacked |= knight_attacks(scan(rest))
        rest &= rest - _1
    rest = (position[BISHOP] | position[QUEEN]) & own
    while rest != _0:
        attacked |= bishop_attacks(scan(rest), occupied)
        rest &= rest - _1
    rest = (position[ROOK] | position[QUEEN]) & own
    while rest != _0:
        attacked |= rook_attacks(scan(rest), occupied)
        rest &= rest - _1
    return attacked


@helper("int64(integers, int64, int64, uint64)", inline=True)
def _write(out: Integers, count: int, base: int, targets: Word) -> int:
    """One move from the origin in ``base`` to each target."""
    while targets != _0:
        out[count] = base | scan(targets)
        count += 1
        targets &= targets - _1
    return count


@helper("int64(integers, int64, int64, uint64, uint64)", inline=True)
def _write_pawns(out: Integers, count: int, base: int, targets: Word, quiet: Word) -> int:
    """One move to each target, or four where the pawn promotes; the origins lie a fixed step behind.

    ``base`` is what the step contributes to target + (target − step)·64. Without quiet moves a pawn
    becomes a queen only.
    """
    plain = targets & ~_LAST_RANKS
    while plain != _0:
        out[count] = scan(plain) * ((1 << ORIGIN) + 1) + base
        count += 1
        plain &= plain - _1
    promoting = targets & _LAST_RANKS
    while promoting != _0:
        move = scan(promoting) * ((1 << ORIGIN) + 1) + base
        out[count] = move + (QUEEN << KIND)
        count += 1
        if quiet != _0:
            out[count] = move + (KNIGHT << KIND)
            out[count + 1] = move + (ROOK << KIND)
            out[count + 2] = move + (BISHOP << KIND)
            count += 3
        promoting &= promoting - _1
    return count


@helper("int64(integers, int64, uint64, int64, uint64, uint64, uint64)")
def _write_castling(
    out: Integers, count: int, rooks: Word, king: int, occupied: Word, attacked: Word, pinned: Word
) -> int:
    """Castling with each of the rooks: nothing in the way, and the king never attacked."""
    while rooks != _0:
        rook = scan(rooks)
        king_to, rook_to = castled_king(king, rook), castled_rook(king, rook)
        king_path = between_squares(king, king_to) | bit(king_to)
        path = king_path | between_squares(rook, rook_to) | bit(rook_to)
        others = occupied ^ bit(king) ^ bit(rook)
        # A rook that is pinned along the rank shields the king from what stands behind it.
        if path & others == _0 and king_path & attacked == _0 and pinned & bit(rook) == _0:
            out[count] = CASTLING << KIND | KING << PIECE | king << ORIGIN | rook
            count += 1
        rooks &= rooks - _1
    return count


@helper("void(words, words, int64, int64)", inline=True)
def _find_checks(position: Words, view: Words, side: int, king: int) -> None:
    """What gives check, and what is pinned."""
    own, enemy = view[_OWN], view[_ENEMY]
    steppers = (knight_attacks(king) & position[KNIGHT]) | (pawn_attacks(view[_PLACE], side) & position[PAWN])
    checking, pinned = steppers & enemy, _0
    snipers = rook_attacks(king, enemy) & (position[ROOK] | position[QUEEN])
    snipers |= bishop_attacks(king, enemy) & (position[BISHOP] | position[QUEEN])
    snipers &= enemy
    while snipers != _0:
        shield = between_squares(king, scan(snipers)) & own
        if shield == _0:
            checking |= lowest(snipers)
        elif shield & (shield - _1) == _0:
            pinned |= shield
        snipers &= snipers - _1
    view[_CHECKING], view[_PINNED] = checking, pinned


@helper("int64(words, words, integers, int64, int64)", inline=True)
def _write_king(position: Words, view: Words, out: Integers, side: int, king: int) -> int:
    """The king's steps to squares that are not attacked, and castling."""
    count, occupied = 0, view[_OWN] | view[_ENEMY]
    around = king_attacks(king) & view[_ALLOWED]
    castling = ((position[STATE] >> np.uint64(8 * side)) & _BYTE & view[_QUIET]) << np.uint64(56 * side)
    if around | castling != _0:
        attacked = attacked_by(position, 1 - side, occupied ^ view[_PLACE])
        count = _write(out, count, KING << PIECE | king << ORIGIN, around & ~attacked)
        if castling != _0 and view[_CHECKING] == _0:
            count = _write_castling(out, count, castling, king, occupied, attacked, view[_PINNED])
    return count


@helper("int64(words, words, integers, int64, int64, int64)", inline=True)
def _write_sliders(position: Words, view: Words, out: Integers, count: int, king: int, piece: int) -> int:
    """Bishops, rooks or queens; a pinned one stays on the line of the pin."""
    rest, occupied = position[piece] & view[_OWN], view[_OWN] | view[_ENEMY]
    while rest != _0:
        origin, targets = scan(rest), _0
        if piece != ROOK:
            targets |= bishop_attacks(origin, occupied)
        if piece != BISHOP:
            targets |= rook_attacks(origin, occupied)
        targets &= view[_ALLOWED]
        if view[_PINNED] & bit(origin) != _0:
            targets &= line_through(king, origin)
        count = _write(out, count, piece << PIECE | origin << ORIGIN, targets)
        rest &= rest - _1
    return count


@helper("int64(words, words, integers, int64, int64, int64)", inline=True)
def _write_all_pawns(position: Words, view: Words, out: Integers, count: int, side: int, king: int) -> int:
    """Captures and pushes. A pinned pawn may still move along the pin: the king's file, or one of its diagonals."""
    free, occupied = ~view[_PINNED], view[_OWN] | view[_ENEMY]
    pawns, quiet, answers = position[PAWN] & view[_OWN], view[_QUIET], view[_ANSWERS]
    pushing = pawns & (free | file_table()[king])
    rising = pawns & (free | diagonal_table()[king])
    falling = pawns & (free | antidiagonal_table()[king])
    if side == 0:
        ahead = (pushing << _8) & ~occupied
        twice = ((ahead & _RANK_3) << _8) & ~occupied
        west, east = (falling & _NOT_A) << _7, (rising & _NOT_H) << _9
        push, to_west, to_east = -(8 << ORIGIN), -(7 << ORIGIN), -(9 << ORIGIN)
    else:
        ahead = (pushing >> _8) & ~occupied
        twice = ((ahead & _RANK_6) >> _8) & ~occupied
        west, east = (rising & _NOT_A) >> _9, (falling & _NOT_H) >> _7
        push, to_west, to_east = 8 << ORIGIN, 9 << ORIGIN, 7 << ORIGIN
    count = _write_pawns(out, count, to_west, west & view[_ENEMY] & answers, quiet)
    count = _write_pawns(out, count, to_east, east & view[_ENEMY] & answers, quiet)
    count = _write_pawns(out, count, push, ahead & answers & (quiet | _LAST_RANKS), quiet)
    twice &= answers & quiet
    while twice != _0:
        out[count] = scan(twice) * ((1 << ORIGIN) + 1) + 2 * push + (DOUBLE << KIND)
        count += 1
        twice &= twice - _1
    return count


@helper("int64(words, integers, int64, int64)", inline=True)
def _write_en_passant(position: Words, out: Integers, count: int, side: int) -> int:
    """Captures en passant that leave the king safe."""
    file = en_passant_of(position[STATE])
    if file == 0:
        return count
    target = file - 1 + (40 if side == 0 else 16)
    capturers = pawn_attacks(bit(target), 1 - side) & position[PAWN] & position[WHITE_PIECES + side]
    while capturers != _0:
        origin = scan(capturers)
        if safe_en_passant(position, side, origin, target) != 0:
            out[count] = EN_PASSANT << KIND | origin << ORIGIN | target
            count += 1
        capturers &= capturers - _1
    return count


@helper("int64(words, integers, uint64)")
def generate(position: Words, out: Integers, quiet: Word) -> int:
    """The legal moves; with ``quiet`` 0 instead of ALL only captures, new queens and evasions of a check."""
    side, view = side_of(position[STATE]), _view()
    own, enemy = position[WHITE_PIECES + side], position[BLACK_PIECES - side]
    view[_OWN], view[_ENEMY], view[_PLACE] = own, enemy, position[KING] & own
    king = scan(view[_PLACE])
    _find_checks(position, view, side, king)
    checking = view[_CHECKING]
    view[_QUIET] = ALL if checking != _0 else quiet
    view[_ALLOWED], view[_ANSWERS] = ~own & (view[_QUIET] | enemy), ALL
    count = _write_king(position, view, out, side, king)
    if checking != _0:
        if checking & (checking - _1) != _0:
            return count
        view[_ANSWERS] = checking | between_squares(king, scan(checking))
        view[_ALLOWED] &= view[_ANSWERS]

    knights = position[KNIGHT] & own & ~view[_PINNED]
    while knights != _0:
        origin = scan(knights)
        count = _write(out, count, KNIGHT << PIECE | origin << ORIGIN, knight_attacks(origin) & view[_ALLOWED])
        knights &= knights - _1
    count = _write_sliders(position, view, out, count, king, BISHOP)
    count = _write_sliders(position, view, out, count, king, ROOK)
    count = _write_sliders(position, view, out, count, king, QUEEN)
    count = _write_all_pawns(position, view, out, count, side, king)
    return _write_en_passant(position, out, count, side)


@helper("int64(words)")
def stuck(position: Words) -> int:
    """Whether the mover has no legal move."""
    side = side_of(position[STATE])
    own, enemy = position[WHITE_PIECES + side], position[BLACK_PIECES - side]
    if checkers(position, side) == _0:
        # Only the first piece on a line from the king can be pinned; a pawn or a knight elsewhere is free to move.
        occupied, king = own | enemy, scan(position[KING] & own)
        free = own & ~(rook_attacks(king, occupied) | bishop_attacks(king, occupied))
        if forward(position[PAWN] & free, side) & ~occupied != _0:
            return 0
        knights = position[KNIGHT] & free
        if knights != _0 and knight_attacks(scan(knights)) & ~own != _0:
            return 0
    return 1 if generate(position, _BUFFER(), ALL) == 0 else 0
