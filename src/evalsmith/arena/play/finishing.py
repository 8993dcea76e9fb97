"""Finishing cut games: referees play the rest of each game several times, resumed after a kill.

A referee plays both sides. Some of its first moves are random, otherwise each time would be the same.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from evalsmith.arena.play.placements import Placement
from evalsmith.arena.play.referee import Dropped, Rules, play_seats
from evalsmith.arena.results.entry import sign
from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.games import OVER, Game, Position
from evalsmith.games.board import Board
from evalsmith.games.opening import Opening
from evalsmith.players import Choice, Player, Seat, take_seat
from evalsmith.players.files import sent_files
from evalsmith.players.limit import play_limit
from evalsmith.run import InputError, Interrupted, Progress, Silent, append_json, derive, read_json_lines, resume
from evalsmith.scale import How, Job, Report, run

FINISHES = "finishes.jsonl"
NOISE, NOISE_PLIES = 0.2, 8
"""The share of random moves among the first plies that a referee plays, so that its games differ."""

Task = tuple[int, str, int]
"""The number of a placement, the name of a referee, and which of its times it is."""


@dataclass(frozen=True)
class Finish:
    """One finished game: which placement, which referee, which time, the value for side 0."""

    placement: int
    referee: str
    time: int
    value: int


class NoisySeat:
    """A seat some of whose first moves are random; they cost no time."""

    def __init__(self, inner: Seat, game: Game, from_ply: int, seed: int) -> None:
        self.name, self._inner, self._game = inner.name, inner, game
        self._from, self._source = from_ply, random.Random(seed)

    def begin(self, start: Position, side: int) -> None:
        """As the seat does."""
        self._inner.begin(start, side)

    def choose(self, board: Board) -> Choice:
        """A random move, or the seat's."""
        early = board.ply < self._from + NOISE_PLIES
        if early and self._source.random() < NOISE:
            return Choice(self._source.choice(self._game.moves(board.position)), 0.0)
        return self._inner.choose(board)

    def end(self) -> None:
        """As the seat does."""
        self._inner.end()

    def close(self) -> None:
        """As the seat does."""
        self._inner.close()

    def bytes_used(self) -> int | None:
        """As the seat says."""
        return self._inner.bytes_used()


class Finisher:
    """Lets referees finish placements."""

    def __init__(
        self, game: Game, placements: Sequence[Placement], referees: Sequence[Player], limit: Limit, seed: int
    ) -> None:
        names = [referee.name for referee in referees]
        if len(set(names)) != len(names):
            raise InputError("two referees have the same name; rename one with ;name=…")
        self.placements = placements
        self.task = _Task(game, tuple(referees), limit, seed)

    def finish(
        self,
        times: int,
        folder: Path | None = None,
        *,
        concurrency: int | None = None,
        progress: Progress | None = None,
    ) -> list[Finish]:
        """Every placement finished ``times`` times by every referee; ``folder`` saves what is done, and resumes it."""
        if times < 1:
            raise InputError(f"times must be a whole number of at least 1, not {times}")
        progress = progress or Silent()
        log = None if folder is None else folder / FINISHES
        names = list(self.task.by_name)
        done = _known(log, names, len(self.placements), times)
        resume(progress, len(done))
        missing = (
            FinishItem(self.placements[number], number, name, time)
            for time in range(times)
            for name in names
            for number in range(len(self.placements))
            if (number, name, time) not in done
        )
        how = How(concurrency) if folder is None else How.shown(concurrency, progress, folder, ordered=False)
        try:
            for item, value in run(self.task.job(), missing, how):
                finish = Finish(item.number, item.referee, item.time, value)
                if log is not None:
                    append_json(log, asdict(finish))
                progress.advance()
                done[item.number, item.referee, item.time] = finish
        except KeyboardInterrupt:
            raise Interrupted("finished games are saved; run the same command to resume" if log else "") from None
        return [done[key] for key in sorted(done, key=lambda key: (names.index(key[1]), key[0], key[2]))]


class FinishItem(NamedTuple):
    """One game to finish: the placement and its number, the name of the referee, and which of its times it is."""

    placement: Placement
    number: int
    referee: str
    time: int

    def __str__(self) -> str:
        return f"placement {self.number} by {self.referee}, time {self.time}"


def is_value(item: FinishItem, result: object) -> bool:
    """Whether a result is the value of a game."""
    return isinstance(result, int)


@dataclass(frozen=True)
class _Task:
    """What all games share."""

    game: Game
    referees: tuple[Player, ...]
    limit: Limit
    seed: int

    @property
    def by_name(self) -> dict[str, Player]:
        return {referee.name: referee for referee in self.referees}

    def job(self) -> Job:
        """The games as work."""
        here, programs = f"{__name__}:", any(referee.outside for referee in self.referees)
        files = tuple(file for referee in self.referees for file in sent_files(referee))
        return Job(here + "FinishWorker", (self,), files=files, programs=programs, check=here + "is_value")


class FinishWorker:
    """Finishes one placement after another; it has a searcher of its own for each referee."""

    def __init__(self, task: _Task) -> None:
        self.game, self.limit, self.seed = task.game, task.limit, task.seed
        self.referees = {name: referee.here() for name, referee in task.by_name.items()}
        self._stopping = threading.Event()
        self._searchers: dict[str, Searcher] = {}

    def do(self, item: FinishItem, report: Report) -> int:
        """Finish one placement once; the value for side 0."""
        placement, number, name, time = item
        seed = derive(self.seed, "placement", number, name, time)
        referee = self.referees[name]
        start = self.game.start() if placement.start is None else self.game.parse(placement.start)
        opening = Opening(start, placement.moves, placement.start)
        if referee.in_kernel and not play_limit(referee.limit or self.limit).timed:
            return self._in_kernel(referee, opening, seed)
        return self._by_seats(referee, opening, seed)

    def stop(self) -> None:
        """Drop the running game."""
        self._stopping.set()
        for searcher in self._searchers.copy().values():
            searcher.stop()

    def close(self) -> None:
        """Programs end with their game."""

    def _searcher(self, referee: Player) -> Searcher:
        if referee.name not in self._searchers:
            self._searchers[referee.name] = referee.searcher(self.limit, 0)
        return self._searchers[referee.name]

    def _in_kernel(self, referee: Player, opening: Opening, seed: int) -> int:
        game, searcher = self.game, self._searcher(referee)
        board = opening.board(game)
        position = board.position
        if game.status(position) == OVER:
            return game.result(position) * (1 if game.mover(position) == 0 else -1)
        limit = referee.limit or self.limit
        prepare(searcher, limit, seed, random=referee.random, noise=NOISE, noise_plies=NOISE_PLIES)
        played = (
            None if self._stopping.is_set() else play_game(game, searcher, searcher, position, history=board.history)
        )
        if played is None or played.stopped:
            raise KeyboardInterrupt
        return played.result

    def _by_seats(self, referee: Player, opening: Opening, seed: int) -> int:
        limit, first = referee.limit or self.limit, len(opening.moves)
        seats = [
            NoisySeat(
                take_seat(referee, self.limit, derive(seed, side), None), self.game, first, derive(seed, "n", side)
            )
            for side in ("0", "1")
        ]
        try:
            played = play_seats(self.game, seats, opening, (limit, limit), Rules(), seed, self._stopping.is_set)
        except Dropped:
            raise KeyboardInterrupt from None
        finally:
            for seat in seats:
                seat.close()
        if played.failed:
            failed = played.failed[0]
            raise InputError(f"the referee {referee.name} failed: {failed.reason}: {failed.detail}")
        return played.result


def _known(log: Path | None, names: Sequence[str], count: int, times: int) -> dict[Task, Finish]:
    done: dict[Task, Finish] = {}
    for line in read_json_lines(log) if log is not None else ():
        number, name, time, value = (line.get(key) for key in ("placement", "referee", "time", "value"))
        if all(isinstance(one, int) for one in (number, time, value)) and name in names:
            assert isinstance(number, int) and isinstance(time, int) and isinstance(value, int)
            if number < count and time < times:
                done[number, str(name), time] = Finish(number, str(name), time, value)
    return done


def outcome(values: Sequence[int]) -> float:
    """The share of points that side 0 got in several finishes."""
    return sum((1 + sign(value)) / 2 for value in values) / len(values)
