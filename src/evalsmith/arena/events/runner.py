"""Plays all games of an event: those that the log does not have yet, several at once, each logged when it ends."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from evalsmith.arena.events.formats import Format
from evalsmith.arena.play.control import Control
from evalsmith.arena.play.referee import Dropped
from evalsmith.arena.play.workers import Setting, Worker, worker_for
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, GameLog, read_log
from evalsmith.games import Position
from evalsmith.games.opening import Opening
from evalsmith.players import Player
from evalsmith.run import InputError, Interrupted, Progress, RunFolder, Silent
from evalsmith.scale import cores, on_threads
from evalsmith.search import Limit

Keep = Callable[[GameKey, GameEntry], None]
Pool = Callable[[Iterable[GameKey], Keep], Iterator[tuple[GameKey, GameEntry]]]
"""Plays games as they are asked for; each finished one is kept before it is given out."""


def play_event(
    setting: Setting,
    form: Format,
    openings: Sequence[Opening],
    run: RunFolder,
    *,
    concurrency: int | None = None,
    progress: Progress | None = None,
    decided: Callable[[GameKey, GameEntry], bool] = lambda _, __: False,
    watch: Callable[[dict[GameKey, GameEntry]], None] = lambda _: None,
    pin: bool = True,
    make: Callable[[], Worker] | None = None,
) -> dict[GameKey, GameEntry]:
    """Play what is missing of an event, and give all its games.

    ``decided`` hears of each game once, and ends the event when it says so; ``watch`` sees all games after each.
    ``make`` makes the workers, where these are not those that the players need.
    """
    names = [player.name for player in setting.players]
    form.check(names)
    setting.rules.adjudication.check(setting.game)
    path, at_once = run.path / GAMES, concurrency or cores()
    games, progress = read_log(path), progress or Silent()
    planned = set(form.planned(names, games))
    progress.advance(sum(key in planned for key in games))

    def opening_of(key: GameKey) -> Opening:
        number = form.opening_of(key)
        # Alone, both players have the same board in a game, and the two games of a pair have two boards.
        number = number if setting.game.players > 1 else 2 * number + key.half
        return openings[number % len(openings)]

    try:
        with GameLog(path) as log, Control() as control:

            def keep(key: GameKey, entry: GameEntry) -> None:
                log.append(entry)
                progress.advance()

            pool = _pool(setting, opening_of, at_once, pin, make, run.path)
            waiting: list[GameKey] = []
            over = False
            for key, entry in games.items():
                over = decided(key, entry) or over
            while not over:
                waiting = [key for key in form.planned(names, games) if key not in games]
                if not waiting or control.finishing:
                    break
                with contextlib.closing(pool(_until(waiting, control), keep)) as finished:  # type: ignore[type-var]
                    for key, entry in finished:
                        games[key] = entry
                        watch(games)
                        over = decided(key, entry)
                        if over:
                            break
            if control.finishing and not over and waiting:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        count = len(read_log(path))
        known = len(form.planned(names, read_log(path)))
        raise Interrupted(f"saved {count} of {known} games in {run.path}; run the same command to continue") from None
    return games


def _until(waiting: Iterable[GameKey], control: Control) -> Iterator[GameKey]:
    """The games, as long as new ones may begin."""
    for key in waiting:
        if control.finishing:
            return
        yield key


def _pool(
    setting: Setting,
    opening_of: Callable[[GameKey], Opening],
    concurrency: int,
    pin: bool,
    make: Callable[[], Worker] | None,
    folder: Path,
) -> Pool:
    if make is None and not setting.in_process:
        from evalsmith.arena.play.process_pool import process_pool

        return process_pool(setting, opening_of, concurrency, pin)
    warm(setting, opening_of)
    return _thread_pool(make or (lambda: worker_for(setting)), opening_of, concurrency)


def warm(setting: Setting, opening_of: Callable[[GameKey], Opening] | None = None) -> None:
    """Compile or load all that our own players need, before any clock starts."""
    start: Position = setting.game.start()
    for player in setting.players:
        if player.in_kernel and not player.random:
            player.searcher(Limit(nodes=16), 0).think(start, Limit(nodes=16))


def _thread_pool(make: Callable[[], Worker], opening_of: Callable[[GameKey], Opening], concurrency: int) -> Pool:
    def pool(keys: Iterable[GameKey], keep: Keep) -> Iterator[tuple[GameKey, GameEntry]]:
        local = threading.local()
        workers: list[Worker] = []

        def work(key: GameKey) -> GameEntry:
            if not hasattr(local, "worker"):
                local.worker = make()
                workers.append(local.worker)
            try:
                entry: GameEntry = local.worker.play(key, opening_of(key))
            except Dropped:
                raise KeyboardInterrupt from None
            keep(key, entry)
            return entry

        def stop() -> None:
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
            f"{blind[0]} speaks codecup, which knows no openings: play from the start with --random-plies 0 --repeat"
        )
