"""Standard streams that are closed, full or read by nobody: an exit code that is true, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "evalsmith"]


def run(*words: str, **streams: object) -> subprocess.CompletedProcess[str]:
    given = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, **streams}
    return subprocess.run([*COMMAND, *words], text=True, timeout=120, check=False, **given)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("words", [("games",), ("games", "--json"), ("--version",)])
def test_a_reader_who_has_gone_is_no_failure(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = run(*words, stdout=writing)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_answer_that_cannot_be_written_is_a_failure() -> None:
    with open("/dev/full", "w") as full:
        ended = run("games", "--json", stdout=full)
    assert ended.returncode == 2
    assert ended.stderr.startswith("evalsmith: ") and "Traceback" not in ended.stderr


def test_without_standard_error_messages_do_not_go_to_the_answer() -> None:
    ended = run("show", "no-such-game", "--json", stdout=subprocess.PIPE, stderr=None, preexec_fn=lambda: os.close(2))
    assert (ended.returncode, ended.stdout) == (2, "")


@pytest.mark.parametrize("closed", [(0,), (0, 1), (0, 1, 2)])
@pytest.mark.parametrize(
    "words", [("chess",), ("othello",), ("othello", "--protocol", "gtp"), ("dvonn",), ("drmario",)]
)
def test_an_engine_without_pipes_ends(words: tuple[str, ...], closed: tuple[int, ...]) -> None:
    def close() -> None:
        for stream in closed:
            os.close(stream)

    ended = run("engine", *words, stdin=None, stdout=subprocess.PIPE, preexec_fn=close)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
