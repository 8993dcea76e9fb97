"""Running a suite: a player moves in every position, each as if it were alone, and the moves are judged.

RUN/
  config.toml        what was asked
  answers.jsonl      one line for each position that is answered: where a killed command resumes
  answers.parquet    all answers with their costs
  result.json        the sums
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evalsmith.arena.events.entrants import Entrant, PlayerLike, digest, find_entrants
from evalsmith.engine import Limit
from evalsmith.games import PLAYER, Game, Position
from evalsmith.games.board import Board
from evalsmith.players import Failure, Player
from evalsmith.players.asking import Asker
from evalsmith.players.files import sent_files
from evalsmith.players.uci_seat import Question, Spoken, UciSeat, UnderWay
from evalsmith.processes.failure import ILLEGAL
from evalsmith.protocols.client.uci import parse_bestmove
from evalsmith.run import InputError, RunFolder, derive, resume, write_json
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, Job, Report
from evalsmith.suite.answers import ANSWERS_FILE, Answers, judge, write_answers
from evalsmith.suite.engines import SeatKeeper
from evalsmith.suite.files import load_suite
from evalsmith.suite.folders import clear_old, default_folder
from evalsmith.suite.journal import Journal
from evalsmith.suite.run_result import SuiteRun, read_suite_run
from evalsmith.suite.settings import DEFAULT_NODES, RunSettings
from evalsmith.suite.static import run_static
from evalsmith.suite.static_result import StaticRun
from evalsmith.suite.store import Suite
from evalsmith.suite.working import FAILED, Batch, Done, Entry, Task, done, work_through

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
    with RunFolder(folder, task.config, can_overwrite=True) as run:
        if chosen.static:
            return run_static(held, entrant.settle(run.path), task.scale, run.path)
        if not (run.path / ANSWERS_FILE).exists():
            task.play(run.path, concurrency, pin, progress)
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

    def _job(self, player: Player) -> Job:
        """The positions as work."""
        return Job(
            f"{__name__}:Playing",
            (self.game, player, self.limit, self.settings.seed),
            files=sent_files(player),
            programs=player.outside is not None,
            light=True,
            check="evalsmith.suite.working:is_done",
        )

    def play(self, folder: Path, concurrency: int | None, pin: bool, progress: Watch) -> None:
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
                texts = [one.text for one in positions]
                task = Task(self._job(player), player.name, waiting, texts.__getitem__, journal)
                work_through(task, How.shown(concurrency, bar, folder, pin=pin, ordered=False), bar)
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


class Playing:
    """A worker: the player's moves in positions."""

    def __init__(self, game: Game, player: Player, limit: Limit, seed: int) -> None:
        self.game, self.limit, self.seed = game, limit, seed
        self.player = player.here()
        self.keeper = SeatKeeper(self.player, limit, seed)
        self.asker = Asker()

    def do(self, item: Batch, report: Report) -> Done:
        """What the journal stores of each answer."""
        return done(item, self._ask_all if self._quick else self._play_all)

    def stop(self) -> None:
        """End what is under way soon."""
        self.keeper.stop()

    def close(self) -> None:
        """Leave."""
        self.keeper.close()

    @cached_property
    def _quick(self) -> bool:
        """Whether a program can be asked without a board, which would cost much beside a short search."""
        seat = self.keeper.seat
        return isinstance(seat, UciSeat) and not seat.limit.timed

    def _read(self, text: str) -> Position | Entry:
        """The position of a text, or why there is no answer to it."""
        try:
            position = self.game.parse(text)
        except InputError as error:
            return {FAILED: str(error)}
        return position if self.game.status(position) == PLAYER else {FAILED: "no player is to move here"}

    # ── Programs that are asked one thing after another: all is prepared before, and understood after ──

    def _ask_all(self, batch: Batch) -> list[Entry]:
        seat = self.keeper.uci_seat
        read = [
            position if isinstance(position, dict) else seat.question(position, text)
            for position, text in zip(map(self._read, batch.texts), batch.texts, strict=True)
        ]
        questions = [one for one in read if not isinstance(one, dict)]
        spoken = iter(self.asker.ask(lambda: self.keeper.uci_seat, questions, self._ask))
        return [one if isinstance(one, dict) else self._understand(one.position, next(spoken)) for one in read]

    def _ask(self, question: Question, under_way: UnderWay | None) -> Spoken | Entry:
        begun = [under_way]  # once: after a failure it is asked anew
        try:
            return self.keeper.attempt(lambda: self.keeper.ask_alone(question, begun.pop() if begun else None))
        except Failure as failure:
            return {FAILED: str(failure)}

    def _understand(self, position: Position, spoken: Spoken | Entry) -> Entry:
        if isinstance(spoken, dict):
            return spoken
        best, report = parse_bestmove(spoken.best), self.keeper.uci_seat.report_of(spoken.said)
        said = _said(spoken.seconds, report.score, report.depth, report.nodes)
        if best.claims_win or best.resigns:
            won = best.claims_win and Board(self.game, position).wins_by_declaration
            return {"ends": "declares" if won else "resigns", **said}
        try:
            return {"move": self.game.format_move(position, self.game.parse_move(position, best.text)), **said}
        except InputError:
            return {"illegal": f"{best.text[:60]!r}"}

    # ── All others ──

    def _play_all(self, batch: Batch) -> list[Entry]:
        return [self._play_text(number, text) for number, text in zip(*batch, strict=True)]

    def _play_text(self, number: int, text: str) -> Entry:
        position = self._read(text)
        if isinstance(position, dict):
            return position
        if self.player.random:  # what is drawn depends on the position, and not on who came before it
            self.keeper = SeatKeeper(self.player, self.limit, derive(self.seed, "suite", number))
        try:
            return self.keeper.attempt(lambda: self._play(position))
        except Failure as failure:
            return {FAILED: str(failure)}

    def _play(self, position: Position) -> Entry:
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


def _said(seconds: float, score: int | None, depth: int | None, nodes: int | None) -> dict[str, Any]:
    """What a player reported, as far as it did."""
    known = {"score": score, "depth": depth, "nodes": nodes}
    return {"seconds": round(seconds, 6), **{name: value for name, value in known.items() if value is not None}}
