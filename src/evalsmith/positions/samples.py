"""Samples: positions with what is known of them, as columns of equal length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, driver, pointer
from evalsmith.games import Game, Position
from evalsmith.games.contract import CHANCE, WORDS, mover_of, phase_of, play_into, reveal_into, status_of
from evalsmith.records import UNKNOWN

__all__ = ["UNKNOWN", "Replayer", "Samples"]  # UNKNOWN becomes null in the files


@dataclass(frozen=True)
class Samples:
    """Rows of positions; ``result`` and ``score`` are for the mover, in the game's unit."""

    words: npt.NDArray[np.uint64]
    game: npt.NDArray[np.int64]
    ply: npt.NDArray[np.int32]
    phase: npt.NDArray[np.int32]
    result: npt.NDArray[np.int32]
    score: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.game)

    def take(self, chosen: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Samples:
        """Some of the rows."""
        return Samples(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @classmethod
    def join(cls, parts: Sequence[Samples], words: int) -> Samples:
        """Several sets of rows, one after another."""
        if not parts:
            none = np.zeros(0, dtype=np.int32)
            return cls(np.zeros((0, words), dtype=np.uint64), np.zeros(0, dtype=np.int64), none, none, none, none)
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    @property
    def target(self) -> npt.NDArray[np.int32]:
        """The score where there is one, else the result; UNKNOWN where there is neither."""
        return np.where(self.score != UNKNOWN, self.score, self.result).astype(np.int32)


@driver("int64(int64[::1], uint64[:,::1], int64[::1], int64[::1], int64[::1])")
def _replay(context: Integers, rows: Words, moves: Integers, movers: Integers, phases: Integers) -> int:
    """The positions before each move, into rows[1:]…; movers get -1 where chance moves."""
    row, words = pointer(context), context[WORDS]
    for ply in range(len(moves)):
        here = at(pointer(rows), ply * words)
        state = status_of(row, here)
        movers[ply] = mover_of(row, here)
        phases[ply] = phase_of(row, here)
        below = at(here, words)
        if state == CHANCE:
            movers[ply] = -1
            reveal_into(row, here, moves[ply], below)
        else:
            play_into(row, here, moves[ply], below)
    return len(moves)


class Replayer:
    """Turns games into samples: the positions before their moves, with the result for each mover."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.context = game.context(evaluation=True)

    def samples(
        self, number: int, start: Position, moves: Sequence[int], result: int | None, *, first_ply: int = 0
    ) -> Samples:
        """The samples of one game whose moves are known to be legal; ``result`` is for side 0."""
        count = len(moves)
        rows = np.zeros((count + 1, self.game.words), dtype=np.uint64)
        rows[0] = start
        movers, phases = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        _replay(self.context.row, rows, np.array(moves, dtype=np.int64), movers, phases)
        keep = movers >= 0
        if result is None:
            values = np.full(count, UNKNOWN, dtype=np.int32)
        else:
            values = np.where(movers == 0, result, -result).astype(np.int32)
        plies = np.arange(first_ply, first_ply + count, dtype=np.int32)
        return Samples(
            rows[:-1][keep],
            np.full(int(keep.sum()), number, dtype=np.int64),
            plies[keep],
            phases[keep].astype(np.int32),
            values[keep],
            np.full(int(keep.sum()), UNKNOWN, dtype=np.int32),
        )
