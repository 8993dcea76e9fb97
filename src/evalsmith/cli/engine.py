"""``evalsmith engine``: our engine for the interfaces of the world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.output import GameName, WeightsFile


def engine(
    game_name: GameName,
    protocol: Annotated[
        str | None, typer.Option("--protocol", help="uci, usi, nboard, gtp or codecup; the game's own if left out.")
    ] = None,
    weights: WeightsFile = None,
    memory: Annotated[
        int, typer.Option("--memory", metavar="BYTES", min=65536, help="Bytes for the transposition table.")
    ] = 16 << 20,
) -> None:
    """Run the engine under a protocol on standard input and output, for graphical interfaces and match runners."""
    from evalsmith.games import find_game
    from evalsmith.protocols import run_engine

    run_engine(find_game(game_name), protocol, _existing(weights), memory)


def _existing(path: Path | None) -> Path | None:
    from evalsmith.run import InputError

    if path is not None and not path.is_file():
        raise InputError(f"there is no weights file {path}")
    return path
