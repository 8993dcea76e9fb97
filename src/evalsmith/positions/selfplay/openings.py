"""Where games of self-play begin: some random plies from the start, or from a position of a book."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.records import Batch, Faults, open_records
from evalsmith.run import InputError

_PATIENCE = 1000  # openings drawn before we say that so many random plies end every game
MOST_BOOK = 1_000_000  # positions of a book that are kept


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


def read_book(path: Path, game: Game, plies: int) -> npt.NDArray[np.uint64]:
    """The positions of a list, or those that the games of a file reach after so many plies; none twice."""
    from evalsmith.positions.importing.chunks import read_pieces
    from evalsmith.positions.replay import replay

    found: list[npt.NDArray[np.uint64]] = []
    faults = Faults()
    for source in open_records([path], game.name).sources:
        for piece in read_pieces(source, faults):
            if isinstance(piece, Batch):
                lengths = piece.first[1:] - piece.first[:-1]
                replayed = replay(game, piece.starts, piece.moves, piece.first)
                found.append(replayed.words[piece.first[:-1][lengths > plies] + plies])
            else:
                found.append(piece.words)
            if sum(map(len, found)) > MOST_BOOK:
                break
    rows = np.unique(np.concatenate(found), axis=0) if found else np.zeros((0, game.words), dtype=np.uint64)
    if len(rows) == 0:
        raise InputError(f"{path} has no opening of {plies} plies" + (f": {faults.kept[0]}" if faults.kept else ""))
    return rows
