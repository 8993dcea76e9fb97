"""An SPSA run as a TOML file describes it; `settings` shows one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.arena.spsa.settings import SpsaSettings
from evalsmith.players.player_file import player_text
from evalsmith.run import InputError
from evalsmith.run.toml import read_toml


@dataclass(frozen=True)
class SpsaFile:
    """The name of the game, the player as a text, the tables of its parameters, the settings, and the run folder."""

    game: str
    player: str
    parameters: dict[str, dict[str, Any]]
    settings: SpsaSettings
    output: Path | None


def read_spsa_file(path: Path) -> SpsaFile:
    """The run that a TOML file describes; unknown keys are refused."""
    document = read_toml(path)
    try:
        return _parse(document)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _parse(document: dict[str, Any]) -> SpsaFile:
    game, player = document.pop("game", None), document.pop("player", None)
    parameters, output = document.pop("parameters", None), document.pop("output", None)
    if not isinstance(game, str):
        raise InputError("expected game, the name of an installed game")
    if player is None:
        raise InputError('expected player, the engine to tune, such as player = "self" or player = "uci:./mine"')
    if not isinstance(parameters, dict) or not parameters:
        raise InputError("expected a table [parameters.NAME] for each parameter")
    if output is not None and not (isinstance(output, str) and output):
        raise InputError(f"output must be the path of a run folder, not {output!r}")
    text = player if isinstance(player, str) else player_text("tuned", player)
    return SpsaFile(game, text, parameters, SpsaSettings.from_table(document), Path(output) if output else None)
