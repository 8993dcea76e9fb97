"""The rules of shogi as the game contract asks for them.

The words of a position are described in ``squares.py``, moves in ``movegen/generate.py``. Who cannot move has lost; a
game that reaches LONGEST plies is drawn. Repetition is seen from the keys of the game; a declaration of the entered
king is not a move but a claim: ``declared`` judges it, ``referee.py`` says why.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Integers, Word, Words, at, driver, helper, int64, pointer, scratch, table
from evalsmith.games.contract import DRAW, FRESH, LOSS, OVER, PLAYER, WIN, contract
from evalsmith.games.keys import mix, zobrist
from evalsmith.games.shogi import entering, squares
from evalsmith.games.shogi.evaluation import values
from evalsmith.games.shogi.movegen.attacks import bit_rows, cross_rows, direction_of, king_of, piece_at, turn_of
from evalsmith.games.shogi.movegen.exchange import holds
from evalsmith.games.shogi.movegen.generate import ALL, DROP, NOISY, PROMOTE, generate
from evalsmith.games.shogi.movegen.legality import in_check
from evalsmith.games.shogi.movegen.pawns import ahead
from evalsmith.games.shogi.squares import (
    BOARD_KEY,
    CLASSES,
    COLOURS,
    HANDS,
    KING,
    PAWNS,
    PROMOTED,
    STATE,
    WHITE_PIECE,
    WORDS,
)

LONGEST = 512  # plies; the same as the game's max_plies
WON = 30000
MAX_MOVES = 600  # no position has more than 593

_0, _1, _8, _BYTE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(255)
_32 = np.uint64(32)
_PLY = np.uint64(1 << 32)
_HASH_SEED = np.uint64(0x5061)
_WHITE_KEY = np.uint64(zobrist(squares.WHITE_KEY_SEED, 1)[0])

_piece_keys = table("shogi.keys", zobrist(squares.KEY_SEED, 32, squares.SQUARES))
_class_words = table(
    "shogi.classes", np.array([CLASSES + 2 * squares.CLASS_OF.get(kind, 4) for kind in range(16)], dtype=np.int64)
)
_hand_units = table(
    "shogi.hands", np.array([1 << squares.HAND_SHIFT.get(kind, 63) for kind in range(8)], dtype=np.uint64)
)
_captures = table("shogi.captures", values.capture_values())
_promotions = table("shogi.promotions", values.promotion_values())
_board_values = table("shogi.values", values.board_values())

_buffer = scratch("integers", MAX_MOVES)


# ── Moves and play ──────────────────────────────────────────────────────────────────────────────


@contract
def moves(position: Words, out: Integers) -> int:
    """King moves, pawn moves, all others, drops."""
    return generate(position, out, ALL)


@contract
def noisy(position: Words, out: Integers) -> int:
    """Captures and promotions that win something; in check every move."""
    return generate(position, out, NOISY)


@driver("int64(uint64[::1], int64)")
def is_legal(position: Words, move: int) -> int:
    """Whether a number is a legal move, on an array: what reading a game asks for every move of it."""
    out = _buffer()
    count = generate(pointer(position), out, ALL)
    for place in range(count):
        if out[place] == move:
            return 1
    return 0


@helper("void(words, int64, int64)", inline=True)
def _toggle(position: Words, piece: int, square: int) -> None:
    """Put a piece onto the sets and the key, or take it off; the mailbox is the caller's."""
    low, high = bit_rows()[2 * square], bit_rows()[2 * square + 1]
    colour = COLOURS + 2 * (piece >> 4)
    position[colour] ^= low
    position[colour + 1] ^= high
    kinds = _class_words()[piece & 15]
    position[kinds] ^= low
    position[kinds + 1] ^= high
    position[BOARD_KEY] ^= _piece_keys()[81 * piece + square]


@helper("void(words)", inline=True)
def _pass_turn(position: Words) -> None:
    position[STATE] = (position[STATE] ^ _1) + _PLY
    position[BOARD_KEY] ^= _WHITE_KEY


@contract
def play(position: Words, move: int, next: Words) -> None:
    """Move or drop a piece; what is captured goes into the hand, unpromoted."""
    for word in range(WORDS):
        next[word] = position[word]
    side = turn_of(position)
    hand = np.uint64(32 * side)
    target, origin = move & 127, (move >> 7) & 127
    if origin > DROP:
        piece = origin - DROP + WHITE_PIECE * side
        next[HANDS] -= _hand_units()[piece & 7] << hand
    else:
        piece = piece_at(position, origin)
        captured = piece_at(position, target)
        if captured != 0:
            _toggle(next, captured, target)
            next[HANDS] += _hand_units()[captured & 7] << hand
        _toggle(next, piece, origin)
        next[origin >> 3] &= ~(_BYTE << np.uint64((origin & 7) << 3))
        if move & PROMOTE != 0:
            piece += PROMOTED
        if piece & 15 == KING:
            shift = np.uint64(8 + 8 * side)
            next[STATE] = (next[STATE] & ~(_BYTE << shift)) | (np.uint64(target) << shift)
    _toggle(next, piece, target)
    byte = np.uint64((target & 7) << 3)
    next[target >> 3] = (next[target >> 3] & ~(_BYTE << byte)) | (np.uint64(piece) << byte)
    _pass_turn(next)


@contract
def null_move(position: Words, next: Words) -> int:
    """The null move, except in check."""
    if in_check(position, turn_of(position)) != 0:
        return 0
    for word in range(WORDS):
        next[word] = position[word]
    _pass_turn(next)
    return 1


# ── The end ─────────────────────────────────────────────────────────────────────────────────────


@helper("int64(words)")
def _can_move(position: Words) -> int:
    """Whether the mover has a legal move."""
    side = turn_of(position)
    if in_check(position, side) == 0:
        # A pawn that stands on no line of its king cannot be pinned.
        own, lines = at(position, COLOURS + 2 * side), at(cross_rows(), 8 * king_of(position, side))
        for half in range(2):
            pawns = position[PAWNS + half] & own[half] & ~(lines[half] | lines[2 + half])
            if ahead(side, pawns) & ~own[half] != _0:
                return 1
    return 1 if generate(position, _buffer(), ALL) > 0 else 0


@contract
def status(position: Words) -> int:
    """Over when the mover has no move, or after LONGEST plies."""
    if int64(position[STATE] >> _32) > LONGEST:
        return OVER
    return PLAYER if _can_move(position) != 0 else OVER


@contract
def result(position: Words) -> int:
    """Lost without a move, otherwise drawn by length."""
    return 0 if _can_move(position) != 0 else -WON


@contract
def mover(position: Words) -> int:
    """0 black, 1 white."""
    return turn_of(position)


@contract
def key(position: Words) -> Word:
    """The board, the side and the hands; the number of the move is left out."""
    return mix(mix(_HASH_SEED, position[BOARD_KEY]), position[HANDS])


@contract
def check(position: Words) -> int:
    """Whether the mover's king is attacked."""
    return in_check(position, turn_of(position))


@contract
def repeated(position: Words, keys: Words, checks: Integers, count: int) -> int:
    """The fourth time is a draw; who gave check with every move since the first time loses."""
    own = mix(mix(_HASH_SEED, position[BOARD_KEY]), position[HANDS])
    times, first = 1, count
    # Every other position has the same mover.
    place = count - 2
    while place >= 0 and times < 4:
        if keys[place] == own:
            times += 1
            first = place
        place -= 2
    if times < 4:
        return FRESH
    mover_checked = in_check(position, turn_of(position)) != 0
    for place in range(first + 2, count, 2):
        mover_checked = mover_checked and checks[place] != 0
    enemy_checked = True
    for place in range(first + 1, count, 2):
        enemy_checked = enemy_checked and checks[place] != 0
    if mover_checked == enemy_checked:
        return DRAW
    return WIN if mover_checked else LOSS


@contract
def declared(position: Words, rule: int) -> int:
    """A declaration of the entered king by the rule of 27 or of 24 points; no other rule knows one."""
    if rule not in (entering.BY_27, entering.BY_24):
        return FRESH
    side = turn_of(position)
    entered = entering.has_entered(position, side) != 0
    if not entered or entering.entered_pieces(position, side) < entering.PIECES_NEEDED or in_check(position, side) != 0:
        return LOSS
    points = entering.entered_points(position, side)
    if rule == entering.BY_27:
        return WIN if points >= (entering.BLACK_NEEDS if side == 0 else entering.WHITE_NEEDS) else LOSS
    if points >= entering.WINS_BY_24:
        return WIN
    return DRAW if points >= entering.DRAWS_BY_24 else LOSS


# ── What search asks of moves ───────────────────────────────────────────────────────────────────


@helper("int64(words, int64)", inline=True)
def _capture_value(position: Words, move: int) -> int:
    target, origin = move & 127, (move >> 7) & 127
    won = _captures()[piece_at(position, target) & 15]
    if move & PROMOTE != 0:
        won += _promotions()[piece_at(position, origin) & 7]
    return won


@contract
def capture_value(position: Words, move: int) -> int:
    """The captured piece, off the board and in hand, and what promoting adds."""
    return _capture_value(position, move)


@helper("int64(words, int64, int64)", inline=True)
def _exchange(position: Words, move: int, least: int) -> int:
    """Whether the move wins at least so many centipawns."""
    lead = _capture_value(position, move) - least
    if lead < 0:
        return 0
    target, origin = move & 127, (move >> 7) & 127
    if origin > DROP:
        piece, origin = origin - DROP, -1
    else:
        piece = piece_at(position, origin) & 15
        if move & PROMOTE != 0:
            piece += PROMOTED
    return holds(position, target, origin, 1 - turn_of(position), lead, piece)


@contract
def exchange(position: Words, move: int, least: int) -> int:
    """Whether the move wins at least so many centipawns once both sides have captured on its target."""
    return _exchange(position, move, least)


@contract
def order(position: Words, move: int) -> int:
    """The largest capture by the least piece first, then what goes near the enemy's king, then lost exchanges."""
    target, origin = move & 127, (move >> 7) & 127
    won = _capture_value(position, move)
    if won != 0:
        price = _board_values()[piece_at(position, origin) & 15]
        if won < 2 * price and _exchange(position, move, 0) == 0:
            return won - 2 * price
        return 16 * won - price
    king = king_of(position, 1 - turn_of(position))
    distance = max(abs(target // 9 - king // 9), abs(target % 9 - king % 9))
    return 8 - distance


@contract
def slot(position: Words, move: int) -> int:
    """Where the piece comes from as the target sees it, times the target, as the mover sees the board.

    Planes 0–7 are directions, 8 and 9 the knight's jumps, 10–19 the same with promotion, 20–26 drops by kind.
    """
    target, origin = move & 127, (move >> 7) & 127
    drop = origin > DROP
    if turn_of(position) == 1:
        target = 80 - target
        origin = origin if drop else 80 - origin
    if drop:
        return 81 * (19 + origin - DROP) + target
    plane = direction_of(target, origin)
    if plane == squares.NO_DIRECTION and origin > target + 9:
        plane += 1
    if move & PROMOTE != 0:
        plane += 10
    return 81 * plane + target
