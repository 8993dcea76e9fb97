"""Fitting: the design matrix, the solver, validation by game, and one tuning run."""

from evalsmith.fit.cg import Solution, solve
from evalsmith.fit.matrix import Matrix, build_matrix
from evalsmith.fit.sources import tune_sources
from evalsmith.fit.tune import Stage, TuneConfig, Tuned, tune
from evalsmith.fit.validation import Errors, errors, held_out, total

__all__ = [
    "Errors",
    "Matrix",
    "Solution",
    "Stage",
    "TuneConfig",
    "Tuned",
    "build_matrix",
    "errors",
    "held_out",
    "solve",
    "total",
    "tune",
    "tune_sources",
]
