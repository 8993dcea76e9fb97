"""Shogi's evaluation: what the mover has more of than the enemy, for the middle game and for the endgame.

``layout.py`` names every weight, ``handset.py`` sets them by hand. Both sides are counted by the same code, as their
owner sees the board, and the difference is taken: exchanging the colours changes nothing for the mover.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import (
    Indices,
    Integers,
    Values,
    Words,
    at,
    driver,
    helper,
    lowest,
    pointer,
    popcount,
    scan,
    scratch,
    table,
)
from evalsmith.games.contract import contract
from evalsmith.games.emitting import blend, emit, side_by_side
from evalsmith.games.evaluation import Evaluation
from evalsmith.games.game import Position
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.evaluation.drops import hand_terms, pair_terms
from evalsmith.games.shogi.evaluation.influence import MAPS, ONCE, TWICE, piece_terms, victim_places
from evalsmith.games.shogi.evaluation.safety import castle_terms, king_terms
from evalsmith.games.shogi.hands import in_hand
from evalsmith.games.shogi.handset import starting
from evalsmith.games.shogi.layout import AMOUNT_SIZE, FEATURES, STARTS
from evalsmith.games.shogi.movegen.attacks import piece_at, turn_of
from evalsmith.games.shogi.movegen.pawns import BOTTOM_HIGH, BOTTOM_LOW, ahead, open_files
from evalsmith.games.shogi.movegen.pawns import side_by_side as pawns_side_by_side
from evalsmith.games.shogi.squares import BLACK, COLOURS, GOLD, KING, LANCE, PAWNS, SPLIT, WHITE, ranks_of, words_of

# The phase goes from 0, nothing exchanged, to PHASES - 1: pieces in hand count twice, those in the enemy's camp once.
PHASES = 33

_0, _9 = np.uint64(0), np.uint64(9)
_DEFENDED = STARTS["defended piece"]
_HANGING = STARTS["attacked and undefended piece"]
_BY_PAWN = STARTS["piece attacked by a pawn"]
_CONTROL = STARTS["square attacked"]
_CONTROL_TWICE = STARTS["square attacked twice"]
_OPEN_FILES = STARTS["files open for a pawn"]
_PAIRS = STARTS["pawns side by side"]
_LOOSE_PAWNS = STARTS["undefended pawns"]
_FAR_PAWNS = STARTS["defended pawns beyond the middle"]
_TEMPO = STARTS["tempo"]

# By side, two words each: its own camp, the middle, the enemy's camp, and all beyond the middle rank.
_regions = table(
    "shogi.regions",
    words_of([ranks_of(side, a, b) for side in (BLACK, WHITE) for a, b in ((6, 8), (3, 5), (0, 2), (0, 3))]),
)
_ENEMY_CAMP, _BEYOND = 4, 6

_tally = scratch("integers", AMOUNT_SIZE)
_maps = scratch("words", 2 * MAPS)
_attackers = scratch("integers", 2)
_value = scratch("values", 1)  # never written by the fused sum


@helper("void(words, int64, int64, words, integers)", inline=True)
def _coordination(position: Words, side: int, sign: int, maps: Words, tally: Integers) -> None:
    """Pieces that guard each other, pieces in danger, and squares that several work on."""
    foe = 1 - side
    own, enemies = at(position, COLOURS + 2 * side), at(position, COLOURS + 2 * foe)
    mine, theirs = at(maps, MAPS * side), at(maps, MAPS * foe)
    regions = at(_regions(), 8 * side)
    for half in range(2):
        for region in range(3):
            squares = regions[2 * region + half]
            tally[_CONTROL + region] += sign * popcount(mine[ONCE + half] & squares)
            tally[_CONTROL_TWICE + region] += sign * popcount(mine[TWICE + half] & squares)
        by_pawn = ahead(foe, position[PAWNS + half] & enemies[half])
        left = own[half]
        while left != _0:
            bit = lowest(left)
            left ^= bit
            kind = piece_at(position, SPLIT * half + scan(bit)) & 15
            if kind == KING:
                continue
            place = victim_places()[kind]
            if mine[ONCE + half] & bit != _0:
                tally[_DEFENDED + place] += sign
            elif theirs[ONCE + half] & bit != _0:
                tally[_HANGING + place] += sign
            if by_pawn & bit != _0:
                tally[_BY_PAWN + place] += sign


@helper("int64(words, int64, int64, words, int64, indices, values, int64)", inline=True)
def _pawn_terms(
    position: Words, side: int, sign: int, maps: Words, fused: int, index: Indices, value: Values, count: int
) -> int:
    """The counts of a side's pawns."""
    own, mine = at(position, COLOURS + 2 * side), at(maps, MAPS * side)
    beyond = at(_regions(), 8 * side + _BEYOND)
    low, high = position[PAWNS] & own[0], position[PAWNS + 1] & own[1]
    free = popcount(open_files(low, BOTTOM_LOW)) + popcount(open_files(high, BOTTOM_HIGH))
    loose = popcount(low & ~mine[ONCE]) + popcount(high & ~mine[ONCE + 1])
    far = popcount(low & mine[ONCE] & beyond[0]) + popcount(high & mine[ONCE + 1] & beyond[1])
    count = emit(fused, index, value, count, _OPEN_FILES + free // 9, sign)
    count = emit(fused, index, value, count, _PAIRS + pawns_side_by_side(low, high), sign)
    count = emit(fused, index, value, count, _LOOSE_PAWNS + loose, sign)
    return emit(fused, index, value, count, _FAR_PAWNS + far, sign)


@helper("int64(words, int64, int64, integers, int64, indices, values)", inline=True)
def _gather(position: Words, black: int, white: int, tally: Integers, fused: int, index: Indices, value: Values) -> int:
    """Squares and counts as they are met, and the tally of amounts; a side counts times its sign."""
    maps, attackers = _maps(), _attackers()
    for place in range(AMOUNT_SIZE):
        tally[place] = 0
    for place in range(2 * MAPS):
        maps[place] = _0
    attackers[0], attackers[1] = 0, 0
    count = 0
    for side in range(2):
        sign = black if side == BLACK else white
        count = piece_terms(position, side, sign, maps, attackers, tally, fused, index, value, count)
    for side in range(2):
        sign = black if side == BLACK else white
        count = king_terms(position, side, sign, maps, attackers, fused, index, value, count)
        count = castle_terms(position, side, sign, fused, index, value, count)
        count = _pawn_terms(position, side, sign, maps, fused, index, value, count)
        count = hand_terms(position, side, sign, maps, tally, fused, index, value, count)
        count = pair_terms(position, side, sign, fused, index, value, count)
        _coordination(position, side, sign, maps, tally)
    return count


@helper("int64(words, int64, indices, values)", inline=True)
def _all_terms(position: Words, fused: int, index: Indices, value: Values) -> int:
    """Squares and counts as they are met, then the amounts that differ, then the tempo."""
    tally = _tally()
    sign = 1 if turn_of(position) == BLACK else -1
    count = _gather(position, sign, -sign, tally, fused, index, value)
    for place in range(AMOUNT_SIZE):
        if tally[place] != 0:
            count = emit(fused, index, value, count, place, tally[place])
    return emit(fused, index, value, count, _TEMPO, 1)


@helper("int64(words)", inline=True)
def _progress(position: Words) -> int:
    """How far the battle has gone: pieces in hand, pawns apart, and pieces in the other's camp."""
    progress = 0
    for side in range(2):
        own, camp = at(position, COLOURS + 2 * side), at(_regions(), 8 * side + _ENEMY_CAMP)
        progress += popcount(own[0] & camp[0]) + popcount(own[1] & camp[1])
        for kind in range(LANCE, GOLD + 1):
            progress += 2 * in_hand(position, side, kind)
    return min(progress, PHASES - 1)


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """All terms of a position."""
    return _all_terms(position, 0, index, value)


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from weights whose two columns lie side by side; blended once, at the end."""
    return blend(_all_terms(position, 1, weights, _value()), _progress(position), PHASES - 1)


@driver("void(uint64[::1], int64, int64[::1], int32[::1], int16[::1])")
def _tally_side(position: Words, side: int, tally: Integers, index: Indices, value: Values) -> None:
    """The amounts of one side alone."""
    of_black = 1 if side == BLACK else 0
    _gather(pointer(position), of_black, 1 - of_black, pointer(tally), 0, pointer(index), pointer(value))


def amounts(position: Position, side: int) -> dict[int, int]:
    """What a side has of each amount, where its terms have only the difference."""
    tally = np.zeros(AMOUNT_SIZE, dtype=np.int64)
    _tally_side(
        position, side, tally, np.zeros(GAME.max_terms, dtype=np.int32), np.zeros(GAME.max_terms, dtype=np.int16)
    )
    return dict(enumerate(tally.tolist()))


@contract
def phase(position: Words) -> int:
    """How far the battle has gone."""
    return _progress(position)


def evaluation() -> Evaluation:
    """Two columns, blended by the phase."""
    return Evaluation(
        features=FEATURES,
        columns=("middle game", "endgame"),
        blend=tuple((0, 1, phase) for phase in range(PHASES)),
        scale=PHASES - 1,
        starting=starting,
        engine=side_by_side,
        amounts=amounts,
    )
