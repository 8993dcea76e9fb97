"""One generation: self-play by the best weights so far, fits, and the matches that decide whether it is kept.

Every stage reads files and writes files, and does nothing that is done already, so a killed generation resumes in the
middle of a stage.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalsmith.arena.events.competitions import match
from evalsmith.arena.results.match_result import MatchResult
from evalsmith.fit.fitting import fit_samples
from evalsmith.improvement.fitted import Fitted, read_fitted, write_fitted
from evalsmith.improvement.recipe import Candidate, Recipe
from evalsmith.improvement.record import (
    AGAINST_START,
    GAMES_FOLDER,
    GATE,
    Generation,
    MatchFacts,
    Tried,
    hashes_of,
    write_record,
)
from evalsmith.improvement.settings import ImproveSettings
from evalsmith.improvement.values import margin_values
from evalsmith.positions.labelling.labels import label
from evalsmith.positions.samples import Samples
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import Dataset, load_dataset
from evalsmith.positions.transform.mixture import Mixture
from evalsmith.run import RunFolder, derive
from evalsmith.run.watching import Watch
from evalsmith.weights import Weights, read_weights_file, save_weights


@dataclass(frozen=True)
class Best:
    """The best weights so far: their file, what they are called, and how many generations were kept for them."""

    path: Path
    weights: Weights
    name: str
    kept: int = 0


@dataclass(frozen=True)
class Maker:
    """Makes generations in a run folder."""

    run: Path
    recipe: Recipe
    settings: ImproveSettings
    concurrency: int | None

    def folder(self, number: int) -> Path:
        """The folder of a generation."""
        return self.run / f"generation-{number}"

    def make(self, number: int, best: Best, start: Weights, watch: Watch) -> Generation:
        """Play, fit, and judge; the record is written at the end."""
        began = time.monotonic()
        folder, work = self.folder(number), _Work(self, number, best, watch)
        positions = work.self_play()
        tried = work.fit_candidates()
        chosen = max(range(len(tried)), key=lambda place: (_score(tried[place]), -place))
        new = read_weights_file(folder / f"fit-{chosen + 1}.json", self.recipe.game)
        gate = work.play(GATE, new, best.weights, games=self.settings.gate_games, sprt=self.settings.sprt)
        kept = passes(gate)
        against_start = None
        if kept:
            found = work.play(AGAINST_START, new, start, games=self.settings.start_games)
            against_start = MatchFacts.of(found, self.settings.match_nodes)
        generation = Generation(
            number=number,
            nodes=work.nodes,
            games=work.games,
            positions=positions,
            best=best.weights.digest,
            candidates=tuple(tried),
            chosen=chosen + 1,
            kept=kept,
            gate=MatchFacts.of(gate, self.settings.match_nodes),
            start=against_start,
            hashes=hashes_of(folder, self.recipe.game, f"fit-{chosen + 1}.json"),
            seconds=round(time.monotonic() - began, 1),
        )
        write_record(folder, generation)
        return generation


def passes(gate: MatchResult) -> bool:
    """Whether a generation is proven better: the test says so, or ran out of games and they are more than chance."""
    if gate.sprt is not None and gate.sprt.state != "running":
        return gate.sprt.state == "accepted H1"
    return gate.proven and gate.elo > 0


def _score(tried: Tried) -> float:
    return 0.0 if tried.trial is None else tried.trial.score


@dataclass(frozen=True)
class _Work:
    """The stages of one generation."""

    maker: Maker
    number: int
    best: Best
    watch: Watch

    @property
    def folder(self) -> Path:
        return self.maker.folder(self.number)

    @property
    def nodes(self) -> int:
        """Nodes per move of its games: better weights are worth longer searches."""
        return round(self.maker.recipe.nodes * self.maker.settings.growth**self.best.kept)

    @property
    def games(self) -> int:
        """How many games it plays."""
        return round(self.maker.recipe.games * self.maker.settings.games_growth**self.best.kept)

    def seed(self, *words: str) -> int:
        return derive(self.maker.settings.seed, "generation", self.number, *words) >> 1

    def self_play(self) -> int:
        """Games of the best weights, their ends solved where the game has a solver; the number of positions."""
        maker, recipe = self.maker, self.maker.recipe
        dataset: Dataset = generate(
            recipe.game,
            self.folder / GAMES_FOLDER,
            games=self.games,
            player=f"{_player(self.best.path)};name={self.best.name};method={maker.settings.method}",
            nodes=self.nodes,
            scores=True,
            seed=self.seed("games"),
            concurrency=maker.concurrency,
            progress=self.watch,
        )
        if recipe.solved is not None and "labelled" not in dataset.extra:
            dataset = label(
                dataset, by="solve", empties=recipe.solved, stages=f"0-{recipe.solved}",
                concurrency=maker.concurrency, progress=self.watch,
            )  # fmt: skip
        return dataset.rows()

    def fit_candidates(self) -> list[Tried]:
        """Fit every candidate; several of them play a short match each against the best weights."""
        candidates = self.maker.recipe.candidates(self.best.weights)
        fits = [self._fit(place, candidate) for place, candidate in enumerate(candidates, 1)]
        return [self._tried(place, candidates[place - 1], fit, len(fits) > 1) for place, fit in enumerate(fits, 1)]

    def _fit(self, place: int, candidate: Candidate) -> Fitted:
        """The fit of a candidate, and its weights file; one that is finished is read."""
        maker, path = self.maker, self.folder / f"fit-{place}.json"
        datasets = self._replayed()
        settings = maker.recipe.fit_settings(candidate, maker.settings.seed)
        mixture = Mixture(tuple(datasets), tuple(dataset.rows() for dataset in datasets))
        config = {"kind": "tune", "mix": mixture.made, "start": self.best.weights.digest, **settings.to_table()}
        config["result_share"] = candidate.result_share
        with RunFolder(path.with_suffix(".run"), config) as run:
            if (finished := read_fitted(run.path, path, maker.recipe.game)) is not None:
                return finished
            settings = replace(settings, initial_weights=str(self.best.path))
            samples = self._samples(mixture, candidate)
            game = maker.recipe.game
            found = fit_samples(game, samples, run, settings, concurrency=maker.concurrency, progress=self.watch)
            assert isinstance(found.weights, Weights)
            save_weights(replace(found.weights, name=f"generation-{self.number}"), path)
            return write_fitted(run.path, found.weights, found)

    def _replayed(self) -> list[Dataset]:
        """The games of the last generations, this one's among them."""
        maker = self.maker
        numbers = range(max(1, self.number - maker.settings.replay + 1), self.number + 1)
        return [load_dataset(maker.folder(number) / GAMES_FOLDER, maker.recipe.game) for number in numbers]

    def _samples(self, mixture: Mixture, candidate: Candidate) -> Samples:
        recipe = self.maker.recipe
        samples = mixture.read()
        return margin_values(recipe.game, samples, candidate.result_share) if recipe.by_margin else samples

    def _tried(self, place: int, candidate: Candidate, fit: Fitted, trial: bool) -> Tried:
        settings, found = self.maker.settings, None
        if trial:
            weights = replace(fit.weights, name=f"candidate-{place}")
            played = self.play(f"trial-{place}", weights, self.best.weights, games=settings.trial_games)
            found = MatchFacts.of(played, settings.match_nodes)
        return Tried(
            penalty=candidate.penalty,
            result_share=candidate.result_share,
            loss=fit.loss,
            loss_before=fit.loss_before,
            loss_after=fit.loss_after,
            trial=found,
        )

    def play(self, name: str, new: Weights, old: Weights, **how: Any) -> MatchResult:
        """A match of the generation; trials share their openings, so that candidates are compared on equal terms."""
        maker = self.maker
        method = f";method={maker.settings.method}" if maker.settings.method != "alphabeta" else ""
        players: Sequence[Any] = (new, old)
        if method:
            players = [self._player_file(name, weights) + method for weights in players]
        return match(
            maker.recipe.game,
            *players,
            output=self.folder / name,
            concurrency=maker.concurrency,
            progress=lambda title, total, unit: self.watch(_MATCHES.get(name, name.replace("-", " ")), total, unit),
            nodes=maker.settings.match_nodes,
            seed=self.seed(name.partition("-")[0]),
            **how,
        )

    def _player_file(self, name: str, weights: Weights) -> str:
        """A player text of weights that play by another method than the default."""
        path = self.folder / f"{name}-{weights.name}.json"
        if not path.exists():
            save_weights(weights, path)
        return f"{_player(path)};name={weights.name}"


_MATCHES = {GATE: "match against the best", AGAINST_START: "match against the start"}


def _player(path: Path) -> str:
    escaped = str(path).replace(";", "\\;")
    return f"weights:{escaped}"
