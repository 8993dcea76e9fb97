"""Listening beside a search: what ends it, and what only looks like it."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass, field

import pytest

from evalsmith.protocols import listening
from evalsmith.protocols.listening import asks_to_quit, listen


@dataclass
class Engine:
    """Counts how often it is interrupted."""

    ready: bool = True
    interrupted: threading.Event = field(default_factory=threading.Event)

    def interrupt(self) -> None:
        self.interrupted.set()


@pytest.mark.parametrize("line", ["quit", "Quit\n", " QUIT \r\n", "7 quit", "quit # good night", "12 quit#"])
def test_quit_in_every_protocol(line: str) -> None:
    assert asks_to_quit(line)


@pytest.mark.parametrize(
    "line", ["", "7", "# quit", "known_command quit", "quit now", "set game quit", "quitter", "a quit", "7 8 quit"]
)
def test_what_only_looks_like_quit(line: str) -> None:
    assert not asks_to_quit(line)


def test_lines_come_in_order_and_nothing_after_quit() -> None:
    engine = Engine()
    lines = ["a\n", "known_command quit\n", "quit\n", "b\n"]
    assert list(listen(lines, engine)) == lines[:3]


def test_the_end_of_the_input_interrupts_nothing() -> None:
    engine = Engine()
    assert list(listen(["a", "b"], engine)) == ["a", "b"]
    assert not engine.interrupted.is_set()


def test_quit_interrupts_a_search_that_the_server_waits_for() -> None:
    engine = Engine()
    heard = []
    for line in listen(["go", "quit"], engine):
        heard.append(line)
        if line == "go":
            assert engine.interrupted.wait(60)
    assert heard == ["go", "quit"]


def test_quit_interrupts_nothing_before_there_is_a_search() -> None:
    engine = Engine(ready=False)
    assert list(listen(["quit"], engine)) == ["quit"]
    assert not engine.interrupted.is_set()


def test_only_the_main_thread_hears_that_the_reader_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def write(self, text: str) -> None:
            raise BrokenPipeError

    monkeypatch.setattr(listening.sys, "stdout", Gone())
    with pytest.raises(BrokenPipeError):
        listening.write("x")
    failures: list[BaseException] = []

    def elsewhere() -> None:
        try:
            listening.write("x")
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert failures == []


def test_a_guest_in_a_process_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr(listening.os, "_exit", codes.append)
    listening.leave()
    assert codes == []
    monkeypatch.setattr(listening.sys, "stdin", sys.__stdin__)
    listening.leave()
    assert codes == [0]
