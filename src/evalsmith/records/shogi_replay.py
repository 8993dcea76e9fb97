"""Shogi games played through on the board, many at once, from what a file claims of each move.

Formats tell different things of a move: CSA the piece as it stands afterwards, KIF the piece before, USI neither.
A *claim* is one number that holds whatever was told; one compiled pass checks it against the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Words, driver, int64, pointer, scratch
from evalsmith.games import Position, find_game
from evalsmith.games.contract import key_of, play_into, result_of
from evalsmith.games.shogi.attacks import piece_at, turn_of
from evalsmith.games.shogi.generate import DROP, PROMOTE
from evalsmith.games.shogi.legality import in_check
from evalsmith.games.shogi.squares import PROMOTED, SQUARES, STATE, WORDS
from evalsmith.records.format import ILLEGAL, BrokenGameError
from evalsmith.records.shogi_legal import mates_by_pawn, plausible

# A claim is a move (target, 128 times the origin, PROMOTE), and where a file tells them: 2¹⁵ times the kind before the
# move, 2¹⁹ times the kind after it, 2²³ times the side plus one.
BEFORE, AFTER, SIDE = 15, 19, 23
# The origin where a file does not tell it: such a game is not for this pass.
NO_ORIGIN = 127

# Columns of what the replay says of a game.
WRONG, WHY, MATED, TIMES = range(4)
_COLUMNS = 4
# Why a move cannot be played.
_SIDE, _PIECE, _BECOMES, _MOVES, _CHECK, _PAWN_MATE = range(1, 7)
_REASONS = {
    _SIDE: "the other side is to move",
    _PIECE: "no such piece stands there",
    _BECOMES: "the piece does not become that",
    _MOVES: "the piece cannot do that",
    _CHECK: "the king would be in check",
    _PAWN_MATE: "a dropped pawn must not mate",
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
        keys[0] = key_of(rules, here)
        wrong, why = -1, 0
        begin = first[game]
        for place in range(begin, first[game + 1]):
            claim = claims[place]
            side = turn_of(here)
            move = claim & 0x7FFF
            origin, told = (move >> 7) & 127, (claim >> SIDE) & 3
            before, after = (claim >> BEFORE) & 15, (claim >> AFTER) & 15
            if told != 0 and told != side + 1:
                why = _SIDE
            elif origin < SQUARES:
                kind = piece_at(here, origin) & 15
                if before != 0 and kind != before:
                    why = _PIECE
                if after != 0 and kind != after:
                    move |= PROMOTE
                    if kind + PROMOTED != after:
                        why = _BECOMES if kind != 0 else _PIECE
            elif (before != 0 and before != origin - DROP) or (after != 0 and after != origin - DROP):
                why = _BECOMES
            if why == 0:
                if plausible(here, side, move) == 0:
                    why = _MOVES
                else:
                    play_into(rules, here, move, there)
                    if in_check(there, side) != 0:
                        why = _CHECK
                    elif mates_by_pawn(here, side, move) != 0:
                        why = _PAWN_MATE
            if why != 0:
                wrong = place - begin
                break
            moves[place] = move
            here, there = there, here
            keys[place - begin + 1] = key_of(rules, here)
        for word in range(WORDS):
            ends[game, word] = here[word]
        facts[game, WRONG], facts[game, WHY] = wrong, why
        facts[game, MATED] = 1 if result_of(rules, here) != 0 else 0
        last = first[game + 1] - begin if wrong < 0 else int64(wrong)
        times, earlier = 1, last - 2
        while earlier >= 0:
            if keys[earlier] == keys[last]:
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

    def broken(self, game: int, text: str) -> BrokenGameError | None:
        """What is wrong with a game whose offending move is written ``text``; None where nothing is."""
        wrong = int(self.facts[game, WRONG])
        if wrong < 0:
            return None
        where = find_game("shogi").format(self.ends[game])
        return BrokenGameError(ILLEGAL, f"{text} in {where}: {_REASONS[int(self.facts[game, WHY])]}", wrong + 1)


def replay(claims: npt.NDArray[np.int64], first: npt.NDArray[np.int64], starts: npt.NDArray[np.uint64]) -> Played:
    """Play games through: game ``i`` has the claims ``claims[first[i]:first[i + 1]]`` from ``starts[i]``."""
    count = len(first) - 1
    longest = int(np.diff(first).max()) if count else 0
    moves = np.full(len(claims), -1, dtype=np.int32)
    ends = np.zeros((count, WORDS), dtype=np.uint64)
    facts = np.zeros((count, _COLUMNS), dtype=np.int64)
    keys = np.zeros(longest + 1, dtype=np.uint64)
    context = find_game("shogi").context()
    _replay(context.row, claims, first, np.ascontiguousarray(starts), moves, keys, ends, facts)
    return Played(moves, ends, facts)


def side_to_move(position: Position) -> int:
    """0 black, 1 white."""
    return int(position[STATE]) & 1
