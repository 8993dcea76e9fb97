"""A small quantised net as the evaluation of alpha-beta: what others call. PyTorch is imported when it begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalsmith.compile import LANES
from evalsmith.games import Game
from evalsmith.games.planes import planes_of
from evalsmith.net.results import ValueResult
from evalsmith.net.value_settings import ValueSettings
from evalsmith.run import InputError
from evalsmith.run.watching import Watch, unwatched
from evalsmith.weights import load_weights
from evalsmith.weights.file import linear_only, own_terms

SUFFIX = ".json"


def train_value(
    game: Game,
    datasets: Sequence[Path | str],
    output: Path | str,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> ValueResult:
    """Train a small net over linear weights on datasets of one game, and write both as a weights file.

    It learns what the linear weights miss; with ``alone`` it learns all of it, and the linear weights only serve what
    needs them (a solver that orders moves). ``settings`` are those of `ValueSettings`.
    """
    chosen, output = ValueSettings.from_options(settings), Path(output)
    if output.suffix != SUFFIX:
        raise InputError(f"weights are written to a file with the suffix {SUFFIX}, not {output}")
    if chosen.units % LANES:
        raise InputError(f"units must be a multiple of {LANES}, not {chosen.units}")
    planes_of(game)
    weights = linear_only(load_weights(chosen.weights, game), "a net stands over")
    own_terms(weights, "nets")
    from evalsmith.net import value_trainer  # PyTorch comes with it

    return value_trainer.run_value_training(
        game, [Path(each) for each in datasets], output, chosen, weights, progress, concurrency
    )
