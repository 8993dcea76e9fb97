"""What an import is asked for, besides the files and the dataset to write."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.positions.selection.selection import Selection
from evalsmith.run.settings import Settings, nested, setting


@dataclass(frozen=True)
class ImportSettings(Settings):
    """How files are read, what is taken of them, and what is stored."""

    game: str | None = setting(
        None, metavar="GAME", group="Files", help="The game. Default: recognised from the files."
    )
    format: str | None = setting(
        None, metavar="FORMAT", group="Files", help="The format of the files. Default: recognised from the files."
    )
    select: Selection = nested(Selection)
    moves: bool = setting(True, group="Stored columns", help="Store the move played from each position.")
    text: bool = setting(False, group="Stored columns", help="Also store the position as text (FEN, SFEN, …).")
