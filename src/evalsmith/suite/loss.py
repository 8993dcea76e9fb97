"""What a move costs: how much of the chance to win is given up, from 0 for a best move to 100.

A score becomes a chance to win by a logistic curve, so half a pawn counts near equality and not in a won game. Scores
are for the mover in the game's unit; a mate in n is ±(10000 − n), n as the players of the game count it.
"""

from __future__ import annotations

from typing import overload

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.scores import MOVES, is_decided

SCALE = 275.0  # units at which the curve has come from 1/2 to 0.73
MATE = 10_000
HIGHEST = 9_000  # amounts are held below this, so that a score beyond it is a mate; on the curve they are 1 anyway
MAX_LOSS = 100.0

Numbers = npt.NDArray[np.float64]


@overload
def win_probability(score: float, scale: float = SCALE) -> float: ...
@overload
def win_probability(score: npt.NDArray[np.number], scale: float = SCALE) -> Numbers: ...


def win_probability(score: float | npt.NDArray[np.number], scale: float = SCALE) -> float | Numbers:
    """The chance to win that a score stands for, from 0 to 1."""
    # Beyond 700 the exponential would overflow, and the curve is 0 or 1 long before.
    found = 1.0 / (1.0 + np.exp(np.clip(-np.asarray(score, dtype=np.float64) / scale, -700, 700)))
    return float(found) if found.ndim == 0 else found


@overload
def loss_between(best: float, played: float, scale: float = SCALE) -> float: ...
@overload
def loss_between(best: npt.NDArray[np.number], played: npt.NDArray[np.number], scale: float = SCALE) -> Numbers: ...


def loss_between(best: object, played: object, scale: float = SCALE) -> float | Numbers:
    """What it costs to play a move of one score where the best has another."""
    from_best: float | Numbers = win_probability(np.asarray(best), scale)
    lost = MAX_LOSS * (from_best - win_probability(np.asarray(played), scale))
    return float(lost) if np.ndim(lost) == 0 else np.asarray(lost)


def suite_score(game: Game, score: int) -> int:
    """A score of the search or of a program as suites store it: mates as ±(10000 − n), amounts below them."""
    if not is_decided(score, game.win):
        return max(-HIGHEST, min(HIGHEST, score))
    plies = max(0, game.win - abs(score))
    distance = min((plies + 1) // 2 if game.mates == MOVES else plies, MATE - HIGHEST - 1)
    return MATE - distance if score > 0 else distance - MATE


def mate_distance(score: int) -> int | None:
    """In how many moves or plies a stored score mates, below 0 where the mover is mated; None for an amount."""
    if abs(score) <= HIGHEST:
        return None
    return MATE - score if score > 0 else -MATE - score


def score_text(score: int) -> str:
    """A stored score in the game's unit, with a sign: ``+35``, ``-120``, ``#3``, ``#-2``."""
    distance = mate_distance(score)
    if distance is None:
        return f"{score:+d}"
    return f"#{distance}" if score > 0 else f"#-{-distance}"


def parse_score(text: str) -> int | None:
    """The score of such a text, or None."""
    mate = text.startswith("#")
    digits = text.removeprefix("#").lstrip("+-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 6 or text.count("-") + text.count("+") > 1:
        return None
    number = int(digits)
    value = MATE - min(number, MATE - HIGHEST - 1) if mate else min(number, HIGHEST)
    return -value if "-" in text else value
