"""From the JSON of JKF to records: the heading, the start, the main line and its end."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.games import Position, find_game
from evalsmith.records.format import ILLEGAL, NO_MOVES, NOT_POSITION, BrokenGameError
from evalsmith.records.jkf.moves import named, read_move
from evalsmith.records.jkf.start import read_start
from evalsmith.records.kif.heading import Heading, read_heading
from evalsmith.records.kif.read import VARIATION
from evalsmith.records.record import UNKNOWN, Fault, Faults, Record, Score
from evalsmith.records.shogi.blocks import GAME_LIMIT, plain_head
from evalsmith.records.shogi.terminations import CSA, NOT_STATED, UNCLEAR, Termination, settle
from evalsmith.records.text import clean, shown
from evalsmith.run.errors import MoveError, PositionError

NOT_JSON = "the file is not JSON"
NOT_GAME = "not a game in JKF"
TOO_LARGE = "the file is too large"
_LIMIT = 4 * GAME_LIMIT


def read_jkf(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
    """The games of a file; one that cannot be read is a fault, and costs only itself."""
    content = stream.read(_LIMIT + 1)
    if len(content) > _LIMIT:
        faults.add(Fault(str(path), "", None, TOO_LARGE, f"over {_LIMIT} bytes"))
        return
    try:
        document = json.loads(plain_head(content).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        faults.add(Fault(str(path), "", None, NOT_JSON, str(error)[:200]))
        return
    for number, entry in enumerate(document if isinstance(document, list) else [document], 1):
        try:
            yield _record(entry, path, number, faults)
        except BrokenGameError as error:
            faults.add(error.fault(path, "", number))


@dataclass
class _Line:
    """The main line of a game as far as it was read."""

    position: Position
    moves: list[int] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    scores: list[Score | None] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    termination: Termination = NOT_STATED


def _record(entry: Any, path: Path, number: int, faults: Faults) -> Record:
    if not isinstance(entry, dict) or not isinstance(entry.get("moves"), list):
        raise BrokenGameError(NOT_GAME, "expected an object with a list of moves")
    game = find_game("shogi")
    try:
        start, standard = read_start(entry.get("initial"))
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None
    line = _Line(start)
    for step in entry["moves"]:
        if not isinstance(step, dict):
            raise BrokenGameError(NOT_GAME, f"{shown(str(step))} is not a move", len(line.moves) + 1)
        if not _take(line, step, faults):
            break
    if not line.moves:
        raise BrokenGameError(NO_MOVES)
    mated, times = not game.moves(line.position), 1 + line.keys[::-1][1::2].count(game.key(line.position))
    settled = settle(
        [line.termination], np.array([game.mover(line.position)]), np.array([mated]), np.array([times]), faults
    )
    result, heading = int(settled.results[0]), _heading(entry.get("header"))
    return Record(
        game.name,
        tuple(line.moves),
        start=None if standard else game.format(start),
        result=None if result == UNKNOWN else result,
        finished=bool(settled.finished[0]),
        termination=line.termination.name,
        players=(heading.players[0], heading.players[1]),
        ratings=(heading.ratings[0], heading.ratings[1]),
        event=_first(heading, "棋戦", "表題"),
        date=_first(heading, "開始日時", "対局日", "対局日時"),
        time_control=_first(heading, "持ち時間"),
        source=str(path),
        number=number,
        scores=tuple(line.scores) if any(score is not None for score in line.scores) else (),
        comments=line.comments,
    )


def _take(line: _Line, step: dict[str, Any], faults: Faults) -> bool:
    """One entry of the list: a move, an end, or comments alone; whether the game goes on."""
    game = find_game("shogi")
    forks = step.get("forks")
    faults.warn(VARIATION, len(forks) if isinstance(forks, list) else 0)
    if step.get("move") is not None:
        last = line.moves[-1] & 127 if line.moves else None
        try:
            move = read_move(line.position, step["move"], last)
        except MoveError as error:
            raise BrokenGameError(ILLEGAL, str(error)[:300], len(line.moves) + 1) from None
        line.keys.append(game.key(line.position))
        line.moves.append(move)
        line.scores.append(_spent(step.get("time")))
        line.position = game.play_unchecked(line.position, move)
    _comment(line, step.get("comments"))
    special = step.get("special")
    if special is None:
        return True
    line.termination = CSA.get(f"%{special}".encode(errors="replace"), NOT_STATED)
    faults.warn(UNCLEAR, int(line.termination is NOT_STATED))
    return False


def _comment(line: _Line, comments: Any) -> None:
    if isinstance(comments, list) and comments:
        known = [line.comments[len(line.moves)]] if len(line.moves) in line.comments else []
        line.comments[len(line.moves)] = "\n".join([*known, *map(str, comments)]).replace("\r", "")


def _spent(time: Any) -> Score | None:
    """The seconds that a move took."""
    now = named(time).get("now")
    parts = [named(now).get(unit) or 0 for unit in ("h", "m", "s")]
    if now is None or not all(isinstance(part, int | float) and 0 <= part < 100_000 for part in parts):
        return None
    return Score(None, None, float(3600 * parts[0] + 60 * parts[1] + parts[2]))


def _heading(header: Any) -> Heading:
    """The heading, whose keys are those of KIF."""
    lines = (f"{clean(str(key))}：{clean(str(value))}" for key, value in named(header).items())
    return read_heading([line for line in lines if "\n" not in line])


def _first(heading: Heading, *keys: str) -> str:
    return next((heading.values[key] for key in keys if heading.values.get(key)), "")
