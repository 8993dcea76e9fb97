"""A sequential test while a match is played: pairs are taken in their order, whichever end first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalsmith.arena.results.entry import sign
from evalsmith.arena.statistics.sprt import LARGEST_ELO, Model, Sprt, sprt
from evalsmith.run import InputError

COUNTINGS = ("pentanomial", "trinomial")


@dataclass(frozen=True)
class SprtConfig:
    """A sequential test between two hypotheses, in Elo of the first player as ``model`` means it.

    ``counting`` says whether pairs or single games are counted; pairs are the better way.
    """

    elo0: float
    elo1: float
    model: Model = "normalized"
    alpha: float = 0.05
    beta: float = 0.05
    counting: str = "pentanomial"

    def __post_init__(self) -> None:
        if self.counting not in COUNTINGS:
            raise InputError(f"counting must be {' or '.join(COUNTINGS)}, not {self.counting!r}")

    def state(self, counts: list[int], games: tuple[int, int, int]) -> Sprt:
        """Where the test stands: ``counts`` are of pairs, ``games`` are lost, drawn and won."""
        used = counts if self.counting == "pentanomial" else list(games)
        return sprt(used, self.elo0, self.elo1, model=self.model, alpha=self.alpha, beta=self.beta)


def parse_sprt(
    text: str, model: str = "normalized", alpha: float = 0.05, beta: float = 0.05, counting: str = COUNTINGS[0]
) -> SprtConfig:
    """``0,5``: the test of 0 against 5 Elo."""
    if model not in LARGEST_ELO:
        raise InputError(f"the model of sprt must be {' or '.join(LARGEST_ELO)}, not {model!r}")
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"sprt must be two numbers such as 0,5, not {text!r}") from None
    if not low < high:  # also where one is not a number at all
        raise InputError(f"sprt: the first Elo must be below the second, not {text!r}")
    limit = LARGEST_ELO[model]
    if not -limit <= low < high <= limit:
        raise InputError(f"sprt: {model} Elo must be from {-limit:g} to {limit:g}, not {text!r}")
    config = SprtConfig(low, high, "logistic" if model == "logistic" else "normalized", alpha, beta, counting)
    config.state([0] * 5, (0, 0, 0))  # refuses impossible error rates now rather than after the first game
    return config


class SequentialTest:
    """Takes the pairs of a match in their order until they decide.

    So the answer, and the games that it rests on, do not depend on which games happen to end first.
    """

    def __init__(self, config: SprtConfig | None) -> None:
        self.config = config
        self.pairs = 0
        self.counts = [0, 0, 0, 0, 0]
        self._games = [0, 0, 0]
        self.state = config.state(self.counts, (0, 0, 0)) if config else None

    def decided_by(self, values: Mapping[tuple[int, int], int]) -> bool:
        """Take the pairs that can be taken; whether the match may end. Never, where there is no test."""
        if self.config is None:
            return False
        while not self.decided and (self.pairs, 0) in values and (self.pairs, 1) in values:
            both = (values[self.pairs, 0], values[self.pairs, 1])
            self.counts[half_points(*both)] += 1
            for value in both:
                self._games[1 + sign(value)] += 1
            self.pairs += 1
            self.state = self.config.state(self.counts, (self._games[0], self._games[1], self._games[2]))
        return self.decided

    @property
    def decided(self) -> bool:
        """Whether one of the hypotheses was accepted."""
        return self.state is not None and self.state.state != "running"


def half_points(first: int, second: int) -> int:
    """The half points of a pair, 0 to 4."""
    return 2 + sign(first) + sign(second)
