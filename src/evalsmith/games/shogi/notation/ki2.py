"""Shogi moves as KI2 writes them, by words: which piece is meant by ``５八金右``, found on the board by compiled code.

The words are those of KI2: right, left and straight up as the mover sees it (``右 左 直``), and forwards, sideways and
back (``上 寄 引``). A piece in hand is meant only where no piece of the board can go there, unless 打 says so. Some
writers leave out a motion that the place does not replace: then that move is meant of which KI2 would say as much.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Words, driver, helper, int64, lowest, pointer, scan, scratch, table
from evalsmith.games.contract import play_into
from evalsmith.games.game import Position
from evalsmith.games.shogi.board import kind_moved, side_of
from evalsmith.games.shogi.movegen.attacks import piece_at, turn_of
from evalsmith.games.shogi.movegen.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.movegen.legality import in_check
from evalsmith.games.shogi.movegen.plausible import plausible
from evalsmith.games.shogi.notation.claims import BACK, BEFORE, BESIDE, LEFT, MOTION, RIGHT, STRAIGHT, UP, WORD
from evalsmith.games.shogi.notation.kif import MARKS, PIECES, target_name
from evalsmith.games.shogi.squares import (
    BISHOP,
    BLACK,
    CLASS_OF,
    CLASSES,
    COLOURS,
    DRAGON,
    GOLD,
    GOLD_LIKE,
    HORSE,
    ROOK,
    SILVER,
    SPLIT,
    WHITE_PIECE,
)

_0 = np.uint64(0)
_MAX_PIECES = 40  # pieces
_PLACES, _MOTIONS = ("", "左", "右", "直"), ("", "上", "寄", "引")  # by LEFT … and UP …
_classes = table(
    "shogi.ki2_classes", np.array([CLASSES + 2 * CLASS_OF.get(kind, 4) for kind in range(16)], dtype=np.int64)
)
_upright = table(
    "shogi.ki2_upright", np.array([kind == SILVER or kind in GOLD_LIKE for kind in range(16)], dtype=np.int64)
)
_rivals, _left = scratch("integers", _MAX_PIECES), scratch("integers", _MAX_PIECES)


@helper("int64(int64, int64, int64)", inline=True)
def _motion(side: int, origin: int, target: int) -> int:
    ahead = origin % 9 - target % 9 if side == BLACK else target % 9 - origin % 9
    return UP if ahead > 0 else BACK if ahead < 0 else BESIDE


@helper("int64(int64, int64, int64)", inline=True)
def _leftness(side: int, origin: int, target: int) -> int:
    """How many files a piece stands to the left of its target, as its side sees it."""
    return origin // 9 - target // 9 if side == BLACK else target // 9 - origin // 9


@helper("int64(int64)", inline=True)
def _is_long(kind: int) -> int:
    return 1 if kind in (BISHOP, ROOK, HORSE, DRAGON) else 0


@helper("int64(words, int64, int64, int64, integers)")
def _reaching(position: Words, side: int, kind: int, target: int, out: Integers) -> int:
    """The squares from which pieces of a kind may go to a target, the king's safety aside."""
    count = 0
    for half in range(2):
        left = position[_classes()[kind] + half] & position[COLOURS + 2 * side + half]
        while left != _0:
            origin = SPLIT * half + scan(left)
            left ^= lowest(left)
            if piece_at(position, origin) == kind + WHITE_PIECE * side:
                move = target + ORIGIN * origin
                if plausible(position, side, move) != 0 or plausible(position, side, move + PROMOTE) != 0:
                    out[count] = origin
                    count += 1
    return count


@helper("int64(int64, int64, int64, int64, int64, integers, int64)")
def _apply(side: int, kind: int, target: int, place: int, motion: int, origins: Integers, count: int) -> int:
    """Keep the origins that the words fit; how many are left."""
    fitting = 0
    for number in range(count):
        if motion == 0 or _motion(side, origins[number], target) == motion:
            origins[fitting] = origins[number]
            fitting += 1
    if place == 0:
        return fitting
    count, leftmost, beside = fitting, -9, 0
    sign = -1 if place == RIGHT else 1
    for number in range(count):
        leftness = sign * _leftness(side, origins[number], target)
        leftmost = max(leftmost, leftness)
        beside += 1 if leftness > 0 else 0
    fitting = 0
    for number in range(count):
        leftness = sign * _leftness(side, origins[number], target)
        if place == STRAIGHT:
            fits = leftness == 0 and _motion(side, origins[number], target) == UP
        elif beside > 0 and _is_long(kind) == 0:
            fits = leftness > 0
        else:
            fits = leftness == leftmost
        if fits:
            origins[fitting] = origins[number]
            fitting += 1
    return fitting


@helper("int64(int64, int64, int64, int64, integers, int64)")
def _distinction(side: int, kind: int, origin: int, target: int, rivals: Integers, count: int) -> int:
    """The words that tell a piece from its rivals: its place, plus four times its motion."""
    if count == 1:
        return 0
    motion, left = _motion(side, origin, target), _leftness(side, origin, target)
    alike, leftmost, beside = 0, -9, 0
    for number in range(count):
        leftness = _leftness(side, rivals[number], target)
        if _motion(side, rivals[number], target) == motion:
            alike += 1
            leftmost = max(leftmost, leftness)
        beside += 1 if leftness * left > 0 else 0
    if alike == 1:
        return 4 * motion
    if _is_long(kind) != 0:
        return LEFT if left == leftmost else RIGHT
    if left == 0 and _upright()[kind] != 0:
        return STRAIGHT
    place = LEFT if left > 0 else RIGHT
    return place if beside == 1 else place + 4 * motion


@helper("int64(integers, words, int64, int64, words)")
def worded(rules: Integers, position: Words, side: int, claim: int, next_row: Words) -> int:
    """The move that is meant; -1 where none is, -n where n are. ``next_row`` is a row to work in."""
    kind, target, promotes = (claim >> BEFORE) & 15, claim & 127, claim & PROMOTE
    place, motion = (claim >> WORD) & 3, (claim >> MOTION) & 3
    rivals, origins = _rivals(), _left()
    reaching = _reaching(position, side, kind, target, rivals)
    drop = target + ORIGIN * (DROP + kind)
    droppable = kind <= GOLD and plausible(position, side, drop) != 0
    count = 0
    for number in range(reaching):
        safe = reaching == 1 and not droppable
        if not safe:
            play_into(rules, position, target + ORIGIN * rivals[number], next_row)
            safe = in_check(next_row, side) == 0
        if safe:
            origins[count] = rivals[number]
            count += 1
    if count == 0:
        return drop if droppable and promotes == 0 else -1
    count = _apply(side, kind, target, place, motion, origins, count)
    found, meant = 0, int64(-1)
    for number in range(count):
        move = target + ORIGIN * origins[number] + promotes
        if plausible(position, side, move) != 0:
            found, meant = found + 1, move
    if found < 2:
        return meant
    if place + motion == 0:
        return -found
    many = found
    found, meant = 0, int64(-1)
    for number in range(count):
        move = target + ORIGIN * origins[number] + promotes
        said = _distinction(side, kind, origins[number], target, rivals, reaching)
        as_much = (place == 0 or place == said & 3) and (motion == 0 or motion == said >> 2)
        if as_much and plausible(position, side, move) != 0:
            found, meant = found + 1, move
    return meant if found == 1 else -max(many, found)


@driver("int64(uint64[::1], int64)")
def _words_for(position: Words, move: int) -> int:
    """What tells a move from others of its kind: its place, four times its motion, and 16 times its rivals."""
    row, rivals = pointer(position), _rivals()
    side, target, origin = turn_of(row), move & 127, (move >> 7) & 127
    kind = origin - DROP if origin > DROP else piece_at(row, origin) & 15
    count = _reaching(row, side, kind, target, rivals)
    words = int64(0) if origin > DROP else int64(_distinction(side, kind, origin, target, rivals, count))
    return words + 16 * count


def format_ki2(position: Position, move: int, last: int | None = None) -> str:
    """``▲７六歩``, ``△５八金右``, ``▲２三角不成``; 打 only where a move could be meant."""
    target, origin, side = move & 127, move >> 7 & 127, side_of(position)
    kind, words = kind_moved(position, move), int(_words_for(position, move))
    text = f"{MARKS[side]}{target_name(target, last)}{PIECES[kind]}"
    if origin > DROP:
        return text + ("打" if words >> 4 else "")
    text += _PLACES[words & 3] + _MOTIONS[words >> 2 & 3]
    if move & PROMOTE:
        return text + "成"
    ranks = [square % 9 if side == BLACK else 8 - square % 9 for square in (origin, target)]
    return text + ("不成" if min(ranks) < 3 and kind <= ROOK else "")
