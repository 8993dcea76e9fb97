"""The rules of DVONN on bitboards.

Words: 0 the stacks with white on top, 1 those with black on top, 2 those that hold a red stone, 3–8 the binary digits
of the heights (3 the ones, 4 the twos, … 8 the thirty-twos), 9 the state (bit 0 black to move, bit 1 stacking), 10 the
key. A lone red stone is in word 2 and neither in 0 nor in 1. Where a field stands in a word says ``board``.

Moves: 64·from + to, as bits; a placing has its field as both, and PASS is the value for the bit 63 that no field has.
A pass is a move, legal only when there is no other and the enemy can move.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, helper, lowest, popcount, scan, table
from evalsmith.games.contract import OVER, PLAYER, contract
from evalsmith.games.dvonn import board
from evalsmith.games.keys import zobrist

PASS = 64 * 63 + 63
CENTISTONE = 100
REDS, STONES = 3, 49
WHITE, BLACK = 0, 1
RED, HEIGHTS, STATE, KEY = 2, 3, 9, 10  # words
DIGITS = 6  # binary digits of a height

_0, _1, _2, _3 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_STEP, _ROW, _SLANT = np.uint64(1), np.uint64(board.WIDTH), np.uint64(board.WIDTH + 1)
_BOARD = np.uint64(board.BOARD)
STACKING = _2

# One key a stack by its code in the state string (lone red 1, else 4·height + 2·red + owner − 2) and its bit.
CODES = 4 * STONES + 2
KEYS = zobrist(0xD07, CODES, 64)
# The empty board has a key other than 0, which a search may take for an empty entry of its table.
BLACK_MOVES, IN_STACKING, EMPTY_BOARD = (np.uint64(word) for word in zobrist(0xD08, 3))
_keys = table("dvonn.keys", KEYS)
_targets = table("dvonn.targets", board.target_bits())
_LINES = board.line_slots()
_NUMBERS = board.bit_numbers()
SLOT_OF_PASS = int(_LINES.max()) + 1

# Static ordering: onto the enemy, then onto a lone red, then onto one's own; higher targets first.
_ONTO_ENEMY, _ONTO_RED, _ONTO_OWN, _WITH_RED = 3000, 2000, 1000, 500
_SIDE_FIELDS = np.uint64(board.fields_with(4) | board.fields_with(3))


# ── Fields and stacks ───────────────────────────────────────────────────────────────────────────


@helper("uint64(uint64)", inline=True)
def beside(fields: Word) -> Word:
    """All that is next to one of the fields; some of it may lie outside the board."""
    right_and_left = (fields << _STEP) | (fields >> _STEP)
    return right_and_left | (fields << _ROW) | (fields >> _ROW) | (fields << _SLANT) | (fields >> _SLANT)


@helper("uint64(int64)", inline=True)
def around_field(bit: int) -> Word:
    """The fields beside a field."""
    return _targets()[64 + bit]


@helper("uint64(uint64)", inline=True)
def open_sided(occupied: Word) -> Word:
    """The occupied fields that have a free side, so that a stack there may move."""
    enclosed = (occupied << _STEP) & (occupied >> _STEP) & (occupied << _ROW) & (occupied >> _ROW)
    return occupied & ~(enclosed & (occupied << _SLANT) & (occupied >> _SLANT))


@helper("int64(words, int64)", inline=True)
def height_at(position: Words, bit: int) -> int:
    """The height of the stack on a field, 0 for none."""
    shift = np.uint64(bit)
    height = (position[3] >> shift) & _1
    for digit in range(1, DIGITS):
        height |= ((position[HEIGHTS + digit] >> shift) & _1) << np.uint64(digit)
    return np.int64(height)  # type: ignore[return-value]


@helper("uint64(words)", inline=True)
def low_stacks(position: Words) -> Word:
    """Where stacks are lower than 16, so that ``reach_of`` knows their height."""
    return ~(position[HEIGHTS + 4] | position[HEIGHTS + 5])


@helper("uint64(uint64, uint64, uint64, uint64, int64)", inline=True)
def reach_of(ones: Word, twos: Word, fours: Word, eights: Word, bit: int) -> Word:
    """The fields exactly as far away as a stack lower than 16 is high, from the digits of the heights.

    They come as arguments, for a loop that writes to a row would read them anew each time.
    """
    shift = np.uint64(bit)
    height = ((ones >> shift) & _1) | (((twos >> shift) & _1) << _1)
    height |= (((fours >> shift) & _1) << _2) | (((eights >> shift) & _1) << _3)
    return _targets()[64 * np.int64(height) + bit]


@helper("int64(words, int64)", inline=True)
def code_at(position: Words, bit: int) -> int:
    """The code of the stack on an occupied field."""
    shift = np.uint64(bit)
    black = np.int64((position[BLACK] >> shift) & _1)
    if black == 0 and (position[WHITE] >> shift) & _1 == _0:
        return 1
    red = np.int64((position[RED] >> shift) & _1)
    return 4 * height_at(position, bit) + 2 * red + black - 2  # type: ignore[return-value]


@helper("int64(words, uint64)", inline=True)
def stones_in(position: Words, fields: Word) -> int:
    """How many stones stand on the fields."""
    total = 0
    for digit in range(DIGITS):
        total += popcount(position[HEIGHTS + digit] & fields) << digit
    return total


@helper("uint64(uint64, uint64, uint64, int64)")
def connected(occupied: Word, red: Word, left: Word, red_moved: int) -> Word:
    """The stacks that stay after a stack has left a field: those connected to a red one.

    Before the move every stack was connected. So unless a red one moved, nothing is cut off when what lies around
    the left field is still in one piece.
    """
    if red_moved == 0:
        around = beside(left) & occupied
        reached = lowest(around)
        while around & ~reached != _0:
            grown = reached | (beside(reached) & occupied)
            if grown == reached:
                break
            reached = grown
        if around & ~reached == _0:
            return occupied
    reached = red
    grown = reached | (beside(reached) & occupied)
    while grown != reached:
        reached = grown
        grown = reached | (beside(reached) & occupied)
    return reached


@helper("int64(words, uint64, uint64)")
def can_move(position: Words, own: Word, occupied: Word) -> int:
    """Whether one of these stacks has a move."""
    movers = own & open_sided(occupied) & low_stacks(position)
    ones, twos, fours, eights = position[3], position[4], position[5], position[6]
    while movers != _0:
        if reach_of(ones, twos, fours, eights, scan(movers)) & occupied != _0:
            return 1
        movers ^= lowest(movers)
    return 0


# ── The contract ────────────────────────────────────────────────────────────────────────────────


@contract
def moves(position: Words, out: Integers) -> int:
    """The free fields in order; or the moves of each stack in order, or the pass."""
    occupied = position[WHITE] | position[BLACK] | position[RED]
    count = 0
    if position[STATE] & STACKING == _0:
        free = _BOARD & ~occupied
        while free != _0:
            out[count] = 65 * scan(free)
            count += 1
            free ^= lowest(free)
        return count
    own, enemy = position[WHITE], position[BLACK]
    if position[STATE] & _1 != _0:
        own, enemy = enemy, own
    movers = own & open_sided(occupied) & low_stacks(position)
    ones, twos, fours, eights = position[3], position[4], position[5], position[6]
    while movers != _0:
        bit = scan(movers)
        reached = reach_of(ones, twos, fours, eights, bit) & occupied
        while reached != _0:
            out[count] = 64 * bit + scan(reached)
            count += 1
            reached ^= lowest(reached)
        movers ^= lowest(movers)
    if count == 0 and can_move(position, enemy, occupied) != 0:
        out[0] = PASS
        return 1
    return count


@helper("void(words, int64, words)")
def _place(position: Words, end: int, next: Words) -> None:
    """Put a red stone, or once the reds stand one of the mover's own, on a free field."""
    state, keys = position[STATE], _keys()
    to_bit = _1 << np.uint64(end)
    kind: Word = np.int64(state & _1)
    code = 2 + kind
    placed = popcount(position[WHITE] | position[BLACK] | position[RED])
    if placed < REDS:
        kind, code = RED, 1
    for word in range(STATE):
        next[word] = position[word]
    next[kind] |= to_bit
    next[HEIGHTS] |= to_bit
    key = position[KEY] ^ keys[64 * code + end]
    if placed + 1 == STONES:  # white, who has placed the last stone, also begins to stack
        next[STATE] = STACKING
        next[KEY] = key ^ IN_STACKING
    else:
        next[STATE] = state ^ _1
        next[KEY] = key ^ BLACK_MOVES


@helper("void(words, int64, int64, words)")
def _stack(position: Words, start: int, end: int, next: Words) -> None:
    """Put a stack on another one and remove what is cut off, which may be the new stack itself."""
    state, keys = position[STATE], _keys()
    side = np.int64(state & _1)
    from_bit, to_bit = _1 << np.uint64(start), _1 << np.uint64(end)
    height = height_at(position, start) + height_at(position, end)
    key = position[KEY] ^ BLACK_MOVES
    key ^= keys[64 * code_at(position, start) + start] ^ keys[64 * code_at(position, end) + end]
    occupied = (position[WHITE] | position[BLACK] | position[RED]) ^ from_bit
    red = position[RED]
    red_moved = 0
    if red & from_bit != _0:
        red = (red ^ from_bit) | to_bit
        red_moved = 1
    stays = connected(occupied, red, from_bit, red_moved)
    others, landed = stays & ~to_bit, stays & to_bit
    cut = occupied & ~(stays | to_bit)
    while cut != _0:
        bit = scan(cut)
        key ^= keys[64 * code_at(position, bit) + bit]
        cut ^= lowest(cut)
    next[WHITE] = position[WHITE] & others
    next[BLACK] = position[BLACK] & others
    next[RED] = red
    next[side] |= landed
    for digit in range(DIGITS):
        bits = position[HEIGHTS + digit] & others
        if (height >> digit) & 1 != 0:
            bits |= landed
        next[HEIGHTS + digit] = bits
    if landed != _0:
        held = np.int64(red & to_bit != _0)
        key ^= keys[64 * (4 * height + 2 * held + side - 2) + end]
    next[STATE] = state ^ _1
    next[KEY] = key


@contract
def play(position: Words, move: int, next: Words) -> None:
    """Place a stone, move a stack, or pass."""
    if move == PASS:
        for word in range(STATE):
            next[word] = position[word]
        next[STATE] = position[STATE] ^ _1
        next[KEY] = position[KEY] ^ BLACK_MOVES
    elif position[STATE] & STACKING == _0:
        _place(position, move & 63, next)
    else:
        _stack(position, move >> 6, move & 63, next)


@contract
def status(position: Words) -> int:
    """Over when neither side can move a stack."""
    if position[STATE] & STACKING == _0:
        return PLAYER
    occupied = position[WHITE] | position[BLACK] | position[RED]
    if can_move(position, position[WHITE], occupied) != 0 or can_move(position, position[BLACK], occupied) != 0:
        return PLAYER
    return OVER


@contract
def mover(position: Words) -> int:
    """0 white, 1 black."""
    return np.int64(position[STATE] & _1)  # type: ignore[return-value]


@contract
def result(position: Words) -> int:
    """The stones in the mover's stacks less those in the enemy's, in centistones."""
    margin = stones_in(position, position[WHITE]) - stones_in(position, position[BLACK])
    if position[STATE] & _1 != _0:
        margin = -margin
    return margin * CENTISTONE


@contract
def key(position: Words) -> Word:
    """The Zobrist key that ``play`` keeps."""
    return position[KEY]


@contract
def order(position: Words, move: int) -> int:
    """Onto the enemy, onto a lone red, onto one's own; a stone is placed near reds and on the side first."""
    if move == PASS:
        return 0
    side = np.int64(position[STATE] & _1)
    to_bit = _1 << np.uint64(move & 63)
    if position[STATE] & STACKING == _0:
        near = beside(to_bit)
        return 4 * popcount(near & position[RED]) + popcount(to_bit & _SIDE_FIELDS) + popcount(near & position[side])
    score = height_at(position, move & 63) - height_at(position, move >> 6)
    if position[RED] & to_bit != _0:
        score += _WITH_RED
    if position[side] & to_bit != _0:
        return score + _ONTO_OWN
    if position[1 - side] & to_bit != _0:
        return score + _ONTO_ENEMY
    return score + _ONTO_RED


@contract
def capture_value(position: Words, move: int) -> int:
    """By how much a stacking betters the margin: what it captures and what it cuts off, in centistones."""
    if move == PASS or position[STATE] & STACKING == _0:
        return 0
    side = np.int64(position[STATE] & _1)
    own, enemy, red = position[side], position[1 - side], position[RED]
    from_bit, to_bit = _1 << np.uint64(move >> 6), _1 << np.uint64(move & 63)
    occupied = (own | enemy | red) ^ from_bit
    red_moved = 0
    if red & from_bit != _0:
        red = (red ^ from_bit) | to_bit
        red_moved = 1
    cut = occupied & ~connected(occupied, red, from_bit, red_moved)
    both = from_bit | to_bit
    margin = stones_in(position, enemy & (cut | to_bit)) - stones_in(position, own & (cut | both))
    if cut & to_bit == _0:
        margin += stones_in(position, both)
    return max(margin, 0) * CENTISTONE


@contract
def slot(position: Words, move: int) -> int:
    """First the pairs of fields on a line, then the pass, then the fields for placing."""
    if move == PASS:
        return SLOT_OF_PASS
    if position[STATE] & STACKING == _0:
        return SLOT_OF_PASS + 1 + _NUMBERS[move & 63]
    return _LINES[move]
