"""The last word of a position: the two pills, the counters, and the settings of the game.

bits 0–3    the pill to be placed, 0–8 in the order YY YR YB RY RR RB BY BR BB (left, right)
bits 4–7    the preview, or 9 while it is unknown
bits 8–9    speed: low, medium, high, or fast (no timing)
bits 10–12  how the preview is drawn: 0–5 as the cartridge does, with its colours in that order; 6 uniform
bit 13      whether a stall counts as won
bits 14–20  the stall limit, 1–100
bits 21–27  pills since the last kill
bits 28–34  viruses at the start
bits 35–50  pills placed
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Word, helper

UNKNOWN = 9
LOW, MEDIUM, HIGH, FAST = range(4)
UNIFORM = 6
MAX_STALL = 100
MAX_PILLS = 50_000  # so that a game that goes on from there cannot overflow its 16 bits

PREVIEW_SHIFT, SPEED_SHIFT, CHANCE_SHIFT, STALLED_SHIFT = 4, 8, 10, 13
LIMIT_SHIFT, SINCE_SHIFT, VIRUSES_SHIFT, PILLS_SHIFT = 14, 21, 28, 35

_0, _1, _3, _7, _15, _127, _65535 = (np.uint64(n) for n in (0, 1, 3, 7, 15, 127, 65535))
_PREVIEW, _SPEED, _CHANCE, _STALLED = (np.uint64(n) for n in (PREVIEW_SHIFT, SPEED_SHIFT, CHANCE_SHIFT, STALLED_SHIFT))
_LIMIT, _SINCE, _VIRUSES, _PILLS = (np.uint64(n) for n in (LIMIT_SHIFT, SINCE_SHIFT, VIRUSES_SHIFT, PILLS_SHIFT))


@helper("int64(uint64, uint64, uint64)", inline=True)
def _part(settings: Word, shift: Word, mask: Word) -> int:
    part: Word = np.int64((settings >> shift) & mask)
    return part


@helper("int64(uint64)", inline=True)
def pill(settings: Word) -> int:
    """The pill to be placed."""
    return _part(settings, _0, _15)


@helper("int64(uint64)", inline=True)
def preview(settings: Word) -> int:
    """The pill after it, or UNKNOWN."""
    return _part(settings, _PREVIEW, _15)


@helper("int64(uint64)", inline=True)
def speed(settings: Word) -> int:
    """LOW, MEDIUM, HIGH or FAST."""
    return _part(settings, _SPEED, _3)


@helper("int64(uint64)", inline=True)
def drawing(settings: Word) -> int:
    """How the preview is drawn: the cartridge's order of colours, or UNIFORM."""
    return _part(settings, _CHANCE, _7)


@helper("int64(uint64)", inline=True)
def stall_won(settings: Word) -> int:
    """Whether a stall counts as won."""
    return _part(settings, _STALLED, _1)


@helper("int64(uint64)", inline=True)
def limit(settings: Word) -> int:
    """How many pills without a kill are a stall."""
    return _part(settings, _LIMIT, _127)


@helper("int64(uint64)", inline=True)
def since(settings: Word) -> int:
    """Pills since the last kill."""
    return _part(settings, _SINCE, _127)


@helper("int64(uint64)", inline=True)
def viruses(settings: Word) -> int:
    """Viruses at the start."""
    return _part(settings, _VIRUSES, _127)


@helper("int64(uint64)", inline=True)
def pills(settings: Word) -> int:
    """Pills placed."""
    return _part(settings, _PILLS, _65535)


@helper("uint64(uint64, int64)", inline=True)
def after_pill(settings: Word, killed: int) -> Word:
    """The settings once a pill is placed: the preview moves up, the next one is unknown."""
    counted = np.uint64(0 if killed > 0 else since(settings) + 1)
    kept = settings & ~(_15 | (_15 << _PREVIEW) | (_127 << _SINCE))
    return (kept | np.uint64(preview(settings)) | (np.uint64(UNKNOWN) << _PREVIEW) | (counted << _SINCE)) + (
        _1 << _PILLS
    )


@helper("uint64(uint64, int64)", inline=True)
def with_preview(settings: Word, index: int) -> Word:
    """The settings with the preview revealed."""
    return (settings & ~(_15 << _PREVIEW)) | (np.uint64(index) << _PREVIEW)
