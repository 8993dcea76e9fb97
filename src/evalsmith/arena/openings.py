"""Openings for matches: distinct random positions, the same for every pairing of one seed."""

from __future__ import annotations

import random

from evalsmith.games import Game, Position
from evalsmith.positions import random_opening
from evalsmith.run import InputError, derive

# Draws in a row that give nothing new before we say that there are no more: the last of many is rarely drawn.
_PATIENCE, _PATIENCE_EACH = 200, 50


def random_openings(game: Game, count: int, plies: int, seed: int) -> list[tuple[Position, list[int]]]:
    """``count`` distinct positions after ``plies`` random plies, and the moves to each."""
    source = random.Random(derive(seed, "openings", plies))
    seen: set[int] = set()
    found: list[tuple[Position, list[int]]] = []
    failures = 0
    while len(found) < count:
        opening = random_opening(game, plies, source)
        key = None if opening is None else game.key(opening[0])
        if opening is None or key is None or key in seen:
            failures += 1
            if failures > _PATIENCE + _PATIENCE_EACH * len(found):
                raise InputError(
                    f"{game.name} has no {count} distinct openings of {plies} random plies ({len(found)} found); "
                    "ask for more plies or fewer games"
                )
            continue
        failures = 0
        seen.add(key)
        found.append(opening)
    return found
