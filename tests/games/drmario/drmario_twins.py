"""What the tests of Dr. Mario share: twins of positions, and moves as rotation, x and y."""

from __future__ import annotations

from evalsmith.games.drmario import GAME
from evalsmith.games.game import Position
from naive import drmario as naive

CELLS = [(x, y) for y in range(15, -1, -1) for x in range(8)]


def twin(position: Position) -> naive.Game:
    """The naive game of a position, by way of its text."""
    board, pill, preview, *fields = GAME.format(position).split()
    named = dict(field.split(":") for field in fields)
    return naive.Game(
        bottle={cell: piece for cell, piece in zip(CELLS, board, strict=True) if piece != "d"},
        pill=colours(pill),
        preview=None if preview == "--" else colours(preview),
        speed=named["speed"],
        pills=int(named["pills"]),
        since=int(named["since"]),
        stall=int(named["stall"]),
        viruses=int(named["viruses"]),
    )


def colours(pill: str) -> str:
    return "".join(naive.COLOUR[half] for half in pill)


def triple(move: int) -> tuple[int, int, int]:
    return move >> 7, move >> 4 & 7, move & 15


def triples(position: Position) -> set[tuple[int, int, int]]:
    return {triple(move) for move in GAME.moves(position)}


def bottle_text(rows: list[str]) -> str:
    """The bottle string of the lowest rows, the upper one first, with dots for empty cells."""
    return ("." * 8 * (16 - len(rows)) + "".join(rows)).replace(".", "d")
