"""Whole batches of games played through in one compiled call: the position before each move, and facts of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, at, driver, pointer
from evalsmith.games import Game
from evalsmith.games.contract import (
    CHANCE,
    MAX_OUTCOMES,
    WORDS,
    capture_value_of,
    check_of,
    key_of,
    mover_of,
    phase_of,
    play_into,
    reveal_into,
    status_of,
)

# What is worth its time only when somebody asks, as bits.
KEYS, CHECKS, NOISE = 1, 2, 4
_QUIET_BEFORE = 1000  # plies without a noisy move assumed before the beginning of a game


@driver(
    "void(int64[::1], int64, uint64[:,::1], int32[::1], int64[::1], uint64[:,::1], int8[::1], int32[::1], "
    "uint64[::1], int8[::1], int16[::1], uint64[::1])"
)
def _replay(
    context: Integers, wanted: int, starts: Words, moves: Integers, first: Integers, rows: Words, movers: Integers,
    phases: Integers, keys: Words, checks: Integers, quiet_plies: Integers, last: Words,
) -> None:  # fmt: skip
    """Play the moves; what comes out is described at ``Replayed``. ``last`` has room for one position."""
    row, words = pointer(context), context[WORDS]
    begin = pointer(rows)
    for game in range(first.shape[0] - 1):
        if first[game] == first[game + 1]:
            continue
        here = at(begin, first[game] * words)
        for i in range(words):
            here[i] = starts[game, i]
        since = _QUIET_BEFORE
        for ply in range(first[game], first[game + 1]):
            here = at(begin, ply * words)
            movers[ply] = mover_of(row, here)
            phases[ply] = phase_of(row, here)
            chance = context[MAX_OUTCOMES] != 0 and status_of(row, here) == CHANCE
            if wanted & KEYS != 0:
                keys[ply] = key_of(row, here)
            if wanted & CHECKS != 0:
                checks[ply] = check_of(row, here)
            if wanted & NOISE != 0:
                quiet_plies[ply] = min(since, _QUIET_BEFORE)
                since = since + 1 if chance or capture_value_of(row, here, moves[ply]) <= 0 else 0
            below = pointer(last)
            if ply + 1 < first[game + 1]:
                below = at(here, words)
            if chance:
                movers[ply] = -1
                reveal_into(row, here, moves[ply], below)
            else:
                play_into(row, here, moves[ply], below)


@dataclass(frozen=True)
class Replayed:
    """The position before each move of some games, and what was asked of it.

    ``mover`` is the side to move, -1 where chance moves; ``phase`` the row of the blend table; ``key`` the hash;
    ``check`` whether the mover is in check; ``quiet_plies`` the number of quiet moves right before: a move is noisy
    where the game's ``capture_value`` is above 0, and before a game begins all was quiet.
    """

    words: npt.NDArray[np.uint64]
    mover: npt.NDArray[np.int8]
    phase: npt.NDArray[np.int32]
    key: npt.NDArray[np.uint64]
    check: npt.NDArray[np.int8]
    quiet_plies: npt.NDArray[np.int16]

    @property
    def player(self) -> npt.NDArray[np.bool_]:
        """Where a player moves, and not chance."""
        return self.mover >= 0


def replay(
    game: Game, starts: npt.NDArray[np.uint64], moves: npt.NDArray[np.int32], first: npt.NDArray[np.int64],
    wanted: int = 0,
) -> Replayed:  # fmt: skip
    """Play games whose moves are legal: game ``i`` has ``moves[first[i]:first[i + 1]]`` from ``starts[i]`` on."""
    count = len(moves)
    replayed = Replayed(
        words=np.empty((count, game.words), dtype=np.uint64),
        mover=np.zeros(count, dtype=np.int8),
        phase=np.zeros(count, dtype=np.int32),
        key=np.zeros(count if wanted & KEYS else 0, dtype=np.uint64),
        check=np.zeros(count if wanted & CHECKS else 0, dtype=np.int8),
        quiet_plies=np.zeros(count if wanted & NOISE else 0, dtype=np.int16),
    )
    _replay(
        game.context(evaluation=True).row, wanted, np.ascontiguousarray(starts), np.ascontiguousarray(moves),
        np.ascontiguousarray(first), replayed.words, replayed.mover, replayed.phase, replayed.key, replayed.check,
        replayed.quiet_plies, np.zeros(game.words, dtype=np.uint64),
    )  # fmt: skip
    return replayed
