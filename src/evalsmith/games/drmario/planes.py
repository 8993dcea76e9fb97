"""What a net sees of a bottle: 18 planes of 8×16 cells, channel, x, y.

    0–2    viruses: red, yellow, blue
    3–5    halves without a lying partner: singles, and both halves of standing pills
    6–8    left halves of lying pills
    9–11   right halves
    12–14  all ones where the left half of the pill to be placed has that colour
    15–17  the same for its right half

The preview is part of the position and not of the planes: before it is revealed and after, a net sees the same.

Besides the exchanges of colours a net may learn from the mirrored bottle and from the mirrored pill, together 24
images. What follows a placement is exactly the image of what follows it; the placements that a path of moves reaches
may differ in narrow places, because kicks go left only and half a turn more takes time.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Words
from evalsmith.games.bulk.boards import mirror_files
from evalsmith.games.bulk.bulk import Rows
from evalsmith.games.drmario import settings
from evalsmith.games.drmario.bottle import LEFT, RED, SETTINGS, VIRUS, viruses_left
from evalsmith.games.drmario.dealing import COLOUR_NAMES, PILL_COLOURS
from evalsmith.games.drmario.rules import OUTCOMES
from evalsmith.games.drmario.settings import UNKNOWN
from evalsmith.games.planes import Image, Planes, count_kernel, plane_kernel

_0, _1 = np.uint64(0), np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_LEFT_COLOUR = np.array([PILL_COLOURS[index // 3] for index in range(OUTCOMES)], dtype=np.int64)
_RIGHT_COLOUR = np.array([PILL_COLOURS[index % 3] for index in range(OUTCOMES)], dtype=np.int64)


@plane_kernel
def fill(position: Words, out: Words) -> None:
    """Both words of each channel."""
    index = settings.pill(position[SETTINGS])
    left, right = _LEFT_COLOUR[index], _RIGHT_COLOUR[index]
    for half in range(2):
        viruses, lefts = position[VIRUS + half], position[LEFT + half]
        rights = lefts << _1
        for colour in range(3):
            cells = position[RED + 2 * colour + half]
            out[2 * colour + half] = cells & viruses
            out[2 * (3 + colour) + half] = cells & ~(viruses | lefts | rights)
            out[2 * (6 + colour) + half] = cells & lefts
            out[2 * (9 + colour) + half] = cells & rights
            out[2 * (12 + colour) + half] = _ALL if colour == left else _0
            out[2 * (15 + colour) + half] = _ALL if colour == right else _0


@count_kernel
def left(position: Words) -> int:
    """How many viruses live."""
    return viruses_left(position)


def ordered_colours(packed: Rows) -> Rows:
    """Planes with the colours exchanged so that the pill's left half is red, and its right half red or yellow.

    If the pill has one colour, that of the others which has more viruses becomes yellow.
    """
    each = packed.reshape(len(packed), 6, 3, 2)  # kinds of cells, left half, right half × colours × words
    left, right = each[:, 4, :, 0].argmax(axis=1), each[:, 5, :, 0].argmax(axis=1)
    viruses, colours = each[:, 0], np.arange(3)
    # Ascending, so that the last is first: the left half's, the right half's, most viruses, and then any fixed order.
    keys = (viruses[:, :, 0], viruses[:, :, 1], np.bitwise_count(viruses).sum(axis=2, dtype=np.int64))
    order = np.lexsort((*keys, colours == right[:, None], colours == left[:, None]))[:, ::-1]
    return np.ascontiguousarray(np.take_along_axis(each, order[:, None, :, None], axis=2)).reshape(packed.shape)


# ── Images ──────────────────────────────────────────────────────────────────────────────────────


def mirror_bottle(rows: Rows) -> Rows:
    """The bottle from behind, with the pills as they were."""
    image = rows.copy()
    image[:, :SETTINGS] = mirror_files(rows[:, :SETTINGS])
    # What was the right half of a lying pill is its left one now.
    image[:, LEFT : LEFT + 2] >>= _1
    return image


def mirror_pill(rows: Rows) -> Rows:
    """The same bottle, with both pills the other way round."""
    image = rows.copy()
    swapped = np.array([3 * (i % 3) + i // 3 for i in range(OUTCOMES)] + list(range(OUTCOMES, 16)), dtype=np.uint64)
    shift = np.uint64(settings.PREVIEW_SHIFT)
    word, low = rows[:, SETTINGS], np.uint64(15)
    pill, preview = swapped[(word & low).astype(np.int64)], swapped[((word >> shift) & low).astype(np.int64)]
    image[:, SETTINGS] = (word & ~(low | (low << shift))) | pill | (preview << shift)
    return image


def one_colour(rows: Rows) -> npt.NDArray[np.bool_]:
    """Where both halves of the pill have the same colour."""
    pill = (rows[:, SETTINGS] & np.uint64(15)).astype(np.int64)
    return pill // 3 == pill % 3


def _mirrored_move(move: int) -> int:
    """The placement in the mirrored bottle. A lying pill lies the other way round there, half a turn further."""
    rotation, x, y = move >> 7, move >> 4 & 7, move & 15
    if rotation % 2:
        return 128 * rotation + 16 * (7 - x) + y
    # A lying pill has no place in the last column: its slots there, which no move has, go to each other.
    return 128 * (2 - rotation) + 16 * (6 - x if x < 7 else 7) + y


@functools.cache
def images() -> tuple[Image, ...]:
    """The mirrored bottle and the mirrored pill."""
    moves = range(512)
    return (
        Image("mirrored bottle", mirror_bottle, np.array([_mirrored_move(move) for move in moves])),
        Image("mirrored pill", mirror_pill, np.array([(move + 256) % 512 for move in moves]), same=one_colour),
    )


_KINDS = ("virus", "half without a lying partner", "left half", "right half")
_NAMES = (
    *(f"{colour} {kind}" for kind in _KINDS for colour in COLOUR_NAMES),
    *(f"the pill's {side} half is {colour}" for side in ("left", "right") for colour in COLOUR_NAMES),
)
PLANES = Planes(
    fill,
    width=8,
    height=16,
    names=_NAMES,
    left=left,
    images=images,
    deferred=True,
    canonical=ordered_colours,
    slot_planes=4,
)
assert UNKNOWN == OUTCOMES  # so that mirrored previews keep what is not known
