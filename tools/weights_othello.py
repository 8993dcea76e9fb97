"""Make the fitted weights that Othello ships: ``python tools/weights_othello.py --output FILE``, hours on two cores.

It is older than `evalsmith improve`, and stays until weights of ``make weights-othello`` are as accurate.

A generation plays games with the weights of the one before (the first with the hand-set ones), solves their ends,
values the other positions, and fits. Up to a ply that differs from game to game some moves are random, so that there
are mistakes of all kinds to judge. A position gets its value in one of three ways:

- exact, by the solver, near the end of the game;
- carried back: what the first exact value of the rest of the game says, if no move from here on was random;
- thought: what the search that chose the move said of it; where a value is carried back too, both are mixed.

Generations before the last two give their exact values only, for what weak players thought is worth little.

Everything is saved in the run folder, and each step resumes where it was killed. ``--output`` packs the weights of the
last generation into the file that the package ships.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.request import TuneRequest
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.tuning import tune_request
from evalsmith.games import find_game
from evalsmith.positions.labelling.labels import label
from evalsmith.positions.samples import EXACT, PLAYOUT, REPORTED, UNKNOWN, Samples
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.writing import PartWriter, fingerprint, remade
from evalsmith.run import EvalsmithError, Interrupted, RunFolder
from evalsmith.run.watching import Watch, bars
from evalsmith.weights import Weights, read_weights_file, save_weights
from evalsmith.weights.fitted import write_fitted

GAME = find_game("othello")
RANDOM_PLIES = 8
NOISE = 0.15  # of the moves after them, up to a ply that is drawn
THOUGHT = 0.75  # what a search counts where a value is carried back too
WHOLE_GENERATIONS = 2


@dataclass(frozen=True)
class Size:
    """How much work: games a generation, nodes a move, empties that are solved, and the penalty of the fit."""

    games: tuple[int, ...]
    nodes: tuple[int, ...]
    penalty: tuple[float, ...]
    solved: int
    window: int = 4


SIZES = {
    "small": Size(games=(1_500, 3_000), nodes=(100, 100), penalty=(1000.0, 300.0), solved=10),
    "medium": Size(
        games=(10_000, 10_000, 20_000, 40_000), nodes=(200, 200, 300, 500), penalty=(1000.0, 30.0, 20.0, 10.0),
        solved=12,
    ),
    "full": Size(
        games=(20_000, 20_000, 40_000, 60_000, 220_000), nodes=(200, 300, 500, 1_000, 1_000),
        penalty=(1000.0, 30.0, 20.0, 10.0, 10.0), solved=12,
    ),
}  # fmt: skip


class Making:
    """The run folder, and the steps of a generation in it."""

    def __init__(self, folder: Path, size: Size, seed: int, concurrency: int | None) -> None:
        self.folder, self.size, self.seed, self.concurrency = folder, size, seed, concurrency

    def run(self) -> Weights:
        """All generations; the weights of the last."""
        weights: Path | None = None
        for generation in range(len(self.size.games)):
            made = self.folder / f"weights-{generation}.json"
            if not made.exists():
                self.play(generation, weights)
                self.fit(generation, self.value(generation), made)
            weights = made
        assert weights is not None
        return read_weights_file(weights, GAME)

    def play(self, generation: int, weights: Path | None) -> None:
        """Self-play, with its ends solved."""
        folder, size, progress = self.games(generation), self.size, watch_of(generation)
        dataset = generate(
            GAME, folder, games=size.games[generation], player=player(weights), nodes=size.nodes[generation],
            random_plies=RANDOM_PLIES, noise=NOISE, seed=self.seed + generation, scores=True,
            concurrency=self.concurrency, progress=progress,
        )  # fmt: skip
        if "labelled" not in dataset.extra:
            label(
                dataset, by="solve", empties=size.solved, stages=f"0-{size.solved}", concurrency=self.concurrency,
                progress=progress,
            )  # fmt: skip

    def value(self, generation: int) -> Path:
        """The positions of all generations with their values, as one dataset."""
        sources = [self.games(earlier) for earlier in range(generation + 1)]
        before = [fingerprint(load_dataset(source).check_complete()) for source in sources]
        # By its ``how`` a killed one starts over.
        made = {"how": "merge", "of": before, "thought": THOUGHT, "seed": self.seed, **asdict(self.size)}
        folder = self.folder / f"positions-{generation}"
        names = [{"name": source.name} for source in sources]
        with remade(folder, GAME, made, names, "the values in") as (dataset, there):
            if not there:
                writer = PartWriter(dataset)
                writer.add(numbered([self.valued(earlier, generation) for earlier in range(generation + 1)]))
                writer.close()
                dataset.finish()
        return folder

    def valued(self, earlier: int, generation: int) -> Samples:
        """What the games of an earlier generation, or of this one, give to this one."""
        samples = load_dataset(self.games(earlier)).read()
        if earlier <= generation - WHOLE_GENERATIONS or earlier == 0 < generation:
            return samples.take(samples.label == EXACT)
        return valued(samples, THOUGHT if earlier else 0.0)

    def fit(self, generation: int, positions: Path, made: Path) -> None:
        """The weights of a generation."""
        size = self.size
        settings = TuneSettings(
            penalty=size.penalty[generation], window=size.window, validation=0.02, tolerance=0.001, seed=self.seed
        )
        request = TuneRequest((positions,), made, settings, self.concurrency)
        tuned = tune_request(request, self.folder / f"weights-{generation}.run", progress=watch_of(generation))
        save_weights(replace(tuned.weights, provenance=self.provenance(generation)), made)
        say(f"generation {generation}: error {tuned.validation.absolute / 100:.2f} discs on held-out games")

    def games(self, generation: int) -> Path:
        """Where the games of a generation are."""
        return self.folder / f"games-{generation}"

    def settings(self) -> dict[str, Any]:
        """What decides the weights."""
        listed = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self.size).items()}
        return {"seed": self.seed, **listed}

    def provenance(self, generation: int) -> dict[str, Any]:
        """What weights say of themselves."""
        return {"made": "python tools/weights_othello.py", "generation": generation, **self.settings()}


# ── Values ──────────────────────────────────────────────────────────────────────────────────────


def valued(samples: Samples, thought: float) -> Samples:
    """The samples that have a value, with it for a score; a search counts ``thought`` beside a value carried back."""
    samples = samples.take(np.lexsort((samples.ply, samples.game)))
    back = carried_back(samples)
    bound = GAME.margin  # an evaluation may say more
    searched = np.where((samples.label == REPORTED) & (thought > 0), samples.score.clip(-bound, bound), UNKNOWN)
    mixed = np.rint(thought * searched + (1 - thought) * back)
    value = np.where(searched == UNKNOWN, back, np.where(back == UNKNOWN, searched, mixed)).astype(np.int32)
    exact = samples.label == EXACT
    value = np.where(exact, samples.score, value)
    made = replace(samples, score=value, label=np.where(exact, EXACT, PLAYOUT).astype(np.int8))
    return made.take(value != UNKNOWN)


def carried_back(samples: Samples) -> npt.NDArray[np.int32]:
    """What the first exact value of the rest of each game is worth to the mover; UNKNOWN before a random move.

    The samples are in the order of games and plies.
    """
    rows = np.arange(len(samples))
    sign = np.where(samples.words[:, 2] == 0, 1, -1)
    after = np.minimum.accumulate(np.where(samples.label == EXACT, rows, len(rows))[::-1])[::-1]
    found = np.minimum(after, len(rows) - 1)
    there = (after < len(rows)) & (samples.game[found] == samples.game) & (samples.result != UNKNOWN)
    return np.where(there, samples.score[found] * sign[found] * sign, samples.result).astype(np.int32)


def numbered(parts: Sequence[Samples]) -> Samples:
    """Several sets of samples as one, with games and sources apart."""
    first, made = 0, []
    for number, part in enumerate(parts):
        made.append(replace(part, game=part.game + first, source=np.full(len(part), number, dtype=np.int32)))
        first += int(part.game.max(initial=0)) + 1
    return Samples.join(made, GAME.words)


# ── The command ─────────────────────────────────────────────────────────────────────────────────


def watch_of(generation: int) -> Watch:
    """Bars that name the generation."""
    return lambda title, total, unit: bars(f"generation {generation}: {title}", total, unit)


def player(weights: Path | None) -> str:
    """The player that has these weights."""
    escaped = str(weights or "hand-set").replace(";", "\\;")
    return f"weights:{escaped}"


def say(text: str) -> None:
    """A line for the user."""
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--folder", type=Path, help="the run folder; runs/weights-othello-SIZE if left out")
    parser.add_argument("--output", type=Path, help="the packed file to write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int)
    given = parser.parse_args()
    folder = given.folder or Path("runs") / f"weights-othello-{given.size}"
    try:
        making = Making(folder, SIZES[given.size], given.seed, given.concurrency)
        with RunFolder(folder, {"kind": "weights-othello", **making.settings()}):
            weights = making.run()
        if given.output:
            packed = write_fitted(weights, given.output)
            say(f"{given.output}: {packed:,} bytes")
    except Interrupted as stopped:
        say(str(stopped))
        return 130
    except EvalsmithError as error:
        say(str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
