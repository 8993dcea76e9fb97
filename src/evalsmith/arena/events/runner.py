"""Plays the games of an event that its log does not have yet: several at once, each logged when it ends."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from evalsmith.arena.events.formats import Format
from evalsmith.arena.play.control import Control
from evalsmith.arena.play.process_pool import ProcessPool, unchanged
from evalsmith.arena.play.referee import Dropped
from evalsmith.arena.play.workers import PairOptions, Setting, Worker, worker_for
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, GameLog, read_log
from evalsmith.engine import Limit
from evalsmith.games import Position
from evalsmith.games.opening import Opening
from evalsmith.players import Player
from evalsmith.run import InputError, Interrupted, Progress, RunFolder, Silent, resume
from evalsmith.scale import cores, on_threads

Save = Callable[[GameKey, GameEntry], None]
Pool = Callable[[Iterable[GameKey], Save], Iterator[tuple[GameKey, GameEntry]]]
"""Plays games as they are asked for; each finished one is saved before it is handed out."""


def _never(key: GameKey, entry: GameEntry) -> bool:
    return False


def _unseen(games: dict[GameKey, GameEntry]) -> None:
    """Show nothing."""


@dataclass(frozen=True)
class EventRunner:
    """Plays an event: its setting, its format and its openings. ``make`` makes workers other than the default ones."""

    setting: Setting
    form: Format
    openings: Sequence[Opening]
    concurrency: int | None = None
    pin: bool = True
    make: Callable[[], Worker] | None = None

    @property
    def names(self) -> list[str]:
        """The players."""
        return [player.name for player in self.setting.players]

    def play(
        self,
        run: RunFolder,
        progress: Progress | None = None,
        decided: Callable[[GameKey, GameEntry], bool] = _never,
        watch: Callable[[dict[GameKey, GameEntry]], None] = _unseen,
    ) -> dict[GameKey, GameEntry]:
        """Play the games that are missing in the log of a run, and give all games, without their moves.

        ``decided`` is called with each game once, and ends the event when it returns True; ``watch`` is called with all
        games after each one.
        """
        path, progress = run.path / GAMES, progress or Silent()
        games = read_log(path, brief=True)
        planned = set(self.form.planned(self.names, games))
        resume(progress, sum(key in planned for key in games))
        try:
            with GameLog(path) as log, Control() as control:

                def save(key: GameKey, entry: GameEntry) -> None:
                    log.append(replace(entry, date=time.strftime("%Y.%m.%d")))
                    progress.advance()

                over = any(decided(key, entry) for key, entry in games.items())
                over = over or self._play_missing(games, save, control, decided, watch)
                if control.finishing and not over and self._missing(games):
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            saved = read_log(path, brief=True)
            known = len(self.form.planned(self.names, saved))
            raise Interrupted(
                f"saved {len(saved)} of {known} games in {run.path}; run the same command to resume", run.path
            ) from None
        return games

    def _missing(self, games: dict[GameKey, GameEntry]) -> list[GameKey]:
        return [key for key in self.form.planned(self.names, games) if key not in games]

    def _play_missing(
        self,
        games: dict[GameKey, GameEntry],
        save: Save,
        control: Control,
        decided: Callable[[GameKey, GameEntry], bool],
        watch: Callable[[dict[GameKey, GameEntry]], None],
    ) -> bool:
        """Play round after round until nothing is missing or new games may not begin; whether it was decided."""
        pool = self._pool()
        while (waiting := self._missing(games)) and not control.finishing:
            with contextlib.closing(pool(_until(waiting, control), save)) as finished:  # type: ignore[type-var]
                for key, entry in finished:
                    games[key] = entry.brief()  # an event may have very many games
                    watch(games)
                    if decided(key, entry):
                        return True
        return False

    def _opening_of(self, key: GameKey) -> Opening:
        number = self.form.opening_of(key)
        # Alone, both players have the same board in a game, and the two games of a pair have two boards.
        number = number if self.setting.game.players > 1 else 2 * number + key.half
        return self.openings[number % len(self.openings)]

    def _pool(self) -> Pool:
        setting, at_once = self.setting, self.concurrency or cores()
        if self.make is None and not setting.in_process:
            return ProcessPool(setting, self._opening_of, at_once, self.pin)
        warm(setting)
        return thread_pool(self.make or (lambda: worker_for(setting)), self._opening_of, at_once)


def _until(waiting: Iterable[GameKey], control: Control) -> Iterator[GameKey]:
    """The games, while new ones may begin."""
    for key in waiting:
        if control.finishing:
            return
        yield key


def warm(setting: Setting) -> None:
    """Compile or load all that our own players need, before any clock starts."""
    start: Position = setting.game.start()
    for player in setting.players:
        if player.in_kernel and not player.random:
            player.searcher(Limit(nodes=16), 0).think(start, Limit(nodes=16))


def thread_pool(
    make: Callable[[], Worker],
    opening_of: Callable[[GameKey], Opening],
    concurrency: int,
    options_of: Callable[[GameKey], PairOptions] = unchanged,
    on_stop: Callable[[], None] = lambda: None,
) -> Pool:
    """Plays games in threads, each with a worker of its own; ``on_stop`` is called when they are to end early."""

    def pool(keys: Iterable[GameKey], save: Save) -> Iterator[tuple[GameKey, GameEntry]]:
        local = threading.local()
        workers: list[Worker] = []

        def work(key: GameKey) -> GameEntry:
            if not hasattr(local, "worker"):
                local.worker = make()
                workers.append(local.worker)
            try:
                entry: GameEntry = local.worker.play(key, opening_of(key), options_of(key))
            except Dropped:
                raise KeyboardInterrupt from None
            save(key, entry)
            return entry

        def stop() -> None:
            on_stop()
            for worker in workers:
                worker.stop()

        try:
            yield from on_threads(work, keys, concurrency, stop)
        finally:
            for worker in workers:
                worker.close()

    return pool


def check_openings(players: Sequence[Player], openings: Sequence[Opening]) -> None:
    """Refuse openings that the protocol of a player cannot express."""
    if not openings:
        raise InputError("an event needs at least one opening")
    blind = [player.name for player in players if player.outside and player.outside.protocol == "codecup"]
    if blind and any(opening.moves or opening.text is not None for opening in openings):
        raise InputError(
            f"{blind[0]} speaks codecup, which has no openings: play from the start with random_plies 0 and repeat"
        )
