"""Moves of chess out of bytes: what a text says of a move, and which legal move that is.

Read are SAN in all its shapes (``Nbd7``, ``Ng1xf3+``, ``e8=Q``, ``e8Q``, ``e8(Q)``, ``e8/Q``, ``0-0``,
``exd6e.p.``, figurines) and coordinates (``e2e4``, ``e7e8q``, ``e1g1``, ``f1h1``). The pieces that could go to the
target are tried; exactly one of them must be able to without leaving its king in check.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, int64, scan, scratch, table
from evalsmith.games.chess import words
from evalsmith.games.chess.attacks import (
    bishop_attacks,
    bit,
    forward,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_attacks,
)
from evalsmith.games.chess.legality import ALL, MAX_MOVES, checkers, generate
from evalsmith.games.chess.notation.letters import MARK, PLAIN, class_of
from evalsmith.games.contract import play_into

# What a text says of a move, from the lowest bit: the target in 6 bits, file and rank of the origin plus one in 4
# each, the piece in 3, the promotion in 3, castling in 2 (1 short, 2 long), and in how many bytes.
FROM_FILE, FROM_RANK, SAID_PIECE, PROMOTION, WING, LENGTH = 6, 10, 14, 17, 20, 22
UNSAID = 6  # the piece, where only squares are given

NO_MOVE, ILLEGAL, AMBIGUOUS = -1, -2, -3

_0, _1 = np.uint64(0), np.uint64(1)
_FILE_A, _RANK_1 = np.uint64(0x0101010101010101), np.uint64(0xFF)
_BUFFER = scratch("integers", MAX_MOVES)

_LETTERS = np.full(256, -1, dtype=np.int64)
_LETTERS[[ord(letter) for letter in "PNBRQK"]] = range(6)
_letters = table("chess_san.letters", _LETTERS)
_PROMOTIONS = np.zeros(256, dtype=np.int64)
_PROMOTIONS[[ord(letter) for letter in "NBRQnbrq"]] = [words.KNIGHT, words.BISHOP, words.ROOK, words.QUEEN] * 2
_promotions = table("chess_san.promotions", _PROMOTIONS)
# U+2654 to U+265F are E2 99 94 to E2 99 9F: king, queen, rook, bishop, knight, pawn, in white and in black.
_FIGURINES = np.array([words.KING, words.QUEEN, words.ROOK, words.BISHOP, words.KNIGHT, words.PAWN] * 2, dtype=np.int64)
_figurines = table("chess_san.figurines", _FIGURINES)

_DASH, _EQUALS, _SLASH, _COLON, _CROSS, _OPEN, _CLOSE, _DOT = (ord(letter) for letter in "-=/:x().")
_SMALL_A, _SMALL_H, _ONE, _EIGHT, _ZERO, _BIG_O, _SMALL_O, _SMALL_E, _SMALL_P = (ord(letter) for letter in "ah180Ooep")


@helper("int64(int64)", inline=True)
def _file_of(letter: int) -> int:
    return letter - _SMALL_A + 1 if _SMALL_A <= letter <= _SMALL_H else 0


@helper("int64(int64)", inline=True)
def _rank_of(letter: int) -> int:
    return letter - _ONE + 1 if _ONE <= letter <= _EIGHT else 0


@helper("int64(uint8[::1], int64)", inline=True)
def _separator(text: Integers, i: int) -> int:
    """The bytes of a dash or a sign of capture, also as books print them (``–``, ``×``); 0 where none is."""
    letter = int64(text[i])
    if letter in (_CROSS, _DASH, _COLON):
        return 1
    if letter < 128:
        return 0
    if letter == 0xC3 and text[i + 1] == 0x97:
        return 2
    return 3 if letter == 0xE2 and text[i + 1] == 0x80 and text[i + 2] == 0x93 else 0


@helper("int64(uint8[::1], int64, int64)")
def _closed(text: Integers, begin: int, i: int) -> int:
    """The length of a move whose squares end at ``i``, signs behind it included; 0 where other letters follow."""
    if text[i] == _SMALL_E and (text[i + 1] == _DOT or text[i + 1] == _SMALL_P):
        i += 1
        while text[i] == _DOT or text[i] == _SMALL_P:
            i += 1
            if i - begin > 32:
                return 0
    while class_of(int64(text[i])) == MARK and i - begin < 32:
        i += 1
    letter = int64(text[i])
    # Bytes above 127 are signs such as † in one encoding or another.
    return 0 if class_of(letter) == PLAIN and letter < 128 else i - begin


@helper("int64(uint8[::1], int64, int64)")
def _read_castling(text: Integers, begin: int, letter: int) -> int:
    """``O-O`` and ``O-O-O``, also with zeros or small letters, and without dashes unless of zeros."""
    i, count = begin + 1, 1
    while count < 3:
        dash = _separator(text, i)
        if dash != 0 and text[i + dash] == letter:
            i += dash + 1
        elif text[i] == letter and letter != _ZERO:
            i += 1
        else:
            break
        count += 1
    length = _closed(text, begin, i)
    if count == 1 or length == 0:
        return NO_MOVE
    return length << LENGTH | (count - 1) << WING


@helper("int64(uint8[::1], int64)")
def read_move(text: Integers, begin: int) -> int:
    """What the word at ``begin`` says of a move, or NO_MOVE."""
    i = begin
    letter = int64(text[i])
    if letter in (_BIG_O, _ZERO, _SMALL_O):
        return _read_castling(text, begin, letter)
    piece = _letters()[letter]
    if piece >= 0:
        i += 1
    elif letter == 0xE2 and text[i + 1] == 0x99 and 0x94 <= text[i + 2] <= 0x9F:
        piece = _figurines()[int64(text[i + 2]) - 0x94]
        i += 3
    file = _file_of(int64(text[i]))
    if file != 0:
        i += 1
    rank = _rank_of(int64(text[i]))
    if rank != 0:
        i += 1
    behind = i
    i += _separator(text, i)
    to_file, to_rank = _file_of(int64(text[i])), 0
    if to_file != 0:
        to_rank = _rank_of(int64(text[i + 1]))
    if to_file != 0 and to_rank != 0:
        i += 2
    elif file != 0 and rank != 0:
        # One square only: what was taken for the origin is the target.
        i, to_file, to_rank, file, rank = behind, file, rank, 0, 0
    else:
        return NO_MOVE
    if piece < 0:
        piece = UNSAID if file != 0 and rank != 0 else words.PAWN
    promotion = 0
    if piece in (words.PAWN, UNSAID):
        j = i + 1 if text[i] == _EQUALS or text[i] == _SLASH else i
        if text[j] == _OPEN:
            if _promotions()[int64(text[j + 1])] != 0 and text[j + 2] == _CLOSE:
                promotion, i = _promotions()[int64(text[j + 1])], j + 3
        elif _promotions()[int64(text[j])] != 0:
            promotion, i = _promotions()[int64(text[j])], j + 1
    length = _closed(text, begin, i)
    if length == 0:
        return NO_MOVE
    target = to_file - 1 + 8 * (to_rank - 1)
    origin = rank << FROM_RANK | file << FROM_FILE
    return length << LENGTH | promotion << PROMOTION | piece << SAID_PIECE | origin | target


# ── Which move it is ────────────────────────────────────────────────────────────────────────────


@helper("int64(integers, words, int64, int64, words)")
def _castle(context: Integers, position: Words, wing: int, target: int, next_row: Words) -> int:
    """Castle on a wing (1 short, 2 long), or where the rook, else the king's new square, is ``target``; play it."""
    out, found = _BUFFER(), int64(ILLEGAL)
    count = generate(position, out, ALL)
    for i in range(count):
        move = out[i]
        if (move >> words.KIND) & 7 == words.CASTLING:
            origin, rook = (move >> words.ORIGIN) & 63, move & 63
            king_to = words.castled_king(origin, rook)
            if wing == (1 if rook > origin else 2) or target == rook or (target == king_to and found < 0):
                found = move
            if target == rook:
                break
    if found >= 0:
        play_into(context, position, found, next_row)
    return found


@helper("int64(integers, words, uint64, int64, int64, words)")
def _only(context: Integers, position: Words, origins: Word, base: int, side: int, next_row: Words) -> int:
    """The one legal move of ``base`` from one of the origins; play it."""
    found, played = ILLEGAL, ILLEGAL
    while origins != _0:
        played = base | scan(origins) << words.ORIGIN
        play_into(context, position, played, next_row)
        if checkers(next_row, side) == _0:
            if found >= 0:
                return AMBIGUOUS
            found = played
        origins &= origins - _1
    if found >= 0 and played != found:
        play_into(context, position, found, next_row)
    return found


@helper("int64(integers, words, uint64, int64, int64, int64, words)")
def _pawn(context: Integers, position: Words, pawns: Word, target: int, file: int, kind: int, next_row: Words) -> int:
    """The pawn move to ``target`` by one of ``pawns``; without a file it goes straight on."""
    side = words.side_of(position[words.STATE])
    own, enemy = position[words.WHITE_PIECES + side], position[words.BLACK_PIECES - side]
    reached, home = bit(target), 3 if side == 0 else 4
    last = 7 if side == 0 else 0
    if (target >> 3 == last) != (kind != 0):
        return ILLEGAL
    origins = _0
    if file != 0 and file - 1 != target & 7:
        origins = pawn_attacks(reached, 1 - side) & pawns
        if enemy & reached == _0:
            passing = words.en_passant_of(position[words.STATE])
            if passing == 0 or target != passing - 1 + (40 if side == 0 else 16):
                return ILLEGAL
            kind = words.EN_PASSANT
    elif (own | enemy) & reached == _0:
        behind = forward(reached, 1 - side)
        origins = behind & pawns
        if origins == _0 and behind & (own | enemy) == _0 and target >> 3 == home:
            origins = forward(behind, 1 - side) & pawns
            kind = words.DOUBLE
    return _only(context, position, origins, kind << words.KIND | target, side, next_row)


@helper("int64(integers, words, int64, words)")
def resolve(context: Integers, position: Words, said: int, next_row: Words) -> int:
    """The legal move that ``read_move`` told of, with the position after it; or ILLEGAL or AMBIGUOUS."""
    wing = (said >> WING) & 3
    if wing != 0:
        return _castle(context, position, wing, -1, next_row)
    side = words.side_of(position[words.STATE])
    own, enemy = position[words.WHITE_PIECES + side], position[words.BLACK_PIECES - side]
    occupied = own | enemy
    target, piece, promotion = said & 63, (said >> SAID_PIECE) & 7, (said >> PROMOTION) & 7
    file, rank = (said >> FROM_FILE) & 15, (said >> FROM_RANK) & 15
    reached, origins = bit(target), own
    if file != 0:
        origins &= _FILE_A << np.uint64(file - 1)
    if rank != 0:
        origins &= _RANK_1 << np.uint64(8 * rank - 8)
    if piece == UNSAID:
        piece = words.PAWN
        while piece < words.KING and position[piece] & origins == _0:
            piece += 1
        if origins == _0 or (piece != words.PAWN and promotion != 0):
            return ILLEGAL
        # In Chess960 a step of the king can be written as castling would be, so the step comes first.
        if piece == words.KING and (reached & own != _0 or reached & king_attacks(scan(origins)) == _0):
            return _castle(context, position, 0, target, next_row)
    if reached & own != _0:
        return ILLEGAL
    if piece == words.PAWN:
        return _pawn(context, position, origins & position[words.PAWN], target, file, promotion, next_row)
    attacks = king_attacks(target)
    if piece == words.KNIGHT:
        attacks = knight_attacks(target)
    elif piece == words.BISHOP:
        attacks = bishop_attacks(target, occupied)
    elif piece == words.ROOK:
        attacks = rook_attacks(target, occupied)
    elif piece == words.QUEEN:
        attacks = rook_attacks(target, occupied) | bishop_attacks(target, occupied)
    elif attacks & position[words.KING] & enemy != _0:
        return ILLEGAL
    return _only(context, position, origins & position[piece] & attacks, piece << words.PIECE | target, side, next_row)
