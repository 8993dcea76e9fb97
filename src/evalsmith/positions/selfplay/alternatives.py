"""Alternatives: in a game played alone, what becomes of several moves of one decision.

All positions of such a game have one result, and it says how lucky the game was, not which move was right; and good
play never shows how bad the other moves are. So of some decisions several moves are played on, greedily and with the
same chances for each. The evaluation of where that leads is the value of the position after the move: the
evaluation as it would be with some more moves of foresight. Only the differences between the moves of one decision
mean something; its rows share their game and ply.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.engine.playing import BY_RULE, REASONS, PlayedGame
from evalsmith.games import OVER, Game, Position, contract
from evalsmith.positions.samples import PLAYOUT, UNKNOWN, Samples
from evalsmith.weights import Weights

EVERY = 8  # one decision of so many: neighbours have nearly the same alternatives
BEST_SHARE = 2 / 3  # of the alternatives that are the best by evaluation; the others are drawn, to see bad boards too
WON = 100  # what clearing the board is worth more than an evaluation of 0, in the game's unit
LOST = 5000  # and what losing it costs, besides a hundred for each thing that is left
_GREEDY = Limit(depth=1)
_TABLE_BYTES = 1 << 14  # cleared before every playout


@dataclass(frozen=True)
class Decision:
    """A position with a player to move, and its place."""

    position: Position
    game: int
    ply: int


class Alternatives:
    """Plays the moves of decisions on, with given weights; for one thread."""

    def __init__(self, game: Game, weights: Weights, count: int, lookahead: int) -> None:
        self.game, self.count = game, count
        self.searcher = Searcher(game, weights, _TABLE_BYTES)
        self._remaining = game.hook("remaining")
        # An outcome of chance comes with every move.
        self._steps = 2 * lookahead if game.max_outcomes else lookahead

    def samples(self, played: Samples, source: random.Random) -> Samples:
        """The alternatives of every eighth decision of one game."""
        found = [Samples.join([], self.game.words)]
        for row in range(source.randrange(EVERY), len(played), EVERY):
            decision = Decision(played.words[row], int(played.game[row]), int(played.ply[row]))
            found.append(self.judge(decision, source))
        return Samples.join(found, self.game.words)

    def judge(self, decision: Decision, source: random.Random) -> Samples:
        """The positions after some moves of a decision, with their values; none where there is nothing to choose."""
        children = self._children(decision.position, source)
        if len(children) < 2:
            return Samples.join([], self.game.words)
        seed = source.getrandbits(62)
        return Samples(
            words=np.stack(children),
            game=np.full(len(children), decision.game, dtype=np.int64),
            ply=np.full(len(children), decision.ply, dtype=np.int32),
            phase=np.array([self._ask(contract.PHASE, child) for child in children], dtype=np.int32),
            result=np.full(len(children), UNKNOWN, dtype=np.int32),
            score=np.array([self.value(child, seed) for child in children], dtype=np.int32),
            label=np.full(len(children), PLAYOUT, dtype=np.int8),
        )

    def value(self, position: Position, seed: int) -> int:
        """What the evaluation says of a position some greedy moves later; the seed fixes the chances."""
        prepare(self.searcher, _GREEDY, seed)
        played = play_game(self.game, self.searcher, self.searcher, position, max_steps=self._steps)
        if played.reason == REASONS[BY_RULE]:
            return self._end(played)
        return self._evaluation(played.final)

    def _end(self, played: PlayedGame) -> int:
        if played.result > 0:
            return WON
        return -LOST - 100 * (int(self._remaining(played.final)) if self._remaining else 1)

    def _children(self, position: Position, source: random.Random) -> list[Position]:
        """The positions after the best moves by evaluation, and after some drawn of the others; finished games not."""
        game = self.game
        children = [game.play_unchecked(position, move) for move in game.moves(position)]
        going_on = [child for child in children if game.status(child) != OVER]
        order = np.argsort([-self._evaluation(child) for child in going_on], kind="stable").tolist()
        best = round(BEST_SHARE * self.count)
        others = order[best:]
        drawn = source.sample(others, min(self.count - best, len(others)))
        return [going_on[place] for place in (*order[:best], *drawn)]

    def _evaluation(self, position: Position) -> int:
        return int(contract.call_evaluate(self.searcher.context.row, position))

    def _ask(self, slot: int, position: Position) -> int:
        return int(contract.call_position(self.searcher.context.row, slot, position))


def decisions(samples: Samples) -> npt.NDArray[np.int64]:
    """The number of the decision that each row is an alternative of, from 0 up; -1 for rows that are none.

    Alternatives are rows with the value of a playout that share their game and ply with others.
    """
    numbers = np.full(len(samples), -1, dtype=np.int64)
    rows = np.flatnonzero((samples.label == PLAYOUT) & (samples.score != UNKNOWN))
    if not len(rows):
        return numbers
    place = np.stack([samples.source[rows].astype(np.int64), samples.game[rows], samples.ply[rows]], axis=1)
    _, which, counts = np.unique(place, axis=0, return_inverse=True, return_counts=True)
    several = counts[which.reshape(-1)] > 1
    _, numbers[rows[several]] = np.unique(which.reshape(-1)[several], return_inverse=True)
    return numbers
