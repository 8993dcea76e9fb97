"""Importing games: into a new dataset, or appended to one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalsmith.positions.importing.appending import append_files
from evalsmith.positions.importing.importer import import_files
from evalsmith.positions.importing.settings import ImportSettings
from evalsmith.positions.importing.summary import ImportedDataset
from evalsmith.positions.selection.selection import read_selection
from evalsmith.run.watching import Watch, unwatched


def import_games(
    files: Sequence[Path | str] | Path | str,
    output: Path | str,
    *,
    select: Path | str | None = None,
    append: bool = False,
    overwrite: bool = False,
    progress: Watch = unwatched,
    **settings: Any,
) -> ImportedDataset:
    """Read files of games or of positions into a dataset.

    Settings are those of `ImportSettings`; ``select`` is a TOML file with a table ``[select]``, which they override.
    Called again, an interrupted import resumes after its last part; other files or settings are refused unless
    ``overwrite`` is given. ``append`` adds the positions to an existing dataset.

        data = import_games(["games.pgn"], "positions", quiet=2, min_rating=2000)
        data.summary.rejected
    """
    chosen = ImportSettings.from_options(settings)
    if select is not None:
        chosen = ImportSettings(select=read_selection(Path(select))).override(settings)
    paths = [Path(file) for file in ([files] if isinstance(files, Path | str) else files)]
    work = append_files if append else import_files
    return work(paths, Path(output), chosen, overwrite=overwrite, progress=progress)
