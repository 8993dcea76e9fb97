"""Where the installed games are found.

Games come from the entry point group ``evalsmith.games``, so that a user's package adds its own:

    [project.entry-points."evalsmith.games"]
    connect_four = "connect_four:GAME"
"""

from __future__ import annotations

import functools
from importlib import metadata

from evalsmith.games.game import Game, failure
from evalsmith.run.errors import UnknownGame

GROUP = "evalsmith.games"


@functools.cache
def _entries() -> dict[str, metadata.EntryPoint]:
    return {entry.name: entry for entry in metadata.entry_points(group=GROUP)}


def game_names() -> list[str]:
    """The names of the installed games."""
    return sorted(_entries())


@functools.cache
def find_game(name: str) -> Game:
    """The installed game of that name. Loads none of its kernels."""
    entry = _entries().get(name)
    if entry is None:
        known = ", ".join(game_names()) or "none"
        raise UnknownGame(f"no game has the name {name!r}; the installed games are {known}")
    try:
        game = entry.load()
    except Exception as error:
        raise UnknownGame(f"the game {name} ({entry.value}) cannot be loaded: {failure(error)}") from None
    if not isinstance(game, Game):
        raise UnknownGame(f"the game {name} ({entry.value}) is a {type(game).__name__}, not a Game")
    return game
