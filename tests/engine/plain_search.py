"""The search, written to be believed: every move and every outcome, nothing pruned, nothing remembered."""

from __future__ import annotations

import math
import random

from evalsmith.engine import evaluate
from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.weights import Weights


def value(game: Game, weights: Weights, position: Position, depth: int, ply: int = 0) -> int:
    """What the mover can reach in ``depth`` moves; chance is averaged and takes no depth, not after the last."""
    status = game.status(position)
    if status == OVER:
        result = game.result(position)
        if game.win and result:
            return result - ply if result > 0 else result + ply
        return result
    if depth == 0:
        return evaluate(game, weights, position)
    if status == CHANCE:
        chances = game.chance(position)
        mean = 0.0
        for outcome, probability in enumerate(chances):
            child = game.reveal(position, outcome)
            mean += probability * signed(game, position, child, value(game, weights, child, depth, ply + 1))
        return math.floor(mean + 0.5)
    return max(values_of_moves(game, weights, position, depth, ply).values())


def values_of_moves(game: Game, weights: Weights, position: Position, depth: int, ply: int = 0) -> dict[int, int]:
    """The value of each move for the mover."""
    found = {}
    for move in game.moves(position):
        child = game.play(position, move)
        found[move] = signed(game, position, child, value(game, weights, child, depth - 1, ply + 1))
    return found


def signed(game: Game, parent: Position, child: Position, amount: int) -> int:
    """A child's value for the mover of its parent."""
    return amount if game.mover(parent) == game.mover(child) else -amount


def random_positions(game: Game, count: int, seed: int, least: int = 0, most: int = 1000) -> list[Position]:
    """Positions of random games, from ``least`` to ``most`` plies after the start, in which a player moves."""
    choose = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position, ply, reached = game.start(), 0, []
        while (status := game.status(position)) != OVER:
            if status == CHANCE:
                position = game.reveal(position, choose.randrange(len(game.chance(position))))
                continue
            if least <= ply <= most:
                reached.append(position)
            position = game.play(position, choose.choice(game.moves(position)))
            ply += 1
        if reached:
            found.append(choose.choice(reached))
    return found
