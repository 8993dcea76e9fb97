"""``evalsmith engine``: our engine for graphical interfaces and match runners."""

from __future__ import annotations

from typing import Annotated

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.output import (
    DEFAULT_REPLACEMENT,
    GameName,
    Memory,
    Method,
    Replacement,
    Threads,
    WeightsText,
    Without,
)


def engine(
    game_name: GameName,
    protocol: Annotated[
        str | None,
        typer.Option("--protocol", help="uci, usi, nboard, gtp, codecup or states. Default: the game's standard one."),
    ] = None,
    weights: WeightsText = None,
    memory: Memory = None,
    threads: Threads = 1,
    method: Method = "alphabeta",
    without: Without = None,
    replacement: Replacement = DEFAULT_REPLACEMENT,
    budget: Annotated[float, typer.Option("--budget", min=0.5, help="Seconds per game under codecup.")] = 5.0,
) -> None:
    """Run the engine on standard input and output, for graphical interfaces and match runners."""
    game = es.find_game(game_name)
    if weights is not None:
        calls.check_weights_text(weights, game)
    options = calls.EngineOptions(
        weights,
        memory_bytes=memory,
        threads=threads,
        method=method,
        without=tuple(without or ()),
        replacement=replacement,
        budget=budget,
    )
    calls.run_engine(game, protocol, options)
    calls.leave()
