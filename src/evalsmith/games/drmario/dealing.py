"""What the cartridge draws from a seed: the 128 pills and the viruses of a level.

The register has 16 bits and is stepped before every use. The pills are drawn first, from the back of the
list to its front; the viruses go on from the register that the pills leave behind.
"""

from __future__ import annotations

from evalsmith.run.errors import PositionError

# Colours as the strings count them (a, b, c …), and in the order that numbers the pills.
RED, YELLOW, BLUE = 0, 1, 2
COLOUR_NAMES = ("red", "yellow", "blue")
PILL_COLOURS = (YELLOW, RED, BLUE)
PILL_NAMES = ("YY", "YR", "YB", "RY", "RR", "RB", "BY", "BR", "BB")
PILLS = 128
POWER_ON_SEED = 0x8988
MAX_LEVEL = 24
MAX_VIRUSES = 84

_RANDOM_COLOURS = tuple({"R": RED, "Y": YELLOW, "B": BLUE}[letter] for letter in "YRBBRYYRBBRYYRBR")
_NEXT_COLOUR = {BLUE: RED, RED: YELLOW, YELLOW: BLUE}

Cell = tuple[int, int]


def step(register: int) -> int:
    """The register after one step: shifted right, bit 1 xor bit 9 on top."""
    return register >> 1 | ((register >> 1 ^ register >> 9) & 1) << 15


def check_seed(seed: int) -> int:
    """The seed, unless it is none: the register must fit and must not fall to zero."""
    if not 0 <= seed <= 0xFFFF:
        raise PositionError(f"a seed has 16 bits (0002 to ffff), not {seed:x}")
    if seed < 2:
        raise PositionError(f"seed {seed:04x} falls to zero and draws nothing; seeds go from 0002 to ffff")
    return seed


def check_level(level: int) -> int:
    """The level, unless there is none of that number."""
    if not 0 <= level <= MAX_LEVEL:
        raise PositionError(f"levels go from 0 to {MAX_LEVEL}, not {level}")
    return level


def sequence(seed: int) -> tuple[int, ...]:
    """The 128 pills of a seed as indices into PILL_NAMES; after the last they begin again."""
    return _pills(check_seed(seed))[0]


def viruses(seed: int, level: int) -> dict[Cell, int]:
    """The colour of every virus by its cell (x, y), for a seed and a level."""
    _, register = _pills(check_seed(seed))
    top = max(9, min(12, (check_level(level) + 5) // 2))
    placed: dict[Cell, int] = {}
    wanted = min(MAX_VIRUSES, 4 * (level + 1))
    while len(placed) < wanted:
        register = step(register)
        while (register >> 8 & 15) > top:
            register = step(register)
        cell = (register & 7, register >> 8 & 15)
        # The colours go round yellow, random, blue, red; the round is counted by the viruses still to come.
        turn = (wanted - len(placed)) % 4
        if turn == 3:
            register = step(register)
        colour = (YELLOW, RED, BLUE, _RANDOM_COLOURS[register & 15])[turn]
        _place(placed, cell, colour)
    return placed


def _pills(seed: int) -> tuple[tuple[int, ...], int]:
    """The pills, and the register after them."""
    register, index = seed, 0
    pills = [0] * PILLS
    for place in (*range(PILLS - 2, -1, -1), PILLS - 1):
        register = step(register)
        index = (index + (register >> 8 & 15)) % 9
        pills[place] = index
    return tuple(pills), register


def _place(placed: dict[Cell, int], cell: Cell, first: int) -> None:
    """Put one virus into the first cell from ``cell`` on that takes it; none if the floor comes before."""
    x, y = cell
    while y >= 0:
        if (x, y) not in placed:
            near = {placed.get(other) for other in ((x + 2, y), (x - 2, y), (x, y + 2), (x, y - 2))}
            colour = first
            for _ in range(3):
                if colour not in near:
                    placed[x, y] = colour
                    return
                colour = _NEXT_COLOUR[colour]
        x, y = (x + 1, y) if x < 7 else (0, y - 1)
