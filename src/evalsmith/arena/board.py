"""The game that a referee leads: where it stands, how it came there, and whether the rules end it.

All that the rules say of a move (is it legal, where does it lead, whose turn is it then, is that a repetition) comes
from one kernel, because between two moves of a program the memory is cold and every further call costs microseconds.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context, Integers, Words, at, driver, helper, integers_at, pointer, words_at
from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.games.contract import (
    CONTEXT_SIZE,
    DRAW,
    FIRST_FREE,
    WIN,
    WORDS,
    check_of,
    key_of,
    mover_of,
    moves_of,
    play_into,
    repeated_in,
    reveal_into,
    status_of,
)
from evalsmith.players.endings import BY_LENGTH, BY_REPETITION, name_of_end
from evalsmith.players.seat import Situation

_ROOM = 256  # plies of a game before its rows grow
# Slots of the context: the positions of the game, their keys and checks, room for moves, whether repetition counts.
# Those behind FREE are left to whoever leads the game through a kernel.
POSITIONS, _KEYS, _CHECKS, LEGAL, _REPEATS = range(FIRST_FREE, FIRST_FREE + 5)
FREE = _REPEATS + 1
# What the kernel says of a position: the mover, and from these bits on the status and the repetition.
_STATUS, _REPEATED = 1, 3
_ILLEGAL = -1


@helper("int64(integers, words, int64)")
def _standing(context: Integers, position: Words, ply: int) -> int:
    """What there is to say of the position at a ply; its key and check are noted."""
    status = status_of(context, position)
    standing = mover_of(context, position) | status << _STATUS
    if context[_REPEATS] != 0:
        keys, checks = words_at(context[_KEYS]), integers_at(context[_CHECKS])
        keys[ply], checks[ply] = key_of(context, position), check_of(context, position)
        if status != OVER:
            standing |= repeated_in(context, position, keys, checks, ply) << _REPEATED
    return standing


@driver("int64(int64[::1])")
def _begin(context: Integers) -> int:
    """What there is to say of the first position."""
    return _standing(pointer(context), words_at(context[POSITIONS]), 0)


@helper("int64(integers, int64, int64)")
def play_at(context: Integers, ply: int, move: int) -> int:
    """Make a legal move at a ply, into the row after it; what there is to say of that."""
    position = at(words_at(context[POSITIONS]), ply * context[WORDS])
    following = at(position, context[WORDS])
    play_into(context, position, move, following)
    return _standing(context, following, ply + 1)


@driver("int64(int64[::1], int64, int64)")
def _advance(context: Integers, ply: int, move: int) -> int:
    """Play any move, or reveal an outcome of chance, at a ply, into the row after it; what there is to say of that."""
    here = pointer(context)
    position = at(words_at(context[POSITIONS]), ply * context[WORDS])
    if status_of(here, position) == CHANCE:
        following = at(position, context[WORDS])
        reveal_into(here, position, move, following)
        return _standing(here, following, ply + 1)
    legal = integers_at(context[LEGAL])
    for i in range(moves_of(here, position, legal)):
        if legal[i] == move:
            return play_at(here, ply, move)
    return _ILLEGAL


@functools.cache
def _rules_of(game: Game) -> Context:
    """A context to copy: to bind the kernels of a game takes longer than a move of it."""
    return game.context()


class Board(Situation):
    """A position with all that came before it, for repetition and for whoever has to move."""

    moves: list[int]
    history: list[Position]

    def __init__(self, game: Game, start: Position) -> None:
        self.game = game
        self.context = Context(CONTEXT_SIZE)
        self.context.row[:] = _rules_of(game).row
        self._row = self.context.row
        self.context.attach(LEGAL, np.zeros(game.max_moves, dtype=np.int64))
        self._row[_REPEATS] = hasattr(game.rules_module, "repeated")
        self._rows: npt.NDArray[np.uint64] = np.zeros((0, game.words), dtype=np.uint64)
        self._keys: npt.NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._checks: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._make_room(_ROOM)
        self._rows[0] = start
        self._most = game.max_plies * (2 if game.max_outcomes else 1)
        self._names: list[str] = []
        super().__init__(start, [], self._rows[0], [])
        self.standing = int(_begin(self._row))

    def _make_room(self, plies: int) -> None:
        """Longer rows; positions that were given out keep the old ones alive."""
        known = len(self._rows)
        rows = np.zeros((plies, self.game.words), dtype=np.uint64)
        keys, checks = np.zeros(plies, dtype=np.uint64), np.zeros(plies, dtype=np.int64)
        rows[:known], keys[:known], checks[:known] = self._rows, self._keys, self._checks
        for slot, array in ((POSITIONS, rows), (_KEYS, keys), (_CHECKS, checks)):
            self.context.attach(slot, array)
        self._rows, self._keys, self._checks = rows, keys, checks

    @property
    def status(self) -> int:
        """PLAYER, CHANCE or OVER."""
        return self.standing >> _STATUS & 3

    @property
    def mover(self) -> int:
        """The side that moves."""
        return self.standing & 1

    @property
    def goes_on(self) -> bool:
        """Whether a player moves, and nothing has ended the game."""
        return self.standing < 1 << _STATUS and len(self.moves) < self._most

    # ── Moves ──

    def play(self, move: int) -> bool:
        """Play a move, or reveal an outcome of chance; an illegal move is not played, and False."""
        self.reserve(1)
        standing = int(_advance(self._row, len(self.moves), move))
        if standing == _ILLEGAL:
            return False
        self.follow([move], standing)
        return True

    def reserve(self, plies: int) -> None:
        """Make sure that there are rows for so many further plies."""
        needed = len(self.moves) + plies + 1
        if needed > len(self._rows):
            self._make_room(2 * needed)

    def position_at(self, ply: int) -> Position:
        """Where the game stood at a ply, or where a kernel has led it."""
        position: Position = self._rows[ply]
        return position

    def follow(self, moves: list[int], standing: int) -> None:
        """Go where a kernel has played."""
        ply = len(self.moves)
        self.history.append(self.position)
        self.history += list(self._rows[ply + 1 : ply + len(moves)])
        self.moves += moves
        self.standing, self.position = standing, self._rows[ply + len(moves)]

    def names(self, game: Game, ply: int) -> list[str]:
        """What the game calls the moves that were played from a ply on."""
        for number in range(len(self._names), len(self.moves)):
            self._names.append(game.format_move(self.history[number], self.moves[number]))
        return self._names[ply:]

    @property
    def plies_left(self) -> int:
        """How many plies the game may still have."""
        return self._most - len(self.moves)

    # ── The end ──

    def ending(self) -> tuple[str, int] | None:
        """How the rules end the game here, and the value for side 0."""
        game, position = self.game, self.position
        sign = 1 if self.mover == 0 else -1
        if self.status == OVER:
            return name_of_end(game, position), sign * game.result(position)
        repeated = self.standing >> _REPEATED
        if repeated:
            value = 0 if repeated == DRAW else game.win if repeated == WIN else -game.win
            return BY_REPETITION, sign * value
        return (BY_LENGTH, 0) if len(self.moves) >= self._most else None
