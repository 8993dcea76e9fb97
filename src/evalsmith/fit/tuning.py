"""Tuning from whatever a user brings: a dataset, a mixture, files of games, or only how to make positions.

Files of games become a dataset in the run folder first. A dataset that is not there is made by self-play where the user
says of which game; a path alone is not enough for that, because a misspelt one would cost hours.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalsmith.fit.fitting import fit_samples
from evalsmith.fit.request import Data, Generation, TuneRequest, check_terms, resolve_request
from evalsmith.fit.results import FitResult
from evalsmith.games import Game, find_game
from evalsmith.positions.importing.importer import import_files
from evalsmith.positions.importing.settings import ImportSettings
from evalsmith.positions.selfplay.generation import generate_with
from evalsmith.positions.store.dataset import IMPORTED, Dataset, is_dataset, load_dataset
from evalsmith.positions.transform.mixture import Mixture, open_mixture
from evalsmith.records import read_games
from evalsmith.run import InputError, RunFolder
from evalsmith.run.watching import Watch, unwatched
from evalsmith.weights import save_weights

POSITIONS = "positions"
Say = Callable[[str], None]
_SHOWN_ERRORS = 10


def _silent(text: str) -> None:
    """Say nothing."""


def tune(
    data: Data,
    output: Path | str | None = None,
    *,
    config: Path | str | None = None,
    game: str | None = None,
    generate: int | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    say: Say = _silent,
    **settings: Any,
) -> FitResult:
    """Fit the weights of a game to positions, validated on held-out games.

    ``data`` is a dataset, its path, files of games, or a TOML file (see `read_request`); with ``game`` a dataset that
    is not there is made by self-play, of ``generate`` games. Settings are those of `TuneSettings`. The weights are
    written to ``output``, and the run to the folder beside it that ends in ``.run``: called again, a killed fit resumes
    there, and one with other settings is refused. Without ``output`` nothing stays on disk.

        fit = tune("positions", "weights.json", penalty="auto")
        fit.validation.absolute, fit.weights, fit.report()
    """
    request = resolve_request(data, output, config=config, game=game, generate=generate, settings=settings)
    return run_request(replace(request, concurrency=concurrency or request.concurrency), progress=progress, say=say)


def run_request(request: TuneRequest, *, progress: Watch = unwatched, say: Say = _silent) -> FitResult:
    """Fit, and write the weights and the run folder beside them; in a temporary folder where no output is named."""
    if request.output is None:
        place = tempfile.TemporaryDirectory(prefix="evalsmith-")
        found = run_request(replace(request, output=Path(place.name) / "weights.json"), progress=progress, say=say)
        return replace(found, output=None, temporary=place)
    folder = request.output.with_suffix(".run")
    found = tune_request(request, folder, progress=progress, say=say)
    save_weights(found.weights, request.output)
    return replace(found, output=request.output)


def tune_request(
    request: TuneRequest, folder: Path, *, game: Game | None = None, progress: Watch = unwatched, say: Say = _silent
) -> FitResult:
    """Fit weights in a run folder, making positions first where there are none."""
    sources, settings = request.sources, request.settings
    if game is None and request.generation is not None:
        game = find_game(request.generation.game)
    dataset = _given(request, game, progress, say)
    check_terms(dataset.game if dataset else game or find_game(read_games(sources).game), settings)
    fresh = not folder.exists()
    try:
        with RunFolder(folder, _stored(request, dataset)) as run:
            if dataset is None:
                dataset = _imported(sources, folder / POSITIONS, game, say)
            return fit_samples(
                dataset.game, dataset.read(), run, settings, concurrency=request.concurrency, progress=progress
            )
    except InputError:
        # What cannot be fitted leaves nothing, so that the corrected command is not refused because of it.
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _stored(request: TuneRequest, dataset: Dataset | Mixture | None) -> dict[str, Any]:
    """The configuration of the run: what must be the same for a run to resume."""
    sources = [dataset.path] if request.data is not None and isinstance(dataset, Dataset) else request.sources
    stored: dict[str, Any] = {
        "kind": "tune",
        "sources": [str(source) for source in sources],
        "content": _fingerprint(dataset.parts() if dataset else _files(request.sources)),
        **request.settings.to_table(),
    }
    if isinstance(dataset, Mixture):
        stored["mix"] = dict(zip((str(part.path) for part in dataset.datasets), dataset.taken, strict=True))
    return stored


def _given(request: TuneRequest, game: Game | None, progress: Watch, say: Say) -> Dataset | Mixture | None:
    """The dataset or the mixture asked for, made first where it is missing; None where there are files of games."""
    sources = request.sources
    if request.data is not None:
        return request.data
    if request.mix is not None:
        return open_mixture(request.mix, request.base, seed=request.settings.seed)
    if request.generation is not None and (request.generation.grow or _missing(sources)):
        if len(sources) != 1:
            raise InputError(f"generate makes one dataset, but {len(sources)} paths are given")
        return _generated(sources[0], request.generation, request, progress, say)
    for source in sources:
        if not source.exists():
            raise InputError(
                f"there is no dataset or file {source}; to make a dataset there by self-play first, say --game NAME "
                "(and --generate GAMES), or have a table [generate] in a TOML file"
            )
    if any(is_dataset(source) for source in sources):
        if len(sources) > 1:
            raise InputError("give one dataset, or several files of games, not both")
        return load_dataset(sources[0], game)
    return None


def _missing(sources: Sequence[Path]) -> bool:
    """Whether one path is named where nothing is, or a partial dataset."""
    if len(sources) != 1:
        return False
    path = sources[0]
    return not path.exists() or (is_dataset(path) and not load_dataset(path).complete)


def _generated(path: Path, generation: Generation, request: TuneRequest, progress: Watch, say: Say) -> Dataset:
    """The dataset at a path. One that self-play made grows to as many games as are asked for; any other is taken."""
    game, settings = find_game(generation.game), generation.settings
    check_terms(game, request.settings)
    if path.exists() and not is_dataset(path) and (path.is_file() or any(path.iterdir())):
        raise InputError(f"{path} exists and is not a dataset; choose another path")
    if is_dataset(path):
        there = load_dataset(path, game)
        if there.complete and there.made.get("how") != "self-play":
            return there
        say(f"{path} exists; adding self-play games up to {settings.games:,} if there are fewer")
    else:
        say(
            f"{path} does not exist; generating it from {settings.games:,} games of {game.title} self-play at "
            f"{settings.nodes:,} nodes per move, each position labelled with the result of its game"
        )
    return generate_with(game, path, settings, concurrency=request.concurrency, progress=progress)


def _imported(sources: Sequence[Path], place: Path, game: Game | None, say: Say) -> Dataset:
    """The dataset of files of games, in the run folder; made once."""
    if not (place / IMPORTED).exists():
        settings = ImportSettings(game=None if game is None else game.name)
        summary = import_files(sources, place, settings).summary
        for error in summary.errors[:_SHOWN_ERRORS]:
            say(error)
        rejected = ", ".join(f"{count} {reason}" for reason, count in summary.rejected.items())
        say(f"{summary.games:,} games, {summary.positions:,} positions; rejected: {rejected or 'none'}")
    return load_dataset(place, game)


def _files(sources: Sequence[Path]) -> list[Path]:
    """The files that are meant, those of folders too."""
    found: list[Path] = []
    for source in sources:
        found += sorted(file for file in source.rglob("*") if file.is_file()) if source.is_dir() else [source]
    return found


def _fingerprint(files: Sequence[Path]) -> str:
    """A hash of what files hold, so that a run is never resumed with other positions."""
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        digest.update(file.name.encode("utf-8", "surrogateescape") + b"\0")
        try:
            if not file.is_file():
                continue
            with open(file, "rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
        except OSError as error:
            raise InputError(f"cannot read {file}: {error.strerror}") from None
    return digest.hexdigest()
