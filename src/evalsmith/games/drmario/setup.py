"""Positions from their parts: a bottle with two pills, or what the cartridge makes of a seed and a level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalsmith.games.drmario import dealing, settings, strings
from evalsmith.games.drmario.settings import MAX_PILLS, MAX_STALL, MEDIUM
from evalsmith.games.drmario.strings import Bottle
from evalsmith.games.game import Position
from evalsmith.run.errors import PositionError

DEFAULT_STALL = 40


@dataclass(frozen=True)
class Options:
    """How a game is played: the speed, when it stalls and what that is worth, how the previews are drawn."""

    speed: int = MEDIUM
    stall: int = DEFAULT_STALL
    stall_won: bool = False
    drawing: int = 0


DEFAULTS = Options()


def start_from(seed: int, level: int, options: Options = DEFAULTS, *, passed: int = 0) -> Position:
    """The bottle of a seed and a level, with the pills that come after ``passed`` others."""
    cells = dealing.viruses(seed, level)
    bottle = {cell: strings.Piece(strings.VIRUS, colour) for cell, colour in cells.items()}
    pills = dealing.sequence(seed)
    pill, preview = (pills[(passed + ahead) % dealing.PILLS] for ahead in (0, 1))
    return make(bottle, pill, preview, options, pills=passed)


def make(
    bottle: Bottle,
    pill: int,
    preview: int,
    options: Options = DEFAULTS,
    *,
    pills: int = 0,
    since: int = 0,
    viruses: int | None = None,
) -> Position:
    """A position from its parts; numbers that contradict each other are refused."""
    left = sum(piece.shape == strings.VIRUS for piece in bottle.values())
    first = left if viruses is None else viruses
    if not 1 <= options.stall <= MAX_STALL:
        raise PositionError(f"stall is a number of pills from 1 to {MAX_STALL}, not {options.stall}")
    if not 0 <= pills <= MAX_PILLS:
        raise PositionError(f"pills is the number of pills placed, 0 to {MAX_PILLS}, not {pills}")
    if not left <= first <= dealing.MAX_VIRUSES:
        raise PositionError(
            f"viruses is their number at the start, {left} (as now) to {dealing.MAX_VIRUSES}, not {first}"
        )
    if first > left and pills == 0:
        raise PositionError(f"{first - left} of {first} viruses are dead, and no pill was placed")
    # The pill of the last kill was placed before these.
    if not 0 <= since <= min(options.stall, pills - (first > left)):
        raise PositionError(
            f"since is the number of pills after the last kill; with stall:{options.stall} pills:{pills} and "
            f"{first - left} viruses dead it cannot be {since}"
        )
    word = pill | preview << settings.PREVIEW_SHIFT | options.speed << settings.SPEED_SHIFT
    word |= options.drawing << settings.CHANCE_SHIFT | int(options.stall_won) << settings.STALLED_SHIFT
    word |= options.stall << settings.LIMIT_SHIFT | since << settings.SINCE_SHIFT
    word |= first << settings.VIRUSES_SHIFT | pills << settings.PILLS_SHIFT
    return np.array([*strings.planes(bottle), word], dtype=np.uint64)
