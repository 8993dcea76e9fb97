"""The rules of Dr. Mario.

The words of a position are explained in `bottle` (the planes) and `settings` (the last word). A move is
128·rotation + 16·x + y: the pill turned clockwise that often, with its lower left cell there; after one turn the
left half is on top. A pill of one colour is only listed with rotations 0 and 1.

The player places the pill, then chance reveals the next preview. The game is over when no virus is left
(won), when a cell of the entry is occupied (lost), or when the limit of pills without a kill is reached (a stall).
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Reals, Word, Words, helper, popcount, scratch
from evalsmith.games.contract import CHANCE, OVER, PLAYER, contract
from evalsmith.games.drmario import settings
from evalsmith.games.drmario.bottle import (
    BLUE,
    BOTTOM,
    LEFT,
    RED,
    SETTINGS,
    VIRUS,
    WORDS,
    YELLOW,
    settle,
)  # fmt: skip
from evalsmith.games.drmario.dealing import PILL_COLOURS
from evalsmith.games.drmario.reach import resting_places
from evalsmith.games.drmario.settings import FAST, UNIFORM, UNKNOWN
from evalsmith.games.keys import mix

WIN = 30_000
CENTIVIRUS = 100
OUTCOMES = 9

# The plane that a half of each pill goes to: colours count red, yellow, blue in the planes.
_LEFT_PLANE = np.array([2 * PILL_COLOURS[index // 3] for index in range(OUTCOMES)], dtype=np.int64)
_RIGHT_PLANE = np.array([2 * PILL_COLOURS[index % 3] for index in range(OUTCOMES)], dtype=np.int64)

# Frames a row by speed and tens of pills. The cartridge's table, each entry plus one.
_FRAMES = np.array(
    [
        *range(70, 19, -2),
        *range(19, 9, -1),
        10,
        9,
        9,
        8,
        8,
        7,
        7,
        *[6] * 12,
        *[5] * 5,
        *[4] * 5,
        *[3] * 5,
        *[2] * 10,
        1,
    ],
    dtype=np.int64,
)
_FIRST_FRAMES = np.array([15, 25, 31], dtype=np.int64)  # low, medium, high
_LAST_STEP = 49

# The cartridge adds a number from 0 to 15 to the index of a pill, mod 9, so some steps are twice as likely as others.
# Sixteenths by step from the last known pill to the next.
_STEPS = np.array([2, 2, 2, 2, 2, 2, 2, 1, 1], dtype=np.int64)

# The cartridge counts colours yellow, red, blue. A position whose colours were exchanged remembers how, so that chance
# stays what it was: row by row, the place of yellow, red and blue in that count.
COLOUR_ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
_CARTRIDGE_INDEX = np.array(
    [3 * order[index // 3] + order[index % 3] for order in COLOUR_ORDERS for index in range(OUTCOMES)], dtype=np.int64
)

# The two cells at which a pill enters, in the high word.
_ENTRY = np.uint64(0b11000 << 56)
_KEY_SEED = np.uint64(0xD12A2109)
_0, _1, _64 = np.uint64(0), np.uint64(1), np.uint64(64)

_trial = scratch("words", WORDS)


@helper("int64(words)", inline=True)
def _status(position: Words) -> int:
    state = position[SETTINGS]
    occupied = position[RED + 1] | position[YELLOW + 1] | position[BLUE + 1]
    if position[VIRUS] | position[VIRUS + 1] == _0 or occupied & _ENTRY != _0:
        return OVER
    if settings.since(state) >= settings.limit(state):
        return OVER
    return CHANCE if settings.preview(state) == UNKNOWN else PLAYER


@helper("int64(uint64)", inline=True)
def gravity(state: Word) -> int:
    """Frames a row for the pill to be placed; 0 where timing is ignored."""
    chosen = settings.speed(state)
    if chosen == FAST:
        return 0
    return _FRAMES[_FIRST_FRAMES[chosen] + min(_LAST_STEP, (settings.pills(state) + 2) // 10)]


@helper("void(words, int64)", inline=True)
def _set(plane: Words, cell: int) -> None:
    """Occupy a cell of a plane, given by its number within all planes: 128 to each."""
    plane[cell >> 6] |= _1 << (np.uint64(cell) & np.uint64(63))


@helper("int64(words, int64, words)")
def _placed(position: Words, move: int, next: Words) -> int:
    """The bottle once a pill is placed and everything has settled; how many viruses died."""
    for word in range(WORDS):
        next[word] = position[word]
    index = settings.pill(position[SETTINGS])
    rotation, x, y = move >> 7, (move >> 4) & 7, move & 15
    first, second = _LEFT_PLANE[index], _RIGHT_PLANE[index]
    if rotation == 1 or rotation == 2:
        first, second = second, first
    cell = 8 * y + x
    _set(next, 64 * first + cell)
    if rotation & 1 == 0:
        _set(next, 64 * second + cell + 1)
        _set(next, 64 * LEFT + cell)
    elif y < 15:
        _set(next, 64 * second + cell + 8)
        _set(next, 64 * BOTTOM + cell)
    return settle(next)


@helper("int64(words)", inline=True)
def _occupied(position: Words) -> int:
    """How many cells are not empty."""
    low = position[RED] | position[YELLOW] | position[BLUE]
    return popcount(low) + popcount(position[RED + 1] | position[YELLOW + 1] | position[BLUE + 1])


@contract
def moves(position: Words, out: Integers) -> int:
    """The places where the pill can come to rest, from the floor up."""
    if _status(position) != PLAYER:
        return 0
    low = position[RED] | position[YELLOW] | position[BLUE]
    high = position[RED + 1] | position[YELLOW + 1] | position[BLUE + 1]
    state = position[SETTINGS]
    index = settings.pill(state)
    equal = 1 if _LEFT_PLANE[index] == _RIGHT_PLANE[index] else 0
    return resting_places(low, high, gravity(state), equal, out)


@contract
def play(position: Words, move: int, next: Words) -> None:
    """Lock the pill, let lines vanish and pieces fall; the preview moves up."""
    killed = _placed(position, move, next)
    next[SETTINGS] = settings.after_pill(position[SETTINGS], killed)


@contract
def status(position: Words) -> int:
    """Over, or chance while the preview is unknown, or the player's."""
    return _status(position)


@contract
def mover(position: Words) -> int:
    """There is one player."""
    return 0


@contract
def result(position: Words) -> int:
    """Won with the last virus, lost with the entry blocked; a stall as the setting says."""
    if position[VIRUS] | position[VIRUS + 1] == _0:
        return WIN
    occupied = position[RED + 1] | position[YELLOW + 1] | position[BLUE + 1]
    if occupied & _ENTRY == _0 and settings.stall_won(position[SETTINGS]) != 0:
        return WIN
    return -WIN


@contract
def key(position: Words) -> Word:
    """A hash of all words."""
    state = _KEY_SEED
    for word in range(WORDS):
        state = mix(state, position[word])
    return state


@contract
def order(position: Words, move: int) -> int:
    """Kills first, then what empties the bottle, then low places."""
    next = _trial()
    killed = _placed(position, move, next)
    emptied = _occupied(position) + 2 - _occupied(next)
    return 1000 * killed + 20 * emptied - (move & 15)


@contract
def capture_value(position: Words, move: int) -> int:
    """A virus is worth a hundred."""
    next = _trial()
    return CENTIVIRUS * _placed(position, move, next)


@contract
def slot(position: Words, move: int) -> int:
    """The move itself: rotation, x, y as the net counts them."""
    return move


@contract
def chance(position: Words, probability: Reals) -> int:
    """How likely each pill is as the next preview, given the last pill that is known."""
    state = position[SETTINGS]
    drawn = settings.drawing(state)
    if drawn == UNIFORM:
        for index in range(OUTCOMES):
            probability[index] = 1.0 / OUTCOMES
        return OUTCOMES
    last = _CARTRIDGE_INDEX[OUTCOMES * drawn + settings.pill(state)]
    for index in range(OUTCOMES):
        # The cartridge fills its list from the back, so in the order of play the index goes down.
        step = (last - _CARTRIDGE_INDEX[OUTCOMES * drawn + index] + OUTCOMES) % OUTCOMES
        probability[index] = _STEPS[step] / 16.0
    return OUTCOMES


@contract
def reveal(position: Words, outcome: int, next: Words) -> None:
    """Show the next preview."""
    for word in range(WORDS):
        next[word] = position[word]
    next[SETTINGS] = settings.with_preview(position[SETTINGS], outcome)
