"""The evaluation of Connect Four, compiled: open lines, threats, who would win if both only waited, and blocks.

A *threat* of a side is an empty cell that would give it four. X, who began, and O have weights of their own, because
parity decides: where both only wait, X comes to the odd rows of a column and O to the even ones. A term counts + for
the mover and - for the enemy. A block holds stones of both: it counts for X, so + where X moves.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from connect_four.blocks import BLOCKS, HEIGHTS, PLACES, block, block_name
from connect_four.board import BOARD, BOTTOM, CELLS, COLUMNS, ROWS
from evalsmith.compile import Indices, Values, Word, Words, helper, lowest, popcount, scan
from evalsmith.games import Evaluation, Feature, Overview
from evalsmith.games.contract import contract

_0, _UP = np.uint64(0), np.uint64(1)


# ── Lines ───────────────────────────────────────────────────────────────────────────────────────

Line = tuple[tuple[int, int], ...]  # four cells: column and row, from 0


def _all_lines() -> list[Line]:
    """The 69 lines."""
    cells = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
    steps = ((0, 1), (1, -1), (1, 0), (1, 1))
    lines = [
        tuple((column + k * right, row + k * up) for k in range(4)) for column, row in cells for right, up in steps
    ]
    return [line for line in lines if line[-1] in cells]


def _kind(line: Line) -> Line:
    """The line or its mirror image, whichever comes first."""
    return min(tuple(sorted(line)), tuple(sorted((COLUMNS - 1 - column, row) for column, row in line)))


LINES = _all_lines()
KINDS = sorted({_kind(line) for line in LINES})
_LINES = np.array([sum(1 << 7 * column + row for column, row in line) for line in LINES], dtype=np.uint64)
_KINDS = np.array([KINDS.index(_kind(line)) for line in LINES], dtype=np.int64)


# ── Features ────────────────────────────────────────────────────────────────────────────────────

WAITS, WAIT_STEP = 6, 5  # how long a wait is, in steps of so many stones
_THREAT = 6 * len(KINDS)
_COLUMN = _THREAT + 2 * ROWS
_WAIT = _COLUMN + 3
_CELL = _WAIT + 2 * WAITS
_BLOCK = _CELL + 4 * ROWS
_MOVE = _BLOCK + BLOCKS
SIZE = _MOVE + 1


def _line_name(index: int) -> str:
    kind, stones = KINDS[index // 6], index % 3 + 1
    ends = "–".join(f"{'abcdefg'[column]}{row + 1}" for column, row in (kind[0], kind[-1]))
    return f"{'XO'[index % 6 // 3]} alone has {stones} on {ends} or its mirror image"


def _wait_name(index: int) -> str:
    length = index % WAITS * WAIT_STEP
    return f"{'XO'[index // WAITS]} would win by waiting for {length} stones" + (
        " or more" if index % WAITS == 5 else ""
    )


def _cell_map(weights: npt.NDArray[np.int32]) -> Overview:
    """The board for a report, row 6 on top; columns e to g mirror c to a."""
    half = weights.reshape(4, ROWS).astype(np.float64)
    board = np.concatenate([half, half[2::-1]]).T[::-1]
    return Overview(board, tuple("654321"), tuple("abcdefg"), "What a stone is worth on each cell.")


_COLUMN_NAMES = (
    "a threat above one's own threat",
    "a threat above the enemy's threat",
    "a threat that can be played next",
)
FEATURES = (
    Feature("line", 6 * len(KINDS), describe=_line_name, group="lines", whose="each"),
    Feature(
        "threat",
        2 * ROWS,
        describe=lambda i: f"{'XO'[i // ROWS]} would have four on row {i % ROWS + 1}",
        group="threats",
        whose="each",
    ),
    Feature("column", 3, describe=lambda i: _COLUMN_NAMES[i], group="threats", whose="each"),
    Feature("wait", 2 * WAITS, describe=_wait_name, group="threats", whose="each"),
    Feature(
        "cell",
        4 * ROWS,
        describe=lambda i: f"stone on {'abcd'[i // ROWS]}{i % ROWS + 1} or its mirror image",
        overview=_cell_map,
        whose="each",
    ),
    Feature("block", BLOCKS, describe=block_name),
    Feature("move", 1, describe=lambda i: "having the move", whose="mover"),
)


# ── Terms ───────────────────────────────────────────────────────────────────────────────────────


@helper("int64(uint64, uint64, uint64)")
def wait(stones: Word, first: Word, second: Word) -> int:
    """How many stones there are when X wins, if both only wait; negative where O wins, 0 where nobody does.

    ``first`` and ``second`` are the threats of X and O, to which none are added. Who moves takes his own threat, or
    else stops the enemy's. A cell below a threat is played only where there is no other, below an enemy's last of all.
    """
    count = popcount(stones)
    while count < CELLS:
        mine, theirs = (first, second) if count % 2 == 0 else (second, first)
        reach = (stones + BOTTOM) & ~stones & BOARD
        count += 1
        if reach & mine != _0:
            return count if count % 2 == 1 else -count
        choice = reach & theirs
        if choice == _0:
            choice = reach & ~((mine | theirs) >> _UP)
        if choice == _0:
            choice = reach & ~(theirs >> _UP)
        stones |= lowest(choice if choice != _0 else reach)
    return 0


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """Open lines, threats, who would win by waiting, blocks, stones by cell, and the move."""
    own, other = position[0], position[1]
    stones = own | other
    side = popcount(stones) % 2
    count, mine_gaps, their_gaps = 0, _0, _0
    for i in range(len(_LINES)):
        mine, theirs = popcount(own & _LINES[i]), popcount(other & _LINES[i])
        if (mine == 0) == (theirs == 0) or mine + theirs == 4:
            continue
        index[count] = 6 * _KINDS[i] + 3 * (side if mine > 0 else 1 - side) + mine + theirs - 1
        value[count] = 1 if mine > 0 else -1
        count += 1
        if mine == 3:
            mine_gaps |= _LINES[i] & ~stones
        elif theirs == 3:
            their_gaps |= _LINES[i] & ~stones
    # Who profits from a threat hangs on who will have to fill the cell below it.
    reach = (stones + BOTTOM) & ~stones
    for turn in range(2):
        gaps, against = (mine_gaps, their_gaps) if turn == 0 else (their_gaps, mine_gaps)
        owner, sign = (side, 1) if turn == 0 else (1 - side, -1)
        left = gaps
        while left != _0:
            index[count] = _THREAT + ROWS * owner + scan(left) % 7
            value[count] = sign
            count += 1
            left ^= lowest(left)
        for kind in range(3):
            found = gaps & (gaps << _UP if kind == 0 else against << _UP if kind == 1 else reach)
            if found != _0:
                index[count] = _COLUMN + kind
                value[count] = sign * popcount(found)
                count += 1
    won = wait(stones, mine_gaps, their_gaps) if side == 0 else wait(stones, their_gaps, mine_gaps)
    if won != 0:
        length = (abs(won) - popcount(stones)) // WAIT_STEP
        index[count] = _WAIT + (0 if won > 0 else WAITS) + min(length, WAITS - 1)
        value[count] = 1 if (won > 0) == (side == 0) else -1
        count += 1
    first = own if side == 0 else other
    for column in range(PLACES):
        for row in range(HEIGHTS):
            place = block(stones, first, column, row)
            if place >= 0:
                index[count] = _BLOCK + place
                value[count] = 1 if side == 0 else -1
                count += 1
    while stones != _0:
        cell = scan(stones)
        index[count] = _CELL + ROWS * min(cell // 7, 6 - cell // 7) + cell % 7
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


# ── Weights ─────────────────────────────────────────────────────────────────────────────────────


def starting() -> npt.NDArray[np.int32]:
    """Set by hand: a cell by the lines through it, X's threats on odd rows and O's on even ones, a won wait."""
    weights = np.zeros((2, SIZE), dtype=np.int32)
    for column, line in enumerate(([2, 10, 0], [0, 5, 0])):
        weights[column, :_THREAT] = line * (2 * len(KINDS))
    weights[:, _THREAT:_COLUMN] = [40, 20, 60, 20, 50, 20, 20, 50, 20, 45, 20, 40]
    weights[:, _COLUMN:_WAIT] = [[60, -20, 0], [120, -20, 0]]
    weights[:, _WAIT:_CELL] = 300
    weights[0, _CELL:_BLOCK] = [
        sum((column, row) in line for line in LINES) for column in range(4) for row in range(ROWS)
    ]
    weights[:, _MOVE] = [10, 5]
    return weights


def evaluation() -> Evaluation:
    """Two columns that blend with the number of stones."""
    blend = tuple((0, 1, stones) for stones in range(CELLS + 1))
    return Evaluation(FEATURES, ("opening", "ending"), blend, CELLS, starting)
