"""Workers: each plays one game at a time, and keeps what is costly to make between games.

A kernel worker plays complete games of our own search inside one kernel. A seat worker plays any players, one move at a
time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from evalsmith.arena.play.entries import kernel_entry, seat_entry, solo_entry
from evalsmith.arena.play.load import Watch
from evalsmith.arena.play.referee import Dropped, Rules, play_seats
from evalsmith.arena.play.solo import play_alone
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.settings import Adjudication
from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.games import Game
from evalsmith.games.opening import Opening
from evalsmith.players import Options, Player, take_seat
from evalsmith.players.limit import play_limit
from evalsmith.players.own_seat import OwnSeat
from evalsmith.players.seat import Seat
from evalsmith.players.uci_seat import UciSeat
from evalsmith.run import derive

MAX_SEATS = 4  # programs that a worker keeps running between games

PairOptions = tuple[Options, Options]
"""What the first and the second player of a game change in their engines before it."""
UNCHANGED: PairOptions = ((), ())

TakeSeat = Callable[[Player, Limit, int, Path | None], Seat]


@dataclass(frozen=True)
class Setting:
    """What all games of an event share. ``logs`` is the folder for what programs write to standard error."""

    game: Game
    players: tuple[Player, ...]
    limit: Limit
    rules: Rules = field(default_factory=Rules)
    seed: int = 1
    logs: Path | None = None

    def player(self, name: str) -> Player:
        """The player of that name."""
        return next(player for player in self.players if player.name == name)

    def limit_of(self, player: Player) -> Limit:
        """The player's own limit, or that of the event."""
        return player.limit or self.limit

    def seed_of(self, key: GameKey, what: str | int) -> int:
        """The seed of one part of one game; the same whatever was played before."""
        return derive(self.seed, "player", key.round, key.pair, key.half, what)

    @property
    def in_kernel(self) -> bool:
        """Whether complete games can be played inside one kernel."""
        return (
            self.game.players == 2
            and all(player.in_kernel for player in self.players)
            and not play_limit(self.limit).timed
            and self.rules.adjudication == Adjudication()
        )

    @property
    def timed(self) -> bool:
        """Whether a busy machine changes what is played."""
        limits = [self.limit_of(player) for player in self.players]
        return any(play_limit(limit).timed or limit.seconds is not None for limit in limits)

    @property
    def in_process(self) -> bool:
        """Whether no outside program takes part."""
        return all(player.outside is None for player in self.players)


class Worker(Protocol):
    """Plays one game at a time."""

    def play(self, key: GameKey, opening: Opening, options: PairOptions = UNCHANGED) -> GameEntry:
        """The finished game as it is logged; Dropped when it was stopped."""

    def stop(self) -> None:
        """Drop the running game and all that would follow; another thread calls this."""

    def close(self) -> None:
        """End all that was started."""


class KernelWorker:
    """Complete games of our own search inside one kernel."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._searchers: dict[str, Searcher] = {}
        self._stopped = False

    def play(self, key: GameKey, opening: Opening, options: PairOptions = UNCHANGED) -> GameEntry:
        """Play one game."""
        setting = self.setting
        first, second = (self._prepared(key, number, options[number]) for number in (0, 1))
        board = opening.board(setting.game)
        with Watch() as watch:
            # To prepare a searcher also takes back a stop that came between two games.
            played = None if self._stopped else play_game(
                setting.game, *_sides(key, first, second), board.position, history=board.history,
                declaration=setting.rules.declaration,
            )  # fmt: skip
        if played is None or played.stopped:
            raise Dropped
        return replace(kernel_entry(setting.game, key, opening, played), machine=watch.load())

    def _prepared(self, key: GameKey, number: int, options: Options) -> Searcher:
        name = (key.first, key.second)[number]
        player = self.setting.player(name)
        if name not in self._searchers:
            self._searchers[name] = player.searcher(self.setting.limit, 0)
        searcher = self._searchers[name]
        if options:
            searcher.constants = player.tuned(options).constants
        limit = self.setting.limit_of(player)
        prepare(searcher, limit, self.setting.seed_of(key, number), random=player.random)
        return searcher

    def stop(self) -> None:
        """Drop the running game."""
        self._stopped = True
        for searcher in list(self._searchers.values()):
            searcher.stop()

    def close(self) -> None:
        """Nothing was started."""


class SeatWorker:
    """Games between any players. Programs stay between games; our own players get a new seat for each.

    A new seat does not know how busy the machine is, so it is told how late the one before it was.
    """

    def __init__(self, setting: Setting, take: TakeSeat | None = None) -> None:
        self.setting = setting
        self._take = take or take_seat
        self._seats: dict[str, Seat] = {}
        self._delay = 0.0
        self._stopped = False

    def play(self, key: GameKey, opening: Opening, options: PairOptions = UNCHANGED) -> GameEntry:
        """Play one game."""
        setting = self.setting
        changed = options if key.half == 0 else options[::-1]
        players = [setting.player(name).tuned(changed[side]) for side, name in enumerate(key.sides)]
        seats = [self._seat(key, player) for player in players]
        limits = [setting.limit_of(player) for player in players]
        broken: tuple[int, ...] = ()
        try:
            with Watch() as watch:
                if setting.game.players == 1:
                    seed = derive(setting.seed, "chance", key.round, key.pair, key.half)
                    first, second = (
                        play_alone(setting.game, seat, side, opening, limit, seed, lambda: self._stopped)
                        for side, (seat, limit) in enumerate(zip(seats, limits, strict=True))
                    )
                    entry = solo_entry(setting.game, key, opening, first, second)
                    broken = tuple(side for side, one in enumerate((first, second)) if one.broken)
                else:
                    seed = setting.seed_of(key, "chance")
                    played = play_seats(
                        setting.game, seats, opening, limits, setting.rules, seed, lambda: self._stopped
                    )
                    entry = seat_entry(setting.game, key, opening, played)
                    broken = played.broken
        except BaseException:
            broken = (0, 1)
            raise
        finally:
            used = [seat.bytes_used() for seat in seats]
            self._delay = max((seat.delay for seat in seats if isinstance(seat, OwnSeat)), default=0.0)
            for side, seat in enumerate(seats):
                if side in broken or players[side].outside is None:
                    self._seats.pop(players[side].name, None)
                    seat.close()
        usage = (replace(entry.usage[0], bytes=used[0]), replace(entry.usage[1], bytes=used[1]))
        return replace(entry, usage=usage, machine=watch.load())

    def _seat(self, key: GameKey, player: Player) -> Seat:
        seat = self._seats.pop(player.name, None)
        if seat is None:
            while len(self._seats) >= MAX_SEATS:
                self._seats.pop(next(iter(self._seats))).close()
            number = int(player.name == key.second)
            seat = self._take(player, self.setting.limit, self.setting.seed_of(key, number), self.setting.logs)
            if isinstance(seat, OwnSeat):
                seat.expect_delay(self._delay)
        if isinstance(seat, UciSeat) and player.outside is not None and player.outside.options != seat.outside.options:
            seat.set_options(player.outside.options)
        named: Any = seat  # what a program writes to standard error is filed under this
        named.label = f"{key.round}-{key.first}-{key.second}-{key.pair}-{key.half}"
        self._seats[player.name] = seat  # now the last to go
        return seat

    def stop(self) -> None:
        """Drop the running game."""
        self._stopped = True

    def close(self) -> None:
        """End all programs."""
        for seat in self._seats.values():
            seat.close()
        self._seats.clear()


def worker_for(setting: Setting) -> Worker:
    """The fastest worker that these players can use."""
    return KernelWorker(setting) if setting.in_kernel else SeatWorker(setting)


def _sides(key: GameKey, first: Searcher, second: Searcher) -> tuple[Searcher, Searcher]:
    return (first, second) if key.half == 0 else (second, first)
