"""What a dataset holds, counted in one pass: results, labels, ratings, stages, plies, openings, sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.bulk import keys_of
from evalsmith.positions.samples import LABELS, UNKNOWN, Samples
from evalsmith.positions.store.dataset import Dataset, load_dataset
from evalsmith.positions.store.keyset import KeySet
from evalsmith.positions.store.parts import part_games, read_batches
from evalsmith.run import Progress
from evalsmith.run.tables import TextTable
from evalsmith.run.watching import Watch, unwatched

OPENING_PLY = 6  # the position after this number of plies is a game's opening
OPENINGS = 8  # openings that are shown
RATING_STEP, PLY_STEP = 100, 10
_SOURCES = 20  # sources that are shown


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
class DatasetInfo:
    """What a dataset holds, in all and by its sources."""

    dataset: Dataset
    counts: Counts
    games: int
    opening_ply: int
    openings: tuple[Opening, ...]
    sources: dict[str, Counts]
    bytes: int

    @property
    def games_made(self) -> int:
        """How many games were played or imported for the dataset, those without a position here too; 0 if unknown."""
        dataset = self.dataset
        if dataset.made.get("how") == "import":
            return int(dataset.extra.get("games", 0))
        return sum(map(part_games, dataset.parts()))

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data info --json``."""
        dataset = self.dataset
        return {
            "game": dataset.game.name,
            "rules_version": dataset.game.rules_version,
            "unit": dataset.game.unit,
            "complete": dataset.complete,
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

    def __str__(self) -> str:
        return str(info_table([self]))

    def __repr__(self) -> str:
        return f"<info of {str(self.dataset.path)!r}: {self.counts.positions:,} positions of {self.games:,} games>"

    def _repr_html_(self) -> str:
        return info_table([self]).html()


def dataset_info(dataset: Dataset | Path | str, *, progress: Watch = unwatched) -> DatasetInfo:
    """Count what a dataset holds; one that is not finished is counted as far as it goes.

    dataset_info("positions").games
    """
    dataset = dataset if isinstance(dataset, Dataset) else load_dataset(dataset)
    if dataset.complete:
        dataset.check_complete()
    with progress("counting", dataset.rows(), "positions") as bar:
        return _counted(dataset, bar)


def _counted(dataset: Dataset, progress: Progress) -> DatasetInfo:
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
    return DatasetInfo(
        dataset=dataset,
        counts=counts,
        games=len(games),
        opening_ply=openings.ply,
        openings=openings.most_frequent(),
        sources=sources,
        bytes=sum(part.stat().st_size for part in dataset.parts()),
    )


def info_table(found: Sequence[DatasetInfo]) -> TextTable:
    """Some datasets side by side."""
    means = [(each, each.counts, each.counts.to_json()) for each in found]
    labels = sorted({name for _, counts, _ in means for name in counts.labels})
    rows = [
        ("game", [each.dataset.game.name for each in found]),
        ("positions", [f"{c.positions:,}" for _, c, _ in means]),
        ("games", [f"{each.games:,}" for each in found]),
        ("positions a game", [_mean_text(c.positions / each.games if each.games else None) for each, c, _ in means]),
        ("with a value", [_share(c.known, c.positions) for _, c, _ in means]),
        ("won", [_share(c.won, c.known) for _, c, _ in means]),
        ("tied", [_share(c.tied, c.known) for _, c, _ in means]),
        ("lost", [_share(c.lost, c.known) for _, c, _ in means]),
        ("mean absolute value", [_amount(m["mean_absolute"], e.dataset.game) for e, _, m in means]),
        ("mean rating", [_mean_text(m["mean_rating"], 0) for _, _, m in means]),
        ("mean ply", [_mean_text(m["mean_ply"]) for _, _, m in means]),
        ("mean stage", [_mean_text(m["mean_stage"]) for _, _, m in means]),
        (
            "stages",
            [f"{len(c.stages)}, from {min(c.stages, default=0)} to {max(c.stages, default=0)}" for _, c, _ in means],
        ),
        *((f"label: {name}", [_share(c.labels[name], c.positions) for _, c, _ in means]) for name in labels),
        ("mean depth", [_mean_text(m["mean_depth"]) for _, _, m in means]),
        ("bytes per position", [_mean_text(e.bytes / c.positions if c.positions else None, 2) for e, c, _ in means]),
        ("made by", [str(each.dataset.made.get("how", "-")) for each in found]),
    ]
    columns = ("", *(each.dataset.path.name for each in found))
    return TextTable(columns, tuple((name, *values) for name, values in rows), tuple(_sentences(found)))


def _sentences(found: Sequence[DatasetInfo]) -> Iterator[str]:
    """What does not stand in the table: partial datasets, openings, sources."""
    for each in found:
        if not each.dataset.complete:
            yield f"{each.dataset.path} is not complete: give the command again that makes it."
        if each.games_made > each.games:
            verb = "imported" if each.dataset.made.get("how") == "import" else "played"
            yield (
                f"{each.games_made:,} games were {verb} for {each.dataset.path.name}; "
                f"{each.games_made - each.games:,} of them have no position in it."
            )
        if each.openings:
            yield f"Most frequent after {each.opening_ply} plies in {each.dataset.path.name}:"
            yield from (f"  {opening.games:>8,}  {opening.text}" for opening in each.openings)
        if len(each.sources) > 1:
            yield f"Sources of {each.dataset.path.name}:"
            ordered = sorted(each.sources.items(), key=lambda item: -item[1].positions)
            yield from (f"  {counts.positions:>10,}  {name}" for name, counts in ordered[:_SOURCES])


def _share(part: int, total: int) -> str:
    return f"{100 * part / total:.1f} %" if total else "-"


def _amount(hundredths: float | None, game: Game) -> str:
    """A mean score in the unit that players use."""
    return "-" if hundredths is None else f"{hundredths / 100:,.2f} {game.whole_unit}"


def _mean_text(value: float | None, figures: int = 1) -> str:
    return "-" if value is None else f"{value:,.{figures}f}"


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

    def most_frequent(self) -> tuple[Opening, ...]:
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
