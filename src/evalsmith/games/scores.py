"""What a score says of the end of a game: whether it is a proven win or loss.

Where games are only won or lost, a win n plies away is worth ``win`` - n. Where ``win`` is 0 a result is a margin, and
no score is decided. The search compiles ``decided_above`` and ``repetition_value`` for its kernels.
"""

from __future__ import annotations

from typing import Protocol

from evalsmith.games.contract import LOSS, WIN

MAX_DISTANCE = 256  # plies: a score is this close to ``win`` at most where it is a proven win
MOVES, PLIES = "moves", "plies"  # ``Game.mates``: chess counts the winner's moves, shogi every ply
INFINITE = 1 << 22  # above every score; scores fit 24 bits with their sign


def decided_above(win: int) -> int:
    """Scores above this are proven wins, and scores below its negative are proven losses."""
    return win - min(MAX_DISTANCE, win // 2) if win > 0 else INFINITE


def is_decided(score: int, win: int) -> bool:
    """Whether a score is a proven win or loss."""
    return abs(score) > decided_above(win)


def repetition_value(win: int, repeated: int) -> int:
    """What a repetition is worth to the mover, by the answer of ``repeated``."""
    return win if repeated == WIN else -win if repeated == LOSS else 0


class Spoken(Protocol):
    """What of a game decides how its players say a score."""

    @property
    def win(self) -> int:
        """The value of a won game; 0 where a result is a margin."""

    @property
    def max_outcomes(self) -> int:
        """How many outcomes chance has; 0 without chance."""

    @property
    def mates(self) -> str:
        """How the distance to a mate is counted: in moves, in plies, or nothing for a game without mates."""


class NamesUnit(Spoken, Protocol):
    """… and what a hundred units of it are called."""

    @property
    def whole_unit(self) -> str:
        """In the plural: discs, pawns, stones."""


def spoken(game: Spoken, score: int) -> str:
    """A score as players say it, in whole units with a sign: ``+0.35``, ``+20``, ``mate in 3``, ``lost in 5 plies``."""
    if is_decided(score, game.win):
        return _decided(game, score)
    text = f"{score / 100:+.2f}" if score else "0.00"
    # Margins are whole discs or stones once they are proven.
    return text.removesuffix(".00") if game.win == 0 else text


def with_unit(game: NamesUnit, score: int) -> str:
    """A score as players say it, with the unit where it is an amount: ``+1.50 discs``, ``mate in 3``."""
    text = spoken(game, score)
    return text if is_decided(score, game.win) else f"{text} {game.whole_unit}"


def _decided(game: Spoken, score: int) -> str:
    plies, won = game.win - abs(score), score > 0
    # With chance the score is an average, so the distance says nothing; a finished game has none.
    if game.max_outcomes or plies == 0:
        return "won" if won else "lost"
    in_plies = "1 ply" if plies == 1 else f"{plies} plies"
    if not game.mates:
        return f"{'won' if won else 'lost'} in {in_plies}"
    distance = str((plies + 1) // 2) if game.mates == MOVES else in_plies
    return f"{'mate' if won else 'mated'} in {distance}"
