"""What a user names and a verb works on: games, positions and weights."""

from __future__ import annotations

import sys
from typing import Any

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.run.errors import InputError
from evalsmith.run.start_settings import StartSettings


def load_game(name: str) -> es.Game:
    """The game of that name; says what is compiled from here on."""
    game = es.find_game(name)
    announce_compiling()
    return game


def load_board(game_name: str, position_text: str | None, given: dict[str, Any] | None = None) -> es.Board:
    """A board at the position a user gave, at the start that --level and --seeds in ``given`` name, or at the start."""
    game = load_game(game_name)
    return es.Board(game, start_text(game, position_text, given or {}))


def start_text(game: es.Game, position_text: str | None, given: dict[str, Any]) -> str | None:
    """The text of --position, or of the start that --level and --seeds name; takes these out of ``given``."""
    named = StartSettings(**{name: given.pop(name) for name in ("level", "seeds") if name in given})
    if not named.given:
        return position_text
    if position_text is not None:
        raise InputError("--position names a start already; leave out --level and --seeds")
    return calls.one_start(game, named)


def announce_compiling() -> None:
    """Say on standard error when kernels are compiled: once as a line, on a terminal with each one's name."""
    said = False

    def say(name: str) -> None:
        nonlocal said
        if sys.stderr is None:
            return
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[2Kcompiling {name} (on first use; stored for later)\r")
        elif not said:
            sys.stderr.write("compiling kernels (on first use; stored for later)\n")
        sys.stderr.flush()
        said = True

    calls.listen(say)


def read_weights(text: str, game_name: str | None) -> es.Weights:
    """The weights a user named for a verb that is about no game; ``game_name`` is what --game says."""
    if text in calls.NAMES and text != calls.FITTED and game_name is None:
        raise InputError(f"{text} weights of which game? name it with --game ({', '.join(es.game_names())})")
    return es.load_weights(text, None if game_name is None else es.find_game(game_name))


def read_any_weights(text: str, game_name: str | None) -> es.Weights | calls.OutsideWeights:
    """As ``read_weights``, and also the weights of an outside engine from their file."""
    if text in calls.NAMES:
        return read_weights(text, game_name)
    return calls.load_any_weights(text, None if game_name is None else es.find_game(game_name))


def read_position(game: es.Game, text: str | None) -> calls.Position:
    """The position a user gave, or the start."""
    return game.start() if text is None else game.parse(text)
