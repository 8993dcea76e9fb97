"""The numbers and times of KIF, read from bytes by compiled code.

What is read comes back as one number: its value, and 2³² times how many bytes it took; −1 where it is not there.
"""

from __future__ import annotations

from evalsmith.compile import Small, helper, int64
from evalsmith.games.shogi.notation.kif import BYTES, VALUE
from evalsmith.games.shogi.notation.letters import OPENS, POINTS, ZERO, letter_at, skip

_0, _9, _DOT, _OPEN, _CLOSE, _BLANK, _COLON, _SLASH = (ord(letter) for letter in "09.() :/")
_MAX_TIME_BYTES = 20  # bytes of a plain one after its blanks


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
def time_at(data: Small, place: int, end: int, code: int) -> int:
    """Milliseconds of ``( 0:16/00:00:16)``, the part before the slash; what stands after that is not read."""
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
    if place + _MAX_TIME_BYTES > size or int64(data[place]) != _OPEN:
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
