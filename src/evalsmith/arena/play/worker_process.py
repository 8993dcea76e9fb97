"""``python -m evalsmith.arena.play.worker_process`` loads what workers need and forks those that `worker_server` wants.

A worker reads one game after another from its pipe, as JSON lines, and answers with finished games. It has a session of
its own, and ends with its programs when it is told to, when its pipe ends, or when the process that forked it is gone.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from evalsmith.arena.events.runner import warm
from evalsmith.arena.play.fast_path import prepare_names
from evalsmith.arena.play.referee import Rules
from evalsmith.arena.play.worker_server import BLAS_THREADS, GRACE, Channel
from evalsmith.arena.play.workers import SeatWorker, Setting
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.settings import Adjudication
from evalsmith.games import find_game
from evalsmith.games.opening import Opening
from evalsmith.players import parse_player
from evalsmith.players.limit import PlayLimit
from evalsmith.processes.tree import die_with_parent
from evalsmith.run import EvalsmithError

TICK = 0.02  # seconds between looks at whether a worker has ended

# ── The server ──


def main() -> None:
    """Prepare the setting, then fork a worker whenever one is asked for, until the socket ends."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # one who ignores it cannot ask how a child has ended
    die_with_parent(parent, signal.SIGTERM)
    channel = _private_channel()
    request, _ = channel.receive()
    if request is None:
        return
    _restore_environment(request["blas_threads"])
    try:
        setting = _setting(request)
        _load(setting)
    except EvalsmithError as error:
        channel.send({"error": str(error)})
        return
    gc.collect()
    gc.freeze()  # a collection in a worker would copy the pages of all that is loaded by now
    channel.send({"ready": True})
    _serve(channel, setting)


def _serve(channel: Channel, setting: Setting) -> None:
    server, workers = os.getpid(), set[int]()
    while True:
        request, descriptors = channel.receive()
        if request is None:
            break
        if "start" in request:
            pid = os.fork()
            if pid == 0:
                channel.end.close()
                _work(setting, server, request["start"], *descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            workers.add(pid)
            channel.send({"pid": pid})
        elif "reap" in request:
            workers.discard(request["reap"])
            channel.send({"code": _reap(request["reap"], time.monotonic() + GRACE)})
        else:
            stopped = workers.intersection(request["stop"])
            for pid in stopped:
                os.kill(pid, signal.SIGTERM)  # not reaped yet, so it is still ours
            channel.send({"stopped": len(stopped)})
    deadline = time.monotonic() + GRACE
    for pid in workers:
        _reap(pid, deadline)


def _reap(pid: int, deadline: float) -> int:
    """How a worker has ended; it is made to when its time is up."""
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= deadline:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        time.sleep(TICK)


def _private_channel() -> Channel:
    """Standard input for requests alone; whatever is printed goes to standard error."""
    channel = Channel(socket.socket(fileno=os.dup(0)))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return channel


def _restore_environment(blas_threads: str | None) -> None:
    """Programs see the environment of the user; ours was one in which numpy starts no threads."""
    if blas_threads is None:
        os.environ.pop(BLAS_THREADS, None)
    else:
        os.environ[BLAS_THREADS] = blas_threads


def _setting(request: dict[str, Any]) -> Setting:
    game = find_game(request["game"])
    rules = {**request["rules"], "adjudication": Adjudication(**request["rules"]["adjudication"])}
    return Setting(
        game,
        tuple(parse_player(text, game) for _, text in request["players"]),
        PlayLimit(**request["limit"]),
        Rules(**rules),
        request["seed"],
        None if request["logs"] is None else Path(request["logs"]),
    )


def _load(setting: Setting) -> None:
    warm(setting)
    prepare_names(setting.game)


# ── A worker ──


def _work(setting: Setting, server: int, core: int | None, requests: int, answers: int) -> NoReturn:
    """Play the games that are asked for; never returns into what the server was doing."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, _leave)
        os.setsid()
        die_with_parent(server, signal.SIGTERM)
        _settle(setting, core)
        _play_all(SeatWorker(setting), requests, answers)
        code = 0
    except SystemExit:
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)


def _settle(setting: Setting, core: int | None) -> None:
    """Stay on a core, if one is given; programs inherit that.

    Where no clock runs, do not interrupt the program there with each line that it writes: it gives way when it has
    nothing to do. Its own policy stays as it was. Where clocks run, we rather hear of a move at once.
    """
    if core is None:
        return
    os.sched_setaffinity(0, {core})
    if not setting.timed and sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _play_all(worker: SeatWorker, requests: int, answers: int) -> None:
    for descriptor in (requests, answers):
        os.set_inheritable(descriptor, False)
    with os.fdopen(requests, "rb") as asked, os.fdopen(answers, "wb") as told:
        try:
            for line in asked:
                entry = _play(worker, json.loads(line))
                told.write(json.dumps({"entry": entry}, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")
                told.flush()
        except EvalsmithError as error:
            told.write(json.dumps({"error": str(error)}).encode() + b"\n")
        except BrokenPipeError:
            pass
        finally:
            worker.close()


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


def _play(worker: SeatWorker, request: dict[str, Any]) -> dict[str, Any]:
    opening = Opening(np.array(request["start"], dtype=np.uint64), tuple(request["moves"]), request["text"])
    first, second = (tuple((name, value) for name, value in options) for options in request["options"])
    return worker.play(GameKey(*request["key"]), opening, (first, second)).to_json()


if __name__ == "__main__":
    main()
