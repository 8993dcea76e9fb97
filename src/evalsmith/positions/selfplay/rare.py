"""Extra positions for features that a dataset hardly has: drawn from random games, and played out.

Which feature a position has is what ``terms`` says. Random games reach what sensible ones avoid; of their positions
those are taken that have a feature seen fewer than N times so far.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from evalsmith.engine import Limit, play_game, prepare
from evalsmith.games import Game, Position
from evalsmith.players import parse_player
from evalsmith.positions.openings.drawing import random_opening
from evalsmith.positions.samples import Replayer, Samples
from evalsmith.weights.counting import FeatureCounts

Playout = Callable[[Position], int | None]
"""The result of a position for side 0 when our search plays it out; None where that was interrupted."""


@dataclass(frozen=True)
class RareSearch:
    """Which features are rare (seen fewer than ``below`` times), and the random games that are searched for them."""

    below: int
    games: int
    first_number: int


def rare_samples(counts: FeatureCounts, search: RareSearch, playout: Playout, source: random.Random) -> Samples:
    """Samples with rare features out of some random games, with their playout values."""
    game = counts.game
    found = [Samples.join([], game.words)]
    for number in range(search.first_number, search.first_number + search.games):
        played = _random_positions(game, number, source)
        rare = played.take(counts.take_rare(played.words, search.below))
        for row, position in enumerate(rare.words):
            result = playout(position)
            if result is None:
                raise KeyboardInterrupt
            rare.result[row] = result if game.mover(position) == 0 else -result
        found.append(rare)
    return Samples.join(found, game.words)


def _random_positions(game: Game, number: int, source: random.Random) -> Samples:
    """The positions of one game of random moves in which a player moves."""
    searcher = parse_player("random", game).searcher(Limit(nodes=1), source.getrandbits(62))
    start, moves = random_opening(game, 1, source) or (game.start(), [])
    prepare(searcher, Limit(nodes=1), source.getrandbits(62), random=True)
    played = play_game(game, searcher, searcher, start)
    return Replayer(game).samples(number, start, played.moves, None, first_ply=len(moves))
