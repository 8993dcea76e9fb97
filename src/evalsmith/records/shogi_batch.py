"""Shogi games that were found in a text, played through and made into a batch; broken ones become faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.games import Position, find_game
from evalsmith.games.shogi.squares import STATE
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import ILLEGAL as NOT_LEGAL
from evalsmith.records.format import NO_MOVES, BrokenGameError
from evalsmith.records.record import UNKNOWN, Faults
from evalsmith.records.shogi_endings import ILLEGAL, LAST_ILLEGAL, Ending, settle
from evalsmith.records.shogi_replay import MATED, TIMES, WRONG, Played, replay
from evalsmith.records.shogi_scan import LINE, Found


@dataclass(frozen=True, slots=True)
class Heading:
    """What a text tells of a game beside its moves."""

    start: Position
    usual: bool
    texts: Texts
    ending: Ending
    ratings: tuple[int, int] = (UNKNOWN, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Broken:
    """A game that is known to be broken before it is played through, with the place in the text."""

    error: BrokenGameError
    place: int | None = None

    def __post_init__(self) -> None:
        # It would keep alive all that was read when it was raised.
        self.error.__traceback__ = None


@dataclass(frozen=True, slots=True)
class _Sound:
    """A game that goes into the batch, by its number in the text."""

    row: int
    plies: int
    result: int
    finished: bool


def make_batch(
    found: Found[Any],
    headings: Sequence[Heading | Broken],
    move_text: Callable[[int], str],
    path: Path,
    faults: Faults,
    moveless: bool = False,
) -> Batch:
    """Play the games through. ``move_text`` gives the text of a claim; ``moveless`` games are sound."""
    scan = found.scan
    usual = find_game("shogi").start()
    starts = np.stack([head.start if isinstance(head, Heading) else usual for head in headings] or [usual])
    first = scan.first
    played = replay(scan.claims, first, starts[: len(headings)])
    movers = (played.ends[:, STATE] & np.uint64(1)).tolist()
    told = zip(headings, first.tolist(), np.diff(first).tolist(), played.facts.tolist(), movers, strict=False)
    sound: list[_Sound] = []
    for row, (head, begin, plies, facts, mover) in enumerate(told):
        try:
            if isinstance(head, Broken):
                raise head.error
            ending, wrong = head.ending, facts[WRONG]
            if wrong >= 0:
                # An illegal move that ended the game is not part of it; who made it has lost.
                if wrong != plies - 1 or ending.name != ILLEGAL.name:
                    raise _illegal(played, row, move_text(begin + wrong) if _room(faults) else None)
                faults.note(LAST_ILLEGAL)
                ending = ILLEGAL
            kept = plies if wrong < 0 else wrong
            if kept == 0 and not moveless:
                raise BrokenGameError(NO_MOVES)
            result, finished = settle(ending, mover, facts[MATED] == 1, facts[TIMES], faults)
            sound.append(_Sound(row, kept, UNKNOWN if result is None else result, finished))
        except BrokenGameError as broken:
            line = int(scan.facts[row, LINE])
            if not _room(faults):
                pass
            elif isinstance(head, Broken) and head.place is not None:
                line = found.line_at(row, head.place)
            elif broken.move is not None and broken.move <= plies:
                line = found.line_at(row, int(scan.places[begin + broken.move - 1]))
            faults.add(broken.fault(path, f"line {line}", found.number + row))
    return _batch(found, headings, played, starts, sound, path)


def _room(faults: Faults) -> bool:
    """Whether the next fault is kept in full; of the others only the reason counts, and a file may hold millions."""
    return len(faults.kept) < faults.limit


def _illegal(played: Played, row: int, text: str | None) -> BrokenGameError:
    """The fault of a game that goes wrong, without details where there is no text of the move."""
    return (None if text is None else played.broken(row, text)) or BrokenGameError(NOT_LEGAL)


def _batch(
    found: Found[Any],
    headings: Sequence[Heading | Broken],
    played: Played,
    starts: Any,
    sound: list[_Sound],
    path: Path,
) -> Batch:
    """The columns of the sound games."""
    scan, first = found.scan, found.scan.first
    rows = np.array([game.row for game in sound], dtype=np.int64)
    lengths = np.array([game.plies for game in sound], dtype=np.int64)
    begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    # The moves of sound games stand behind one another, but for what lies between them.
    chosen = np.repeat(first[rows] - begins[:-1], lengths) + np.arange(int(begins[-1]))
    milliseconds = scan.times[chosen]
    heads: list[Any] = [headings[row] for row in rows.tolist()]
    return Batch(
        "shogi",
        str(path),
        played.moves[chosen],
        begins,
        starts[rows],
        np.array([head.usual for head in heads], dtype=np.bool_),
        np.array([game.result for game in sound], dtype=np.int32),
        np.array([game.finished for game in sound], dtype=np.bool_),
        np.array([head.ratings for head in heads], dtype=np.int32).reshape(-1, 2),
        found.number + rows,
        scan.facts[rows, LINE],
        scan.scores[chosen],
        np.full(len(chosen), -1, dtype=np.int16),
        np.where(milliseconds < 0, np.nan, milliseconds / 1000).astype(np.float32),
        np.full(len(chosen), UNKNOWN, dtype=np.int32),
        [head.texts for head in heads],
    )


def with_ending(head: Heading, ending: Ending) -> Heading:
    """The same heading with another ending."""
    return replace(head, ending=ending, texts=replace(head.texts, ending=ending.name))
