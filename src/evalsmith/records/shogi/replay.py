"""Shogi games played through on the board, many at once, from what a file claims of each move.

One compiled pass checks each claim (``claims``) against the board.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Words, driver, int64, pointer, scratch
from evalsmith.games import Position, find_game
from evalsmith.games.contract import result_of
from evalsmith.games.shogi.movegen.generate import ORIGIN
from evalsmith.games.shogi.notation.claims import NO_ORIGIN
from evalsmith.games.shogi.notation.moves import (
    BECOMES,
    CHECK,
    MOVES,
    NO_PIECE,
    OTHER_SIDE,
    PAWN_MATE,
    confirm,
    refusal,
)
from evalsmith.games.shogi.squares import BOARD_KEY, HANDS, STATE, WORDS
from evalsmith.records.format import ILLEGAL, BrokenGameError

# Columns of what the replay says of a game.
WRONG, WHY, MATED, TIMES = range(4)
_COLUMNS = 4
_REASONS = {
    OTHER_SIDE: "the other side is to move",
    NO_PIECE: "no such piece stands there",
    BECOMES: "the piece does not become that",
    MOVES: "the piece cannot do that",
    CHECK: "the king would be in check",
    PAWN_MATE: "a dropped pawn must not mate",
}

_first_row, _second_row = scratch("words", WORDS), scratch("words", WORDS)


@driver(
    "void(int64[::1], int64[::1], int64[::1], uint64[:, ::1], int32[::1], uint64[::1], uint64[:, ::1], int64[:, ::1])"
)
def _replay(
    context: Integers, claims: Integers, first: Integers, starts: Words, moves: Indices, keys: Words, ends: Words,
    facts: Integers,
) -> None:  # fmt: skip
    """Play the claims of every game from its row of ``starts``; what comes out is described at ``replay``."""
    rules = pointer(context)
    here, there = _first_row(), _second_row()
    for game in range(first.shape[0] - 1):
        for word in range(WORDS):
            here[word] = starts[game, word]
        keys[0], keys[1] = here[BOARD_KEY], here[HANDS]
        wrong, why = -1, 0
        begin = first[game]
        for place in range(begin, first[game + 1]):
            move = confirm(rules, here, claims[place], there)
            if move < 0:
                wrong, why = place - begin, -move
                break
            moves[place] = move
            here, there = there, here
            known = 2 * (place - begin + 1)
            keys[known], keys[known + 1] = here[BOARD_KEY], here[HANDS]
        for word in range(WORDS):
            ends[game, word] = here[word]
        facts[game, WRONG], facts[game, WHY] = wrong, why
        facts[game, MATED] = 1 if result_of(rules, here) != 0 else 0
        last = first[game + 1] - begin if wrong < 0 else int64(wrong)
        times, earlier = 1, last - 2
        while earlier >= 0:
            if keys[2 * earlier] == keys[2 * last] and keys[2 * earlier + 1] == keys[2 * last + 1]:
                times += 1
            earlier -= 2
        facts[game, TIMES] = times


@dataclass(frozen=True)
class Played:
    """Replayed games: ``moves`` as the claims stand, and row by row the position reached and some facts.

    ``facts`` (int64, games × 4) has the index of the first move that cannot be played or −1, why, whether the position
    reached has no legal move, and how often it has stood on the board.
    """

    moves: npt.NDArray[np.int32]
    ends: npt.NDArray[np.uint64]
    facts: npt.NDArray[np.int64]

    def broken(self, game: int, claim: int, text: str, last: int | None) -> BrokenGameError:
        """What is wrong with a game whose offending move is written ``text``; ``last`` is where the one before went."""
        wrong, position = int(self.facts[game, WRONG]), self.ends[game]
        why = int(self.facts[game, WHY])
        if claim // ORIGIN & 127 == NO_ORIGIN:
            return BrokenGameError(ILLEGAL, str(refusal(position, text, why, claim, last))[:300], wrong + 1)
        reason = _REASONS[why]
        return BrokenGameError(ILLEGAL, f"{text} in {find_game('shogi').format(position)}: {reason}", wrong + 1)


def replay(claims: npt.NDArray[np.int64], first: npt.NDArray[np.int64], starts: npt.NDArray[np.uint64]) -> Played:
    """Play games through: game ``i`` has the claims ``claims[first[i]:first[i + 1]]`` from ``starts[i]``."""
    count = len(first) - 1
    longest = int(np.diff(first).max()) if count else 0
    moves = np.full(len(claims), -1, dtype=np.int32)
    ends = np.zeros((count, WORDS), dtype=np.uint64)
    facts = np.zeros((count, _COLUMNS), dtype=np.int64)
    keys = np.zeros(2 * longest + 2, dtype=np.uint64)
    context = find_game("shogi").context()
    _replay(context.row, claims, first, np.ascontiguousarray(starts), moves, keys, ends, facts)
    return Played(moves, ends, facts)


@functools.cache
def standard_start() -> Position:
    """The game's own start, read once."""
    start = find_game("shogi").start()
    start.setflags(write=False)
    return start


def side_to_move(position: Position) -> int:
    """0 black, 1 white."""
    return int(position[STATE]) & 1
