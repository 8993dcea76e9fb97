"""Where a pill can come to rest: path-finding from the entry, without timing and frame by frame.

A set of places in one row is a word of four *lanes* of eight bits: lane r holds the x of the lower left cell
after r clockwise turns, so lanes 0 and 2 lie and lanes 1 and 3 stand. What a lane may hold in a row, `room`,
follows from the empty cells there and above. A pill never rises, so rows are done from the top.

Without timing, a row is filled until nothing new comes. With timing, gravity pulls every pill down one row every
so many frames, all at the same frame, so the sets of a row are again enough. (Pressing down only
saves time; a pill that waits for gravity instead gets at least as far.) Following every state of the keys is slow, and
mostly not needed: what is reached without timing is an upper bound, and what a pill reaches whose player acts in
every second frame only, and so never has to wait for a key, is a lower one. Where both rest in the same places,
these are the answer; where not, `_frames` finds it.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, helper, scan, scratch

ROWS = 16
ENTRY = 1 << 3  # the pill enters lying, its left half at x 3
_LANES = 0xFFFFFFFF
_LYING = 0x00FF00FF
_NOT_FIRST, _NOT_LAST = 0xFEFEFEFE, 0x7F7F7F7F
_WALL = 0x01010101  # x 0 of every lane

# Frames until a held key repeats, and between repeats.
_DELAY, _REPEAT = 16, 6

# What the keys did: nothing, right went through in this frame, or left has been held for some frames (0–15);
# for each, which turning keys were pressed in this frame (1 clockwise, 2 counterclockwise).
FREE, _RIGHT, _LEFT = 0, 1, 2
STATES = 4 * (_LEFT + _DELAY)

_0, _1, _8, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(0xFF)

_rows = scratch("integers", ROWS)
_places = scratch("integers", ROWS)
_now = scratch("integers", STATES)
_then = scratch("integers", STATES)


@helper("void(uint64, uint64, integers)", inline=True)
def room_of(low: Word, high: Word, room: Integers) -> None:
    """For every row, the lanes that fit between the occupied cells; a standing pill may stick out at the top."""
    above = 0xFF
    for y in range(15, -1, -1):
        word = high if y > 7 else low
        empty: Word = np.int64(~(word >> np.uint64(8 * (y & 7))) & _BYTE)
        lying, standing = empty & (empty >> 1), empty & above
        room[y] = (lying | (standing << 8)) * 0x10001
        above = empty


@helper("int64(int64, int64)", inline=True)
def _left(places: int, room: int) -> int:
    """The places one to the left, where there is room."""
    return (places >> 1) & _NOT_LAST & room


@helper("int64(int64, int64)", inline=True)
def _right(places: int, room: int) -> int:
    """The places one to the right, where there is room."""
    return (places << 1) & _NOT_FIRST & room


@helper("int64(int64, int64, int64)", inline=True)
def _turned(lanes: int, room: int, left: int) -> int:
    """What becomes of pills whose lanes are already turned: a lying one that does not fit is kicked left.

    With ``left`` held, a lying one that fits goes one further left if there is room.
    """
    fits = lanes & room
    kicked = _left(lanes & ~room & _LYING, room)
    if left != 0:
        shifted = _left(fits & _LYING, room)
        fits = (fits & ~(shifted << 1)) | shifted
    return fits | kicked


@helper("int64(int64)", inline=True)
def _clockwise(places: int) -> int:
    """Every lane moved to the next."""
    return ((places << 8) | (places >> 24)) & _LANES


@helper("int64(int64)", inline=True)
def _counterclockwise(places: int) -> int:
    """Every lane moved to the one before."""
    return ((places >> 8) | (places << 24)) & _LANES


# ── Without timing ──────────────────────────────────────────────────────────────────────────────


@helper("int64(int64, int64)", inline=True)
def _filled(places: int, room: int) -> int:
    """All that moves and turns reach in a row. The first two lanes say it all: half a turn is free."""
    room &= 0xFFFF
    before = 0
    while places != before:
        before = places
        # Sideways through whatever is free: by 1, 2 and 4 cells. No lane leaks: the last x of lying ones is never free.
        way = room
        places |= way & (places << 1)
        way &= way << 1
        places |= way & (places << 2)
        way &= way << 2
        places |= way & (places << 4)
        way = room
        places |= way & (places >> 1)
        way &= way >> 1
        places |= way & (places >> 2)
        way &= way >> 2
        places |= way & (places >> 4)
        standing = places >> 8
        places |= (((places & 0xFF) << 8) | standing | (((standing & ~room) >> 1) & 0x7F)) & room
    return places


@helper("void(integers, integers)", inline=True)
def _fall_freely(room: Integers, places: Integers) -> None:
    """The places of every row, without timing."""
    here = ENTRY
    for y in range(15, -1, -1):
        here = _filled(here & room[y], room[y])
        places[y] = here * 0x10001


# ── With timing ─────────────────────────────────────────────────────────────────────────────────


@helper("int64(integers, integers, int64)")
def _calm_is_enough(room: Integers, places: Integers, gravity: int) -> int:
    """Whether acting in every second frame reaches each place of ``places`` at which a pill can rest."""
    here = ENTRY
    for y in range(15, -1, -1):
        free = room[y]
        here &= free
        # The frame in which a pill falls into a row belongs to that row; nothing fell into the first one.
        first, last = max(1, (15 - y) * gravity), (16 - y) * gravity - 1
        for _ in range((last + 1) // 2 - first // 2):
            moved = here | _left(here, free) | _right(here, free)
            moved |= _turned(_clockwise(moved), free, 0) | _turned(_counterclockwise(moved), free, 0)
            if moved == here:
                break
            here = moved
        missed = places[y] & ~here
        if y > 0:
            missed &= ~room[y - 1]
        if missed != 0:
            return 0
    return 1


@helper("void(integers, int64, int64, int64, int64, int64)", inline=True)
def turn_pill(then: Integers, key: int, pressed: int, places: int, room: int, left: int) -> None:
    """Enter places under a state of the keys, with every way to turn that is open."""
    then[4 * key] |= places
    clockwise = 0
    if pressed & 1 == 0:
        clockwise = _turned(_clockwise(places), room, left)
        then[4 * key + 1] |= clockwise
    if pressed & 2 == 0:
        then[4 * key + 2] |= _turned(_counterclockwise(places), room, left)
    if pressed == 0:
        then[4 * key + 3] |= _turned(_counterclockwise(clockwise), room, left)


@helper("void(integers, int64, int64, int64, int64)")
def _try_left(then: Integers, key: int, pressed: int, places: int, room: int) -> None:
    """Left acts in this frame; a blocked one stands ready to act in the next."""
    moved = _left(places, room)
    stays = places & ~(moved << 1)
    turn_pill(then, key, pressed, moved | (stays & _WALL), room, 1)
    if stays & ~_WALL != 0:
        turn_pill(then, _LEFT + _DELAY - 1, pressed, stays & ~_WALL, room, 1)


@helper("void(integers, integers, int64)")
def step_frame(now: Integers, then: Integers, room: int) -> None:
    """All that the keys can do in one frame, after gravity: sideways first, then turning."""
    for state in range(STATES):
        then[state] = 0
    for state in range(STATES):
        places = now[state]
        if places == 0:
            continue
        key, pressed = state // 4, state % 4
        turn_pill(then, FREE, pressed, places, room, 0)
        # Right that is held and repeats does what a new press does, so it need not be followed.
        moved = _right(places, room)
        if key != _RIGHT and moved != 0:
            turn_pill(then, _RIGHT, pressed, moved, room, 0)
        if key < _LEFT:
            _try_left(then, _LEFT, pressed, places, room)
        elif key < _LEFT + _DELAY - 1:
            turn_pill(then, key + 1, pressed, places, room, 1)
        else:
            _try_left(then, _LEFT + _DELAY - _REPEAT, pressed, places, room)


@helper("void(integers, integers, int64)")
def _frames(room: Integers, places: Integers, gravity: int) -> None:
    """The places of every row, frame by frame with the state of every key."""
    now, then = _now(), _then()
    for state in range(STATES):
        now[state] = 0
    now[4 * FREE] = ENTRY
    for y in range(15, -1, -1):
        for state in range(STATES):
            now[state] &= room[y]
        for _ in range(gravity if y < 15 else gravity - 1):
            step_frame(now, then, room[y])
            now, then = then, now
        here = 0
        for state in range(STATES):
            here |= now[state]
        places[y] = here


# ── Both ────────────────────────────────────────────────────────────────────────────────────────


@helper("int64(uint64, uint64, int64, int64, integers)")
def resting_places(low: Word, high: Word, gravity: int, equal: int, out: Integers) -> int:
    """The moves of a pill into a bottle with these occupied cells; a gravity of 0 ignores timing.

    ``equal`` says that both halves have one colour: then half a turn changes nothing and is left out.
    """
    room, places = _rows(), _places()
    room_of(low, high, room)
    _fall_freely(room, places)
    if gravity != 0 and _calm_is_enough(room, places, gravity) == 0:
        _frames(room, places, gravity)
    count = 0
    for y in range(16):
        rests = places[y]
        if y > 0:
            rests &= ~room[y - 1]
        if equal != 0:
            rests = (rests | (rests >> 16)) & 0xFFFF
        bits = np.uint64(rests)
        while bits != _0:
            bit = scan(bits)
            bits &= bits - _1
            out[count] = (bit >> 3) * 128 + (bit & 7) * 16 + y
            count += 1
    return count
