"""Texts of many positions in one compiled call, for exports."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, at, driver, helper, int64, pointer, table
from evalsmith.games.bulk.writing import texts_by, write_number
from evalsmith.games.drmario import settings, strings
from evalsmith.games.drmario.bottle import BLUE, BOTTOM, LEFT, RED, SETTINGS, VIRUS, WORDS, YELLOW
from evalsmith.games.drmario.notation import DRAWINGS, NO_PILL, SPEEDS
from evalsmith.games.drmario.rules import OUTCOMES

MAX_TEXT = 256  # bytes: 128 cells, two pills, and seven settings that are 90 bytes at most

_SPACE, _EMPTY, _FIRST = ord(" "), ord(strings.EMPTY), 0x61
_0, _1, _8, _56, _NOT_FIRST = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(56), np.uint64(0xFEFEFEFEFEFEFEFE)

# Everything but cells and numbers, one text after another; where each begins is in _BEGINS.
_PILLS = (*(strings.write_pill(index) for index in range(OUTCOMES)), NO_PILL)
_NAMES = ("pills:", " since:", " viruses:", " stall:")
_STALLED = (" stalled:lost", " stalled:won")
_PARTS = (
    *_PILLS,
    *(f" speed:{name} " for name in SPEEDS),
    *_NAMES,
    *_STALLED,
    *(f" chance:{name}" for name in DRAWINGS),
)
_AT_SPEEDS = len(_PILLS)
_AT_NAMES = _AT_SPEEDS + len(SPEEDS)
_AT_STALLED = _AT_NAMES + len(_NAMES)
_AT_DRAWINGS = _AT_STALLED + len(_STALLED)
_parts = table("drmario_writing.parts", np.array(list("".join(_PARTS).encode()), dtype=np.int64))
_begins = table("drmario_writing.begins", np.cumsum([0, *map(len, _PARTS)], dtype=np.int64))


@helper("int64(int64, uint8[::1], int64)")
def _write_part(part: int, out: Integers, place: int) -> int:
    for i in range(_begins()[part], _begins()[part + 1]):
        out[place] = _parts()[i]
        place += 1
    return place


@helper("void(words, uint8[::1], int64)")
def _write_bottle(bottle: Words, out: Integers, place: int) -> None:
    """The 128 cells, from the top row to the bottom one."""
    for half in range(2):
        red, yellow, blue = bottle[RED + half], bottle[YELLOW + half], bottle[BLUE + half]
        virus, left, lower = bottle[VIRUS + half], bottle[LEFT + half], bottle[BOTTOM + half]
        right, upper = (left << _1) & _NOT_FIRST, lower << _8
        if half == 1:
            upper |= bottle[BOTTOM] >> _56
        for bit in range(64):
            cell = _1 << np.uint64(bit)
            where = place + 8 * (15 - 8 * half - (bit >> 3)) + (bit & 7)
            if (red | yellow | blue) & cell == _0:
                out[where] = _EMPTY
                continue
            colour = 0 if red & cell != _0 else 1 if yellow & cell != _0 else 2
            shape = strings.SINGLE
            if upper & cell != _0:
                shape = strings.UPPER
            elif lower & cell != _0:
                shape = strings.LOWER
            elif right & cell != _0:
                shape = strings.RIGHT
            elif left & cell != _0:
                shape = strings.LEFT
            elif virus & cell != _0:
                shape = strings.VIRUS
            out[where] = _FIRST + shape + colour


@driver("void(uint64[:, ::1], uint8[::1], int32[::1])")
def _write_texts(rows: Words, out: Integers, ends: Integers) -> None:
    first, place = pointer(rows), int64(0)
    for i in range(rows.shape[0]):
        position = at(first, i * WORDS)
        word = position[SETTINGS]
        _write_bottle(position, out, place)
        out[place + 128] = _SPACE
        place = _write_part(settings.pill(word), out, place + 129)
        out[place] = _SPACE
        place = _write_part(settings.preview(word), out, place + 1)
        place = _write_part(_AT_SPEEDS + settings.speed(word), out, place)
        place = write_number(out, _write_part(_AT_NAMES, out, place), settings.pills(word))
        place = write_number(out, _write_part(_AT_NAMES + 1, out, place), settings.since(word))
        place = write_number(out, _write_part(_AT_NAMES + 2, out, place), settings.viruses(word))
        place = write_number(out, _write_part(_AT_NAMES + 3, out, place), settings.limit(word))
        place = _write_part(_AT_STALLED + settings.stall_won(word), out, place)
        place = _write_part(_AT_DRAWINGS + settings.drawing(word), out, place)
        ends[i + 1] = place


texts = texts_by(_write_texts, MAX_TEXT)
