"""What a referee decides beside the moves: declarations of an entered king, impasses, and games that grow too long.

A declaration is a claim, not a move: ``moves`` never lists it, so perft counts stay standard. Whoever conducts a
game asks here when a player says ``win`` (USI) or ``%KACHI`` (CSA). ``rules.declared`` decides; here are the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.games.game import DRAW, WIN, Position
from evalsmith.games.shogi import GAME, entering
from evalsmith.games.shogi.board import Board, board_of
from evalsmith.games.shogi.rules import LONGEST
from evalsmith.games.shogi.squares import BISHOP, BLACK, DRAGON, HORSE, KING, ROOK, WHITE
from evalsmith.run.errors import InputError

RULES = (entering.BY_27, entering.BY_24)
_LARGE_KINDS = (BISHOP, ROOK, HORSE, DRAGON)


@dataclass(frozen=True)
class Declaration:
    """What becomes of the mover who declares now.

    ``outcome`` is ``win``, ``draw`` or ``loss``; ``reason`` says which condition failed, or how many points there are.
    ``points`` and ``pieces`` count what stands in the enemy's three ranks (points: and in hand), the king left out.
    """

    outcome: str
    reason: str
    points: int
    pieces: int


def declaration(position: Position, rule: int = entering.BY_27) -> Declaration:
    """Judge a declaration by the 27-point rule (Black needs 28, White 27) or the 24-point rule (31 wins, 24 draws)."""
    if rule not in RULES:
        raise InputError(f"declarations are judged by the rule of 27 or of 24 points, not {rule!r}")
    board = board_of(position)
    entered = _in_camp(board, board.side)
    others = [kind for kind in entered if kind != KING]
    points = _points(board, board.side, others)
    decided = GAME.declared(position, rule)
    outcome = "win" if decided == WIN else "draw" if decided == DRAW else "loss"
    return Declaration(outcome, _reason(position, rule, entered, points, outcome), points, len(others))


def _reason(position: Position, rule: int, entered: list[int], points: int, outcome: str) -> str:
    """Which condition failed, or how many points there are."""
    others = len(entered) - (KING in entered)
    if GAME.check(position):
        return "the declarer is in check"
    if KING not in entered:
        return "the king is not in the enemy's three ranks"
    if others < entering.PIECES_NEEDED:
        return f"{others} pieces beside the king in the enemy's three ranks, {entering.PIECES_NEEDED} needed"
    if rule == entering.BY_27:
        needed = entering.BLACK_NEEDS if board_of(position).side == BLACK else entering.WHITE_NEEDS
        return f"{points} points, {needed} needed"
    if outcome == "draw":
        return f"{points} points, {entering.WINS_BY_24} needed to win, {entering.DRAWS_BY_24} to draw"
    return f"{points} points, {entering.WINS_BY_24 if outcome == 'win' else entering.DRAWS_BY_24} needed"


def impasse(position: Position) -> int | None:
    """An impasse by the 24-point count, for Black; None unless both kings have entered.

    All pieces count, wherever they stand and in hand. Whoever has fewer than 24 points has lost; it is a draw if both
    have 24.
    """
    board = board_of(position)
    if any(KING not in _in_camp(board, side) for side in (BLACK, WHITE)):
        return None
    points = [
        _points(board, side, [piece & 15 for piece in board.pieces if piece and piece >> 4 == side])
        for side in (BLACK, WHITE)
    ]
    if min(points) >= entering.DRAWS_BY_24:
        return 0
    return GAME.win if points[BLACK] >= points[WHITE] else -GAME.win


def _in_camp(board: Board, side: int) -> list[int]:
    """The kinds of a side's pieces in the enemy's three ranks."""
    ranks = range(3) if side == BLACK else range(6, 9)
    own = ((square, piece) for square, piece in enumerate(board.pieces) if piece and piece >> 4 == side)
    return [piece & 15 for square, piece in own if square % 9 in ranks]


def _points(board: Board, side: int, kinds: list[int]) -> int:
    """The points of some pieces on the board and of all in hand."""
    in_hand = [kind for kind, count in board.hands[side].items() for _ in range(count)]
    return sum(entering.LARGE if kind in _LARGE_KINDS else entering.SMALL for kind in kinds + in_hand if kind != KING)


def too_long(position: Position, longest: int = LONGEST) -> bool:
    """Whether a game that began with move 1 has reached a maximal length in plies (256 and 320 are common): a draw."""
    return board_of(position).number > longest
