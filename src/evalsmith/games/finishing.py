"""The end of a game proven in play: what a search asks a game's solver, and what it is answered.

A game has the hook ``finish``, a `Finisher`: a kernel ``(position, solver, request) -> answer`` and what makes the
solver's context. The request is a row of ``REQUEST`` numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context

SIGNATURE = "int64(words, integers, integers)"
# What is wanted: a proof, or that the solver forgets what it knows.
PROOF, CLEAR = 0, 1
# What is answered: it is not worth a try with what is allowed; a limit was reached; the score and a line are proven.
NOT_TRIED, FAILED, PROVEN = 0, 1, 2
# The request: what is wanted, nodes and nanoseconds that are allowed (0 for no limit of time) …
WANTED, NODES_ALLOWED, TIME_ALLOWED = 0, 1, 2
# … and the answer: nodes, the score for the mover, plies to the end, the line.
NODES, SCORE, DEPTH, LENGTH, LINE = 3, 4, 5, 6, 7
LONGEST_LINE = 128
REQUEST = LINE + LONGEST_LINE


@dataclass(frozen=True)
class Finisher:
    """A solver that plays. ``make`` takes a row of weights, the terms they are for, bytes, and a word that stops it."""

    kernel: Any
    make: Callable[[npt.NDArray[np.int32], ModuleType, int, npt.NDArray[np.int64]], Context]
