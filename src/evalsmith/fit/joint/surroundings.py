"""What a joint fit needs from outside: where it runs, how many threads, and how candidates are made and played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.fit.settings import TuneSettings
from evalsmith.run import RunFolder
from evalsmith.run.watching import Watch, unwatched

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

Elo = Callable[[Vector, str], tuple[float, float]]
"""Plays weights against the start under a name: Elo, and half of its interval."""


@dataclass(frozen=True)
class Surroundings:
    """Where a fit runs, and what others do for it.

    ``filters`` gives what the filters of other settings let through, ``best`` saves weights that are not final, and
    says where.
    """

    run: RunFolder
    threads: int = 1
    elo: Elo | None = None
    filters: Callable[[TuneSettings], Mapping[str, Flags]] | None = None
    best: Callable[[Vector], Path] | None = None
    progress: Watch = unwatched
