"""Running a suite: a player moves in every position, each as if it were alone, and the moves are judged.

RUN/
  config.toml        what was asked
  answers.jsonl      one line for each position that is answered: where a killed command resumes
  answers.parquet    all answers with their costs
  result.json        the sums
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evalsmith.arena.events.entrants import Entrant, PlayerLike, digest, find_entrants
from evalsmith.engine import Limit
from evalsmith.games import PLAYER, Game, Position
from evalsmith.games.board import Board
from evalsmith.players import Failure, Player
from evalsmith.players.uci_seat import UciSeat
from evalsmith.processes.failure import ILLEGAL
from evalsmith.run import InputError, RunFolder, derive, resume, write_json
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import cores
from evalsmith.suite.answers import ANSWERS_FILE, Answers, judge, write_answers
from evalsmith.suite.engines import SeatKeeper
from evalsmith.suite.files import load_suite
from evalsmith.suite.folders import clear_old, default_folder
from evalsmith.suite.journal import Journal
from evalsmith.suite.run_result import SuiteRun, read_suite_run
from evalsmith.suite.settings import DEFAULT_NODES, RunSettings
from evalsmith.suite.static import run_static
from evalsmith.suite.static_result import StaticRun
from evalsmith.suite.store import Suite, SuitePosition
from evalsmith.suite.working import Job, work_through

KIND = "suite run"
RESULT, JOURNAL = "result.json", "answers.jsonl"


def run_suite(
    suite: Suite | Path | str,
    player: PlayerLike = "self",
    *,
    output: Path | str | None = None,
    overwrite: bool = False,
    concurrency: int | None = None,
    pin: bool = True,
    progress: Watch = unwatched,
    **settings: Any,
) -> SuiteRun | StaticRun:
    """Let a player move in every position of a suite, and judge the moves.

        run_suite("sts.epd", "uci:stockfish", nodes=1000).points
        run_suite("suite", "weights:new.json", static=True)

    ``suite`` is a folder or file as `load_suite` takes it. The default of ``output`` is a folder named by the
    configuration. Called again, an interrupted run resumes; a folder of another run is refused unless ``overwrite`` is
    given. ``settings`` are those of `RunSettings`; with ``static`` the evaluation is compared instead, and nothing is
    searched.
    """
    chosen = RunSettings.from_options({**settings, "player": player} if isinstance(player, str) else settings)
    held = suite if isinstance(suite, Suite) else load_suite(suite)
    [entrant] = find_entrants(held.game, [player])
    task = _Run(held, entrant, chosen)
    folder = Path(output) if output is not None else default_folder(KIND, held.game.name, task.config)
    if overwrite:
        clear_old(folder, KIND, task.config)
    with RunFolder(folder, task.config) as run:
        if chosen.static:
            return run_static(held, entrant.settle(run.path), task.scale, run.path)
        if not (run.path / ANSWERS_FILE).exists():
            task.play(run.path, concurrency or cores(), pin, progress)
        result = read_suite_run(run.path)
        write_json(run.path / RESULT, result.to_json())
        run.event("judged", positions=result.positions, failed=result.failed)
        return result


@dataclass(frozen=True)
class _Run:
    """A run with everything resolved."""

    suite: Suite
    entrant: Entrant
    settings: RunSettings

    @property
    def game(self) -> Game:
        return self.suite.game

    @property
    def scale(self) -> float:
        return self.settings.scale or self.suite.scale

    @property
    def limit(self) -> Limit:
        settings = self.settings
        unlimited = settings.nodes is None and settings.depth is None and settings.movetime is None
        return Limit(settings.depth, DEFAULT_NODES if unlimited else settings.nodes, settings.movetime)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The configuration that the run folder stores; a change to it is another run."""
        table = {**self.settings.to_table(), "player": self.entrant.stored, "scale": self.scale}
        if not self.settings.static:
            table |= {"limit": str(self.entrant.player.limit or self.limit)}
        return {
            "kind": KIND,
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "suite": self.suite.name,
            "fingerprint": self.suite.fingerprint,
            "player_files": digest(self.entrant.player),
            **table,
        }

    def play(self, folder: Path, concurrency: int, pin: bool, progress: Watch) -> None:
        """Ask for the answers that are missing, and write the file of all."""
        positions, player = self.suite.positions, self.entrant.settle(folder)
        with (
            progress("suite", len(positions), "positions") as bar,
            Journal(folder / JOURNAL, len(positions)) as journal,
        ):
            for number, one in enumerate(positions):
                if one.failed and number not in journal.entries:
                    journal.add(number, {"failed": f"the suite has no values here: {one.failed}"})
            resume(bar, len(journal.entries))
            waiting = [number for number in range(len(positions)) if number not in journal.entries]
            if waiting:
                pin = pin and player.outside is not None
                job = Job(waiting, journal, min(concurrency, len(waiting)), pin, player.name)
                work_through(lambda: _Playing(self.game, positions, player, self.limit, self.settings.seed), job, bar)
            judged = [
                judge(self.game, one, journal.entries[number], self.scale) for number, one in enumerate(positions)
            ]
        head = {
            "game": self.game.name,
            "player": player.name,
            "suite": self.suite.name,
            "fingerprint": self.suite.fingerprint,
            "limit": str(player.limit or self.limit),
            "scale": self.scale,
        }
        write_answers(Answers.of(judged), head, folder / ANSWERS_FILE)


class _Playing:
    """A worker: the player's move in positions by their numbers."""

    def __init__(self, game: Game, positions: Sequence[SuitePosition], player: Player, limit: Limit, seed: int) -> None:
        self.game, self.positions, self.limit, self.seed = game, positions, limit, seed
        self.player = player
        self.keeper = SeatKeeper(player, limit, seed)

    def work(self, item: int) -> dict[str, Any]:
        """What the journal stores of an answer."""
        one = self.positions[item]
        try:
            position = self.game.parse(one.text)
        except InputError as error:
            return {"failed": str(error)}
        if self.game.status(position) != PLAYER:
            return {"failed": "no player is to move here"}
        if self.player.random:  # what is drawn depends on the position, and not on who came before it
            self.keeper = SeatKeeper(self.player, self.limit, derive(self.seed, "suite", item))
        answer = self._ask if self._quick else self._play
        try:
            return self.keeper.attempt(lambda: answer(position, one))
        except Failure as failure:
            return {"failed": str(failure)}

    @cached_property
    def _quick(self) -> bool:
        """Whether a program can be asked without a board, which would cost much beside a short search."""
        seat = self.keeper.seat
        return isinstance(seat, UciSeat) and not seat.limit.timed

    def _ask(self, position: Position, one: SuitePosition) -> dict[str, Any]:
        best, report, seconds = self.keeper.ask_alone(position, one.text, self.game.mover(position))
        said = _said(seconds, report.score, report.depth, report.nodes)
        if best.text in one.moves:
            return {"move": best.text, **said}
        if best.claims_win or best.resigns:
            won = best.claims_win and Board(self.game, position).wins_by_declaration
            return {"ends": "declares" if won else "resigns", **said}
        try:
            return {"move": self.game.format_move(position, self.game.parse_move(position, best.text)), **said}
        except InputError:
            return {"illegal": f"{best.text[:60]!r}"}

    def _play(self, position: Position, one: SuitePosition) -> dict[str, Any]:
        board = Board(self.game, position)
        self.keeper.begin(board.position, board.mover)
        try:
            choice = self.keeper.choose(board)
        except Failure as failure:
            if failure.reason != ILLEGAL:
                raise
            self.keeper.close()
            return {"illegal": failure.detail}
        said = _said(choice.seconds, choice.score, choice.depth, choice.nodes)
        if choice.resigns or choice.declares:
            return {"ends": "declares" if choice.declares and board.wins_by_declaration else "resigns", **said}
        return {"move": self.game.format_move(position, choice.move), **said}

    def stop(self) -> None:
        """End what is under way soon."""
        self.keeper.stop()

    def close(self) -> None:
        """Leave."""
        self.keeper.close()


def _said(seconds: float, score: int | None, depth: int | None, nodes: int | None) -> dict[str, Any]:
    """What a player reported, as far as it did."""
    known = {"score": score, "depth": depth, "nodes": nodes}
    return {"seconds": round(seconds, 6), **{name: value for name, value in known.items() if value is not None}}
