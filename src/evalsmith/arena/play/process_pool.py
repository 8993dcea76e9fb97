"""Games of outside programs in processes: one worker a game, pinned to a core together with its programs.

A worker reads the setting and then one game after another from its standard input, as JSON lines, and answers with
finished games. Workers die with us, and programs with their worker.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from evalsmith.arena.play.workers import Setting
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.games.opening import Opening
from evalsmith.players.limit import play_limit
from evalsmith.run import EvalsmithError, InputError

CHUNK = 1 << 16
TRIES = 3  # workers that a game may cost before we say that something is wrong
GRACE = 10.0  # seconds that a worker has to end its programs
TICK = 0.2  # seconds between looks at whether we are asked to stop


def setting_document(setting: Setting, core: int | None) -> dict[str, Any]:
    """The setting as it is sent to a worker."""
    return {
        "game": setting.game.name,
        "players": [[player.name, player.text] for player in setting.players],
        "limit": asdict(play_limit(setting.limit)),
        "rules": asdict(setting.rules),
        "seed": setting.seed,
        "logs": None if setting.logs is None else str(setting.logs),
        "core": core,
    }


def game_document(key: GameKey, opening: Opening) -> dict[str, Any]:
    """A game as it is sent to a worker."""
    start = [int(word) for word in opening.start]
    return {"key": list(key), "start": start, "moves": list(opening.moves), "text": opening.text}


@dataclass
class _WorkerProcess:
    """A process that plays one game at a time; ``playing`` is that game."""

    process: subprocess.Popen[bytes]
    core: int | None
    playing: GameKey | None = None
    heard: bytes = b""
    said: list[dict[str, Any]] = field(default_factory=list)

    @property
    def output(self) -> int:
        """The descriptor that answers come from."""
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def tell(self, document: dict[str, Any]) -> None:
        """One line; a worker that is gone is found out when its answer is awaited."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(document).encode() + b"\n")
            self.process.stdin.flush()

    def hear(self) -> bool:
        """Read what is there into ``said``; False at the end."""
        data = os.read(self.output, CHUNK)
        *lines, self.heard = (self.heard + data).split(b"\n")
        self.said += [json.loads(line) for line in lines]
        return bool(data)

    def finished(self) -> Iterator[tuple[GameKey, GameEntry]]:
        """The games that have come; an error of the worker is ours."""
        while self.said:
            document = self.said.pop(0)
            if "error" in document:
                raise InputError(document["error"])
            key, self.playing = self.playing, None
            assert key is not None
            yield key, GameEntry.from_json(document["entry"])

    def end(self) -> None:
        """Ask it to end its programs and itself; then make it."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        if self.playing is not None:
            self.process.terminate()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@dataclass(frozen=True)
class ProcessPool:
    """Plays games in worker processes, ``concurrency`` at once; ``pin`` keeps each worker on one core."""

    setting: Setting
    opening_of: Callable[[GameKey], Opening]
    concurrency: int
    pin: bool

    def __call__(
        self, keys: Iterable[GameKey], save: Callable[[GameKey, GameEntry], None]
    ) -> Iterator[tuple[GameKey, GameEntry]]:
        """The games as they finish; each is saved before it is handed out."""
        queue = _Queue(iter(keys))
        workers: list[_WorkerProcess] = []
        try:
            with selectors.DefaultSelector() as selector:
                for number in range(self.concurrency):
                    key = queue.next()
                    if key is None:
                        break
                    workers.append(self._spawn(number, key))
                    selector.register(workers[-1].output, selectors.EVENT_READ, number)
                while any(worker.playing is not None for worker in workers):
                    for event, _ in selector.select(TICK):
                        number = event.data
                        worker = workers[number]
                        alive = worker.hear()
                        for key, entry in worker.finished():
                            save(key, entry)
                            self._give(worker, queue.next())
                            yield key, entry
                        if alive:
                            continue
                        selector.unregister(event.fileobj)
                        key = worker.playing
                        worker.playing = None
                        worker.end()
                        if key is not None:
                            workers[number] = self._spawn(number, queue.again(key, worker))
                            selector.register(workers[number].output, selectors.EVENT_READ, number)
        finally:
            for worker in workers:
                if worker.playing is not None and worker.process.poll() is None:
                    worker.process.terminate()
            for worker in workers:
                worker.end()

    def _spawn(self, number: int, key: GameKey) -> _WorkerProcess:
        """A new worker, which begins with a game."""
        allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        core = allowed[number % len(allowed)] if self.pin and allowed else None
        process = subprocess.Popen(
            [sys.executable, "-m", "evalsmith.arena.play.worker_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C at the terminal is ours alone
        )
        worker = _WorkerProcess(process, core)
        worker.tell(setting_document(self.setting, core))
        self._give(worker, key)
        return worker

    def _give(self, worker: _WorkerProcess, key: GameKey | None) -> None:
        worker.playing = key
        if key is not None:
            worker.tell(game_document(key, self.opening_of(key)))


@dataclass
class _Queue:
    """The games that wait to be played, and how often the worker of a game has ended before the game did."""

    waiting: Iterator[GameKey]
    lost: dict[GameKey, int] = field(default_factory=dict)

    def next(self) -> GameKey | None:
        """The next game, or None."""
        return next(self.waiting, None)

    def again(self, key: GameKey, worker: _WorkerProcess) -> GameKey:
        """The game once more, unless it has cost too many workers."""
        self.lost[key] = self.lost.get(key, 0) + 1
        if self.lost[key] >= TRIES:
            raise EvalsmithError(_died(worker, key))
        return key


def _died(worker: _WorkerProcess, key: GameKey) -> str:
    code = worker.process.returncode
    how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    return f"the process that played {key.first} against {key.second} (pair {key.pair}) ended {TRIES} times, with {how}"
