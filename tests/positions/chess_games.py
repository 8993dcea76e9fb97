"""Random games of chess as batches, for the tests of selections."""

from __future__ import annotations

import random

from evalsmith.games import OVER, find_game
from evalsmith.records import Batch, Record, Score
from evalsmith.records.batch import join

CHESS = find_game("chess")


def random_moves(seed: int, plies: int) -> list[int]:
    choose, position, moves = random.Random(seed), CHESS.start(), []
    while len(moves) < plies and CHESS.status(position) != OVER:
        moves.append(choose.choice(CHESS.moves(position)))
        position = CHESS.play_unchecked(position, moves[-1])
    return moves


def record(seed: int, plies: int = 60, **facts: object) -> Record:
    told: dict[str, object] = {"result": (-1, 0, 1)[seed % 3] * CHESS.win, "number": seed + 1, **facts}
    return Record("chess", tuple(random_moves(seed, plies)), **told)  # type: ignore[arg-type]


def batch(*records: Record) -> Batch:
    return join(list(records), "chess", "games")


def scored(seed: int, plies: int = 20) -> Record:
    """A game in which every second move has a score."""
    moves = random_moves(seed, plies)
    scores = tuple(Score(10 * ply, ply + 1) if ply % 2 == 0 else None for ply in range(len(moves)))
    return Record("chess", tuple(moves), result=CHESS.win, scores=scores)
