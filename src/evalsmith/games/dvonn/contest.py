"""What a contest asks: the stones that each side controls, and how many moves a game may still take."""

from __future__ import annotations

from evalsmith.games.dvonn.legality import BLACK, WHITE
from evalsmith.games.dvonn.notation import is_stacking, stacks_of
from evalsmith.games.game import Position

# Placings are many, and their value is seen only much later: they get little of the budget.
PLACING = 120.0
# Higher stacks rarely move again.
LOW = 5


def counts(position: Position) -> tuple[int, int]:
    """The stones in the stacks of white and of black."""
    stacks = stacks_of(position).values()
    white, black = (sum(stack.height for stack in stacks if stack.owner == side) for side in (WHITE, BLACK))
    return white, black


def moves_left(position: Position) -> float:
    """How many moves a time budget for the game must still cover.

    The contest rule for stacking: half the stacks of height 5 and less, less ten, but at least two.
    """
    if not is_stacking(position):
        return PLACING
    low = sum(1 for stack in stacks_of(position).values() if stack.height <= LOW)
    return max(2.0, low / 2 - 10)
