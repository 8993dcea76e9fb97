"""Arguments that the verbs of ``evalsmith data`` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Output: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", metavar="DATASET", help="The dataset folder to write.")
]
DatasetPath: TypeAlias = Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset folder.")]
