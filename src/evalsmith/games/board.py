"""A game in progress: its position, the moves that led there, repetition, chance, and how it ended.

    board = Board("chess")
    board.push("e4")
    board.legal_moves()
    board.undo()

Whoever plays a game (a referee, a person at the terminal, our engine behind a protocol) keeps one Board, and whoever
chooses a move is shown it.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context
from evalsmith.games import stepping
from evalsmith.games.contract import CONTEXT_SIZE
from evalsmith.games.game import CHANCE, OVER, WIN, Game, Position
from evalsmith.games.movetext import parse_moves, starts_with_move
from evalsmith.games.registry import find_game
from evalsmith.games.stepping import ILLEGAL, REPEATED_BIT, REPEATS, STATUS_BIT, advance, standing_at
from evalsmith.games.termination import BY_LENGTH, BY_REPETITION, termination_of
from evalsmith.run.errors import InputError, MoveError

_ROOM = 256  # plies of a game before its rows grow
DECLARATION = 27  # the rule by which a win is declared where nobody has chosen another


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    ``winner`` is the name of the side that won, None after a draw or a lost game for one player. ``value`` is the
    result for the first side in the game's unit; only its sign counts if the game was not played to its end.
    """

    winner: str | None
    termination: str
    value: int

    @classmethod
    def of(cls, game: Game, termination: str, value: int) -> Outcome:
        """The outcome of a value for the first side."""
        sides = game.sides[: game.players]
        winner = 0 if value > 0 else 1 if value < 0 else len(sides)
        return cls(sides[winner] if winner < len(sides) else None, termination, value)

    @property
    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``."""
        return "1-0" if self.value > 0 else "0-1" if self.value < 0 else "1/2-1/2"

    def __str__(self) -> str:
        return f"{self.result} by {self.termination}"


class Board:
    """A game in progress: a position with its history.

        board = Board("chess")
        board.push("e4"), board.legal_moves(), board.undo(), board.outcome()

    ``position`` is the row of words that kernels read, ``history`` the rows before it, ``move_stack`` the numbers of
    the moves from ``start`` on, including chance outcomes. ``clocks`` are the seconds left to each side in a game with
    clocks. ``declaration`` is the rule by which the mover may declare a win, in games that have declarations: 27 or 24
    points, 0 for none.
    """

    game: Game
    start: Position
    start_text: str | None
    position: Position
    history: list[Position]
    move_stack: list[int]
    clocks: tuple[float | None, float | None]
    declaration: int

    def __init__(
        self,
        game: Game | str,
        position: str | Position | None = None,
        moves: Iterable[str | int] = (),
        *,
        start_text: str | None = None,
    ) -> None:
        """A board at the start of a game, at a position, or after moves from there.

        A text is moves from the start, ``Board("othello", "f5d6c3d3c4")``, or a position as the game writes it.
        ``start_text`` is the text of a position that is given as a row.
        """
        self.game = game = find_game(game) if isinstance(game, str) else game
        start, played = _read_start(game, position) if isinstance(position, str) else (position, [])
        self.start_text = position if isinstance(position, str) and not played else start_text
        self.context = Context(CONTEXT_SIZE)
        self.context.row[:] = _bound(game).row
        self._row = self.context.row
        stepping.legal.allocate(self.context)
        self._row[REPEATS] = game.has_repetition
        self._rows: npt.NDArray[np.uint64] = np.zeros((0, game.words), dtype=np.uint64)
        self._keys: npt.NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._checks: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._grow(_ROOM)
        self._rows[0] = game.start() if start is None else start
        self.start = self.position = self._rows[0]
        self.history, self.move_stack = [], []
        self._names: list[str] = []
        self.clocks, self.declaration = (None, None), DECLARATION
        self.standing = int(standing_at(self._row, 0))
        for number, move in enumerate((*played, *moves), 1):
            try:
                self._push(move)
            except MoveError as error:
                raise MoveError(f"move {number}: {error}") from None

    def _grow(self, plies: int) -> None:
        """Longer rows; positions that were handed out keep the old ones alive."""
        known = len(self._rows)
        rows = np.zeros((plies, self.game.words), dtype=np.uint64)
        keys, checks = np.zeros(plies, dtype=np.uint64), np.zeros(plies, dtype=np.int64)
        rows[:known], keys[:known], checks[:known] = self._rows, self._keys, self._checks
        for slot, array in ((stepping.positions, rows), (stepping.keys, keys), (stepping.checks, checks)):
            slot.attach(self.context, array)
        self._rows, self._keys, self._checks = rows, keys, checks

    # ── Where the game is ──

    @property
    def status(self) -> int:
        """PLAYER, CHANCE or OVER by the rules."""
        return self.standing >> STATUS_BIT & 3

    @property
    def mover(self) -> int:
        """The side to move: 0 or 1."""
        return self.standing & 1

    @property
    def turn(self) -> str:
        """The name of the side to move."""
        return self.game.sides[self.mover]

    @property
    def ply(self) -> int:
        """The number of moves and outcomes of chance since the start."""
        return len(self.move_stack)

    @property
    def plies_left(self) -> int:
        """The number of further plies before the game ends by its length."""
        return self.game.max_steps - len(self.move_stack)

    @property
    def moves(self) -> list[str]:
        """The moves so far, as players write them; outcomes of chance are numbers."""
        return [self._written(position, move) for position, move in zip(self.history, self.move_stack, strict=True)]

    @property
    def text(self) -> str:
        """The position as the game writes it."""
        return self.game.format(self.position)

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.game.check(self.position)

    @property
    def running(self) -> bool:
        """Whether a player is to move and nothing has ended the game."""
        return self.standing < 1 << STATUS_BIT and len(self.move_stack) < self.game.max_steps

    @property
    def wins_by_declaration(self) -> bool:
        """Whether the mover wins by declaring so instead of moving."""
        return self.declaration != 0 and self.game.declared(self.position, self.declaration) == WIN

    def names(self, ply: int) -> list[str]:
        """The moves from a ply on, as they are sent to programs; for games without chance."""
        for number in range(len(self._names), len(self.move_stack)):
            self._names.append(self.game.format_move(self.history[number], self.move_stack[number]))
        return self._names[ply:]

    def _written(self, position: Position, move: int) -> str:
        chance = self.game.max_outcomes and self.game.status(position) == CHANCE
        return str(move) if chance else self.game.write_move(position, move)

    def legal_moves(self) -> list[str]:
        """The legal moves as players write them; none where chance moves or the game is over."""
        return [self.game.write_move(self.position, move) for move in self.game.moves(self.position)]

    def outcome(self) -> Outcome | None:
        """How the rules ended the game here, or None while it is in progress."""
        if self.running:
            return None
        game, sign = self.game, 1 if self.mover == 0 else -1
        if self.status == OVER:
            return Outcome.of(game, termination_of(game, self.position), sign * game.result(self.position))
        repeated = self.standing >> REPEATED_BIT
        if repeated:
            return Outcome.of(game, BY_REPETITION, sign * game.repetition_value(repeated))
        return Outcome.of(game, BY_LENGTH, 0) if self.plies_left <= 0 else None

    # ── Moves ──

    def push(self, move: str | int) -> str:
        """Play a move, or reveal an outcome of chance; returns it as players write it. An illegal one is refused."""
        self._push(move)
        return self._written(self.history[-1], self.move_stack[-1])

    def _push(self, move: str | int) -> None:
        chance = self.status == CHANCE
        if isinstance(move, str):
            number = self._outcome_number(move) if chance else self.game.parse_move(self.position, move)
        else:
            number = move
        if chance:
            chances = self.game.chance(self.position)
            if not (0 <= number < len(chances) and chances[number] > 0):
                raise MoveError(f"{move!r} is not a chance outcome (0 to {len(chances) - 1}) in {self.text}")
        if not self.play(number):
            raise MoveError(f"{move!r} is not a legal move in {self.text}")

    def _outcome_number(self, text: str) -> int:
        return int(text) if text.isascii() and text.isdecimal() else -1

    def play(self, move: int) -> bool:
        """Play a move by its number, or reveal an outcome that is known to be possible; False if it is illegal."""
        self.reserve(1)
        standing = int(advance(self._row, len(self.move_stack), move))
        if standing == ILLEGAL:
            return False
        self.follow([move], standing)
        return True

    def draw(self, source: random.Random | int) -> int:
        """Reveal the outcome of chance that the start fixes, or one drawn by a generator or a seed; its number."""
        if self.status != CHANCE:
            raise MoveError(f"chance does not move in {self.text}")
        order = self._fixed_outcomes
        if order:
            drawn = sum(self.game.status(position) == CHANCE for position in self.history)
            outcome = order[drawn % len(order)]
        else:
            generator = random.Random(source) if isinstance(source, int) else source
            outcome = self.game.draw(self.position, generator)
        self.play(outcome)
        return outcome

    @functools.cached_property
    def _fixed_outcomes(self) -> Sequence[int]:
        """The outcomes that the start fixes, in order; after the last they begin again. Most starts fix none."""
        sequence = self.game.hook("sequence")
        return tuple(sequence(self.start_text)) if sequence and self.start_text else ()

    def undo(self) -> str:
        """Take back the last move or outcome; returns it as players write it."""
        if not self.move_stack:
            raise MoveError(f"there is no move to take back in {self.text}")
        self._grow(len(self._rows))  # the rows so far may have been handed out, and the next move must not change them
        self.position, move = self.history.pop(), self.move_stack.pop()
        del self._names[len(self.move_stack) :]
        self.standing = int(standing_at(self._row, len(self.move_stack)))
        return self._written(self.position, move)

    # ── For kernels that play on a board ──

    def reserve(self, plies: int) -> None:
        """Make room for a number of further plies."""
        needed = len(self.move_stack) + plies + 1
        if needed > len(self._rows):
            self._grow(2 * needed)

    def position_at(self, ply: int) -> Position:
        """The position at a ply, also at one that a kernel has reached and `follow` has not."""
        position: Position = self._rows[ply]
        return position

    def follow(self, moves: list[int], standing: int) -> None:
        """Take over the moves that a kernel has played."""
        ply = len(self.move_stack)
        self.history.append(self.position)
        self.history += list(self._rows[ply + 1 : ply + len(moves)])
        self.move_stack += moves
        self.standing, self.position = standing, self._rows[ply + len(moves)]

    # ── Copies and pictures ──

    def copy(self) -> Board:
        """A board with the same game on it, of its own."""
        made = Board(self.game, self.start, self.move_stack, start_text=self.start_text)
        made.clocks, made.declaration = self.clocks, self.declaration
        return made

    def __eq__(self, other: object) -> bool:
        """Whether the positions are the same; how they were reached does not count."""
        if not isinstance(other, Board):
            return NotImplemented
        return self.game is other.game and bool((self.position == other.position).all())

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        from rich.text import Text

        return Text.from_markup(self.game.text(self.position)).plain

    def __repr__(self) -> str:
        return f"Board({self.game.name!r}, {self.text!r})"

    def _repr_svg_(self) -> str:
        return self.game.svg(self.position)


@functools.cache
def _bound(game: Game) -> Context:
    """A context to copy: binding the kernels of a game takes longer than a move of it."""
    return game.context()


def _read_start(game: Game, text: str) -> tuple[Position, list[int]]:
    """The standard start and the moves that a text names from there, or the position that it is."""
    start = game.start()
    try:
        return start, parse_moves(game, start, text)
    except MoveError as error:
        refused = error
    try:
        return game.parse(text), []
    except InputError as error:
        # Moves of which the first is legal were meant as moves; anything else was meant as a position.
        raise (refused if starts_with_move(game, start, text) else error) from None
