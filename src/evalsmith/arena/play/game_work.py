"""Games as items of work: what a worker needs for them, wherever it is, and what is asked of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from evalsmith.arena.play.fast_path import prepare_names
from evalsmith.arena.play.referee import Dropped
from evalsmith.arena.play.workers import UNCHANGED, PairOptions, Setting, Worker, worker_for
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.engine import Limit
from evalsmith.games import Position
from evalsmith.games.opening import Opening
from evalsmith.players.files import sent_files
from evalsmith.scale import Job, Report


class GameItem(NamedTuple):
    """One game: its name, where it begins, and what its players change in their engines before it."""

    key: GameKey
    opening: Opening
    options: PairOptions = UNCHANGED

    def __str__(self) -> str:
        return f"{self.key.first} against {self.key.second} (pair {self.key.pair})"


def games_job(setting: Setting) -> Job:
    """The games of a setting as work."""
    here, programs = f"{__name__}:", not setting.in_process
    files = tuple(file for player in setting.players for file in sent_files(player))
    prepare = here + ("load_all" if programs else "warm")
    return Job(here + "game_worker", (setting,), prepare, files, programs, here + "is_game_of")


def is_game_of(item: GameItem, entry: object) -> bool:
    """Whether a result is the game that was asked for."""
    return isinstance(entry, GameEntry) and entry.key == item.key and entry.opening == item.opening.moves


def warm(setting: Setting) -> None:
    """Compile or load all that our own players need, before any clock starts."""
    start: Position = setting.game.start()
    for player in setting.players:
        if player.in_kernel and not player.random:
            player.searcher(Limit(nodes=16), 0).think(start, Limit(nodes=16))


def load_all(setting: Setting) -> None:
    """Load what games of programs need too."""
    warm(setting)
    prepare_names(setting.game)


def game_worker(setting: Setting) -> GameWorker:
    """A worker for the games of a setting; on another machine, its programs are found there."""
    if not setting.in_process:
        players = tuple(one.here() for one in setting.players)
        seen = setting.logs is not None and setting.logs.parent.is_dir()
        setting = replace(setting, players=players, logs=setting.logs if seen else None)
    if not setting.in_process and not setting.timed:
        _give_way()
    return GameWorker(lambda: worker_for(setting))


def _give_way() -> None:
    """Do not interrupt the program on our core with each line that it writes: it gives way when it has nothing to do.

    Its own policy stays as it was. Where clocks run, we rather hear of a move at once.
    """
    if sys.platform == "linux" and len(os.sched_getaffinity(0)) == 1 and os.sched_getscheduler(0) == os.SCHED_OTHER:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


class GameWorker:
    """Plays games by a worker of the arena."""

    def __init__(self, make: Callable[[], Worker]) -> None:
        self._worker = make()

    def do(self, item: GameItem, report: Report) -> GameEntry:
        """The finished game."""
        try:
            return self._worker.play(*item)
        except Dropped:
            raise KeyboardInterrupt from None

    def stop(self) -> None:
        """Drop the running game."""
        self._worker.stop()

    def close(self) -> None:
        """End all programs."""
        self._worker.close()
