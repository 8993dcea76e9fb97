"""What self-play with a net, its training, its evaluation and the loop of all three are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalsmith.run.settings import Settings, nested, seed_setting, setting
from evalsmith.run.start_settings import StartSettings

NET, SEARCH, GAMES, TRAINING, GATE = "Net", "Search", "Games", "Training", "Gate"
_FIRST = "rollouts (random games), weights (tree search with them), or a player such as 'fitted;depth=2'."
_SPREAD = "Such a player's values become shares of moves: worse by X, in the game's unit, is 1/e of the share."
_SCORES = "Share of durations that comes from the scores of who played: the mean duration at such a score."
_ALTERNATIVES = "Share of a batch that is positions after other moves, where who played said what these are worth."
_WEIGHT = "Weight of the duration in the loss, where the other parts have 1."
_FLOOR = "Errors of durations count relative to the duration, or to this where it is more."
_BFLOAT16 = "Layers of cells in 16-bit numbers: up to twice as quick on processors that have them."
_YARDSTICK = "Whom every round's net meets on the same starts, so that rounds compare: greedy, rollouts, any player."
_STRAY = "Share of such a player's moves that are any move, so that a net sees what comes of them."
SCHEDULES = ("cosine", "constant")


@dataclass(frozen=True)
class NetSettings(Settings):
    """The size of a net."""

    k: int = setting(3, low=1, high=9, group=NET, help="Width of a filter; odd.")
    f: int = setting(32, low=1, high=1024, group=NET, help="Number of filters of a layer.")
    r: int = setting(4, low=0, high=100, group=NET, help="Number of residual layers.")
    l: float = setting(0.1, low=0, high=1, group=NET, help="Slope of the leaky ReLU.")  # noqa: E741
    c: float = setting(1e-4, low=0, group=NET, help="Weight of the regularisation.")


@dataclass(frozen=True)
class TreeSettings(Settings):
    """How a net searches."""

    simulations: int = setting(100, low=1, high=1_000_000, group=SEARCH, help="Simulations per move.")
    exploration: float | None = setting(
        None, above=0, group=SEARCH, help="Weight of the priors in PUCT. Default: 1.5, in games for one 0.4."
    )


@dataclass(frozen=True)
class NoiseSettings(Settings):
    """What makes games of self-play differ."""

    noise: float = setting(
        0.25, low=0, high=1, group=SEARCH, help="Share of Dirichlet noise in the priors at the root."
    )
    concentration: float = setting(0.3, above=0, group=SEARCH, help="Concentration of that noise.")
    temperature: float = setting(
        1.0, low=0, group=SEARCH, help="Draw moves by visits to the power 1/X at first; 0 plays the best move."
    )
    final_temperature: float = setting(0.25, low=0, group=SEARCH, help="The temperature after these moves.")
    temperature_moves: int = setting(10, low=0, group=SEARCH, help="Number of moves of a game with --temperature.")


@dataclass(frozen=True)
class SelfplaySettings(StartSettings):
    """How games of self-play are played.

    Without a net it is round 0: ``rollouts`` (UCB1 with random games), ``weights`` (the tree search with the linear
    evaluation), or a player of ours as a match takes it, from whom a net learns.
    """

    games: int = setting(256, low=1, group=GAMES, help="Number of games.")
    together: int = setting(64, low=1, high=4096, group=GAMES, help="Games whose leaves share one batch.")
    random_plies: int = setting(
        0, low=0, group=GAMES, help="Random plies at the start of each game, in games without levels and seeds."
    )
    first: str = setting("rollouts", metavar="PLAYER", group=GAMES, help=f"Who plays where there is no net: {_FIRST}")
    spread: float = setting(20.0, above=0, group=GAMES, help=_SPREAD)
    stray: float = setting(0.0, low=0, high=1, group=GAMES, help=_STRAY)
    first_simulations: int | None = setting(
        None, low=1, group=GAMES, help="Simulations per move where there is no net. Default: those of a net."
    )
    bfloat16: bool = setting(False, group=GAMES, help=_BFLOAT16)
    search: TreeSettings = nested(TreeSettings)
    style: NoiseSettings = nested(NoiseSettings)
    seed: int = seed_setting()


@dataclass(frozen=True)
class TrainSettings(Settings):
    """How a net is trained."""

    passes: float = setting(4.0, above=0, group=TRAINING, help="Passes over the positions.")
    batch: int = setting(256, low=1, group=TRAINING, help="Positions of a step.")
    rate: float = setting(2e-3, above=0, group=TRAINING, help="The highest learning rate.")
    schedule: str = setting(
        "cosine", choices=SCHEDULES, group=TRAINING, help="How the rate goes on after the first steps."
    )
    augment: bool = setting(True, group=TRAINING, help="Learn from the images of positions too.")
    scores: float = setting(0.8, low=0, high=1, group=TRAINING, help=_SCORES)
    alternatives: float = setting(0.5, low=0, high=1, group=TRAINING, help=_ALTERNATIVES)
    duration_weight: float = setting(1.0, above=0, group=TRAINING, help=_WEIGHT)
    duration_floor: float = setting(1.0, low=1, group=TRAINING, help=_FLOOR)
    bfloat16: bool = setting(False, group=TRAINING, help=_BFLOAT16)
    validation: float = setting(0.05, low=0, below=1, group=TRAINING, help="Share of the games that is held out.")
    net: NetSettings = nested(NetSettings)
    seed: int = seed_setting()


@dataclass(frozen=True)
class EvaluateSettings(StartSettings):
    """How two players are compared on the same starts."""

    games: int = setting(100, low=1, group=GAMES, help="Number of paired starts.")
    together: int = setting(64, low=1, high=4096, group=GAMES, help="Games whose leaves share one batch.")
    random_plies: int = setting(
        4, low=0, group=GAMES, help="Random plies at the start of each game, in games without levels and seeds."
    )
    search: TreeSettings = nested(TreeSettings)
    seed: int = seed_setting()


@dataclass(frozen=True)
class LoopSettings(StartSettings):
    """Rounds of self-play, training and a gate."""

    rounds: int = setting(10, low=1, high=999, group=GAMES, help="Number of rounds, round 0 included.")
    games: int = setting(256, low=1, group=GAMES, help="Games of self-play per round.")
    first_games: int | None = setting(None, low=1, group=GAMES, help="Games of round 0. Default: as many.")
    together: int = setting(64, low=1, high=4096, group=GAMES, help="Games whose leaves share one batch.")
    random_plies: int = setting(
        0, low=0, group=GAMES, help="Random plies at the start of each game, in games without levels and seeds."
    )
    first: str = setting("rollouts", metavar="PLAYER", group=GAMES, help=f"Who plays round 0: {_FIRST}")
    spread: float = setting(20.0, above=0, group=GAMES, help=_SPREAD)
    stray: float = setting(0.0, low=0, high=1, group=GAMES, help=_STRAY)
    first_simulations: int | None = setting(
        None, low=1, group=GAMES, help="Simulations per move in round 0. Default: those of a net."
    )
    window: int = setting(4, low=1, group=TRAINING, help="Rounds whose positions a net learns from, the last ones.")
    passes: float = setting(4.0, above=0, group=TRAINING, help="Passes over the positions of the window per round.")
    batch: int = setting(256, low=1, group=TRAINING, help="Positions of a step.")
    rate: float = setting(2e-3, above=0, group=TRAINING, help="The highest learning rate of round 0.")
    decay: float = setting(0.9, above=0, high=1, group=TRAINING, help="The rate of a round, as a share of the last.")
    schedule: str = setting("cosine", choices=SCHEDULES, group=TRAINING, help="How the rate goes on within a round.")
    augment: bool = setting(True, group=TRAINING, help="Learn from the images of positions too.")
    scores: float = setting(0.8, low=0, high=1, group=TRAINING, help=_SCORES)
    alternatives: float = setting(0.5, low=0, high=1, group=TRAINING, help=_ALTERNATIVES)
    duration_weight: float = setting(1.0, above=0, group=TRAINING, help=_WEIGHT)
    duration_floor: float = setting(1.0, low=1, group=TRAINING, help=_FLOOR)
    bfloat16: bool = setting(False, group=TRAINING, help=_BFLOAT16)
    gate_games: int = setting(
        40, low=0, group=GATE, help="Paired starts on which a new net must not be worse; 0 takes every net."
    )
    yardstick: str = setting("greedy", metavar="PLAYER", group=GATE, help=_YARDSTICK)
    yardstick_games: int = setting(
        40, low=0, group=GATE, help="Paired starts against the yardstick, the same in every round; 0 leaves it out."
    )
    search: TreeSettings = nested(TreeSettings)
    style: NoiseSettings = nested(NoiseSettings)
    net: NetSettings = nested(NetSettings)
    seed: int = seed_setting()

    def selfplay(self, number: int, seed: int) -> SelfplaySettings:
        """The self-play of a round."""
        games = self.first_games if number == 0 and self.first_games is not None else self.games
        return SelfplaySettings(
            **self._start, games=games, together=self.together, random_plies=self.random_plies, first=self.first,
            spread=self.spread, stray=self.stray, first_simulations=self.first_simulations,
            bfloat16=self.bfloat16, search=self.search, style=self.style, seed=seed,
        )  # fmt: skip

    def training(self, number: int, seed: int) -> TrainSettings:
        """The training of a round."""
        return TrainSettings(
            passes=self.passes, batch=self.batch, rate=self.rate * self.decay**number, schedule=self.schedule,
            augment=self.augment, scores=self.scores, alternatives=self.alternatives,
            duration_weight=self.duration_weight, duration_floor=self.duration_floor, bfloat16=self.bfloat16,
            net=self.net, seed=seed,
        )  # fmt: skip

    def comparison(self, games: int, seed: int) -> EvaluateSettings:
        """The gate of a round, or its games against the yardstick."""
        return EvaluateSettings(
            **self._start, games=games, together=self.together, random_plies=max(self.random_plies, 2),
            search=self.search, seed=seed,
        )  # fmt: skip

    @property
    def _start(self) -> dict[str, Any]:
        return {"level": self.level, "seeds": self.seeds}
