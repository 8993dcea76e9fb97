"""Othello, written to be believed: eight rows of eight cells, and lines walked one square at a time."""

from __future__ import annotations

import functools
import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import product

FILES = "abcdefgh"
BLACK, WHITE, EMPTY = "X", "O", "-"
STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
SQUARES = [(row, column) for row in range(8) for column in range(8)]


def name_of(row: int, column: int) -> str:
    return f"{FILES[column]}{row + 1}"


def square_of(name: str) -> tuple[int, int]:
    return int(name[1]) - 1, FILES.index(name[0])


def inside(row: int, column: int) -> bool:
    return 0 <= row < 8 and 0 <= column < 8


def _usual_start() -> list[list[str]]:
    board = [[EMPTY] * 8 for _ in range(8)]
    board[3][3] = board[4][4] = WHITE
    board[3][4] = board[4][3] = BLACK
    return board


@dataclass
class Othello:
    """A game in progress; ``board[row][column]`` is X, O or -, row 0 is rank 1."""

    board: list[list[str]] = field(default_factory=_usual_start)
    mover: str = BLACK

    @property
    def enemy(self) -> str:
        return WHITE if self.mover == BLACK else BLACK

    def turned(self, row: int, column: int, side: str) -> list[tuple[int, int]]:
        """The discs that a disc of ``side`` on an empty square would turn."""
        if self.board[row][column] != EMPTY:
            return []
        found = []
        for down, right in STEPS:
            line = []
            r, c = row + down, column + right
            while inside(r, c) and self.board[r][c] not in (EMPTY, side):
                line.append((r, c))
                r, c = r + down, c + right
            if inside(r, c) and self.board[r][c] == side:
                found += line
        return found

    def placings(self, side: str) -> list[str]:
        """The squares where a side may place a disc."""
        return [name_of(row, column) for row, column in SQUARES if self.turned(row, column, side)]

    def moves(self) -> list[str]:
        own = self.placings(self.mover)
        if own:
            return own
        return ["pass"] if self.placings(self.enemy) else []

    def play(self, move: str) -> Othello:
        board = [list(row) for row in self.board]
        if move != "pass":
            row, column = square_of(move)
            for r, c in [(row, column), *self.turned(row, column, self.mover)]:
                board[r][c] = self.mover
        return Othello(board, self.enemy)

    def count(self, cell: str) -> int:
        return sum(row.count(cell) for row in self.board)

    def margin(self) -> int:
        """The mover's discs more than the enemy's; the winner takes the empty squares."""
        margin = self.count(self.mover) - self.count(self.enemy)
        if margin > 0:
            return margin + self.count(EMPTY)
        return margin - self.count(EMPTY) if margin < 0 else 0

    def text(self) -> str:
        return "".join("".join(row) for row in self.board) + " " + self.mover

    # ── What the evaluation counts ──

    def potential(self, side: str) -> int:
        """Discs of a side beside an empty square, in a direction in which they are not on the board's edge."""
        found = set()
        for row, column in SQUARES:
            for down, right in STEPS:
                at_edge = (down != 0 and row in (0, 7)) or (right != 0 and column in (0, 7))
                if self.board[row][column] == side and not at_edge and self.board[row + down][column + right] == EMPTY:
                    found.add((row, column))
        return len(found)

    def instance(self, names: tuple[str, ...]) -> int:
        """A configuration as a base-3 number: 0 empty, 1 mover, 2 enemy, the first square least significant."""
        total = 0
        for exponent, name in enumerate(names):
            row, column = square_of(name)
            total += [EMPTY, self.mover, self.enemy].index(self.board[row][column]) * 3**exponent
        return total


def random_board(choose: random.Random) -> Othello:
    """Discs anywhere: no law but that a cell holds one."""
    weights = [choose.random() for _ in range(3)]
    return Othello([choose.choices("-XO", weights, k=8) for _ in range(8)], choose.choice("XO"))


# ── Patterns ──

BOARD_SYMMETRIES = [
    lambda r, c: (r, c),
    lambda r, c: (r, 7 - c),
    lambda r, c: (7 - r, c),
    lambda r, c: (7 - r, 7 - c),
    lambda r, c: (c, r),
    lambda r, c: (c, 7 - r),
    lambda r, c: (7 - c, r),
    lambda r, c: (7 - c, 7 - r),
]

PATTERNS = {
    "edge+2x": ["b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"],
    "corner3x3": ["a1 b1 c1 a2 b2 c2 a3 b3 c3"],
    "corner2x5": ["a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"],
    "corner2x4": ["a1 b1 c1 d1 a2 b2 c2 d2"],
    "triangle": ["a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"],
    "line8": [" ".join(file + rank for file in FILES) for rank in "1234"],
    "diagonal8": ["a1 b2 c3 d4 e5 f6 g7 h8"],
    "diagonal7": ["a2 b3 c4 d5 e6 f7 g8"],
    "diagonal6": ["a3 b4 c5 d6 e7 f8"],
    "diagonal5": ["a4 b5 c6 d7 e8"],
    "diagonal4": ["a5 b6 c7 d8"],
}


def turned_names(names: tuple[str, ...], symmetry: int) -> tuple[str, ...]:
    return tuple(name_of(*BOARD_SYMMETRIES[symmetry](*square_of(name))) for name in names)


@functools.cache
def places(pattern: str) -> list[tuple[str, ...]]:
    """Every place of a pattern on the board, each set of squares once."""
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for base, symmetry in product(PATTERNS[pattern], range(8)):
        place = turned_names(tuple(base.split()), symmetry)
        found.setdefault(frozenset(place), place)
    return list(found.values())


def own_symmetries(pattern: str) -> set[tuple[int, ...]]:
    """The ways in which symmetries of the board reorder the squares of a pattern."""
    base = tuple(PATTERNS[pattern][0].split())
    images = [turned_names(base, symmetry) for symmetry in range(8)]
    return {tuple(base.index(name) for name in image) for image in images if set(image) == set(base)}


def orids(pattern: str) -> list[int]:
    """The class of every instance under the pattern's own symmetries, numbered by first appearance."""
    length = len(PATTERNS[pattern][0].split())
    orders = own_symmetries(pattern)
    numbers: dict[int, int] = {}
    found = []
    for digits in product(range(3), repeat=length):
        digits = digits[::-1]  # the first square changes fastest
        least = min(sum(digits[order[k]] * 3**k for k in range(length)) for order in orders)
        found.append(numbers.setdefault(least, len(numbers)))
    return found


def features(game: Othello, table: dict[str, list[int]]) -> dict[str, Counter[int]]:
    """How often each weight of each feature counts; ``table`` holds the orids by pattern."""
    found = {
        pattern: Counter(orid_of[game.instance(place)] for place in places(pattern))
        for pattern, orid_of in table.items()
    }
    found["mobility"] = Counter([len(game.placings(game.mover))])
    found["enemy mobility"] = Counter([len(game.placings(game.enemy))])
    found["potential mobility"] = Counter([game.potential(game.mover)])
    found["enemy potential mobility"] = Counter([game.potential(game.enemy)])
    found["parity"] = Counter([game.count(EMPTY) % 2])
    return found
