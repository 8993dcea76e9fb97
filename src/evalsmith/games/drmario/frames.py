"""How many frames of the cartridge a placement takes: the fewest, by any way to hold the keys.

Counted are the frames in which the pill obeys the keys: from the first one to that in which it locks, when gravity or
the down key finds no room below it. The down key acts in every second frame, the second of a pill is the first; a row
that it gains makes gravity count anew. Without timing (speed fast) there is no gravity, and only the keys take time.
What the cartridge takes for throwing a pill, for lines that vanish and for pieces that fall is not counted.

All ways are followed at once, frame by frame: a set of places (as in `reach`) for each row, each number of frames since
the last row, and each state of the keys. So the first frame in which the pill locks at its place is the answer.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, at, driver, helper, pointer, scratch
from evalsmith.games.drmario import settings
from evalsmith.games.drmario.bottle import BLUE, RED, SETTINGS, YELLOW
from evalsmith.games.drmario.reach import ENTRY, FREE, ROWS, STATES, room_of, step_frame, turn_pill
from evalsmith.games.drmario.rules import gravity
from evalsmith.games.game import Position
from evalsmith.run.errors import MoveError

MAX_GRAVITY = 70  # frames a row, at most
_NEVER = 4096  # frames after which no way is left, whatever the speed

_rows = scratch("integers", ROWS)
_fallen = scratch("integers", STATES)
_pulled = scratch("integers", STATES)
_moved = scratch("integers", STATES)


def frames(position: Position, move: int) -> int:
    """The fewest frames from the pill's entry until it locks at a placement."""
    size = ROWS * MAX_GRAVITY * STATES
    found = _count(position, move, np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64))
    if found == 0:
        raise MoveError(f"no way leads to the placement {move}")
    return int(found)


@helper("int64(integers)", inline=True)
def _any(states: Integers) -> int:
    """The places under any state of the keys."""
    found = 0
    for state in range(STATES):
        found |= states[state]
    return found


@helper("void(integers)", inline=True)
def _clear(states: Integers) -> None:
    for state in range(STATES):
        states[state] = 0


@helper("int64(integers, int64, integers)")
def _drop(states: Integers, below: int, fallen: Integers) -> int:
    """Let pills fall a row where there is room; the places of those that lock."""
    locked = 0
    for state in range(STATES):
        fallen[state] |= states[state] & below
        locked |= states[state] & ~below
    return locked


@driver("int64(uint64[::1], int64, int64[::1], int64[::1])")
def _count(given: Words, move: int, first: Integers, second: Integers) -> int:
    """The frames of a placement; 0 where no way leads there. Both rows are empty, and are used up."""
    position, now, then = pointer(given), pointer(first), pointer(second)
    room, fallen, pulled, moved = _rows(), _fallen(), _pulled(), _moved()
    low: Word = position[RED] | position[YELLOW] | position[BLUE]
    high: Word = position[RED + 1] | position[YELLOW + 1] | position[BLUE + 1]
    room_of(low, high, room)
    row, target = move & 15, 1 << (8 * (move >> 7) + ((move >> 4) & 7))
    pill = settings.pill(position[SETTINGS])
    if pill // 3 == pill % 3:  # of one colour: half a turn more is the same placement
        target |= target << 16
    pull = gravity(position[SETTINGS])
    counts = max(pull, 1)  # without gravity nothing depends on how long a pill has been in its row
    now[STATES * counts * (ROWS - 1) + 4 * FREE] = ENTRY & room[ROWS - 1]
    for frame in range(1, _NEVER):
        _clear(fallen)
        _clear(pulled)
        alive = 0
        for y in range(ROWS - 1, row - 1, -1):
            # Step 1. Those that came from above: gravity leaves the keys free, the down key only those that turn.
            top, below = at(then, STATES * counts * y), room[y - 1] if y > 0 else 0
            alive |= _any(fallen) | _any(pulled)
            step_frame(pulled, top, room[y])
            for state in range(STATES):
                if fallen[state] != 0:
                    turn_pill(top, FREE, state % 4, fallen[state], room[y], 0)
            _clear(fallen)
            _clear(pulled)

            # Step 2. Those that were here: they fall, lock, or stay a frame longer.
            locked = 0
            for count in range(counts):
                here = at(now, STATES * (counts * y + count))
                stays = at(then, STATES * (counts * y + count + 1)) if count + 1 < pull else moved
                if _any(here) == 0:
                    if count + 1 < pull:
                        _clear(stays)
                    continue
                if frame & 1 == 0:
                    locked |= _drop(here, below, fallen)
                if pull != 0 and count + 1 == pull:
                    locked |= _drop(here, below, pulled)
                    continue
                step_frame(here, stays, room[y])
                alive = 1
                if pull == 0:
                    for state in range(STATES):
                        top[state] |= moved[state]
            if y == row and (locked & target) != 0:
                return frame
        if alive == 0:
            return 0
        now, then = then, now
    return 0
