"""The words of KIF and KI2, read from bytes by compiled code: numbers, moves and their times.

What is read comes back as one number: its value, and 2³² times how many bytes it took; −1 where it is not there.
"""

from __future__ import annotations

from evalsmith.compile import Small, helper, int64
from evalsmith.games.shogi.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.squares import GOLD, PROMOTED, SILVER
from evalsmith.records.kif.letters import (
    BACK,
    BLACK_MARK,
    CLOSES,
    DROPS,
    KANJI,
    LEFT,
    NOT,
    OPENS,
    PIECE,
    PLAIN,
    POINTS,
    PROMOTES,
    SAME,
    SPACE,
    STRAIGHT,
    UP,
    UTF_8,
    WHITE_MARK,
    ZERO,
    letter_at,
    skip,
    wide_letter,
)
from evalsmith.records.shogi.claims import BEFORE, MOTION, NO_ORIGIN, SIDE, WORD

BYTES = 32
VALUE = (1 << BYTES) - 1

_0, _9, _DOT, _OPEN, _CLOSE, _BLANK, _COLON, _SLASH = (ord(letter) for letter in "09.() :/")
_MOST_OF_TIME = 20  # bytes of a plain one behind its blanks


@helper("int64(small, int64, int64, int64)", inline=True)
def number_at(data: Small, place: int, end: int, code: int) -> int:
    """A whole number of either width."""
    begin, value, digits = place, 0, 0
    while place < end and digits < 9:
        first = int64(data[place])
        if _0 <= first <= _9:
            value = 10 * value + first - _0
            place += 1
        elif first < 0x80:
            break
        else:
            seen = letter_at(data, place, end, code)
            if seen & 255 < 1 or seen & 255 > ZERO:
                break
            value = 10 * value + (seen & 255) % ZERO
            place += seen >> 8
        digits += 1
    return value + ((place - begin) << BYTES) if digits > 0 else -1


@helper("int64(small, int64, int64, int64)", inline=True)
def _origin_at(data: Small, place: int, end: int, code: int) -> int:
    """The square in ``(77)``; NO_ORIGIN for ``(00)``."""
    if place + 3 < end and int64(data[place]) == _OPEN and int64(data[place + 3]) == _CLOSE:
        file, rank, behind = int64(data[place + 1]) - _0, int64(data[place + 2]) - _0, place + 4
    else:
        behind = skip(data, place, end, code)
        seen = letter_at(data, behind, end, code)
        if seen & 255 != OPENS:
            return -1
        behind += seen >> 8
        seen = letter_at(data, behind, end, code)
        file = seen & 255
        behind += seen >> 8
        seen = letter_at(data, behind, end, code)
        rank = seen & 255
        behind += seen >> 8
        seen = letter_at(data, behind, end, code)
        if seen & 255 != CLOSES or file < 1 or rank < 1:
            return -1
        file, rank = file % ZERO if file <= ZERO else -1, rank % ZERO if rank <= ZERO else -1
        behind += seen >> 8
    if file == 0 and rank == 0:
        return NO_ORIGIN + ((behind - place) << BYTES)
    if file < 1 or file > 9 or rank < 1 or rank > 9:
        return -1
    return 9 * file + rank - 10 + ((behind - place) << BYTES)


@helper("int64(small, int64, int64, int64, int64)", inline=True)
def claim_at(data: Small, place: int, end: int, last: int, code: int) -> int:
    """``７六歩(77)`` as a claim. ``last`` is the square that 同 repeats, or -1.

    A move that tells neither 打 nor its origin has NO_ORIGIN.
    """
    begin, side = place, 0
    seen = letter_at(data, place, end, code)
    if seen & 255 in (BLACK_MARK, WHITE_MARK):
        side = 1 if seen & 255 == BLACK_MARK else 2
        place = skip(data, place + (seen >> 8), end, code)
        seen = letter_at(data, place, end, code)
    place += seen >> 8
    file = seen & 255
    if file == SAME:
        if last < 0:
            return -1
        target = last
        place = skip(data, place, end, code)
    else:
        seen = letter_at(data, place, end, code)
        rank = seen & 255
        if KANJI < rank < PIECE:
            rank -= KANJI
        if file < 1 or file > 9 or rank < 1 or rank > 9:
            return -1
        target = 9 * file + rank - 10
        place = skip(data, place + (seen >> 8), end, code)
    seen = letter_at(data, place, end, code)
    promoted = 0
    if seen & 255 == PROMOTES:
        promoted = PROMOTED
        place += seen >> 8
        seen = letter_at(data, place, end, code)
    kind = (seen & 255) - PIECE
    if kind < 1 or kind > PROMOTED + 6 or (promoted != 0 and kind > SILVER):
        return -1
    kind += promoted
    place += seen >> 8
    claim = target + (kind << BEFORE) + (side << SIDE)
    origin = NO_ORIGIN
    # Most moves of KIF have their origin right here.
    if place >= end or int64(data[place]) != _OPEN:
        seen = letter_at(data, place, end, code)
        if LEFT <= seen & 255 <= STRAIGHT:
            claim |= ((seen & 255) - LEFT + 1) << WORD
            place += seen >> 8
            seen = letter_at(data, place, end, code)
        if UP <= seen & 255 <= BACK:
            claim |= ((seen & 255) - UP + 1) << MOTION
            place += seen >> 8
            seen = letter_at(data, place, end, code)
        letter = seen & 255
        if letter == DROPS:
            if kind > GOLD:
                return -1
            origin = DROP + kind
            place += seen >> 8
        elif letter == PROMOTES:
            claim += PROMOTE
            place += seen >> 8
        elif letter == NOT:
            behind = letter_at(data, place + (seen >> 8), end, code)
            if behind & 255 == PROMOTES:
                place += (seen >> 8) + (behind >> 8)
        elif letter == PLAIN:
            place += seen >> 8
    behind = _origin_at(data, place, end, code)
    if behind >= 0:
        square = behind & VALUE
        # Some write the origin of a drop as 00.
        if (origin == NO_ORIGIN) == (square != NO_ORIGIN):
            origin = square if origin == NO_ORIGIN else origin
            place += behind >> BYTES
    return claim + ORIGIN * origin + ((place - begin) << BYTES)


@helper("int64(small, int64, int64, int64)", inline=True)
def plain_claim(data: Small, place: int, last: int, code: int) -> int:
    """The same for a move as nearly all are written: full-width letters, and the origin in half-width brackets.

    The text must go on for 24 bytes. What comes back as -1 may still be a move.
    """
    begin, width = place, 3 if code == UTF_8 else 2
    file, rank = wide_letter(data, place, code), wide_letter(data, place + width, code)
    kind = wide_letter(data, place + 2 * width, code) - PIECE
    if kind < 1 or kind > PROMOTED + 6:
        return -1
    if 1 <= file <= 9 and KANJI < rank < PIECE:
        target = 9 * file + rank - KANJI - 10
    elif file == SAME and rank == SPACE and last >= 0:
        target = last
    else:
        return -1
    claim = target + (kind << BEFORE)
    place += 3 * width
    if int64(data[place]) >= 0x80:
        letter = wide_letter(data, place, code)
        place += width
        if letter == DROPS and kind <= GOLD:
            return claim + ORIGIN * (DROP + kind) + ((place - begin) << BYTES)
        if letter != PROMOTES:
            return -1
        claim += PROMOTE
    file, rank = int64(data[place + 1]) - _0, int64(data[place + 2]) - _0
    if int64(data[place]) != _OPEN or int64(data[place + 3]) != _CLOSE or min(file, rank) < 1 or max(file, rank) > 9:
        return -1
    return claim + ORIGIN * (9 * file + rank - 10) + ((place + 4 - begin) << BYTES)


@helper("int64(small, int64, int64, int64)", inline=True)
def time_at(data: Small, place: int, end: int, code: int) -> int:
    """Milliseconds of ``( 0:16/00:00:16)``, the part before the slash; what stands behind that is not read."""
    begin = place
    place = skip(data, place, end, code)
    seen = letter_at(data, place, end, code)
    if seen & 255 != OPENS:
        return -1
    total, parts = 0, 0
    while parts < 3:
        place = skip(data, place + (seen >> 8), end, code)
        value = number_at(data, place, end, code)
        if value < 0 or value & VALUE > 10_000:
            return -1
        total, parts = 60 * total + (value & VALUE), parts + 1
        place += value >> BYTES
        seen = letter_at(data, place, end, code)
        if seen & 255 != POINTS:
            break
    if parts < 2 or total > 4_000_000:
        return -1
    total *= 1000
    if place < end and int64(data[place]) == _DOT:
        scale = 100
        place += 1
        while place < end and _0 <= int64(data[place]) <= _9:
            total += scale * (int64(data[place]) - _0)
            scale //= 10
            place += 1
    return total + ((place - begin) << BYTES)


@helper("int64(small, int64, int64)", inline=True)
def plain_time(data: Small, place: int, size: int) -> int:
    """The same for ``( 0:16/00:00:16)`` in half-width letters, with all of it in the number of bytes."""
    begin = place
    while place < size and int64(data[place]) == _BLANK:
        place += 1
    if place + _MOST_OF_TIME > size or int64(data[place]) != _OPEN:
        return -1
    place += 2 if int64(data[place + 1]) == _BLANK else 1
    minutes, digits = int64(data[place]) - _0, 1
    if _0 <= int64(data[place + 1]) <= _9:
        minutes, digits = 10 * minutes + int64(data[place + 1]) - _0, 2
    place += digits
    ten, one = int64(data[place + 1]) - _0, int64(data[place + 2]) - _0
    plain = int64(data[place]) == _COLON and int64(data[place + 3]) == _SLASH and int64(data[place + 12]) == _CLOSE
    if not plain or min(ten, one, minutes) < 0 or max(ten, one) > 9 or minutes > 99:
        return -1
    return 1000 * (60 * minutes + 10 * ten + one) + ((place + 13 - begin) << BYTES)
