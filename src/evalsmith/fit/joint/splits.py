"""Which games a joint fit is fitted to, which judge it, and which are not looked at before the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.fit.validation import game_draw
from evalsmith.run import InputError, derive

Flags = npt.NDArray[np.bool_]
Mask = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Splits:
    """The rows of each kind, as flags: every position of a game is of the same kind."""

    training: Flags
    validation: Flags
    test: Flags

    def named(self) -> dict[str, Flags]:
        """The splits that have rows, by name."""
        every = {"training": self.training, "validation": self.validation, "test": self.test}
        return {name: rows for name, rows in every.items() if rows.any()}


def split_games(games: npt.NDArray[np.int64], known: Flags, validation: float, test: float, seed: int) -> Splits:
    """Split the rows whose value is known; without a test share the validation games are those of `held_out`."""
    draw = game_draw(games, seed)
    found = Splits(
        known & (draw >= validation + test), known & (draw >= test) & (draw < validation + test), known & (draw < test)
    )
    count = len(np.unique(games[known]))
    if not found.training.any() or not found.validation.any() or (test > 0 and not found.test.any()):
        raise InputError(
            f"{count} game{'s' if count != 1 else ''} with a known value {'are' if count != 1 else 'is'} too few to "
            f"hold {'some' if test == 0 else 'some for validation and some for a test'} out; add more games"
        )
    return found


def folds(games: npt.NDArray[np.int64], rows: Flags, count: int, seed: int) -> npt.NDArray[np.int64]:
    """The fold of each row, -1 for rows that take no part; folds have equally many games."""
    found = np.full(len(games), -1, dtype=np.int64)
    numbers = np.unique(games[rows])
    if len(numbers) < count:
        raise InputError(f"{len(numbers)} games cannot be split into {count} folds; use a smaller k_fold")
    order = np.argsort(game_draw(numbers, derive(seed, "folds")), kind="stable")
    of_game = np.empty(len(numbers), dtype=np.int64)
    of_game[order] = np.arange(len(numbers)) % count
    found[rows] = of_game[np.searchsorted(numbers, games[rows])]
    return found


def share_of_games(games: npt.NDArray[np.int64], rows: Flags, share: float, seed: int) -> Flags:
    """A share of the games that some rows belong to; a smaller share is part of a larger one."""
    return rows & (game_draw(games, derive(seed, "share")) < share)


def mask(rows: Flags) -> Mask:
    """Flags as weights of rows."""
    return rows.astype(np.float32)
