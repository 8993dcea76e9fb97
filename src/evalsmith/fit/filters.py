"""Which positions of a dataset are fitted: by rating, by ply, and at most so many of each game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evalsmith.fit.candidates import QUIET
from evalsmith.fit.settings import TuneSettings
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.draws import some_of_each
from evalsmith.positions.selection.selection import Selection
from evalsmith.run import InputError

Flags = npt.NDArray[np.bool_]


def select_samples(samples: Samples, settings: TuneSettings) -> Samples:
    """The samples that the filters leave; what a dataset cannot tell any more is refused."""
    if settings.quiet_threshold is not None:
        raise InputError(
            "quiet_threshold looks at the plies before a position, which a dataset no longer has; give it to "
            "'evalsmith data import', or tune from the files of games"
        )
    passed = filter_flags(samples, settings)
    left = np.logical_and.reduce([np.ones(len(samples), dtype=np.bool_), *passed.values()])
    chosen = samples if left.all() else samples.take(left)
    if settings.positions_per_game is not None:
        chosen = chosen.take(some_of_each(chosen, settings.positions_per_game, settings.seed))
    if len(samples) and not len(chosen):
        names = ", ".join(name for name, flags in passed.items() if not flags.all())
        raise InputError(f"the filters leave none of the {len(samples):,} positions; loosen {names}")
    return chosen


def filter_flags(samples: Samples, settings: TuneSettings) -> dict[str, Flags]:
    """What each filter that is set lets through, by its name."""
    found: dict[str, Flags] = {}
    rated = (samples.rating >= 0) & (samples.opponent >= 0)
    if settings.min_rating is not None:
        found["min_rating"] = rated & (np.minimum(samples.rating, samples.opponent) >= settings.min_rating)
    if settings.max_rating is not None:
        found["max_rating"] = rated & (np.maximum(samples.rating, samples.opponent) <= settings.max_rating)
    if settings.skip_opening:
        found["skip_opening"] = samples.ply >= settings.skip_opening
    if settings.skip_closing:
        found["skip_closing"] = samples.ply <= _last_plies(samples) - settings.skip_closing
    return found


def filtering(samples: Samples, settings: TuneSettings, quiet: Flags | None) -> dict[str, Flags]:
    """What each filter that is set lets through, quietness too where it is known and asked for."""
    found = filter_flags(samples, settings)
    return found if quiet is None or settings.quiet is False else {QUIET: quiet, **found}


def selection_of(settings: TuneSettings) -> Selection:
    """The same filters for the import of files of games, where the plies before a position are known too."""
    return Selection(
        min_rating=settings.min_rating,
        max_rating=settings.max_rating,
        skip_first=settings.skip_opening,
        skip_last=settings.skip_closing,
        quiet=settings.quiet_threshold,
        per_game=settings.positions_per_game,
        seed=settings.seed,
    )


def unfiltered(settings: TuneSettings) -> TuneSettings:
    """The settings without the filters that an import has applied."""
    names = ("min_rating", "max_rating", "skip_opening", "skip_closing", "quiet_threshold", "positions_per_game")
    plain = TuneSettings()
    return replace(settings, **{name: getattr(plain, name) for name in names})


def _last_plies(samples: Samples) -> npt.NDArray[np.int32]:
    """The last ply that the samples have of each one's game."""
    games, where = np.unique(samples.game, return_inverse=True)
    last = np.zeros(len(games), dtype=np.int32)
    np.maximum.at(last, where, samples.ply)
    return np.asarray(last[where])
