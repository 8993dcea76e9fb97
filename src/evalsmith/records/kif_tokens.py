"""The letters of KIF, read from code points by compiled code: moves, their times, and what kind of line it is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, helper, int64, table
from evalsmith.games.shogi.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.squares import GOLD, PROMOTED, SILVER
from evalsmith.records.shogi_replay import BEFORE, NO_ORIGIN, SIDE

# What a letter is. Digits are themselves, 0 is ten; kanji digits are ten more; pieces are PIECE and their kind.
OTHER, ZERO, KANJI, PIECE = 0, 10, 10, 20
SAME, PROMOTES, NOT, DROPS, PLAIN, WORD, SPACE, OPENS, CLOSES, BLACK_MARK, WHITE_MARK, POINTS = range(40, 52)
_LETTERS = {
    "123456789": range(1, 10), "１２３４５６７８９": range(1, 10), "0０": (ZERO, ZERO),
    "一二三四五六七八九": range(KANJI + 1, KANJI + 10),
    "歩香桂銀角飛金玉と杏圭全馬龍": range(PIECE + 1, PIECE + 15), "王竜步飞龙马": (28, 34, 21, 26, 34, 33),
    "同成不打生": (SAME, PROMOTES, NOT, DROPS, PLAIN), "左右直上寄引行入": (WORD,) * 8,
    " \t　": (SPACE,) * 3, "(（": (OPENS,) * 2, ")）": (CLOSES,) * 2, "▲☗▼": (BLACK_MARK,) * 3,
    "△☖▽": (WHITE_MARK,) * 3, ":：": (POINTS,) * 2,
}  # fmt: skip


def _classes() -> npt.NDArray[np.int8]:
    row = np.zeros(1 << 16, dtype=np.int8)
    for letters, classes in _LETTERS.items():
        for letter, value in zip(letters, classes, strict=True):
            row[ord(letter)] = value
    return row


_class_row = table("records.kif_letters", _classes())


@helper("int64(uint32[::1], int64, int64)", inline=True)
def class_at(data: Integers, place: int, end: int) -> int:
    """What the letter at a place is; OTHER behind the end."""
    if place >= end or int64(data[place]) >= 1 << 16:
        return OTHER
    return int64(_class_row()[int64(data[place])])


@helper("int64(uint32[::1], int64, int64)", inline=True)
def skip(data: Integers, place: int, end: int) -> int:
    """The place of the next letter that is no blank."""
    while class_at(data, place, end) == SPACE:
        place += 1
    return place


@helper("int64(uint32[::1], int64, int64, int64[::1])", inline=True)
def number_at(data: Integers, place: int, end: int, behind: Integers) -> int:
    """A whole number of either width; -1 where there is none. ``behind[0]`` is the place behind it."""
    value, digits = 0, 0
    digit = class_at(data, place, end)
    while 1 <= digit <= ZERO and digits < 9:
        value, digits = 10 * value + digit % ZERO, digits + 1
        place += 1
        digit = class_at(data, place, end)
    behind[0] = place
    return value if digits > 0 else -1


@helper("int64(uint32[::1], int64, int64, int64, int64[::1])", inline=True)
def claim_at(data: Integers, place: int, end: int, last: int, behind: Integers) -> int:
    """``７六歩(77)`` as a claim; -1 where it is no move. ``last`` is the square that 同 repeats, or -1.

    A move that tells neither 打 nor its origin has NO_ORIGIN. ``behind[0]`` is the place behind the move.
    """
    side = 0
    letter = class_at(data, place, end)
    if letter in (BLACK_MARK, WHITE_MARK):
        side = 1 if letter == BLACK_MARK else 2
        place = skip(data, place + 1, end)
        letter = class_at(data, place, end)
    if letter == SAME:
        if last < 0:
            return -1
        target = last
        place += 1
    else:
        rank = class_at(data, place + 1, end)
        if KANJI < rank < PIECE:
            rank -= KANJI
        if letter < 1 or letter > 9 or rank < 1 or rank > 9:
            return -1
        target = 9 * letter + rank - 10
        place += 2
    place = skip(data, place, end)
    promoted = 0
    if class_at(data, place, end) == PROMOTES:
        promoted = PROMOTED
        place += 1
    kind = class_at(data, place, end) - PIECE
    if kind < 1 or kind > PROMOTED + 6 or (promoted != 0 and kind > SILVER):
        return -1
    kind += promoted
    place += 1
    while class_at(data, place, end) == WORD:
        place += 1
    claim = target + (kind << BEFORE) + (side << SIDE)
    letter = class_at(data, place, end)
    origin = NO_ORIGIN
    if letter == DROPS:
        if kind > GOLD:
            return -1
        origin = DROP + kind
        place += 1
    elif letter == PROMOTES:
        claim += PROMOTE
        place += 1
    elif letter == NOT and class_at(data, place + 1, end) == PROMOTES:
        place += 2
    elif letter == PLAIN:
        place += 1
    behind[0] = place
    place = skip(data, place, end)
    file, rank = class_at(data, place + 1, end), class_at(data, place + 2, end)
    if class_at(data, place, end) == OPENS and class_at(data, place + 3, end) == CLOSES:
        # Some write the origin of a drop as 00.
        if origin == NO_ORIGIN and 1 <= file <= 9 and 1 <= rank <= 9:
            origin = 9 * file + rank - 10
            behind[0] = place + 4
        elif origin != NO_ORIGIN and file == ZERO and rank == ZERO:
            behind[0] = place + 4
    return claim + ORIGIN * origin


@helper("int64(uint32[::1], int64, int64, int64[::1])", inline=True)
def time_at(data: Integers, place: int, end: int, behind: Integers) -> int:
    """Milliseconds of ``( 0:16/00:00:16)``, the part before the slash; -1 where there is no time."""
    place = skip(data, place, end)
    if class_at(data, place, end) != OPENS:
        return -1
    total, parts = 0, 0
    while parts < 3:
        place = skip(data, place + 1, end)
        value = number_at(data, place, end, behind)
        if value < 0 or value > 10_000_000:
            return -1
        total, parts = 60 * total + value, parts + 1
        place = behind[0]
        if class_at(data, place, end) != POINTS:
            break
    if parts < 2:
        return -1
    total *= 1000
    if place < end and int64(data[place]) == ord("."):
        scale = 100
        digit = class_at(data, place + 1, end)
        while 1 <= digit <= ZERO:
            total += scale * (digit % ZERO)
            scale //= 10
            place += 1
            digit = class_at(data, place + 1, end)
    return total
