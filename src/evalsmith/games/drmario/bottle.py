"""The bottle as bitboards, and what happens in it after a pill has locked: lines vanish, pieces fall, again.

A plane is 128 bits in two words: the cell (x, y) is bit 8·y + x, rows 0–7 in the low word and rows 8–15 in the
high one. Words of a position:

    0–5    the cells that are red, yellow, blue
    6–7    the cells that are viruses
    8–9    the cells that are the left half of a lying pill; the right half is beside it
    10–11  the cells that are the lower half of a standing pill; the upper half is above it
    12     everything that is not in the bottle (`settings`)
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, Words, helper, popcount

RED, YELLOW, BLUE, VIRUS, LEFT, BOTTOM, SETTINGS = 0, 2, 4, 6, 8, 10, 12
WORDS = 13

_0, _1, _2, _8 = (np.uint64(n) for n in (0, 1, 2, 8))
_16, _24, _32, _40, _48, _56 = (np.uint64(n) for n in (16, 24, 32, 40, 48, 56))
_FLOOR = np.uint64(0xFF)
# Cells from which a line of four to the right stays in its row, and cells that have a right neighbour at all.
_LINE_STARTS = np.uint64(0x1F1F1F1F1F1F1F1F)
_NOT_LAST = np.uint64(0x7F7F7F7F7F7F7F7F)


@helper("uint64(uint64)", inline=True)
def _lying_line(cells: Word) -> Word:
    """The cells of one word that belong to four or more in a row."""
    pairs = cells & (cells >> _1)
    starts = pairs & (pairs >> _2) & _LINE_STARTS
    twos = starts | (starts << _1)
    return twos | (twos << _2)


@helper("uint64(uint64, uint64)", inline=True)
def _low_starts(low: Word, high: Word) -> Word:
    """The cells of the low word at the foot of four or more in a column."""
    pairs = low & ((low >> _8) | (high << _56))
    high_pairs = high & (high >> _8)
    return pairs & ((pairs >> _16) | (high_pairs << _48))


@helper("uint64(uint64, uint64)", inline=True)
def lines_low(low: Word, high: Word) -> Word:
    """The cells of a colour that vanish, in rows 0–7."""
    starts = _low_starts(low, high)
    twos = starts | (starts << _8)
    return _lying_line(low) | twos | (twos << _16)


@helper("uint64(uint64, uint64)", inline=True)
def lines_high(low: Word, high: Word) -> Word:
    """The cells of a colour that vanish, in rows 8–15."""
    pairs = high & (high >> _8)
    starts = pairs & (pairs >> _16)
    twos = starts | (starts << _8)
    across = _low_starts(low, high)
    from_below = (across >> _56) | (across >> _48) | (across >> _40)
    return _lying_line(high) | twos | (twos << _16) | from_below


@helper("uint64(words)", inline=True)
def _gone_low(bottle: Words) -> Word:
    """What vanishes at once in rows 0–7, of all colours."""
    gone = lines_low(bottle[RED], bottle[RED + 1]) | lines_low(bottle[YELLOW], bottle[YELLOW + 1])
    return gone | lines_low(bottle[BLUE], bottle[BLUE + 1])


@helper("uint64(words)", inline=True)
def _gone_high(bottle: Words) -> Word:
    """What vanishes at once in rows 8–15, of all colours."""
    gone = lines_high(bottle[RED], bottle[RED + 1]) | lines_high(bottle[YELLOW], bottle[YELLOW + 1])
    return gone | lines_high(bottle[BLUE], bottle[BLUE + 1])


@helper("void(words, uint64, uint64)", inline=True)
def _remove(bottle: Words, low: Word, high: Word) -> None:
    """Empty these cells; a half whose partner is gone is a half no more."""
    for plane in range(RED, LEFT, 2):
        bottle[plane] &= ~low
        bottle[plane + 1] &= ~high
    bottle[LEFT] &= ~(low | ((low >> _1) & _NOT_LAST))
    bottle[LEFT + 1] &= ~(high | ((high >> _1) & _NOT_LAST))
    bottle[BOTTOM] &= ~(low | (low >> _8) | (high << _56))
    bottle[BOTTOM + 1] &= ~(high | (high >> _8))


@helper("int64(words)", inline=True)
def _fall(bottle: Words) -> int:
    """Let whatever nothing holds fall by one row; 0 if all is held."""
    full_low = bottle[RED] | bottle[YELLOW] | bottle[BLUE]
    full_high = bottle[RED + 1] | bottle[YELLOW + 1] | bottle[BLUE + 1]
    left_low, left_high = bottle[LEFT], bottle[LEFT + 1]
    held_low, held_high = bottle[VIRUS] | (full_low & _FLOOR), bottle[VIRUS + 1]
    before_low, before_high = _0, _0
    while held_low != before_low or held_high != before_high:
        before_low, before_high = held_low, held_high
        # Upwards through whatever touches: by 1, 2, 4 and 8 rows.
        way_low, way_high = full_low, full_high
        held_high |= way_high & ((held_high << _8) | (held_low >> _56))
        held_low |= way_low & (held_low << _8)
        way_high &= (way_high << _8) | (way_low >> _56)
        way_low &= way_low << _8
        held_high |= way_high & ((held_high << _16) | (held_low >> _48))
        held_low |= way_low & (held_low << _16)
        way_high &= (way_high << _16) | (way_low >> _48)
        way_low &= way_low << _16
        held_high |= way_high & ((held_high << _32) | (held_low >> _32))
        held_low |= way_low & (held_low << _32)
        way_high &= (way_high << _32) | (way_low >> _32)
        held_high |= way_high & held_low
        # A lying pill is held by either half.
        held_low |= ((held_low & left_low) << _1) | ((held_low >> _1) & left_low)
        held_high |= ((held_high & left_high) << _1) | ((held_high >> _1) & left_high)
    low, high = full_low & ~held_low, full_high & ~held_high
    if low | high == _0:
        return 0
    for plane in range(RED, SETTINGS, 2):
        falling = bottle[plane + 1] & high
        bottle[plane] = (bottle[plane] & ~low) | ((bottle[plane] & low) >> _8) | (falling << _56)
        bottle[plane + 1] = (bottle[plane + 1] & ~high) | (falling >> _8)
    return 1


@helper("int64(words)")
def settle(bottle: Words) -> int:
    """Let lines vanish and pieces fall until nothing changes, in place; how many viruses died."""
    killed = 0
    while True:
        low, high = _gone_low(bottle), _gone_high(bottle)
        if low | high == _0:
            return killed
        killed += popcount(bottle[VIRUS] & low) + popcount(bottle[VIRUS + 1] & high)
        _remove(bottle, low, high)
        while _fall(bottle) != 0:
            pass


@helper("int64(words)", inline=True)
def viruses_left(bottle: Words) -> int:
    """How many viruses live."""
    return popcount(bottle[VIRUS]) + popcount(bottle[VIRUS + 1])
