"""One game between two seats: the rules, the clocks, and what becomes of a program that fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from evalsmith.arena.adjudication import Adjudication, Arbiter
from evalsmith.games import CHANCE, OVER, Game, Position, contract
from evalsmith.players.limit import GameClock
from evalsmith.players.seat import ILLEGAL, Choice, Failure, Seat, Situation
from evalsmith.search import Limit

BY_RULE, BY_MATE, BY_STALEMATE, BY_REPETITION = "rule", "mate", "stalemate", "repetition"
BY_LENGTH, BY_RESIGNATION = "length", "resignation"
_ROOM = 256  # plies of a game before the rows for repetition grow


@dataclass(frozen=True)
class Rules:
    """How games are judged: what follows a failure, and early ends."""

    replace_failed: bool = False
    adjudication: Adjudication = field(default_factory=Adjudication)


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a start, and moves from it. ``text`` is that of the start, unless it is the usual one."""

    start: Position
    moves: tuple[int, ...] = ()
    text: str | None = None


def position_after(game: Game, opening: Opening) -> Position:
    """Where an opening leads."""
    position = opening.start
    for move in opening.moves:
        chance = game.status(position) == CHANCE
        position = game.reveal(position, move) if chance else game.play(position, move)
    return position


@dataclass(frozen=True)
class Failed:
    """A player's failure: the side, the reason by name, what exactly, and after how many plies."""

    side: int
    reason: str
    detail: str
    ply: int


@dataclass
class Spent:
    """What one side used in a game: seconds in all and in the longest move, nodes, moves.

    ``told`` is the player's own account of the ``told_moves`` moves where it gave one, which took ``told_measured`` as
    whoever waited saw it.
    """

    seconds: float = 0.0
    longest: float = 0.0
    nodes: int = 0
    moves: int = 0
    told: float = 0.0
    told_measured: float = 0.0
    told_moves: int = 0

    def add(self, choice: Choice) -> None:
        """Take a move in."""
        self.seconds += choice.seconds
        self.longest = max(self.longest, choice.seconds)
        self.nodes += choice.nodes or 0
        self.moves += 1
        if choice.told_seconds is not None:
            self.told += choice.told_seconds
            self.told_measured += choice.seconds
            self.told_moves += 1


@dataclass(frozen=True)
class Played:
    """A finished game. ``result`` is its value for side 0, by sign also where a player failed.

    ``margin`` is the value of the final position for side 0 where the game got there, be it with random moves in the
    place of a failed program's. ``moves`` come after the opening's; ``scores`` and ``depths`` are the movers',
    ``times`` seconds. The seats of the sides in ``broken`` are to be closed.
    """

    moves: tuple[int, ...]
    result: int
    reason: str
    detail: str
    margin: int | None
    failed: tuple[Failed, ...]
    spent: tuple[Spent, Spent]
    scores: tuple[int | None, ...]
    depths: tuple[int | None, ...]
    times: tuple[float, ...]
    final: Position
    broken: tuple[int, ...] = ()


class Dropped(Exception):
    """The game was broken off from outside; nothing of it counts."""


class Board:
    """A position with all that came before it, for repetition and for whoever has to move.

    ``status`` and ``mover`` are those of the position. It is asked several times a ply, so nothing is worked out twice.
    """

    def __init__(self, game: Game, start: Position) -> None:
        self.game, self.start = game, start
        self.moves: list[int] = []
        self.history: list[Position] = []
        self._context = game.context().row
        self._repeats = hasattr(game.rules_module, "repeated")
        self._keys, self._checks = np.zeros(_ROOM, dtype=np.uint64), np.zeros(_ROOM, dtype=np.int64)
        self._legal = np.zeros(game.max_moves, dtype=np.int64)
        self._most = game.max_plies * (2 if game.max_outcomes else 1)
        self._reach(start)

    def _reach(self, position: Position) -> None:
        self.position = position
        self.status = int(contract.call_position(self._context, contract.STATUS, position))
        self.mover = int(contract.call_position(self._context, contract.MOVER, position))

    def play(self, move: int) -> None:
        """Play a legal move, or reveal an outcome of chance."""
        game, position, ply = self.game, self.position, len(self.moves)
        if self._repeats:
            if ply + 1 >= len(self._keys):
                self._keys, self._checks = (
                    np.concatenate([row, np.zeros_like(row)]) for row in (self._keys, self._checks)
                )
            self._keys[ply] = contract.call_key(self._context, position)
            self._checks[ply] = contract.call_position(self._context, contract.CHECK, position)
        self.history.append(position)
        self.moves.append(move)
        self._reach(game.reveal(position, move) if self.status == CHANCE else game.play_unchecked(position, move))

    def is_legal(self, move: int) -> bool:
        """Whether the mover may play this."""
        count = contract.call_moves(self._context, self.position, self._legal)
        return bool((self._legal[:count] == move).any())

    def ending(self) -> tuple[str, int] | None:
        """How the rules end the game here, and the value for side 0."""
        game, position = self.game, self.position
        sign = 1 if self.mover == 0 else -1
        if self.status == OVER:
            value = game.result(position)
            return _name_of_end(game, position, value), sign * value
        if self._repeats:
            repeated = int(contract.call_repeated(self._context, position, self._keys, self._checks, len(self.moves)))
            if repeated != contract.FRESH:
                value = 0 if repeated == contract.DRAW else game.win if repeated == contract.WIN else -game.win
                return BY_REPETITION, sign * value
        return (BY_LENGTH, 0) if len(self.moves) >= self._most else None


def _name_of_end(game: Game, position: Position, value: int) -> str:
    """Mate and stalemate where the game knows check; else the rules as a whole."""
    if not hasattr(game.rules_module, "check") or game.moves(position):
        return BY_RULE
    if game.check(position):
        return BY_MATE
    return BY_STALEMATE if value == 0 else BY_RULE


def play_seats(
    game: Game,
    seats: Sequence[Seat],
    opening: Opening,
    limits: Sequence[Limit],
    rules: Rules,
    seed: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Played:
    """Play one game; seat 0 has side 0.

    Random moves in the place of a failed player, and chance, come from ``seed``. ``stopped`` is asked before every
    move; when it says so, Dropped is raised.
    """
    return _Play(game, seats, opening, limits, rules, seed).run(stopped)


class _Play:
    """The state of one game between seats."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        opening: Opening,
        limits: Sequence[Limit],
        rules: Rules,
        seed: int,
    ) -> None:
        self.game, self.seats, self.rules, self.opening = game, seats, rules, opening
        self.board = Board(game, opening.start)
        self.clocks = [GameClock(limit) for limit in limits]
        self.source = random.Random(seed)
        self.arbiter = Arbiter(game, rules.adjudication)
        self.failed: list[Failed] = []
        self.spent = (Spent(), Spent())
        self.scores: list[int | None] = []
        self.depths: list[int | None] = []
        self.times: list[float] = []

    def run(self, stopped: Callable[[], bool]) -> Played:
        for move in self.opening.moves:
            self.board.play(move)
        for side, seat in enumerate(self.seats):
            self._try(side, lambda seat=seat, side=side: seat.begin(self.opening.start, side))  # type: ignore[misc]
        while True:
            if stopped():
                raise Dropped
            end = self._end()
            if end is not None:
                return self._finish(*end)
            resigned = self._move()
            if resigned is not None:
                value = self.game.win or 1
                return self._finish(BY_RESIGNATION, -value if resigned == 0 else value, None)

    def _end(self) -> tuple[str, int, int | None] | None:
        """Reason, value and, where the position itself has one, the margin."""
        if self.failed and not self.rules.replace_failed:
            return "", 0, None
        ending = self.board.ending()
        if ending is not None:
            return ending[0], ending[1], None if ending[0] == BY_LENGTH else ending[1]
        ruling = self.arbiter.rule(self.board.position, len(self.board.moves))
        return None if ruling is None else (ruling.reason, ruling.value, None)

    def _move(self) -> int | None:
        """One move or outcome of chance; the side that resigned instead."""
        game, board = self.game, self.board
        position = board.position
        if board.status == CHANCE:
            chances = [float(p) for p in game.chance(position)]
            self._record(self.source.choices(range(len(chances)), weights=chances)[0])
            return None
        side = board.mover
        choice = None
        if not self._has_failed(side):
            choice = self._try(side, lambda: self._ask(side))
            if choice is None and not self.rules.replace_failed:
                return None
        if choice is None:
            self._record(self.source.choice(game.moves(position)))
            self.arbiter.hear(side, None)
            return None
        if choice.resigns:
            return side
        self._record(choice.move, choice)
        self.arbiter.hear(side, choice.score)
        return None

    def _ask(self, side: int) -> Choice:
        board = self.board
        clocks = (self.clocks[0].left, self.clocks[1].left)
        choice = self.seats[side].choose(Situation(board.start, board.moves, board.position, board.history, clocks))
        self.spent[side].add(choice)
        self.clocks[side].spend(choice.seconds)
        if not choice.resigns and not board.is_legal(choice.move):
            raise Failure(ILLEGAL, f"move {choice.move} in {self.game.format(board.position)}")
        return choice

    def _record(self, move: int, choice: Choice | None = None) -> None:
        self.board.play(move)
        self.scores.append(None if choice is None else choice.score)
        self.depths.append(None if choice is None else choice.depth)
        self.times.append(0.0 if choice is None else choice.seconds)

    def _has_failed(self, side: int) -> bool:
        return any(failed.side == side for failed in self.failed)

    def _try(self, side: int, call: Callable[[], Choice | None]) -> Choice | None:
        try:
            return call()
        except Failure as failure:
            self.failed.append(Failed(side, failure.reason, failure.detail, len(self.board.moves)))
            return None

    def _finish(self, reason: str, value: int, margin: int | None) -> Played:
        broken = {failed.side for failed in self.failed}
        for side, seat in enumerate(self.seats):
            try:
                if side not in broken:
                    seat.end()
            except Failure:  # after the last move, so it costs the game nothing
                broken.add(side)
        detail = ""
        if self.failed:
            first = self.failed[0]
            reason, detail = first.reason, first.detail
            lost = self.game.win or 1
            value = -lost if first.side == 0 else lost
        return Played(
            tuple(self.board.moves[len(self.opening.moves) :]),
            value,
            reason,
            detail,
            margin,
            tuple(self.failed),
            self.spent,
            tuple(self.scores),
            tuple(self.depths),
            tuple(self.times),
            self.board.position,
            tuple(sorted(broken)),
        )
