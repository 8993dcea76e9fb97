"""What a contest counts: the stones that each side controls."""

from __future__ import annotations

from evalsmith.games.dvonn.legality import BLACK, WHITE
from evalsmith.games.dvonn.notation import stacks_of
from evalsmith.games.game import Position


def counts(position: Position) -> tuple[int, int]:
    """The stones in the stacks of white and of black."""
    stacks = stacks_of(position).values()
    white, black = (sum(stack.height for stack in stacks if stack.owner == side) for side in (WHITE, BLACK))
    return white, black
