"""The shogi board as numbers: squares, pieces, the words of a position, and where pieces reach.

A square is 9·file + rank, counted from 0: 1a (１一, the upper right corner) is 0, 1b is 1, 2a is 9, 9i is 80. A set
of squares is two words: *low* has files 1 to 7 (63 bits), *high* files 8 and 9 (18 bits), so that no file is cut in two
and a step along a file is a shift by one.

Black (sente, 0) moves towards rank a, white (gote, 1) towards rank i.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BLACK, WHITE = 0, 1
SQUARES = 81
SPLIT = 63  # the first square of the high word
LOW_MASK, HIGH_MASK = (1 << 63) - 1, (1 << 18) - 1

# ── Pieces: a kind, plus 16 for white. Promoting adds 8. ──

EMPTY = 0
PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
TOKIN, PROMOTED_LANCE, PROMOTED_KNIGHT, PROMOTED_SILVER, HORSE, DRAGON = range(9, 15)
PROMOTED = 8
WHITE_PIECE = 16
KINDS = tuple(range(1, 15))
HAND_KINDS = (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD)
GOLD_LIKE = (GOLD, TOKIN, PROMOTED_LANCE, PROMOTED_KNIGHT, PROMOTED_SILVER)
SET = {PAWN: 18, LANCE: 4, KNIGHT: 4, SILVER: 4, BISHOP: 2, ROOK: 2, GOLD: 4, KING: 2}

NAMES = {
    PAWN: "pawn", LANCE: "lance", KNIGHT: "knight", SILVER: "silver", BISHOP: "bishop", ROOK: "rook", GOLD: "gold",
    KING: "king", TOKIN: "tokin", PROMOTED_LANCE: "promoted lance", PROMOTED_KNIGHT: "promoted knight",
    PROMOTED_SILVER: "promoted silver", HORSE: "horse", DRAGON: "dragon",
}  # fmt: skip

# ── Words of a position ──

MAILBOX = 0  # eleven words, a byte a square
COLOURS = 11  # two words for black's pieces, two for white's
CLASSES = 15  # two words each: pawns, lances, bishops and horses, rooks and dragons, all others
PAWNS, LANCES, BISHOPS, ROOKS, OTHERS = (CLASSES + 2 * number for number in range(5))
HANDS = 25  # black's in the lower half, white's in the upper half
STATE = 26  # side in bit 0, black's king from bit 8, white's from bit 16, the number of the move from bit 32
BOARD_KEY = 27
WORDS = 28
HIGHEST_NUMBER = 100_000  # of a move; real games end long before

# The classes by kind; whatever is not here belongs to the last.
CLASS_OF = {PAWN: 0, LANCE: 1, BISHOP: 2, HORSE: 2, ROOK: 3, DRAGON: 3}
# Seeds of the words that a board's key is made of: one a piece and square, one for white to move.
KEY_SEED, WHITE_KEY_SEED = 0x5061, 0x50610

# Where the count of each kind begins in a hand, and how many bits it has.
HAND_SHIFT = {PAWN: 0, LANCE: 5, KNIGHT: 8, SILVER: 11, BISHOP: 14, ROOK: 17, GOLD: 20}
HAND_BITS = {kind: 5 if kind == PAWN else 3 for kind in HAND_KINDS}

# ── Directions: a step of files and ranks. The first four go to higher squares, the others back. ──

DOWN, LEFT, LEFT_DOWN, LEFT_UP, UP, RIGHT, RIGHT_UP, RIGHT_DOWN = range(8)
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))
STRAIGHT = (DOWN, LEFT, UP, RIGHT)
DIAGONAL = (LEFT_DOWN, LEFT_UP, RIGHT_UP, RIGHT_DOWN)
NO_DIRECTION = 8

_GOLD_STEPS = (LEFT_UP, UP, RIGHT_UP, LEFT, RIGHT, DOWN)
# The single steps of black's pieces; the knight and the slides stand apart.
_SINGLE: dict[int, tuple[int, ...]] = {
    PAWN: (UP,),
    SILVER: (LEFT_UP, UP, RIGHT_UP, LEFT_DOWN, RIGHT_DOWN),
    KING: tuple(range(8)),
    HORSE: STRAIGHT,
    DRAGON: DIAGONAL,
    **dict.fromkeys(GOLD_LIKE, _GOLD_STEPS),
}
SLIDES: dict[int, tuple[int, ...]] = {LANCE: (UP,), BISHOP: DIAGONAL, HORSE: DIAGONAL, ROOK: STRAIGHT, DRAGON: STRAIGHT}

Table = npt.NDArray[np.uint64]


def square_at(file: int, rank: int) -> int:
    """The square of a file and a rank counted from 0, or -1 off the board."""
    return 9 * file + rank if 0 <= file < 9 and 0 <= rank < 9 else -1


def halves(squares: int) -> tuple[int, int]:
    """A set of squares, bit by square, as its low and its high word."""
    return squares & LOW_MASK, squares >> SPLIT


def joined(low: int, high: int) -> int:
    """The set of squares that two words are."""
    return int(low) | int(high) << SPLIT


def ray(square: int, direction: int) -> int:
    """All squares from a square on in a direction, without itself."""
    file, rank = divmod(square, 9)
    across, along = STEPS[direction]
    found = 0
    while (square := square_at(file := file + across, rank := rank + along)) >= 0:
        found |= 1 << square
    return found


def steps(piece: int, square: int) -> int:
    """The squares that a piece reaches in one step or jump; slides are not among them."""
    kind, turn = piece & 15, -1 if piece & WHITE_PIECE else 1
    file, rank = divmod(square, 9)
    ways = [STEPS[direction] for direction in _SINGLE.get(kind, ())]
    if kind == KNIGHT:
        ways = [(1, -2), (-1, -2)]
    reached = (square_at(file + turn * across, rank + turn * along) for across, along in ways)
    return sum(1 << target for target in reached if target >= 0)


def words_of(sets: list[int]) -> Table:
    """Sets of squares as rows of two words."""
    return np.array([halves(squares) for squares in sets], dtype=np.uint64)


def step_table() -> Table:
    """[piece, square] → two words: the single steps."""
    return words_of([steps(piece, square) for piece in range(32) for square in range(SQUARES)])


def ray_table() -> Table:
    """[square, direction] → two words: the ray."""
    return words_of([ray(square, direction) for square in range(SQUARES) for direction in range(8)])


def cross_table() -> Table:
    """[square] → eight words: straight lines, diagonals, the file upwards, the file downwards."""
    sets = []
    for square in range(SQUARES):
        rays = [ray(square, direction) for direction in range(8)]
        sets += [sum(rays[d] for d in STRAIGHT), sum(rays[d] for d in DIAGONAL), rays[UP], rays[DOWN]]
    return words_of(sets)


def near_table() -> Table:
    """[side, square] → two words: from where a single step or a knight of the enemy may reach a square of that side."""
    sets = []
    for side in (BLACK, WHITE):
        for square in range(SQUARES):
            own = side * WHITE_PIECE
            sets.append(steps(KING, square) | steps(own | KNIGHT, square))
    return words_of(sets)


def direction_table() -> npt.NDArray[np.int8]:
    """[square, square] → the direction from the first to the second, or NO_DIRECTION."""
    table = np.full((SQUARES, SQUARES), NO_DIRECTION, dtype=np.int8)
    for square in range(SQUARES):
        for direction in range(8):
            reached = ray(square, direction)
            for target in range(SQUARES):
                if reached >> target & 1:
                    table[square, target] = direction
    return table


def between_table() -> Table:
    """[square, square] → two words: what lies strictly between them on a line."""
    directions = direction_table()
    sets = []
    for square in range(SQUARES):
        rays = [ray(square, direction) for direction in range(8)]
        for target in range(SQUARES):
            direction = int(directions[square, target])
            sets.append(0 if direction == NO_DIRECTION else rays[direction] & ~ray(target, direction) & ~(1 << target))
    return words_of(sets)


def ranks_of(side: int, first: int, last: int) -> int:
    """The squares of the ranks ``first`` to ``last``, counted from 0 at the far end as ``side`` sees the board."""
    ranks = range(first, last + 1) if side == BLACK else range(8 - last, 9 - first)
    return sum(1 << 9 * file + rank for file in range(9) for rank in ranks)
