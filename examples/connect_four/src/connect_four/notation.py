"""Connect Four positions and moves as text, and their pictures."""

from __future__ import annotations

import re

import numpy as np

from connect_four import GAME
from connect_four.board import COLUMNS, ROWS
from evalsmith.games import Position, Symmetry
from evalsmith.run.errors import MoveError, PositionError


def start() -> Position:
    """The empty board."""
    return np.zeros(2, dtype=np.uint64)


def parse(text: str) -> Position:
    """A position from its rows, the top one first (``-------/…``), or from the columns played (``4453``)."""
    if re.fullmatch(r"[1-7]+|start", text):
        position = start()
        for column in text if text != "start" else "":
            position = GAME.play_unchecked(position, parse_move(position, column))
        return position
    rows = text.strip().upper().split("/")
    if len(rows) != ROWS or not all(re.fullmatch(r"[XO-]{7}", row) for row in rows):
        raise PositionError(f"expected {ROWS} rows of {COLUMNS} cells (X, O, -) with / between them, got {text!r}")
    columns = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    if any(re.search(r"-[XO]", column) for column in columns):
        raise PositionError(f"a stone hangs in the air in {text!r}")
    cells = "-".join(columns)  # the seventh cell of a column is always empty
    first, second = (sum(1 << place for place, cell in enumerate(cells) if cell == side) for side in "XO")
    ahead = first.bit_count() - second.bit_count()
    if ahead not in (0, 1):
        raise PositionError(f"X must have as many stones as O or one more, not {ahead:+d}, in {text!r}")
    return np.array([second, first] if ahead else [first, second], dtype=np.uint64)


def format(position: Position) -> str:
    """The rows, the top one first: X began, O replies."""
    side = GAME.mover(position)
    first, second = int(position[side]), int(position[1 - side])
    bits = [[7 * column + row for column in range(COLUMNS)] for row in reversed(range(ROWS))]
    return "/".join("".join("-XO"[(first >> bit & 1) + 2 * (second >> bit & 1)] for bit in row) for row in bits)


def parse_move(position: Position, text: str) -> int:
    """A column, 1 to 7."""
    names = [format_move(position, move) for move in GAME.moves(position)]
    if text.strip() not in names:
        legal = " ".join(names) or "none, the game is over"
        raise MoveError(f"{text!r} is not a legal move in {format(position)}; legal moves: {legal}")
    return int(text) - 1


def format_move(position: Position, move: int) -> str:
    """The column, 1 to 7."""
    return str(move + 1)


def symmetries() -> tuple[Symmetry, ...]:
    """The mirror."""

    def mirrored(word: int) -> int:
        return sum((word >> 7 * column & 127) << 7 * (6 - column) for column in range(COLUMNS))

    def of_position(position: Position) -> Position:
        return np.array([mirrored(int(word)) for word in position], dtype=np.uint64)

    return (Symmetry("mirror", of_position, lambda position, move: 6 - move),)


def text(position: Position) -> str:
    """The board for a terminal, the columns numbered below."""
    rows = "\n".join(" ".join(row) for row in format(position).split("/"))
    return rows.replace("-", "·").replace("X", "[red]X[/]").replace("O", "[yellow]O[/]") + "\n1 2 3 4 5 6 7"


def svg(position: Position, *, size: int = 280, **options: object) -> str:
    """The board as a picture; what is to be marked in it is left out."""
    colours = {"X": "#d33", "O": "#fc3", "-": "#fff"}
    board = '<rect width="280" height="240" rx="8" fill="#26c"/>'
    for place, cell in enumerate(format(position).replace("/", "")):
        x, y = 40 * (place % COLUMNS) + 20, 40 * (place // COLUMNS) + 20
        board += f'<circle cx="{x}" cy="{y}" r="16" fill="{colours[cell]}"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 280 240" width="{size}" height="{size * 6 // 7}">'
    return f"{head}{board}</svg>"
