"""What is fitted to what, and which settings validation may choose."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalsmith.fit.settings import AUTO, TuneSettings
from evalsmith.fit.validation import held_out
from evalsmith.games import Game
from evalsmith.positions.samples import Samples
from evalsmith.run import InputError, derive
from evalsmith.weights import Layout, Weights

Vector = npt.NDArray[np.float64]

# The penalty of least squares. It won most in matches after 6,000 and 24,000 games of Othello.
DEFAULT_PENALTY = 1000.0


@dataclass(frozen=True)
class Hyperparameters:
    """What validation may choose: the penalty, how far columns borrow, curves of ordered features, and smoothing."""

    penalty: float
    window: int
    dense: str = "none"
    smooth: str = "none"

    @classmethod
    def of(cls, settings: TuneSettings) -> Hyperparameters:
        """Those of some settings, with the default for each that is still to be chosen."""
        default = TuneSettings()
        names = ("window", "dense", "smooth")
        given = {name: getattr(default if getattr(settings, name) == AUTO else settings, name) for name in names}
        penalty = settings.penalty
        strength = DEFAULT_PENALTY if penalty is None or isinstance(penalty, str) else penalty
        return cls(float(strength), int(given["window"]), given["dense"], given["smooth"])


@dataclass(frozen=True)
class Task:
    """Positions with known values, which of them are held out, where the weights start, and the settings.

    ``group`` numbers the decision of each row where only differences between the moves of one count; else None.
    """

    game: Game
    samples: Samples
    target: Vector
    validation: npt.NDArray[np.bool_]
    start: Weights
    settings: TuneSettings
    kind: str = "label"
    group: npt.NDArray[np.int64] | None = None

    def inner(self) -> Task:
        """The same without the games that judge the fit, and with others held out: what settings are tried on."""
        fitted = np.flatnonzero(~self.validation)
        samples = self.samples.take(fitted)
        again = hold_out(samples, self.settings.validation, derive(self.settings.seed, "choosing"))
        group = None if self.group is None else self.group[fitted]
        return replace(self, samples=samples, target=self.target[fitted], validation=again, group=group)


def hold_out(samples: Samples, share: float, seed: int) -> npt.NDArray[np.bool_]:
    """The held-out rows; neither side is empty."""
    validation = held_out(samples.game, share, seed)
    if validation.all() or not validation.any():
        raise InputError(
            f"{len(np.unique(samples.game))} games are too few to hold some out for validation; add more games"
        )
    return validation


def free_unknowns(layout: Layout, settings: TuneSettings) -> npt.NDArray[np.bool_] | None:
    """Which weights of a column are fitted when only some features are; None is all."""
    if not settings.terms and not settings.freeze:
        return None
    free = np.full(layout.size, not settings.terms, dtype=np.bool_)
    for patterns, fitted in ((settings.terms, True), (settings.freeze, False)):
        for name in [name for pattern in patterns for name in layout.matching(pattern)]:
            free[layout.slice_of(name)] = fitted
    return free
