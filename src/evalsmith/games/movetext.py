"""Moves written one after another: ``e4 e5 Nf3``, ``1. e4 e5 2. Nf3``, ``f5d6c3d3c4``."""

from __future__ import annotations

import re

from evalsmith.games.game import Game, Position
from evalsmith.run.errors import MoveError

_NUMBER = re.compile(r"\d+\.+")


def forced_pass(game: Game, position: Position) -> int | None:
    """The pass, where it is the only legal move."""
    moves = game.moves(position)
    if len(moves) == 1 and game.format_move(position, moves[0]).lower() == "pass":
        return moves[0]
    return None


def parse_moves(game: Game, position: Position, text: str) -> list[int]:
    """The moves that a text names from a position on; numbers of moves are skipped, and forced passes may be left out.

    Moves may also follow each other without a space, where each is written as the game writes it.
    """
    moves: list[int] = []
    for word in text.split():
        rest = _NUMBER.sub("", word, count=1) if _NUMBER.match(word) else word
        while rest:
            skipped = forced_pass(game, position)
            if skipped is not None and rest.lower() != "pass":
                moves.append(skipped)
                position = game.play_unchecked(position, skipped)
            move, rest = _next_move(game, position, rest)
            moves.append(move)
            position = game.play_unchecked(position, move)
    return moves


def starts_with_move(game: Game, position: Position, text: str) -> bool:
    """Whether a text begins with a legal move."""
    words = _NUMBER.sub("", text).split()
    try:
        return bool(words) and _next_move(game, position, words[0])[0] >= 0
    except MoveError:
        return False


def _next_move(game: Game, position: Position, text: str) -> tuple[int, str]:
    """The move that a word is, or begins with, and what follows it."""
    try:
        return game.parse_move(position, text), ""
    except MoveError as error:
        names = {game.format_move(position, move).lower(): move for move in game.moves(position)}
        begins = max((name for name in names if text.lower().startswith(name)), key=len, default="")
        if not begins:
            raise error
        return names[begins], text[len(begins) :]
