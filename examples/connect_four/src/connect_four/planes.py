"""What a net sees of Connect Four: the mover's stones and the enemy's, 7×6 cells."""

from connect_four.board import COLUMNS, ROWS
from evalsmith.compile import Words, scan, uint64
from evalsmith.games.planes import Planes, plane_kernel


@plane_kernel
def fill(position: Words, out: Words) -> None:
    """The board has seven bits a column, a plane has seven cells a row."""
    for side in range(2):
        out[side], stones = uint64(0), position[side]
        while stones != uint64(0):
            place = scan(stones)
            out[side] |= uint64(1) << uint64(COLUMNS * (place % 7) + place // 7)
            stones &= stones - uint64(1)


PLANES = Planes(fill, width=COLUMNS, height=ROWS, names=("the mover's stones", "the enemy's stones"))
