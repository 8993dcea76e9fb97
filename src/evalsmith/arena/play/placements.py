"""Whose opening was better: games are cut after some plies, and referees play the rest, several times each.

The answer depends on the referee, so several can be asked and are shown side by side (`finishing`, `placement_table`).
The unit of all errors is the cut game: that it was finished ten times does not make it ten games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalsmith.arena.results.log import GAMES, read_log
from evalsmith.games import Game, find_game
from evalsmith.positions.store.dataset import is_dataset
from evalsmith.records import read_games
from evalsmith.run import InputError
from evalsmith.run import read_config as read_run_config


@dataclass(frozen=True)
class Placement:
    """A game cut short: its number, who had which side, where it began, and the moves up to the cut."""

    number: int
    sides: tuple[str, str]
    start: str | None
    moves: tuple[int, ...]


def read_placements(paths: Sequence[Path], ply: int, game: Game | None = None) -> tuple[Game, list[Placement], int]:
    """The cut games of run folders and record files, and how many were too short to be cut."""
    if ply < 0:
        raise InputError(f"ply must be at least 0, not {ply}")
    found: list[Placement] = []
    short = 0
    for path in paths:
        own, games = _games(path, game)
        if game is not None and own.name != game.name:
            raise InputError(f"expected records of one game, but {path} holds {own.name}, not {game.name}")
        game = own
        for sides, start, moves in games:
            if len(moves) <= ply:
                short += 1
            else:
                found.append(Placement(len(found), sides, start, moves[:ply]))
    if game is None:
        raise InputError("expected at least one run folder or file of games")
    if not found and not short:
        raise InputError(f"there is no game in {', '.join(map(str, paths))}")
    if not found:
        raise InputError(f"no game has more than {ply} plies ({short} are shorter)")
    return game, found, short


def _games(path: Path, game: Game | None) -> tuple[Game, Iterable[tuple[tuple[str, str], str | None, tuple[int, ...]]]]:
    if path.is_dir() and (path / GAMES).exists():
        own = find_game(str(read_run_config(path).get("game")))
        if own.players != 2:
            raise InputError(f"{path}: {own.title} has one player, so there are no sides to compare")
        entries = [entry for _, entry in sorted(read_log(path / GAMES).items())]
        return own, [(entry.sides, entry.start, (*entry.opening, *entry.moves)) for entry in entries]
    if is_dataset(path):
        raise InputError(
            f"{path} is a dataset of positions; expected a run folder or a file of games, with moves to cut"
        )
    reader = read_games(path, game=None if game is None else game.name)
    for source in reader.sources:
        if source.format.positions:
            raise InputError(
                f"{source.path} is a list of positions ({source.format.name}); expected games, with moves to cut"
            )
    return find_game(reader.game), [
        ((record.players[0] or "first", record.players[1] or "second"), record.start, record.moves) for record in reader
    ]
