"""A game in progress as a file: JSON that can be resumed, or a record that other programs read.

The suffix decides: one that belongs to a record format (``.pgn``, ``.csa``, ``.games``) makes a record, any other JSON.
Both are written in one step; JSON is checked when it is read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evalsmith.engine import Limit
from evalsmith.games import Game
from evalsmith.games.termination import BY_DECLARATION, BY_RESIGNATION
from evalsmith.players.session import Session, Setup, Step
from evalsmith.records import Record, Score, format_for, is_record
from evalsmith.run import InputError, MismatchError, write_json, write_with

FORMAT = "evalsmith-game"
VERSION = 1
SMALLEST_MARGIN = 100
"""What a resignation counts in a game of margins, where none was reached."""


def save(session: Session, path: Path) -> None:
    """Write the game in one step: as the record format of the suffix, or as JSON."""
    if is_record(path):
        _save_record(session, path)
    else:
        _save_json(session, path)


def _save_record(session: Session, path: Path) -> None:
    """Write the game as a record; before the first move the file is empty."""
    form = format_for(session.game, path)
    records = [_record(session)] if session.board.move_stack or session.outcome is not None else []

    def write(temporary: Path) -> None:
        with open(temporary, "wb") as file:
            form.write(file, records)

    write_with(path, write)


def _record(session: Session) -> Record:
    game, board, outcome = session.game, session.board, session.outcome
    scores = tuple(_score(step) for step in session.steps)
    result = None if outcome is None else outcome.value
    if outcome is not None and outcome.termination == BY_RESIGNATION and not game.win:
        result = SMALLEST_MARGIN if outcome.value > 0 else -SMALLEST_MARGIN
    return Record(
        game.name,
        tuple(board.move_stack),
        start=None if (board.start == game.start()).all() else game.format(board.start),
        result=result,
        finished=board.outcome() is not None,
        termination=_RECORDED.get(outcome.termination, "") if outcome is not None else "",
        players=(*session.setup.seats, "")[:2],  # type: ignore[arg-type]
        scores=scores if any(score is not None for score in scores) else (),
    )


_RECORDED = {BY_RESIGNATION: "resigned", BY_DECLARATION: "declared"}


def _score(step: Step) -> Score | None:
    if step.thought is None or not step.thought.lines:
        return None
    best = step.thought.lines[0]
    return Score(best.score, best.depth, step.thought.seconds)


def _save_json(session: Session, path: Path) -> None:
    """Write the game as JSON; outcomes of chance are numbers among the moves."""
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
    if session.declared is not None:
        document["declared"] = game.sides[session.declared]
    write_json(path, document)


def load(path: Path, game: Game) -> Session:
    """A saved game; what is damaged, foreign or impossible is refused with the place."""
    if is_record(path):
        raise InputError(f"{path} is a record, which cannot be resumed; a game saved as .json can")
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
    if document.keys() - {"declared"} != _KEYS:
        wrong = sorted((document.keys() - {"declared"}) ^ _KEYS)[0]
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
    if document.get("declared") is not None:
        right = session.outcome is None and session.board.wins_by_declaration
        if not right or document["declared"] != game.sides[session.mover]:
            raise InputError('"declared" should be the side to move that wins by declaring so')
        session.declared = session.mover
    return session


def _text(value: object, name: str) -> str:
    """A string without halves of surrogate pairs, which JSON can hold and no file or terminal can."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(f"{name} should be a text")
    return value
