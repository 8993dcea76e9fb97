"""The process that workers are forked from: what a worker gets of it, and what becomes of both when one is killed."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalsmith.arena.events.competitions import tournament
from evalsmith.arena.play.game_work import GameItem, games_job
from evalsmith.arena.play.workers import Setting
from evalsmith.arena.results.entry import GameKey
from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.opening import Opening
from evalsmith.players import parse_player
from evalsmith.run import InputError
from evalsmith.scale import Job
from evalsmith.scale.worker_server import BLAS_THREADS, Channel, WorkerProcess, WorkerServer

FOUR = find_game("connect_four")
KEY = GameKey(0, "self", "random", 0, 0)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def job() -> Job:
    players = tuple(parse_player(text, FOUR) for text in ("self", "random"))
    return games_job(Setting(FOUR, players, Limit(nodes=20)))


@pytest.fixture
def server() -> Iterator[WorkerServer]:
    found = WorkerServer(job())
    yield found
    found.close()


def status(pid: int, name: str) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.partition(":")[2].strip() for line in lines if line.startswith(f"{name}:"))


def parent_of(worker: WorkerProcess) -> int:
    return int(status(worker.pid, "PPid"))


def has_ended(pid: int) -> bool:
    """Whether a process is gone, or dead and only not reaped yet, within a minute."""
    patience = time.monotonic() + 60
    while time.monotonic() < patience:
        try:
            if status(pid, "State").startswith("Z"):
                return True
        except (OSError, StopIteration):
            return True
        time.sleep(0.02)
    return False


def play(worker: WorkerProcess) -> str:
    worker.tell(GameItem(KEY, Opening(FOUR.start(), (), None)))
    while not worker.said and worker.hear():
        pass
    return worker.said.pop()[0]


def test_workers_come_from_one_process_that_has_one_thread(server: WorkerServer) -> None:
    workers = [server.start(None) for _ in range(2)]
    (parent,) = {parent_of(worker) for worker in workers}
    assert parent != os.getpid()
    assert status(parent, "Threads") == "1"  # a fork would copy what another one holds
    for worker in workers:
        assert play(worker) == "result"
        assert os.getsid(worker.pid) == worker.pid  # so that it can be killed with all that it has started
        worker.close()


def test_a_worker_holds_no_pipe_of_another_one(server: WorkerServer) -> None:
    """Or the other would not see that its own has ended."""
    workers = [server.start(None) for _ in range(3)]
    for worker in workers:
        play(worker)  # by now it has closed what it does not need
    held = [
        {entry.readlink() for entry in Path(f"/proc/{worker.pid}/fd").iterdir() if int(entry.name) > 2}
        for worker in workers
    ]
    assert [len(one) for one in held] == [2, 2, 2]
    assert len(set.union(*held)) == 6
    workers[0].close()
    assert server.reap(workers[0]) == 0
    for worker in workers[1:]:
        worker.close()


def test_a_worker_stays_on_its_core(server: WorkerServer) -> None:
    core = min(os.sched_getaffinity(0))
    pinned, free = server.start(core), server.start(None)
    for worker in (pinned, free):
        play(worker)
    assert os.sched_getaffinity(pinned.pid) == {core}
    assert os.sched_getaffinity(free.pid) == os.sched_getaffinity(0)
    for worker in (pinned, free):
        worker.close()


def test_it_is_told_how_a_worker_has_ended(server: WorkerServer) -> None:
    killed, stopped = server.start(None), server.start(None)
    play(stopped)  # before it has begun, a signal just kills it
    os.kill(killed.pid, signal.SIGKILL)
    server.stop([stopped])
    assert not killed.hear() and server.reap(killed) == -signal.SIGKILL
    assert not stopped.hear() and server.reap(stopped) == 0
    for worker in (killed, stopped):
        worker.close()


def test_workers_end_with_their_server_and_another_one_is_started(server: WorkerServer) -> None:
    workers = [server.start(None) for _ in range(2)]
    for worker in workers:
        play(worker)
    first = parent_of(workers[0])
    os.kill(first, signal.SIGKILL)
    for worker in workers:
        assert not worker.hear()
        assert has_ended(worker.pid)
    assert server.reap(workers[0]) is None
    later = server.start(None)
    assert server.reap(workers[1]) is None  # the new server does not know it
    assert parent_of(later) != first
    assert play(later) == "result"
    for worker in (*workers, later):
        worker.close()


def test_closing_leaves_nothing(server: WorkerServer) -> None:
    worker = server.start(None)
    parent = parent_of(worker)
    worker.close()
    server.close()
    assert not Path(f"/proc/{worker.pid}").exists()
    assert not Path(f"/proc/{parent}").exists()


def test_lines_that_come_together_are_told_apart() -> None:
    ours, theirs = (Channel(end) for end in socket.socketpair())
    ours.send({"stop": [1]})
    ours.send({"reap": 1})
    assert [theirs.receive()[0] for _ in range(2)] == [{"stop": [1]}, {"reap": 1}]
    ours.end.close()
    assert theirs.receive() == (None, [])
    theirs.end.close()


def test_a_job_that_cannot_be_is_an_error_of_ours() -> None:
    server = WorkerServer(Job("evalsmith.games:find_game", ("connect_fourteen",), "evalsmith.games:find_game"))
    with pytest.raises(InputError, match="connect_fourteen"):
        server.start(None)
    server.close()


@pytest.mark.parametrize("threads", [None, "3"])
def test_programs_see_the_environment_of_the_user(
    threads: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if threads is None:
        monkeypatch.delenv(BLAS_THREADS, raising=False)
    else:
        monkeypatch.setenv(BLAS_THREADS, threads)
    program, seen = tmp_path / "program.py", tmp_path / "seen"
    program.write_text(
        "import os, pathlib, sys\n"
        f"pathlib.Path({str(seen)!r}).write_text(repr(os.environ.get({BLAS_THREADS!r})))\n"
        "sys.exit(3)\n"
    )
    players = [f"codecup:{sys.executable} -S {program};name=a", "random"]
    tournament("connect_four", players, output=tmp_path / "run", games=2, nodes=1, random_plies=0, repeat=True)
    assert seen.read_text() == repr(threads)
