"""The layout of shogi's weights: which features there are, where each begins, and what every index is called.

*Amounts* come first: their value is how much the mover has more than the enemy, and they are gathered in one
row. *Counts* have a weight for every number of something, the mover's with value 1 and the enemy's with -1.
Everything is as the owner of the piece sees the board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evalsmith.games.evaluation import DIFFERENCE, EACH, MOVER, Feature, Overview
from evalsmith.games.shogi.board import square_name
from evalsmith.games.shogi.evaluation.castles import CASTLES
from evalsmith.games.shogi.squares import (
    BISHOP,
    DRAGON,
    GOLD,
    HAND_KINDS,
    HORSE,
    KINDS,
    KING,
    KNIGHT,
    LANCE,
    NAMES,
    ROOK,
    SET,
    SILVER,
)

# Kinds that can be won, so all but the king: where each stands in a block of thirteen.
VICTIMS = tuple(kind for kind in KINDS if kind != KING)
REGIONS = ("own camp", "middle", "enemy camp")
MOST_ATTACKERS = 12

# A bishop and a rook of one side, or what they become: both on the board, one in hand (the bishop, the rook), both.
LARGE_PAIRS = ("both on the board", "bishop in hand", "rook in hand", "both in hand")
BOTH_PLACED, ONE_HELD, BOTH_HELD = 0, 1, 3

# Mobility: the most squares each kind reaches. Promoted pawns, lances, knights and silvers move as golds do, but
# they are worth less when taken, so they count apart.
MOBILE = {LANCE: 8, KNIGHT: 2, SILVER: 5, GOLD: 6, BISHOP: 16, ROOK: 16, HORSE: 20, DRAGON: 20}
PROMOTED_REACH = 6


def _named(names: Sequence[str]) -> Callable[[int], str]:
    return lambda index: names[index]


def _amount(name: str, names: Sequence[str], group: str) -> Feature:
    return Feature(name, len(names), describe=_named(names), group=group, whose=DIFFERENCE)


def _count(name: str, highest: int, first: int = 0) -> Feature:
    return Feature(name, highest - first + 1, ordered=True, describe=lambda index: str(index + first), whose=EACH)


def _grouped(group: str, *features: Feature) -> tuple[Feature, ...]:
    return tuple(replace(feature, group=group) for feature in features)


def _board_map(weights: npt.NDArray[np.int32]) -> Overview:
    """The 81 squares as a diagram shows them: file 9 on the left, rank a on top."""
    caption = "What a piece is worth on each square besides its material, as its owner sees the board."
    matrix = weights.astype(np.float64).reshape(9, 9)[::-1].T
    return Overview(matrix, tuple("abcdefghi"), tuple("987654321"), caption)


_VICTIM_NAMES = [NAMES[kind] for kind in VICTIMS]
_HAND_NAMES = [NAMES[kind] for kind in HAND_KINDS]
_KIND_NAMES = [NAMES[kind] for kind in KINDS]

AMOUNTS = (
    _amount("material", _VICTIM_NAMES, "material"),
    _amount("defended piece", _VICTIM_NAMES, "coordination"),
    _amount("attacked and undefended piece", _VICTIM_NAMES, "coordination"),
    _amount("piece attacked by a pawn", _VICTIM_NAMES, "coordination"),
    _amount("square at the enemy's king attacked", _KIND_NAMES, "king safety"),
    _amount("square attacked", REGIONS, "coordination"),
    _amount("square attacked twice", REGIONS, "coordination"),
    _amount("safe check by drop", _HAND_NAMES, "drops"),
    _amount("hole in the enemy camp for drop", _HAND_NAMES, "drops"),
    _amount("pawn drop before", _VICTIM_NAMES, "drops"),
)
COUNTS = (
    *_grouped("pieces in hand", *(_count(f"{NAMES[kind]} in hand", SET[kind], 1) for kind in HAND_KINDS)),
    *_grouped(
        "mobility",
        *(_count(f"{NAMES[kind]} mobility", reach) for kind, reach in MOBILE.items()),
        _count("promoted piece mobility", PROMOTED_REACH),
    ),
    *_grouped(
        "king safety",
        _count("attackers near the king", MOST_ATTACKERS),
        _count("guards beside the king", 8),
        _count("escape squares of the king", 8),
        _count("unguarded squares beside the king", 8),
    ),
    *_grouped(
        "pawns",
        _count("files open for a pawn", 9),
        _count("pawns side by side", 8),
        _count("undefended pawns", 9),
        _count("defended pawns beyond the middle", 9),
    ),
    *_grouped("castles", *(_count(castle.name, castle.grades, 1) for castle in CASTLES)),
    *_grouped("coordination", Feature("bishop and rook", len(LARGE_PAIRS), describe=_named(LARGE_PAIRS), whose=EACH)),
)
PIECE_SQUARES = tuple(
    Feature(
        f"{NAMES[kind]} on square",
        81,
        describe=lambda square: square_name(square),
        overview=_board_map,
        group="piece squares",
        whose=EACH,
        on_board=lambda square, side: square_name(80 - square if side else square),
    )
    for kind in KINDS
)
TEMPO = Feature("tempo", 1, describe=lambda _: "the move", whose=MOVER)

FEATURES = (*AMOUNTS, *COUNTS, *PIECE_SQUARES, TEMPO)
STARTS: dict[str, int] = {}
for _feature in FEATURES:
    STARTS[_feature.name] = sum(feature.size for feature in FEATURES[: len(STARTS)])
SIZE = sum(feature.size for feature in FEATURES)
AMOUNT_SIZE = sum(feature.size for feature in AMOUNTS)
