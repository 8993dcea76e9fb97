"""A finished fit of a generation: a run that was killed after it reads its figures, and does not fit again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from evalsmith.fit.results import FitResult
from evalsmith.games import Game
from evalsmith.run import EvalsmithError, write_json
from evalsmith.weights import Weights, read_weights_file

FITTED = "fitted.json"


@dataclass(frozen=True)
class Fitted:
    """Fitted weights, with the loss and its values on held-out games before and after."""

    weights: Weights
    loss: str
    loss_before: float
    loss_after: float


def write_fitted(run: Path, weights: Weights, found: FitResult) -> Fitted:
    """Store the figures of a fit; its weights file is there already."""
    fitted = Fitted(weights, str(found.settings["loss"]), found.loss_before, found.loss_after)
    figures = {"loss": fitted.loss, "loss_before": fitted.loss_before, "loss_after": fitted.loss_after}
    write_json(run / FITTED, {"digest": weights.digest, **figures})
    return fitted


def read_fitted(run: Path, weights_path: Path, game: Game) -> Fitted | None:
    """A finished fit; None where there is none, or where its weights are not those that it made."""
    try:
        stored = json.loads((run / FITTED).read_text(encoding="utf-8"))
        weights = read_weights_file(weights_path, game)
        if weights.digest != stored["digest"]:
            return None
        return Fitted(weights, str(stored["loss"]), float(stored["loss_before"]), float(stored["loss_after"]))
    except (OSError, ValueError, KeyError, TypeError, EvalsmithError):
        return None
