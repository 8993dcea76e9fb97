"""Random games of DVONN for tests of its formats."""

from __future__ import annotations

import functools
import random

from evalsmith.games import OVER, find_game
from evalsmith.records import Record

GAME = find_game("dvonn")


@functools.cache
def played(seed: int) -> Record:
    rng, position, moves = random.Random(seed), GAME.start(), []
    while legal := GAME.moves(position):
        move = rng.choice(legal)
        moves.append(move)
        position = GAME.play_unchecked(position, move)
    assert GAME.status(position) == OVER
    margin = GAME.result(position) * (1 if GAME.mover(position) == 0 else -1)
    names = (f"./first --seed {seed}", "second")
    return Record("dvonn", tuple(moves), result=margin, finished=True, players=names)
