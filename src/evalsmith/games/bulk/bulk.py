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

Texts: TypeAlias = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]
"""Texts as bytes one after another, and where each begins and the last ends."""

Moves: TypeAlias = npt.NDArray[np.int32]

# What ``judge`` says of a row: no position; one; or that only its text can tell.
INVALID, VALID, UNKNOWN = 0, 1, 2


@dataclass(frozen=True)
class Bulk:
    """A game's positions in bulk.

    ``stored`` are the words that a file must hold; ``restore`` fills in the others, from whatever the stored ones are.
    ``judge`` calls restored rows INVALID, VALID or UNKNOWN: kernels may be called on all but the INVALID ones.
    ``images`` gives the rows under each symmetry of the game, in its order. ``plies``, where positions tell it, is how
    many plies were played before each: in a list of positions a new game begins where that does not grow.
    ``texts`` writes all rows at once; it gives None where one of them is beyond it, and is None where a game has
    nothing faster than ``Game.format``. ``fixed_names`` says which moves have the same text in every position.
    """

    stored: tuple[int, ...]
    restore: Callable[[Rows], None]
    judge: Callable[[Rows], npt.NDArray[np.uint8]]
    images: Callable[[Rows], list[Rows]]
    plies: Callable[[Rows], npt.NDArray[np.int64]] | None = None
    texts: Callable[[Rows], Texts | None] | None = None
    fixed_names: Callable[[Moves], npt.NDArray[np.bool_]] | None = None


def bulk_of(game: Game) -> Bulk:
    """The game's own, or else row by row."""
    own = game.hook("bulk")
    return own if isinstance(own, Bulk) else row_by_row(game)


def row_by_row(game: Game) -> Bulk:
    """Positions in bulk for any game: every word is stored, and rows go through texts and symmetries one by one.

    An author who writes some of it himself replaces that: ``replace(row_by_row(GAME), texts=texts)``.
    """

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


def all_fixed(moves: Moves) -> npt.NDArray[np.bool_]:
    """For ``fixed_names``: no move's text depends on the position."""
    return np.ones(len(moves), dtype=np.bool_)


def verdict(valid: npt.NDArray[np.bool_], unknown: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.uint8]:
    """Rows that are valid, some of them only if their text agrees."""
    verdicts = np.where(valid, VALID, INVALID).astype(np.uint8)
    if unknown is not None:
        verdicts[valid & unknown] = UNKNOWN
    return verdicts
