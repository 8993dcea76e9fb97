"""Training a net on datasets of self-play: what others call. PyTorch is imported when it begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.net.checkpoint import SUFFIX, refuse_other_shape
from evalsmith.net.results import TrainResult
from evalsmith.net.settings import TrainSettings
from evalsmith.run import InputError
from evalsmith.run.watching import Watch, unwatched


def train_net(
    game: Game,
    datasets: Sequence[Path | str],
    output: Path | str,
    *,
    start: Path | str | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> TrainResult:
    """Train a net on datasets of one game, from another net or from random numbers, and write it.

    ``settings`` are those of `TrainSettings`: passes, batch, rate, schedule, augment, validation, k, f, r, l, c, seed.
    """
    chosen = TrainSettings.from_options(settings)
    if start is not None:
        refuse_other_shape(Path(start), settings)
    paths, output = [Path(each) for each in datasets], Path(output)
    return run_training(game, paths, output, chosen, None if start is None else Path(start), progress, concurrency)


def run_training(
    game: Game,
    datasets: Sequence[Path],
    output: Path,
    settings: TrainSettings,
    start: Path | None,
    progress: Watch,
    concurrency: int | None = None,
) -> TrainResult:
    """`train_net` with everything resolved."""
    if output.suffix != SUFFIX:  # said before hours of training, not after
        raise InputError(f"a net is written to a file with the suffix {SUFFIX}, not {output}")
    from evalsmith.net import trainer  # PyTorch comes with it

    return trainer.run_training(game, datasets, output, settings, start, progress, concurrency)
