"""Settings: declared once, checked wherever a value comes from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalsmith.run.errors import InputError
from evalsmith.run.folder import to_toml
from evalsmith.run.settings import Settings, entries, nested, reference, setting


@dataclass(frozen=True)
class Clock(Settings):
    nodes: int | None = setting(None, low=1, group="Limits", help="Nodes per move.")
    seconds: float = setting(1.0, above=0, group="Limits", help="Seconds per move.")


@dataclass(frozen=True)
class Event(Settings):
    games: int = setting(200, low=1, high=1_000_000, help="Number of games.")
    penalty: float | str = setting(1000.0, low=0, words=("auto",), help="The penalty.")
    order: str = setting("random", choices=("random", "sequential"), help="The order.")
    share: float = setting(0.5, above=0, below=1, help="A share.")
    book: Path | None = setting(None, help="A file.")
    terms: tuple[str, ...] = setting((), help="Names.")
    repeat: bool = setting(False, help="Again.")
    limit: Clock = nested(Clock)

    def validate(self) -> None:
        if self.repeat and self.book is None:
            raise InputError("repeat needs a book")


def test_defaults_pass_their_own_checks():
    event = Event()
    assert event.games == 200
    assert event.limit == Clock()
    assert [entry.name for entry in entries(Event)][-2:] == ["nodes", "seconds"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games must be a whole number from 1 to 1,000,000, not 0"),
        ({"games": 2.5}, "games must be a whole number from 1 to 1,000,000, not 2.5"),
        ({"games": True}, "games must be a whole number from 1 to 1,000,000, not True"),
        ({"games": "20"}, "games must be a whole number from 1 to 1,000,000, not '20'"),
        ({"games": None}, "games is not given; it must be a whole number from 1 to 1,000,000"),
        ({"penalty": "much"}, "penalty must be a number of at least 0, or auto, not 'much'"),
        ({"penalty": -1}, "penalty must be a number of at least 0, or auto, not -1"),
        ({"penalty": float("nan")}, "penalty must be a number of at least 0, or auto, not nan"),
        ({"order": "best"}, "order must be random or sequential, not 'best'"),
        ({"share": 1}, "share must be a number between 0 and 1, both excluded, not 1"),
        ({"terms": "edge"}, "terms must be a list of texts, not 'edge'"),
        ({"terms": [1]}, "terms must be a text, not 1"),
        ({"repeat": 1}, "repeat must be true or false, not 1"),
        ({"repeat": True}, "repeat needs a book"),
        ({"nodes": 0}, "nodes must be a whole number of at least 1, not 0"),
        ({"seconds": 0}, "seconds must be a number above 0, not 0"),
        ({"game": 3}, "there is no setting 'game'; did you mean games?"),
        ({"random-order": 3}, "there is no setting 'random-order'; the settings are games, "),
    ],
)
def test_refused_values_are_named_with_what_was_expected(options, message):
    with pytest.raises(InputError) as error:
        Event.from_options(options)
    assert str(error.value).startswith(message)


def test_values_come_in_their_types():
    event = Event.from_options(
        {"penalty": "30", "book": "openings.pgn", "terms": ["a", "b"], "nodes": 7, "share": 0.25}
    )
    assert event.penalty == 30.0
    assert event.book == Path("openings.pgn")
    assert event.terms == ("a", "b")
    assert event.limit == Clock(nodes=7)
    assert Event(penalty="auto").penalty == "auto"


def test_a_table_is_read_back_from_toml():
    event = Event.from_options({"games": 10, "book": "x.pgn", "repeat": True, "terms": ["edge"], "nodes": 100})
    assert Event.from_table(tomllib.loads(to_toml(event.to_table()))) == event
    assert event.changed() == {"games": 10, "book": "x.pgn", "terms": ["edge"], "repeat": True, "nodes": 100}
    assert Event().changed() == {}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"limit": {"node": 5}}, "there is no setting 'node' in [limit]; did you mean nodes?"),
        ({"limit": 5}, "limit in event.toml must be a table, not 5"),
        ({"limit": {"nodes": "many"}}, "[limit]: nodes must be a whole number of at least 1, not 'many'"),
        ({"nodes": 5}, "there is no setting 'nodes' in event.toml"),
        ({"games": 0}, "event.toml: games must be"),
    ],
)
def test_refused_tables_name_their_place(table, message):
    with pytest.raises(InputError) as error:
        Event.from_table(table, "event.toml")
    assert str(error.value).startswith(message)


def test_options_override_a_table():
    event = Event.from_table({"games": 10, "limit": {"nodes": 5, "seconds": 2}}).override({"nodes": 6})
    assert (event.games, event.limit.nodes, event.limit.seconds) == (10, 6, 2.0)


def test_the_reference_lists_every_setting():
    page = reference(Event)
    assert "| `games` | a whole number from 1 to 1,000,000 | `200` | Number of games. |" in page
    assert "| `limit.nodes` | a whole number of at least 1 |  | Nodes per move. |" in page
    assert page.count("\n") == 2 + len(entries(Event))
