"""Searching and solving a board: what a person asks, with moves as players write them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evalsmith.engine.alphabeta.searcher import Searcher
from evalsmith.engine.constants import CONSTANTS, SearchConstants, constants_of
from evalsmith.engine.limit import Line
from evalsmith.engine.mcts.searcher import MctsSearcher
from evalsmith.engine.settings import SearchSettings
from evalsmith.games import PLAYER, Game, Position
from evalsmith.games.scores import spoken, with_unit
from evalsmith.run.tables import TextTable
from evalsmith.weights import Weights, load_weights

DEFAULT_TREE_BYTES = 64 << 20
_WATCH_SECONDS = 1.0


class BoardLike(Protocol):
    """What is searched: a game, a position, and the positions before it."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def position(self) -> Position:
        """The position as kernels read it."""

    @property
    def history(self) -> Sequence[Position]:
        """The positions before it, oldest first."""


@dataclass(frozen=True)
class AnalysisLine:
    """One line of play: its first move, the score for the side to move in the game's unit, and the moves after it.

    A tree search also has the visits of the move and its prior, the share of them it was expected to deserve.
    """

    move: str
    score: int
    depth: int
    pv: tuple[str, ...]
    visits: int | None = None
    prior: float | None = None


@dataclass(frozen=True)
class Analysis:
    """What a search found: lines of play, best first, and what they cost."""

    lines: tuple[AnalysisLine, ...]
    game: Game
    nodes: int
    seconds: float
    memory: str = ""

    @property
    def bestmove(self) -> str | None:
        """The best move, None where the game is over."""
        return self.lines[0].move if self.lines else None

    @property
    def score(self) -> int | None:
        """The score of the best move for the side to move, in the game's unit."""
        return self.lines[0].score if self.lines else None

    def table(self) -> TextTable:
        """The lines for a person."""
        if not self.lines:
            return TextTable((), (), ("the game is over",))
        tree = self.lines[0].visits is not None
        rows = tuple(
            (
                line.move,
                spoken(self.game, line.score),
                *((line.visits, f"{100 * (line.prior or 0):.1f} %") if tree else ()),
                line.depth,
                " ".join(line.pv),
            )
            for line in self.lines
        )
        columns = ("move", f"score ({self.game.whole_unit})", *(("visits", "prior") if tree else ()), "depth", "line")
        return TextTable(columns, rows, (cost(self.nodes, self.seconds),))

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table().html()

    def to_json(self) -> dict[str, Any]:
        """The analysis as plain values."""
        lines = [
            {"move": line.move, "score": line.score, "depth": line.depth, "unit": self.game.unit, "nodes": self.nodes,
             "pv": list(line.pv), **({} if line.visits is None else {"visits": line.visits, "prior": line.prior})}
            for line in self.lines
        ]  # fmt: skip
        return {"bestmove": self.bestmove, "lines": lines, "nodes": self.nodes, "seconds": round(self.seconds, 6)}


def search(
    board: BoardLike,
    *,
    weights: str | Weights | None = None,
    watch: Callable[[str], None] | None = None,
    **settings: Any,
) -> Analysis:
    """Search a position for the best moves. The default limit is two seconds.

    >>> import evalsmith as es
    >>> es.search(es.Board("othello", "f5d6c3"), depth=6).bestmove
    'd3'

    ``weights`` are those of the evaluation: a file, a name such as ``hand-set``, or Weights. The settings are those of
    `SearchSettings`: nodes, depth, movetime, multipv, method, threads, memory, without, replacement, seed, and the
    constants of the search, such as lmr_base (those of the game where nothing is said). ``watch`` is called once a
    second with a line of progress.
    """
    chosen = SearchSettings.from_options(settings)
    game, position = board.game, board.position
    constants = constants_of(game).override({name: value for name, value in settings.items() if name in CONSTANTS})
    searcher = _searcher(game, _weights(weights, game), chosen, constants)
    with _Watch(game, position, searcher, watch):
        history = tuple(board.history) if game.has_repetition else ()
        if isinstance(searcher, Searcher):
            found = searcher.think(position, chosen.limit, chosen.multipv, history)
        else:
            found = searcher.think(position, chosen.limit, chosen.multipv, history=history)
    lines = tuple(_line(game, position, line) for line in found.lines)
    return Analysis(lines, game, found.nodes, found.seconds, str(searcher.memory))


def _weights(weights: str | Weights | None, game: Game) -> Weights:
    return load_weights(weights or "self", game) if weights is None or isinstance(weights, str) else weights


def _searcher(
    game: Game, weights: Weights, settings: SearchSettings, constants: SearchConstants
) -> Searcher | MctsSearcher:
    if settings.method == "mcts":
        memory = settings.memory or DEFAULT_TREE_BYTES
        return MctsSearcher(game, weights, memory_bytes=memory, threads=settings.threads, seed=settings.seed)
    return Searcher(
        game,
        weights,
        memory_bytes=settings.memory,
        threads=settings.threads,
        without=settings.without,
        replacement=settings.replacement,
        constants=constants,
    )


def _line(game: Game, position: Position, line: Line) -> AnalysisLine:
    names = move_texts(game, position, line.moves)
    return AnalysisLine(names[0], line.score, line.depth, tuple(names), line.visits, line.prior)


def move_texts(game: Game, position: Position, moves: Sequence[int]) -> list[str]:
    """The moves of a line as programs write them, up to where chance moves."""
    names, here = [], position
    for move in moves:
        names.append(game.format_move(here, move))
        here = game.play_unchecked(here, move)
        if game.status(here) != PLAYER:
            break
    return names


def cost(nodes: int, seconds: float) -> str:
    """Nodes, time and speed of a search in a sentence."""
    return f"{nodes:,} nodes in {seconds:.2f} s ({nodes / max(seconds, 1e-9) / 1e6:.2f} million/s)"


class _Watch:
    """Reports once a second how far a search is."""

    def __init__(
        self, game: Game, position: Position, searcher: Searcher | MctsSearcher, report: Callable[[str], None] | None
    ) -> None:
        self.game, self.position, self.searcher, self.report = game, position, searcher, report
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def __enter__(self) -> None:
        if self.report is not None:
            self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.done.set()
        if self.report is not None:
            self.thread.join()

    def watch(self) -> None:
        assert self.report is not None
        while not self.done.wait(_WATCH_SECONDS):
            for line in self.searcher.lines(1):
                if line.depth:
                    name = self.game.format_move(self.position, line.move)
                    score = with_unit(self.game, line.score)
                    self.report(f"depth {line.depth}: {name} {score}, {self.searcher.nodes:,} nodes")
