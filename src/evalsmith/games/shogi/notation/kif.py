"""Moves as KIF writes them, ``７六歩(77)``: read from bytes by compiled code, and written.

Reading takes KI2's words too (``５八金右``), half-width digits, either bracket, 不成, 王 and 竜. What is read comes
back as one number: its value, and 2³² times how many bytes it took; −1 where it is not there.
"""

from __future__ import annotations

from evalsmith.compile import Small, helper, int64
from evalsmith.games.game import Position
from evalsmith.games.shogi.board import kind_moved
from evalsmith.games.shogi.movegen.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.notation import letters
from evalsmith.games.shogi.notation.claims import BEFORE, MOTION, NO_ORIGIN, SIDE, WORD
from evalsmith.games.shogi.notation.letters import letter_at, skip, wide_letter
from evalsmith.games.shogi.squares import GOLD, PROMOTED, SILVER

PIECES = ("", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍")  # by kind
FILES, RANKS = "１２３４５６７８９", "一二三四五六七八九"
MARKS = "▲△"

BYTES = 32
VALUE = (1 << BYTES) - 1

_0, _OPEN, _CLOSE = (ord(letter) for letter in "0()")


@helper("int64(small, int64, int64, int64)", inline=True)
def _origin_at(data: Small, place: int, end: int, code: int) -> int:
    """The square in ``(77)``; NO_ORIGIN for ``(00)``."""
    if place + 3 < end and int64(data[place]) == _OPEN and int64(data[place + 3]) == _CLOSE:
        file, rank, after = int64(data[place + 1]) - _0, int64(data[place + 2]) - _0, place + 4
    else:
        after = skip(data, place, end, code)
        seen = letter_at(data, after, end, code)
        if seen & 255 != letters.OPENS:
            return -1
        after += seen >> 8
        seen = letter_at(data, after, end, code)
        file = seen & 255
        after += seen >> 8
        seen = letter_at(data, after, end, code)
        rank = seen & 255
        after += seen >> 8
        seen = letter_at(data, after, end, code)
        if seen & 255 != letters.CLOSES or file < 1 or rank < 1:
            return -1
        file, rank = (
            file % letters.ZERO if file <= letters.ZERO else -1,
            rank % letters.ZERO if rank <= letters.ZERO else -1,
        )
        after += seen >> 8
    if file == 0 and rank == 0:
        return NO_ORIGIN + ((after - place) << BYTES)
    if file < 1 or file > 9 or rank < 1 or rank > 9:
        return -1
    return 9 * file + rank - 10 + ((after - place) << BYTES)


@helper("int64(small, int64, int64, int64, int64)", inline=True)
def claim_at(data: Small, place: int, end: int, last: int, code: int) -> int:
    """``７六歩(77)`` as a claim. ``last`` is the square that 同 repeats, or -1.

    A move that tells neither 打 nor its origin has NO_ORIGIN.
    """
    begin, side = place, 0
    seen = letter_at(data, place, end, code)
    if seen & 255 in (letters.BLACK_MARK, letters.WHITE_MARK):
        side = 1 if seen & 255 == letters.BLACK_MARK else 2
        place = skip(data, place + (seen >> 8), end, code)
        seen = letter_at(data, place, end, code)
    place += seen >> 8
    file = seen & 255
    if file == letters.SAME:
        if last < 0:
            return -1
        target = last
        place = skip(data, place, end, code)
    else:
        seen = letter_at(data, place, end, code)
        rank = seen & 255
        if letters.KANJI < rank < letters.PIECE:
            rank -= letters.KANJI
        if file < 1 or file > 9 or rank < 1 or rank > 9:
            return -1
        target = 9 * file + rank - 10
        place = skip(data, place + (seen >> 8), end, code)
    seen = letter_at(data, place, end, code)
    promoted = 0
    if seen & 255 == letters.PROMOTES:
        promoted = PROMOTED
        place += seen >> 8
        seen = letter_at(data, place, end, code)
    kind = (seen & 255) - letters.PIECE
    if kind < 1 or kind > PROMOTED + 6 or (promoted != 0 and kind > SILVER):
        return -1
    kind += promoted
    place += seen >> 8
    claim = target + (kind << BEFORE) + (side << SIDE)
    origin = NO_ORIGIN
    # Most moves of KIF have their origin right here.
    if place >= end or int64(data[place]) != _OPEN:
        seen = letter_at(data, place, end, code)
        if letters.LEFT <= seen & 255 <= letters.STRAIGHT:
            claim |= ((seen & 255) - letters.LEFT + 1) << WORD
            place += seen >> 8
            seen = letter_at(data, place, end, code)
        if letters.UP <= seen & 255 <= letters.BACK:
            claim |= ((seen & 255) - letters.UP + 1) << MOTION
            place += seen >> 8
            seen = letter_at(data, place, end, code)
        letter = seen & 255
        if letter == letters.DROPS:
            if kind > GOLD:
                return -1
            origin = DROP + kind
            place += seen >> 8
        elif letter == letters.PROMOTES:
            claim += PROMOTE
            place += seen >> 8
        elif letter == letters.NOT:
            after = letter_at(data, place + (seen >> 8), end, code)
            if after & 255 == letters.PROMOTES:
                place += (seen >> 8) + (after >> 8)
        elif letter == letters.PLAIN:
            place += seen >> 8
    after = _origin_at(data, place, end, code)
    if after >= 0:
        square = after & VALUE
        # Some write the origin of a drop as 00.
        if (origin == NO_ORIGIN) == (square != NO_ORIGIN):
            origin = square if origin == NO_ORIGIN else origin
            place += after >> BYTES
    return claim + ORIGIN * origin + ((place - begin) << BYTES)


@helper("int64(small, int64, int64, int64)", inline=True)
def plain_claim(data: Small, place: int, last: int, code: int) -> int:
    """The same for a move as nearly all are written: full-width letters, and the origin in half-width brackets.

    The text must go on for 24 bytes. What comes back as -1 may still be a move.
    """
    begin, width = place, 3 if code == letters.UTF_8 else 2
    file, rank = wide_letter(data, place, code), wide_letter(data, place + width, code)
    kind = wide_letter(data, place + 2 * width, code) - letters.PIECE
    if kind < 1 or kind > PROMOTED + 6:
        return -1
    if 1 <= file <= 9 and letters.KANJI < rank < letters.PIECE:
        target = 9 * file + rank - letters.KANJI - 10
    elif file == letters.SAME and rank == letters.SPACE and last >= 0:
        target = last
    else:
        return -1
    claim = target + (kind << BEFORE)
    place += 3 * width
    if int64(data[place]) >= 0x80:
        letter = wide_letter(data, place, code)
        place += width
        if letter == letters.DROPS and kind <= GOLD:
            return claim + ORIGIN * (DROP + kind) + ((place - begin) << BYTES)
        if letter != letters.PROMOTES:
            return -1
        claim += PROMOTE
    file, rank = int64(data[place + 1]) - _0, int64(data[place + 2]) - _0
    if int64(data[place]) != _OPEN or int64(data[place + 3]) != _CLOSE or min(file, rank) < 1 or max(file, rank) > 9:
        return -1
    return claim + ORIGIN * (9 * file + rank - 10) + ((place + 4 - begin) << BYTES)


def format_kif(position: Position, move: int, last: int | None = None) -> str:
    """``７六歩(77)``, ``同　銀成(31)``, ``５五角打``."""
    target, origin = move & 127, move >> 7 & 127
    text = target_name(target, last)
    if origin > DROP:
        return f"{text}{PIECES[origin - DROP]}打"
    promotion = "成" if move & PROMOTE else ""
    return f"{text}{PIECES[kind_moved(position, move)]}{promotion}({origin // 9 + 1}{origin % 9 + 1})"


def target_name(target: int, last: int | None) -> str:
    """``７六``, or 同 where the move before went there too."""
    return "同　" if target == last else f"{FILES[target // 9]}{RANKS[target % 9]}"
