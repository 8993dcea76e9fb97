"""`improve`: generation after generation, until the games say that nothing is gained any more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalsmith.games import Game, find_game
from evalsmith.improvement.generation import Best, Maker
from evalsmith.improvement.recipe import recipe_for, require_terms
from evalsmith.improvement.record import RESULT, START, WEIGHTS, Generation, check_unchanged, read_record
from evalsmith.improvement.result import KIND, ImproveResult, card_of, stop_reason
from evalsmith.improvement.settings import HAND_SET, ZERO, ImproveSettings
from evalsmith.run import Interrupted, Progress, RunFolder, write_json
from evalsmith.run.watching import Watch, unwatched
from evalsmith.weights import Weights, load_weights, read_weights_file, save_weights
from evalsmith.weights.file import linear_only

Say = Callable[[str], None]


def _silent(text: str) -> None:
    """Say nothing."""


def improve(
    game: Game | str,
    output: Path | str,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    say: Say = _silent,
    **settings: Any,
) -> ImproveResult:
    """Improve the weights of a game by generations of self-play, fits and matches.

    A generation is kept only if it wins a match against the best weights before it; the run ends after the last one,
    or when a generation gains nothing. Settings are those of `ImproveSettings`. Called again, a killed run resumes to
    the same result, and one with more ``generations`` goes on.

        found = improve("dvonn", "runs/dvonn", generations=3)
        found.weights, found.elo, found.report()
    """
    chosen = find_game(game) if isinstance(game, str) else game
    asked = ImproveSettings.from_options(settings)
    require_terms(chosen)
    start = start_weights(chosen, asked.start)
    recipe, run = recipe_for(chosen, asked), Path(output).resolve()
    config = {
        "kind": KIND,
        "game": chosen.name,
        "rules_version": chosen.rules_version,
        **asked.question(),
        "games": recipe.games,
        "nodes": recipe.nodes,
        "penalty": list(recipe.penalty),
        "result_share": list(recipe.result_share),
        "start": Path(asked.start).name,
        "start_digest": start.digest,
    }
    with RunFolder(run, config):
        _settle(start, run / START)
        maker = Maker(run, recipe, asked, concurrency)
        try:
            return _Course(maker, start, progress, say).result()
        except KeyboardInterrupt:
            raise Interrupted(f"completed work is saved in {output}; run the same command to resume") from None


def start_weights(game: Game, name: str) -> Weights:
    """The weights of the start: hand-set, all zero, those that ship, or those of a file.

    They play without ProbCut, since generations have no parameters of their own and are compared with them.
    """
    found = replace(linear_only(load_weights(name, game), "generations start from"), probcut=None)
    return found if name in (HAND_SET, ZERO) else replace(found, name="start")


def _settle(start: Weights, path: Path) -> None:
    """Write the start; one that is there is that of the same run, or was changed by hand."""
    if not path.exists() or read_weights_file(path, start.game).digest != start.digest:
        save_weights(start, path)


class _Course:
    """The generations of a run so far, and the best weights of them."""

    def __init__(self, maker: Maker, start: Weights, progress: Watch, say: Say) -> None:
        self.maker, self.start, self.progress, self.say = maker, start, progress, say
        self.generations: list[Generation] = []
        self.best = Best(maker.run / START, start, start.name)

    def result(self) -> ImproveResult:
        """Make what is missing, and write the best weights."""
        settings = self.maker.settings
        while (reason := stop_reason(self.generations, settings)) is None:
            self._next()
        maker = self.maker
        found = ImproveResult(
            maker.recipe.game, self.best.weights, tuple(self.generations), self.start.name, reason, maker.run
        )
        if found.improved:
            named = replace(self.best.weights, provenance=card_of(found, settings))
            found = replace(found, weights=named)
            save_weights(named, maker.run / WEIGHTS)
        write_json(maker.run / RESULT, found.to_json())
        return found

    def _next(self) -> None:
        """Read or make the next generation."""
        maker, number = self.maker, len(self.generations) + 1
        folder = maker.folder(number)
        record = read_record(folder)
        if record is not None:
            check_unchanged(folder, maker.recipe.game, record, self.best.weights.digest)
        else:
            record = maker.make(number, self.best, self.start, self._watch(number))
            self.say(record.sentence())
        self.generations.append(record)
        if record.kept:
            path = folder / record.weights_name
            weights = replace(read_weights_file(path, maker.recipe.game), name=f"generation-{number}")
            self.best = Best(path, weights, weights.name, self.best.kept + 1)

    def _watch(self, number: int) -> Watch:
        """Progress that names the generation and the Elo so far."""
        last = next((one.start for one in reversed(self.generations) if one.start is not None), None)
        so_far = "" if last is None else f" (best so far {last.elo:+.0f} ± {last.error:.0f} Elo)"

        def watch(title: str, total: int | None, unit: str) -> AbstractContextManager[Progress]:
            return self.progress(f"generation {number}{so_far}: {title}", total, unit)

        return watch
