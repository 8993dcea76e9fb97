"""Building a suite: choose positions, score every legal move of each, tag them, and store them.

SUITE/
  config.toml      what was asked
  chosen.json      the positions, once they are chosen
  scores.jsonl     one line for each position that is scored: where a killed command resumes
  suite.parquet    the suite, when all are scored
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evalsmith.arena.events.entrants import Entrant, PlayerLike, digest, find_entrants
from evalsmith.engine import Limit
from evalsmith.games import Game, find_game
from evalsmith.players import Failure, Player
from evalsmith.players.files import sent_files
from evalsmith.positions.store.dataset import is_dataset, load_dataset
from evalsmith.records import read_games
from evalsmith.run import InputError, RunFolder, resume, write_json
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, Job, Report
from evalsmith.suite.choosing import Chosen, choose, read_candidates
from evalsmith.suite.depths import ranked
from evalsmith.suite.engines import with_watchdog
from evalsmith.suite.folders import clear_old
from evalsmith.suite.journal import Journal
from evalsmith.suite.loss import SCALE
from evalsmith.suite.scoring import Scored, ScorerSettings, check_scorer, make_scorer
from evalsmith.suite.settings import DEFAULT_DEPTH, BuildSettings
from evalsmith.suite.store import SUITE_FILE, Suite, SuitePosition, read_suite_file, write_suite
from evalsmith.suite.tags import Thresholds, tags_of
from evalsmith.suite.working import FAILED, Batch, Done, Entry, Task, done, work_through

KIND = "suite build"
RESULT = "result.json"
CHOSEN, SCORED, CANDIDATES = "chosen.json", "scores.jsonl", ".candidates"

Say = Callable[[str], None]


def build_suite(
    files: Sequence[Path | str] | Path | str,
    output: Path | str,
    *,
    player: PlayerLike = "self",
    overwrite: bool = False,
    concurrency: int | None = None,
    pin: bool = True,
    progress: Watch = unwatched,
    say: Say | None = None,
    **settings: Any,
) -> Suite:
    """Build an evaluation suite from files of games or positions, or from a dataset: every legal move gets a score.

        build_suite("games.pgn", "suite", player="uci:stockfish", depth=16, positions=500)

    ``output`` is a folder. Called again, an interrupted build resumes; a folder of another build is refused unless
    ``overwrite`` is given. ``pin`` keeps each program on a core of its own. ``settings`` are those of `BuildSettings`.
    """
    paths = [Path(file) for file in ([files] if isinstance(files, Path | str) else files)]
    chosen = BuildSettings.from_options({**settings, "player": player} if isinstance(player, str) else settings)
    game = _game_of(paths, chosen)
    [entrant] = find_entrants(game, [player])
    build = _Build(game, entrant, paths, chosen)
    check_scorer(build.scorer(entrant.player))
    folder = Path(output)
    if overwrite:
        clear_old(folder, KIND, build.config)
    with RunFolder(folder, build.config, can_overwrite=True) as run:
        if (run.path / SUITE_FILE).exists():
            return read_suite_file(run.path / SUITE_FILE, game)
        positions = build.positions(run.path, progress, say or (lambda text: None))
        scored = build.score(run.path, positions, concurrency, pin, progress)
        suite = write_suite(Suite(game, scored, folder.name, build.made()), run.path / SUITE_FILE)
        write_json(run.path / RESULT, suite.to_json())
        run.event("built", positions=len(suite), failed=suite.failed)
        shutil.rmtree(run.path / CANDIDATES, ignore_errors=True)
        return suite


def _game_of(paths: Sequence[Path], settings: BuildSettings) -> Game:
    if not paths:
        raise InputError("give files of games or positions to build a suite from")
    if len(paths) == 1 and is_dataset(paths[0]):
        return load_dataset(paths[0]).game
    return find_game(read_games(paths, settings.game, settings.format).game)


@dataclass(frozen=True)
class _Build:
    """A build with everything resolved."""

    game: Game
    entrant: Entrant
    paths: Sequence[Path]
    settings: BuildSettings

    @property
    def limit(self) -> Limit:
        settings = self.settings
        unlimited = settings.nodes is None and settings.depth is None and settings.movetime is None
        return Limit(DEFAULT_DEPTH if unlimited else settings.depth, settings.nodes, settings.movetime)

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(self.settings.tactic, self.settings.losing, self.settings.few)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The configuration that the run folder stores; a change to it is another suite."""
        table = {**self.settings.to_table(), "player": self.entrant.stored}
        del table["watchdog"]  # how long we wait changes no score
        return {
            "kind": KIND,
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "files": [path.name for path in self.paths],
            "contents": [_digest(path) for path in self.paths],
            "player_files": "none" if self.settings.exact else digest(self.entrant.player),
            **table,
        }

    def made(self) -> dict[str, Any]:
        """What the suite says of how it was made."""
        settings = self.settings
        by = "solver" if settings.exact else self.entrant.player.name
        limit = "exact" if settings.exact else str(self.entrant.player.limit or self.limit)
        return {"by": by, "limit": limit, "scale": settings.scale or SCALE, "tags": asdict(self.thresholds)}

    def scorer(self, player: Player) -> ScorerSettings:
        """Who scores moves, and how."""
        chosen = self.settings
        return ScorerSettings(self.game, player, self.limit, chosen.exact, chosen.empties, chosen.select.seed)

    def positions(self, folder: Path, progress: Watch, say: Say) -> list[Chosen]:
        """The positions of the suite, chosen once."""
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError):
            return [Chosen(**one) for one in json.loads((folder / CHOSEN).read_text(encoding="utf-8"))]
        dataset, rejected = read_candidates(self.paths, folder / CANDIDATES, self.settings, progress)
        if rejected:
            say("not taken: " + ", ".join(f"{count:,} {reason}" for reason, count in rejected.items()))
        chosen = choose(dataset, self.settings)
        write_json(folder / CHOSEN, [asdict(one) for one in chosen])
        return chosen

    def score(
        self, folder: Path, positions: list[Chosen], concurrency: int | None, pin: bool, progress: Watch
    ) -> list[SuitePosition]:
        """Score the positions that are not scored yet."""
        with (
            progress("scoring", len(positions), "positions") as bar,
            Journal(folder / SCORED, len(positions)) as journal,
        ):
            resume(bar, len(journal.entries))
            player = with_watchdog(self.entrant.settle(folder), self.settings.watchdog)
            waiting = [number for number in range(len(positions)) if number not in journal.entries]
            if waiting:
                name = "the solver" if self.settings.exact else player.name
                task = Task(self._job(player), name, waiting, lambda number: positions[number].text, journal)
                work_through(task, How.shown(concurrency, bar, folder, pin=pin, ordered=False), bar)
            return [self._stored(one, journal.entries[number]) for number, one in enumerate(positions)]

    def _job(self, player: Player) -> Job:
        """The positions as work."""
        outside = player.outside is not None and not self.settings.exact
        return Job(
            f"{__name__}:Scoring",
            (self.scorer(player),),
            files=sent_files(player),
            programs=outside,
            light=True,
            check="evalsmith.suite.working:is_done",
        )

    def _stored(self, chosen: Chosen, entry: dict[str, Any]) -> SuitePosition:
        """A position with its scores, tags and best moves."""
        scores = tuple(int(score) for score in entry.get("scores", ()))
        moves = tuple(str(move) for move in entry.get("moves", ()))
        highest = max(scores, default=0)
        return SuitePosition(
            text=chosen.text,
            id=f"{chosen.source}:{chosen.game}:{chosen.ply}",
            moves=moves,
            scores=scores,
            best=tuple(move for move, score in zip(moves, scores, strict=True) if score == highest),
            depth=int(entry.get("depth", -1)),
            stable_depth=int(entry.get("stable_depth", -1)),
            tags=tags_of(scores, self.thresholds),
            phase=chosen.phase,
            source=chosen.source,
            game=chosen.game,
            ply=chosen.ply,
            failed=str(entry.get("failed", "")),
        )


class Scoring:
    """A worker: scores positions, and says why one could not be."""

    def __init__(self, settings: ScorerSettings) -> None:
        self.game, self.scorer = settings.game, make_scorer(settings)

    def do(self, item: Batch, report: Report) -> Done:
        """What the journal stores of each position."""
        return done(item, lambda batch: [self._score(text) for text in batch.texts])

    def _score(self, text: str) -> Entry:
        position = self.game.parse(text)
        try:
            return _entry(self.game, position, self.scorer.work(position))
        except Failure as failure:
            return {FAILED: str(failure)}

    def stop(self) -> None:
        """End what is under way soon."""
        self.scorer.stop()

    def close(self) -> None:
        """Leave."""
        self.scorer.close()


def _entry(game: Game, position: Any, scored: Scored) -> dict[str, Any]:
    moves = list(ranked(scored.scores))
    return {
        "moves": [game.format_move(position, move) for move, _ in moves],
        "scores": [score for _, score in moves],
        "depth": scored.depth,
        "stable_depth": scored.stable_depth,
    }


def _digest(path: Path) -> str:
    """A hash of a file or of all files of a folder, so that a build is never resumed with others."""
    found = hashlib.blake2b(digest_size=8)
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    try:
        for file in files:
            with open(file, "rb") as stream:
                found.update(hashlib.file_digest(stream, "blake2b").digest())
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return found.hexdigest()
