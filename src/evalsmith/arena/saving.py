"""The games of an event as a file in the game's own format, for other programs to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from evalsmith.arena.adjudication import SOLVED
from evalsmith.arena.log import Entry, GameKey
from evalsmith.games import Game
from evalsmith.players.endings import BY_MATE, BY_REPETITION, BY_RESIGNATION, BY_RULE, BY_STALEMATE
from evalsmith.players.seat import CRASH, FAILURES, ILLEGAL, TIME
from evalsmith.records import FORMATS, Format, Record, Score
from evalsmith.run import InputError, write_with

_FINISHED = frozenset({BY_RULE, BY_MATE, BY_STALEMATE})
_ENDINGS = {TIME: "time", ILLEGAL: "illegal", CRASH: "left", BY_RESIGNATION: "resigned"}


def save_games(game: Game, games: Mapping[GameKey, Entry], path: Path, event: str = "") -> int:
    """Write the games into a file, in the format of its suffix or else the first that the game has; how many."""
    form = format_for(game, path)
    count = 0

    def write(temporary: Path) -> None:
        nonlocal count
        with open(temporary, "wb") as file:
            count = form.write(file, _records(game, games, event))

    write_with(path, write)
    return count


def format_for(game: Game, path: Path) -> Format:
    """The format that a file of the game's records is written in; asked before an event too, not to refuse it late."""
    if game.players != 2:
        raise InputError(f"games of {game.title} have two boards, and no format of records has a place for that")
    if path.is_dir():
        raise InputError(f"{path} is a folder; --save needs the name of a file")
    able = [one for one in FORMATS if one.game == game.name and one.writable and not one.positions]
    if not able:
        raise InputError(f"games of {game.title} can only be kept as they are, in games.jsonl: no format writes them")
    return next((one for one in able if path.suffix.lower() in one.suffixes), able[0])


def _records(game: Game, games: Mapping[GameKey, Entry], event: str) -> Iterator[Record]:
    for number, (_, entry) in enumerate(sorted(games.items()), 1):
        opening = [int(move) for move in entry.get("opening", ())]
        moves = [int(move) for move in entry.get("moves", ())]
        reason = str(entry["reason"])
        ending = _ENDINGS.get(reason, "left" if reason in FAILURES else "")
        if reason.startswith("adjudication") or reason == SOLVED:
            ending = "adjudicated"
        yield Record(
            game.name,
            (*opening, *moves),
            start=entry.get("start"),
            result=int(entry["result"]),
            finished=reason in _FINISHED or _on_board(entry, reason),
            ending=ending,
            players=(str(entry["sides"][0]), str(entry["sides"][1])),
            event=event,
            number=number,
            scores=_scores(entry, len(opening), len(moves)),
        )


def _on_board(entry: Entry, reason: str) -> bool:
    """Whether a rule with a name of the game's own ended it in the last position."""
    return entry.get("margin") is not None and reason not in (BY_REPETITION, *FAILURES)


def _scores(entry: Entry, opening: int, moves: int) -> tuple[Score | None, ...]:
    rows = [entry.get(key) for key in ("scores", "depths", "times")]
    if not all(isinstance(row, list) and len(row) == moves for row in rows):
        return ()
    told = [
        None if value is None else Score(int(value), depth, float(seconds))
        for value, depth, seconds in zip(*rows, strict=True)
    ]
    return (*([None] * opening), *told)
