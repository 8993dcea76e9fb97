"""Dr. Mario's evaluation: viruses, heights, what lies above the viruses, runs of a colour, and the entry.

No weight knows a colour by name or a side by hand: colours are ranked by their viruses, and columns are
counted from the wall. So exchanging colours or mirroring the bottle keeps the value. Three columns of weights, for a
bottle full of viruses, for one with few, and for an empty one, blend by the viruses that are left: what helps against
the last few is not what helps against many.
"""

from __future__ import annotations

import math

import numpy as np

from evalsmith.compile import Indices, Integers, Values, Word, Words, helper, lowest, popcount, scan, scratch
from evalsmith.games.contract import contract
from evalsmith.games.drmario import settings
from evalsmith.games.drmario.bottle import BLUE, RED, SETTINGS, VIRUS, YELLOW, viruses_left
from evalsmith.games.drmario.dealing import MAX_VIRUSES, PILL_COLOURS
from evalsmith.games.drmario.handset import FEW, starting
from evalsmith.games.drmario.layout import (
    ABOVE,
    CELLS,
    COVERED,
    ENTRY,
    FEATURES,
    HEIGHT,
    LINE,
    LINES,
    MATCH,
    MOST,
    MOST_LEFT,
    PREVIEW,
    RAREST,
    RUN,
    RUNS,
    SECOND,
    STALL,
)
from evalsmith.games.drmario.settings import UNKNOWN
from evalsmith.games.evaluation import Evaluation

_LEFT_PLANE = np.array([2 * PILL_COLOURS[index // 3] for index in range(9)], dtype=np.int64)
_RIGHT_PLANE = np.array([2 * PILL_COLOURS[index % 3] for index in range(9)], dtype=np.int64)

_0, _1, _2, _3 = (np.uint64(n) for n in (0, 1, 2, 3))
_8, _16, _24, _32, _40, _48, _56 = (np.uint64(8 * n) for n in range(1, 8))
_COLUMN = np.uint64(0x0101010101010101)
_NOT_FIRST = np.uint64(0xFEFEFEFEFEFEFEFE)
_LINE_STARTS = np.uint64(0x1F1F1F1F1F1F1F1F)  # cells from which four to the right stay in the row
# Cells with one, two and three cells to their right.
_RIGHT_1, _RIGHT_2, _RIGHT_3 = (np.uint64(0x0101010101010101 * byte) for byte in (0x7F, 0x3F, 0x1F))

_runs = scratch("integers", len(RUNS))
_heights = scratch("integers", 8)
_above = scratch("integers", 32)
_lines = scratch("integers", len(LINES))
# The cells of the windows of four that lack 3, 2, 1 cells to a line: in rows (words 0–5), then in columns (6–11).
_windows = scratch("words", 12)


@helper("void(integers, int64, uint64, uint64, uint64)", inline=True)
def _count(counts: Integers, first: int, runs: Word, virus: Word, free: Word) -> None:
    """Add runs, given by one cell of each, to their four counts: without or with a virus, shut or open."""
    counts[first] += popcount(runs & ~virus & ~free)
    counts[first + 1] += popcount(runs & ~virus & free)
    counts[first + 2] += popcount(runs & virus & ~free)
    counts[first + 3] += popcount(runs & virus & free)


@helper("void(integers, uint64, uint64, uint64)", inline=True)
def _count_lying(counts: Integers, cells: Word, virus: Word, empty: Word) -> None:
    """Count the runs of two and three in the rows of a word; open means an empty cell at an end."""
    right, further = (cells >> _1) & _RIGHT_1, (cells >> _2) & _RIGHT_2
    starts = cells & right & ~((cells << _1) & _NOT_FIRST)
    before = (empty << _1) & _NOT_FIRST
    two = virus | (virus >> _1)
    _count(counts, 0, starts & ~further, two, before | ((empty >> _2) & _RIGHT_2))
    _count(counts, 4, starts & further, two | (virus >> _2), before | ((empty >> _3) & _RIGHT_3))


@helper("void(integers, uint64, uint64, uint64, uint64, uint64, uint64)", inline=True)
def _count_standing(
    counts: Integers, low: Word, high: Word, virus_low: Word, virus_high: Word, empty_low: Word, empty_high: Word
) -> None:
    """Count the runs of two and three in the columns; open means an empty cell above."""
    starts_low = low & ((low >> _8) | (high << _56)) & ~(low << _8)
    starts_high = high & (high >> _8) & ~((high << _8) | (low >> _56))
    third_low, third_high = (low >> _16) | (high << _48), high >> _16
    two_low, two_high = virus_low | (virus_low >> _8) | (virus_high << _56), virus_high | (virus_high >> _8)
    three_low, three_high = two_low | (virus_low >> _16) | (virus_high << _48), two_high | (virus_high >> _16)
    _count(counts, 8, starts_low & ~third_low, two_low, (empty_low >> _16) | (empty_high << _48))
    _count(counts, 8, starts_high & ~third_high, two_high, empty_high >> _16)
    _count(counts, 12, starts_low & third_low, three_low, (empty_low >> _24) | (empty_high << _40))
    _count(counts, 12, starts_high & third_high, three_high, empty_high >> _24)


@helper("void(integers, words, uint64, uint64, int64)", inline=True)
def _count_above(counts: Integers, position: Words, full_low: Word, full_high: Word, plane: int) -> None:
    """For each virus of a colour, how many cells lie above it (counts 0–15) and how many differ (16–31)."""
    own_low, own_high = position[plane], position[plane + 1]
    waiting = own_low & position[VIRUS]
    while waiting != _0:
        place = np.uint64(scan(waiting))
        waiting ^= lowest(waiting)
        column = (_COLUMN << place) << _8
        higher = _COLUMN << (place & np.uint64(7))
        above = popcount(full_low & column) + popcount(full_high & higher)
        counts[above] += 1
        counts[16 + above - popcount(own_low & column) - popcount(own_high & higher)] += 1
    waiting = own_high & position[VIRUS + 1]
    while waiting != _0:
        column = (_COLUMN << np.uint64(scan(waiting))) << _8
        waiting ^= lowest(waiting)
        above = popcount(full_high & column)
        counts[above] += 1
        counts[16 + above - popcount(own_high & column)] += 1


@helper("uint64(uint64, uint64, uint64, uint64, uint64, int64)", inline=True)
def _having(open: Word, first: Word, second: Word, third: Word, fourth: Word, count: int) -> Word:
    """The open windows of which so many of the four cells are there, 1 to 3."""
    odd, both, odd_2, both_2 = first ^ second, first & second, third ^ fourth, third & fourth
    ones, twos = odd ^ odd_2, both ^ both_2 ^ (odd & odd_2)
    if count == 1:
        return open & ones & ~twos
    return open & ~ones & twos if count == 2 else open & ones & twos


@helper("void(words, int64, uint64, uint64)", inline=True)
def _find_lying(windows: Words, word: int, own: Word, empty: Word) -> None:
    """The cells of windows in the rows of one word, by how many cells they have."""
    free = own | empty
    open = free & (free >> _1) & (free >> _2) & (free >> _3) & _LINE_STARTS
    for count in range(1, 4):
        starts = _having(open, own, own >> _1, own >> _2, own >> _3, count)
        pairs = starts | (starts << _1)
        windows[2 * (count - 1) + word] = pairs | (pairs << _2)


@helper("void(words, uint64, uint64, uint64, uint64)", inline=True)
def _find_standing(windows: Words, low: Word, high: Word, empty_low: Word, empty_high: Word) -> None:
    """The cells of windows in the columns, by how many cells they have."""
    free_low, free_high = low | empty_low, high | empty_high
    open_low = free_low & ((free_low >> _8) | (free_high << _56)) & ((free_low >> _16) | (free_high << _48))
    open_low &= (free_low >> _24) | (free_high << _40)
    open_high = free_high & (free_high >> _8) & (free_high >> _16) & (free_high >> _24)
    low_1, low_2, low_3 = (low >> _8) | (high << _56), (low >> _16) | (high << _48), (low >> _24) | (high << _40)
    for count in range(1, 4):
        from_low = _having(open_low, low, low_1, low_2, low_3, count)
        from_high = _having(open_high, high, high >> _8, high >> _16, high >> _24, count)
        pairs_low, pairs_high = from_low | (from_low << _8), from_high | (from_high << _8) | (from_low >> _56)
        windows[6 + 2 * (count - 1)] = pairs_low | (pairs_low << _16)
        windows[7 + 2 * (count - 1)] = pairs_high | (pairs_high << _16) | (pairs_low >> _48)


@helper("uint64(words, int64, int64)", inline=True)
def _nearest(windows: Words, first: int, having: int) -> Word:
    """The cells whose fullest window has so many cells; 0 for those that are in none."""
    one, two, three = windows[first], windows[first + 2], windows[first + 4]
    if having == 0:
        return ~(one | two | three)
    if having == 1:
        return one & ~(two | three)
    return two & ~three if having == 2 else three


@helper("void(integers, words, words, int64, uint64, uint64)", inline=True)
def _count_lines(
    counts: Integers, windows: Words, position: Words, plane: int, empty_low: Word, empty_high: Word
) -> None:
    """For the viruses of a colour, what they lack to lines in their rows and columns: 4·row + column."""
    low, high = position[plane], position[plane + 1]
    virus_low, virus_high = low & position[VIRUS], high & position[VIRUS + 1]
    if virus_low | virus_high == _0:
        return
    _find_lying(windows, 0, low, empty_low)
    _find_lying(windows, 1, high, empty_high)
    _find_standing(windows, low, high, empty_low, empty_high)
    for lying in range(4):
        row_low, row_high = virus_low & _nearest(windows, 0, lying), virus_high & _nearest(windows, 1, lying)
        if row_low | row_high != _0:
            for standing in range(4):
                counts[4 * lying + standing] += popcount(row_low & _nearest(windows, 6, standing))
                counts[4 * lying + standing] += popcount(row_high & _nearest(windows, 7, standing))


@helper("int64(indices, values, int64, int64, int64)", inline=True)
def _emit(index: Indices, value: Values, count: int, place: int, amount: int) -> int:
    """One term more."""
    index[count] = np.int32(place)
    value[count] = np.int16(amount)
    return count + 1


@helper("int64(words, uint64, uint64, int64)", inline=True)
def _matches(position: Words, tops_low: Word, tops_high: Word, pill: int) -> int:
    """Column tops of the colour of one half, and of the other."""
    left, right = _LEFT_PLANE[pill], _RIGHT_PLANE[pill]
    first = popcount(tops_low & position[left]) + popcount(tops_high & position[left + 1])
    return first + popcount(tops_low & position[right]) + popcount(tops_high & position[right + 1])


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """Counts by rank and by place; runs and covers only where there are some."""
    virus_low, virus_high = position[VIRUS], position[VIRUS + 1]
    full_low = position[RED] | position[YELLOW] | position[BLUE]
    full_high = position[RED + 1] | position[YELLOW + 1] | position[BLUE + 1]
    red = popcount(position[RED] & virus_low) + popcount(position[RED + 1] & virus_high)
    yellow = popcount(position[YELLOW] & virus_low) + popcount(position[YELLOW + 1] & virus_high)
    blue = popcount(position[BLUE] & virus_low) + popcount(position[BLUE + 1] & virus_high)
    most, rarest = max(red, yellow, blue), min(red, yellow, blue)
    count = _emit(index, value, 0, MOST + most, 1)
    count = _emit(index, value, count, SECOND + red + yellow + blue - most - rarest, 1)
    count = _emit(index, value, count, RAREST + rarest, 1)

    # Every cell that is occupied or has an occupied one above it.
    shade_low, shade_high = full_low | (full_low >> _8) | (full_high << _56), full_high | (full_high >> _8)
    shade_low, shade_high = shade_low | (shade_low >> _16) | (shade_high << _48), shade_high | (shade_high >> _16)
    shade_low, shade_high = shade_low | (shade_low >> _32) | (shade_high << _32), shade_high | (shade_high >> _32)
    shade_low |= shade_high
    heights = _heights()
    for x in range(8):
        column = _COLUMN << np.uint64(x)
        heights[x] = popcount(shade_low & column) + popcount(shade_high & column)
        count = _emit(index, value, count, HEIGHT + 17 * min(x, 7 - x) + heights[x], 1)

    above = _above()
    for k in range(32):
        above[k] = 0
    runs = _runs()
    lines, windows = _lines(), _windows()
    for k in range(16):
        runs[k], lines[k] = 0, 0
    for plane in range(RED, VIRUS, 2):
        low, high = position[plane], position[plane + 1]
        _count_above(above, position, full_low, full_high, plane)
        _count_lying(runs, low, virus_low, ~full_low)
        _count_lying(runs, high, virus_high, ~full_high)
        _count_standing(runs, low, high, virus_low, virus_high, ~full_low, ~full_high)
        _count_lines(lines, windows, position, plane, ~full_low, ~full_high)
    # The two covers and the runs have neighbouring weights, in this order.
    for k in range(32):
        if above[k] != 0:
            count = _emit(index, value, count, ABOVE + k, above[k])
    for k in range(16):
        if runs[k] != 0:
            count = _emit(index, value, count, RUN + k, runs[k])
        if lines[k] != 0:
            count = _emit(index, value, count, LINE + k, lines[k])

    state = position[SETTINGS]
    count = _emit(index, value, count, ENTRY + 16 - max(heights[3], heights[4]), 1)
    tops_low = full_low & ~((shade_low >> _8) | (shade_high << _56))
    tops_high = full_high & ~(shade_high >> _8)
    count = _emit(index, value, count, MATCH + _matches(position, tops_low, tops_high, settings.pill(state)), 1)
    if settings.preview(state) != UNKNOWN:
        matches = _matches(position, tops_low, tops_high, settings.preview(state))
        count = _emit(index, value, count, PREVIEW + matches, 1)
    left = settings.limit(state) - settings.since(state)
    count = _emit(index, value, count, STALL + min(left, MOST_LEFT), 1)
    pill_cells = popcount(full_low & ~virus_low) + popcount(full_high & ~virus_high)
    count = _emit(index, value, count, CELLS, pill_cells)
    covered = popcount(shade_low & ~full_low) + popcount(shade_high & ~full_high)
    return _emit(index, value, count, COVERED, covered)


@contract
def phase(position: Words) -> int:
    """The viruses that are left."""
    return viruses_left(position)


# ── The declaration ─────────────────────────────────────────────────────────────────────────────


_SCALE = math.lcm(FEW, MAX_VIRUSES - FEW)


def _blend(left: int) -> tuple[int, int, int]:
    """The two columns between which so many viruses lie, and the share of the second in 1/_SCALE."""
    if left > FEW:
        return 0, 1, (MAX_VIRUSES - left) * _SCALE // (MAX_VIRUSES - FEW)
    return 1, 2, (FEW - left) * _SCALE // FEW


def evaluation() -> Evaluation:
    """The features in their order; three columns that blend by the viruses left."""
    return Evaluation(
        features=FEATURES,
        columns=("full", "few", "empty"),
        blend=tuple(_blend(left) for left in range(MAX_VIRUSES + 1)),
        scale=_SCALE,
        starting=starting,
    )
