"""The process that worker processes are forked from, as the pool sees it.

Most of what a worker costs is the same for all of them: modules, kernels, players. So one process (`worker_process`)
loads that once and forks each worker. It is a program of its own, because a fork copies what
other threads hold: it has one thread, and no descriptor of ours but the socket on which it is asked for workers.

    we send                     it answers
    the job                     {"ready": true}, or {"error": why it cannot be}
    {"start": core} and pipes   {"pid": of the new worker}
    {"reap": pid}               {"code": how that worker has ended}
    {"stop": [pid, …]}          {"stopped": how many}

When the socket is closed it waits for its workers and ends. When it is killed its workers end.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pickle
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from evalsmith.run import EvalsmithError, InputError
from evalsmith.scale.work import Job

CHUNK = 1 << 16
GRACE = 10.0  # seconds that a worker has to end its programs
LAUNCHES = 3  # processes that starting one worker may cost before we say that something is wrong
BLAS_THREADS = "OPENBLAS_NUM_THREADS"
LENGTH = struct.Struct("<Q")


class Channel:
    """JSON lines over a socket; descriptors may come with one. Each request is answered before the next is sent."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._read = bytearray()  # one who is interrupted may send the next line without having heard an answer

    def send(self, document: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        """One line; raises OSError when nobody is there."""
        line = json.dumps(document).encode() + b"\n"
        sent = socket.send_fds(self.end, [line], descriptors) if descriptors else 0
        self.end.sendall(line[sent:])

    def receive(self) -> tuple[dict[str, Any] | None, list[int]]:
        """The next line and its descriptors; no line when the other side has ended."""
        descriptors = list[int]()
        complete = b"\n" in self._read
        while not complete:
            try:
                part, got, _, _ = socket.recv_fds(self.end, CHUNK, 2)
            except ConnectionError:
                part, got = b"", []
            descriptors += got
            if not part:
                return None, descriptors
            self._read += part
            complete = b"\n" in part
        line, _, rest = self._read.partition(b"\n")
        self._read = rest
        return json.loads(line), descriptors


@dataclass(eq=False)
class WorkerProcess:
    """One worker, by its two pipes: items that are written to it, and what it answers, each with its length before it.

    ``server`` leads to the process that has forked it, which may not be the one that runs now.
    """

    server: Channel
    pid: int
    input: BinaryIO
    output: BinaryIO
    heard: bytearray = field(default_factory=bytearray)
    said: list[tuple[str, Any]] = field(default_factory=list)

    def tell(self, item: Any) -> None:
        """One item; a worker that is gone is found out when its answer is awaited."""
        with contextlib.suppress(BrokenPipeError):
            self.input.write(framed(item))
            self.input.flush()

    def hear(self) -> bool:
        """Read what is there into ``said``: what kind of answer it is, and the answer. False at the end."""
        data = os.read(self.output.fileno(), CHUNK)
        self.heard += data
        while len(self.heard) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self.heard)[0]
            if len(self.heard) < end:
                break
            self.said.append(pickle.loads(bytes(self.heard[LENGTH.size : end])))  # noqa: S301  (our own child's)
            del self.heard[:end]
        return bool(data)

    def close(self) -> None:
        """Close the pipes: a worker without a game ends."""
        with contextlib.suppress(OSError):
            self.input.close()
        self.output.close()


def framed(value: Any) -> bytes:
    """A value as it goes through a pipe."""
    data = pickle.dumps(value)
    return LENGTH.pack(len(data)) + data


class WorkerServer:
    """Starts workers of one job; a server that was killed is replaced when the next worker is needed."""

    def __init__(self, job: Job) -> None:
        described = base64.b64encode(pickle.dumps(job)).decode()
        self._job = {"job": described, "blas_threads": os.environ.get(BLAS_THREADS)}
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None

    def start(self, core: int | None) -> WorkerProcess:
        """A new worker, on one core if that is not None."""
        for _ in range(LAUNCHES):
            worker = _start(self._channel or self._launch(), core)
            if worker is not None:
                return worker
            self.close()
        raise EvalsmithError(f"the process that starts workers ended {LAUNCHES} times")

    def reap(self, worker: WorkerProcess) -> int | None:
        """How a worker that answers no more has ended: its exit code, or minus a signal; None if nobody knows."""
        if worker.server is not self._channel:
            return None
        answer = _ask(worker.server, {"reap": worker.pid})
        if answer is None:
            self.close()
            return None
        return int(answer["code"])

    def stop(self, workers: Sequence[WorkerProcess]) -> None:
        """Drop the games of these workers."""
        ours = [worker.pid for worker in workers if worker.server is self._channel]
        if self._channel is not None and ours:
            _ask(self._channel, {"stop": ours})

    def close(self) -> None:
        """Wait until all workers have ended; the pipes of those without a game are closed by now."""
        if self._channel is not None:
            self._channel.end.close()
            self._channel = None
        if self._process is not None:
            try:
                self._process.wait(2 * GRACE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _launch(self) -> Channel:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "evalsmith.scale.worker_process"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C at the terminal is ours alone
                env={**os.environ, BLAS_THREADS: "1"},
            )
        self._channel = Channel(ours)
        answer = _ask(self._channel, self._job)
        if answer is None:
            code = self._process.wait()
            self.close()
            raise EvalsmithError(f"the process that starts workers ended before it was ready, with {ended(code)}")
        if "error" in answer:
            raise InputError(answer["error"])
        return self._channel


def _start(channel: Channel, core: int | None) -> WorkerProcess | None:
    """A new worker, or None when the server is gone."""
    theirs_in, ours_in = os.pipe()
    ours_out, theirs_out = os.pipe()
    worker = WorkerProcess(channel, 0, os.fdopen(ours_in, "wb"), os.fdopen(ours_out, "rb", 0))
    try:
        answer = _ask(channel, {"start": core}, (theirs_in, theirs_out))
        worker.pid = 0 if answer is None else answer["pid"]
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
        if not worker.pid:
            worker.close()  # also when we are interrupted: a worker that is there by now ends
    return worker if worker.pid else None


def _ask(channel: Channel, request: dict[str, Any], descriptors: Sequence[int] = ()) -> dict[str, Any] | None:
    """The answer to a request, or None when the server is gone."""
    try:
        channel.send(request, descriptors)
    except OSError:
        return None
    return channel.receive()[0]


def ended(code: int | None) -> str:
    """How a process has ended, in words."""
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
