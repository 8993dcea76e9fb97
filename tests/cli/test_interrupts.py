"""Ctrl-C from the first moment on, and readers who have gone: exit codes that are true, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# Runs the command; when a module is about to be imported, it says so and, if it is told to, gets Ctrl-C there.
CHILD = """
import os, signal, sys
where, at_once, *words = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == where:
            sys.meta_path.remove(self)
            os.write(3, b"here\\n")
            if at_once == "yes":
                os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv = ["evalsmith", *words]
from evalsmith.cli.main import main
main()
"""


def start(where: str, at_once: bool, *words: str, **streams: object) -> tuple[subprocess.Popen[bytes], int]:
    """The command, and where it says that it has come to a module."""
    reading, writing = os.pipe()

    def arrange() -> None:
        os.dup2(writing, 3)
        os.set_inheritable(3, True)

    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    child = subprocess.Popen(  # type: ignore[call-overload]
        [sys.executable, "-c", CHILD, where, "yes" if at_once else "no", *words],
        close_fds=False,
        preexec_fn=arrange,
        **given,
    )
    os.close(writing)
    return child, reading


def ended(child: subprocess.Popen[bytes], reading: int) -> tuple[int, str]:
    try:
        _, errors = child.communicate(timeout=300)
    finally:
        os.close(reading)
    return child.returncode, (errors or b"").decode()


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("typer", ["games"]),
        ("typer.core", ["--help"]),
        ("evalsmith.cli.main", ["search", "othello"]),
        ("evalsmith.cli.proof.match", ["match", "othello", "--player", "self", "--player", "self"]),
        ("evalsmith.run.errors", ["tune", "absent"]),
        ("evalsmith.games", ["games", "--json"]),
        ("numpy", ["show", "othello"]),
        ("llvmlite", ["search", "othello", "--nodes", "10"]),
        ("evalsmith.engine", ["play", "othello"]),
        ("evalsmith.arena.events.competitions", ["match", "othello", "--player", "self", "--player", "self"]),
        ("evalsmith.arena.statistics.elo", ["stats", "--wdl", "1,2,3"]),
        ("evalsmith.processes.cgroup", ["doctor"]),
    ],
)
def test_ctrl_c_at_any_import_is_a_quiet_end(where: str, words: list[str], tmp_path: Path) -> None:
    child, reading = start(where, True, *words, cwd=tmp_path)
    code, errors = ended(child, reading)
    assert code == 130
    lines = [line for line in errors.splitlines() if not line.startswith("compiling")]
    assert not lines or (len(lines) == 1 and lines[0].startswith("evalsmith: interrupted"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.03, 0.1, 0.2, 0.5])
def test_ctrl_c_at_early_moments_is_a_quiet_end(seconds: float) -> None:
    """From the first import on; whatever has been reached by then."""
    child, reading = start("typer", False, "search", "othello", "--movetime", "60")
    assert os.read(reading, 5) == b"here\n"
    time.sleep(seconds)
    child.send_signal(signal.SIGINT)
    code, errors = ended(child, reading)
    assert code == 130 and "Traceback" not in errors and errors.count("\n") <= 2


def test_importing_the_command_line_leaves_ctrl_c_alone() -> None:
    code = "import signal, evalsmith.cli.main; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    found = subprocess.run(
        [sys.executable, "-c", f"import signal; signal.signal(2, signal.default_int_handler); {code}"],
        capture_output=True, check=True, timeout=300, text=True,
    )  # fmt: skip
    assert found.stdout == "True\n"


EVENT = """
game = "connect_four"
games = 2
[players]
a = "self;nodes=5"
b = "random"
c = "self;nodes=9"
[limit]
nodes = 5
"""


@pytest.mark.parametrize(
    "words",
    [
        ["show", "othello"],
        ["tournament", "event.toml", "-o", "run"],
        ["lockstep", "connect_four", "self", "self;name=b;depth=5", "--positions", "8", "--depth", "3"],
        ["play", "connect_four", "--side", "both"],
        ["play", "connect_four", "--watch", "random", "--player", "random", "--delay", "0"],
    ],
)
def test_tables_that_nobody_reads_are_no_failure(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(EVENT)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        found = subprocess.run(
            [sys.executable, "-m", "evalsmith", *words],
            stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=300,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert "Traceback" not in found.stderr and "Exception" not in found.stderr
    assert found.returncode == 0, found.stderr
