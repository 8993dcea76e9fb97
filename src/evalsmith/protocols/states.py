"""States as text lines, for games that no other protocol knows: a position in, our move and the position after it out.

    > seed:8988 level:10
    < 2-6-10 <position after the move>

``nodes 10000`` and ``movetime 0.5`` set the limit, ``quit`` ends. A line that is no position is answered by
``error: …``, a finished game by ``over`` and the result. Where chance is to move, no player can: that is an error too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, Game
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.listening import listen, standard_lines, started, write
from evalsmith.run import EvalsmithError, InputError

DEFAULT_SECONDS = 0.5


class StatesServer:
    """Answers each position with a move."""

    def __init__(self, engine: Engine, write: Callable[[str], None]) -> None:
        self.engine, self.game, self.write = engine, engine.game, write
        self.limit: Limit | None = None

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until ``quit`` or the end of the input."""
        for line in lines:
            text = line.strip()
            if text.lower() == "quit":
                return
            if not text:
                continue
            try:
                self.write(self._answer(text) + "\n")
            except EvalsmithError as error:
                self.write(f"error: {error}\n")
                if self.engine.failed:
                    raise

    def _answer(self, text: str) -> str:
        name, _, value = text.partition(" ")
        if name in ("nodes", "movetime"):
            self.limit = _limit(name, value)
            return "ok"
        position = self.game.parse(text)
        state = self.game.status(position)
        if state == OVER:
            return f"over {self.game.result(position)}"
        if state == CHANCE:
            raise InputError("chance is to move; give the position after its move")
        self.engine.set_position(position)
        move = self.engine.think(self.limit or Limit(seconds=DEFAULT_SECONDS)).lines[0].move
        return f"{self.game.format_move(position, move)} {self.game.format(self.game.play(position, move))}"


def _limit(name: str, value: str) -> Limit:
    try:
        return Limit(nodes=int(value)) if name == "nodes" else Limit(seconds=float(value))
    except ValueError:
        raise InputError(f"{name} takes a number, not {value[:20]!r}") from None


def run_states(game: Game, options: EngineOptions) -> None:
    """Answer positions on standard input until it ends."""
    lines, engine = standard_lines(), started(game, options)
    StatesServer(engine, write).serve(listen(lines, engine))
