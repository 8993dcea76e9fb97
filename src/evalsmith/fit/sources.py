"""Tuning from whatever a user brings: a dataset, a mix of several, files of games, or only how to make positions.

Files of games become a dataset in the run folder first. A dataset that is not there is made by self-play where the user
says of which game; a path alone is not enough for that, because a misspelt one would cost hours.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evalsmith.fit.config import Generation, TuneConfig, TuneRequest, check_terms
from evalsmith.fit.fitting import tune
from evalsmith.fit.results import Tuned
from evalsmith.fit.watching import Watch, unwatched
from evalsmith.games import Game, find_game
from evalsmith.positions import Dataset, Mix, generate, import_records, is_dataset, open_dataset, open_mix
from evalsmith.positions.store.dataset import IMPORTED
from evalsmith.records import open_records
from evalsmith.run import InputError, RunFolder

POSITIONS = "positions"
Say = Callable[[str], None]


def tune_sources(
    sources: Sequence[Path],
    folder: Path,
    config: TuneConfig,
    *,
    game: Game | None = None,
    concurrency: int | None = None,
    watch: Watch = unwatched,
    say: Say = lambda text: None,
) -> Tuned:
    """Fit weights from a dataset or from files of games, in a run folder that can be resumed."""
    request = TuneRequest(tuple(sources), None, config, concurrency)
    return tune_request(request, folder, game=game, watch=watch, say=say)


def tune_request(
    request: TuneRequest, folder: Path, *, game: Game | None = None, watch: Watch = unwatched,
    say: Say = lambda text: None,
) -> Tuned:  # fmt: skip
    """Fit weights from what a user asks for, making positions first where there are none."""
    sources, config = request.sources, request.config
    if game is None and request.generation is not None:
        game = find_game(request.generation.game)
    dataset = _given(request, game, watch, say)
    check_terms(dataset.game if dataset else game or find_game(open_records(sources).game), config)
    stored: dict[str, Any] = {
        "kind": "tune",
        "sources": [str(source) for source in sources],
        "content": _fingerprint(dataset.parts() if dataset else _files(sources)),
        **asdict(config),
    }
    if isinstance(dataset, Mix):
        stored["mix"] = dict(zip((str(part.path) for part in dataset.datasets), dataset.taken, strict=True))
    fresh = not folder.exists()
    try:
        with RunFolder(folder, stored) as run:
            if dataset is None:
                dataset = _imported(sources, folder / POSITIONS, game, say)
            return tune(dataset.game, dataset.read(), run, config, concurrency=request.concurrency, watch=watch)
    except InputError:
        # What cannot be fitted leaves nothing behind, so that the corrected command is not held against it.
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _given(request: TuneRequest, game: Game | None, watch: Watch, say: Say) -> Dataset | Mix | None:
    """The dataset or the mix that is asked for, made first where it is missing; None where there are files of games."""
    sources = request.sources
    if request.mix is not None:
        return open_mix(request.mix, request.base, seed=request.config.seed)
    if request.generation is not None and (request.generation.grow or _missing(sources)):
        if len(sources) != 1:
            raise InputError(f"generate makes one dataset, but {len(sources)} paths are named")
        return _generated(sources[0], request.generation, request, watch, say)
    for source in sources:
        if not source.exists():
            raise InputError(
                f"there is no dataset or file {source}; to make a dataset there by self-play first, say --game NAME "
                "(and --generate GAMES), or have a table [generate] in a TOML file"
            )
    if any(is_dataset(source) for source in sources):
        if len(sources) > 1:
            raise InputError("one dataset, or several files of games, but not both")
        return open_dataset(sources[0], game)
    return None


def _missing(sources: Sequence[Path]) -> bool:
    """Whether one path is named where nothing is, or a dataset that is not whole."""
    if len(sources) != 1:
        return False
    path = sources[0]
    return not path.exists() or (is_dataset(path) and not open_dataset(path).whole)


def _generated(path: Path, generation: Generation, request: TuneRequest, watch: Watch, say: Say) -> Dataset:
    """The dataset at a path. One that self-play made goes on to as many games as are asked for; any other is taken."""
    game, config = find_game(generation.game), generation.config
    check_terms(game, request.config)
    if path.exists() and not is_dataset(path) and (path.is_file() or any(path.iterdir())):
        raise InputError(f"{path} is not a dataset, so nothing is made there; choose another path")
    if is_dataset(path):
        there = open_dataset(path, game)
        if there.whole and there.made.get("how") != "self-play":
            return there
        say(f"{path} is there; it is made up to {config.games:,} games of self-play where some are missing")
    else:
        say(
            f"{path} is not there: it is made first, from {config.games:,} games of {game.title} self-play at "
            f"{config.nodes:,} nodes a move, each position valued by how its game went on"
        )
    with watch("self-play", config.games, "games") as progress:
        return generate(game, path, config, concurrency=request.concurrency, progress=progress)


def _imported(sources: Sequence[Path], place: Path, game: Game | None, say: Say) -> Dataset:
    """The dataset of files of games, in the run folder; made once."""
    if not (place / IMPORTED).exists():
        imported = import_records(sources, place, game=game)
        for fault in imported.faults[:10]:
            say(fault)
        rejected = ", ".join(f"{count} {reason}" for reason, count in imported.rejected.items())
        say(f"{imported.games:,} games, {imported.positions:,} positions; rejected: {rejected or 'none'}")
    return open_dataset(place, game)


def _files(sources: Sequence[Path]) -> list[Path]:
    """The files that are meant, those of folders too."""
    found: list[Path] = []
    for source in sources:
        found += sorted(file for file in source.rglob("*") if file.is_file()) if source.is_dir() else [source]
    return found


def _fingerprint(files: Sequence[Path]) -> str:
    """What files hold, so that a run is never continued with other positions."""
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
