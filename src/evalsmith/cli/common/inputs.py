"""What a user names and a verb works on: games, positions and weights."""

from __future__ import annotations

import sys

from evalsmith import compile as kernels
from evalsmith.games import Game, Position, find_game
from evalsmith.games.board import Board
from evalsmith.run.errors import InputError
from evalsmith.weights import NAMES, Weights, load_weights


def load_game(name: str) -> Game:
    """The game of that name; says what is compiled from here on."""
    game = find_game(name)
    announce_compiling()
    return game


def load_board(game_name: str, position_text: str | None) -> Board:
    """A board at the position a user gave, or at the start."""
    return Board(load_game(game_name), position_text)


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

    kernels.listen(say)


def read_weights(text: str, game_name: str | None) -> Weights:
    """The weights a user named for a verb that is about no game; ``game_name`` is what --game says."""
    if text in NAMES and game_name is None:
        raise InputError(f"{text} weights of which game? name it with --game")
    return load_weights(text, None if game_name is None else find_game(game_name))


def read_position(game: Game, text: str | None) -> Position:
    """The position a user gave, or the start."""
    return game.start() if text is None else game.parse(text)
