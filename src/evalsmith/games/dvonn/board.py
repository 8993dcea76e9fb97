"""The board of DVONN: its 49 fields, the straight lines between them, and its symmetries.

A field has a column (A is 0) and a row (1 is 0), a *number* 0–48 in the order of the state string, and a *bit* in
a bitboard: 12 bits a row, of which at least the last is never a field. So a step to a neighbour is a shift by 1, 12
or 13 either way, and a shift never carries a field into another row.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

WIDTH = 12
ROWS = ((0, 8), (0, 9), (0, 10), (1, 10), (2, 10))
"""The first and the last column of each row."""
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))
FARTHEST = 10  # the middle row has 11 fields, so a stack higher than this never moves

Place = tuple[int, int]

PLACES: tuple[Place, ...] = tuple(
    (column, row) for row, (first, last) in enumerate(ROWS) for column in range(first, last + 1)
)
FIELDS = len(PLACES)
BITS = tuple(WIDTH * row + column for column, row in PLACES)
NUMBERS = {bit: number for number, bit in enumerate(BITS)}
NAMES = tuple(f"{'ABCDEFGHIJK'[column]}{row + 1}" for column, row in PLACES)
BOARD = sum(1 << bit for bit in BITS)

_numbers = {place: number for number, place in enumerate(PLACES)}
_by_name = {name: number for number, name in enumerate(NAMES)}


def field_number(name: str) -> int | None:
    """The number of a field by its name in either case, or None."""
    return _by_name.get(name.upper())


def distance(first: int, second: int) -> int:
    """How many steps lie between two fields, given by number."""
    (a, b), (c, d) = PLACES[first], PLACES[second]
    return max(abs(a - c), abs(b - d), abs((a - c) - (b - d)))


def straight(first: int, second: int) -> bool:
    """Whether two different fields lie on one line."""
    (a, b), (c, d) = PLACES[first], PLACES[second]
    return first != second and (a == c or b == d or a - c == b - d)


def neighbours(number: int) -> list[int]:
    """The fields beside a field."""
    return targets(number, 1)


def targets(number: int, height: int) -> list[int]:
    """The fields exactly ``height`` steps away in a straight line."""
    column, row = PLACES[number]
    reached = ((column + dx * height, row + dy * height) for dx, dy in DIRECTIONS)
    return sorted(_numbers[place] for place in reached if place in _numbers)


def target_bits() -> npt.NDArray[np.uint64]:
    """The bitboard of ``targets`` at 64·height + bit, for heights below 16."""
    out = np.zeros(16 * 64, dtype=np.uint64)
    for height in range(1, 16):
        for number, bit in enumerate(BITS):
            out[64 * height + bit] = sum(1 << BITS[target] for target in targets(number, height))
    return out


def line_slots() -> npt.NDArray[np.int64]:
    """A dense number for each pair of fields on one line, at 64·from + to (bits); −1 elsewhere."""
    out = np.full(64 * 64, -1, dtype=np.int64)
    pairs = [(a, b) for a in range(FIELDS) for b in range(FIELDS) if straight(a, b)]
    for slot, (a, b) in enumerate(pairs):
        out[64 * BITS[a] + BITS[b]] = slot
    return out


def bit_distances() -> npt.NDArray[np.int64]:
    """The distance between two fields at 64·first + second (bits)."""
    out = np.zeros(64 * 64, dtype=np.int64)
    for a in range(FIELDS):
        for b in range(FIELDS):
            out[64 * BITS[a] + BITS[b]] = distance(a, b)
    return out


def bit_numbers() -> npt.NDArray[np.int64]:
    """The number of the field at each bit; −1 where there is none."""
    out = np.full(64, -1, dtype=np.int64)
    out[list(BITS)] = np.arange(FIELDS)
    return out


def fields_with(neighbour_count: int) -> int:
    """The bitboard of the fields that have so many neighbours: 6 inside, 4 on a side, 3 in a corner."""
    return sum(1 << BITS[number] for number in range(FIELDS) if len(neighbours(number)) == neighbour_count)


# Where each field goes under the symmetries of the board other than the identity. Each keeps the set of the
# six directions, so lines and distances stay what they are.
SYMMETRIES: dict[str, tuple[int, ...]] = {
    "half turn": tuple(_numbers[10 - column, 4 - row] for column, row in PLACES),
    "mirror left and right": tuple(_numbers[8 - column + row, row] for column, row in PLACES),
    "mirror top and bottom": tuple(_numbers[2 + column - row, 4 - row] for column, row in PLACES),
}
