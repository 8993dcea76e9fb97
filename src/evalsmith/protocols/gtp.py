"""GTP, the text protocol of Go programs that Othello programs speak too, the engine's side."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from evalsmith.engine import Limit
from evalsmith.engine.clock import Clock, Lateness, allot
from evalsmith.games import OVER, Game
from evalsmith.games.movetext import forced_pass
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.listening import listen, standard_lines, started, write
from evalsmith.run import EvalsmithError, InputError
from evalsmith.version import __version__

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
DEFAULT_SECONDS = 1.0


class GtpServer:
    """Answers GTP commands: ``= …`` when it can, ``? …`` when it cannot."""

    def __init__(self, engine: Engine, write: Callable[[str], None]) -> None:
        self.engine, self.game, self.write = engine, engine.game, write
        self.clocks: list[Clock | None] = [None, None]
        self._lateness = Lateness()
        self.verbs: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Evalsmith",
            "version": lambda _: __version__,
            "known_command": lambda words: "true" if words and words[0] in self.verbs else "false",
            "list_commands": lambda _: "\n".join(sorted([*self.verbs, "quit"])),
            "boardsize": self._boardsize,
            "clear_board": self._clear,
            "komi": lambda _: "",
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": lambda words: self._generate(words, keep=False),
            "undo": self._undo,
            "showboard": lambda _: f"\n{self.engine.board.text}",
            "final_score": self._final_score,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until ``quit`` or the end of the input."""
        for line in lines:
            words = "".join(c for c in line.partition("#")[0] if c.isprintable() or c == "\t").split()
            if not words:
                continue
            number = words.pop(0) if words[0].isdecimal() else ""
            if not words:
                continue
            if words[0] == "quit":
                self.write(f"={number}\n\n")
                return
            try:
                if words[0] not in self.verbs:
                    raise InputError("unknown command")
                self.write(f"={number} {self.verbs[words[0]](words[1:])}\n\n")
            except EvalsmithError as error:
                self.write(f"?{number} {error}\n\n")
                if self.engine.failed:
                    raise

    def _boardsize(self, words: list[str]) -> str:
        if words != ["8"]:
            raise InputError("unacceptable size")
        return ""

    def _clear(self, _: list[str]) -> str:
        self.engine.new_game()
        return ""

    def _side(self, words: list[str]) -> int:
        if not words or words[0].lower() not in _COLOURS:
            raise InputError("syntax error: a colour (b or w) is missing")
        return _COLOURS[words[0].lower()]

    def _to_move(self, side: int) -> None:
        """Let the other side pass where it has to: GTP programs leave passes out."""
        board = self.engine.board
        if board.status != OVER and board.mover != side:
            skipped = forced_pass(self.game, board.position)
            if skipped is None:
                raise InputError("illegal move: the other side is to move")
            board.play(skipped)

    def _play(self, words: list[str]) -> str:
        side = self._side(words)
        if len(words) < 2:
            raise InputError("syntax error: a move is missing")
        board = self.engine.board
        before = board.ply
        try:
            if words[1].lower() == "pass" and board.mover != side:
                return ""
            self._to_move(side)
            board.push(words[1])
        except EvalsmithError:
            while board.ply > before:
                board.undo()
            raise
        return ""

    def _genmove(self, words: list[str]) -> str:
        return self._generate(words, keep=True)

    def _generate(self, words: list[str], *, keep: bool) -> str:
        side = self._side(words)
        board = self.engine.board
        if board.status == OVER:
            return "pass"
        self._to_move(side)
        clock = self.clocks[side]
        limit = Limit(seconds=DEFAULT_SECONDS)
        if clock is not None and (clock.left > 0 or clock.byoyomi > 0):
            time_budget = allot(clock, self._lateness.overhead)
            limit = Limit(seconds=time_budget.hard, soft_seconds=time_budget.soft, free_seconds=time_budget.free)
        began = time.perf_counter()
        move = self.engine.think(limit).lines[0].move
        self._lateness.note(limit.seconds, time.perf_counter() - began)
        name = self.game.format_move(board.position, move)
        if keep:
            board.play(move)
        return name

    def _undo(self, _: list[str]) -> str:
        if not self.engine.board.move_stack:
            raise InputError("cannot undo")
        self.engine.board.undo()
        return ""

    def _final_score(self, _: list[str]) -> str:
        outcome = self.engine.board.outcome()
        if outcome is None:
            raise InputError("the game is not over")
        margin = abs(outcome.value) // 100 * (1 if outcome.value > 0 else -1)
        return "0" if margin == 0 else f"B+{margin}" if margin > 0 else f"W+{-margin}"

    def _numbers(self, words: list[str], count: int) -> list[float]:
        try:
            numbers = [float(word) for word in words[:count]]
        except ValueError:
            raise InputError(f"syntax error: expected {count} numbers") from None
        if len(numbers) < count or any(not 0 <= number < 1e9 for number in numbers):
            raise InputError(f"syntax error: expected {count} non-negative numbers")
        return numbers

    def _time_settings(self, words: list[str]) -> str:
        main, period, stones = self._numbers(words, 3)
        share = period / stones if stones else 0.0
        self.clocks = [Clock(main, byoyomi=share), Clock(main, byoyomi=share)]
        return ""

    def _time_left(self, words: list[str]) -> str:
        side = self._side(words)
        left, stones = self._numbers(words[1:], 2)
        self.clocks[side] = Clock(left, moves_to_go=int(stones) or None)
        return ""


def run_gtp(game: Game, options: EngineOptions) -> None:
    """Speak GTP on standard input and output until ``quit``."""
    lines, engine = standard_lines(), started(game, options)
    GtpServer(engine, write).serve(listen(lines, engine))
