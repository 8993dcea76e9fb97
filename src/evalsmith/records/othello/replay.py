"""Othello games played through on the board, a block of games at a time.

Files leave passes out, stop before the end, and hold moves that nobody could play. One compiled pass finds all
of that: it puts the passes in, and says where a game goes wrong and where it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Words, driver, popcount
from evalsmith.games.game import Position
from evalsmith.games.othello import notation
from evalsmith.games.othello.rules import CENTIDISC, PASS, flips, mobility
from evalsmith.records.format import DISAGREES, ILLEGAL, UNFINISHED, BrokenGameError
from evalsmith.records.record import Faults

# In rows of moves: the game ends here; and a move that is no square.
END, NONSENSE = 255, 254

# Columns of what the replay says of a game.
PLIES, WRONG, MARKED, OVER = range(4)
_COLUMNS = 4

_0, _1 = np.uint64(0), np.uint64(1)
# At most 64 discs, each with a pass before it.
MAX_PLIES = 128

TOO_MANY = "too many moves"


@driver("void(uint8[:, ::1], uint64[:, ::1], int64, uint8[:, ::1], uint64[:, ::1], int64[:, ::1])")
def _replay(games: Integers, starts: Words, empties: int, plies: Integers, ends: Words, facts: Integers) -> None:
    """Play every row of ``games`` from its row of ``starts``; what comes out is described at ``replay``."""
    width = games.shape[1]
    for game in range(games.shape[0]):
        row = min(game, starts.shape[0] - 1)
        mover, enemy, side = starts[row, 0], starts[row, 1], starts[row, 2]
        left = 64 - popcount(mover | enemy)
        count, wrong, ended = 0, -1, 0
        marked = 0 if left == empties else -1
        for i in range(width):
            square = np.int64(games[game, i])
            if square == END:
                ended = 1
                continue
            if ended != 0 or square > PASS:
                wrong = i
                break
            free = mobility(mover, enemy)
            disc = _0 if square == PASS else _1 << np.uint64(square)
            if free & disc == _0:
                # Only a pass can make this right: the one written here, or one that was left out.
                other = mobility(enemy, mover)
                if square == PASS and free == _0 and other == _0:
                    continue
                if free != _0 or (square != PASS and other & disc == _0):
                    wrong = i
                    break
                plies[game, count] = PASS
                count += 1
                mover, enemy, side = enemy, mover, side ^ _1
                if left == empties:
                    marked = count
                if square == PASS:
                    continue
            turned = flips(disc, mover, enemy)
            plies[game, count] = square
            count += 1
            mover, enemy, side = enemy & ~turned, mover | turned | disc, side ^ _1
            left -= 1
            if left == empties:
                marked = count
        ends[game, 0], ends[game, 1], ends[game, 2] = mover, enemy, side
        facts[game, PLIES], facts[game, WRONG], facts[game, MARKED] = count, wrong, marked
        over = mobility(mover, enemy) == _0 and mobility(enemy, mover) == _0
        facts[game, OVER] = 1 if over else 0


@dataclass(frozen=True)
class Block:
    """Replayed games, row by row.

    ``plies`` (uint8, games × 128) has the moves with all passes, ``ends`` (uint64, games × 3) the position reached.
    ``facts`` (int64, games × 4) has the number of plies, the index of the first illegal move in what was given or −1,
    the ply where the asked number of empties remains or −1 (after a pass, if there is one), and whether the game
    is over.
    """

    plies: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.uint64]
    facts: npt.NDArray[np.int64]

    def margins(self) -> npt.NDArray[np.int64]:
        """Black's margin in centidiscs where the games end; the winner takes the empties."""
        mover = np.bitwise_count(self.ends[:, 0]).astype(np.int64)
        enemy = np.bitwise_count(self.ends[:, 1]).astype(np.int64)
        difference = (mover - enemy) * (1 - 2 * self.ends[:, 2].astype(np.int64))
        empties = 64 - mover - enemy
        to_winner = np.where(difference > 0, empties, np.where(difference < 0, -empties, 0))
        return (difference + to_winner) * CENTIDISC


def replay(games: npt.NDArray[np.uint8], starts: npt.NDArray[np.uint64] | None = None, empties: int = -1) -> Block:
    """Play games through: a row of squares 0–63 or PASS for each, closed by END where it is shorter.

    ``starts`` has one position for all or one a game; without it all begin at the standard start. Passes may be left
    out; those written after the end of a game are dropped.
    """
    count = len(games)
    if games.shape[1] > MAX_PLIES:
        raise ValueError(f"a game has at most {MAX_PLIES} plies, not {games.shape[1]}")
    if starts is None:
        starts = notation.start().reshape(1, 3)
    plies = np.zeros((count, MAX_PLIES), dtype=np.uint8)
    ends = np.zeros((count, 3), dtype=np.uint64)
    facts = np.zeros((count, _COLUMNS), dtype=np.int64)
    _replay(np.ascontiguousarray(games), np.ascontiguousarray(starts), empties, plies, ends, facts)
    return Block(plies, ends, facts)


@dataclass(frozen=True)
class Replayed:
    """One game played through; margin and difference in centidiscs for black."""

    moves: tuple[int, ...]
    finished: bool
    margin: int
    difference: int

    def settle(self, stated: int | None, faults: Faults) -> int | None:
        """The result of the final position, or where there is none yet, the one that was stated.

        Files differ in who gets the empty squares, so a stated result may be either.
        """
        if not self.finished:
            faults.warn(UNFINISHED)
            return stated
        if stated is not None and stated not in (self.margin, self.difference):
            faults.warn(DISAGREES)
        return self.margin


def replay_one(moves: Sequence[int], start: Position) -> Replayed:
    """Play one game through, or raise BrokenGameError with the move that cannot be played."""
    if len(moves) > MAX_PLIES:
        raise BrokenGameError(TOO_MANY, f"{len(moves)}, where no game has more than {MAX_PLIES}")
    row = np.full((1, MAX_PLIES), END, dtype=np.uint8)
    row[0, : len(moves)] = moves
    block = replay(row, start.reshape(1, 3))
    if block.facts[0, WRONG] >= 0:
        move = moves[int(block.facts[0, WRONG])]
        raise illegal(block, 0, notation.format_move(start, move))
    count, over = int(block.facts[0, PLIES]), bool(block.facts[0, OVER])
    black, white = (discs.bit_count() for discs in notation.colours(block.ends[0]))
    difference, empties = black - white, 64 - black - white
    margin = difference + empties * ((difference > 0) - (difference < 0))
    return Replayed(tuple(block.plies[0, :count].tobytes()), over, margin * CENTIDISC, difference * CENTIDISC)


def illegal(block: Block, row: int, name: str) -> BrokenGameError:
    """The fault of a game of a block that goes wrong at the move called ``name``."""
    return BrokenGameError(ILLEGAL, f"{name} in {notation.format(block.ends[row])}", int(block.facts[row, WRONG]) + 1)
