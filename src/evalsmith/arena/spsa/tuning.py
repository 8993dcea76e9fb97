"""`spsa`: play what is missing of a run in its folder, and give the values.

RUN/
  config.toml   the engine, its parameters, the gains, the limit: other settings are refused here
  games.jsonl   one line per finished game, appended and flushed; all values follow from it
  logs/         what programs wrote to standard error
  result.json   the result
  values.toml   the last values, and the player with them
  proof/        the match of the last values against the first ones, if one was asked for
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from evalsmith.arena.events.competitions import match
from evalsmith.arena.events.entrants import Entrant, PlayerLike, digest, find_entrants
from evalsmith.arena.events.resolving import DEFAULT_TC, make_limit
from evalsmith.arena.events.runner import check_openings
from evalsmith.arena.play.control import Control
from evalsmith.arena.play.game_work import GameItem, games_job
from evalsmith.arena.play.openings import make_openings
from evalsmith.arena.play.referee import Rules
from evalsmith.arena.play.workers import Setting
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, RESULT, GameLog, read_log
from evalsmith.arena.results.reading import read_match
from evalsmith.arena.spsa.course import Parameter
from evalsmith.arena.spsa.offers import make_parameters
from evalsmith.arena.spsa.result import KIND, PROOF, VALUES, SpsaResult, make_course, make_result, player_text
from evalsmith.arena.spsa.schedule import MINUS, PLUS, Schedule
from evalsmith.arena.spsa.settings import SpsaSettings
from evalsmith.games import Game, find_game
from evalsmith.games.opening import Opening
from evalsmith.run import Interrupted, Progress, RunFolder, derive, to_toml, write_json, write_text
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, run

MAX_OPENINGS = 4096
"""Openings that are drawn; later pairs use them again, with other values."""
PROOF_GAMES = 40_000
PROOF_SPRT = "0,5"


def spsa(
    game: Game | str,
    player: PlayerLike,
    parameters: Mapping[str, Mapping[str, Any]],
    *,
    output: Path | str | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    pin: bool = True,
    prove: bool = False,
    sprt: str = PROOF_SPRT,
    proof_games: int = PROOF_GAMES,
    **settings: Any,
) -> SpsaResult:
    """Tune parameters of an engine by games between it and itself (SPSA).

        spsa("chess", "self", {"futility_margin": {"min": 20, "max": 300}}, iterations=20_000, nodes=1000).values

    Args:
        game: the name of an installed game, or the game.
        player: our search, such as ``self`` or ``weights:FILE``, or a program with options: ``uci:./mine``.
        parameters: by name of a constant or an option what `ParameterSettings` has: start, min, max, c_end, r_end.
        output: the run folder. Default: a name made from the configuration. A folder of another run is refused.
        concurrency: the number of games played at once. Default: one per core.
        progress: shows progress, for instance `evalsmith.run.watching.bars`.
        pin: pin the programs of each game to one core.
        prove: play the last values against the first ones afterwards.
        sprt: the sequential test that ends this match.
        proof_games: the most games of this match.
        settings: those of `SpsaSettings`, including nested ones: ``iterations``, ``pairs``, ``nodes``, ``tc``, …
    """
    chosen = find_game(game) if isinstance(game, str) else game
    tuning = _prepare(chosen, player, parameters, SpsaSettings.from_options(settings))
    run = tuning.folder(output)
    if prove:
        tuning.check_proof(proof_games)
    result = tuning.play(run, progress, concurrency, pin)
    write_json(run / RESULT, result.to_json())
    if prove and result.changed:
        tuning.prove(result, progress, concurrency=concurrency, pin=pin, sprt=sprt, games=proof_games)
        result = replace(result, proof=read_match(run / PROOF))
        write_json(run / RESULT, result.to_json())
    return result


def _prepare(
    game: Game, player: PlayerLike, parameters: Mapping[str, Mapping[str, Any]], settings: SpsaSettings
) -> _Tuning:
    [entrant] = find_entrants(game, [player])
    settings.adjudication.check(game)
    if not settings.limit.given:
        settings = replace(settings, limit=replace(settings.limit, tc=DEFAULT_TC))
    return _Tuning(game, entrant, make_parameters(entrant.player, parameters), settings)


@dataclass(frozen=True)
class _Tuning:
    """A run with everything resolved."""

    game: Game
    entrant: Entrant
    parameters: tuple[Parameter, ...]
    settings: SpsaSettings

    def config(self) -> dict[str, Any]:
        """The configuration that a run folder stores; a change to it is another run."""
        parameters = {one.name: {k: v for k, v in asdict(one).items() if k != "name"} for one in self.parameters}
        return {
            "kind": KIND,
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "player": self.entrant.stored,
            "file": digest(self.entrant.player),
            **self.settings.to_table(),
            "parameters": parameters,
        }

    def folder(self, output: Path | str | None) -> Path:
        """The run folder: the one given, or one named by the configuration."""
        if output is not None:
            return Path(output)
        name = blake2b(to_toml(self.config()).encode(), digest_size=4).hexdigest()
        return Path("runs") / f"{KIND}-{self.game.name}-{name}"

    def play(self, folder: Path, progress: Watch, concurrency: int | None, pin: bool) -> SpsaResult:
        """Play the games that are not yet played."""
        with RunFolder(folder, self.config()) as run:
            count = min(self.settings.all_iterations * self.settings.pairs, MAX_OPENINGS)
            count *= 1 if self.game.players == 2 else 2
            openings = make_openings(self.game, count, replace(self.settings.openings, repeat=True), self.settings.seed)
            check_openings([self.entrant.player], openings)
            schedule = Schedule(make_course(self.settings, self.parameters), read_log(run.path / GAMES))
            setting = self._setting(run.path)
            with progress(KIND, schedule.course.iterations, "iterations") as shown:
                runner = _Runner(schedule, setting, openings, shown, run)
                runner.play(concurrency, pin)
            result = make_result(self.game, self.entrant.stored, schedule, run.path)
            write_text(run.path / VALUES, result.values_toml())
        return result

    def _setting(self, run: Path) -> Setting:
        player = self.entrant.settle(run)
        both = (replace(player, name=name, text=f"{player.text};name={name}") for name in (PLUS, MINUS))
        limit, rules = make_limit(self.settings.limit), Rules(adjudication=self.settings.adjudication)
        return Setting(self.game, tuple(both), limit, rules, self.settings.seed, run / "logs")

    @property
    def _proof_seed(self) -> int:
        return derive(self.settings.seed, PROOF)

    def check_proof(self, games: int) -> None:
        """Refuse a proof for which there are too few openings: nobody wants to hear that after the run."""
        make_openings(self.game, (games + 1) // 2, self.settings.openings, self._proof_seed)

    def prove(self, result: SpsaResult, progress: Watch, **how: Any) -> None:
        """The last values against the first ones, from other openings."""
        assert result.run is not None
        base = self.entrant.settle(result.run).text
        texts = {
            "end": {one.name: one.parameter.text(one.end) for one in result.parameters},
            "start": {one.name: one.parameter.text(one.start) for one in result.parameters},
        }
        end, start = (f"{player_text(base, values)};name={name}" for name, values in texts.items())
        settings = self.settings
        match(
            self.game,
            end,
            start,
            output=result.run / PROOF,
            progress=progress,
            seed=self._proof_seed,
            **{**settings.limit.to_table(), **settings.openings.to_table(), **settings.adjudication.to_table()},
            **how,
        )


@dataclass(frozen=True)
class _Runner:
    """Plays the games of a schedule, several at once."""

    schedule: Schedule
    setting: Setting
    openings: Sequence[Opening]
    progress: Progress
    run: RunFolder

    def play(self, concurrency: int | None, pin: bool) -> None:
        """Play until all iterations are counted."""
        schedule, path = self.schedule, self.run.path / GAMES
        self._show()
        getattr(self.progress, "resume", self.progress.advance)(schedule.course.counted)
        if schedule.complete:
            return
        try:
            with GameLog(path) as log, Control() as control:
                save = self._saver(log)
                how = How.shown(
                    concurrency, self.progress, self.run.path, pin=pin, going=lambda: not control.finishing
                )  # fmt: skip
                for item, entry in run(games_job(self.setting), self._items(), how):
                    save(item.key, entry)
                if not schedule.complete:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            done, wanted = schedule.course.counted, schedule.course.iterations
            raise Interrupted(
                f"saved {done} of {wanted} iterations in {self.run.path}; run the same command to resume"
            ) from None

    def _saver(self, log: GameLog) -> Callable[[GameKey, GameEntry], None]:
        def save(key: GameKey, entry: GameEntry) -> None:
            log.append(entry)
            counted = self.schedule.finish(key, entry)
            if counted:
                self._show()
                self.progress.advance(counted)

        return save

    def _show(self) -> None:
        """Tell whoever watches the values as they stand."""
        show = getattr(self.progress, "show_values", None)
        if show is not None:
            course = self.schedule.course
            show({one.name: value for one, value in zip(course.parameters, course.values, strict=True)})

    def _items(self) -> Iterator[GameItem | None]:
        """The games; None where none can begin before another one is finished."""
        schedule = self.schedule
        while not schedule.complete:
            key = schedule.next()
            yield None if key is None else GameItem(key, self._opening_of(key), schedule.options_of(key))

    def _opening_of(self, key: GameKey) -> Opening:
        # Alone, both sides have the same board in a game, and the two games of a pair have two boards.
        number = key.pair if self.setting.game.players > 1 else 2 * key.pair + key.half
        return self.openings[number % len(self.openings)]
