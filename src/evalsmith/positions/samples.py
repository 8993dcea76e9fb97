"""Samples: positions with what is known of them, as columns of equal length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game, Position
from evalsmith.positions.replay import replay
from evalsmith.records import UNKNOWN
from evalsmith.records.position_batch import NOT_COUNTED, no_policy
from evalsmith.run import InputError

__all__ = ["LABELS", "UNKNOWN", "Replayer", "Samples"]  # UNKNOWN becomes null in the files

# How a score was found, by its number in the column ``label``.
LABELS = ("none", "reported", "playout", "search", "exact", "player")
NONE, REPORTED, PLAYOUT, SEARCH, EXACT, PLAYER = range(len(LABELS))

# What the value of a position may be.
TARGETS = ("label", "result", "score")

_FILL = {"label": (np.int8, NONE), "depth": (np.int16, -1), "source": (np.int32, 0)}
_FILL |= {"rating": (np.int16, -1), "opponent": (np.int16, -1), "move": (np.int32, -1)}
_FILL |= {"cleared": (np.int32, NOT_COUNTED), "duration": (np.int32, NOT_COUNTED)}

NO_MOVE = -1
# What is stored of a line of a search, by its place in the last axis of ``Samples.lines``.
LINE_MOVE, LINE_SCORE, LINE_DEPTH = range(3)
LINE_FACTS = 3


def _later() -> npt.NDArray[Any]:
    return np.zeros(0, dtype=np.int16)


def no_lines(rows: int, lines: int = 0) -> npt.NDArray[np.int32]:
    """Room for a number of lines in each row, all empty."""
    return np.full((rows, lines, LINE_FACTS), -1, dtype=np.int32)


@dataclass(frozen=True)
class Samples:
    """Rows of positions; ``result`` and ``score`` are for the mover, in the game's unit.

    ``label`` says how the score was found (LABELS), ``depth`` how deep that looked in plies, ``rating`` and
    ``opponent`` are the Elo of the mover and of the other side; -1 where they are not known. ``source`` is a number of
    the dataset's list of sources. ``move`` is the move played there, -1 where it is not known. ``lines`` are the best
    moves that a search reported, with their scores for the mover and their depths, best first: rows × lines × 3, with
    move -1 where a row has fewer. ``policy`` are distributions over moves, ``cleared`` and ``duration`` how a game for
    one went on, as in a `PositionBatch`. All from ``label`` on are filled in where they are left out.
    """

    words: npt.NDArray[np.uint64]
    game: npt.NDArray[np.int64]
    ply: npt.NDArray[np.int32]
    phase: npt.NDArray[np.int32]
    result: npt.NDArray[np.int32]
    score: npt.NDArray[np.int32]
    label: npt.NDArray[np.int8] = field(default_factory=_later)
    depth: npt.NDArray[np.int16] = field(default_factory=_later)
    rating: npt.NDArray[np.int16] = field(default_factory=_later)
    opponent: npt.NDArray[np.int16] = field(default_factory=_later)
    source: npt.NDArray[np.int32] = field(default_factory=_later)
    move: npt.NDArray[np.int32] = field(default_factory=_later)
    lines: npt.NDArray[np.int32] = field(default_factory=_later)
    policy: npt.NDArray[np.void] = field(default_factory=lambda: no_policy(0))
    cleared: npt.NDArray[np.int32] = field(default_factory=_later)
    duration: npt.NDArray[np.int32] = field(default_factory=_later)

    def __post_init__(self) -> None:
        for name, (kind, value) in _FILL.items():
            column = getattr(self, name)
            if len(column) != len(self.game):
                column = np.full(len(self.game), value, dtype=kind)
            # A score of which nobody says how it was found is taken for a label somebody made.
            if name == "label" and len(getattr(self, name)) != len(self.game):
                column[self.score != UNKNOWN] = SEARCH
            object.__setattr__(self, name, column.astype(kind, copy=False))
        if self.lines.ndim != 3 or len(self.lines) != len(self.game):
            object.__setattr__(self, "lines", no_lines(len(self.game)))
        if len(self.policy) != len(self.game):
            object.__setattr__(self, "policy", no_policy(len(self.game)))

    def __len__(self) -> int:
        return len(self.game)

    def take(self, chosen: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Samples:
        """Some of the rows."""
        return Samples(*(getattr(self, each.name)[chosen] for each in fields(self)))

    def part(self, begin: int, end: int) -> Samples:
        """Rows next to each other, not copied."""
        return Samples(*(getattr(self, each.name)[begin:end] for each in fields(self)))

    @classmethod
    def join(cls, parts: Sequence[Samples], words: int) -> Samples:
        """Several sets of rows, one after another."""
        if not parts:
            none = np.zeros(0, dtype=np.int32)
            return cls(np.zeros((0, words), dtype=np.uint64), np.zeros(0, dtype=np.int64), none, none, none, none)
        if len(parts) == 1:
            return parts[0]
        lines, moves = (max(getattr(part, name).shape[1] for part in parts) for name in ("lines", "policy"))
        wide = [part.with_room(lines, moves) for part in parts]
        return cls(*(np.concatenate([getattr(part, each.name) for part in wide]) for each in fields(cls)))

    def with_room(self, lines: int, moves: int = 0) -> Samples:
        """The same samples with room for at least this number of lines, and of moves with a share, in each row."""
        made = self
        if made.lines.shape[1] < lines:
            room = no_lines(len(self), lines)
            room[:, : self.lines.shape[1]] = self.lines
            made = replace(made, lines=room)
        if made.policy.shape[1] < moves:
            wide = no_policy(len(self), moves)
            wide[:, : self.policy.shape[1]] = self.policy
            made = replace(made, policy=wide)
        return made

    @property
    def target(self) -> npt.NDArray[np.int32]:
        """The value of each position where nothing else is chosen."""
        return self.target_by()

    def target_by(self, choice: str = TARGETS[0]) -> npt.NDArray[np.int32]:
        """The value of each position, by one of TARGETS; UNKNOWN where there is none.

        ``label`` takes the score where a label was made, else the result; what a player reported during the
        game counts only where the game has no result. ``result`` takes results alone, ``score`` scores alone, reported
        ones too.
        """
        if choice not in TARGETS:
            raise InputError(f"the target must be one of {', '.join(TARGETS)}, not {choice!r}")
        if choice == "result":
            return self.result
        if choice == "score":
            return self.score
        scored = (self.score != UNKNOWN) & ((self.label != REPORTED) | (self.result == UNKNOWN))
        return np.where(scored, self.score, self.result).astype(np.int32)


class Replayer:
    """Turns games into samples: the positions before their moves, with the result for each mover."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def samples(
        self, number: int, start: Position, moves: Sequence[int], result: int | None, *, first_ply: int = 0
    ) -> Samples:
        """The samples of one game whose moves are known to be legal; ``result`` is for side 0."""
        count = len(moves)
        first = np.array([0, count], dtype=np.int64)
        replayed = replay(self.game, start.reshape(1, -1), np.array(moves, dtype=np.int32), first)
        if result is None:
            values = np.full(count, UNKNOWN, dtype=np.int32)
        else:
            values = np.where(replayed.mover == 0, result, -result).astype(np.int32)
        samples = Samples(
            words=replayed.words,
            game=np.full(count, number, dtype=np.int64),
            ply=np.arange(first_ply, first_ply + count, dtype=np.int32),
            phase=replayed.phase,
            result=values,
            score=np.full(count, UNKNOWN, dtype=np.int32),
            move=np.array(moves, dtype=np.int32),
        )
        return samples if replayed.player.all() else samples.take(replayed.player)
