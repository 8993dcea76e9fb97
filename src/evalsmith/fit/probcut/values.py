"""The values of positions at every depth: what one search after another finds, each one ply deeper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import load
from evalsmith.engine import Limit, Searcher, evaluate
from evalsmith.engine.alphabeta.deepening import new_game, think
from evalsmith.fit.probcut.regression import UNKNOWN, Values
from evalsmith.games.scores import is_decided
from evalsmith.scale import Job, Report
from evalsmith.weights import Weights

TABLE_BYTES = 1 << 24


@dataclass(frozen=True)
class Chunk:
    """Some of the positions, and the number of the first."""

    first: int
    words: npt.NDArray[np.uint64]


def values_job(weights: Weights, depth: int, nodes: int, without: tuple[str, ...]) -> Job:
    """Long work whose items are chunks."""
    shared = (weights, depth, nodes, without)
    return Job("evalsmith.fit.probcut.values:DepthSearcher", shared, prepare="evalsmith.fit.probcut.values:prepare")


def prepare(*shared: object) -> None:
    """Load what all workers of a process need."""
    load(think, new_game)


class DepthSearcher:
    """A worker: searches positions to depth 1, 2, … and keeps what each depth found."""

    def __init__(self, weights: Weights, depth: int, nodes: int, without: tuple[str, ...]) -> None:
        self.weights, self.depth, self.nodes = weights, depth, nodes
        self.game = weights.game
        # A fit must not rest on cuts of an earlier one.
        self.searcher = Searcher(self.game, weights, TABLE_BYTES, without=(*without, "probcut"))
        self._stopped = False

    def do(self, item: Chunk, report: Report) -> Values:
        """The values of a chunk: a row a position, a column a depth; UNKNOWN where a depth was not searched."""
        found = np.full((len(item.words), self.depth + 1), UNKNOWN, dtype=np.int64)
        for row, position in enumerate(item.words):
            self._search(position, found[row])
            report(1)
        return found

    def _search(self, position: npt.NDArray[np.uint64], row: Values) -> None:
        win, spent = self.game.win, 0
        row[0] = evaluate(self.game, self.weights, position)
        self.searcher.new_game()
        for depth in range(1, self.depth + 1):
            found = self.searcher.think(position, Limit(depth=depth))
            if self._stopped:
                raise KeyboardInterrupt
            # A search that ended before its depth has solved the position, and a proven win has no error.
            if found.depth < depth or is_decided(found.lines[0].score, win):
                return
            row[depth] = found.lines[0].score
            spent += found.nodes
            if spent >= self.nodes:
                return

    def stop(self) -> None:
        """Drop what is under way."""
        self._stopped = True
        self.searcher.stop()

    def close(self) -> None:
        """Nothing to end."""
