"""The line protocol of the CodeCup contests, the program's side.

The first player reads ``Start``, the second the first player's move instead; then one move a line each way, and
``Quit`` at the end. There is no handshake, so kernels must be compiled before (``evalsmith doctor --warm``).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable

from evalsmith.engine import Limit
from evalsmith.engine.clock import Budget, Lateness, allot_budget
from evalsmith.games import OVER, Game
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.listening import listen, standard_lines, started, write
from evalsmith.run import EvalsmithError

DEFAULT_BUDGET = 5.0  # seconds of own thinking a game, the contest's limit
MARGIN = 0.25  # seconds of the budget that are left to the judge's clock and ours


class CodeCupServer:
    """Reads the opponent's moves, answers with ours."""

    def __init__(self, engine: Engine, write: Callable[[str], None], budget: float = DEFAULT_BUDGET) -> None:
        self.engine, self.game = engine, engine.game
        self.write, self.left = write, budget - MARGIN
        self.side: int | None = None
        self._lateness = Lateness()

    def serve(self, lines: Iterable[str]) -> None:
        """Play until ``Quit`` or the end of the input; a line that is no move here changes nothing."""
        for line in lines:
            text = line.strip()
            if not text:
                continue
            if text.lower() == "quit":
                return
            began = time.perf_counter()
            try:
                self._turn(text)
            except EvalsmithError as error:
                if self.engine.failed:
                    raise
                print(f"evalsmith: {error}", file=sys.stderr, flush=True)
            # The judge's clock also runs while a line waits for this process to get a core, as long as a search did.
            self.left -= time.perf_counter() - began + self._lateness.seen

    def _turn(self, text: str) -> None:
        """Take the opponent's move, if it is one, and answer."""
        board = self.engine.board
        mover = board.mover
        if text.lower() != "start":
            board.push(text)
            mover = 1 - mover
        if self.side is None:
            self.side = mover
        # A side may have two turns in a row.
        while board.status != OVER and board.mover == self.side:
            board.play(self._choose())
            self.write(f"{board.names(board.ply - 1)[0]}\n")

    def _choose(self) -> int:
        position = self.engine.board.position
        legal = self.game.moves(position)
        if len(legal) == 1:
            return legal[0]
        expected = self.game.hook("moves_left")
        left = expected(position) if expected else 20.0
        time_budget = allot_budget(Budget(max(0.0, self.left)), left, self._lateness.overhead, self._lateness.seen)
        limit = Limit(seconds=time_budget.hard, soft_seconds=time_budget.soft)
        began = time.perf_counter()
        thought = self.engine.think(limit)
        self._lateness.note(limit.seconds, time.perf_counter() - began)
        return thought.lines[0].move


def _since_start() -> float:
    """Seconds since this process began: to a judge, loading a program is part of its first move."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return 1.0


def run_codecup(game: Game, options: EngineOptions) -> None:
    """Play one game on standard input and output; what is wrong goes to standard error."""
    lines, budget = standard_lines(), options.budget - _since_start()
    engine = started(game, options)
    CodeCupServer(engine, write, budget).serve(listen(lines, engine))
