"""Make Othello's fitted weights from nothing but self-play: ``make weights-othello``, ``SIZE=small`` for minutes.

A generation plays games with the weights of the one before (the first with the hand-set ones), solves the ends of all
games, values the rest, fits, and so on. Positions get their values in three ways:

- exact, by the solver, near the end of the game;
- carried back from there: what the position is worth that the game reached is what the earlier ones of the game are
  worth, but for mistakes in between; between two exact values of one game the value is interpolated;
- by a search with the weights of the generation before, for a share of the positions of the middle game.

``--wthor FOLDER`` adds the tournament games up to 2009 of the WTHOR files in it; each has an exact value with 24
empties. Games of later years are left out, so that weights can be judged by them.

Everything is kept in the run folder, and each step goes on where it was killed. ``--output`` packs the weights of the
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

from evalsmith.fit import TuneConfig, tune_sources
from evalsmith.games import find_game
from evalsmith.positions import GenerateConfig, Samples, generate, import_records, open_dataset
from evalsmith.positions.labellers import LabelConfig
from evalsmith.positions.labels import count_wanted, label_dataset
from evalsmith.positions.samples import EXACT, PLAYOUT
from evalsmith.positions.writing import PartWriter, fingerprint, remade
from evalsmith.run import Bar, EvalsmithError, InputError, Interrupted, RunFolder, derive
from evalsmith.search import Limit, Searcher
from evalsmith.weights import Weights, load_weights, save_weights
from evalsmith.weights.fitted import write_fitted

GAME = find_game("othello")
FIRST_YEAR, LAST_YEAR = 1977, 2009  # of the WTHOR games that are fitted to
TABLE = 1 << 18  # bytes; searches for labels are short, and the table is cleared before each
SEARCHED_STAGES = (13, 54)  # those after the opening and before the solved end
TOURNAMENT_STAGE = 24  # where WTHOR has exact values
REPLY_DEPTH = 2  # of the search for the best move there


@dataclass(frozen=True)
class Size:
    """How much work: games a generation, nodes a move, empties that are solved, positions that are searched."""

    games: tuple[int, ...]
    nodes: tuple[int, ...]
    per_stage: tuple[int, ...]
    solved: int
    searched: int
    depth: int
    replies: int
    penalty: tuple[float, ...]
    window: int = 4


SIZES = {
    "small": Size(
        games=(1_500, 3_000), nodes=(100, 100), per_stage=(10_000, 20_000), penalty=(1000.0, 1000.0), solved=10,
        searched=3_000, depth=4, replies=2_000,
    ),
    "medium": Size(
        games=(20_000, 6_000, 6_500, 12_000, 25_000), nodes=(200, 200, 200, 200, 200),
        per_stage=(30_000, 90_000, 100_000, 110_000, 160_000), penalty=(1000.0, 100.0, 100.0, 100.0, 100.0), solved=12,
        searched=30_000, depth=6, replies=60_000,
    ),
    "full": Size(
        games=(50_000, 100_000, 200_000), nodes=(200, 500, 1_000), per_stage=(100_000, 200_000, 400_000),
        penalty=(1000.0, 300.0, 100.0), solved=14, searched=300_000, depth=8, replies=100_000,
    ),
}  # fmt: skip


class Making:
    """The run folder, and the steps of a generation in it."""

    def __init__(self, folder: Path, size: Size, wthor: Path | None, seed: int, concurrency: int | None) -> None:
        self.folder, self.size, self.wthor = folder, size, wthor
        self.seed, self.concurrency = seed, concurrency

    def run(self) -> Weights:
        """All generations; the weights of the last."""
        tournaments = self.tournaments() if self.wthor else None
        weights: Path | None = None
        for generation in range(len(self.size.games)):
            made = self.folder / f"weights-{generation}.json"
            if not made.exists():
                self.play(generation, weights)
                positions = self.value(generation, weights, tournaments)
                self.fit(generation, positions, made)
            weights = made
        assert weights is not None
        return load_weights(weights, GAME)

    def fit(self, generation: int, positions: Path, made: Path) -> None:
        """The weights of a generation."""
        size = self.size
        config = TuneConfig(size.penalty[generation], size.window, validation=0.02, tolerance=0.01, seed=self.seed)
        folder = self.folder / f"weights-{generation}.run"
        tuned = tune_sources([positions], folder, config, concurrency=self.concurrency, watch=Bar)
        save_weights(replace(tuned.weights, provenance=self.provenance(generation)), made)
        say(f"generation {generation}: error {tuned.validation.absolute / 100:.2f} discs on held-out games")

    def play(self, generation: int, weights: Path | None) -> None:
        """Self-play, with its ends solved."""
        folder = self.games(generation)
        size = self.size
        config = GenerateConfig(
            games=size.games[generation], player=player(weights), nodes=size.nodes[generation],
            random_plies=8, noise=0.1, seed=self.seed + generation,
        )  # fmt: skip
        with Bar(f"generation {generation}: self-play", config.games, "games") as bar:
            generate(GAME, folder, config, concurrency=self.concurrency, progress=bar)
        self.label(folder, LabelConfig("solve", empties=size.solved, stages=(0, size.solved)))

    def tournaments(self) -> Path:
        """The tournament games, each with an exact value near its end too."""
        assert self.wthor is not None
        files = [self.wthor / f"WTH_{year}.wtb" for year in range(FIRST_YEAR, LAST_YEAR + 1)]
        files = [file for file in files if file.exists()]
        if not files:
            raise InputError(f"{self.wthor} holds none of WTH_{FIRST_YEAR}.wtb to WTH_{LAST_YEAR}.wtb")
        folder = self.folder / "tournaments"
        import_records(files, folder, game=GAME, moves=False)
        self.label(folder, LabelConfig("solve", empties=self.size.solved, stages=(self.size.solved, self.size.solved)))
        return folder

    def label(self, folder: Path, config: LabelConfig) -> None:
        """Give a dataset labels, once."""
        done = open_dataset(folder).extra.get("labelled", [])
        if any(each.get("by") == config.by for each in done):
            return
        with Bar(f"{config.by} in {folder.name}", count_wanted(folder, config), "positions") as bar:
            label_dataset(folder, config, concurrency=self.concurrency, progress=bar)

    def value(self, generation: int, weights: Path | None, tournaments: Path | None) -> Path:
        """The positions of all generations and of the tournaments with their values, as one dataset."""
        sources = [self.games(earlier) for earlier in range(generation + 1)]
        sources += [tournaments] if tournaments else []
        searched = self.search(generation, sources[: generation + 1], weights) if weights else None
        read = [*sources, searched] if searched else sources
        made = self.made("value", read)
        folder = self.folder / f"positions-{generation}"
        with remade(folder, GAME, made, [{"name": source.name} for source in read], "the values in") as (
            dataset,
            there,
        ):
            if there:
                return folder
            rng = np.random.default_rng(derive(self.seed, "value", generation))
            valued = [carried(open_dataset(source).read()) for source in sources]
            if generation:
                # The hand-set weights play too badly for values to be carried back; what is exact stays so.
                valued[0] = valued[0].take(valued[0].label == EXACT)
            if searched:
                valued.append(open_dataset(searched).read())
            if tournaments and weights:
                replies = best_replies(valued[len(sources) - 1], load_weights(weights, GAME), self.size.replies, rng)
                valued.append(replies)
            writer = PartWriter(dataset)
            writer.add(thinned(numbered(valued), self.size.per_stage[generation], rng))
            writer.close()
            dataset.finish()
        return folder

    def search(self, generation: int, sources: Sequence[Path], weights: Path) -> Path:
        """Some positions of the middle game, valued by a search with the weights of the generation before."""
        folder = self.folder / f"searched-{generation}"
        with remade(folder, GAME, self.made("search", sources), [{"name": "searched"}], "the draw for") as (
            dataset,
            there,
        ):
            if not there:
                rng = np.random.default_rng(derive(self.seed, "search", generation))
                drawn = numbered([middle_game(open_dataset(source).read()) for source in sources])
                rows = np.sort(rng.choice(len(drawn), min(self.size.searched, len(drawn)), replace=False))
                writer = PartWriter(dataset)
                writer.add(drawn.take(rows))
                writer.close()
                dataset.finish()
        self.label(folder, LabelConfig("search", player=f"{player(weights)};table={TABLE}", depth=self.size.depth))
        return folder

    def made(self, step: str, sources: Sequence[Path]) -> dict[str, Any]:
        """What decides the content of a dataset; ``how`` lets a killed one be begun again."""
        before = [fingerprint(open_dataset(source).check_whole()) for source in sources]
        return {"how": "merge", "step": step, "of": before, "seed": self.seed, **asdict(self.size)}

    def games(self, generation: int) -> Path:
        """Where the games of a generation are."""
        return self.folder / f"games-{generation}"

    def settings(self) -> dict[str, Any]:
        """What decides the weights."""
        listed = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self.size).items()}
        return {"seed": self.seed, "tournaments": f"WTHOR up to {LAST_YEAR}" if self.wthor else "none", **listed}

    def provenance(self, generation: int) -> dict[str, Any]:
        """What weights say of themselves."""
        return {"made": "make weights-othello", "generation": generation, **self.settings()}


# ── Values ──────────────────────────────────────────────────────────────────────────────────────


def carried(samples: Samples) -> Samples:
    """The samples that have a value: exact ones, those before one, and those between two."""
    order = np.lexsort((samples.ply, samples.game))
    samples = samples.take(order)
    rows = np.arange(len(samples))
    sign = np.where(samples.words[:, 2] == 0, 1.0, -1.0)
    value = np.where(samples.label == EXACT, samples.score, 0) * sign
    known = samples.label == EXACT
    before = np.maximum.accumulate(np.where(known, rows, -1))
    after = np.minimum.accumulate(np.where(known, rows, len(rows))[::-1])[::-1]
    has_before = (before >= 0) & (samples.game[np.maximum(before, 0)] == samples.game)
    has_after = after < len(rows)
    has_after &= samples.game[np.minimum(after, len(rows) - 1)] == samples.game
    first, last = np.where(has_before, before, rows), np.where(has_after, after, rows)
    span = np.maximum(samples.ply[last] - samples.ply[first], 1)
    share = np.where(has_before, (samples.ply[last] - samples.ply) / span, 0.0)
    found = value[last] * (1 - share) + value[first] * share
    label = np.where(known, EXACT, PLAYOUT).astype(np.int8)
    made = replace(samples, score=np.rint(found * sign).astype(np.int32), label=label)
    return made.take(has_after)


def best_replies(samples: Samples, weights: Weights, count: int, rng: np.random.Generator) -> Samples:
    """The positions after the best move of exactly valued ones, which are worth as much to the other side."""
    exact = np.flatnonzero((samples.label == EXACT) & (samples.phase == TOURNAMENT_STAGE))
    rows = np.sort(rng.choice(exact, min(count, len(exact)), replace=False))
    searcher = Searcher(GAME, weights, TABLE)
    made = samples.take(rows)
    with Bar("best replies", len(rows), "positions") as bar:
        for row, position in enumerate(made.words):
            searcher.new_game()
            move = searcher.think(position, Limit(depth=REPLY_DEPTH)).lines[0].move
            made.words[row] = GAME.play(position, move)
            bar.advance()
    phase = 64 - np.bitwise_count(made.words[:, 0] | made.words[:, 1])
    kept = phase < TOURNAMENT_STAGE  # no passes
    return replace(made, score=-made.score, ply=made.ply + 1, phase=phase.astype(np.int32)).take(kept)


def middle_game(samples: Samples) -> Samples:
    """The positions whose values a search is to find."""
    low, high = SEARCHED_STAGES
    return samples.take((samples.label != EXACT) & (samples.phase >= low) & (samples.phase <= high))


def numbered(parts: Sequence[Samples]) -> Samples:
    """Several sets of samples as one, with games and sources apart."""
    first, made = 0, []
    for number, part in enumerate(parts):
        made.append(replace(part, game=part.game + first, source=np.full(len(part), number, dtype=np.int32)))
        first += int(part.game.max(initial=0)) + 1
    return Samples.join(made, GAME.words)


def thinned(samples: Samples, per_stage: int, rng: np.random.Generator) -> Samples:
    """At most so many of each stage besides those that were searched or solved, drawn."""
    keep = samples.label != PLAYOUT
    for stage in np.unique(samples.phase):
        rows = np.flatnonzero((samples.phase == stage) & ~keep)
        room = max(0, per_stage - int(((samples.phase == stage) & keep).sum()))
        keep[rng.permutation(rows)[:room]] = True
    return samples.take(keep)


# ── The command ─────────────────────────────────────────────────────────────────────────────────


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
    parser.add_argument("--wthor", type=Path, help="a folder with WTHOR files")
    parser.add_argument("--output", type=Path, help="the packed file to write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int)
    given = parser.parse_args()
    folder = given.folder or Path("runs") / f"weights-othello-{given.size}"
    try:
        making = Making(folder, SIZES[given.size], given.wthor, given.seed, given.concurrency)
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
