"""The games of an event as a file in the game's own format, for other programs to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from evalsmith.arena.play.adjudication import SOLVED
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.games import Game
from evalsmith.games.termination import BY_MATE, BY_REPETITION, BY_RESIGNATION, BY_RULE, BY_STALEMATE
from evalsmith.processes.failure import CRASH, FAILURES, ILLEGAL, TIME
from evalsmith.records import FORMATS, Format, Record, Score
from evalsmith.run import InputError, write_with

_FINISHED = frozenset({BY_RULE, BY_MATE, BY_STALEMATE})
_ENDINGS = {TIME: "time", ILLEGAL: "illegal", CRASH: "left", BY_RESIGNATION: "resigned"}


def save_games(game: Game, games: Mapping[GameKey, GameEntry], path: Path, event: str = "") -> int:
    """Write the games into a file, in the format of its suffix or the first that the game has; their number."""
    form = format_for(game, path)
    count = 0

    def write(temporary: Path) -> None:
        nonlocal count
        with open(temporary, "wb") as file:
            count = form.write(file, _records(game, games, event))

    write_with(path, write)
    return count


def format_for(game: Game, path: Path) -> Format:
    """The format in which a file of the game's records is written; one that cannot be is refused."""
    if game.players != 2:
        raise InputError(f"games of {game.title} have two boards, which no record format can hold")
    if path.is_dir():
        raise InputError(f"{path} is a folder; --save needs the name of a file")
    able = [one for one in FORMATS if one.game == game.name and one.writable and not one.positions]
    if not able:
        raise InputError(f"games of {game.title} are only in games.jsonl: no record format can hold them")
    return next((one for one in able if path.suffix.lower() in one.suffixes), able[0])


def _records(game: Game, games: Mapping[GameKey, GameEntry], event: str) -> Iterator[Record]:
    for number, (_, entry) in enumerate(sorted(games.items()), 1):
        termination = entry.termination
        ending = _ENDINGS.get(termination, "left" if termination in FAILURES else "")
        if termination.startswith("adjudication") or termination == SOLVED:
            ending = "adjudicated"
        yield Record(
            game.name,
            (*entry.opening, *entry.moves),
            start=entry.start,
            result=entry.result,
            finished=termination in _FINISHED or _on_board(entry),
            ending=ending,
            players=entry.sides,
            event=event,
            number=number,
            scores=_scores(entry),
        )


def _on_board(entry: GameEntry) -> bool:
    """Whether the game ended in its last position, by a rule that only this game has."""
    return entry.margin is not None and entry.termination not in (BY_REPETITION, *FAILURES)


def _scores(entry: GameEntry) -> tuple[Score | None, ...]:
    """The scores of all moves, or none at all; nobody scored the moves of the opening."""
    if entry.reports is None:
        return ()
    reports = zip(entry.reports.scores, entry.reports.depths, entry.reports.times, strict=True)
    scores = [None if score is None else Score(score, depth, seconds) for score, depth, seconds in reports]
    return (*([None] * len(entry.opening)), *scores)
