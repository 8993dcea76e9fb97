"""The rules and the evaluation of Connect Four, compiled.

Words: 0 the mover's stones, 1 the enemy's. A column is seven bits, the lowest cell first; its seventh stays
empty, so that no line runs over into the next column. Who moves follows from the number of stones. A move is a column.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Values, Word, Words, helper, lowest, popcount, scan
from evalsmith.games import Evaluation, Feature, Overview
from evalsmith.games.contract import OVER, PLAYER, contract
from evalsmith.games.keys import mix

COLUMNS, ROWS, CELLS = 7, 6, 42
WIN = 10_000

_0, _1 = np.uint64(0), np.uint64(1)
_UP, _DOWNHILL, _ACROSS, _UPHILL = np.uint64(1), np.uint64(6), np.uint64(7), np.uint64(8)
_COLUMN = np.uint64(0b111111)
_BOTTOM = np.uint64(sum(1 << 7 * column for column in range(COLUMNS)))
_ODD_ROWS = _BOTTOM * np.uint64(0b010101)
_KEY_SEED = np.uint64(0xC04)
_ORDER = np.array([0, 2, 4, 6, 4, 2, 0], dtype=np.int64)


def _lines() -> list[int]:
    """The 69 lines of four cells, as bits."""
    cells = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
    return [
        sum(1 << 7 * (column + k * right) + row + k * up for k in range(4))
        for column, row in cells
        for right, up in ((0, 1), (1, -1), (1, 0), (1, 1))
        if (column + 3 * right, row + 3 * up) in cells
    ]


_LINES = np.array(_lines(), dtype=np.uint64)


# ── Rules ───────────────────────────────────────────────────────────────────────────────────────


@helper("uint64(uint64, uint64)", inline=True)
def _fours(stones: Word, step: Word) -> Word:
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (step + step))


@helper("int64(uint64)", inline=True)
def won(stones: Word) -> int:
    """Whether the stones hold four in a line."""
    fours = _fours(stones, _UP) | _fours(stones, _DOWNHILL) | _fours(stones, _ACROSS) | _fours(stones, _UPHILL)
    return 1 if fours != _0 else 0


@contract
def moves(position: Words, out: Integers) -> int:
    """The columns with room, while the enemy has no four."""
    count = 0
    if won(position[1]):
        return count
    stones = position[0] | position[1]
    for column in range(COLUMNS):
        full = _COLUMN << np.uint64(7 * column)
        if stones & full != full:
            out[count] = column
            count += 1
    return count


@contract
def play(position: Words, move: int, next: Words) -> None:
    """Drop a stone; the mover becomes the enemy."""
    mover, enemy = position[0], position[1]
    full = _COLUMN << np.uint64(7 * move)
    next[0] = enemy
    next[1] = mover | lowest(full & ~(mover | enemy))


@contract
def status(position: Words) -> int:
    """Over with four in a line or a full board."""
    return OVER if won(position[1]) or popcount(position[0] | position[1]) == CELLS else PLAYER


@contract
def mover(position: Words) -> int:
    """0 the one who began, 1 the other."""
    return popcount(position[0] | position[1]) % 2


@contract
def result(position: Words) -> int:
    """Lost to the enemy's four, or drawn."""
    return -WIN if won(position[1]) else 0


@contract
def key(position: Words) -> Word:
    """A hash of both words."""
    return mix(mix(_KEY_SEED, position[0]), position[1])


@contract
def order(position: Words, move: int) -> int:
    """The centre first."""
    return _ORDER[move]


@contract
def slot(position: Words, move: int) -> int:
    """The column."""
    return move


# ── Evaluation ──────────────────────────────────────────────────────────────────────────────────


def _cell_map(weights: npt.NDArray[np.int32]) -> Overview:
    """The board for a report, row 6 on top; columns e to g mirror c to a."""
    half = weights.reshape(4, 6).astype(np.float64)
    board = np.concatenate([half, half[2::-1]]).T[::-1]
    return Overview(board, tuple("654321"), tuple("abcdefg"), "What a stone is worth on each cell.")


FEATURES = (
    Feature(
        "line",
        5,
        describe=lambda i: (
            "one stone in an open line"
            if i == 0
            else f"two of {'XO'[(i - 1) // 2]}'s in an open line, {('no gap', 'a gap')[(i - 1) % 2]} on an odd row"
        ),
        group="lines",
        whose="each",
    ),
    Feature(
        "threat",
        12,
        describe=lambda i: f"{'XO'[i // 6]} would have four on row {i % 6 + 1}",
        group="threats",
        whose="each",
    ),
    Feature(
        "column",
        3,
        describe=lambda i: (
            "a threat above one's own threat",
            "a threat above the enemy's threat",
            "a threat that can be played next",
        )[i],
        group="threats",
        whose="each",
    ),
    Feature(
        "wait",
        2,
        describe=lambda i: ("X has a threat on an odd row", "only O has one that waiting brings, on an even row")[i],
        group="threats",
        whose="each",
    ),
    Feature(
        "cell",
        24,
        describe=lambda i: f"stone on {'abcd'[i // 6]}{i % 6 + 1} or its mirror image",
        overview=_cell_map,
        whose="each",
    ),
    Feature("move", 1, describe=lambda i: "having the move", whose="mover"),
)
_THREAT, _COLUMN_OF, _WAIT, _CELL, _MOVE = 5, 17, 20, 22, 46


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """Open lines, threats, stones by cell, and the move: + the mover's, - the enemy's."""
    own, other = position[0], position[1]
    stones = own | other
    side = popcount(stones) % 2
    count, mine_gaps, their_gaps = 0, _0, _0
    for i in range(len(_LINES)):
        mine, theirs = popcount(own & _LINES[i]), popcount(other & _LINES[i])
        if (mine == 0) == (theirs == 0) or mine + theirs == 4:
            continue
        owner = side if mine > 0 else 1 - side
        gaps = _LINES[i] & ~stones
        if mine == 3:
            mine_gaps |= gaps
            continue
        if theirs == 3:
            their_gaps |= gaps
            continue
        index[count] = 0
        if mine + theirs == 2:
            index[count] = 1 + 2 * owner + (1 if gaps & _ODD_ROWS != _0 else 0)
        value[count] = 1 if mine > 0 else -1
        count += 1
    # Who profits from a gap hangs on who will have to fill the cell below it.
    reach = (stones + _BOTTOM) & ~stones
    for turn in range(2):
        gaps, against = (mine_gaps, their_gaps) if turn == 0 else (their_gaps, mine_gaps)
        owner, sign = (side, 1) if turn == 0 else (1 - side, -1)
        left = gaps
        while left != _0:
            gap = lowest(left)
            index[count] = _THREAT + 6 * owner + scan(gap) % 7
            value[count] = sign
            count += 1
            left ^= gap
        for kind in range(3):
            found = gaps & (gaps << _UP if kind == 0 else against << _UP if kind == 1 else reach)
            if found != _0:
                index[count] = _COLUMN_OF + kind
                value[count] = sign * popcount(found)
                count += 1
    first, second = (mine_gaps, their_gaps) if side == 0 else (their_gaps, mine_gaps)
    odd = first & _ODD_ROWS
    if odd != _0 or second & ~_ODD_ROWS != _0:
        index[count] = _WAIT if odd != _0 else _WAIT + 1
        value[count] = 1 if (odd != _0) == (side == 0) else -1
        count += 1
    while stones != _0:
        cell = scan(stones)
        index[count] = _CELL + 6 * min(cell // 7, 6 - cell // 7) + cell % 7
        value[count] = 1 if own & lowest(stones) != _0 else -1
        count += 1
        stones ^= lowest(stones)
    index[count] = _MOVE
    value[count] = 1
    return count + 1


@contract
def phase(position: Words) -> int:
    """How many stones are on the board."""
    return popcount(position[0] | position[1])


def starting() -> npt.NDArray[np.int32]:
    """Set by hand: a cell by the lines through it, X's threats on odd rows, O's on even ones, the lower the better."""
    through = [sum(1 for line in _lines() if line >> 7 * column + row & 1) for column in range(4) for row in range(6)]
    odd, even = [40, 20, 60, 20, 50, 20], [20, 50, 20, 45, 20, 40]
    opening = [2, 10, 10, 10, 10, *odd, *even, 60, -20, 0, 40, 30, *through, 10]
    ending = [0, 5, 5, 5, 5, *odd, *even, 120, -20, 0, 100, 80, *(0 for _ in through), 5]
    return np.array([opening, ending], dtype=np.int32)


def evaluation() -> Evaluation:
    """Two columns that blend with the number of stones."""
    blend = tuple((0, 1, stones) for stones in range(CELLS + 1))
    return Evaluation(FEATURES, ("opening", "ending"), blend, CELLS, starting)
