"""One game between two seats: the rules, the clocks, and what becomes of a program that fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evalsmith.arena.play.adjudication import Arbiter
from evalsmith.arena.play.fast_path import fast_path
from evalsmith.arena.play.usage import usage_of
from evalsmith.arena.results.entry import Failed, MoveReports, SideUsage
from evalsmith.arena.settings import Adjudication
from evalsmith.engine import Limit
from evalsmith.games import CHANCE, Game, Position
from evalsmith.games.board import DECLARATION
from evalsmith.games.opening import Opening
from evalsmith.games.termination import BY_DECLARATION, BY_IMPASSE, BY_LENGTH, BY_RESIGNATION
from evalsmith.players.limit import GameClock
from evalsmith.players.seat import Choice, Seat
from evalsmith.processes.failure import ILLEGAL, Failure


@dataclass(frozen=True)
class Rules:
    """How games are judged: what follows a failure, early ends, and the rule of declarations (0: none)."""

    replace_failed: bool = False
    adjudication: Adjudication = field(default_factory=Adjudication)
    declaration: int = DECLARATION


@dataclass(frozen=True)
class Played:
    """A finished game. ``result`` is its value for side 0; where a player failed only its sign counts.

    ``margin`` is the value of the final position for side 0, where the game was played to its end, perhaps with random
    moves in place of a failed player's. ``moves`` follow those of the opening. The seats of the sides in ``broken``
    have to be closed.
    """

    moves: tuple[int, ...]
    result: int
    termination: str
    detail: str
    margin: int | None
    failed: tuple[Failed, ...]
    usage: tuple[SideUsage, SideUsage]
    reports: MoveReports
    final: Position
    broken: tuple[int, ...] = ()


_End = tuple[str, int, int | None]
"""The termination, the value for side 0 and, where the position itself has one, the margin."""


class Dropped(Exception):
    """The game was stopped from outside; nothing of it counts."""


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
    move, and every tenth of a second where moves come faster; when it says so, Dropped is raised.
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
        self.board = opening.board(game)
        self.board.declaration = rules.declaration
        self.clocks = [GameClock(limit) for limit in limits]
        self.timed = any(clock.left is not None for clock in self.clocks)
        self.source = random.Random(seed)
        self.arbiter = None if rules.adjudication == Adjudication() else Arbiter(game, rules.adjudication)
        self.failed: list[Failed] = []
        self.asked: tuple[list[Choice], list[Choice]] = ([], [])
        self.played: list[Choice | None] = []

    def run(self, stopped: Callable[[], bool]) -> Played:
        board = self.board
        for side, seat in enumerate(self.seats):
            try:
                seat.begin(self.opening.start, side)
            except Failure as failure:
                self._fail(side, failure)
        fast = fast_path(board, self.seats) if self.arbiter is None and not self.timed else None
        while True:
            if stopped():
                raise Dropped
            # Most of the time nothing has happened that could end the game.
            if not board.running or self.failed or self.arbiter is not None:
                end = self._end()
                if end is not None:
                    return self._finish(*end)
            ask = None
            if fast is not None and not self.failed:
                ask = fast.play(self._hear)
                if ask is None:
                    continue
            claimed = self._move(ask)
            if claimed is not None:
                return self._finish(*claimed)

    def _end(self) -> _End | None:
        """How the game has ended, if it has."""
        if self.failed and not self.rules.replace_failed:
            return "", 0, None
        outcome = self.board.outcome()
        if outcome is not None:
            by_length = outcome.termination == BY_LENGTH
            return outcome.termination, outcome.value, None if by_length else outcome.value
        if self.arbiter is None:
            return None
        ruling = self.arbiter.rule(self.board.position, self.board.ply)
        return None if ruling is None else (ruling.termination, ruling.value, None)

    def _hear(self, side: int, choice: Choice) -> None:
        """A move that was played by the fast way."""
        self.asked[side].append(choice)
        self.played.append(choice)

    def _move(self, ask: Callable[[], Choice] | None) -> _End | None:
        """One move or outcome of chance, or the end that the mover claims instead; ``ask`` gives the choice, if any."""
        game, board = self.game, self.board
        side = board.mover
        if board.status == CHANCE:
            board.draw(self.source)
            self.played.append(None)
            return None
        choice = None
        if not self.failed or not self._has_failed(side):
            try:
                if self.timed:
                    board.clocks = (self.clocks[0].left, self.clocks[1].left)
                answer = self.seats[side].choose(board) if ask is None else ask()
                self.asked[side].append(answer)
                if self.timed:
                    self.clocks[side].spend(answer.seconds)
                if answer.resigns:
                    return BY_RESIGNATION, self._won_by(1 - side), None
                if answer.declares:
                    return self._declare(side)
                if not board.play(answer.move):
                    raise Failure(ILLEGAL, f"move {answer.move} in {game.format(board.position)}")
                choice = answer
            except Failure as failure:
                self._fail(side, failure)
                if not self.rules.replace_failed:
                    return None
        if choice is None:
            board.play(self.source.choice(game.moves(board.position)))
        self.played.append(choice)
        if self.arbiter is not None:
            self.arbiter.hear(side, None if choice is None else choice.score)
        return None

    def _declare(self, side: int) -> _End:
        """The end of a game whose mover declares a win; a wrong declaration is a failure."""
        judge = self.game.hook("declaration")
        if judge is None or not self.rules.declaration:
            raise Failure(ILLEGAL, "declares a win, and this game has no declarations")
        found = judge(self.board.position, self.rules.declaration)
        if found.outcome == "loss":
            raise Failure(ILLEGAL, f"declares a win, but {found.reason}, in {self.game.format(self.board.position)}")
        if found.outcome == "draw":
            return BY_IMPASSE, 0, None
        return BY_DECLARATION, self._won_by(side), None

    def _won_by(self, side: int) -> int:
        value = self.game.win or 1
        return value if side == 0 else -value

    def _has_failed(self, side: int) -> bool:
        return any(failed.side == side for failed in self.failed)

    def _fail(self, side: int, failure: Failure) -> None:
        self.failed.append(Failed.of(side, failure, self.board.ply))

    def _finish(self, termination: str, value: int, margin: int | None) -> Played:
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
            termination, detail = first.reason, first.detail
            value = self._won_by(1 - first.side)
        played = self.played
        return Played(
            moves=tuple(self.board.move_stack[len(self.opening.moves) :]),
            result=value,
            termination=termination,
            detail=detail,
            margin=margin,
            failed=tuple(self.failed),
            usage=(usage_of(self.asked[0]), usage_of(self.asked[1])),
            reports=MoveReports(
                scores=tuple(None if choice is None else choice.score for choice in played),
                depths=tuple(None if choice is None else choice.depth for choice in played),
                times=tuple(0.0 if choice is None else round(choice.seconds, 4) for choice in played),
            ),
            final=self.board.position,
            broken=tuple(sorted(broken)),
        )
