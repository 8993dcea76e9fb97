"""NBoard, the protocol of Othello interfaces (version 2), the engine's side. Evaluations are in discs for the mover."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path

from evalsmith.engine import Limit, SearchResult
from evalsmith.games import OVER, Game, Position
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.listening import listen, standard_lines, started, write
from evalsmith.records.othello.ggf import Ggf
from evalsmith.records.record import Faults
from evalsmith.run import EvalsmithError, InputError

DEFAULT_DEPTH = 8


class _Game(Ggf):
    """A game as an interface sends it, with moves or without."""

    needs_moves = False


class NBoardServer:
    """Follows the game that the interface tells, and answers ``go``, ``hint`` and ``ping``.

    After a game or a move that was refused, the interface has another position than we have: there is no answer to
    ``go`` and ``hint`` then, until a game is accepted.
    """

    def __init__(self, engine: Engine, write: Callable[[str], None]) -> None:
        self.engine, self.game, self._write = engine, engine.game, write
        self.depth = DEFAULT_DEPTH
        self._lost = False  # whether the interface has another position

    def say(self, text: str) -> None:
        """One line."""
        self._write(text + "\n")

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until ``quit`` or the end of the input; what is wrong becomes a status."""
        for line in lines:
            command, _, rest = line.strip().partition(" ")
            if command == "quit":
                return
            try:
                self.answer(command, rest.strip())
            except EvalsmithError as error:
                self.say(f"status error: {error}")
                if self.engine.failed:
                    raise

    def answer(self, command: str, rest: str) -> None:
        """One command; unknown ones are passed over, as the protocol asks."""
        if command == "nboard":
            self.say("set myname Evalsmith")
        elif command == "set":
            self._set(*rest.partition(" ")[::2])
        elif command == "move":
            self._move(rest)
        elif command == "go":
            self._go()
        elif command == "hint":
            self._hint(rest)
        elif command == "ping":
            _ = self.engine.searcher
            self.say(f"pong {rest}")

    def _set(self, name: str, value: str) -> None:
        if name == "depth":
            if not value.isdecimal() or not 1 <= int(value) <= 100:
                raise InputError(f"set depth takes 1 to 100, not {value[:20]!r}")
            self.depth = int(value)
        elif name == "game":
            self._take(value)

    def _take(self, text: str) -> None:
        """The complete game so far, as GGF."""
        self._lost = True
        faults = Faults()
        records = list(_Game().games(io.BytesIO(text.encode("utf-8", "replace")), Path("set game"), faults))
        if len(records) != 1:
            reason = str(faults.examples[0]) if faults.examples else "one game is expected"
            raise InputError(f"set game: {reason}")
        record = records[0]
        start = self.game.parse(record.start) if record.start else self.game.start()
        self.engine.set_position(start, record.moves)
        self._lost = False

    def _move(self, text: str) -> None:
        was, self._lost = self._lost, True
        self.engine.board.push(text.split("/")[0])
        self._lost = was

    def _name(self, position: Position, move: int) -> str:
        name = self.game.format_move(position, move)
        return "PA" if name == "pass" else name.upper()

    def _think(self, multipv: int) -> SearchResult:
        if self._lost:
            raise InputError("the last game or move was refused, so the position is not known; send set game")
        if self.engine.board.status == OVER:
            raise InputError("the game is over")
        self.say("status Evalsmith is thinking")
        return self.engine.think(Limit(depth=self.depth), multipv)

    def _go(self) -> None:
        thought, position = self._think(1), self.engine.board.position
        line = thought.lines[0]
        self.say(f"=== {self._name(position, line.move)}/{line.score / 100:.2f}/{thought.seconds:.2f}")
        self.say(f"nodestats {thought.nodes} {thought.seconds:.2f}")
        self.say("status")

    def _hint(self, text: str) -> None:
        if not text.isdecimal() or int(text) < 1:
            raise InputError(f"hint takes a number of at least 1, not {text[:20]!r}")
        thought, position = self._think(min(int(text), self.game.max_moves)), self.engine.board.position
        for line in thought.lines:
            name = self._name(position, line.move)
            self.say(f"search {name} {line.score / 100:.2f} 0 {line.depth}")
        self.say(f"nodestats {thought.nodes} {thought.seconds:.2f}")
        self.say("status")


def run_nboard(game: Game, options: EngineOptions) -> None:
    """Speak NBoard's protocol on standard input and output until ``quit``."""
    lines, engine = standard_lines(), started(game, options)
    NBoardServer(engine, write).serve(listen(lines, engine))
