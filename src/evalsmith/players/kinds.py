"""Kinds of players that other rooms or packages add: ``net:FILE``, ``rollouts``, ``greedy``, or a user's own.

They come from the entry point group ``evalsmith.players``, as games come from theirs:

    [project.entry-points."evalsmith.players"]
    net = "evalsmith.net.players:NET"

A kind turns the text of a player into an `Added` one, whose ``make`` gives a `Thinker` for each seat: anything that
thinks like our search.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Protocol

from evalsmith.engine import Limit
from evalsmith.engine.limit import SearchResult
from evalsmith.engine.memory import Memory
from evalsmith.games import Game, Position
from evalsmith.games.game import failure
from evalsmith.run import InputError

GROUP = "evalsmith.players"


class Thinker(Protocol):
    """What a seat asks: it thinks of one position at a time."""

    @property
    def memory(self) -> Memory:
        """What it takes."""

    def new_game(self) -> None:
        """Forget the last game."""

    def stop(self) -> None:
        """Stop thinking; another thread calls this."""

    def think(
        self, position: Position, limit: Limit, multipv: int = 1, history: Sequence[Position] = ()
    ) -> SearchResult:
        """The best moves under a limit."""


@dataclass(frozen=True)
class Added:
    """A player of an added kind: its usual name, a hash of the files it plays by, and what makes it for a seed."""

    name: str
    digest: str
    make: Callable[[int], Thinker]


@dataclass(frozen=True)
class PlayerKind:
    """A kind of players: how it is written after its name, its own options, and what makes a player of them."""

    argument: str
    options: tuple[str, ...]
    parse: Callable[[str, Mapping[str, str], Game], Added]


@functools.cache
def _entries() -> dict[str, metadata.EntryPoint]:
    return {entry.name: entry for entry in metadata.entry_points(group=GROUP)}


def added_kinds() -> tuple[str, ...]:
    """The names of the kinds, without loading them."""
    return tuple(sorted(_entries()))


def find_kind(name: str) -> PlayerKind:
    """The kind of that name."""
    entry = _entries()[name]
    try:
        kind: Any = entry.load()
    except Exception as error:
        raise InputError(f"players of the kind {name} ({entry.value}) cannot be loaded: {failure(error)}") from None
    if not isinstance(kind, PlayerKind):
        raise InputError(f"the kind of players {name} ({entry.value}) is a {type(kind).__name__}, not a PlayerKind")
    return kind
