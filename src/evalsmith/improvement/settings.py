"""The settings of `improve`. Help needs them, so nothing that takes time to load is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, seed_setting, setting

DEFAULT_GENERATIONS = 5
MAX_GENERATIONS = 1000
HAND_SET, ZERO = "hand-set", "zero"
METHODS = ("alphabeta", "mcts")
_LENGTH, _SELF_PLAY, _FIT, _MATCHES = "Length", "Self-play", "Fit", "Matches"


@dataclass(frozen=True)
class LengthSettings(Settings):
    """When to stop: a longer run of the same settings goes on where a shorter one ended."""

    generations: int | None = setting(
        None, low=1, high=MAX_GENERATIONS, group=_LENGTH,
        help=f"Maximum number of generations. Default: {DEFAULT_GENERATIONS}, or no maximum with --hours.",
    )  # fmt: skip
    hours: float | None = setting(
        None, above=0, group=_LENGTH, help="Begin no generation after this many hours of work."
    )
    patience: int = setting(
        1, low=1, group=_LENGTH, help="Stop after this many generations in a row that gained nothing."
    )

    @property
    def most(self) -> int:
        """The number of generations after which a run ends in any case."""
        if self.generations is not None:
            return self.generations
        return DEFAULT_GENERATIONS if self.hours is None else MAX_GENERATIONS


@dataclass(frozen=True)
class ImproveSettings(LengthSettings):
    """How weights are improved. What is left out depends on the kind of game: see `improvement/recipe.py`."""

    start: str = setting(
        HAND_SET, flags=("--from",), metavar="hand-set|zero|FILE", group=_LENGTH,
        help="The weights to start from: hand-set, zero, fitted, or a weights file.",
    )  # fmt: skip
    games: int | None = setting(
        None, low=10, group=_SELF_PLAY,
        help="Games of self-play in the first generation. Default: by the game.",
    )  # fmt: skip
    games_growth: float = setting(
        1.0, low=1, high=10, group=_SELF_PLAY, help="Each kept generation multiplies the games by this."
    )
    nodes: int | None = setting(
        None, low=1, group=_SELF_PLAY,
        help="Nodes per move of self-play in the first generation. Default: by the game.",
    )  # fmt: skip
    growth: float = setting(
        1.3, low=1, high=10, group=_SELF_PLAY, help="Each kept generation multiplies the nodes by this."
    )
    solved: int | None = setting(
        None, low=0, high=30, group=_SELF_PLAY, metavar="STAGES",
        help="Where the game has a solver, it gives the values of the last stages of the games: those up to this one "
        "(in Othello, empty squares). Default: 10.",
    )  # fmt: skip
    method: str = setting("alphabeta", choices=METHODS, group=_SELF_PLAY, help="The search of self-play and matches.")
    replay: int = setting(2, low=1, group=_FIT, help="Fit to the games of this many generations, the last ones.")
    penalty: tuple[float, ...] = setting(
        (), low=0, metavar="X[,X…]", group=_FIT,
        help="Ridge penalties to try. Default: by the game.",
    )  # fmt: skip
    result_share: tuple[float, ...] = setting(
        (), low=0, high=1, metavar="X[,X…]", group=_FIT,
        help="Weights of the result of a game to try, beside search scores (0: scores alone). Default: by the game.",
    )  # fmt: skip
    trial_games: int = setting(
        100,
        low=2,
        group=_MATCHES,
        help="Games of each candidate against the best weights, where several are fitted.",
    )
    gate_games: int = setting(
        600, low=20, group=_MATCHES, help="Maximum number of games of the match that a generation must win to be kept."
    )
    sprt: str = setting(
        "0,30", group=_MATCHES, metavar="ELO0,ELO1",
        help="The sequential test of this match, in normalized Elo.",
    )  # fmt: skip
    start_games: int = setting(
        200,
        low=2,
        group=_MATCHES,
        help="Games of each kept generation against the start, which measure its Elo.",
    )
    match_nodes: int = setting(1000, low=1, group=_MATCHES, help="Nodes per move in all matches.")
    seed: int = seed_setting(_LENGTH)

    def validate(self) -> None:
        """Refuse candidates that are named twice."""
        for name in ("penalty", "result_share"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                raise InputError(f"{name} has a value more than once: {', '.join(f'{one:g}' for one in values)}")

    def question(self) -> dict[str, Any]:
        """The settings that decide each generation: all but the length of the run."""
        length = {"generations", "hours", "patience"}
        return {name: value for name, value in self.to_table().items() if name not in length}
