"""Tags and moves in a game's own notation, read and played through."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evalsmith.games import Game, find_game
from evalsmith.games.board import Board
from evalsmith.records.format import (
    DISAGREES,
    ILLEGAL,
    LONG_LINE,
    NO_MOVES,
    NOT_POSITION,
    UNFINISHED,
    BrokenGameError,
)
from evalsmith.records.lists import read_result
from evalsmith.records.record import UNKNOWN, Faults, Record, Score
from evalsmith.records.text import clean, lines, number, shown
from evalsmith.run.errors import InputError

AFTER_THE_END = "a move after the end of the game"
OTHER_GAME = "a game of another kind"
OTHER_RULES = "another version of the rules"
BAD_TAG = "not a tag"
BAD_COMMENT = "not a score"

_TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_SCORE = re.compile(r"\{(?:\?|([+-]?\d{1,9}))(?:/(\d{1,4}))?(?:[,\s]\s*(\d{1,9}(?:\.\d{1,9})?)s)?\}")
_FIRST = "Game"


@dataclass
class _Gathered:
    """A game while its file is read: its tags, and each word of its moves with the line where it stands."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    words: list[tuple[str, int]] = field(default_factory=list)
    broken: tuple[BrokenGameError, int] | None = None

    def fail(self, error: BrokenGameError, line: int) -> None:
        """Note what is wrong, if nothing was before."""
        self.broken = self.broken or (error, line)


class _MisplacedError(Exception):
    """What is wrong with a game, and in which line."""

    def __init__(self, error: BrokenGameError, line: int) -> None:
        super().__init__(str(error))
        self.error, self.line = error, line


def read_moves(game_name: str, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
    """The games of an open file, one after another; broken ones go to ``faults`` with the line of the move."""
    game = find_game(game_name)
    for count, gathered in enumerate(_gathered(game, stream), 1):
        try:
            yield _record(game, gathered, path, count, faults)
        except _MisplacedError as wrong:
            faults.add(wrong.error.fault(path, f"line {wrong.line}", count))


def _gathered(game: Game, stream: io.BufferedIOBase) -> Iterator[_Gathered]:
    here: _Gathered | None = None
    limit = 2 * game.max_steps + 2  # words, of which every other one may be a score
    for line in lines(stream):
        text = "" if line.text is None else line.text.strip()
        tag = _TAG.fullmatch(text)
        if here is None or (tag is not None and tag[1] == _FIRST):
            if not text and line.text is not None:
                continue
            if here is not None:
                yield here
            here = _Gathered(line.number)
        if line.text is None:
            here.fail(BrokenGameError(LONG_LINE), line.number)
        elif tag is not None:
            here.tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif text.startswith("[") and not here.words:
            here.fail(BrokenGameError(BAD_TAG, f'{shown(text)}; write [Name "value"]'), line.number)
        else:
            words = re.findall(r"\{[^{}]*\}|\S+", text)
            here.words += [(word, line.number) for word in words[: limit - len(here.words)]]
    if here is not None:
        yield here


def _record(game: Game, gathered: _Gathered, path: Path, count: int, faults: Faults) -> Record:
    """The game, played through, or a _MisplacedError."""
    if gathered.broken is not None:
        raise _MisplacedError(*gathered.broken)
    tags = gathered.tags
    try:
        board = _begun(game, tags)
        told = read_result(game, tags.get("Result", "*"), game.win or game.margin or 1 << 30, faults)
        if not gathered.words:
            raise BrokenGameError(NO_MOVES)
    except BrokenGameError as error:
        raise _MisplacedError(error, gathered.line) from None
    scores = _play(board, gathered.words)
    outcome = board.outcome()
    if outcome is None:
        faults.warn(UNFINISHED)
    elif told not in (UNKNOWN, outcome.value):
        faults.warn(DISAGREES)
    result = (None if told == UNKNOWN else told) if outcome is None else outcome.value
    first, second = (number(tags.get(name, "")) for name in ("FirstElo", "SecondElo"))
    return Record(
        game.name,
        tuple(board.move_stack),
        start=tags.get("Position"),
        result=result,
        finished=outcome is not None,
        termination=clean(tags.get("Ending", "")),
        players=(clean(tags.get("First", "")), clean(tags.get("Second", ""))),
        ratings=(first, second),
        event=clean(tags.get("Event", "")),
        date=clean(tags.get("Date", "")),
        time_control=clean(tags.get("TimeControl", "")),
        source=str(path),
        number=count,
        offset=gathered.line,
        scores=scores,
    )


def _begun(game: Game, tags: dict[str, str]) -> Board:
    """A board at the start that the tags tell."""
    if tags.get(_FIRST, game.name) != game.name:
        raise BrokenGameError(OTHER_GAME, f"{shown(tags[_FIRST])} in a file of {game.name}")
    version = tags.get("Rules", str(game.rules_version))
    if version != str(game.rules_version):
        raise BrokenGameError(OTHER_RULES, f"{shown(version)}; the installed {game.name} has {game.rules_version}")
    try:
        return Board(game, game.parse(tags["Position"]) if "Position" in tags else None)
    except InputError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None


def _play(board: Board, words: list[tuple[str, int]]) -> tuple[Score | None, ...]:
    """Play the moves; what is said of each."""
    scores: list[Score | None] = []
    for word, line in words:
        ply = len(scores) + 1
        if word.startswith("{"):
            found = _SCORE.fullmatch(word)
            if found is None or not scores:
                detail = f"{shown(word)}; write {{+35/6,0.5s}} behind a move: score, depth, seconds"
                raise _MisplacedError(BrokenGameError(BAD_COMMENT, detail, ply), line)
            value, depth, seconds = found.groups()
            scores[-1] = Score(
                None if value is None else int(value),
                None if depth is None else int(depth),
                None if seconds is None else float(seconds),
            )
            continue
        if not board.running and board.outcome() is not None:
            raise _MisplacedError(BrokenGameError(AFTER_THE_END, shown(word), ply), line)
        try:
            board.push(word)
        except InputError as error:
            raise _MisplacedError(BrokenGameError(ILLEGAL, str(error), ply), line) from None
        scores.append(None)
    return tuple(scores) if any(score is not None for score in scores) else ()
