"""Games as items of work: what a worker needs for them, wherever it is, and what is asked of it."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from evalsmith.arena.play.fast_path import prepare_names
from evalsmith.arena.play.referee import Dropped
from evalsmith.arena.play.workers import UNCHANGED, PairOptions, Setting, Worker, worker_for
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.engine import Limit, Searcher
from evalsmith.games import Position
from evalsmith.games.opening import Opening
from evalsmith.players.files import sent_files
from evalsmith.scale import Job, Report, is_elsewhere

_SPEED_NODES = 20_000


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
    return Job(here + "game_worker", (setting,), prepare, files, programs, check=here + "is_game_of")


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
    if not setting.timed:
        return GameWorker(lambda: worker_for(setting))
    speed = _speed(setting) if is_elsewhere() else 0.0
    return GameWorker(lambda: worker_for(setting), socket.gethostname(), speed)


def _speed(setting: Setting) -> float:
    """Thousands of nodes per second of CPU that our search looks at here, to compare machines by."""
    start, limit = setting.game.start(), Limit(nodes=_SPEED_NODES)
    searcher = Searcher(setting.game)
    searcher.think(start, Limit(nodes=16))
    searcher.new_game()
    began = time.thread_time()
    nodes = searcher.think(start, limit).nodes
    return round(nodes / 1000 / max(time.thread_time() - began, 1e-6), 1)


def _give_way() -> None:
    """Do not interrupt the program on our core with each line that it writes: it gives way when it has nothing to do.

    Its own policy stays as it was. Where clocks run, we rather hear of a move at once.
    """
    if sys.platform == "linux" and len(os.sched_getaffinity(0)) == 1 and os.sched_getscheduler(0) == os.SCHED_OTHER:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


class GameWorker:
    """Plays games by a worker of the arena; of those with clocks it says on which ``host``, and how fast that is."""

    def __init__(self, make: Callable[[], Worker], host: str = "", speed: float = 0.0) -> None:
        self._worker, self._host, self._speed = make(), host, speed

    def do(self, item: GameItem, report: Report) -> GameEntry:
        """The finished game."""
        try:
            entry = self._worker.play(*item)
        except Dropped:
            raise KeyboardInterrupt from None
        if not self._host or entry.machine is None:
            return entry
        return replace(entry, machine=replace(entry.machine, host=self._host, speed=self._speed))

    def stop(self) -> None:
        """Drop the running game."""
        self._worker.stop()

    def close(self) -> None:
        """End all programs."""
        self._worker.close()
