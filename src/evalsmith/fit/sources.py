"""Tuning from whatever a user brings: a dataset, or files of games, which become a dataset first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evalsmith.fit.config import TuneConfig, check_terms
from evalsmith.fit.results import Tuned
from evalsmith.fit.tune import tune
from evalsmith.games import Game, find_game
from evalsmith.positions import Dataset, import_records, is_dataset, open_dataset
from evalsmith.positions.dataset import IMPORTED
from evalsmith.records import open_records
from evalsmith.run import Bar, InputError, Progress, RunFolder, Silent

POSITIONS = "positions"


def tune_sources(
    sources: Sequence[Path],
    folder: Path,
    config: TuneConfig,
    *,
    game: Game | None = None,
    concurrency: int | None = None,
    bars: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Tuned:
    """Fit weights from a dataset or from files of games, in a run folder that can be resumed."""
    for source in sources:
        if not source.exists():
            raise InputError(f"there is no dataset or file {source}")
    dataset: Dataset | None = None
    if any(is_dataset(source) for source in sources):
        if len(sources) > 1:
            raise InputError("one dataset, or several files of games, but not both")
        dataset = open_dataset(sources[0], game)
    if config.terms:
        # Before the run begins: a run that holds an import would not take the corrected command.
        meant = dataset.game if dataset else game or find_game(open_records(sources).game)
        check_terms(meant, config)
    stored: dict[str, Any] = {
        "kind": "tune",
        "sources": [str(source) for source in sources],
        "content": _fingerprint(dataset.parts() if dataset else _files(sources)),
        **asdict(config),
    }
    with RunFolder(folder, stored) as run, ExitStack() as stack:

        def bar(title: str, total: int, unit: str) -> Progress:
            return stack.enter_context(Bar(title, total, unit)) if bars else Silent()

        if dataset is None:
            place = folder / POSITIONS
            if not (place / IMPORTED).exists():
                imported = import_records(sources, place, game=game)
                for fault in imported.faults[:10]:
                    say(fault)
                rejected = ", ".join(f"{count} {reason}" for reason, count in imported.rejected.items())
                say(f"{imported.games:,} games, {imported.positions:,} positions; rejected: {rejected or 'none'}")
            dataset = open_dataset(place, game)
        columns = len(dataset.game.evaluation.columns)
        return tune(
            dataset.game,
            dataset.read(),
            run,
            config,
            concurrency=concurrency,
            progress=bar("fitting", columns, "columns"),
        )


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
