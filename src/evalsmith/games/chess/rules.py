"""The rules of chess: the functions of the game contract.

The words of a position and the bits of a move are described in words.py. The game is over by mate, stalemate,
a hundred plies without capture or pawn move (a mate on the last of them counts), or when neither side has
material to mate with: only kings, a single knight or bishop besides, or bishops that all stand on one colour.
The third occurrence of a position is a draw.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, popcount, scan
from evalsmith.games.chess.attacks import bit, pawn_attacks
from evalsmith.games.chess.exchange import holds, values
from evalsmith.games.chess.legality import ALL, checkers, generate, safe_en_passant, stuck
from evalsmith.games.chess.words import (
    BISHOP,
    BLACK_PIECES,
    CASTLING,
    DOUBLE,
    EN_PASSANT,
    EN_PASSANT_BIT,
    FIFTY_MOVES,
    KEY,
    KIND,
    KING,
    KNIGHT,
    NORMAL,
    ORIGIN,
    PAWN,
    PIECE,
    QUEEN,
    ROOK,
    STATE,
    WHITE,
    WHITE_PIECES,
    WORDS,
    castled_king,
    castled_rook,
    castling_key,
    clock_of,
    en_passant_key,
    en_passant_of,
    piece_key,
    side_key,
    side_of,
)
from evalsmith.games.contract import DRAW, FRESH, OVER, PLAYER, contract

WIN_VALUE = 30000

_0, _1, _8, _48, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(48), np.uint64(0xFF)
_CASTLING = np.uint64(0xFFFF)
_SIDE, _PLY, _NUMBER, _NUMBERS = np.uint64(1 << 16), np.uint64(1 << 24), np.uint64(1 << 40), np.uint64(0xFFFFFF << 40)
_EN_PASSANT, _CLOCK = np.uint64(15 << EN_PASSANT_BIT), np.uint64(0xFFFF << 24)
_LIGHT = np.uint64(0x55AA55AA55AA55AA)

_LAST = -1000  # behind every capture
_TURNED = 56 | 56 << ORIGIN  # both squares of a move with their ranks in the other order


@contract
def moves(position: Words, out: Integers) -> int:
    """King, knights, bishops, rooks, queens, then pawns."""
    return generate(position, out, ALL)


@contract
def noisy(position: Words, out: Integers) -> int:
    """Captures and promotions to a queen; in check every evasion."""
    return generate(position, out, _0)


@helper("int64(words, uint64)", inline=True)
def _piece_on(position: Words, place: Word) -> int:
    """The piece on an occupied square."""
    for piece in range(PAWN, KING):
        if position[piece] & place != _0:
            return piece
    return KING


@helper("uint64(uint64, int64, int64, uint64)", inline=True)
def _lost_castling(castling: Word, side: int, piece: int, touched: Word) -> Word:
    """The rooks that may castle no more, once a piece has moved and these squares were left or reached."""
    if piece == KING:
        touched |= _BYTE << np.uint64(56 * side)
    return castling & ((touched & _BYTE) | ((touched >> _48) & (_BYTE << _8)))


@helper("uint64(words, int64, int64, int64)", inline=True)
def _castle(next: Words, side: int, king: int, rook: int) -> Word:
    """Put king and rook where castling puts them; by what the key changes."""
    king_to, rook_to = castled_king(king, rook), castled_rook(king, rook)
    next[KING] ^= bit(king) ^ bit(king_to)
    next[ROOK] ^= bit(rook) ^ bit(rook_to)
    next[WHITE_PIECES + side] ^= bit(king) ^ bit(rook) ^ bit(king_to) ^ bit(rook_to)
    change = piece_key(KING, side, king) ^ piece_key(KING, side, king_to)
    return change ^ piece_key(ROOK, side, rook) ^ piece_key(ROOK, side, rook_to)


@helper("uint64(words, int64, int64, int64)", inline=True)
def _remove(next: Words, side: int, piece: int, square: int) -> Word:
    """Take a captured piece off the board; by what the key changes."""
    next[piece] ^= bit(square)
    next[WHITE_PIECES + side] ^= bit(square)
    return piece_key(piece, side, square)


@helper("int64(words, int64, int64)", inline=True)
def _passable(next: Words, side: int, target: int) -> int:
    """Whether the pawn of a side that went two steps to ``target`` may be captured en passant: legally, that is."""
    middle = target - 8 + 16 * side
    capturers = pawn_attacks(bit(middle), side) & next[PAWN] & next[BLACK_PIECES - side]
    while capturers != _0:
        if safe_en_passant(next, 1 - side, scan(capturers), middle) != 0:
            return 1
        capturers &= capturers - _1
    return 0


@contract
def play(position: Words, move: int, next: Words) -> None:
    """Make a move."""
    for i in range(WORDS):
        next[i] = position[i]
    target, origin = move & 63, (move >> ORIGIN) & 63
    piece, kind = (move >> PIECE) & 7, (move >> KIND) & 7
    state, key = position[STATE], position[KEY] ^ side_key()
    side = side_of(state)
    left, reached = bit(origin), bit(target)

    file = en_passant_of(state)
    if file != 0:
        key ^= en_passant_key(file - 1)
    numbers = (state & _NUMBERS) + (_NUMBER if side == 1 else _0)
    clock = (state & _CLOCK) + _PLY
    castling = state & _CASTLING
    if castling != _0:
        lost = _lost_castling(castling, side, piece, left | reached)
        castling ^= lost
        while lost != _0:
            key ^= castling_key(scan(lost))
            lost &= lost - _1

    if kind == CASTLING:
        key ^= _castle(next, side, origin, target)
    else:
        if position[BLACK_PIECES - side] & reached != _0:
            key ^= _remove(next, 1 - side, _piece_on(position, reached), target)
            clock = _0
        next[piece] ^= left | reached
        next[WHITE_PIECES + side] ^= left | reached
        key ^= piece_key(piece, side, origin) ^ piece_key(piece, side, target)
        if piece == PAWN:
            clock = _0
    passing = _0
    if kind != NORMAL and kind != CASTLING:
        if kind == DOUBLE:
            # Only a capture that is legal makes the position another one.
            if _passable(next, side, target) != 0:
                passing = np.uint64((target & 7) + 1) << np.uint64(EN_PASSANT_BIT)
                key ^= en_passant_key(target & 7)
        elif kind == EN_PASSANT:
            key ^= _remove(next, 1 - side, PAWN, target - 8 + 16 * side)
        else:
            next[PAWN] ^= reached
            next[kind] ^= reached
            key ^= piece_key(PAWN, side, target) ^ piece_key(kind, side, target)
    next[STATE] = castling | ((state ^ _SIDE) & _SIDE) | passing | clock | numbers
    next[KEY] = key


@helper("int64(words)")
def _bare(position: Words) -> int:
    """Whether neither side can ever mate."""
    if position[PAWN] | position[ROOK] | position[QUEEN] != _0:
        return 0
    bishops = position[BISHOP]
    if position[KNIGHT] != _0:
        return 1 if popcount(position[KNIGHT] | bishops) == 1 else 0
    return 1 if bishops & _LIGHT == _0 or bishops & ~_LIGHT == _0 else 0


@contract
def status(position: Words) -> int:
    """Over by mate, stalemate, the fifty-move rule, or for want of material."""
    if clock_of(position[STATE]) >= FIFTY_MOVES or _bare(position) != 0 or stuck(position) != 0:
        return OVER
    return PLAYER


@contract
def mover(position: Words) -> int:
    """0 white, 1 black."""
    return side_of(position[STATE])


@contract
def result(position: Words) -> int:
    """Lost when mated, otherwise drawn."""
    side = side_of(position[STATE])
    if checkers(position, side) != _0 and stuck(position) != 0:
        return -WIN_VALUE
    return 0


@contract
def key(position: Words) -> Word:
    """The key that every move keeps up to date; clocks are not in it."""
    return position[KEY]


@contract
def check(position: Words) -> int:
    """Whether the mover's king is attacked."""
    return 1 if checkers(position, side_of(position[STATE])) != _0 else 0


@contract
def null_move(position: Words, next: Words) -> int:
    """Leave the move to the enemy; not in check, and not with king and pawns alone, where that is often best."""
    state = position[STATE]
    side = side_of(state)
    pieces = position[KNIGHT] | position[BISHOP] | position[ROOK] | position[QUEEN]
    if pieces & position[WHITE_PIECES + side] == _0 or checkers(position, side) != _0:
        return 0
    for i in range(STATE):
        next[i] = position[i]
    key = position[KEY] ^ side_key()
    file = en_passant_of(state)
    if file != 0:
        key ^= en_passant_key(file - 1)
    # The clock begins anew, so that no repetition is seen across the null move.
    state &= ~(_EN_PASSANT | _CLOCK)
    next[STATE] = (state ^ _SIDE) + (_NUMBER if side == 1 else _0)
    next[KEY] = key
    return 1


@helper("int64(words, int64)", inline=True)
def _won(position: Words, move: int) -> int:
    """Centipawns that a move captures or promotes to."""
    kind = (move >> KIND) & 7
    if kind == EN_PASSANT:
        return values()[PAWN]
    reached = bit(move & 63)
    enemy = position[BLACK_PIECES - side_of(position[STATE])]
    won = 0
    if enemy & reached != _0:
        won = values()[_piece_on(position, reached)]
    if PAWN < kind < KING:
        won += values()[kind] - values()[PAWN]
    return won


@contract
def capture_value(position: Words, move: int) -> int:
    """What the move captures and promotes to, in centipawns."""
    return _won(position, move)


@helper("int64(words, int64, int64)", inline=True)
def _exchange(position: Words, move: int, least: int) -> int:
    """Whether the move wins at least so many centipawns; castling exchanges nothing."""
    kind, piece = (move >> KIND) & 7, (move >> PIECE) & 7
    lead = _won(position, move) - least
    if lead < 0:
        return 0
    if kind == CASTLING:
        return 1
    side, target = side_of(position[STATE]), move & 63
    occupied = position[WHITE_PIECES] | position[BLACK_PIECES] | bit(target)
    occupied ^= bit((move >> ORIGIN) & 63)
    if kind == EN_PASSANT:
        occupied ^= bit(target - 8 + 16 * side)
    if PAWN < kind < KING:
        piece = kind
    return holds(position, target, 1 - side, occupied, lead, piece)


@contract
def exchange(position: Words, move: int, least: int) -> int:
    """Whether the move wins at least so many centipawns once both sides have captured on its target."""
    return _exchange(position, move, least)


@contract
def order(position: Words, move: int) -> int:
    """The most valuable victim first, by the least valuable attacker; quiet moves are all alike.

    Last come promotions to less than a queen, and captures that lose the exchange.
    """
    kind, piece = (move >> KIND) & 7, (move >> PIECE) & 7
    if KNIGHT <= kind <= ROOK:
        return _LAST
    won = _won(position, move)
    if won == 0:
        return 0
    if won < values()[piece] and _exchange(position, move, 0) == 0:
        return won - values()[piece]
    return 100 * won - values()[piece]


@contract
def slot(position: Words, move: int) -> int:
    """Origin and target as the mover sees the board; promotions to less than a queen by piece, file and direction."""
    kind = (move >> KIND) & 7
    if KNIGHT <= kind <= ROOK:
        file, turn = (move >> ORIGIN) & 7, (move & 7) - ((move >> ORIGIN) & 7) + 1
        return 4096 + ((kind - KNIGHT) * 8 + file) * 3 + turn
    return move & 4095 if side_of(position[STATE]) == WHITE else (move & 4095) ^ _TURNED


@contract
def repeated(position: Words, keys: Words, checks: Integers, count: int) -> int:
    """A draw when the position stands on the board for the third time."""
    key, found = position[KEY], 0
    reach = min(clock_of(position[STATE]), count)
    back = 4  # nothing can be as it was sooner
    while back <= reach:
        if keys[count - back] == key:
            found += 1
            if found == 2:
                return DRAW
        back += 2
    return FRESH
