"""Labellers of positions: playouts, searches, exact solvers, outside players.

A labeller is made for one chunk of positions, in the thread that works on it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evalsmith.engine import Limit, play_game, prepare
from evalsmith.games import OVER, Game, Position
from evalsmith.games.board import Board
from evalsmith.players import Failure, Player, Seat, parse_player, take_seat
from evalsmith.players.files import sent_files
from evalsmith.players.uci_seat import UciSeat
from evalsmith.positions.labelling.settings import LabelSettings
from evalsmith.positions.samples import EXACT, NONE, PLAYER, PLAYOUT, SEARCH, UNKNOWN, no_lines
from evalsmith.run import InputError, derive
from evalsmith.scale import Job, Report
from evalsmith.weights import fitted_weights

CODES = {"result": NONE, "playout": PLAYOUT, "search": SEARCH, "solve": EXACT, "player": PLAYER}
_DEEPEST = 2**15 - 1  # what the column of depths holds
_MAX_FAILURES = 3  # in a row, before a program is given up


@dataclass(frozen=True)
class Labels:
    """Scores for the mover, UNKNOWN where there is none, depths, -1 where they are not known, and lines as samples'."""

    scores: npt.NDArray[np.int32]
    depths: npt.NDArray[np.int16]
    lines: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Label:
    """The label of one position: its score and depth, and the best moves with score and depth each."""

    score: int = UNKNOWN
    depth: int = -1
    lines: tuple[tuple[int, int, int], ...] = ()


class Stopped(Exception):
    """The work was interrupted; a partial chunk is not saved."""


class Labelling:
    """Labels chunks of positions, each call in any thread; ``stop`` ends those under way."""

    def __init__(self, game: Game, settings: LabelSettings, player: Player | None = None) -> None:
        self.game, self.settings = game, settings
        self.limit = Limit(depth=settings.depth, nodes=settings.limit_nodes, seconds=settings.movetime)
        self.player = player or parse_player(settings.player, game)
        self.flag = np.zeros(1, dtype=np.int64)
        self._gate = threading.Lock()
        self._stops: list[Callable[[], None]] = []
        self._solver = game.hook("solve_many") if settings.by == "solve" else None
        # Good weights order the moves of a solve; its score does not depend on them.
        self._fitted = fitted_weights(game) if self._solver is not None else None
        if settings.by == "solve" and self._solver is None:
            raise InputError(f"{game.title} has no solver for many positions")
        if settings.by in ("playout", "search") and (self.player.outside is not None or self.player.random):
            raise InputError(
                f"labels by {settings.by} come from our own search; use --by player for {self.player.name}"
            )
        protocol = None if self.player.outside is None else self.player.outside.protocol
        if settings.multipv is not None and settings.by == "player" and protocol not in ("uci", "usi"):
            whose = f"who speaks {protocol}" if protocol else "our own search, which --by search asks for its lines"
            raise InputError(f"only UCI and USI programs report lines; {self.player.name} is {whose}")

    def __reduce__(self) -> tuple[Any, ...]:
        # Work under way and its locks stay behind.
        return Labelling, (self.game, self.settings, self.player)

    @property
    def weights_hash(self) -> str:
        """What distinguishes two players of the same name."""
        return blake2b(self.player.weights.values.tobytes(), digest_size=8).hexdigest()

    def stop(self) -> None:
        """End all work soon."""
        self.flag[0] = 1
        with self._gate:
            for each in self._stops:
                each()

    def label(self, words: npt.NDArray[np.uint64], number: int, done: Callable[[int], None]) -> Labels:
        """The labels of one chunk; ``number`` seeds what is drawn, ``done`` hears how many positions are done."""
        if self._solver is not None:
            return self._solve(words, done)
        scores = np.full(len(words), UNKNOWN, dtype=np.int32)
        depths = np.full(len(words), -1, dtype=np.int16)
        lines = no_lines(len(words), self.settings.multipv or 0)
        ask, close = self._asker(number)
        try:
            for row, position in enumerate(words):
                if self.flag[0]:
                    raise Stopped
                if self.game.status(position) != OVER:
                    label = ask(position)
                    scores[row], depths[row] = label.score, min(label.depth, _DEEPEST)
                    for place, line in enumerate(label.lines[: lines.shape[1]]):
                        lines[row, place] = line
                done(1)
        finally:
            close()
        return Labels(scores, depths, lines)

    def _solve(self, words: npt.NDArray[np.uint64], done: Callable[[int], None]) -> Labels:
        options: dict[str, Any] = {"stop": self.flag}
        if self._fitted is not None:
            options["weights"] = self._fitted.engine_row
        if self.settings.empties is not None:
            options["empties"] = self.settings.empties
        if self.settings.movetime is not None:
            options["seconds"] = self.settings.movetime * len(words)
        assert self._solver is not None
        found = self._solver(words, **options)
        if self.flag[0]:
            raise Stopped
        done(len(words))
        scores = np.where(found.solved, found.scores, UNKNOWN).astype(np.int32)
        return Labels(scores, np.full(len(words), -1, dtype=np.int16), no_lines(len(words)))

    def _asker(self, number: int) -> tuple[Callable[[Position], Label], Callable[[], None]]:
        """What gives one position its label, and what ends it."""
        game, limit = self.game, self.player.limit or self.limit
        if self.settings.by == "player":
            seats = _Seats(self, self.limit, derive(self.settings.seed, "label", number))
            return seats.ask, seats.close
        searcher = self.player.searcher(limit, derive(self.settings.seed, "label", number))
        with self._gate:
            self._stops.append(searcher.stop)

        def close() -> None:
            with self._gate:
                self._stops.remove(searcher.stop)

        def playout(position: Position) -> Label:
            prepare(searcher, limit, derive(self.settings.seed, "label", number))
            played = play_game(game, searcher, searcher, position)
            if played.stopped or self.flag[0]:
                raise Stopped
            return Label(played.result if game.mover(position) == 0 else -played.result)

        def search(position: Position) -> Label:
            # Nothing is carried from one position to the next, so that a label depends on its position alone.
            searcher.new_game()
            found = searcher.think(position, limit, self.settings.multipv or 1).lines
            if not found:
                return Label()
            # A line that no depth was finished of has no score of its own.
            judged = tuple((line.move, line.score, line.depth) for line in found if line.depth > 0 and line.move >= 0)
            return Label(found[0].score, found[0].depth, judged if self.settings.multipv else ())

        return (playout if self.settings.by == "playout" else search), close


class LabelItem(NamedTuple):
    """Positions of one chunk of a part: their numbers, and their words."""

    part: int
    chunk: int
    words: npt.NDArray[np.uint64]

    def __str__(self) -> str:
        return f"chunk {self.chunk} of part {self.part}"


def are_labels(item: LabelItem, result: object) -> bool:
    """Whether a result has a label for each position."""
    return isinstance(result, Labels) and len(result.scores) == len(result.depths) == len(item.words)


def labelling_job(work: Labelling) -> Job:
    """Chunks of positions as work."""
    here, outside = f"{__name__}:", work.settings.by == "player" and work.player.outside is not None
    files = sent_files(work.player)
    return Job(here + "Labeller", (work,), files=files, programs=outside, light=True, check=here + "are_labels")


class Labeller:
    """Labels one chunk after another; all labellers of a process may share what they label with."""

    def __init__(self, labelling: Labelling) -> None:
        self.labelling = labelling
        labelling.player = labelling.player.here()

    def do(self, item: LabelItem, report: Report) -> Labels:
        """The labels of a chunk."""
        try:
            return self.labelling.label(item.words, (item.part << 20) + item.chunk, report)
        except Stopped:
            raise KeyboardInterrupt from None

    def stop(self) -> None:
        """End the chunk under way."""
        self.labelling.stop()

    def close(self) -> None:
        """Nothing is left between chunks."""


class _Seats:
    """A player's seat, taken again when the player fails."""

    def __init__(self, work: Labelling, limit: Limit, seed: int) -> None:
        self.work, self.limit, self.seed = work, limit, seed
        self.seat: Seat | None = None
        self.failures = 0

    def ask(self, position: Position) -> Label:
        for _ in range(_MAX_FAILURES):
            try:
                return self._choose(position)
            except Failure as failure:
                self.close()
                self.failures += 1
                if self.failures >= _MAX_FAILURES:
                    name = self.work.player.name
                    raise InputError(f"{name} failed {self.failures} times, the last by {failure}") from None
        return Label()

    def _choose(self, position: Position) -> Label:
        if self.seat is None:
            self.seat = self._seat()
        seat, board = self.seat, Board(self.work.game, position)
        seat.begin(position, board.mover)
        choice = seat.choose(board)
        lines: tuple[tuple[int, int, int], ...] = ()
        if isinstance(seat, UciSeat) and self.work.settings.multipv:
            lines = tuple((move, line.score or 0, _depth(line.depth)) for move, line in seat.lines(board))
        seat.end()
        self.failures = 0
        return Label() if choice.score is None else Label(choice.score, _depth(choice.depth), lines)

    def _seat(self) -> Seat:
        seat = take_seat(self.work.player, self.limit, self.seed)
        if isinstance(seat, UciSeat):
            seat.multipv = self.work.settings.multipv or 1
        return seat

    def close(self) -> None:
        if self.seat is not None:
            self.seat.close()
            self.seat = None


def _depth(depth: int | None) -> int:
    return -1 if depth is None else min(depth, _DEEPEST)
