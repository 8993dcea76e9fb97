"""Validation by game: which games are held out, and how far an evaluation is from the truth on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.run import derive


@dataclass(frozen=True)
class Errors:
    """How far predictions are from targets, in the game's unit: mean square, mean absolute, and how many."""

    count: int
    square: float
    absolute: float


def errors(prediction: npt.NDArray[np.float64], target: npt.NDArray[np.float64]) -> Errors:
    """The errors of some predictions; zeros when there are none."""
    if len(target) == 0:
        return Errors(0, 0.0, 0.0)
    off = prediction - target
    return Errors(len(target), float(np.mean(off**2)), float(np.mean(np.abs(off))))


def total(parts: list[Errors]) -> Errors:
    """The errors of several sets together."""
    count = sum(part.count for part in parts)
    if count == 0:
        return Errors(0, 0.0, 0.0)
    return Errors(
        count,
        sum(part.square * part.count for part in parts) / count,
        sum(part.absolute * part.count for part in parts) / count,
    )


def held_out(games: npt.NDArray[np.int64], share: float, seed: int) -> npt.NDArray[np.bool_]:
    """Which rows belong to held-out games: all positions of a game fall on the same side."""
    return np.asarray(game_draw(games, seed) < share)


def game_draw(games: npt.NDArray[np.int64], seed: int) -> npt.NDArray[np.float64]:
    """A number from 0 to 1 for each row, the same for all positions of a game.

    It depends on the game's number and the seed alone, not on what else is in the dataset.
    """
    numbers, where = np.unique(games, return_inverse=True)
    source = np.uint64(derive(seed, "validation"))
    with np.errstate(over="ignore"):
        word = (numbers.astype(np.uint64) + source) * np.uint64(0x9E3779B97F4A7C15)
        word ^= word >> np.uint64(29)
        word *= np.uint64(0xBF58476D1CE4E5B9)
        word ^= word >> np.uint64(32)
    drawn = (word >> np.uint64(11)).astype(np.float64) / float(1 << 53)
    return np.asarray(drawn[where.reshape(-1)])
