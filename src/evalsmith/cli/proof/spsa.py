"""``evalsmith spsa``: parameters of an engine, tuned by games between it and itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.arena.spsa.settings import SpsaSettings
from evalsmith.cli.common import arena_options as options
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, On, print_result
from evalsmith.run import Bar

PROOF = "Proof"


@takes(SpsaSettings)
def spsa(
    *,
    what: Annotated[
        Path,
        typer.Argument(metavar="EVENT.toml|RUN", help="A file with the engine and its parameters, or a run folder."),
    ],
    given: dict[str, Any],
    prove: Annotated[
        bool,
        typer.Option("--prove", rich_help_panel=PROOF, help="Then play the last values against the first ones."),
    ] = False,
    sprt: Annotated[
        str, typer.Option("--sprt", metavar="ELO0,ELO1", rich_help_panel=PROOF, help="The sequential test of --prove.")
    ] = "0,5",
    proof_games: Annotated[
        int, typer.Option("--proof-games", metavar="N", min=2, rich_help_panel=PROOF, help="Most games of --prove.")
    ] = 40_000,
    output: options.Output = None,
    pin: options.Pin = True,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Tune constants of our search or options of a program by games between it and itself.

    A run folder in place of the file shows how far that run is.
    """
    if what.is_dir():
        print_result(calls.read_spsa(what), json_output)
        return
    event = calls.read_spsa_file(what)
    game = load_game(event.game)
    for one, other in (("games", "iterations"), ("iterations", "games")):
        if one in given:
            given.setdefault(other, None)  # the file's length, in whichever unit, is not that of the command line
    settings = event.settings.override(given)
    options.warn_of_threads([calls.parse_player(event.player, game)], {"nodes": settings.limit.nodes})
    result = es.spsa(
        game,
        event.player,
        event.parameters,
        output=output or event.output,
        concurrency=concurrency,
        progress=ValuesBar,
        pin=pin,
        prove=prove,
        sprt=sprt,
        proof_games=proof_games,
        **settings.changed(),
    )
    print_result(result, json_output)


class ValuesBar(Bar):
    """A progress bar with the values as they stand."""

    def __init__(self, title: str, total: int | None, unit: str) -> None:
        super().__init__(title, total or 0, unit)

    def show_values(self, values: Mapping[str, float]) -> None:
        """The values so far."""
        self.rename(", ".join(f"{name} {value:.4g}" for name, value in values.items()))
