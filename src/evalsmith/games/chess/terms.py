"""The evaluation of chess: what a position has of each term, for the side to move.

Every board is turned so that the side looked at moves up. What the mover has counts +1, what the enemy
has −1, so that exchanging colours, board and side to move changes nothing. Two columns of weights, middle
game and endgame, blend by the pieces that are left.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Values, Word, Words, at, helper, int64, popcount, scan, scratch
from evalsmith.games.chess.attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
from evalsmith.games.chess.handset import starting
from evalsmith.games.chess.layout import FEATURES, FIRST, MAX_ATTACKERS, MAX_UNITS
from evalsmith.games.chess.pawns import (
    down_attacks,
    down_fill,
    king_pawns,
    pawn_terms,
    up_attacks,
    up_fill,
)
from evalsmith.games.chess.words import (
    BISHOP,
    BLACK_PIECES,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    STATE,
    WHITE_PIECES,
    side_of,
)
from evalsmith.games.contract import contract
from evalsmith.games.emitting import blend, emit, side_by_side
from evalsmith.games.evaluation import Evaluation
from evalsmith.games.game import Position

# A frame is the eight boards turned to one side, its own pieces before the enemy's, then what that side attacks.
_OWN, _ENEMY, _BY_PAWN, _BY_MINOR, _BY_ROOK, _BY_ANY = 6, 7, 8, 9, 10, 11
_FRAME = 12
_frames = scratch("words", 2 * _FRAME)

# What the terms of one side's pieces share, and what they count: squares that pieces can use, the enemy king's zone,
# all pieces; squares attacked so far, pieces that attack the zone, and in how many units.
_USABLE, _ZONE, _OCCUPIED, _ATTACKED, _ATTACKING, _UNITS = range(6)
_view = scratch("words", 6)
_value = scratch("values", 1)  # never written by the fused sum

_0, _1, _8, _16, _32 = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(16), np.uint64(32)
_BYTES, _PAIRS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_SEVENTH = np.uint64(0x00FF000000000000)
_OUTPOSTS = np.uint64(0x0000FFFFFF000000)  # ranks 4 to 6
_CENTRE = np.uint64(0x000000003C3C3C00)  # c to f, ranks 2 to 4

_TEMPO, _MATERIAL, _PIECES, _THREAT, _SPACE = (
    FIRST[name] for name in ("tempo", "material", "pieces", "threat", "space")
)
_PAWN_SQUARE = FIRST["pawn square"] - 8
_KING_SQUARE = FIRST["king square"]
# By the number of the piece; pawns have no mobility.
_SQUARE = (_PAWN_SQUARE, *(FIRST[f"{piece} square"] for piece in ("knight", "bishop", "rook", "queen")))
_MOBILITY = (-1, *(FIRST[f"{piece} mobility"] for piece in ("knight", "bishop", "rook", "queen")))
_ATTACKERS, _ATTACK = FIRST["attackers on king zone"], FIRST["attack on king zone"]

# Attack units a square of the king's zone, by the attacking piece.
_MINOR_UNITS, _ROOK_UNITS, _QUEEN_UNITS = 2, 3, 5
PHASES = 24  # knights and bishops count 1, rooks 2, queens 4


@helper("uint64(uint64)", inline=True)
def turn(board: Word) -> Word:
    """The board with its ranks in the other order."""
    board = ((board >> _8) & _BYTES) | ((board & _BYTES) << _8)
    board = ((board >> _16) & _PAIRS) | ((board & _PAIRS) << _16)
    return (board >> _32) | (board << _32)


@helper("int64(words, uint64, int64, int64, int64, indices, values, int64)", inline=True)
def _piece_terms(
    view: Words, rest: Word, piece: int, sign: int, fused: int, index: Indices, value: Values, count: int
) -> int:
    """Square and mobility of knights, bishops, rooks or queens; leaves in the view what they attack."""
    while rest != _0:
        square, attacks = scan(rest), _0
        if piece == KNIGHT:
            attacks |= knight_attacks(square)
        if piece in (BISHOP, QUEEN):
            attacks |= bishop_attacks(square, view[_OCCUPIED])
        if piece in (ROOK, QUEEN):
            attacks |= rook_attacks(square, view[_OCCUPIED])
        hits = popcount(attacks & view[_ZONE])
        units = _QUEEN_UNITS if piece == QUEEN else _ROOK_UNITS if piece == ROOK else _MINOR_UNITS
        view[_ATTACKED] |= attacks
        view[_ATTACKING] += _1 if hits > 0 else _0
        view[_UNITS] += np.uint64(units * hits)
        count = emit(fused, index, value, count, _SQUARE[piece] + square, sign)
        count = emit(fused, index, value, count, _MOBILITY[piece] + popcount(attacks & view[_USABLE]), sign)
        rest &= rest - _1
    return count


@helper("int64(words, int64, int64, indices, values, int64)")
def _side_terms(frame: Words, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """Everything that looks at one side's pieces; leaves in the frame what they attack."""
    own, enemy = frame[_OWN], frame[_ENEMY]
    pawns, enemy_pawns = frame[PAWN] & own, frame[PAWN] & enemy
    place = frame[KING] & own
    king, enemy_king = scan(place), scan(frame[KING] & enemy)
    by_pawn, feared = up_attacks(pawns), down_attacks(enemy_pawns)
    # Squares that a piece can use: not its own pawns' or king's, and not where an enemy pawn takes it.
    usable = ~(pawns | place | feared)
    # Squares that no enemy pawn can ever attack again, and that a pawn supports.
    outposts = _OUTPOSTS & by_pawn & ~down_fill(feared)
    around = king_attacks(enemy_king) | (frame[KING] & enemy)
    view = _view()
    view[_USABLE], view[_ZONE], view[_OCCUPIED] = usable, around | (around >> _8), own | enemy
    view[_ATTACKING], view[_UNITS] = _0, _0

    rest = pawns
    while rest != _0:
        count = emit(fused, index, value, count, _PAWN_SQUARE + scan(rest), sign)
        rest &= rest - _1
    view[_ATTACKED] = _0
    knights, bishops, rooks = frame[KNIGHT] & own, frame[BISHOP] & own, frame[ROOK] & own
    count = emit(fused, index, value, count, _PIECES + 4, sign * popcount(knights & outposts))
    count = _piece_terms(view, knights, KNIGHT, sign, fused, index, value, count)
    count = emit(fused, index, value, count, _PIECES, sign if bishops & (bishops - _1) != _0 else 0)
    count = emit(fused, index, value, count, _PIECES + 5, sign * popcount(bishops & outposts))
    count = _piece_terms(view, bishops, BISHOP, sign, fused, index, value, count)
    by_minor, view[_ATTACKED] = view[_ATTACKED], _0
    if rooks != _0:
        own_files, enemy_files = up_fill(down_fill(pawns)), up_fill(down_fill(enemy_pawns))
        count = emit(fused, index, value, count, _PIECES + 1, sign * popcount(rooks & ~(own_files | enemy_files)))
        count = emit(fused, index, value, count, _PIECES + 2, sign * popcount(rooks & ~own_files & enemy_files))
        count = emit(fused, index, value, count, _PIECES + 3, sign * popcount(rooks & _SEVENTH))
    count = _piece_terms(view, rooks, ROOK, sign, fused, index, value, count)
    by_rook = view[_ATTACKED]
    count = _piece_terms(view, frame[QUEEN] & own, QUEEN, sign, fused, index, value, count)

    count = emit(fused, index, value, count, _KING_SQUARE + king, sign)
    count = emit(fused, index, value, count, _ATTACKERS + min(int64(view[_ATTACKING]), MAX_ATTACKERS), sign)
    count = emit(fused, index, value, count, _ATTACK + min(int64(view[_UNITS]), MAX_UNITS), sign)
    behind = down_fill(pawns >> _8)
    count = emit(fused, index, value, count, _SPACE, sign * popcount(_CENTRE & behind & ~pawns & ~feared))
    count = pawn_terms(pawns, enemy_pawns, enemy, king, enemy_king, sign, fused, index, value, count)
    count = king_pawns(pawns, enemy_pawns, king, sign, fused, index, value, count)
    frame[_BY_PAWN], frame[_BY_MINOR], frame[_BY_ROOK] = by_pawn, by_minor, by_rook
    frame[_BY_ANY] = by_pawn | by_minor | view[_ATTACKED] | king_attacks(king)
    return count


@helper("int64(words, uint64, int64, int64, indices, values, int64)", inline=True)
def _threats(frame: Words, defended: Word, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """What one side attacks of the other's pieces; ``defended`` is what the other side attacks itself."""
    enemy = frame[_ENEMY]
    knights, bishops = frame[KNIGHT] & enemy, frame[BISHOP] & enemy
    rooks, queens = frame[ROOK] & enemy, frame[QUEEN] & enemy
    by_pawn, by_minor = frame[_BY_PAWN], frame[_BY_MINOR]
    count = emit(fused, index, value, count, _THREAT, sign * popcount(by_pawn & knights))
    count = emit(fused, index, value, count, _THREAT + 1, sign * popcount(by_pawn & bishops))
    count = emit(fused, index, value, count, _THREAT + 2, sign * popcount(by_pawn & rooks))
    count = emit(fused, index, value, count, _THREAT + 3, sign * popcount(by_pawn & queens))
    count = emit(fused, index, value, count, _THREAT + 4, sign * popcount(by_minor & (knights | bishops)))
    count = emit(fused, index, value, count, _THREAT + 5, sign * popcount(by_minor & rooks))
    count = emit(fused, index, value, count, _THREAT + 6, sign * popcount(by_minor & queens))
    count = emit(fused, index, value, count, _THREAT + 7, sign * popcount(frame[_BY_ROOK] & queens))
    loose = frame[_BY_ANY] & ~defended
    count = emit(fused, index, value, count, _THREAT + 8, sign * popcount(loose & frame[PAWN] & enemy))
    return emit(fused, index, value, count, _THREAT + 9, sign * popcount(loose & (knights | bishops | rooks | queens)))


@helper("int64(words, int64, indices, values)", inline=True)
def _all_terms(position: Words, fused: int, index: Indices, value: Values) -> int:
    """Tempo and material, then each side, then what they threaten."""
    side = side_of(position[STATE])
    own, enemy = position[WHITE_PIECES + side], position[BLACK_PIECES - side]
    rows = _frames()
    mine, theirs = at(rows, 0), at(rows, _FRAME)
    # White looks at the board as it is, black at the board turned over.
    white = at(rows, side * _FRAME)
    black = at(rows, (1 - side) * _FRAME)
    for piece in range(KING + 1):
        white[piece] = position[piece]
        black[piece] = turn(position[piece])
    white[_OWN], white[_ENEMY] = position[WHITE_PIECES], position[BLACK_PIECES]
    black[_OWN], black[_ENEMY] = turn(position[BLACK_PIECES]), turn(position[WHITE_PIECES])

    count = emit(fused, index, value, 0, _TEMPO, 1)
    for piece in range(KING):
        lead = popcount(position[piece] & own) - popcount(position[piece] & enemy)
        count = emit(fused, index, value, count, _MATERIAL + piece, lead)
    count = _side_terms(mine, 1, fused, index, value, count)
    count = _side_terms(theirs, -1, fused, index, value, count)
    count = _threats(mine, turn(theirs[_BY_ANY]), 1, fused, index, value, count)
    return _threats(theirs, turn(mine[_BY_ANY]), -1, fused, index, value, count)


@helper("int64(words)", inline=True)
def _phase_of(position: Words) -> int:
    minors = popcount(position[KNIGHT] | position[BISHOP])
    return min(minors + 2 * popcount(position[ROOK]) + 4 * popcount(position[QUEEN]), PHASES)


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    """All terms of a position."""
    return _all_terms(position, 0, index, value)


@contract
def phase(position: Words) -> int:
    """24 with all pieces on the board, 0 with none but pawns and kings."""
    return _phase_of(position)


@contract
def evaluate(position: Words, weights: Indices) -> int:
    """The sum of the terms, from weights whose two columns lie side by side; blended once, at the end."""
    total = _all_terms(position, 1, weights, _value())
    return blend(total, PHASES - _phase_of(position), PHASES)


def amounts(position: Position, side: int) -> dict[int, int]:
    """The pieces of a side, where its terms have only the difference."""
    own = int(position[WHITE_PIECES + side])
    return {_MATERIAL + piece: (int(position[piece]) & own).bit_count() for piece in range(KING)}


def evaluation() -> Evaluation:
    """Two columns, blended by the phase."""
    return Evaluation(
        features=FEATURES,
        columns=("middle game", "endgame"),
        blend=tuple((0, 1, PHASES - phase) for phase in range(PHASES + 1)),
        scale=PHASES,
        starting=starting,
        engine=side_by_side,
        amounts=amounts,
    )
