"""What a net sees of Othello: three planes of 8×8 cells, as the side to move sees them.

0  the mover's discs
1  the enemy's discs
2  the squares where the mover may place a disc
"""

from __future__ import annotations

from evalsmith.compile import Words
from evalsmith.games.othello.rules import mobility
from evalsmith.games.planes import Planes, plane_kernel


@plane_kernel
def fill(position: Words, out: Words) -> None:
    """One word each."""
    out[0], out[1] = position[0], position[1]
    out[2] = mobility(position[0], position[1])


@plane_kernel
def fill_enemy(position: Words, out: Words) -> None:
    """As the enemy sees the board, with the squares where he could place a disc."""
    out[0], out[1] = position[1], position[0]
    out[2] = mobility(position[1], position[0])


PLANES = Planes(
    fill, width=8, height=8, names=("the mover's discs", "the enemy's discs", "legal moves"), enemy=fill_enemy
)
