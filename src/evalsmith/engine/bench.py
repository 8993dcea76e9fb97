"""One node count over fixed positions of every game: a change of what the search does is seen at once.

Each position is searched to a fixed depth by one thread with the game's default weights, and solved where the game has
a solver. Tree search is counted too, in simulations until they reach a mean length, but stays out of the total: its
exponentials differ in the last bit between processors.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from evalsmith.engine.alphabeta.searcher import Searcher
from evalsmith.engine.limit import Limit
from evalsmith.engine.mcts.searcher import MctsSearcher
from evalsmith.games import Game, find_game
from evalsmith.weights import default_weights

ALPHABETA, MCTS, SOLVE = "alphabeta", "mcts", "solve"
_MAX_SIMULATIONS = 20_000


@dataclass(frozen=True)
class BenchLine:
    """What one method needed for the positions of one game; nodes of ``mcts`` are simulations."""

    game: str
    method: str
    nodes: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        """The speed."""
        return self.nodes / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class BenchResult:
    """The lines of all games, and their total."""

    lines: tuple[BenchLine, ...]

    @property
    def nodes(self) -> int:
        """The nodes of alpha-beta and of the solver: the same on every machine."""
        return sum(line.nodes for line in self.lines if line.method != MCTS)

    @property
    def seconds(self) -> float:
        """The time of what ``nodes`` counts."""
        return sum(line.seconds for line in self.lines if line.method != MCTS)

    @property
    def games(self) -> dict[str, dict[str, int]]:
        """The node count of each method, by game."""
        counts: dict[str, dict[str, int]] = {}
        for line in self.lines:
            counts.setdefault(line.game, {})[line.method] = line.nodes
        return counts


def run_bench(watch: Callable[[BenchLine], None] | None = None) -> BenchResult:
    """Search the fixed positions of all games; ``watch`` sees each line as it is done."""
    lines = []
    content = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for name, entry in content.items():
        for line in _lines(find_game(name), entry):
            lines.append(line)
            if watch is not None:
                watch(line)
    return BenchResult(tuple(lines))


def _lines(game: Game, entry: dict[str, Any]) -> Iterator[BenchLine]:
    """The methods of one game, one after another."""
    positions = [game.parse(text) for text in entry["positions"]]
    for method, searcher, limit in (
        (ALPHABETA, Searcher(game), Limit(depth=entry["depth"])),
        (MCTS, MctsSearcher(game), Limit(depth=entry["simulations"], nodes=_MAX_SIMULATIONS)),
    ):
        nodes, began = 0, perf_counter()
        for position in positions:
            searcher.new_game()
            nodes += searcher.think(position, limit).nodes
        yield BenchLine(game=game.name, method=method, nodes=nodes, seconds=perf_counter() - began)
    solve = game.hook("solve")
    if solve is not None and entry.get("solve"):
        weights, began = default_weights(game).engine_row, perf_counter()
        nodes = sum(solve(game.parse(text), weights=weights).nodes for text in entry["solve"])
        yield BenchLine(game=game.name, method=SOLVE, nodes=nodes, seconds=perf_counter() - began)
