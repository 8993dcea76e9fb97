"""Whose opening was better: games are cut after some plies, and referees play the rest, several times each.

The answer depends on the referee, so several can be asked and are shown side by side. A referee plays both sides; some
of its first moves are random, otherwise each time would be the same. The unit of all errors is the cut game: that it
was finished ten times does not make it ten games.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalsmith.arena.play.referee import Dropped, Rules, play_seats
from evalsmith.arena.results.entry import sign
from evalsmith.arena.results.log import GAMES, read_log
from evalsmith.games import OVER, Game, Position, find_game
from evalsmith.games.board import Board
from evalsmith.games.opening import Opening
from evalsmith.players import Choice, Player, Seat, take_seat
from evalsmith.players.limit import play_limit
from evalsmith.records import open_records
from evalsmith.run import InputError, Interrupted, Progress, Silent, append_json, derive, read_json_lines
from evalsmith.run import read_config as read_run_config
from evalsmith.scale import cores, on_threads
from evalsmith.search import Limit, Searcher, play_game, prepare

FINISHES = "finishes.jsonl"
NOISE, NOISE_PLIES = 0.2, 8
"""The share of random moves among the first plies that a referee plays, so that its games differ."""


@dataclass(frozen=True)
class Placement:
    """A game cut short: its number, who had which side, where it began, and the moves up to the cut."""

    number: int
    sides: tuple[str, str]
    start: str | None
    moves: tuple[int, ...]


def read_placements(paths: Sequence[Path], ply: int, game: Game | None = None) -> tuple[Game, list[Placement], int]:
    """The cut games of run folders and record files, and how many were too short to be cut."""
    if ply < 0:
        raise InputError(f"--ply must not be negative, but it is {ply}")
    found: list[Placement] = []
    short = 0
    for path in paths:
        own, games = _games(path, game)
        if game is not None and own.name != game.name:
            raise InputError(f"games of one kind were expected, but {path} is {own.name} and not {game.name}")
        game = own
        for sides, start, moves in games:
            if len(moves) <= ply:
                short += 1
            else:
                found.append(Placement(len(found), sides, start, moves[:ply]))
    if game is None:
        raise InputError("no games were named")
    if not found:
        raise InputError(f"no game has more than {ply} plies ({short} are shorter)")
    return game, found, short


def _games(path: Path, game: Game | None) -> tuple[Game, Iterable[tuple[tuple[str, str], str | None, tuple[int, ...]]]]:
    if path.is_dir() and (path / GAMES).exists():
        own = find_game(str(read_run_config(path).get("game")))
        if own.players != 2:
            raise InputError(f"{path}: {own.title} has one player, so there is no side that could be better")
        entries = [entry for _, entry in sorted(read_log(path / GAMES).items())]
        return own, [(entry.sides, entry.start, (*entry.opening, *entry.moves)) for entry in entries]
    reader = open_records(path, game=None if game is None else game.name)
    return find_game(reader.game), [
        ((record.players[0] or "first", record.players[1] or "second"), record.start, record.moves) for record in reader
    ]


# ── Finishing ──


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


def finish_all(
    game: Game,
    placements: Sequence[Placement],
    referees: Sequence[Player],
    limit: Limit,
    times: int,
    seed: int,
    folder: Path | None = None,
    *,
    concurrency: int | None = None,
    progress: Progress | None = None,
) -> list[Finish]:
    """Every placement finished so many times by every referee; ``folder`` keeps what is done for the next time."""
    if times < 1:
        raise InputError(f"--times must be above 0, not {times}")
    names = [referee.name for referee in referees]
    if len(set(names)) != len(names):
        raise InputError("two referees have one name; give one a name with ;name=…")
    progress = progress or Silent()
    log = None if folder is None else folder / FINISHES
    done = _known(log, names, len(placements), times)
    progress.advance(len(done))
    by_name = dict(zip(names, referees, strict=True))
    waiting = [
        (number, name, time)
        for time in range(times)
        for name in names
        for number in range(len(placements))
        if (number, name, time) not in done
    ]
    local, gate = threading.local(), threading.Lock()
    stopping = threading.Event()
    searchers: list[Searcher] = []

    def work(task: tuple[int, str, int]) -> Finish:
        number, name, time = task
        if not hasattr(local, "searchers"):
            local.searchers = {}
        own_seed = derive(seed, "placement", number, name, time)
        referee, opening = by_name[name], _opening(game, placements[number])
        if referee.in_kernel and not play_limit(referee.limit or limit).timed:
            if name not in local.searchers:
                local.searchers[name] = referee.searcher(limit, 0)
                searchers.append(local.searchers[name])
            value = _in_kernel(game, referee, local.searchers[name], limit, opening, own_seed, stopping)
        else:
            value = _by_seats(game, referee, limit, opening, own_seed, stopping)
        finish = Finish(number, name, time, value)
        with gate:
            if log is not None:
                append_json(log, {"placement": number, "referee": name, "time": time, "value": value})
            progress.advance()
        return finish

    def stop() -> None:
        stopping.set()
        for searcher in searchers:
            searcher.stop()

    try:
        for _, finish in on_threads(work, waiting, concurrency or cores(), stop):
            done[finish.placement, finish.referee, finish.time] = finish
    except KeyboardInterrupt:
        raise Interrupted("what was finished is kept; the same command goes on" if log else "") from None
    return [done[key] for key in sorted(done, key=lambda key: (names.index(key[1]), key[0], key[2]))]


def _known(log: Path | None, names: Sequence[str], count: int, times: int) -> dict[tuple[int, str, int], Finish]:
    done: dict[tuple[int, str, int], Finish] = {}
    for line in read_json_lines(log) if log is not None else ():
        number, name, time, value = (line.get(key) for key in ("placement", "referee", "time", "value"))
        if all(isinstance(one, int) for one in (number, time, value)) and name in names:
            assert isinstance(number, int) and isinstance(time, int) and isinstance(value, int)
            if number < count and time < times:
                done[number, str(name), time] = Finish(number, str(name), time, value)
    return done


def _opening(game: Game, placement: Placement) -> Opening:
    start = game.start() if placement.start is None else game.parse(placement.start)
    return Opening(start, placement.moves, placement.start)


def _in_kernel(
    game: Game,
    referee: Player,
    searcher: Searcher,
    limit: Limit,
    opening: Opening,
    seed: int,
    stopping: threading.Event,
) -> int:
    position = opening.board(game).position
    if game.status(position) == OVER:
        return game.result(position) * (1 if game.mover(position) == 0 else -1)
    chosen = referee.limit or limit
    prepare(searcher, chosen, seed, random=referee.random, noise=NOISE, noise_plies=NOISE_PLIES)
    played = None if stopping.is_set() else play_game(game, searcher, searcher, position)
    if played is None or played.stopped:
        raise KeyboardInterrupt
    return played.result


def _by_seats(game: Game, referee: Player, limit: Limit, opening: Opening, seed: int, stopping: threading.Event) -> int:
    seats = [
        NoisySeat(
            take_seat(referee, limit, derive(seed, side), None), game, len(opening.moves), derive(seed, "n", side)
        )
        for side in ("0", "1")
    ]
    chosen = referee.limit or limit
    try:
        played = play_seats(game, seats, opening, (chosen, chosen), Rules(), seed, stopping.is_set)
    except Dropped:
        raise KeyboardInterrupt from None
    finally:
        for seat in seats:
            seat.close()
    if played.failed:
        failed = played.failed[0]
        raise InputError(f"the referee {referee.name} failed: {failed.reason}: {failed.detail}")
    return played.result


def outcome(values: Sequence[int]) -> float:
    """The share of points that side 0 got in several finishes."""
    return sum((1 + sign(value)) / 2 for value in values) / len(values)
