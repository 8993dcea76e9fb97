"""Cgroups around programs: whether one can be made, and what a real one sees and leaves behind."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs import engine, fresh, nothing_left, seated

from evalsmith.games import find_game
from evalsmith.players import Failure, parse_player
from evalsmith.processes import cgroup
from evalsmith.processes.cgroup import MARGIN, Group, Place, Unavailable, describe, find_place, make_group
from evalsmith.processes.footprint import Footprint
from evalsmith.processes.program import Launch, Program
from evalsmith.run import InputError

V1 = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
V2 = ("memory.max", "memory.swap.max")


def fake(tmp_path: Path, groups: str, mounts: str) -> Path:
    """A /proc with what the kernel says of our cgroups; ROOT stands for the folder they are mounted in."""
    ours = tmp_path / "proc" / "self"
    ours.mkdir(parents=True)
    (ours / "cgroup").write_text(groups)
    (ours / "mountinfo").write_text(mounts.replace("ROOT", str(tmp_path)))
    return tmp_path / "proc"


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch):
    """New folders get files, as in a folder of cgroups; removal takes them along."""

    def install(*names: str) -> None:
        make, remove = Path.mkdir, Path.rmdir

        def mkdir(self: Path, *arguments: object, **options: object) -> None:
            make(self)
            for name in names:
                (self / name).write_text("")

        def rmdir(self: Path) -> None:
            for file in self.iterdir():
                file.unlink()
            remove(self)

        monkeypatch.setattr(Path, "mkdir", mkdir)
        monkeypatch.setattr(Path, "rmdir", rmdir)
        monkeypatch.setattr(cgroup, "_swept", set())

    return install


FIRST = ("4:cpu,memory:/jobs/7\n0::/\n", "33 30 0:28 / ROOT/mem rw - cgroup cgroup rw,memory\n")
SECOND = ("0::/user/scope\n", "30 1 0:26 / ROOT/all rw,nosuid - cgroup2 cgroup2 rw\n")


def test_the_place_is_the_group_we_are_in(tmp_path: Path) -> None:
    assert find_place(fake(tmp_path / "a", *FIRST)) == Place(tmp_path / "a" / "mem/jobs/7", 1)
    assert find_place(fake(tmp_path / "b", *SECOND)) == Place(tmp_path / "b" / "all/user/scope", 2)
    both = (FIRST[0], SECOND[1] + FIRST[1])
    assert find_place(fake(tmp_path / "c", *both)).version == 1, "the version that has the controller"


def test_a_mount_may_show_a_part_and_have_spaces_in_its_name(tmp_path: Path) -> None:
    proc = fake(tmp_path, "0::/box/a/b\n", "30 1 0:26 /box ROOT/all\\040here rw - cgroup2 none rw\n")
    assert find_place(proc).folder == tmp_path / "all here/a/b"


@pytest.mark.parametrize(
    ("groups", "mounts", "reason"),
    [
        ("", "", "no cgroup controller for memory"),
        ("3:cpu:/\n", FIRST[1], "no cgroup controller for memory"),
        ("4:memory:/x\n", "33 30 0:28 / ROOT/cpu rw - cgroup cgroup rw,cpu\n", "no cgroup controller for memory"),
        ("0::/../other\n", SECOND[1], "outside what is mounted"),
        ("0::/elsewhere\n", "30 1 0:26 /box ROOT/all rw - cgroup2 none rw\n", "outside what is mounted"),
        ("garbage\n0\n::\n", "a b c\n - \n", "no cgroup controller for memory"),
    ],
)
def test_where_there_is_no_place_it_says_why(tmp_path: Path, groups: str, mounts: str, reason: str) -> None:
    proc = fake(tmp_path, groups, mounts)
    with pytest.raises(Unavailable, match=reason):
        find_place(proc)
    assert describe(proc).startswith("polled: ")


def test_without_cgroups_at_all_memory_is_polled(tmp_path: Path) -> None:
    assert describe(tmp_path) == "polled: this system has no cgroups"


def test_a_group_of_the_first_version(tmp_path: Path, kernel) -> None:
    proc = fake(tmp_path, *FIRST)
    (tmp_path / "mem/jobs/7").mkdir(parents=True)
    kernel(*V1, "cgroup.procs")
    group = make_group(64_000_000, proc)
    assert group.folder.parent == tmp_path / "mem/jobs/7" and group.folder.name.startswith(f"evalsmith-{os.getpid()}-")
    assert [(group.folder / name).read_text() for name in V1] == [str(64_000_000 + MARGIN)] * 2
    assert (group.kills(), group.peak(), group.was_full(), group.processes()) == (0, 0, False, set())
    (group.folder / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    (group.folder / "memory.failcnt").write_text("3\n")
    (group.folder / "memory.max_usage_in_bytes").write_text("64000000\n")
    (group.folder / "cgroup.procs").write_text("17\n4\n")
    assert (group.kills(), group.peak(), group.was_full(), group.processes()) == (2, 64_000_000, True, {4, 17})
    assert group.remove() and not group.folder.exists() and group.remove()
    assert describe(proc) == "cgroup version 1" and not list((tmp_path / "mem/jobs/7").iterdir())


def test_a_group_of_the_second_version(tmp_path: Path, kernel) -> None:
    proc = fake(tmp_path, *SECOND)
    ours = tmp_path / "all/user/scope"
    ours.mkdir(parents=True)
    kernel(*V2)
    for handed_on in ("", "cpu pids"):
        (ours / "cgroup.subtree_control").write_text(handed_on)
        assert describe(proc) == "polled: our own cgroup does not delegate the memory controller"
    (ours / "cgroup.subtree_control").write_text("cpu memory\n")
    group = make_group(100, proc)
    assert [(group.folder / name).read_text() for name in V2] == [str(100 + MARGIN), "0"]
    (group.folder / "memory.events").write_text("low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\noom_group_kill 0\n")
    (group.folder / "memory.peak").write_text("99\n")
    assert (group.kills(), group.peak(), group.was_full()) == (1, 99, False)


def test_a_group_that_cannot_be_made_or_limited(tmp_path: Path, kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    proc = fake(tmp_path, *FIRST)
    assert describe(proc) == "polled: cannot create a cgroup within ours (No such file or directory)"
    ours = tmp_path / "mem/jobs/7"
    ours.mkdir(parents=True)
    kernel()
    assert describe(proc) == "polled: a cgroup within ours cannot be limited (No such file or directory)"
    assert not list(ours.iterdir())
    (ours / "memory.use_hierarchy").write_text("0\n")
    assert describe(proc) == "polled: a cgroup within ours would not be bounded by ours"


def test_groups_of_processes_that_are_gone_are_swept(tmp_path: Path, kernel) -> None:
    proc = fake(tmp_path, *FIRST)
    ours = tmp_path / "mem/jobs/7"
    for name in ("evalsmith-12-500-1", "evalsmith-12-777-1", "evalsmith-13-500-9", "evalsmith-12", "other-1-2-3"):
        (ours / name).mkdir(parents=True)
    (proc / "12").mkdir()
    (proc / "12" / "stat").write_text("12 (a) b) S " + " ".join(["0"] * 18) + " 500 0\n")
    kernel(*V1)
    group = make_group(1, proc)
    assert {path.name for path in ours.iterdir()} == {
        "evalsmith-12-500-1", "evalsmith-12", "other-1-2-3", group.folder.name
    }  # fmt: skip


def test_a_program_has_a_group_with_a_limit_or_without_unless_it_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int | None] = []
    monkeypatch.setattr("evalsmith.processes.footprint.make_group", lambda limit: made.append(limit))
    Footprint(100, "x", cgroup=False)
    assert not made
    Footprint(None, "x")
    Footprint(100, "x")
    assert made == [None, 100]


def test_a_group_without_a_limit_has_no_wall(tmp_path: Path, kernel) -> None:
    proc = fake(tmp_path, *SECOND)
    (tmp_path / "all/user/scope").mkdir(parents=True)
    kernel("cgroup.procs")
    group = make_group(None, proc)  # memory is not delegated here, and need not be
    assert [path.name for path in group.folder.iterdir()] == ["cgroup.procs"]


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]], {})
    os._exit(0)
os.wait()
print("ready", flush=True)
time.sleep(600)
"""


class Everybody(Group):
    """A group as the kernel would have it, of the processes that have a token in their command."""

    def __init__(self, token: str) -> None:
        super().__init__(Place(Path("nowhere"), 2), Path("nowhere"))
        self.token = token.encode()

    def enter(self) -> None:
        pass

    def processes(self) -> set[int]:
        found = set()
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if self.token in path.read_bytes() and int(path.parent.name) != os.getpid():
                    found.add(int(path.parent.name))
        return found


def test_a_daemon_without_an_environment_is_found_by_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has left the session, its parent and the mark behind."""
    token = fresh()
    monkeypatch.setattr("evalsmith.processes.footprint.make_group", lambda limit: Everybody(token))
    program = Program(Launch((sys.executable, "-c", DAEMON, token)))
    try:
        program.until(re.compile(rb"ready\n"), time.perf_counter() + 60)
        assert program.others() == 1
    finally:
        program.close()
    nothing_left(token)


def test_the_option_is_yes_or_no() -> None:
    chess = find_game("chess")
    for text, wanted in (("", True), (";cgroup=yes", True), (";cgroup=no", False)):
        outside = parse_player(f"uci:sh{text}", chess).outside
        assert outside is not None and outside.launch.cgroup is wanted
    with pytest.raises(InputError, match="cgroup is one of yes, no, not 'maybe'"):
        parse_player("uci:sh;cgroup=maybe", chess)


def test_a_group_that_the_program_did_not_enter_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "group"
    folder.mkdir()
    monkeypatch.setattr("evalsmith.processes.footprint.make_group", lambda limit: Group(Place(tmp_path, 1), folder))
    footprint = Footprint(100, "x")
    footprint.enter()  # no such file here: it must not keep a program from starting
    (folder / "cgroup.procs").unlink(missing_ok=True)
    footprint.confirm(os.getpid())
    assert footprint.group is None and not folder.exists()


# ── With the kernel's own, where it can be had ──

REAL = describe().startswith("cgroup")


def own_groups() -> list[str]:
    ours = f"evalsmith-{os.getpid()}-"
    return [path.name for path in find_place().folder.iterdir() if path.name.startswith(ours)] if REAL else []


def test_the_wall_holds_and_no_group_is_left() -> None:
    token = fresh()
    with (
        pytest.raises(Failure) as caught,
        seated(engine("spike", 200e6, token=token, options="memory=100000000"), token=token) as (seat, board),
    ):
        assert len(own_groups()) == int(REAL)
        seat.choose(board)
    assert caught.value.reason == "memory"
    assert caught.value.detail.endswith("bytes, 100,000,000 allowed")
    # It never got what it asked for; what it shares with others does not count at the wall.
    assert 100_000_000 < (seat.bytes_used() or 0) < (130_000_000 if REAL else 10**9)
    nothing_left(token)
    assert not own_groups()


def test_a_child_that_was_large_for_a_moment_is_seen() -> None:
    """Only the wall sees it for certain: it may be gone before anybody looks."""
    token = fresh()
    text = engine("child-spike", 300e6, token=token, options="memory=100000000")
    with seated(text, token=token) as (seat, board):
        if REAL:
            with pytest.raises(Failure, match=r"memory: .* 100,000,000 allowed"):
                seat.choose(board)
    assert not own_groups()


def test_memory_that_processes_share_counts_once() -> None:
    token = fresh()
    text = engine("shared", 60e6, token=token, options="memory=100000000")
    with seated(text, token=token) as (seat, board):
        if REAL:
            seat.choose(board)
            assert 60_000_000 < (seat.bytes_used() or 0) < 100_000_000
    assert not own_groups()


def test_the_group_of_a_killed_runner_is_swept_by_the_next() -> None:
    if not REAL:  # the sweeping itself is tested above
        return
    code = (
        "import sys, time; from evalsmith.processes.program import Launch, Program;"
        "program = Program(Launch((sys.executable, '-S', '-c', 'input()'), memory=10**9));"
        "print(program._footprint.group.folder, flush=True); time.sleep(600)"
    )
    runner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert runner.stdout is not None
    folder = Path(runner.stdout.readline().strip())
    assert folder.is_dir()
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    runner.stdout.close()
    group = Group(find_place(), folder)
    for _ in range(500):
        if not group.processes():
            break
        subprocess.run(["sleep", "0.02"], check=True)
    cgroup._swept.clear()
    make_group(1 << 30).remove()
    assert not folder.exists()
