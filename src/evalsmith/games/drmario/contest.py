"""Boards for competitions: a bottle and its pills by number, and how much of a bottle is left."""

from __future__ import annotations

from evalsmith.games.drmario.bottle import VIRUS
from evalsmith.games.drmario.notation import START_LEVEL
from evalsmith.games.game import Position

# The even seeds from 0002 on: the lowest bit is lost before the first draw, so an odd one has the same board.
_SEEDS = 0x7FFF


def deal(number: int) -> str:
    """The text of a start: a seed of the cartridge, a different one for each of many numbers, at the standard level."""
    return f"seed:{2 + 2 * (number % _SEEDS):04x} level:{START_LEVEL}"


def remaining(position: Position) -> int:
    """How many viruses are left."""
    return int(position[VIRUS]).bit_count() + int(position[VIRUS + 1]).bit_count()
