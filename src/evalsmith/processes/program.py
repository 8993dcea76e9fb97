"""A program at the other end of pipes: started, written to, read from with deadlines, measured and ended.

What it prints is buffered only as far as an answer needs it, so a flood costs time but no memory. Standard error goes
to a file up to a size, and is read and dropped beyond it, so that a program is never blocked by it nor a disk filled.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn

from evalsmith.processes.failure import CRASH, PROTOCOL, STALL, Failure
from evalsmith.processes.footprint import TICK, Footprint
from evalsmith.processes.tree import MARK, adopt_orphans, die_with_parent, kill_all, processes_of

CHUNK = 1 << 16
MAX_BUFFERED = 1 << 18  # bytes of output that are buffered while an answer is awaited
LONGEST_LINE = 1 << 16
MAX_STDERR = 1 << 20
_TAIL = 400  # bytes of standard error that a failure quotes
_REAPING = 10.0  # seconds that a killed program may take to be gone: a busy machine needs more than one


@dataclass(frozen=True)
class Launch:
    """How a program is started, and what it may take; a cgroup may enforce the memory limit too."""

    command: tuple[str, ...]
    cwd: Path | None = None
    environment: tuple[tuple[str, str], ...] = ()
    memory: int | None = None
    address_space: int | None = None
    cgroup: bool = True


class Answer(NamedTuple):
    """What a pattern matched, what was printed before it (the end of that, if it was much), and when it had come."""

    match: re.Match[bytes]
    before: bytes
    when: float


class Log:
    """A file that is made with the first byte, and takes no more than MAX_STDERR."""

    def __init__(self, path: Path | None) -> None:
        self.path, self._file, self._room = path, -1, MAX_STDERR

    def write(self, data: bytes) -> None:
        """Write what there is room for; a disk that is full must not end a game."""
        if self.path is None or self._room <= 0:
            return
        with contextlib.suppress(OSError):
            if self._file < 0:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
            os.write(self._file, data[: self._room])
            self._room -= len(data)
            if self._room <= 0:
                os.write(self._file, b"\n[the rest was dropped]\n")

    def reopen(self, path: Path | None) -> None:
        """Write to another file from now on."""
        self.close()
        self.path, self._room = path, MAX_STDERR

    def close(self) -> None:
        """Write no more."""
        if self._file >= 0:
            os.close(self._file)
        self.path, self._file = None, -1


class Silence(Exception):
    """The deadline passed without the answer; as a text, what came instead, with a comma before it."""


class Program:
    """A running program. It belongs to the thread that started it: when that ends, the program is killed."""

    max_buffered = MAX_BUFFERED
    """Bytes of output that are buffered while an answer is awaited; the oldest lines are forgotten beyond."""

    def __init__(self, launch: Launch, log: Path | None = None) -> None:
        self.launch = launch
        self._buffer = b""
        self._received = 0  # bytes of output
        self._mark = uuid.uuid4().hex
        self._ended = self._output_ended = self._errors_ended = False
        self._tail = b""
        self.log = Log(log)
        self._footprint = Footprint(launch.memory, self._mark, launch.cgroup)
        adopt_orphans()
        try:
            self._process = self._spawn()
        except OSError as error:
            self._footprint.leave()
            raise Failure(CRASH, f"{launch.command[0]} cannot be started: {error.strerror or error}") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        self._err = self._process.stderr.fileno()
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._watch = select.poll()
        self._watch.register(self._out, select.POLLIN)
        self._watch.register(self._err, select.POLLIN)
        # Where a child holds the pipes open, only this tells that the program itself has gone.
        self._death = os.pidfd_open(self._process.pid) if hasattr(os, "pidfd_open") else -1
        if self._death >= 0:
            self._watch.register(self._death, select.POLLIN)
        if not self._has_exited():
            self._footprint.confirm(self.pid)

    def _spawn(self) -> subprocess.Popen[bytes]:
        launch, parent, footprint = self.launch, os.getpid(), self._footprint
        # Whoever runs a game may wait patiently; a program does as it would anywhere.
        patient = sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_BATCH

        def before_exec() -> None:
            die_with_parent(parent)
            if patient:
                os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            footprint.enter()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if launch.address_space is not None:
                resource.setrlimit(resource.RLIMIT_AS, (launch.address_space, launch.address_space))

        # A program of its own choosing is what a player is.
        return subprocess.Popen(  # noqa: S603
            launch.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=launch.cwd,
            env={**os.environ, **dict(launch.environment), MARK: self._mark},
            start_new_session=True,
            preexec_fn=before_exec,
        )

    @property
    def pid(self) -> int:
        """The number of the program's first process, which is that of its group and session too."""
        return self._process.pid

    @property
    def pipes(self) -> tuple[int, int, int, int] | None:
        """Input, output, standard error and what tells of its death, for one who only writes and reads.

        None where more has to be looked after: the memory, or what is left of a program that has ended.
        """
        if self.launch.memory is not None or self._death < 0 or self._output_ended or self._errors_ended:
            return None
        return self._in, self._out, self._err, self._death

    # ── Writing ──

    def send(self, text: str | bytes, seconds: float) -> None:
        """Write lines in one call; a program that does not read for that many seconds has stalled."""
        encoded = text.encode("utf-8", "replace") if isinstance(text, str) else text
        try:
            done = os.write(self._in, encoded)
        except OSError:
            done = 0  # full or broken: the slow way finds out
        if done < len(encoded):
            self._send_rest(memoryview(encoded)[done:], seconds)

    def _send_rest(self, data: memoryview, seconds: float) -> None:
        deadline = time.perf_counter() + seconds
        while True:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                pass
            except OSError:
                self._gone()
            if not data:
                return
            # A program may wait for us to read before it reads itself.
            if not self._wait(deadline, writing=True):
                raise Failure(STALL, f"does not read its input (for {seconds:g} s)")

    # ── Reading ──

    def until(self, pattern: re.Pattern[bytes], deadline: float) -> Answer:
        """Read until complete lines match; raises Silence at the deadline (of ``perf_counter``), or a Failure."""
        searched, before_waiting = 0, self._received
        while True:
            if self._buffer and (match := pattern.search(self._buffer, searched)) is not None:
                when = time.perf_counter()
                before = self._buffer[: match.start()]
                self._buffer = self._buffer[match.end() :]
                if self.launch.memory is not None:
                    self._footprint.measure(self.pid, when)
                return Answer(match, before, when)
            if self._output_ended or self._ended:
                self._gone()
            if self._buffer:
                searched = self._trim()
            if not self._wait(deadline):
                raise Silence(self._instead(self._received - before_waiting))

    def _instead(self, received: int) -> str:
        """How much was printed that is no answer, and the last of it."""
        lines = self._buffer.rstrip().splitlines()
        if not received or not lines:
            return ""
        amount = f"{received:,} bytes" if received < 10_000_000 else f"{received / 1e6:,.0f} MB"
        return f", but {amount} of other output; the last line: {lines[-1][:60].decode('utf-8', 'replace')!r}"

    def drop(self, read: bytes = b"") -> None:
        """Drop what was read beyond the last answer; ``read`` is what somebody else has read of the next."""
        self._buffer = read

    def forget(self) -> None:
        """Drop what was printed unasked, read or not, so that it is not taken for the next answer."""
        while self._read_output() and len(self._buffer) < self.max_buffered:
            pass
        self._buffer = b""

    def _trim(self) -> int:
        """Forget the oldest lines if there are many; where to go on searching."""
        buffer = self._buffer
        if len(buffer) > self.max_buffered:
            cut = buffer.find(b"\n", len(buffer) - self.max_buffered // 2)
            buffer = self._buffer = buffer[(cut if cut >= 0 else buffer.rfind(b"\n")) + 1 :]
        last = buffer.rfind(b"\n")
        if len(buffer) - last > LONGEST_LINE:
            shown = bytes(buffer[last + 1 : last + 41]).decode("utf-8", "replace")
            raise Failure(PROTOCOL, f"a line of more than {LONGEST_LINE:,} bytes, {shown!r}…")
        # An answer of several lines may have begun before the last one.
        return max(0, last - 4096) if last > 0 else 0

    def _wait(self, deadline: float, writing: bool = False) -> bool:
        """Wait for something to happen, and take it in; False once the deadline has passed."""
        now = time.perf_counter()
        if now >= deadline:
            return False
        rest = deadline - now
        if self._footprint.is_due(now):
            self._footprint.measure(self.pid, now)
        if self.launch.memory is not None or self._death < 0:
            rest = min(rest, TICK)
        if writing:
            self._watch.register(self._in, select.POLLOUT)
        try:
            ready = self._watch.poll(int(rest * 1000) + 1)
        finally:
            if writing:
                self._watch.unregister(self._in)
        for pipe, _ in ready:
            if pipe == self._out:
                self._read_output()
            elif pipe == self._err:
                self._read_stderr()
            elif pipe == self._death:
                self._note_end()
        if self._death < 0 and self._has_exited():
            self._note_end()
        return True

    def _has_exited(self) -> bool:
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _note_end(self) -> None:
        """The program has exited; what it printed before is still in the pipe."""
        self._ended = True
        if self._death >= 0:
            self._watch.unregister(self._death)
            os.close(self._death)
            self._death = -1
        for _ in range(2 * self.max_buffered // CHUNK):
            if not self._read_output():
                break
        self._read_stderr()

    def _read_output(self) -> bool:
        if self._output_ended:
            return False
        try:
            data = os.read(self._out, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._output_ended = True
            self._watch.unregister(self._out)
        self._buffer += data
        self._received += len(data)
        return bool(data)

    def _read_stderr(self) -> None:
        if self._errors_ended:
            return
        try:
            data = os.read(self._err, CHUNK)
        except OSError:
            return
        if not data:
            self._errors_ended = True
            self._watch.unregister(self._err)
            return
        self._tail = (self._tail + data)[-_TAIL:]
        self.log.write(data)

    # ── Memory ──

    @property
    def peak(self) -> int:
        """The peak of memory at the last measurement, in bytes."""
        return self._footprint.peak

    def bytes_used(self) -> int:
        """The peak of memory until now, in bytes."""
        return self._footprint.peak if self._ended else self._footprint.seen(self.pid)

    # ── The end ──

    def _gone(self) -> NoReturn:
        """The program has exited or closed its output: say how."""
        deadline = time.perf_counter() + 0.5
        while not self._ended and self._wait(deadline):
            pass
        if not self._ended:
            raise Failure(PROTOCOL, "closed its output but is still running")
        how = self.exit_text()
        self._footprint.check_hard_limit(killed="SIGKILL" in how)
        last = [line for line in self._tail.decode("utf-8", "replace").splitlines() if line.strip()]
        raise Failure(CRASH, f"{how}: {last[-1].strip()[:200]}" if last else how)

    def exit_text(self) -> str:
        """How the program has ended: its exit code or the signal that killed it."""
        state = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if state is None:
            return "still running"
        if state.si_code == os.CLD_EXITED:
            return f"exit code {state.si_status}"
        names = {int(one): f" ({one.name})" for one in signal.Signals}
        return f"signal {state.si_status}{names.get(state.si_status, '')}"

    def others(self) -> int:
        """How many processes that the program has started are there beside it."""
        return len((processes_of(self.pid, self._mark) | self._footprint.processes()) - {self.pid})

    def end_input(self) -> None:
        """Close its input, as happens when whoever started it dies."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait_for_end(self, seconds: float) -> bool:
        """Give the program that many seconds to exit by itself, reading and dropping what it still prints."""
        deadline = time.perf_counter() + seconds
        while not self._ended and self._wait_quietly(deadline):
            self._buffer = b""
        return self._ended

    def _wait_quietly(self, deadline: float) -> bool:
        with contextlib.suppress(Failure):
            return self._wait(deadline)
        return True

    def close(self) -> None:
        """Kill and reap whatever is left of the program and of what it started; never raises."""
        if self._process.returncode is None:
            with contextlib.suppress(OSError):
                self.bytes_used()
            kill_all(self.pid, self._mark, self._footprint.processes)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_REAPING)
        self._footprint.leave()
        if self._death >= 0:
            os.close(self._death)
            self._death = -1
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self.log.close()
