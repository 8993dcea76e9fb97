"""A game in progress as a JSON file: written in one step, and checked when it is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evalsmith.engine import Limit
from evalsmith.games import Game
from evalsmith.players.session import Session, Setup
from evalsmith.run import InputError, MismatchError, write_json

FORMAT = "evalsmith-game"
VERSION = 1


def save(session: Session, path: Path) -> None:
    """Write the game as JSON in one step; outcomes of chance are numbers among the moves."""
    game, setup = session.game, session.setup
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "rules_version": game.rules_version,
        "start": setup.start,
        "seats": dict(zip(game.sides, setup.seats, strict=True)),
        "adviser": setup.adviser,
        "limit": {"depth": setup.limit.depth, "nodes": setup.limit.nodes, "seconds": setup.limit.seconds},
        "seed": setup.seed,
        "moves": [step.move if step.side is None else step.text for step in session.steps],
        "resigned": None if session.resigned is None else game.sides[session.resigned],
    }
    write_json(path, document)


def load(path: Path, game: Game) -> Session:
    """A saved game; what is damaged, foreign or impossible is refused with the place."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no saved game {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a saved game: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'{path} is not a saved game: it lacks "format": "{FORMAT}"')
    for key, wanted, what in (
        ("version", VERSION, "version {} of the file"),
        ("game", game.name, "a game of {}"),
        ("rules_version", game.rules_version, f"rules version {{}} of {game.name}"),
    ):
        if document.get(key) != wanted:
            given = str(document.get(key))[:40].encode("ascii", "backslashreplace").decode()
            raise MismatchError(f"{path} is {what.format(given)}, not {what.format(wanted)}")
    try:
        return _restored(game, document)
    except MismatchError as error:
        raise MismatchError(f"{path}: {error}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


_HEAD = ("format", "version", "game", "rules_version")
_KEYS = {*_HEAD, "start", "seats", "adviser", "limit", "seed", "moves", "resigned"}


def _restored(game: Game, document: dict[str, Any]) -> Session:
    """The game that a document describes."""
    if document.keys() != _KEYS:
        wrong = sorted(document.keys() ^ _KEYS)[0]
        raise InputError(f"{wrong[:40]!r} is {'missing' if wrong in _KEYS else 'not known'}")
    seats, limit = document["seats"], document["limit"]
    if not isinstance(seats, dict) or set(seats) != set(game.sides[: game.players]):
        raise InputError(f'"seats" should name who plays {" and ".join(game.sides)}')
    if not isinstance(limit, dict) or set(limit) != {"depth", "nodes", "seconds"}:
        raise InputError('"limit" should have "depth", "nodes" and "seconds"')
    for name, value in (*limit.items(), ("seed", document["seed"])):
        if value is None and name != "seed":
            continue
        if type(value) is not int and (type(value) is not float or name != "seconds"):
            kind = "number" if name == "seconds" else "whole number"
            raise InputError(f"{name} should be a {kind}, not {str(value)[:40]!r}")
    setup = Setup(
        start=_text(document["start"], '"start"'),
        seats=tuple(_text(seats[side], f'"seats": {side}') for side in game.sides[: game.players]),
        adviser=_text(document["adviser"], '"adviser"'),
        limit=Limit(**limit),
        seed=document["seed"],
    )
    session = Session(game, setup)
    if not isinstance(document["moves"], list):
        raise InputError('"moves" should be a list')
    session.restore(
        [_text(move, f"move {at}") if isinstance(move, str) else move for at, move in enumerate(document["moves"], 1)]
    )
    if document["resigned"] is not None:
        if document["resigned"] not in game.sides or session.outcome is not None:
            raise InputError('"resigned" should be the side that gave up a game that was not over')
        session.resigned = game.sides.index(document["resigned"])
    return session


def _text(value: object, name: str) -> str:
    """A string without halves of surrogate pairs, which JSON can hold and no file or terminal can."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(f"{name} should be a text")
    return value
