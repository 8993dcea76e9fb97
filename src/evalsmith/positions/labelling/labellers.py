"""Who gives positions their labels: playouts, searches, exact solvers, players behind a protocol.

A labeller is made for one chunk of positions, in the thread that works on it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import OVER, Game, Position
from evalsmith.games.board import Board
from evalsmith.players import Failure, Seat, parse_player, take_seat
from evalsmith.players.uci_seat import UciSeat
from evalsmith.positions.samples import EXACT, NONE, PLAYER, PLAYOUT, SEARCH, UNKNOWN, no_lines
from evalsmith.positions.store.columns import MOST_LINES
from evalsmith.run import DEFAULT_SEED, InputError, derive
from evalsmith.search import Limit, play_game, prepare
from evalsmith.weights import fitted_weights

WAYS = {"result": NONE, "playout": PLAYOUT, "search": SEARCH, "solve": EXACT, "player": PLAYER}
_DEEPEST = 2**15 - 1  # what the column of depths holds
_PATIENCE = 3  # times a program is started again before its positions are given up


@dataclass(frozen=True)
class LabelConfig:
    """How labels are made: ``by`` one of WAYS, by which player, under which limit.

    ``stages`` takes only those from the first to the last; ``missing`` only positions without a score. ``empties`` is
    for solvers that count them: positions with more stay as they are. ``multipv`` keeps so many best moves of a search
    with their scores, by our search or by a program that speaks UCI or USI.
    """

    by: str
    player: str = "self"
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    empties: int | None = None
    stages: tuple[int, int] | None = None
    missing: bool = False
    seed: int = DEFAULT_SEED
    multipv: int | None = None

    def __post_init__(self) -> None:
        if self.by not in WAYS:
            raise InputError(f"labels are made by {', '.join(WAYS)}, not by {self.by!r}")
        if self.by == "solve" and (self.nodes or self.depth):
            raise InputError("a solver has no limit of nodes or depth; --empties and --movetime bound its work")
        if self.stages is not None and self.stages[0] > self.stages[1]:
            raise InputError(f"the stages go from {self.stages[0]} down to {self.stages[1]}; write the lower one first")
        if self.empties is not None and self.empties < 0:
            raise InputError(f"the number of empties must not be negative, but it is {self.empties}")
        if self.multipv is not None and not 1 <= self.multipv <= MOST_LINES:
            raise InputError(f"the number of lines is from 1 to {MOST_LINES:,}, not {self.multipv}")
        if self.multipv is not None and self.by not in ("search", "player"):
            raise InputError(f"labels by {self.by} have no lines; --multipv goes with search and player")
        Limit(depth=self.depth, nodes=self.nodes, seconds=self.seconds)

    @property
    def limit(self) -> Limit:
        """The limit of a search or of a move; 1,000 nodes where none was given."""
        none = not (self.nodes or self.depth or self.seconds)
        return Limit(depth=self.depth, nodes=1000 if none else self.nodes, seconds=self.seconds)

    def to_json(self) -> dict[str, Any]:
        """What was asked, without what was not."""
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Labels:
    """Scores for the mover, UNKNOWN where there is none, depths, -1 where they are not known, and lines as samples'."""

    scores: npt.NDArray[np.int32]
    depths: npt.NDArray[np.int16]
    lines: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Told:
    """What is told of one position: its score, how deep that looked, and the best moves with score and depth each."""

    score: int = UNKNOWN
    depth: int = -1
    lines: tuple[tuple[int, int, int], ...] = ()


class Stopped(Exception):
    """The work was interrupted; a chunk that is not whole is not kept."""


class Labelling:
    """Labels chunks of positions, each call in any thread; ``stop`` ends those under way."""

    def __init__(self, game: Game, config: LabelConfig) -> None:
        self.game, self.config = game, config
        self.player = parse_player(config.player, game)
        self.flag = np.zeros(1, dtype=np.int64)
        self._gate = threading.Lock()
        self._stops: list[Callable[[], None]] = []
        self._solver = game.hook("solve_many") if config.by == "solve" else None
        # Good weights order the moves of a solve; its score does not depend on them.
        self._fitted = fitted_weights(game) if self._solver is not None else None
        if config.by == "solve" and self._solver is None:
            raise InputError(f"{game.title} has no solver of many positions")
        if config.by in ("playout", "search") and (self.player.outside is not None or self.player.random):
            raise InputError(f"labels by {config.by} are our search's; --by player asks {self.player.name}")
        protocol = None if self.player.outside is None else self.player.outside.protocol
        if config.multipv is not None and config.by == "player" and protocol not in ("uci", "usi"):
            whose = f"who speaks {protocol}" if protocol else "our own search, which --by search asks for its lines"
            raise InputError(f"lines are told by programs behind UCI and USI; {self.player.name} is {whose}")

    @property
    def weights_hash(self) -> str:
        """What distinguishes two players of the same name."""
        from hashlib import blake2b

        return blake2b(self.player.weights.values.tobytes(), digest_size=8).hexdigest()

    def stop(self) -> None:
        """End all work soon."""
        self.flag[0] = 1
        with self._gate:
            for each in self._stops:
                each()

    def label(self, words: npt.NDArray[np.uint64], number: int, told: Callable[[int], None]) -> Labels:
        """The labels of one chunk; ``number`` makes what is drawn repeatable, ``told`` hears how many are done."""
        if self._solver is not None:
            return self._solve(words, told)
        scores = np.full(len(words), UNKNOWN, dtype=np.int32)
        depths = np.full(len(words), -1, dtype=np.int16)
        lines = no_lines(len(words), self.config.multipv or 0)
        ask, close = self._asker(number)
        try:
            for row, position in enumerate(words):
                if self.flag[0]:
                    raise Stopped
                if self.game.status(position) != OVER:
                    told_here = ask(position)
                    scores[row], depths[row] = told_here.score, min(told_here.depth, _DEEPEST)
                    for place, line in enumerate(told_here.lines[: lines.shape[1]]):
                        lines[row, place] = line
                told(1)
        finally:
            close()
        return Labels(scores, depths, lines)

    def _solve(self, words: npt.NDArray[np.uint64], told: Callable[[int], None]) -> Labels:
        options: dict[str, Any] = {"stop": self.flag}
        if self._fitted is not None:
            options["weights"] = self._fitted.engine_row
        if self.config.empties is not None:
            options["empties"] = self.config.empties
        if self.config.seconds is not None:
            options["seconds"] = self.config.seconds * len(words)
        assert self._solver is not None
        found = self._solver(words, **options)
        if self.flag[0]:
            raise Stopped
        told(len(words))
        scores = np.where(found.solved, found.scores, UNKNOWN).astype(np.int32)
        return Labels(scores, np.full(len(words), -1, dtype=np.int16), no_lines(len(words)))

    def _asker(self, number: int) -> tuple[Callable[[Position], Told], Callable[[], None]]:
        """What gives one position its label, and what ends it."""
        game, limit = self.game, self.player.limit or self.config.limit
        if self.config.by == "player":
            seats = _Seats(self, self.config.limit, derive(self.config.seed, "label", number))
            return seats.ask, seats.close
        searcher = self.player.searcher(limit, derive(self.config.seed, "label", number))
        with self._gate:
            self._stops.append(searcher.stop)

        def close() -> None:
            with self._gate:
                self._stops.remove(searcher.stop)

        def playout(position: Position) -> Told:
            prepare(searcher, limit, derive(self.config.seed, "label", number))
            played = play_game(game, searcher, searcher, position)
            if played.stopped or self.flag[0]:
                raise Stopped
            return Told(played.result if game.mover(position) == 0 else -played.result)

        def search(position: Position) -> Told:
            # Nothing is kept from one position to the next, so that a label depends on its position alone.
            searcher.new_game()
            found = searcher.think(position, limit, self.config.multipv or 1).lines
            if not found:
                return Told()
            # A line that no depth was finished of has no score of its own.
            judged = tuple((line.move, line.score, line.depth) for line in found if line.depth > 0 and line.move >= 0)
            return Told(found[0].score, found[0].depth, judged if self.config.multipv else ())

        return (playout if self.config.by == "playout" else search), close


class _Seats:
    """A player's seat, taken anew when the player fails."""

    def __init__(self, work: Labelling, limit: Limit, seed: int) -> None:
        self.work, self.limit, self.seed = work, limit, seed
        self.seat: Seat | None = None
        self.failures = 0

    def ask(self, position: Position) -> Told:
        for _ in range(_PATIENCE):
            try:
                return self._choose(position)
            except Failure as failure:
                self.close()
                self.failures += 1
                if self.failures >= _PATIENCE:
                    name = self.work.player.name
                    raise InputError(f"{name} failed {self.failures} times, the last by {failure}") from None
        return Told()

    def _choose(self, position: Position) -> Told:
        if self.seat is None:
            self.seat = self._seat()
        seat, board = self.seat, Board(self.work.game, position)
        seat.begin(position, board.mover)
        choice = seat.choose(board)
        lines: tuple[tuple[int, int, int], ...] = ()
        if isinstance(seat, UciSeat) and self.work.config.multipv:
            lines = tuple((move, told.score or 0, _depth(told.depth)) for move, told in seat.lines(board))
        seat.end()
        self.failures = 0
        return Told() if choice.score is None else Told(choice.score, _depth(choice.depth), lines)

    def _seat(self) -> Seat:
        seat = take_seat(self.work.player, self.limit, self.seed)
        if isinstance(seat, UciSeat):
            seat.multipv = self.work.config.multipv or 1
        return seat

    def close(self) -> None:
        if self.seat is not None:
            self.seat.close()
            self.seat = None


def _depth(told: int | None) -> int:
    return -1 if told is None else min(told, _DEEPEST)
