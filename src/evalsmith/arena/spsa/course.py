"""SPSA itself: which values both sides play with, and where a result moves them. Nothing here knows of games.

In iteration i every parameter has a sign δ = ±1, drawn from the seed. One side plays with θ + c·δ, the other with
θ − c·δ, and if the first one scores ``score`` points more, θ moves by (a/c) · score · δ. With N pairs in all, of which
k − 1 have been played:

    c = c_end · (N / k)^γ        a = r_end · c_end² · ((A + N) / (A + k))^α        A = stability · N

Iteration i begins from the values after iteration i − 1 − ``ahead``, whoever plays it and whenever it ends, and results
are counted in the order of the iterations: so a run repeats with any number of workers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from evalsmith.run.seeds import derive


@dataclass(frozen=True)
class Parameter:
    """A parameter with everything decided; ``boolean`` is for an option that is true or false."""

    name: str
    start: float
    low: float
    high: float
    c_end: float
    r_end: float
    integer: bool = True
    boolean: bool = False

    def clamp(self, value: float) -> float:
        """The value, within the bounds."""
        return min(max(value, self.low), self.high)

    def text(self, value: float) -> str:
        """A value as the engine reads it."""
        if self.boolean:
            return "true" if value >= 0.5 else "false"
        return str(math.floor(value + 0.5)) if self.integer else f"{value:.6g}"


@dataclass(frozen=True)
class Gains:
    """How distances and steps shrink over ``pairs`` pairs of games."""

    pairs: int
    stability: float = 0.1
    alpha: float = 0.602
    gamma: float = 0.101

    def distance(self, parameter: Parameter, k: int) -> float:
        """How far each side is from the value: c."""
        return float(parameter.c_end * (self.pairs / k) ** self.gamma)

    def step(self, parameter: Parameter, k: int) -> float:
        """How far one point moves the value: a / c."""
        bias = self.stability * self.pairs
        gain = parameter.r_end * parameter.c_end**2 * ((bias + self.pairs) / (bias + k)) ** self.alpha
        return float(gain / self.distance(parameter, k))


@dataclass(frozen=True)
class Probe:
    """One iteration: the signs of all parameters, and the values of both sides."""

    signs: tuple[int, ...]
    plus: tuple[float, ...]
    minus: tuple[float, ...]


class Course:
    """The values from the start on, iteration by iteration.

    ``probes`` are the iterations that have begun and are not counted. ``path`` has the values after each iteration
    that was counted, the start first.
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        iterations: int,
        *,
        pairs: int = 1,
        ahead: int = 0,
        seed: int = 1,
        gains: Gains | None = None,
    ) -> None:
        self.parameters, self.iterations, self.pairs, self.ahead = tuple(parameters), iterations, pairs, ahead
        self.gains = gains or Gains(iterations * pairs)
        self.path: list[tuple[float, ...]] = [tuple(parameter.start for parameter in self.parameters)]
        self.probes: dict[int, Probe] = {}
        self._seed = seed
        self._squares = [0.0] * len(self.parameters)
        for iteration in range(min(ahead + 1, iterations)):
            self._begin(iteration)

    @property
    def counted(self) -> int:
        """How many iterations are counted."""
        return len(self.path) - 1

    @property
    def values(self) -> tuple[float, ...]:
        """The values as they stand."""
        return self.path[-1]

    @property
    def errors(self) -> tuple[float, ...]:
        """How far chance alone would have moved each value: the root of the sum of squares of all steps.

        A parameter that does not matter does such a random walk, so this is the standard error of where it ends.
        """
        return tuple(math.sqrt(square) for square in self._squares)

    def _begin(self, iteration: int) -> None:
        k = 1 + iteration * self.pairs
        source = random.Random(derive(self._seed, "spsa", iteration))
        signs = tuple(source.choice((-1, 1)) for _ in self.parameters)
        plus: list[float] = []
        minus: list[float] = []
        for parameter, value, sign in zip(self.parameters, self.values, signs, strict=True):
            away = sign * self.gains.distance(parameter, k)
            # One draw rounds both sides: their difference is right on average, and never has the wrong sign.
            draw = source.random()
            for side, wanted in ((plus, value + away), (minus, value - away)):
                within = parameter.clamp(wanted)
                rounded = parameter.clamp(math.floor(within + draw)) if parameter.integer else within
                side.append(rounded)
        self.probes[iteration] = Probe(signs, tuple(plus), tuple(minus))

    def count(self, score: int) -> None:
        """Count the next iteration: ``score`` is what the first side won more than the other, in games."""
        iteration = self.counted
        k, probe = 1 + iteration * self.pairs, self.probes.pop(iteration)
        moved = []
        for i, parameter in enumerate(self.parameters):
            step = self.gains.step(parameter, k) * score
            self._squares[i] += step * step
            moved.append(parameter.clamp(self.values[i] + step * probe.signs[i]))
        self.path.append(tuple(moved))
        if self.counted + self.ahead < self.iterations:
            self._begin(self.counted + self.ahead)
