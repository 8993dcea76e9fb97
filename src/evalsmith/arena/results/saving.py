"""The games of an event as a file in the game's own format, for other programs to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evalsmith.arena.play.adjudication import IMPASSE, LONG, SOLVED
from evalsmith.arena.results.entry import GameEntry
from evalsmith.games import Game
from evalsmith.games.termination import (
    BY_DECLARATION,
    BY_IMPASSE,
    BY_LENGTH,
    BY_MATE,
    BY_REPETITION,
    BY_RESIGNATION,
    BY_RULE,
    BY_STALEMATE,
)
from evalsmith.processes.failure import CRASH, FAILURES, ILLEGAL, TIME
from evalsmith.records import Format, Record, Score, format_for
from evalsmith.run import InputError, write_with

_FINISHED = frozenset({BY_RULE, BY_MATE, BY_STALEMATE})
_OWN_LIMIT = re.compile(r";\s*(tc|movetime|nodes|depth|budget|byoyomi)\s*=")
# What records call terminations; what stands in none of both is left to the final position.
_ENDINGS = {
    TIME: "time", ILLEGAL: "illegal", CRASH: "left", BY_RESIGNATION: "resigned", BY_DECLARATION: "declared",
    BY_IMPASSE: "impasse", IMPASSE: "impasse", BY_LENGTH: "too long", LONG: "too long", BY_REPETITION: "repetition",
}  # fmt: skip


def save_games(game: Game, games: Iterable[GameEntry], path: Path, event: str = "", time_control: str = "") -> int:
    """Write the games into a file, in their order and the format of its suffix (or the first of the game); how many."""
    form = format_of_games(game, path)
    count = 0

    def write(temporary: Path) -> None:
        nonlocal count
        with open(temporary, "wb") as file:
            count = form.write(file, _records(game, games, event, time_control))

    write_with(path, write)
    return count


def format_of_games(game: Game, path: Path) -> Format:
    """The format in which a file of an event's games is written; one that cannot be is refused."""
    if game.players != 2:
        raise InputError(f"games of {game.title} have two boards, which no record format can hold")
    return format_for(game, path)


def time_control_of(config: Mapping[str, Any]) -> str:
    """The time control of an event as PGN writes it; ``-`` where no clock ran, empty where players had their own."""
    limit = config.get("limit")
    if not isinstance(limit, dict) or any(_OWN_LIMIT.search(str(text)) for text in config.get("players", ())):
        return ""
    byoyomi = f"+{limit['byoyomi']:g}" if limit.get("byoyomi") else ""
    if limit.get("tc"):
        return f"{limit['tc']}{byoyomi}"
    if limit.get("budget"):
        return f"{limit['budget']:g}"
    if byoyomi:
        return f"0{byoyomi}"
    return f"1/{limit['movetime']:g}" if limit.get("movetime") else "-"


def _ending(entry: GameEntry) -> str:
    """What ended a game besides its last position, in the words of records."""
    termination = entry.termination
    if termination == BY_REPETITION and entry.result != 0:
        return "illegal"  # who repeats by perpetual check, where that is forbidden, has broken a rule
    if termination not in _ENDINGS and (termination.startswith("adjudication") or termination == SOLVED):
        return "adjudicated"
    return _ENDINGS.get(termination, "left" if termination in FAILURES else "")


def _records(game: Game, games: Iterable[GameEntry], event: str, time_control: str) -> Iterator[Record]:
    for number, entry in enumerate(games, 1):
        termination = entry.termination
        yield Record(
            game.name,
            (*entry.opening, *entry.moves),
            start=entry.start,
            result=entry.result,
            finished=termination in _FINISHED or _on_board(entry),
            termination=_ending(entry),
            players=entry.sides,
            event=event,
            date=entry.date,
            time_control=time_control,
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
