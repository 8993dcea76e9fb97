"""What a referee decides beside the moves: declarations of an entered king, and games that grow too long.

A declaration is a claim, not a move: ``moves`` never lists it, so perft counts stay standard. Whoever conducts a
game asks here when a player says ``win`` (USI) or ``%KACHI`` (CSA).
"""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.games.game import Position
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.board import board_of
from evalsmith.games.shogi.rules import LONGEST
from evalsmith.games.shogi.squares import BISHOP, BLACK, DRAGON, HORSE, KING, ROOK
from evalsmith.run.errors import InputError

RULES = (27, 24)
_PIECES_NEEDED = 10
_LARGE = (BISHOP, ROOK, HORSE, DRAGON)


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


def declaration(position: Position, rule: int = 27) -> Declaration:
    """Judge a declaration by the 27-point rule (Black needs 28, White 27) or the 24-point rule (31 wins, 24 draws)."""
    if rule not in RULES:
        raise InputError(f"declarations are judged by the rule of 27 or of 24 points, not {rule!r}")
    board = board_of(position)
    side = board.side
    zone = range(3) if side == BLACK else range(6, 9)
    entered = [piece & 15 for square, piece in enumerate(board.pieces) if piece and piece >> 4 == side
               and square % 9 in zone]  # fmt: skip
    others = [kind for kind in entered if kind != KING]
    in_hand = [kind for kind, count in board.hands[side].items() for _ in range(count)]
    points = sum(5 if kind in _LARGE else 1 for kind in others + in_hand)

    def judged(outcome: str, reason: str) -> Declaration:
        return Declaration(outcome, reason, points, len(others))

    if GAME.check(position):
        return judged("loss", "the declarer is in check")
    if KING not in entered:
        return judged("loss", "the king is not in the enemy's three ranks")
    if len(others) < _PIECES_NEEDED:
        return judged(
            "loss", f"{len(others)} pieces beside the king in the enemy's three ranks, {_PIECES_NEEDED} needed"
        )
    enough = (28 if side == BLACK else 27) if rule == 27 else 31
    if points >= enough:
        return judged("win", f"{points} points, {enough} needed")
    if rule == 24 and points >= 24:
        return judged("draw", f"{points} points, 31 needed to win, 24 to draw")
    return judged("loss", f"{points} points, {enough if rule == 27 else 24} needed")


def too_long(position: Position, longest: int = LONGEST) -> bool:
    """Whether a game that began with move 1 has reached a maximal length in plies (256 and 320 are common): a draw."""
    return board_of(position).number > longest
