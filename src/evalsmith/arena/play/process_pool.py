"""Games of outside programs in processes: one worker a game, pinned to a core together with its programs.

A worker is sent one game after another, as JSON lines, and answers with finished games. Workers die with us, and
programs with their worker.
"""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from evalsmith.arena.play.worker_server import WorkerProcess, WorkerServer, ended
from evalsmith.arena.play.workers import UNCHANGED, PairOptions, Setting
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.games.opening import Opening
from evalsmith.players.limit import play_limit
from evalsmith.run import EvalsmithError, InputError

TRIES = 3  # workers that a game may cost before we say that something is wrong
TICK = 0.2  # seconds between looks at whether we are asked to stop


def setting_document(setting: Setting) -> dict[str, Any]:
    """The setting as it is sent to the process that starts workers."""
    return {
        "game": setting.game.name,
        "players": [[player.name, player.text] for player in setting.players],
        "limit": asdict(play_limit(setting.limit)),
        "rules": asdict(setting.rules),
        "seed": setting.seed,
        "logs": None if setting.logs is None else str(setting.logs),
    }


def game_document(key: GameKey, opening: Opening, options: PairOptions = UNCHANGED) -> dict[str, Any]:
    """A game as it is sent to a worker."""
    start = [int(word) for word in opening.start]
    moves = list(opening.moves)
    return {"key": list(key), "start": start, "moves": moves, "text": opening.text, "options": options}


def unchanged(key: GameKey) -> PairOptions:
    """The options of an event whose players stay as they are."""
    return UNCHANGED


@dataclass
class _Place:
    """A worker, its core, and the game that it plays."""

    worker: WorkerProcess
    core: int | None
    playing: GameKey | None = None

    def finished(self) -> Iterator[tuple[GameKey, GameEntry]]:
        """The games that have come; an error of the worker is ours."""
        while self.worker.said:
            document = self.worker.said.pop(0)
            if "error" in document:
                raise InputError(document["error"])
            key, self.playing = self.playing, None
            assert key is not None
            yield key, GameEntry.from_json(document["entry"])


@dataclass(frozen=True)
class ProcessPool:
    """Plays games in worker processes, ``concurrency`` at once; ``pin`` keeps each worker on one core.

    The iterator of the games may give None while no game can begin: it is asked again after the next game.
    """

    setting: Setting
    opening_of: Callable[[GameKey], Opening]
    concurrency: int
    pin: bool
    options_of: Callable[[GameKey], PairOptions] = unchanged

    def __call__(
        self, keys: Iterable[GameKey | None], save: Callable[[GameKey, GameEntry], None]
    ) -> Iterator[tuple[GameKey, GameEntry]]:
        """The games as they finish; each is saved before it is handed out."""
        queue = _Queue(iter(keys))
        server = WorkerServer(setting_document(self.setting))
        places: list[_Place] = []
        try:
            with selectors.DefaultSelector() as selector:
                self._fill(places, queue, server, selector)
                while any(place.playing is not None for place in places):
                    for event, _ in selector.select(TICK):
                        place: _Place = event.data
                        alive = place.worker.hear()
                        for key, entry in place.finished():
                            save(key, entry)
                            self._fill(places, queue, server, selector)
                            yield key, entry
                        if alive:
                            continue
                        selector.unregister(event.fileobj)
                        place.worker.close()
                        code = server.reap(place.worker)
                        if place.playing is not None:
                            key = queue.again(place.playing, code)
                            place.worker = server.start(place.core)
                            self._give(place, key)
                            selector.register(place.worker.output, selectors.EVENT_READ, place)
        finally:
            server.stop([place.worker for place in places if place.playing is not None])
            for place in places:
                place.worker.close()
            server.close()

    def _fill(
        self, places: list[_Place], queue: _Queue, server: WorkerServer, selector: selectors.BaseSelector
    ) -> None:
        """Give games to the workers that have none, and to new ones, as far as there are games."""
        idle = [place for place in places if place.playing is None]
        while idle or len(places) < self.concurrency:
            key = queue.next()
            if key is None:
                return
            if not idle:
                core = self._core(len(places))
                idle = [_Place(server.start(core), core)]
                places += idle
                selector.register(idle[0].worker.output, selectors.EVENT_READ, idle[0])
            self._give(idle.pop(0), key)

    def _core(self, number: int) -> int | None:
        """The core of one of the workers."""
        allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        return allowed[number % len(allowed)] if self.pin and allowed else None

    def _give(self, place: _Place, key: GameKey | None) -> None:
        place.playing = key
        if key is not None:
            place.worker.tell(game_document(key, self.opening_of(key), self.options_of(key)))


@dataclass
class _Queue:
    """The games that wait to be played, and how often the worker of a game has ended before the game did."""

    waiting: Iterator[GameKey | None]
    lost: dict[GameKey, int] = field(default_factory=dict)

    def next(self) -> GameKey | None:
        """The next game, or None."""
        return next(self.waiting, None)

    def again(self, key: GameKey, code: int | None) -> GameKey:
        """The game once more, unless it has cost too many workers."""
        self.lost[key] = self.lost.get(key, 0) + 1
        if self.lost[key] >= TRIES:
            who = f"{key.first} against {key.second} (pair {key.pair})"
            raise EvalsmithError(f"the process that played {who} ended {TRIES} times, with {ended(code)}")
        return key
