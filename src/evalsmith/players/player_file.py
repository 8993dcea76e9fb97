"""Named players in a TOML file.

[players]
quick = "uci:stockfish;nodes=100"

[players.rival]
uci = "stockfish"
tc = "10+0.1"
memory = 200_000_000
option = { Hash = 16, Threads = 1 }
env = { LANG = "C" }
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from evalsmith.protocols import NAMES as PROTOCOLS
from evalsmith.run import InputError
from evalsmith.run.toml import read_toml

_FILES = ("weights", "cof")
_TABLES = ("option", "env")


def load_players(path: Path) -> dict[str, str]:
    """The texts of a file's players by name, for ``parse_player``."""
    document = read_toml(path)
    players = document.get("players")
    if not isinstance(players, dict):
        raise InputError(f"{path} has no table [players]")
    unknown = sorted(document.keys() - {"players"})
    if unknown:
        raise InputError(f"{path}: unknown key {unknown[0]!r}; expected only [players]")
    try:
        return {name: player_text(name, value) for name, value in players.items()}
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def player_text(name: str, value: object) -> str:
    """A player of a TOML file as the text that ``parse_player`` takes."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        raise InputError(f"player {name!r} must be a text or a table")
    kinds = [key for key in value if key in ("self", "random", *_FILES, *PROTOCOLS)]
    if len(kinds) != 1:
        raise InputError(f"player {name!r} must be one of self, random, {', '.join((*_FILES, *PROTOCOLS))}")
    parts = [_body(name, kinds[0], value[kinds[0]])]
    for key, given in value.items():
        if key in _TABLES:
            if not isinstance(given, Mapping):
                raise InputError(f"player {name!r}: {key} must be a table")
            parts += [f"{key}.{label}={_value(name, label, one)}" for label, one in given.items()]
        elif key != kinds[0]:
            parts.append(f"{key}={_value(name, key, given)}")
    if "name" not in value:
        parts.append(f"name={_value(name, 'name', name)}")
    return ";".join(parts)


def _body(name: str, kind: str, given: object) -> str:
    if kind in ("self", "random"):
        if given is not True:
            raise InputError(f"player {name!r}: {kind} must be true")
        return kind
    if kind not in _FILES and isinstance(given, list) and given and all(isinstance(word, str) for word in given):
        return f"{kind}:{shlex.join(given)}"
    if not isinstance(given, str) or not given:
        raise InputError(f"player {name!r}: {kind} must be a {'path' if kind in _FILES else 'command'}")
    if kind in _FILES:
        return f"{kind}:{_value(name, kind, given)}"
    try:
        return f"{kind}:{shlex.join(shlex.split(given))}"
    except ValueError as error:
        raise InputError(f"player {name!r}: the command {given!r} cannot be read: {error}") from None


def _value(name: str, key: str, given: object) -> str:
    if isinstance(given, bool):
        return str(given).lower()
    if not isinstance(given, str | int | float):
        raise InputError(f"player {name!r}: {key} must be a text or a number")
    return str(given).replace(";", "\\;")
