"""What a net sees of Connect Four: the mover's stones and the enemy's, 7×6 cells."""

from connect_four.board import COLUMNS, ROWS
from evalsmith.compile import Words, helper, scan, uint64
from evalsmith.games.planes import Planes, plane_kernel


@helper("void(words, words, int64)", inline=True)
def _fill_for(position: Words, out: Words, first: int) -> None:
    """The board has seven bits a column, a plane has seven cells a row."""
    for plane in range(2):
        out[plane], stones = uint64(0), position[first ^ plane]
        while stones != uint64(0):
            place = scan(stones)
            out[plane] |= uint64(1) << uint64(COLUMNS * (place % 7) + place // 7)
            stones &= stones - uint64(1)


@plane_kernel
def fill(position: Words, out: Words) -> None:
    """As the mover sees the board."""
    _fill_for(position, out, 0)


@plane_kernel
def fill_enemy(position: Words, out: Words) -> None:
    """As the enemy sees it, for the small net of alpha-beta."""
    _fill_for(position, out, 1)


PLANES = Planes(fill, width=COLUMNS, height=ROWS, names=("the mover's stones", "the enemy's stones"), enemy=fill_enemy)
