"""How many moves a game of DVONN may still take, for programs with a time budget for the whole game."""

from __future__ import annotations

from evalsmith.games.dvonn.notation import is_stacking, stacks_of
from evalsmith.games.game import Position

# Placings are many, and their value is seen only much later: they get little of the budget.
PLACING = 120.0
# Higher stacks rarely move again.
LOW = 5


def moves_left(position: Position) -> float:
    """The contest rule for stacking: half the stacks of height 5 and less, less ten, but at least two."""
    if not is_stacking(position):
        return PLACING
    low = sum(1 for stack in stacks_of(position).values() if stack.height <= LOW)
    return max(2.0, low / 2 - 10)
