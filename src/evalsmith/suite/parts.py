"""The phases of a game in a few parts, for tables and charts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game

PARTS = 4


def phase_parts(game: Game, phases: npt.NDArray[np.integer], count: int = PARTS) -> npt.NDArray[np.int64]:
    """The part of the game that each phase belongs to, from 0; -1 where the phase is not known."""
    highest = max(1, len(game.evaluation.blend))
    found = np.clip(phases.astype(np.int64) * count // highest, 0, count - 1)
    return np.where(phases < 0, -1, found)


def part_name(game: Game, part: int, count: int = PARTS) -> str:
    """The phases of a part, such as ``phase 0–6``."""
    highest = max(1, len(game.evaluation.blend))
    phases = [phase for phase in range(highest) if min(phase * count // highest, count - 1) == part]
    if not phases:
        return "phase unknown"
    return f"phase {phases[0]}–{phases[-1]}" if len(phases) > 1 else f"phase {phases[0]}"
