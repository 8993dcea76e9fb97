"""The processes that a program has started: found, measured, killed and reaped, wherever they have hidden.

A program's processes share its session. One that left it is known by its parent, by a mark in its environment that
children inherit, or by its cgroup where there is one. This process adopts orphans of its descendants, so that none is
left for whoever reaps above.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MARK = "EVALSMITH_PROGRAM"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_KILL_ROUNDS = 50  # of 20 ms: a killed process is gone when its memory is freed

_prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None


def die_with_parent(parent: int, number: int = signal.SIGKILL) -> None:
    """In a new child: get a signal when the thread that started it ends; if that has happened already, end here."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of what descendants leave behind; to be called again after a fork."""
    if _prctl is not None:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@dataclass(frozen=True)
class _Process:
    pid: int
    began: int  # with the number, this names a process for ever
    parent: int
    session: int
    dead: bool


def _processes() -> dict[int, _Process]:
    found = {}
    with contextlib.suppress(OSError):
        for entry in os.scandir(_PROC):
            if entry.name.isdigit() and (process := _process(int(entry.name))) is not None:
                found[process.pid] = process
    return found


def _process(pid: int) -> _Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name of a program may hold anything, so fields are counted from its closing parenthesis.
            fields = file.read().rpartition(b")")[2].split()
        return _Process(pid, int(fields[19]), int(fields[1]), int(fields[3]), fields[0] in (b"Z", b"X"))
    except (OSError, ValueError, IndexError):
        return None


def _marked(pid: int, mark: bytes) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return mark in file.read().split(b"\0")
    except OSError:
        return False


def _belonging(leader: int, mark: str) -> dict[int, _Process]:
    everything = _processes()
    us, wanted = os.getpid(), f"{MARK}={mark}".encode()
    found = {one.pid for one in everything.values() if leader in (one.pid, one.session)}
    for one in everything.values():
        if one.parent in (1, us) and one.pid not in found and one.pid != us and _marked(one.pid, wanted):
            found.add(one.pid)
    grew = True
    while grew:
        more = {one.pid for one in everything.values() if one.parent in found} - found
        grew = bool(more)
        found |= more
    return {pid: everything[pid] for pid in found}


def processes_of(leader: int, mark: str) -> set[int]:
    """The leader of a session and all that belongs to it."""
    return set(_belonging(leader, mark))


def children_of(pid: int) -> set[int]:
    """The descendants by the kernel's own lists: quick, but blind to what was orphaned."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        here = waiting.pop()
        try:
            for task in os.scandir(f"/proc/{here}/task"):
                with open(f"{task.path}/children", "rb") as file:
                    new = set(map(int, file.read().split())) - found
                found |= new
                waiting += new
        except (OSError, ValueError):
            continue
    return found


def resident_bytes(pids: set[int]) -> int:
    """The memory that processes hold now, in bytes."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
            total += int(file.read().split()[1])
    return total * _PAGE


def peak_bytes(pid: int) -> int:
    """The most memory that one process has held, in bytes; the kernel keeps count, so no moment is missed."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            text = file.read()
        return int(text[text.index(b"VmHWM:") + 6 :].split(None, 1)[0]) * 1024
    except (OSError, ValueError, IndexError):
        return 0


def kill_all(leader: int, mark: str, more: Callable[[], set[int]] = set) -> set[int]:
    """Kill everything that belongs to a program, and reap all but the leader; what could not be ended is returned.

    The leader must not have been reaped yet: its number stands for the group. ``more`` are processes known otherwise.
    """
    hunted: dict[int, _Process] = {}
    for _ in range(_KILL_ROUNDS):
        hunted |= _belonging(leader, mark)
        hunted |= {pid: found for pid in more() if (found := _process(pid)) is not None}
        hunted.pop(leader, None)
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
        for pid, process in list(hunted.items()):
            now = _process(pid)
            if now is None or now.began != process.began:
                del hunted[pid]
                continue
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            if now.dead and now.parent != os.getpid():
                del hunted[pid]  # somebody else has to reap it
            elif now.parent == os.getpid():
                with contextlib.suppress(OSError):
                    if os.waitpid(pid, os.WNOHANG)[0] == pid:
                        del hunted[pid]
        if not hunted:
            return set()
        time.sleep(0.02)
    return set(hunted)
