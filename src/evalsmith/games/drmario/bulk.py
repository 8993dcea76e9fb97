"""Dr. Mario positions in bulk: every word is stored; colours can be exchanged in five ways."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt

from evalsmith.games.bulk.bulk import Bulk, Rows, all_fixed, verdict
from evalsmith.games.drmario import dealing, settings
from evalsmith.games.drmario.bottle import BLUE, BOTTOM, LEFT, RED, SETTINGS, VIRUS, WORDS, YELLOW
from evalsmith.games.drmario.rules import COLOUR_ORDERS, OUTCOMES
from evalsmith.games.drmario.settings import MAX_PILLS, MAX_STALL, UNIFORM, UNKNOWN
from evalsmith.games.drmario.writing import texts

_1 = np.uint64(1)
_NOT_FIRST = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_LAST = np.uint64(0x7F7F7F7F7F7F7F7F)
_TOP = np.uint64(0xFF00000000000000)


def _restore(rows: Rows) -> None:
    """Nothing is derived."""


def _plane(rows: Rows, plane: int) -> Rows:
    return rows[:, plane : plane + 2]


def _up(plane: Rows) -> Rows:
    """The cells above."""
    moved = plane << np.uint64(8)
    moved[:, 1] |= plane[:, 0] >> np.uint64(56)
    return moved


def _down(plane: Rows) -> Rows:
    moved = plane >> np.uint64(8)
    moved[:, 0] |= plane[:, 1] << np.uint64(56)
    return moved


def _right(plane: Rows) -> Rows:
    return (plane << _1) & _NOT_FIRST


def _lined(plane: Rows) -> npt.NDArray[np.bool_]:
    """Whether four of a colour stand in a line."""
    pairs = plane & _right(plane)
    lying = pairs & _right(_right(pairs))
    pairs = plane & _up(plane)
    return ((lying | (pairs & _up(_up(pairs)))) != 0).any(axis=1)


def _part(word: Rows, shift: int, bits: int) -> npt.NDArray[np.int64]:
    return ((word >> np.uint64(shift)) & np.uint64((1 << bits) - 1)).astype(np.int64)


def _judge(rows: Rows) -> npt.NDArray[np.uint8]:
    """What reading a bottle asks: halves have their partners, nothing hangs in the air, numbers agree."""
    red, yellow, blue = (_plane(rows, plane) for plane in (RED, YELLOW, BLUE))
    virus, left, bottom = (_plane(rows, plane) for plane in (VIRUS, LEFT, BOTTOM))
    cells = red | yellow | blue
    counted = sum(np.bitwise_count(plane).sum(axis=1, dtype=np.int64) for plane in (red, yellow, blue))
    valid = counted == np.bitwise_count(cells).sum(axis=1)
    right, top = _right(left), _up(bottom)
    shapes = (virus, left, right, bottom, top)
    valid &= ((left & ~_NOT_LAST) == 0).all(axis=1) & ((bottom[:, 1] & _TOP) == 0)
    union = virus | left | right | bottom | top
    counted = sum(np.bitwise_count(plane).sum(axis=1, dtype=np.int64) for plane in shapes)
    valid &= (counted == np.bitwise_count(union).sum(axis=1)) & ((union & ~cells) == 0).all(axis=1)
    for plane in (red, yellow, blue):
        valid &= ~_lined(plane)
    valid &= _held(cells, virus, left, right)
    return verdict(valid & _sound_settings(rows[:, SETTINGS], np.bitwise_count(virus).sum(axis=1, dtype=np.int64)))


def _held(cells: Rows, virus: Rows, left: Rows, right: Rows) -> npt.NDArray[np.bool_]:
    """Whether everything stands on the floor, on a virus, or on what does; a lying pill is held by either half."""
    held = virus.copy()
    held[:, 0] |= cells[:, 0] & np.uint64(255)
    while True:
        grown = held | (_up(held) & cells)
        grown |= (_right(grown & left)) | ((grown & right) >> _1)
        if (grown == held).all():
            return (held == cells).all(axis=1)
        held = grown


def _sound_settings(word: Rows, left: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    pill, preview = _part(word, 0, 4), _part(word, settings.PREVIEW_SHIFT, 4)
    limit, since = _part(word, settings.LIMIT_SHIFT, 7), _part(word, settings.SINCE_SHIFT, 7)
    first, pills = _part(word, settings.VIRUSES_SHIFT, 7), _part(word, settings.PILLS_SHIFT, 16)
    valid = (pill < OUTCOMES) & (preview <= UNKNOWN) & (_part(word, settings.CHANCE_SHIFT, 3) <= UNIFORM)
    valid &= (limit >= 1) & (limit <= MAX_STALL) & (pills <= MAX_PILLS) & ((word >> np.uint64(51)) == 0)
    valid &= (left <= first) & (first <= dealing.MAX_VIRUSES) & ((first == left) | (pills > 0))
    return valid & (since <= np.minimum(limit, pills - (first > left)))


def _images(rows: Rows) -> list[Rows]:
    """The exchanges of colours, in the order of the game's symmetries."""
    found = []
    word = rows[:, SETTINGS]
    pill, preview = _part(word, 0, 4), _part(word, settings.PREVIEW_SHIFT, 4)
    drawing = _part(word, settings.CHANCE_SHIFT, 3)
    for order in permutations(range(3)):
        if order == (0, 1, 2):
            continue
        image = rows.copy()
        for old, new in enumerate(order):
            source, target = 2 * dealing.PILL_COLOURS[old], 2 * dealing.PILL_COLOURS[new]
            image[:, target : target + 2] = rows[:, source : source + 2]
        pills = np.array([3 * order[i // 3] + order[i % 3] for i in range(OUTCOMES)] + list(range(9, 16)))
        drawings = np.arange(8)
        for kind, places in enumerate(COLOUR_ORDERS):
            moved = [0, 0, 0]
            for old, new in enumerate(order):
                moved[new] = places[old]
            drawings[kind] = COLOUR_ORDERS.index((moved[0], moved[1], moved[2]))
        change = pill ^ pills[pill]
        change |= (preview ^ pills[preview]) << settings.PREVIEW_SHIFT
        change |= (drawing ^ drawings[drawing]) << settings.CHANCE_SHIFT
        image[:, SETTINGS] = word ^ change.astype(np.uint64)
        found.append(image)
    return found


BULK = Bulk(tuple(range(WORDS)), _restore, _judge, _images, texts=texts, fixed_names=all_fixed)
