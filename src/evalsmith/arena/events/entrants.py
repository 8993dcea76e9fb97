"""Who takes part in an event: players as texts, files, weights, or results of a fit."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from evalsmith.games import Game
from evalsmith.players import Player, parse_player
from evalsmith.players.files import files_of_player
from evalsmith.run import InputError, MismatchError
from evalsmith.weights import Weights, save_weights

FOLDER = "players"
"""The folder of a run for weights that were handed over as objects."""


@runtime_checkable
class HasWeights(Protocol):
    """Anything that brings weights, such as the result of a fit."""

    @property
    def weights(self) -> Weights:
        """The weights."""


PlayerLike: TypeAlias = str | Path | Weights | HasWeights | Player


@dataclass(frozen=True)
class Entrant:
    """A player of an event. ``stored`` is its text in the configuration of the run.

    ``weights`` are those that have no file yet; the run folder gets one, so that the event can be resumed.
    """

    player: Player
    stored: str
    weights: Weights | None = None

    def settle(self, folder: Path) -> Player:
        """The player, whose weights have a file from here on."""
        if self.weights is None:
            return self.player
        path = folder / self.stored.removeprefix("weights:")
        if not path.exists():
            save_weights(self.weights, path)
        return replace(self.player, text=f"weights:{_escape(str(path))};name={_escape(self.player.name)}")


def find_entrants(
    game: Game, players: Sequence[PlayerLike], known: Mapping[str, str] | None = None
) -> tuple[Entrant, ...]:
    """The players of an event; ``known`` are texts of players by name, as a file of players has them."""
    texts = {i: _text(one) for i, one in enumerate(players) if isinstance(one, str | Path)}
    parsed = {i: parse_player(text, game, known) for i, text in texts.items()}
    parsed |= {i: one for i, one in enumerate(players) if isinstance(one, Player)}
    taken = {player.name for player in parsed.values()}
    found = []
    for i, one in enumerate(players):
        if i in parsed:
            found.append(Entrant(parsed[i], parsed[i].text))
            continue
        weights = _weights(one, game)
        name = next(name for name in _names(weights.name) if name not in taken)
        taken.add(name)
        player = Player(name, game, weights)
        found.append(Entrant(player, f"weights:{FOLDER}/{i + 1}.json", weights))
    return tuple(found)


def _text(one: str | Path) -> str:
    """The text of a player; a path is that of its weights."""
    return f"weights:{_escape(str(one))}" if isinstance(one, Path) else one


def _weights(one: Any, game: Game) -> Weights:
    weights = one if isinstance(one, Weights) else getattr(one, "weights", None)
    if not isinstance(weights, Weights):
        raise InputError(f"a player is a text, a path of weights, or an object with weights, not {one!r}")
    if weights.game.name != game.name:
        raise MismatchError(f"the weights {weights.name!r} are of {weights.game.name}, not of {game.name}")
    return weights


def _names(name: str) -> list[str]:
    return [name, *(f"{name}-{number}" for number in range(2, 1000))]


def _escape(text: str) -> str:
    return text.replace(";", "\\;")


def digest(player: Player) -> str:
    """A hash of the weights or the program that a player brings, so that a run is never resumed with others.

    Of a program it is that of all files that its command and its options name: a script, a book, a net. Whatever is
    called a log is left out, because the program itself changes it.
    """
    if player.added is not None:
        return player.added.digest
    if player.outside is None:
        return "none" if player.random else player.weights.digest
    files = dict.fromkeys(files_of_player(player).values())
    found = [one for path in files if (one := _hash(path))]
    if len(found) < 2:
        return found[0] if found else "none"
    return hashlib.blake2b(" ".join(found).encode()).hexdigest()[:16]


def _hash(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()[:16]
    except OSError:
        return ""
