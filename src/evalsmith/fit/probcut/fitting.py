"""`fit_probcut`: positions of every stage, their values at every depth, and the lines between them.

W.run/
  config.toml      what was asked
  positions/       self-play, where no dataset was given
  chunks/          values of finished chunks: where a killed run resumes
  values.npz       all values, with the stages of the positions
  result.json      the parameters
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.engine.alphabeta import techniques
from evalsmith.fit.probcut.regression import Values, fit_pairs
from evalsmith.fit.probcut.result import KIND, RESULT, VALUES, ProbCutFit
from evalsmith.fit.probcut.settings import ProbCutSettings
from evalsmith.fit.probcut.values import Chunk, values_job
from evalsmith.games import PLAYER, Game, find_game
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import Dataset, load_dataset
from evalsmith.run import InputError, Interrupted, RunFolder, derive, make_folder, resume, write_json, write_with
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, run
from evalsmith.weights import Weights, load_weights, save_weights
from evalsmith.weights.probcut import ProbCut, layout_digest, stages_of

CHUNK = 16  # positions whose values a kill may cost each worker
POSITIONS, CHUNKS = "positions", "chunks"

Words = npt.NDArray[np.uint64]


def fit_probcut(
    game: Game | str,
    output: Path | str,
    dataset: Dataset | Path | str | None = None,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> ProbCutFit:
    """Fit the parameters of ProbCut for some weights, and write these weights with them to ``output``.

    Positions come from a dataset, or from self-play. Settings are those of `ProbCutSettings`. The run is in a folder
    next to ``output`` that ends in ``.run``; called again, an interrupted one resumes.

        fit_probcut("othello", "weights.json", depth=10)
    """
    found = find_game(game) if isinstance(game, str) else game
    chosen = ProbCutSettings.from_options(settings)
    if "probcut" not in techniques.possible(found):
        raise InputError(f"{found.title} has chance, and ProbCut needs values that no chance moves")
    techniques.chosen(found, chosen.without)
    weights = load_weights(chosen.weights, found)
    path, data = Path(output), None if dataset is None else _opened(dataset, found)
    if path.suffix != ".json":
        raise InputError(f"weights are written to a file that ends in .json, not to {path}")
    config = {
        "kind": KIND,
        "game": found.name,
        "rules_version": found.rules_version,
        "digest": replace(weights, probcut=None).digest,
        "dataset": "self-play" if data is None else str(data.path),
        "content": None if data is None else _content(data),
        **chosen.to_table(),
    }
    with RunFolder(path.with_suffix(".run"), config) as folder:
        try:
            fit = _Fit(found, weights, chosen, folder.path).run(data, concurrency, progress)
        except KeyboardInterrupt:
            raise Interrupted(f"completed work is saved in {folder.path}; run the same command to resume") from None
        assert fit.weights is not None
        save_weights(fit.weights, path)
        folder.event("fitted", positions=fit.positions, pairs=len(fit.probcut.pairs))
        return replace(fit, output=path)


def _opened(dataset: Dataset | Path | str, game: Game) -> Dataset:
    found = dataset if isinstance(dataset, Dataset) else load_dataset(dataset, game)
    if found.game.name != game.name:
        raise InputError(f"{found.path} holds positions of {found.game.name}, not of {game.name}")
    return found.check_complete()


def _content(data: Dataset) -> str:
    """A hash of the parts of a dataset, so that a run is never resumed with others."""
    found = hashlib.blake2b(digest_size=8)
    for part in data.parts():
        with open(part, "rb") as file:
            found.update(hashlib.file_digest(file, "blake2b").digest())
    return found.hexdigest()


class _Fit:
    """A fit with everything resolved."""

    def __init__(self, game: Game, weights: Weights, settings: ProbCutSettings, folder: Path) -> None:
        self.game, self.weights, self.settings, self.folder = game, weights, settings, folder
        self.phases = len(weights.layout.blend)
        self.stage_count = min(settings.stages, self.phases)

    def run(self, data: Dataset | None, concurrency: int | None, progress: Watch) -> ProbCutFit:
        """Choose positions, search them, and fit."""
        settings = self.settings
        if data is None:
            data = generate(
                self.game,
                self.folder / POSITIONS,
                concurrency=concurrency,
                progress=progress,
                games=settings.games,
                nodes=settings.game_nodes,
                player=settings.weights,
                scores=True,  # which stores positions before a random move too, so that early stages have some
                seed=settings.seed,
            )
        words, stages = self._chosen(data)
        values = self._values(words, concurrency, progress)
        pairs = fit_pairs(values, stages, self.stage_count, settings.least)
        if not pairs:
            raise InputError(
                f"no stage has {settings.least} positions with values at two depths; give more positions, or more depth"
            )
        found = ProbCut(self.game.name, layout_digest(self.weights.layout), self.stage_count, pairs)
        write_with(self.folder / VALUES, partial(_save, values=values, stages=stages))
        fit = ProbCutFit(self.game, found, values, stages, replace(self.weights, probcut=found), run=self.folder)
        write_json(self.folder / RESULT, fit.to_json())
        return fit

    def _chosen(self, data: Dataset) -> tuple[Words, Values]:
        """Positions in which a player moves, drawn evenly by stage, with their stages."""
        samples = data.read()
        stages = stages_of(samples.phase, self.phases, self.stage_count)
        draw = np.random.default_rng(derive(self.settings.seed, "probcut"))
        rows: list[int] = []
        for stage in range(self.stage_count):
            taken = 0
            for row in draw.permutation(np.flatnonzero(stages == stage)).tolist():
                if taken == self.settings.positions:
                    break
                if self.game.status(samples.words[row]) == PLAYER:
                    rows.append(row)
                    taken += 1
        return samples.words[rows], stages[rows]

    def _values(self, words: Words, concurrency: int | None, progress: Watch) -> Values:
        """The values of the positions at every depth; chunks that are done are read."""
        settings, folder = self.settings, make_folder(self.folder / CHUNKS)
        chunks = [Chunk(first, words[first : first + CHUNK]) for first in range(0, len(words), CHUNK)]
        found = {chunk.first: _load(_path(folder, chunk), len(chunk.words), settings.depth + 1) for chunk in chunks}
        missing = [chunk for chunk in chunks if found[chunk.first] is None]
        with progress("searching", len(words), "positions") as bar:
            resume(bar, len(words) - sum(len(chunk.words) for chunk in missing))
            job = values_job(self.weights, settings.depth, settings.nodes, settings.without)
            how = How.shown(concurrency, bar, self.folder, units=True)
            for chunk, values in run(job, missing, how):
                write_with(_path(folder, chunk), partial(_save, values=values))
                found[chunk.first] = values
        return np.concatenate([values for values in found.values() if values is not None])


def _path(folder: Path, chunk: Chunk) -> Path:
    return folder / f"{chunk.first:07d}.npz"


def _save(path: Path, **arrays: Values) -> None:
    with open(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def _load(path: Path, rows: int, columns: int) -> Values | None:
    """The values of a chunk that was finished before; None where there is none, or a damaged one."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            values: Values = stored["values"]
    except (OSError, ValueError, KeyError, EOFError):
        return None
    return values if values.shape == (rows, columns) else None
