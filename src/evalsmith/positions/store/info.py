"""What a dataset holds, counted in one pass: results, labels, ratings, stages, plies, openings, sources."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.bulk import keys_of
from evalsmith.positions.samples import LABELS, UNKNOWN, Samples
from evalsmith.positions.store.dataset import Dataset, open_dataset
from evalsmith.positions.store.keyset import KeySet
from evalsmith.positions.store.parts import read_batches
from evalsmith.run import Progress, Silent

OPENING_PLY = 6  # the position after so many plies is a game's opening
OPENINGS = 8  # how many of them are shown
RATING_STEP, PLY_STEP, SCORE_BINS = 100, 10, 24


@dataclass
class Counts:
    """Sums over samples; histograms are counts by the lower end of each bin."""

    positions: int = 0
    known: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    absolute: float = 0.0
    stages: Counter[int] = field(default_factory=Counter)
    plies: Counter[int] = field(default_factory=Counter)
    ratings: Counter[int] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)

    def add(self, samples: Samples, score_step: int) -> None:
        """Count more samples."""
        target = samples.target
        value = target[target != UNKNOWN]
        self.positions += len(samples)
        self.known += len(value)
        self.won += int((value > 0).sum())
        self.tied += int((value == 0).sum())
        self.lost += int((value < 0).sum())
        self.absolute += float(np.abs(value).sum(dtype=np.float64))
        _tally(self.stages, samples.phase, 1)
        _tally(self.plies, samples.ply, PLY_STEP)
        _tally(self.ratings, samples.rating[samples.rating >= 0], RATING_STEP)
        _tally(self.scores, samples.score[samples.score != UNKNOWN], score_step)
        _tally(self.depths, samples.depth[samples.depth >= 0], 1)
        for code, count in zip(*np.unique(samples.label, return_counts=True), strict=True):
            self.labels[LABELS[int(code)]] += int(count)

    def to_json(self) -> dict[str, Any]:
        """The counts as plain values, histograms in order."""
        return {
            "positions": self.positions,
            "labelled": self.known,
            "won": self.won,
            "tied": self.tied,
            "lost": self.lost,
            "mean_absolute": self.absolute / self.known if self.known else None,
            "mean_rating": _mean(self.ratings, RATING_STEP),
            "mean_ply": _mean(self.plies, PLY_STEP),
            "mean_stage": _mean(self.stages, 1),
            "mean_depth": _mean(self.depths, 1),
            "stages": dict(sorted(self.stages.items())),
            "plies": dict(sorted(self.plies.items())),
            "ratings": dict(sorted(self.ratings.items())),
            "labels": dict(self.labels),
            "scores": dict(sorted(self.scores.items())),
        }


@dataclass(frozen=True)
class Opening:
    """A position that many games pass: its moves as text where a game shows them, else the position."""

    text: str
    games: int


@dataclass(frozen=True)
class Info:
    """What a dataset holds, as a whole and by its sources."""

    dataset: Dataset
    counts: Counts
    games: int
    opening_ply: int
    openings: tuple[Opening, ...]
    sources: dict[str, Counts]
    bytes: int

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data info --json``."""
        dataset = self.dataset
        return {
            "game": dataset.game.name,
            "rules_version": dataset.game.rules_version,
            "unit": dataset.game.unit,
            "whole": dataset.whole,
            "games": self.games,
            **self.counts.to_json(),
            "bytes": self.bytes,
            "bytes_per_position": self.bytes / self.counts.positions if self.counts.positions else None,
            "opening_ply": self.opening_ply,
            "openings": [{"text": opening.text, "games": opening.games} for opening in self.openings],
            "sources": {name: counts.to_json() for name, counts in self.sources.items()},
            "made": dataset.made,
            "labelled_by": dataset.extra.get("labelled", []),
        }


def describe(path: Path, progress: Progress | None = None) -> Info:
    """Count what a dataset holds; one that is not finished is described as far as it goes."""
    dataset = open_dataset(path)
    if dataset.whole:
        dataset.check_whole()
    progress = progress or Silent()
    counts, games = Counts(), KeySet()
    sources: dict[str, Counts] = {}
    step = score_step(dataset.game)
    openings = _Openings(dataset.game)
    for part in dataset.parts():
        for samples in read_batches(part, dataset.game):
            counts.add(samples, step)
            games.add(np.unique(samples.game).astype(np.uint64) + np.uint64(1))
            for number in np.unique(samples.source).tolist():
                here = samples if (samples.source == number).all() else samples.take(samples.source == number)
                sources.setdefault(_name(dataset, number), Counts()).add(here, step)
            openings.add(samples)
            progress.advance(len(samples))
    size = sum(part.stat().st_size for part in dataset.parts())
    return Info(dataset, counts, len(games), openings.ply, openings.most(), sources, size)


def score_step(game: Game) -> int:
    """The width of a bin of scores, so that a histogram has about two dozen of them."""
    return 100 if game.win else 400


def _name(dataset: Dataset, number: int) -> str:
    known = 0 <= number < len(dataset.sources)
    return str(dataset.sources[number].get("name", number)) if known else f"source {number}"


def _tally(counter: Counter[int], values: npt.NDArray[Any], step: int) -> None:
    bins, numbers = np.unique(values.astype(np.int64) // step * step, return_counts=True)
    for low, count in zip(bins.tolist(), numbers.tolist(), strict=True):
        counter[low] += count


def _mean(counter: Counter[int], step: int) -> float | None:
    total = sum(counter.values())
    return sum((low + (step - 1) / 2) * count for low, count in counter.items()) / total if total else None


class _Openings:
    """Counts the positions that games pass after OPENING_PLY plies, or at the first ply that the dataset has."""

    def __init__(self, game: Game) -> None:
        self.game, self.ply = game, OPENING_PLY
        self._counts: Counter[int] = Counter()
        self._shown: dict[int, str] = {}
        self._fixed = False

    def add(self, samples: Samples) -> None:
        if not self._fixed and len(samples):
            # Where the opening was left out, the earliest position of a game is the next best.
            self.ply, self._fixed = max(OPENING_PLY, int(samples.ply.min())), True
        rows = np.flatnonzero(samples.ply == self.ply)
        keys, first, numbers = np.unique(keys_of(self.game, samples.words[rows]), return_index=True, return_counts=True)
        for key, count in zip(keys.tolist(), numbers.tolist(), strict=True):
            self._counts[key] += count
        if len(self._counts) > 1_000_000:  # the rare ones cannot come to the top any more
            self._counts = Counter(dict(self._counts.most_common(100_000)))
        leading = {key for key, _ in self._counts.most_common(OPENINGS)}
        for key, row in zip(keys.tolist(), rows[first].tolist(), strict=True):
            if key in leading and key not in self._shown:
                self._shown[key] = self._text(samples, row)

    def most(self) -> tuple[Opening, ...]:
        # Where positions are taken only once, no opening is frequent.
        return tuple(
            Opening(self._shown[key], count)
            for key, count in self._counts.most_common(OPENINGS)
            if count > 1 and key in self._shown
        )

    def _text(self, samples: Samples, row: int) -> str:
        """The moves to a position, where the positions before it are there too; else the position."""
        game, begin = self.game, row - self.ply
        words = samples.words[max(0, begin) : row + 1]
        if begin < 0 or (samples.game[begin] != samples.game[row]) or not (words[0] == game.start()).all():
            return game.format(samples.words[row])
        names = []
        for here, following in pairwise(words):
            found = [move for move in game.moves(here) if (game.play_unchecked(here, move) == following).all()]
            if not found:
                return game.format(samples.words[row])
            names.append(game.format_move(here, found[0]))
        return " ".join(names)
