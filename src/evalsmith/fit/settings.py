"""How weights are fitted and judged: the settings of ``tune`` and of ``weights check``."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.positions.selection.stage_range import stage_range
from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, seed_setting, setting

AUTO = "auto"
DENSE = ("none", "linear", "sqrt", "monotone", AUTO)
SMOOTH = ("none", "stages", AUTO)
TARGETS = ("label", "result", "score", "mix")
_VALUES, _WEIGHTS, _SOLVER = "Values and validation", "Weights", "Solver"


@dataclass(frozen=True)
class TuneSettings(Settings):
    """How weights are fitted.

    The defaults are those that won most in matches after 6,000 and 24,000 games of Othello. A smaller penalty has a
    smaller error on held-out games there, but plays worse: a search goes where the evaluation errs upwards.
    """

    target: str = setting(
        "label",
        choices=TARGETS,
        group=_VALUES,
        help="The value to fit: label (the label if the position has one, else the result), result, score, or mix "
        "(of result and score).",
    )
    result_share: float = setting(0.5, low=0, high=1, group=_VALUES, help="Weight of the result with --target mix.")
    validation: float = setting(0.1, above=0, below=1, group=_VALUES, help="Share of the games to hold out.")
    penalty: float | str = setting(
        1000.0,
        low=0,
        words=(AUTO,),
        group=_WEIGHTS,
        help="Ridge penalty on each weight; auto chooses it by validation.",
    )
    towards: str = setting(
        "start",
        choices=("zero", "start"),
        group=_WEIGHTS,
        help="What the penalty pulls weights towards: zero, or the hand-set weights (start).",
    )
    window: int | str = setting(
        6, low=0, words=(AUTO,), group=_WEIGHTS, help="Also fit a stage to positions up to this many stages away."
    )
    terms: tuple[str, ...] = setting(
        (),
        flags=("--term",),
        metavar="FEATURE",
        group=_WEIGHTS,
        help="A feature to fit; the others keep the value that the penalty pulls to. Repeatable. Default: all.",
    )
    dense: str = setting("none", choices=DENSE, group=_WEIGHTS, help="Curve that ordered features must follow.")
    smooth: str = setting("none", choices=SMOOTH, group=_WEIGHTS, help="Pull each slice towards a wider fit.")
    loss: str = setting("squared", choices=("squared",), group=_SOLVER, help="The loss function.")
    method: str = setting("cg", choices=("cg",), group=_SOLVER, help="The solver: cg is conjugate gradient.")
    tolerance: float = setting(
        1e-5, above=0, below=1, group=_SOLVER, help="Stop when a step improves the objective by less than this share."
    )
    seed: int = seed_setting(_SOLVER)

    def validate(self) -> None:
        """Refuse curves without a penalty, and features that are named twice."""
        if self.dense != "none" and self.penalty == 0:
            raise InputError("dense needs a penalty above 0")
        twice = sorted({name for name in self.terms if self.terms.count(name) > 1})
        if twice:
            raise InputError(f"terms has {', '.join(twice)} more than once")

    @property
    def automatic(self) -> tuple[str, ...]:
        """The settings that validation chooses, in the order in which it does."""
        return tuple(name for name in ("window", "penalty", "dense", "smooth") if getattr(self, name) == AUTO)


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
