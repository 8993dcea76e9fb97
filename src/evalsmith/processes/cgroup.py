"""A memory cgroup around a program and all that it starts, where the kernel lets us make one.

It is a hard limit: nothing of the tree can take more, however quickly, and no process leaves it by hiding. Groups are
only ever made inside the group this process is in, so whatever bounds us bounds them too. Their names tell the process
that made them; those of processes that were killed are removed by the next one.

The hard limit is a little above the player's, because a group also counts what is not resident memory of a program: the
kernel's own (page tables, stacks, pipes). Cached file pages are counted as well, but the kernel takes those back before
it kills. Whether the limit itself is kept is judged by resident size, with a group and without.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

MARGIN = 4 << 20  # bytes of the hard limit above the limit, for the kernel's own
_PROC = Path("/proc")
_NAME = re.compile(r"evalsmith-(\d+)-(\d+)-\d+")
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Place:
    """The folder of the group we are in, and the names of the files that a group in it has."""

    folder: Path
    version: int

    @property
    def limits(self) -> tuple[tuple[str, int | None], ...]:
        """The files that bound a group, and what to write if not the hard limit; the first has to be there."""
        if self.version == 2:
            return (("memory.max", None), ("memory.swap.max", 0))
        return (("memory.limit_in_bytes", None), ("memory.memsw.limit_in_bytes", None))

    @property
    def peak(self) -> str:
        """The file with the most that a group has held."""
        return "memory.peak" if self.version == 2 else "memory.max_usage_in_bytes"

    @property
    def events(self) -> str:
        """The file that counts processes killed for memory."""
        return "memory.events" if self.version == 2 else "memory.oom_control"


class Unavailable(Exception):
    """No group can be made here; says why."""


def find_place(proc: Path = _PROC) -> Place:
    """The group that this process is in, or Unavailable."""
    try:
        groups = (proc / "self/cgroup").read_text().splitlines()
        mounts = (proc / "self/mountinfo").read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        raise Unavailable("this system has no cgroups") from None
    ours: dict[str, str] = {}
    for line in groups:
        number, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if "memory" in controllers.split(","):
            ours["cgroup"] = group
        elif number == "0" and not controllers:
            ours["cgroup2"] = group
    for kind, version in (("cgroup", 1), ("cgroup2", 2)):
        for line in mounts:
            head, _, tail = line.partition(" - ")
            fields, types = head.split(), tail.split()
            if kind not in ours or len(fields) < 5 or len(types) < 3 or types[0] != kind:
                continue
            if version == 1 and "memory" not in types[2].split(","):
                continue
            root, point, group = _plain(fields[3]).rstrip("/"), Path(_plain(fields[4])), ours[kind]
            if ".." in group or not (group + "/").startswith(root + "/"):
                raise Unavailable("our own cgroup lies outside what is mounted here")
            return Place(point / group.removeprefix(root).strip("/"), version)
    raise Unavailable("there is no cgroup controller for memory")


def _plain(text: str) -> str:
    """A path of mountinfo without its escapes."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)


class Group:
    """A group of one program. ``enter`` is called in the child, all else by whoever watches it."""

    def __init__(self, place: Place, folder: Path) -> None:
        self.place, self.folder = place, folder

    def enter(self) -> None:
        """Move the calling process into the group."""
        with open(self.folder / "cgroup.procs", "wb", buffering=0) as file:
            file.write(b"0")

    def processes(self) -> set[int]:
        """All processes of the program."""
        try:
            return set(map(int, (self.folder / "cgroup.procs").read_bytes().split()))
        except (OSError, ValueError):
            return set()

    def peak(self) -> int:
        """The most that was held at once, in bytes; 0 where the kernel does not say."""
        try:
            return int((self.folder / self.place.peak).read_bytes())
        except (OSError, ValueError):
            return 0

    def kills(self) -> int:
        """How many processes the kernel has killed at the hard limit."""
        try:
            words = (self.folder / self.place.events).read_bytes().split()
            return int(words[words.index(b"oom_kill") + 1])
        except (OSError, ValueError, IndexError):
            return 0

    def was_full(self) -> bool:
        """Whether the hard limit was reached; before Linux 4.13 this is all that the first version tells of a kill."""
        try:
            return self.place.version == 1 and int((self.folder / "memory.failcnt").read_bytes()) > 0
        except (OSError, ValueError):
            return False

    def remove(self, seconds: float = 1.0) -> bool:
        """Remove the group, whose processes must have ended; whether it is gone."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return True
            except OSError:
                if time.monotonic() >= deadline:
                    return False
                time.sleep(0.01)  # the last process is still being taken apart
            else:
                return True


def make_group(limit: int | None, proc: Path = _PROC) -> Group:
    """A new group with its hard limit just above a limit in bytes, or Unavailable; None is a group without a limit."""
    place = find_place(proc)
    if limit is None:
        return _new_group(place, proc)
    if place.version == 1 and _read(place.folder / "memory.use_hierarchy") not in ("", "1"):
        raise Unavailable("a cgroup within ours would not be bounded by ours")
    if place.version == 2 and "memory" not in _read(place.folder / "cgroup.subtree_control").split():
        raise Unavailable("our own cgroup does not delegate the memory controller")
    group = _new_group(place, proc)
    try:
        for at, (name, value) in enumerate(place.limits):
            # Without swap there is no file for it.
            if at == 0 or (group.folder / name).exists():
                with open(group.folder / name, "r+b", buffering=0) as file:
                    file.write(b"%d" % (limit + MARGIN if value is None else value))
    except OSError as error:
        group.remove(0)
        raise Unavailable(f"a cgroup within ours cannot be limited ({error.strerror})") from None
    return group


def _new_group(place: Place, proc: Path) -> Group:
    _sweep(place.folder, proc)
    folder = place.folder / f"evalsmith-{os.getpid()}-{_began(os.getpid(), proc)}-{next(_numbers)}"
    try:
        folder.mkdir()
    except OSError as error:
        raise Unavailable(f"cannot create a cgroup within ours ({error.strerror})") from None
    return Group(place, folder)


def describe(proc: Path = _PROC) -> str:
    """How memory limits are enforced here, in words."""
    try:
        group = make_group(1 << 30, proc)
    except Unavailable as reason:
        return f"polled: {reason}"
    group.remove()
    return f"cgroup version {group.place.version}"


_swept: set[Path] = set()


def _sweep(folder: Path, proc: Path) -> None:
    """Remove, once a process, the groups of those that are gone; one with processes in it stays."""
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            named = _NAME.fullmatch(entry.name)
            if named is not None and _began(int(named[1]), proc) != int(named[2]):
                with contextlib.suppress(OSError):
                    Path(entry.path).rmdir()


def _began(pid: int, proc: Path) -> int:
    """When a process was started, in ticks, which with its number names it for ever; 0 if it is gone."""
    try:
        # The name of a program may hold anything, so fields are counted from its closing parenthesis.
        return int((proc / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""
