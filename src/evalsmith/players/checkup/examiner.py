"""Goes through a program's protocol step by step, and says where the program violates it.

A check is a function that returns a detail, or raises Unfit or Inapplicable. Whatever else a program does in one (it
hangs, it crashes) fails that check alone: the program is started again for the next.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.games.board import Board
from evalsmith.players.outside import Outside
from evalsmith.players.program_seat import ProgramSeat
from evalsmith.players.seats import take_seat
from evalsmith.players.spec import Player
from evalsmith.processes.failure import Failure
from evalsmith.processes.program import Silence
from evalsmith.run import InputError, derive

PASS, FAIL, INAPPLICABLE = "pass", "fail", "n/a"
GAME_PLIES = 200  # of the game that a program plays against random moves
GAME_SECONDS = 20.0
BOOK_POSITIONS, BOOK_PLIES = 4, 9  # how many positions of a book are tried, and how far from the start they are

# A program that hangs is not examined to the end: all that can follow is more waiting. So it takes less than a minute.
_HANGING = 4.0  # seconds from which on a check that failed was a wait
_PATIENT = 2  # such checks before the rest is left out
_HANDSHAKE, _ANSWER = 40.0, 10.0  # the longest waits for the first answer of a program, and for all others


@dataclass(frozen=True)
class Check:
    """One step: its name, PASS, FAIL or INAPPLICABLE, and what was seen."""

    name: str
    state: str
    detail: str


@dataclass(frozen=True)
class Checkup:
    """All checks of one program."""

    player: str
    protocol: str
    game: str
    engine: str
    checks: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.state == FAIL)


class Unfit(Exception):
    """The program violates the protocol in this step."""


class Inapplicable(Exception):
    """The step does not concern this program."""


class Examiner:
    """Runs checks on one program; a protocol adds its own list."""

    engine = ""

    def __init__(self, player: Player, seed: int) -> None:
        if player.outside is None:
            raise InputError(f"player {player.name!r} is our own search; to check it as a program, name its command")
        player = _impatient(player, _HANDSHAKE)
        assert player.outside is not None
        self.player, self.game, self.seed = player, player.game, seed
        self.outside = player.outside
        seat = take_seat(player, player.limit or Limit(depth=3))
        assert isinstance(seat, ProgramSeat)
        self.seat: ProgramSeat = seat
        self._running = False

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """The checks in their order."""
        raise NotImplementedError

    def examine(self, progress: Callable[[str], None] = lambda name: None) -> Checkup:
        """All checks; without a handshake there are no others."""
        checks: list[Check] = []
        hung = 0
        try:
            for name, step in [("handshake", self.handshake), *self.steps()]:
                if hung >= _PATIENT:
                    checks.append(Check(name, INAPPLICABLE, f"not tried: the program hung {hung} times before"))
                    continue
                progress(name)
                began = time.perf_counter()
                checks.append(self._check(name, step))
                hung += checks[-1].state == FAIL and time.perf_counter() - began > _HANGING
                if name == "handshake":
                    if checks[0].state == FAIL:
                        break
                    # Whoever has answered once has loaded, and need not be waited for so long again.
                    self.seat.outside = self.outside = _hurried(self.outside, _ANSWER)
        finally:
            self.seat.close()
        return Checkup(self.player.name, self.outside.protocol, self.game.name, self.engine, tuple(checks))

    def _check(self, name: str, step: Callable[[], str]) -> Check:
        try:
            if not self._running and step != self.handshake:
                self.begin()
            return Check(name, PASS, step())
        except Inapplicable as reason:
            return Check(name, INAPPLICABLE, str(reason))
        except Unfit as reason:
            return Check(name, FAIL, str(reason))
        except Failure as failure:
            self.drop()
            return Check(name, FAIL, str(failure))
        except Silence as instead:
            self.drop()
            return Check(name, FAIL, f"no answer in time{instead}")

    # ── Shared steps ──

    def begin(self, start: Position | None = None, side: int = 0) -> None:
        """Start the program, or tell it of a new game."""
        self._running = False
        self.seat.begin(self.game.start() if start is None else start, side)
        self._running = True

    def settle(self) -> None:
        """Wait until a program that was just started has loaded, where the handshake does not show it."""

    def drop(self) -> None:
        """Kill a program that cannot be trusted any more."""
        self._running = False
        self.seat._kill()

    def handshake(self) -> str:
        """The program starts and answers."""
        began = time.perf_counter()
        self.begin()
        return f"{time.perf_counter() - began:.2f} s"

    def play_a_game(self) -> str:
        """The program keeps to the rules against random moves."""
        source, board = random.Random(derive(self.seed, "check")), Board(self.game)
        self.begin(board.start, 0)
        if self.seat.limit.timed:
            board.clocks = (self.seat.limit.start, self.seat.limit.start)
        until = time.perf_counter() + GAME_SECONDS
        while board.status != OVER and board.ply < GAME_PLIES and time.perf_counter() < until:
            if board.status == CHANCE:
                board.draw(source)
            elif board.mover == 0:
                choice = self.seat.choose(board)
                if choice.resigns:
                    return f"resigned after {board.ply} plies"
                if choice.declares:
                    return self._declared(board)
                board.push(choice.move)
            else:
                board.play(source.choice(self.game.moves(board.position)))
        self.seat.end()
        self._running = self.seat._program is not None
        return f"{board.ply} plies against random moves, all legal"

    def book_positions(self) -> str:
        """A game that begins at a position of a book, with no move before the program's, is that game and no other."""
        source, count = random.Random(derive(self.seed, "book")), 0
        while count < BOOK_POSITIONS:
            board = Board(self.game)
            for _ in range(BOOK_PLIES + count % 2):  # either side is to move
                if board.status == OVER:
                    break
                if board.status == CHANCE:
                    board.draw(source)
                else:
                    board.play(source.choice(self.game.moves(board.position)))
            if board.status != 0:
                continue
            count += 1
            self._from_book(Board(self.game, board.position, start_text=self.game.format(board.position)))
        return f"{count} positions, all moves legal"

    def _from_book(self, board: Board) -> None:
        """A move for a game without moves; an illegal one is the answer to something else."""
        try:
            self.begin(board.start, board.mover)
        except InputError:
            raise Inapplicable("the protocol has no positions") from None
        if self.seat.limit.timed:
            board.clocks = (self.seat.limit.start, self.seat.limit.start)
        choice = self.seat.choose(board)
        if not choice.resigns:
            board.push(choice.move)
        self.seat.end()
        self._running = self.seat._program is not None

    def _declared(self, board: Board) -> str:
        """A declaration of a win is judged by the default rule."""
        if not board.wins_by_declaration:
            raise Unfit(f"declared a win after {board.ply} plies, wrongly, in {board.text}")
        return f"declared a win after {board.ply} plies"

    def memory(self) -> str:
        """What the program has held so far."""
        used, limit = self.seat.bytes_used(), self.outside.launch.memory
        if used is None:
            raise Inapplicable("not known here")
        if limit is not None and used > limit:
            raise Unfit(f"{used:,} bytes, {limit:,} allowed")
        return f"{used:,} bytes" + (f" of {limit:,}" if limit else "")

    def leave(self) -> str:
        """The program ends when it is asked to, and leaves nothing behind."""
        self.settle()
        program = self.seat.program
        self._running = False
        began = time.perf_counter()
        program.send(self.seat._farewell(), self.outside.deadlines.quit)
        if not program.wait_for_end(self.outside.deadlines.quit):
            self.drop()
            raise Unfit(f"still running {self.outside.deadlines.quit:g} s after quit")
        left = program.others()
        code = program.exit_text()
        self.drop()
        if left:
            raise Unfit(f"it quit, but left {left} process{'es' * (left > 1)} running")
        if code != "exit code 0":
            raise Unfit(f"ended with {code}")
        return f"{time.perf_counter() - began:.2f} s"

    def input_ends(self) -> str:
        """The program ends when its input does: so it does not outlive whoever started it."""
        self.begin()
        self.settle()
        program = self.seat.program
        self._running = False
        program.end_input()
        gone = program.wait_for_end(self.outside.deadlines.quit)
        self.drop()
        if not gone:
            raise Unfit(f"still running {self.outside.deadlines.quit:g} s after the end of its input")
        return "ends with its input"


def _hurried(outside: Outside, handshake: float) -> Outside:
    """The program with shorter waits, which are long for a check."""
    old = outside.deadlines
    new = replace(
        old,
        handshake=min(old.handshake, handshake),
        newgame=min(old.newgame, _ANSWER),
        watchdog=min(old.watchdog, _ANSWER),
    )
    return replace(outside, deadlines=new)


def _impatient(player: Player, handshake: float) -> Player:
    return player if player.outside is None else replace(player, outside=_hurried(player.outside, handshake))


def mate_in_one(game: Game, seed: int) -> tuple[Position, set[int]] | None:
    """A position with moves that win at once, found by random play; None where a game is not won that way."""
    if not game.win:
        return None
    source = random.Random(derive(seed, "mate"))
    for _ in range(200):
        position = game.start()
        for _ in range(300):
            legal = game.moves(position)
            if not legal or game.status(position) == OVER:
                break
            move = source.choice(legal)
            following = game.play_unchecked(position, move)
            if game.status(following) == OVER and game.result(following) == -game.win:
                wins = {one for one in legal if _wins(game, position, one)}
                return position, wins
            position = following
    return None


def _wins(game: Game, position: Position, move: int) -> bool:
    following = game.play_unchecked(position, move)
    return game.status(following) == OVER and game.result(following) == -game.win
