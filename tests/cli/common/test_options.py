"""Options made from settings, and the help that shows them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from typer.testing import CliRunner

from evalsmith.cli.common.help import VerbApp
from evalsmith.cli.common.options import takes
from evalsmith.run.settings import Settings, setting


@dataclass(frozen=True)
class Event(Settings):
    games: int = setting(200, low=1, group="Match", help="Number of games.")
    penalty: float | str = setting(1000.0, words=("auto",), group="Match", help="The penalty.")
    terms: tuple[str, ...] = setting((), flags=("--term",), metavar="NAME", help="Features to fit. Repeatable.")
    pin: bool = setting(True, group="Limits", help="Pin programs to cores.")
    repeat: bool = setting(False, group="Limits", help="Use openings again.")
    hidden: int = setting(3, on_command_line=False, help="Only in files.")


app = VerbApp("trial", "A program.")
received: list[tuple[str, dict[str, object]]] = []


@app.command()
@takes(Event)
def run(name: str, given: dict[str, object], loud: bool = False) -> None:
    """Run it. With care."""
    received.append((name, given))


@app.command()
def other() -> None:
    """Do something else."""


def call(*words: str):
    received.clear()
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"})


def test_only_what_was_written_is_given():
    assert call("run", "a").exit_code == 0
    assert received == [("a", {})]
    answer = call(
        "run", "a", "--games", "200", "--penalty", "auto", "--term", "x", "--term", "y", "--no-pin", "--repeat"
    )
    assert answer.exit_code == 0, answer.output
    assert received == [("a", {"games": 200, "penalty": "auto", "terms": ["x", "y"], "pin": False, "repeat": True})]
    assert Event.from_options(received[0][1]).terms == ("x", "y")


@pytest.mark.parametrize("words", [("--hidden", "3"), ("--games", "many")])
def test_bad_usage_is_refused(words):
    assert call("run", "a", *words).exit_code == 2


def test_help_stands_in_groups_and_fits():
    text = call("run", "--help").output
    assert [line for line in text.splitlines() if line.endswith(":")] == ["Arguments:", "Match:", "Limits:", "Options:"]
    assert "--penalty X|auto" in text
    assert "--term NAME" in text
    assert "--pin / --no-pin" in text
    assert "[default: 200]" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_group_shows_the_first_sentence_of_each_command():
    text = call("--help").output
    assert "run    Run it.\n" in text
    assert "care" not in text
