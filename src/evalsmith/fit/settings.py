"""How weights are fitted and judged: the settings of ``tune`` and of ``weights check``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evalsmith.fit.candidates import PENALTY, Value, read_choices
from evalsmith.positions.selection.stage_range import stage_range
from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, seed_setting, setting

if TYPE_CHECKING:
    from evalsmith.games import Game

AUTO = "auto"
DENSE = ("none", "linear", "sqrt", "monotone", AUTO)
SMOOTH = ("none", "stages", AUTO)
ALTERNATIVES = "alternatives"
TARGETS = (AUTO, "label", "result", "score", "mix", ALTERNATIVES)
SQUARED, LOGISTIC, CROSS_ENTROPY = "squared", "logistic", "cross-entropy"
LOSSES = (AUTO, LOGISTIC, CROSS_ENTROPY, SQUARED)
CG = "cg"
METHODS = (AUTO, "newton", "lbfgs", "adam", "gradient_descent", "genetic", CG)
CHOOSE_BY = (AUTO, "match", "halves", "loss")
_POSITIONS, _VALUES, _WEIGHTS, _SOLVER, _PROOF = "Positions", "Values and validation", "Weights", "Solver", "Proof"


@dataclass(frozen=True)
class PositionSettings(Settings):
    """Which positions are fitted."""

    quiet: bool | None = setting(
        None,
        group=_POSITIONS,
        flags=("--quiet/--all-positions",),
        help="Fit only positions whose quiescence line ends at themselves. Default: yes, with a logistic loss.",
    )
    quiet_threshold: int | None = setting(
        None, low=0, group=_POSITIONS, help="From files: only positions after N plies without a capture or check."
    )
    min_rating: int | None = setting(None, group=_POSITIONS, help="Minimum rating of both players.")
    max_rating: int | None = setting(None, group=_POSITIONS, help="Maximum rating of both players.")
    skip_opening: int = setting(0, low=0, group=_POSITIONS, help="Plies to skip at the start of each game.")
    skip_closing: int = setting(0, low=0, group=_POSITIONS, help="Plies to skip at the end of each game.")
    positions_per_game: int | None = setting(
        None, low=1, group=_POSITIONS, help="Maximum number of positions from one game, drawn at random."
    )
    features: Path | None = setting(
        None, metavar="FILE", group=_POSITIONS, help="For a trace: names and start values, if its header has none."
    )


@dataclass(frozen=True)
class ValueSettings(Settings):
    """What the weights are fitted to, and how the fit is judged."""

    loss: str = setting(
        AUTO,
        choices=LOSSES,
        group=_VALUES,
        help="The loss: logistic (squared error of the winning probability), cross-entropy, or squared (error of the "
        "value). auto: logistic where a game is only won or lost.",
    )
    target: str = setting(
        AUTO,
        choices=TARGETS,
        group=_VALUES,
        help="The value to fit: label (the label if the position has one, else the result), result, score, mix (of "
        "result and score), or alternatives (how the moves of one decision differ, in a game played alone). auto: "
        "score where most positions have one, else result; label for squares; alternatives where a game played alone "
        "has them.",
    )
    result_share: float = setting(0.5, low=0, high=1, group=_VALUES, help="Weight of the result with --target mix.")
    k: float | str = setting(
        AUTO,
        above=0,
        words=(AUTO,),
        group=_VALUES,
        help="K of the winning probability 1/(1+10^(-K·value/400)); auto fits it to results, and is 1 for scores.",
    )
    validation: float = setting(
        0.1,
        above=0,
        below=1,
        flags=("--validation", "--validation-split"),
        group=_VALUES,
        help="Share of the games to hold out.",
    )
    test_split: float = setting(
        0.0, low=0, below=1, group=_VALUES, help="Share of the games that are only looked at when all is chosen."
    )
    k_fold: int | None = setting(
        None, low=2, high=100, group=_VALUES, help="Also fit N times, each time judged on another N-th of the games."
    )
    learning_curve: bool = setting(
        False, group=_VALUES, help="Also fit to an eighth, a quarter and a half of the games."
    )


@dataclass(frozen=True)
class WeightSettings(Settings):
    """Which weights move, and what holds them."""

    penalty: float | str | None = setting(
        None,
        low=0,
        words=(AUTO,),
        group=_WEIGHTS,
        help="Ridge penalty on each weight; auto chooses it. Default: 1000, or 10 for a logistic fit to scores.",
    )
    regularization: float | None = setting(
        None, low=0, group=_WEIGHTS, help="The penalty per position instead: penalty = X · number of positions."
    )
    group_penalty: tuple[str, ...] = setting(
        (), metavar="FEATURE=X", group=_WEIGHTS, help="Penalty of the features that match a pattern. Repeatable."
    )
    l1: float = setting(0.0, low=0, group=_WEIGHTS, help="Penalty on the absolute change of each weight.")
    towards: str = setting(
        "start",
        choices=("zero", "start"),
        group=_WEIGHTS,
        help="What the penalty pulls weights towards: zero, or the starting weights.",
    )
    initial_weights: str | None = setting(
        None, metavar="WEIGHTS", group=_WEIGHTS, help="The starting weights: a file or a name. Default: hand-set."
    )
    window: int | str = setting(
        6, low=0, words=(AUTO,), group=_WEIGHTS, help="Also fit a stage to positions up to this many stages away."
    )
    terms: tuple[str, ...] = setting(
        (),
        flags=("--term", "--only"),
        metavar="FEATURE",
        group=_WEIGHTS,
        help="A feature to fit, or a pattern such as 'king*'; the others stay. Repeatable. Default: all.",
    )
    freeze: tuple[str, ...] = setting(
        (), metavar="FEATURE", group=_WEIGHTS, help="A feature, or a pattern, that keeps its weights. Repeatable."
    )
    tie: tuple[str, ...] = setting(
        (),
        metavar="PATTERN",
        group=_WEIGHTS,
        help="Weights that are kept equal: FEATURE/INDEX/COLUMN, as in 'tempo/*/*'. Repeatable.",
    )
    bound: tuple[str, ...] = setting(
        (),
        metavar="PATTERN=A:B",
        group=_WEIGHTS,
        help="Weights that stay between two values, as in 'material/*/*=50:2000'. Repeatable.",
    )
    dense: str = setting("none", choices=DENSE, group=_WEIGHTS, help="Curve that ordered features must follow.")
    smooth: str = setting("none", choices=SMOOTH, group=_WEIGHTS, help="Pull each slice towards a wider fit.")


@dataclass(frozen=True)
class SolverSettings(Settings):
    """How the minimum is found."""

    method: str = setting(
        AUTO,
        choices=METHODS,
        group=_SOLVER,
        help="The solver. auto: newton (Gauss-Newton) for a logistic loss, cg (conjugate gradient) for squares.",
    )
    iterations: int | None = setting(None, low=1, group=_SOLVER, help="Maximum number of steps.")
    tolerance: float | None = setting(
        None,
        above=0,
        below=1,
        flags=("--tolerance", "--convergence-threshold"),
        group=_SOLVER,
        help="Stop when a step improves the objective by less than this share. Default: 1e-5 for cg, else 1e-8.",
    )
    patience: int | None = setting(
        None,
        low=1,
        group=_SOLVER,
        help="Stop after N checks without a smaller loss on held-out games. Default: 20 for first-order methods.",
    )
    learning_rate: float | None = setting(
        None, above=0, group=_SOLVER, help="Step size of gradient descent and Adam. Default: the method's own."
    )
    checkpoint_interval: float = setting(
        30.0, above=0, metavar="SECONDS", group=_SOLVER, help="Save what resuming needs this often."
    )
    max_memory: float | None = setting(
        None, above=0, metavar="GB", group=_SOLVER, help="Keep rows beyond this in files, and stream them."
    )
    seed: int = seed_setting(_SOLVER)


@dataclass(frozen=True)
class ProofSettings(Settings):
    """How settings are chosen, and whether a match proves the fit."""

    choose: tuple[str, ...] = setting(
        (),
        metavar="SETTING[=A,B…]",
        group=_PROOF,
        help="A setting of a logistic fit to choose, perhaps among values: target, quiet, penalty=10,100, "
        "result_share, k, min_rating, skip_opening … Repeatable. --penalty auto is the same as --choose penalty.",
    )
    choose_by: str = setting(
        AUTO,
        choices=CHOOSE_BY,
        group=_PROOF,
        help="How a logistic fit chooses: match (short matches of every candidate against the start), halves (how far "
        "fits on two halves of the games agree), or loss (on held-out games). auto: match, and halves for a trace.",
    )
    choose_games: int = setting(200, low=2, group=_PROOF, help="Games of each candidate with --choose-by match.")
    prove: bool = setting(False, group=_PROOF, help="Play the fitted weights against the start, with SPRT.")
    prove_games: int = setting(800, low=2, group=_PROOF, help="Maximum number of games with --prove.")
    prove_nodes: int = setting(1000, low=1, group=_PROOF, help="Nodes per move in matches of candidates.")


@dataclass(frozen=True)
class TuneSettings(ProofSettings, SolverSettings, WeightSettings, ValueSettings, PositionSettings):
    """How weights are fitted.

    The defaults are those that won most in matches. A smaller penalty has a smaller error on held-out games, but plays
    worse: a search goes where the evaluation errs upwards.
    """

    def validate(self) -> None:
        """Refuse curves without a penalty, features that are named twice, and shares that leave nothing to fit."""
        if self.dense != "none" and self.penalty == 0:
            raise InputError("dense needs a penalty above 0")
        twice = sorted({name for name in self.terms if self.terms.count(name) > 1})
        if twice:
            raise InputError(f"terms has {', '.join(twice)} more than once")
        if self.penalty is not None and self.regularization is not None:
            raise InputError("give a penalty or a regularization, not both: one is the other per position")
        if self.validation + self.test_split >= 1:
            raise InputError("validation and test_split together leave no games to fit")
        if None not in (self.min_rating, self.max_rating) and (self.min_rating or 0) > (self.max_rating or 0):
            raise InputError(f"min_rating is {self.min_rating}, above max_rating, which is {self.max_rating}")
        for name, values in self.choices.items():
            if name in self._given:
                raise InputError(f"{name} is given and is to be chosen; remove one of the two")
            for value in values:
                self.override({"choose": (), name: value})  # refuses what the setting cannot be
        if self.method == CG and self.loss in (LOGISTIC, CROSS_ENTROPY):
            raise InputError(f"method cg is for squared errors; for loss {self.loss} use newton, lbfgs or adam")

    @property
    def choices(self) -> dict[str, tuple[Value, ...]]:
        """The candidates of each setting that a joint fit chooses, in the order in which it does."""
        automatic = self.penalty == AUTO and PENALTY not in [text.partition("=")[0].strip() for text in self.choose]
        return read_choices((*self.choose, *([PENALTY] if automatic else [])))

    @property
    def _given(self) -> set[str]:
        """The settings that have a value of their own, which choosing them would override."""
        changed = {name for name, value in self.changed().items() if value != AUTO}
        return changed | ({PENALTY} if self.regularization is not None else set())

    @property
    def automatic(self) -> tuple[str, ...]:
        """The settings that validation chooses, in the order in which it does."""
        return tuple(name for name in ("window", "penalty", "dense", "smooth") if getattr(self, name) == AUTO)

    @property
    def squares_tolerance(self) -> float:
        """The tolerance of conjugate gradient."""
        return 1e-5 if self.tolerance is None else self.tolerance

    @property
    def squares_target(self) -> str:
        """The target of squared errors."""
        return "label" if self.target == AUTO else self.target

    def loss_for(self, game: Game) -> str:
        """The loss, resolved: logistic where two players win or lose, squared where a game has a margin."""
        if self.loss != AUTO:
            return self.loss
        return LOGISTIC if game.win and game.players == 2 else SQUARED

    def joint(self, game: Game) -> bool:
        """Whether all columns are fitted by the methods of a logistic loss, and not by least squares."""
        return self.loss_for(game) != SQUARED or self.method not in (AUTO, CG)


@dataclass(frozen=True)
class CheckSettings(Settings):
    """How weights are compared with known values."""

    depths: tuple[int, ...] = setting(
        (),
        low=1,
        flags=("--depth", "-d"),
        metavar="N[,N…]",
        help="Also measure searches to these depths.",
    )
    sample: int = setting(2000, low=1, help="Maximum number of positions to search for each depth.")
    exact: bool = setting(False, help="Use only positions with exact values.")
    stages: str | None = setting(None, metavar="A-B", help="Use only positions in these stages.")
    seed: int = seed_setting()

    def validate(self) -> None:
        """Refuse stages that are no range."""
        stage_range(self.stages)

    @property
    def stage_range(self) -> tuple[int, int] | None:
        """The first and the last stage; None for all."""
        return stage_range(self.stages)
