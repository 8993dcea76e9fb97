"""The evaluation of chess: what a position has of each term, for the side to move.

Every board is turned so that the side looked at moves up. What the mover has counts +1, what the enemy
has −1, so that exchanging colours, board and side to move changes nothing. Two columns of weights, middle
game and endgame, blend by the pieces that are left.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Indices, Values, Word, Words, at, helper, int64, popcount, scan, scratch
from evalsmith.games.chess.attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
from evalsmith.games.chess.clashes import clash_terms
from evalsmith.games.chess.endings import even_terms, idle_lead, idle_terms, is_idle
from evalsmith.games.chess.frame import (
    BY_ANY,
    BY_BISHOP,
    BY_KNIGHT,
    BY_PAWN,
    BY_QUEEN,
    BY_ROOK,
    BY_TWO,
    ENEMY,
    FRAME_WORDS,
    OWN,
    turn,
)
from evalsmith.games.chess.handset import starting
from evalsmith.games.chess.layout import FEATURES, FIRST, MAX_ATTACKERS, MAX_UNITS
from evalsmith.games.chess.pawns import (
    down_attacks,
    down_fill,
    king_pawns,
    pawn_terms,
    steps,
    twice_up,
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

_frames = scratch("words", 2 * FRAME_WORDS)

# What the terms of one side's pieces share, and what they count: squares that pieces can use, the enemy king's zone,
# all pieces; pieces that attack the zone, and in how many units.
_USABLE, _ZONE, _OCCUPIED, _ATTACKING, _UNITS = range(5)
_view = scratch("words", 5)
_value = scratch("values", 1)  # never written by the fused sum

_0, _1, _8 = np.uint64(0), np.uint64(1), np.uint64(8)
_SEVENTH = np.uint64(0x00FF000000000000)
_OUTPOSTS = np.uint64(0x0000FFFFFF000000)  # ranks 4 to 6
_CENTRE = np.uint64(0x000000003C3C3C00)  # c to f, ranks 2 to 4

_LIGHT = np.uint64(0x55AA55AA55AA55AA)

_TEMPO, _MATERIAL, _PIECES, _SPACE = (FIRST[name] for name in ("tempo", "material", "pieces", "space"))
_BY_PAWNS = (-1, *(FIRST[f"{piece} by own pawns"] for piece in ("knight", "bishop", "rook")))
_BY_COLOUR, _TO_KING = FIRST["bishop by own pawns of its colour"], FIRST["steps to own king"]
_OPPOSITE = FIRST["opposite bishops"]
_PAWN_SQUARE = FIRST["pawn square"] - 8
_KING_SQUARE = FIRST["king square"]
# By the number of the piece; pawns have no mobility.
_SQUARE = (_PAWN_SQUARE, *(FIRST[f"{piece} square"] for piece in ("knight", "bishop", "rook", "queen")))
_MOBILITY = (-1, *(FIRST[f"{piece} mobility"] for piece in ("knight", "bishop", "rook", "queen")))
_ATTACKERS, _ATTACK = FIRST["attackers on king zone"], FIRST["attack on king zone"]
_ATTACK_WITHOUT = FIRST["attack on king zone without queen"]
# By the number of the piece: where the frame has the squares that it attacks.
_BY = (BY_PAWN, BY_KNIGHT, BY_BISHOP, BY_ROOK, BY_QUEEN)

# Attack units a square of the king's zone, by the attacking piece.
_MINOR_UNITS, _ROOK_UNITS, _QUEEN_UNITS = 2, 3, 5
PHASES = 24  # knights and bishops count 1, rooks 2, queens 4


@helper("int64(words, words, uint64, int64, int64, int64, indices, values, int64)", inline=True)
def _piece_terms(
    frame: Words, view: Words, rest: Word, piece: int, sign: int, fused: int, index: Indices, value: Values, count: int
) -> int:
    """Square and mobility of knights, bishops, rooks or queens; leaves in frame and view what they attack."""
    frame[_BY[piece]] = _0
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
        frame[_BY[piece]] |= attacks
        frame[BY_TWO] |= frame[BY_ANY] & attacks
        frame[BY_ANY] |= attacks
        view[_ATTACKING] += _1 if hits > 0 else _0
        view[_UNITS] += np.uint64(units * hits)
        count = emit(fused, index, value, count, _SQUARE[piece] + square, sign)
        count = emit(fused, index, value, count, _MOBILITY[piece] + popcount(attacks & view[_USABLE]), sign)
        rest &= rest - _1
    return count


@helper("int64(words, int64, int64, int64, indices, values, int64)", inline=True)
def _pieces_and_pawns(frame: Words, king: int, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """What pieces are worth beside their own pawns, and how far minor pieces are from their king."""
    own = frame[OWN]
    pawns = frame[PAWN] & own
    number = popcount(pawns)
    for piece in (KNIGHT, BISHOP, ROOK):
        count = emit(fused, index, value, count, _BY_PAWNS[piece] + number, sign * popcount(frame[piece] & own))
    rest, far = frame[KNIGHT] & own, 0
    while rest != _0:
        far += steps(scan(rest), king)
        rest &= rest - _1
    count = emit(fused, index, value, count, _TO_KING, sign * far)
    rest, far = frame[BISHOP] & own, 0
    while rest != _0:
        square = scan(rest)
        far += steps(square, king)
        colour = _LIGHT if (_1 << np.uint64(square)) & _LIGHT != _0 else ~_LIGHT
        count = emit(fused, index, value, count, _BY_COLOUR + popcount(pawns & colour), sign)
        rest &= rest - _1
    return emit(fused, index, value, count, _TO_KING + 1, sign * far)


@helper("int64(words, int64, int64, indices, values, int64)")
def _side_terms(frame: Words, sign: int, fused: int, index: Indices, value: Values, count: int) -> int:
    """Everything that looks at one side's pieces; leaves in the frame what they attack."""
    own, enemy = frame[OWN], frame[ENEMY]
    pawns, enemy_pawns = frame[PAWN] & own, frame[PAWN] & enemy
    place = frame[KING] & own
    king, enemy_king = scan(place), scan(frame[KING] & enemy)
    by_pawn, by_king, feared = up_attacks(pawns), king_attacks(king), down_attacks(enemy_pawns)
    # Squares that a piece can use: not its own pawns' or king's, and not where an enemy pawn takes it.
    usable = ~(pawns | place | feared)
    # Squares that no enemy pawn can ever attack again, and that a pawn supports.
    outposts = _OUTPOSTS & by_pawn & ~down_fill(feared)
    around = king_attacks(enemy_king) | (frame[KING] & enemy)
    view = _view()
    view[_USABLE], view[_ZONE], view[_OCCUPIED] = usable, around | (around >> _8), own | enemy
    view[_ATTACKING], view[_UNITS] = _0, _0
    frame[BY_PAWN], frame[BY_ANY], frame[BY_TWO] = by_pawn, by_pawn | by_king, twice_up(pawns) | (by_pawn & by_king)

    rest = pawns
    while rest != _0:
        count = emit(fused, index, value, count, _PAWN_SQUARE + scan(rest), sign)
        rest &= rest - _1
    knights, bishops, rooks = frame[KNIGHT] & own, frame[BISHOP] & own, frame[ROOK] & own
    count = emit(fused, index, value, count, _PIECES + 4, sign * popcount(knights & outposts))
    count = _piece_terms(frame, view, knights, KNIGHT, sign, fused, index, value, count)
    count = emit(fused, index, value, count, _PIECES, sign if bishops & (bishops - _1) != _0 else 0)
    count = emit(fused, index, value, count, _PIECES + 5, sign * popcount(bishops & outposts))
    count = emit(fused, index, value, count, _PIECES + 6, sign * popcount((knights | bishops) & (frame[PAWN] >> _8)))
    count = _piece_terms(frame, view, bishops, BISHOP, sign, fused, index, value, count)
    if rooks != _0:
        own_files, enemy_files = up_fill(down_fill(pawns)), up_fill(down_fill(enemy_pawns))
        queen_files = up_fill(down_fill(frame[QUEEN]))
        count = emit(fused, index, value, count, _PIECES + 1, sign * popcount(rooks & ~(own_files | enemy_files)))
        count = emit(fused, index, value, count, _PIECES + 2, sign * popcount(rooks & ~own_files & enemy_files))
        count = emit(fused, index, value, count, _PIECES + 3, sign * popcount(rooks & _SEVENTH))
        count = emit(fused, index, value, count, _PIECES + 7, sign * popcount(rooks & queen_files))
    count = _piece_terms(frame, view, rooks, ROOK, sign, fused, index, value, count)
    count = _piece_terms(frame, view, frame[QUEEN] & own, QUEEN, sign, fused, index, value, count)

    attack = _ATTACK if frame[QUEEN] & own != _0 else _ATTACK_WITHOUT
    count = emit(fused, index, value, count, _KING_SQUARE + king, sign)
    count = emit(fused, index, value, count, _ATTACKERS + min(int64(view[_ATTACKING]), MAX_ATTACKERS), sign)
    count = emit(fused, index, value, count, attack + min(int64(view[_UNITS]), MAX_UNITS), sign)
    behind = down_fill(pawns >> _8)
    count = emit(fused, index, value, count, _SPACE, sign * popcount(_CENTRE & behind & ~pawns & ~feared))
    count = _pieces_and_pawns(frame, king, sign, fused, index, value, count)
    count = pawn_terms(frame, king, enemy_king, sign, fused, index, value, count)
    return king_pawns(pawns, enemy_pawns, king, sign, fused, index, value, count)


@helper("int64(words, uint64, uint64, int64, indices, values, int64)", inline=True)
def _opposite_bishops(
    position: Words, own: Word, enemy: Word, fused: int, index: Indices, value: Values, count: int
) -> int:
    """A lead in pawns where each side has one bishop and they never meet."""
    bishops = position[BISHOP]
    mine, theirs = bishops & own, bishops & enemy
    if mine == _0 or theirs == _0 or popcount(bishops) != 2 or popcount(bishops & _LIGHT) != 1:
        return count
    others = position[KNIGHT] | position[ROOK] | position[QUEEN]
    lead = popcount(position[PAWN] & own) - popcount(position[PAWN] & enemy)
    return emit(fused, index, value, count, _OPPOSITE + (0 if others == _0 else 1), lead)


@helper("int64(words, int64, indices, values)", inline=True)
def _all_terms(position: Words, fused: int, index: Indices, value: Values) -> int:
    """Tempo and material, then each side, then what they do to each other; little of a lead that cannot win."""
    side = side_of(position[STATE])
    own, enemy = position[WHITE_PIECES + side], position[BLACK_PIECES - side]
    count = emit(fused, index, value, 0, _TEMPO, 1)
    lead = idle_lead(position, own, enemy)
    if lead >= 0:
        return idle_terms(position, own, enemy, 1 - side, lead, 1, fused, index, value, count)
    lead = idle_lead(position, enemy, own)
    if lead >= 0:
        return idle_terms(position, enemy, own, side, lead, -1, fused, index, value, count)
    rows = _frames()
    mine, theirs = at(rows, 0), at(rows, FRAME_WORDS)
    # White looks at the board as it is, black at the board turned over.
    white = at(rows, side * FRAME_WORDS)
    black = at(rows, (1 - side) * FRAME_WORDS)
    for piece in range(KING + 1):
        white[piece] = position[piece]
        black[piece] = turn(position[piece])
    white[OWN], white[ENEMY] = position[WHITE_PIECES], position[BLACK_PIECES]
    black[OWN], black[ENEMY] = turn(position[BLACK_PIECES]), turn(position[WHITE_PIECES])

    for piece in range(KING):
        lead = popcount(position[piece] & own) - popcount(position[piece] & enemy)
        count = emit(fused, index, value, count, _MATERIAL + piece, lead)
    count = _side_terms(mine, 1, fused, index, value, count)
    count = _side_terms(theirs, -1, fused, index, value, count)
    count = _opposite_bishops(position, own, enemy, fused, index, value, count)
    count = even_terms(position, own, enemy, fused, index, value, count)
    count = clash_terms(mine, theirs, 1, fused, index, value, count)
    return clash_terms(theirs, mine, -1, fused, index, value, count)


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
    if is_idle(position):
        return {}
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
