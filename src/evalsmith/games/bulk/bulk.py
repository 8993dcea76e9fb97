"""What a game says of its positions in bulk, and what holds for a game that says nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evalsmith.games.game import Game

Rows: TypeAlias = npt.NDArray[np.uint64]
"""Positions, one a row."""

# What ``judge`` says of a row: no position; one; or that only its text can tell.
INVALID, VALID, UNKNOWN = 0, 1, 2


@dataclass(frozen=True)
class Bulk:
    """A game's positions in bulk.

    ``stored`` are the words that a file must hold; ``restore`` fills in the others, from whatever the stored ones are.
    ``judge`` calls restored rows INVALID, VALID or UNKNOWN: kernels may be called on all but the INVALID ones.
    ``images`` gives the rows under each symmetry of the game, in its order. ``plies``, where positions tell it, is how
    many plies were played before each: in a list of positions a new game begins where that does not grow.
    ``texts``, where a kernel writes them, are the texts of all rows as bytes one after another, and where each begins
    and the last ends; None where some row is beyond it.
    """

    stored: tuple[int, ...]
    restore: Callable[[Rows], None]
    judge: Callable[[Rows], npt.NDArray[np.uint8]]
    images: Callable[[Rows], list[Rows]]
    plies: Callable[[Rows], npt.NDArray[np.int64]] | None = None
    texts: Callable[[Rows], tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]] | None] | None = None


def bulk_of(game: Game) -> Bulk:
    """The game's own, or one that goes through texts and symmetries row by row."""
    own = game.hook("bulk")
    if isinstance(own, Bulk):
        return own

    def images(rows: Rows) -> list[Rows]:
        def image(change: Callable[[Rows], Rows]) -> Rows:
            return np.array([change(row) for row in rows], dtype=np.uint64).reshape(rows.shape)

        return [image(symmetry.position) for symmetry in game.symmetries()]

    return Bulk(
        tuple(range(game.words)),
        lambda rows: None,
        lambda rows: np.full(len(rows), UNKNOWN, dtype=np.uint8),
        images,
    )


def verdict(valid: npt.NDArray[np.bool_], unknown: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.uint8]:
    """Rows that are valid, some of them only if their text agrees."""
    verdicts = np.where(valid, VALID, INVALID).astype(np.uint8)
    if unknown is not None:
        verdicts[valid & unknown] = UNKNOWN
    return verdicts
