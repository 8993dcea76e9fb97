"""A UCI or USI engine at the board."""

from __future__ import annotations

import re
import time
from pathlib import Path

from evalsmith.players.limit import moves_to_go
from evalsmith.players.process import Answer
from evalsmith.players.program_seat import ProgramSeat
from evalsmith.players.seat import Choice, Situation
from evalsmith.players.spec import Player
from evalsmith.protocols import client_uci
from evalsmith.protocols.client_uci import BESTMOVE, READY, Option, PositionWriter, Told
from evalsmith.protocols.uci import UCI, USI, Dialect
from evalsmith.run import InputError
from evalsmith.search import Limit

_HIDDEN = ("uci_", "usi_")  # options that a protocol defines need not be announced


class UciSeat(ProgramSeat):
    """Speaks either dialect."""

    tells = ("depth", "nodes", "movetime", "clock")

    def __init__(self, player: Player, limit: Limit, logs: Path | None = None) -> None:
        super().__init__(player, limit, logs)
        self.dialect: Dialect = UCI if self.outside.protocol == "uci" else USI
        self.engine_name = ""
        self.options: dict[str, Option] = {}
        self.told = Told()
        self._writer = PositionWriter(self.game, self.dialect)
        self._chess960 = False
        # Without a clock every search is asked for in the same words.
        self._go = (
            ""
            if self.limit.timed
            else client_uci.go_command(
                self.dialect, depth=self.limit.depth, nodes=self.limit.nodes, movetime=self.limit.seconds
            )
        )

    # ── Handshake and new game ──

    def _greet(self) -> None:
        self._chess960 = False
        self._send(f"{self.dialect.hello}\n", "handshake")
        answer = self._expect(client_uci.greeting(self.dialect), "handshake")
        self.engine_name, self.options = client_uci.parse_handshake(answer.before.decode("utf-8", "replace"))
        chosen = self.outside.options
        for name, _ in chosen:
            if name.lower() not in self.options and not name.lower().startswith(_HIDDEN):
                known = ", ".join(option.name for option in self.options.values())
                raise InputError(f"player {self.name!r}: the engine has no option {name!r}; it has: {known}"[:600])
        text = "".join(client_uci.set_option(name, value) for name, value in chosen)
        threads = self.options.get("threads")
        # Players have one thread unless told otherwise; some engines take every core.
        if threads is not None and threads.default != "1" and "threads" not in {name.lower() for name, _ in chosen}:
            text += client_uci.set_option(threads.name, "1")
        self._send(f"{text}isready\n", "handshake")
        self._expect(READY, "handshake")

    def _announce(self) -> None:
        wanted = self._is_chess960()
        text = ""
        if wanted != self._chess960:
            self._chess960, text = wanted, client_uci.set_option("UCI_Chess960", str(wanted).lower())
        self._writer = PositionWriter(self.game, self.dialect, wanted)
        if self.dialect is UCI:
            self._send(f"{text}{self.dialect.new_game}\nisready\n")
            self._expect(READY, "newgame")
        else:
            self._send(f"{text}isready\n")
            self._expect(READY, "newgame")
            self._send(f"{self.dialect.new_game}\n")

    def _is_chess960(self) -> bool:
        if self.game.name != "chess" or self.dialect is not UCI:
            return False
        from evalsmith.games.chess.fen import is_chess960

        return bool(is_chess960(self._start))

    # ── A move ──

    def _request(self, situation: Situation) -> float:
        self.program.drop()
        return self._send(self.position_command(situation) + (self._go or self.go_command(situation)))

    def position_command(self, situation: Situation) -> str:
        """The game as far as it has come; where chance has a part, only where it stands."""
        if self.game.max_outcomes:
            return self._writer.command(situation.position, [], [])
        return self._writer.command(situation.start, list(situation.moves), situation.history)

    def go_command(self, situation: Situation) -> str:
        """The limit as the engine is told it."""
        limit, told = self.limit, None
        if limit.timed:
            own = situation.clocks[self._side]
            mine = limit.start if own is None else own
            clocks = [mine if left is None else left for left in situation.clocks]
            told = client_uci.Time(
                (clocks[0], clocks[1]), limit.increment, moves_to_go(limit, self._own_moves), limit.byoyomi
            )
        return client_uci.go_command(
            self.dialect, depth=limit.depth, nodes=limit.nodes, movetime=limit.seconds, time=told
        )

    def _pattern(self) -> re.Pattern[bytes]:
        return BESTMOVE

    def _understand(self, situation: Situation, answer: Answer, seconds: float) -> Choice:
        best = client_uci.parse_bestmove(answer.match[1] or b"")
        line = client_uci.last_info(answer.before)
        self.told = told = client_uci.parse_info(line, self.game.win, self.dialect) if line else Told()
        resigns = self.dialect is USI and best.resigns
        move = -1 if resigns else self._move(situation, best.text)
        return Choice(move, seconds, told.score, told.depth, told.nodes, told.seconds, resigns)

    def _interrupt(self) -> None:
        self.program.send("stop\n", self.outside.deadlines.stop)

    # ── For whoever examines an engine ──

    def ask(self, text: str, seconds: float) -> tuple[Answer, float]:
        """Send commands that end in a search, and wait for its move; also how long that took."""
        self.program.forget()
        self.program.send(text, seconds)
        began = time.perf_counter()
        answer = self.program.until(BESTMOVE, began + seconds)
        return answer, answer.when - began

    def is_ready(self, seconds: float) -> bool:
        """Whether the engine still answers."""
        self.program.send("isready\n", seconds)
        self.program.until(READY, time.perf_counter() + seconds)
        return True
