"""What a net sees of Connect Four: the mover's stones and the enemy's, 7×6 cells."""

from connect_four.board import COLUMNS, ROWS
from evalsmith.compile import Words, uint64
from evalsmith.games.planes import Planes, plane_kernel


@plane_kernel
def fill(position: Words, out: Words) -> None:
    """The board has seven bits a column, a plane has seven cells a row."""
    for side in range(2):
        out[side] = uint64(0)
        for cell in range(COLUMNS * ROWS):
            stone = position[side] >> uint64(7 * (cell % COLUMNS) + cell // COLUMNS) & uint64(1)
            out[side] |= stone << uint64(cell)


PLANES = Planes(fill, width=COLUMNS, height=ROWS, names=("the mover's stones", "the enemy's stones"))
