"""What a method of minimising is told, what it says after each step, and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

METHODS = ("auto", "gradient_descent", "adam", "lbfgs", "genetic", "newton", "cg")

Vector = npt.NDArray[np.float64]
State = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class MethodSettings:
    """How to minimise; what a method has no use for is ignored.

    ``tolerance`` is the part of the value that must still be gained for going on, over as many steps as the method
    needs to tell. ``patience`` is the number of steps without a new best value, 0 for any number. ``learning_rate`` is
    in each method's own unit, None for its default:

        gradient_descent   a part of the step that would be best for each weight alone (0.1)
        adam               the length of a step in hundreds of the game's unit, so in pawns (0.03)
        genetic            the size of the first mutations, in the same unit (0.1)

    ``memory`` is L-BFGS's. ``mutation`` is the chance of each weight to mutate, ``crossover`` that of a child to have
    two parents, ``elite`` the part of the population that survives.
    """

    method: str = "auto"
    iterations: int = 1000
    tolerance: float = 1e-8
    patience: int = 0
    learning_rate: float | None = None
    momentum: float = 0.9
    adaptive: bool = True
    memory: int = 10
    population: int = 50
    mutation: float = 0.2
    crossover: float = 0.7
    elite: float = 0.1
    tournament: int = 3
    seed: int = 1


@dataclass(frozen=True)
class Step:
    """One step: how many steps and passes over the rows there were, and all weights; ``state`` resumes there."""

    iteration: int
    passes: int
    value: float
    x: Vector
    state: Mapping[str, npt.NDArray[Any]] = field(repr=False)


@dataclass(frozen=True)
class MethodResult:
    """All weights of the least value that was found; ``stopped`` is converged, patience, iterations or interrupted."""

    x: Vector
    value: float
    iterations: int
    passes: int
    converged: bool
    stopped: str
