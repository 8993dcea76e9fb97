"""Openings by random plies, from the start or from a position of a book."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.run import InputError

_PATIENCE = 1000  # openings drawn before we say that every game ends within that number of random plies


def random_opening(
    game: Game, plies: int, source: random.Random, start: Position | None = None
) -> tuple[Position, list[int]] | None:
    """A position some random plies from the start, and the moves to it; None where the game ended before."""
    position, moves = game.start() if start is None else start, []
    for _ in range(plies):
        status = game.status(position)
        if status == OVER:
            return None
        moves.append(game.draw(position, source) if status == CHANCE else source.choice(game.moves(position)))
        position = game.step(position, moves[-1])
    return None if game.status(position) == OVER else (position, moves)


def draw_opening(
    game: Game, plies: int, source: random.Random, book: npt.NDArray[np.uint64] | None = None
) -> tuple[Position, list[int]]:
    """An opening, drawn until one does not end the game."""
    for _ in range(_PATIENCE):
        start = None if book is None else book[source.randrange(len(book))].copy()
        opening = random_opening(game, plies, source, start)
        if opening is not None:
            return opening
    raise InputError(f"games of {game.name} are over before {plies} random plies; ask for fewer")
