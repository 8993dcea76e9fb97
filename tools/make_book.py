"""Make the book of openings that a game ships: ``make book-chess``, ``make book-shogi``.

A line is drawn ply by ply among the moves that a shallow search finds nearly best, the better ones more often. It is
kept if its last position was not reached before and if deeper searches find that position balanced. All searches have
one thread and the hand-set weights, and every line has a random stream of its own, so the same seed makes the same
book with any number of cores.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from evalsmith.engine import Limit, Searcher
from evalsmith.games import OVER, Game, Position, find_game
from evalsmith.positions.openings.book import BOOK
from evalsmith.run import EvalsmithError, InputError, derive, write_text
from evalsmith.run.watching import Watch, bars, unwatched
from evalsmith.scale import cores, on_threads
from evalsmith.weights import load_weights

TABLE_BYTES = 1 << 23
_BATCH = 64  # lines that are drawn at once
_PATIENCE = 40  # lines drawn for each one that is wanted, before we say that there are too few


@dataclass(frozen=True)
class Recipe:
    """What decides a book. Scores are in the game's unit, which is a hundredth of a pawn in chess and shogi."""

    lines: int = 300
    plies: int = 8  # all alike, so that no line is the beginning of another
    seed: int = 1
    depth: int = 4  # of the search that offers moves; complete, for scores of different depths do not compare
    moves: int = 10  # that it offers
    near: int = 30  # how much worse than the best a move may be
    temperature: float = 15.0  # a move that is worse by this is drawn 2.7 times less often
    # Searches that judge the last position: nodes and largest score. What only one of them finds balanced is sharp.
    checks: tuple[tuple[int, int], ...] = ((2_000, 60), (20_000, 30), (100_000, 60))

    def head(self, game: Game) -> str:
        """What a book says of itself."""
        checks = ", ".join(f"±{bound} at {nodes:,}" for nodes, bound in self.checks)
        return (
            f"# Balanced openings of {game.title}, made by tools/make_book.py with seed {self.seed}:\n"
            f"# {self.plies} plies within {self.near} {game.units} of the best at depth {self.depth}, "
            f"then within {checks} nodes.\n"
        )


@dataclass(frozen=True)
class Line:
    """A balanced opening: its moves as text, and the key of its last position."""

    text: str
    key: int


class Drawing:
    """Draws lines, each by its number; each thread has a searcher of its own."""

    def __init__(self, game: Game, recipe: Recipe) -> None:
        self.game, self.recipe = game, recipe
        self._weights = load_weights("hand-set", game)
        self._local = threading.local()
        self._searchers: list[Searcher] = []

    def line(self, number: int) -> Line | None:
        """The line of that number; None if it is not balanced, or if the game ended before."""
        game, recipe = self.game, self.recipe
        source = random.Random(derive(recipe.seed, "book", number))
        position, words = game.start(), []
        for _ in range(recipe.plies):
            if game.status(position) == OVER:
                return None
            move = self._choose(position, source)
            words.append(game.format_move(position, move))
            position = game.step(position, move)
        if game.status(position) == OVER:
            return None
        if not all(abs(self._think(position, Limit(nodes=n), 1)[0][1]) <= bound for n, bound in recipe.checks):
            return None
        return Line(" ".join(words), game.key(position))

    def stop(self) -> None:
        """Stop the searches that run."""
        for searcher in self._searchers:
            searcher.stop()

    def _choose(self, position: Position, source: random.Random) -> int:
        """A move that is nearly the best."""
        offered = self._think(position, Limit(depth=self.recipe.depth), self.recipe.moves)
        best = max(score for _, score in offered)
        near = [(move, score) for move, score in offered if score >= best - self.recipe.near]
        weights = [math.exp((score - best) / self.recipe.temperature) for _, score in near]
        return source.choices([move for move, _ in near], weights)[0]

    def _think(self, position: Position, limit: Limit, moves: int) -> list[tuple[int, int]]:
        """The best moves and their scores."""
        if not hasattr(self._local, "searcher"):
            self._local.searcher = Searcher(self.game, self._weights, TABLE_BYTES)
            self._searchers.append(self._local.searcher)
        searcher: Searcher = self._local.searcher
        searcher.new_game()
        return [(line.move, line.score) for line in searcher.think(position, limit, moves).lines]


def make_book(game: Game, recipe: Recipe, progress: Watch = unwatched) -> str:
    """The text of a book."""
    chosen: dict[int, str] = {}
    with progress(f"openings of {game.name}", recipe.lines, "lines") as shown, closing(_drawn(game, recipe)) as drawn:
        for line in itertools.islice(drawn, _PATIENCE * recipe.lines):
            if line is None or line.key in chosen:
                continue
            chosen[line.key] = line.text
            shown.advance()
            if len(chosen) == recipe.lines:
                break
    if len(chosen) < recipe.lines:
        raise InputError(f"only {len(chosen)} balanced openings of {game.name} were found; ask for more plies or nodes")
    return recipe.head(game) + "".join(f"{text}\n" for text in sorted(chosen.values()))


def _drawn(game: Game, recipe: Recipe) -> Iterator[Line | None]:
    """The lines in the order of their numbers."""
    drawing = Drawing(game, recipe)
    for first in itertools.count(0, _BATCH):
        lines = dict(on_threads(drawing.line, range(first, first + _BATCH), cores(), drawing.stop))
        yield from (lines[number] for number in sorted(lines))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--output", type=Path, help=f"the file; {BOOK} of the game's package if left out")
    parser.add_argument("--lines", type=int, default=Recipe.lines)
    parser.add_argument("--seed", type=int, default=Recipe.seed)
    given = parser.parse_args()
    try:
        game = find_game(given.game)
        output = given.output or Path(game.rules_module.__file__ or "").parent / BOOK
        write_text(output, make_book(game, Recipe(given.lines, seed=given.seed), bars))
        print(f"{output}: {given.lines:,} openings, {output.stat().st_size:,} bytes", file=sys.stderr)
    except EvalsmithError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
