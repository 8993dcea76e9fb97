"""``python -m evalsmith.scale.worker_process`` loads what workers need and forks those that `worker_server` wants.

A worker reads one item after another from its pipe, and answers with results. It has a session of its own, and ends
with its programs when it is told to, when its pipe ends, or when the process that forked it is gone.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import os
import pickle
import signal
import socket
import sys
import time
import traceback
from types import FrameType
from typing import Any, BinaryIO, NoReturn

from evalsmith.processes.tree import die_with_parent
from evalsmith.run import EvalsmithError
from evalsmith.scale.work import Job, Worker
from evalsmith.scale.worker_server import BLAS_THREADS, GRACE, LENGTH, Channel, framed

TICK = 0.02  # seconds between looks at whether a worker has ended

# ── The server ──


def main() -> None:
    """Prepare for the job, then fork a worker whenever one is asked for, until the socket ends."""
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
        job: Job = pickle.loads(base64.b64decode(request["job"]))  # noqa: S301  (our own parent's)
        job.prepare_process()
    except EvalsmithError as error:
        channel.send({"error": str(error)})
        return
    gc.collect()
    gc.freeze()  # a collection in a worker would copy the pages of all that is loaded by now
    channel.send({"ready": True})
    _serve(channel, job)


def _serve(channel: Channel, job: Job) -> None:
    server, workers = os.getpid(), set[int]()
    while True:
        request, descriptors = channel.receive()
        if request is None:
            break
        if "start" in request:
            pid = os.fork()
            if pid == 0:
                channel.end.close()
                _work(job, server, request["start"], *descriptors)
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


# ── A worker ──


def _work(job: Job, server: int, core: int | None, requests: int, answers: int) -> NoReturn:
    """Do the items that are asked for; never returns into what the server was doing."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, _leave)
        os.setsid()
        die_with_parent(server, signal.SIGTERM)
        if core is not None:
            os.sched_setaffinity(0, {core})  # programs inherit that
        _do_all(job, requests, answers)
        code = 0
    except SystemExit:
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)


def _do_all(job: Job, requests: int, answers: int) -> None:
    for descriptor in (requests, answers):
        os.set_inheritable(descriptor, False)
    with os.fdopen(requests, "rb") as asked, os.fdopen(answers, "wb") as told:

        def tell(kind: str, value: Any) -> None:
            told.write(framed((kind, value)))
            told.flush()

        worker: Worker | None = None
        try:
            worker = job.worker()
            while head := asked.read(LENGTH.size):
                item = _item(asked, LENGTH.unpack(head)[0])
                tell("result", worker.do(item, lambda count: tell("units", count)))
        except EvalsmithError as error:
            tell("error", error)
        except BrokenPipeError:
            pass
        finally:
            if worker is not None:
                worker.close()


def _item(asked: BinaryIO, length: int) -> Any:
    return pickle.loads(asked.read(length))  # noqa: S301  (our own parent's)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


if __name__ == "__main__":
    main()
