"""A genetic search: a population of weights, of which the better ones have more children.

Each generation keeps the best few. Every other place goes to a child of parents that won tournaments, with some
weights of each parent, and some of them mutated. Mutations become smaller when a generation finds nothing better.
It needs a pass for each child and no gradient: for losses with many hollows, and to compare with.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from evalsmith.fit.methods.problem import Problem
from evalsmith.fit.methods.settings import MethodSettings, State

Vector = npt.NDArray[np.float64]

SIZE = 0.1
UNIT = 100.0
_SMALLER, _LARGER = 0.9, 1.1


class Genetic:
    """A genetic search; what is random follows from the seed and the number of the generation."""

    window = 40

    def __init__(self, problem: Problem, settings: MethodSettings) -> None:
        self.problem, self.settings = problem, settings

    def begin(self, y: Vector) -> State:
        """The first generation: the start, and mutations of all its weights."""
        source = np.random.default_rng([self.settings.seed, 0])
        size = UNIT * (self.settings.learning_rate or SIZE)
        others = y + size * source.normal(size=(max(2, self.settings.population) - 1, len(y)))
        population = self.problem.clip(np.concatenate([y[None], others]))
        values = np.array([self.problem.value(each) for each in population])
        best = int(values.argmin())
        return {
            "y": population[best],
            "value": values[best],
            "population": population,
            "values": values,
            "generation": np.array(0),
            "size": np.array(size),
        }

    def restore(self, state: State) -> None:
        """The state is all there is."""

    def advance(self, state: State) -> tuple[State, bool]:
        """The next generation."""
        settings, population, values = self.settings, state["population"], state["values"]
        generation = int(state["generation"]) + 1
        source = np.random.default_rng([settings.seed, generation])
        count, size = len(population), float(state["size"])
        elite = np.argsort(values, kind="stable")[: max(1, min(count - 1, math.ceil(settings.elite * count)))]
        children = np.stack([self._child(population, values, size, source) for _ in range(count - len(elite))])
        theirs = np.array([self.problem.value(each) for each in children])
        size *= _LARGER if theirs.min() < values.min() else _SMALLER
        population, values = np.concatenate([population[elite], children]), np.concatenate([values[elite], theirs])
        best = int(values.argmin())
        return {
            "y": population[best],
            "value": values[best],
            "population": population,
            "values": values,
            "generation": np.array(generation),
            "size": np.array(size),
        }, False

    def _child(self, population: Vector, values: Vector, size: float, source: np.random.Generator) -> Vector:
        mother = population[self._winner(values, source)]
        child = mother.copy()
        if source.random() < self.settings.crossover:
            father = population[self._winner(values, source)]
            # Somewhere between the parents and a little beyond them, weight by weight.
            child += source.uniform(-0.25, 1.25, len(child)) * (father - mother)
        changed = source.random(len(child)) < self.settings.mutation
        child += np.where(changed, size * source.normal(size=len(child)), 0.0)
        return self.problem.clip(child)

    def _winner(self, values: Vector, source: np.random.Generator) -> int:
        drawn = source.integers(0, len(values), max(1, self.settings.tournament))
        return int(drawn[values[drawn].argmin()])
