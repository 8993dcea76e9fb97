"""``evalsmith engine``: our engine for the interfaces of the world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.output import GameName, Memory, Method, Threads, WeightsFile, Without


def engine(
    game_name: GameName,
    protocol: Annotated[
        str | None,
        typer.Option("--protocol", help="uci, usi, nboard, gtp, codecup or states; the game's own if left out."),
    ] = None,
    weights: WeightsFile = None,
    memory: Memory = None,
    threads: Threads = 1,
    method: Method = "alphabeta",
    without: Without = None,
    budget: Annotated[
        float, typer.Option("--budget", min=0.5, help="Seconds of thinking for a whole game (codecup).")
    ] = 5.0,
) -> None:
    """Run the engine under a protocol on standard input and output, for graphical interfaces and match runners."""
    from evalsmith.games import find_game
    from evalsmith.protocols import EngineOptions, run_engine
    from evalsmith.protocols.listening import leave

    options = EngineOptions(
        _existing(weights),
        memory_bytes=memory,
        threads=threads,
        method=method,
        without=tuple(without or ()),
        budget=budget,
    )
    run_engine(find_game(game_name), protocol, options)
    leave()


def _existing(path: Path | None) -> Path | None:
    from evalsmith.run import InputError

    if path is not None and not path.is_file():
        raise InputError(f"there is no weights file {path}")
    return path
