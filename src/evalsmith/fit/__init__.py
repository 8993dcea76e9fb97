"""Fitting: the design matrix, the solver, validation by game, and one tuning run."""

from evalsmith.fit.cg import Solution, solve
from evalsmith.fit.choosing import Choice, Tried
from evalsmith.fit.config import Generation, TuneConfig, TuneRequest, read_request
from evalsmith.fit.fitting import tune
from evalsmith.fit.matrix import Matrix, build_matrix
from evalsmith.fit.results import Stage, Tuned
from evalsmith.fit.sources import tune_request, tune_sources
from evalsmith.fit.validation import Errors, errors, held_out, total

__all__ = [
    "Choice",
    "Errors",
    "Generation",
    "Matrix",
    "Solution",
    "Stage",
    "Tried",
    "TuneConfig",
    "TuneRequest",
    "Tuned",
    "build_matrix",
    "errors",
    "held_out",
    "read_request",
    "solve",
    "total",
    "tune",
    "tune_request",
    "tune_sources",
]
