"""What the training of a small quantised net for alpha-beta is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.net.settings import NET, TRAINING
from evalsmith.run.settings import Settings, seed_setting, setting

_WEIGHTS = "The linear weights that the net corrects. Default: those of the game's search."
_ALONE = "The net stands in the place of the linear evaluation."
_SCORES = (
    "Share of what searches said of a position in what the net learns, where they said it; the rest is the result."
)
_QUIET = "Learn from quiet positions only: elsewhere the search, not the evaluation, says what comes of noisy moves."


@dataclass(frozen=True)
class ValueSettings(Settings):
    """A small net over linear weights, and how it is trained."""

    weights: str = setting("self", metavar="WEIGHTS", group=NET, help=_WEIGHTS)
    alone: bool = setting(False, group=NET, help=_ALONE)
    units: int = setting(32, low=8, high=256, group=NET, help="Units of the hidden layer, a multiple of 8.")
    buckets: int = setting(
        8, low=1, high=64, group=NET, help="Rows of the last layer, for parts of the game by the bits of its planes."
    )
    passes: float = setting(10.0, above=0, group=TRAINING, help="Passes over the positions.")
    positions: int | None = setting(None, low=1, group=TRAINING, help="Learn from so many of the positions at most.")
    batch: int = setting(4096, low=1, group=TRAINING, help="Positions of a step.")
    rate: float = setting(4e-3, above=0, group=TRAINING, help="The highest learning rate.")
    scores: float = setting(0.5, low=0, high=1, group=TRAINING, help=_SCORES)
    quiet: bool = setting(True, group=TRAINING, help=_QUIET)
    augment: bool = setting(True, group=TRAINING, help="Learn from the images of positions too.")
    validation: float = setting(0.05, low=0, below=1, group=TRAINING, help="Share of the games that is held out.")
    seed: int = seed_setting()
