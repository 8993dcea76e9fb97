"""The settings of `spsa`. Help needs them, so nothing that takes time to load is imported here.

game = "chess"
player = "self"               # our search, or a program: "uci:./mine;option.Hash=16"
iterations = 20000            # or games
pairs = 1                     # of games for one iteration
seed = 1
output = "runs/futility"

[parameters.futility_margin]  # a constant of our search, or an option of the program
start = 100                   # default: the engine's own value
min = 20                      # default: the engine's own range
max = 300
c_end = 15                    # the last step to either side; default: a twentieth of the range
r_end = 0.002                 # the last gain

[limit]
nodes = 1000                  # or tc, movetime, depth, … as in a match; [openings] and [adjudication] too
"""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.arena.settings import GAMES, MAX_GAMES, Adjudication, LimitSettings, OpeningSettings
from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, nested, seed_setting, setting

GAINS = "Gains"
DEFAULT_ITERATIONS = 1000
TYPES = ("integer", "real")


@dataclass(frozen=True)
class SpsaSettings(Settings):
    """How long and how boldly parameters are tuned."""

    iterations: int | None = setting(
        None, low=1, high=MAX_GAMES, group=GAMES, help="Number of iterations. Default: 1000, or what --games gives."
    )
    games: int | None = setting(
        None, low=2, high=MAX_GAMES, group=GAMES, help="Number of games, instead of iterations."
    )
    pairs: int = setting(1, low=1, high=1000, group=GAMES, help="Pairs of games per iteration.")
    ahead: int = setting(
        16,
        low=0,
        high=1000,
        group=GAMES,
        help="Iterations that may begin before earlier ones are counted, so that no core waits.",
    )
    seed: int = seed_setting(GAMES)
    stability: float = setting(0.1, low=0, high=10, group=GAINS, help="A of the gains, as a share of all pairs.")
    alpha: float = setting(0.602, low=0, high=2, group=GAINS, help="Exponent by which the steps shrink.")
    gamma: float = setting(
        0.101, low=0, high=2, group=GAINS, help="Exponent by which the distance of both sides shrinks."
    )
    limit: LimitSettings = nested(LimitSettings)
    openings: OpeningSettings = nested(OpeningSettings)
    adjudication: Adjudication = nested(Adjudication)

    def validate(self) -> None:
        """Either iterations or games."""
        if self.iterations is not None and self.games is not None:
            raise InputError("give iterations or games, not both")

    @property
    def all_iterations(self) -> int:
        """The number of iterations; games that make no complete one are left out."""
        if self.games is None:
            return self.iterations or DEFAULT_ITERATIONS
        return max(1, self.games // (2 * self.pairs))


@dataclass(frozen=True)
class ParameterSettings(Settings):
    """What a user says of one parameter; the engine knows the rest."""

    start: float | None = setting(None, help="The first value. Default: the engine's own.")
    min: float | None = setting(None, help="The smallest value. Default: the engine's own minimum.")
    max: float | None = setting(None, help="The largest value. Default: the engine's own maximum.")
    c_end: float | None = setting(
        None, above=0, help="How far both sides are from the value at the end. Default: a twentieth of the range."
    )
    r_end: float = setting(0.002, above=0, help="The gain at the end: a pair won moves the value by 2 · r_end · c_end.")
    type: str | None = setting(
        None, choices=TYPES, help="Whether values are whole. Default: integer, but real for options that are texts."
    )
