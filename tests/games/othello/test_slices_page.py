"""Othello's slices can be read from ``docs/games/othello.md`` alone: this decoder has its numbers from that page.

Nothing here comes from the package but the export, the moves that make positions, and the scores to compare with.
"""

from __future__ import annotations

import random
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from evalsmith.engine import evaluate
from evalsmith.games import OVER, Position, find_game
from evalsmith.weights import Weights, export_weights, starting_weights

OTHELLO = find_game("othello")
PAGE = Path(__file__).parents[3] / "docs" / "games" / "othello.md"
EXAMPLE = "f5d6c3d3c4f4c5b3c2e3d2c1f3b4a3"
FILES = "abcdefgh"
SECTION = PAGE.read_text(encoding="utf-8").split("### Slices")[1].split("### Fitted weights")[0]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in SECTION.splitlines()
    if line.startswith("| ") and not line.startswith("| feature")
]
FIRST = {row[0]: int(row[1]) for row in ROWS}
PATTERNS = {row[0]: row for row in ROWS if re.match(r"[a-h][1-8] ", row[2])}


def cells(names: str) -> list[tuple[int, int]]:
    return [(FILES.index(name[0]), int(name[1]) - 1) for name in names.split()]


def symmetries():
    for swap in (False, True):
        for flip_file in (False, True):
            for flip_rank in (False, True):

                def turned(cell, swap=swap, flip_file=flip_file, flip_rank=flip_rank):
                    file, rank = cell[::-1] if swap else cell
                    return (7 - file if flip_file else file, 7 - rank if flip_rank else rank)

                yield turned


def places(row: list[str]) -> list[list[tuple[int, int]]]:
    found: dict[frozenset, list] = {}
    for base in row[2].split(";"):
        for turned in symmetries():
            place = [turned(cell) for cell in cells(base)]
            found.setdefault(frozenset(place), place)
    return list(found.values())


def leaders(row: list[str]) -> np.ndarray | None:
    """For each instance, the leader of its class; None without a mirrored order."""
    if row[3] == "none":
        return None
    order = [int(number) for number in row[3].split()]
    numbers = np.arange(3 ** len(order))
    digits = numbers[:, None] // 3 ** np.arange(len(order)) % 3
    return np.minimum(numbers, (digits[:, order] * 3 ** np.arange(len(order))).sum(axis=1))


def orids(row: list[str]) -> np.ndarray:
    """For each instance, how many leaders are below that of its class."""
    found = leaders(row)
    if found is None:
        return np.arange(3 ** len(row[2].split()))
    leading = np.unique(found)
    return np.searchsorted(leading, found)


ORIDS = {name: orids(row) for name, row in PATTERNS.items()}
PLACES = {name: places(row) for name, row in PATTERNS.items()}


def board_of(position: Position) -> dict[tuple[int, int], int]:
    """The digit of each cell, from the text of the position."""
    text, side = OTHELLO.format(position).split()
    return {(i % 8, i // 8): 0 if letter == "-" else 1 if letter == side else 2 for i, letter in enumerate(text)}


def flips(board: dict, cell: tuple[int, int], mover: int) -> bool:
    for step in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)):
        x, y = cell[0] + step[0], cell[1] + step[1]
        enclosed = 0
        while board.get((x, y)) == 3 - mover:
            x, y, enclosed = x + step[0], y + step[1], enclosed + 1
        if enclosed and board.get((x, y)) == mover:
            return True
    return False


def potential(board: dict, mover: int) -> int:
    steps = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    return sum(
        any(board.get((x + dx, y + dy)) == 0 and (x - dx, y - dy) in board for dx, dy in steps)
        for (x, y), digit in board.items()
        if digit == mover
    )


def decoded(folder: Path, board: dict, bits: int) -> int:
    """The evaluation of a board, from one slice."""
    empties = sum(digit == 0 for digit in board.values())
    content = (folder / f"slice-{min(empties, 63):02d}.bin").read_bytes()

    def weight(number: int) -> int:
        size = bits // 8
        return struct.unpack(">i" if bits == 32 else ">h", content[size * number : size * number + size])[0]

    total = 0
    for name, found in PLACES.items():
        for place in found:
            instance = sum(3**k * board[cell] for k, cell in enumerate(place))
            total += weight(FIRST[name] + int(ORIDS[name][instance]))
    for name, mover in (("mobility", 1), ("enemy mobility", 2)):
        total += weight(FIRST[name] + sum(board[c] == 0 and flips(board, c, mover) for c in board))
        total += weight(FIRST[name.replace("mobility", "potential mobility")] + potential(board, mover))
    return total + weight(FIRST["parity"] + empties % 2)


@pytest.mark.parametrize("bits", [32, 16])
def test_a_program_that_follows_the_page_evaluates_as_we_do(tmp_path: Path, bits: int) -> None:
    shape = starting_weights(OTHELLO).values.shape
    weights = Weights(OTHELLO, np.random.default_rng(7).integers(-9000, 9000, shape, dtype=np.int32))
    export_weights(weights, tmp_path / "slices", "othello-slices" if bits == 32 else "othello-slices16")
    choose, position = random.Random(5), OTHELLO.start()
    while OTHELLO.status(position) != OVER:
        assert decoded(tmp_path / "slices", board_of(position), bits) == evaluate(OTHELLO, weights, position)
        for _ in range(4):
            moves = OTHELLO.moves(position)
            position = OTHELLO.play(position, choose.choice(moves)) if moves else position


def test_the_worked_example_is_right(tmp_path: Path) -> None:
    export_weights(starting_weights(OTHELLO), tmp_path, "othello-slices")
    board = board_of(OTHELLO.parse(EXAMPLE))
    assert sum(digit == 0 for digit in board.values()) == 45
    instance = sum(3**k * board[cell] for k, cell in enumerate(cells(PATTERNS["corner3x3"][2])))
    found = leaders(PATTERNS["corner3x3"])
    assert found is not None and (instance, found[instance]) == (19206, 16542)
    orid = int(ORIDS["corner3x3"][instance])
    assert f"{orid} leaders are below 16542" in SECTION and f"= {4 * (29646 + orid)}: `ff ff ff f6`" in SECTION
    content = (tmp_path / "slice-45.bin").read_bytes()
    assert len(content) == 575_788
    assert content[4 * (29646 + orid) :][:4] == bytes.fromhex("ff ff ff f6")
    assert content[4 * (143685 + 7) :][:4] == bytes.fromhex("00 00 01 3b")
    assert decoded(tmp_path, board, 32) == -100
