"""The checks of UCI and USI engines."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from evalsmith.games import OVER, Position
from evalsmith.players.checkup.examiner import Examiner, Inapplicable, Unfit, mate_in_one
from evalsmith.players.spec import Player
from evalsmith.players.uci_seat import UciSeat
from evalsmith.processes.failure import Failure
from evalsmith.processes.program import Answer, Silence
from evalsmith.protocols.client import uci
from evalsmith.protocols.client.uci import BESTMOVE, READY, Time, go_command
from evalsmith.protocols.uci import USI
from evalsmith.run import InputError, derive

PATIENCE = 10.0  # seconds for a search that should take a fraction of one
DEPTH, NODES, MOVETIME, CLOCK = 4, 1000, 0.3, 1.0
STOP_LATENCY = 0.5
POSITIONS, PLIES = 6, 10  # searched for their lines, and how far random moves lead to them
_NO_MOVE = ("(none)", "0000", "none", "null", "resign", "win", "@@@@")


class UciExaminer(Examiner):
    """Asks an engine for everything that a runner or an interface will ask."""

    def __init__(self, player: Player, seed: int) -> None:
        super().__init__(player, seed)
        assert isinstance(self.seat, UciSeat)
        self.uci: UciSeat = self.seat
        self.dialect = self.uci.dialect

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """The checks in their order."""
        return [
            ("options", self.options),
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("movetime", self.movetime),
            ("clock", self.clock),
            ("byoyomi", self.byoyomi),
            ("stop", self.stop),
            ("ready while thinking", self.ready_while_thinking),
            ("lines are legal", self.legal_lines),
            ("bestmove begins the line", self.best_is_line),
            ("mate score", self.mate_score),
            ("finished game", self.finished),
            ("unknown commands", self.unknown_commands),
            ("broken positions", self.broken_positions),
            ("new game", self.new_game),
            ("book positions", self.book_positions),
            ("complete game", self.play_a_game),
            ("memory", self.memory),
            ("quit", self.leave),
            ("end of input", self.input_ends),
        ]

    def handshake(self) -> str:
        """The engine starts, says who it is, and is ready."""
        took = super().handshake()
        self.engine = self.uci.engine_name
        if not self.engine:
            raise Unfit("no id name")
        return f"{self.engine}, {took}"

    # ── Searching ──

    def _position(self, position: Position) -> str:
        standard = bool((position == self.game.start()).all())
        return f"position {'startpos' if standard else f'{self.dialect.setup} {self.game.format(position)}'}\n"

    def _search(self, position: Position, go: str) -> tuple[int, Answer, float]:
        """A search that has to end by itself: the move, what was said, and the seconds."""
        try:
            answer, seconds = self.uci.ask(self._position(position) + go, PATIENCE)
        except Silence as instead:
            self.drop()
            raise Unfit(f"no bestmove {PATIENCE:g} s after {go.strip()!r}{instead}") from None
        best = uci.parse_bestmove(answer.match[1] or b"")
        try:
            return self.game.parse_move(position, best.text), answer, seconds
        except InputError:
            raise Unfit(f"{best.text[:40]!r} is illegal in {self.game.format(position)}") from None

    def _report(self, answer: Answer) -> uci.SearchReport:
        return uci.parse_info(uci.last_info(answer.before), self.game.win, self.dialect)

    def depth(self) -> str:
        """A search to a depth ends by itself."""
        _, answer, seconds = self._search(self.game.start(), go_command(self.dialect, depth=DEPTH))
        report = self._report(answer)
        if report.depth is not None and report.depth > 2 * DEPTH:
            raise Unfit(f"depth {report.depth} was searched instead of {DEPTH}")
        return f"said depth {report.depth} in {seconds:.3f} s"

    def nodes(self) -> str:
        """A search with a limit of nodes ends by itself."""
        _, answer, seconds = self._search(self.game.start(), go_command(self.dialect, nodes=NODES))
        report = self._report(answer)
        if report.nodes is not None and report.nodes > 20 * NODES:
            raise Unfit(f"{report.nodes:,} nodes were searched instead of {NODES:,}")
        return f"said {report.nodes} nodes in {seconds:.3f} s"

    def movetime(self) -> str:
        """A search takes the time it is given."""
        return self._timed(go_command(self.dialect, movetime=MOVETIME), MOVETIME)

    def clock(self) -> str:
        """With a second on the clock, a move takes less."""
        return self._timed(go_command(self.dialect, time=Time((CLOCK, CLOCK), 0.01)), CLOCK)

    def byoyomi(self) -> str:
        """With byoyomi alone, a move takes no more than that."""
        if self.dialect is not USI:
            raise Inapplicable("only USI has byoyomi")
        return self._timed(go_command(self.dialect, time=Time((0, 0), byoyomi=MOVETIME)), MOVETIME)

    def _timed(self, go: str, allowed: float) -> str:
        _, _, seconds = self._search(self.game.start(), go)
        margin = self.seat.limit.margin
        if seconds > allowed + margin:
            raise Unfit(f"{seconds:.3f} s of {allowed:g} s, with a margin of {margin:g} s")
        return f"{seconds:.3f} s of {allowed:g} s"

    def _start_thinking(self) -> None:
        self.seat.program.forget()
        self.seat.program.send(self._position(self.game.start()) + "go infinite\n", PATIENCE)
        try:
            self.seat.program.until(BESTMOVE, time.perf_counter() + 0.5)
        except Silence:
            return
        raise Unfit("a bestmove before stop in an infinite search")

    def _stop_thinking(self) -> float:
        began = time.perf_counter()
        self.seat.program.send("stop\n", PATIENCE)
        try:
            return self.seat.program.until(BESTMOVE, began + PATIENCE).when - began
        except Silence as instead:
            self.drop()
            raise Unfit(f"no bestmove {PATIENCE:g} s after stop{instead}") from None

    def stop(self) -> str:
        """An infinite search continues until it is stopped, and then ends at once."""
        self._start_thinking()
        latency = self._stop_thinking()
        if latency > STOP_LATENCY:
            raise Unfit(f"bestmove came {latency:.3f} s after stop")
        return f"bestmove {1000 * latency:.1f} ms after stop"

    def ready_while_thinking(self) -> str:
        """``isready`` is answered during a search."""
        self._start_thinking()
        try:
            began = time.perf_counter()
            self.seat.program.send("isready\n", PATIENCE)
            when = self.seat.program.until(READY, began + 2.0).when
        except Silence:
            self._stop_thinking()
            raise Unfit("isready is not answered during a search") from None
        self._stop_thinking()
        return f"readyok after {1000 * (when - began):.1f} ms"

    # ── What it says ──

    def options(self) -> str:
        """Options are well formed, and their defaults within their bounds."""
        for option in self.uci.options.values():
            if fault := option.fault():
                raise Unfit(f"option {option.name!r}: {fault}")
        return f"{len(self.uci.options)} options"

    def _samples(self) -> list[Position]:
        """A few positions that random moves lead to."""
        game, source = self.game, random.Random(derive(self.seed, "lines"))
        found: list[Position] = []
        while len(found) < POSITIONS:
            position = game.start()
            for _ in range(PLIES):
                if game.status(position) == OVER:
                    break
                position = game.play_unchecked(position, source.choice(game.moves(position)))
            if game.status(position) != OVER:
                found.append(position)
        return found

    def legal_lines(self) -> str:
        """Every move of every line is legal."""
        count = 0
        for position in self._samples():
            _, answer, _ = self._search(position, go_command(self.dialect, depth=DEPTH))
            for line in answer.before.splitlines():
                report = uci.parse_info(line, self.game.win, self.dialect)
                if line.lstrip().startswith(b"info") and report.line:
                    self._replay(position, report.line)
                    count += 1
        if not count:
            raise Inapplicable("the engine reports no lines")
        return f"{count} lines in {POSITIONS} positions"

    def _replay(self, position: Position, line: tuple[str, ...]) -> None:
        here = position
        for number, text in enumerate(line, 1):
            try:
                here = self.game.play_unchecked(here, self.game.parse_move(here, text))
            except InputError:
                shown, text = " ".join(line)[:80], self.game.format(position)
                raise Unfit(f"move {number} of the line {shown} is illegal in {text}") from None

    def best_is_line(self) -> str:
        """The move is the first of the last line."""
        count = 0
        for position in self._samples():
            move, answer, _ = self._search(position, go_command(self.dialect, depth=DEPTH))
            report = self._report(answer)
            if report.line:
                count += 1
                if self.game.parse_move(position, report.line[0]) != move:
                    best = self.game.format_move(position, move)
                    raise Unfit(f"bestmove {best}, but the line is {' '.join(report.line)[:60]}")
        if not count:
            raise Inapplicable("the engine reports no lines")
        return f"in {count} positions"

    def mate_score(self) -> str:
        """A win in one move is found, played, and reported as mate."""
        found = mate_in_one(self.game, self.seed)
        if found is None:
            raise Inapplicable("this game is not won by mate")
        position, wins = found
        move, answer, _ = self._search(position, go_command(self.dialect, depth=DEPTH))
        report = self._report(answer)
        text = self.game.format(position)
        if move not in wins:
            raise Unfit(f"{self.game.format_move(position, move)} does not mate in {text}")
        if report.mate != 1:
            said = "no score" if report.score is None else f"score {report.score}"
            raise Unfit(f"{said if report.mate is None else f'mate {report.mate}'} instead of mate 1 in {text}")
        return f"mate 1 in {text}"

    def finished(self) -> str:
        """A position without moves is survived, and answered by no move."""
        found = mate_in_one(self.game, self.seed)
        if found is None:
            raise Inapplicable("this game is not won by mate")
        position, wins = found
        over = self.game.play_unchecked(position, min(wins))
        answer, _ = self.uci.ask(self._position(over) + go_command(self.dialect, depth=1), PATIENCE)
        said = uci.parse_bestmove(answer.match[1] or b"").text
        if said and said.lower() not in _NO_MOVE:
            raise Unfit(f"bestmove {said[:40]} in the finished {self.game.format(over)}")
        return f"bestmove {said or 'with nothing'}"

    # ── What it survives ──

    def unknown_commands(self) -> str:
        """What an engine does not know it passes over."""
        lines = ["xyzzy", "", "   ", "go_", "\t", "uci" * 400, "setoption name No Such Option value 1", "debug on"]
        return self._survives([*lines, "register later", "\x01\x02"])

    def broken_positions(self) -> str:
        """A position or a move that cannot be leaves the engine alive."""
        setup = self.dialect.setup
        lines = ["position", f"position {setup} nonsense", "position startpos moves zz99", "position startpos moves"]
        return self._survives([*lines, f"position {setup}", "position startpos moves e2e2e2 0000"])

    def _survives(self, lines: list[str]) -> str:
        for line in lines:
            try:
                self.seat.program.send(f"{line}\nisready\n", PATIENCE)
                self.seat.program.until(READY, time.perf_counter() + PATIENCE)
            except Silence:
                self.drop()
                raise Unfit(f"no readyok {PATIENCE:g} s after {line[:40]!r}") from None
            except Failure as failure:
                self.drop()
                raise Unfit(f"{failure} after {line[:40]!r}") from None
        self._search(self.game.start(), go_command(self.dialect, depth=1))
        return f"{len(lines)} lines survived"

    def new_game(self) -> str:
        """A new game is taken, and whether a fixed search then repeats."""
        seen = []
        for _ in range(2):
            self.begin()
            try:
                move, answer, _ = self._search(self.game.start(), go_command(self.dialect, nodes=NODES))
            except Unfit:
                return "taken"  # what is wrong with nodes has its own check
            seen.append((move, self._report(answer).nodes))
        return "taken; a search of fixed nodes " + ("repeats" if seen[0] == seen[1] else "does not repeat")
