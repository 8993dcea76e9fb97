"""Progress says how far, how fast, how long still."""

from __future__ import annotations

import sys

import pytest

from evalsmith.run import Bar, Silent, note, resume


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("time.monotonic", clock)
    return clock


def test_a_line_every_ten_seconds_where_there_is_no_terminal(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("match", 20_000, "games") as bar:
        for _ in range(26):
            clock.now += 1
            bar.advance(100)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "match: 1,000 of 20,000 games, 100/s, 190 s left",
        "match: 2,000 of 20,000 games, 100/s, 180 s left",
    ]


def test_a_resumed_run_counts_its_own_speed(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("match", 100, "games", done=90) as bar:
        clock.now += 20
        bar.advance()
    assert capsys.readouterr().err == "match: 91 of 100 games, 0.05/s, 180 s left\n"


def test_nothing_done_and_too_much_done(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("match", 2, "games") as bar:
        clock.now += 10
        bar.advance(0)
        clock.now += 10
        bar.advance(40)
    assert capsys.readouterr().err.splitlines() == [
        "match: 0 of 2 games, 0/s, an unknown time left",
        "match: 40 of 2 games, 2/s, 0 s left",
    ]


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with Bar("match", 3, "games") as bar:
        for _ in range(3):
            bar.advance()
    said = capsys.readouterr()
    assert said.out == ""
    assert "match" in said.err
    assert "3/3" in said.err
    assert "games/s" in said.err


def test_a_narrow_terminal_shows_all_of_how_the_work_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    stands = "W–D–L 36–0–0, Elo above +257 (95 %), LLR 2.06 of -2.94 … 2.94"
    with Bar("match", 200, "games") as bar:
        bar.workers("2 workers")
        bar.note(stands)
        bar.advance(36)
    said = capsys.readouterr().err
    assert stands in " ".join(said.split())
    assert "36/200" in said


def test_nobody_need_watch(capsys: pytest.CaptureFixture[str]) -> None:
    Silent().advance()
    Silent().advance(5)
    assert capsys.readouterr() == ("", "")


def test_what_was_done_before_is_no_part_of_the_rate(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("match", 1000, "games") as bar:
        clock.now += 5
        resume(bar, 800)
        note(bar, "W–D–L 3–2–1")
        clock.now += 20
        bar.advance(40)
    said = capsys.readouterr().err
    assert said == "match: 840 of 1,000 games, 2/s, 80 s left; W–D–L 3–2–1\n"


def test_whoever_shows_less_is_told_less() -> None:
    class Plain:
        done = 0

        def advance(self, count: int = 1) -> None:
            self.done += count

    plain = Plain()
    resume(plain, 3)
    note(plain, "unseen")
    resume(plain, 0)
    assert plain.done == 3
