"""The bottle and the pills as strings of bytes, both ways.

A bottle is 128 bytes, row by row from the top left; ``d`` is empty, and any other byte is 0x60 + shape + colour:
viruses ``abc``, singles ``efg``, lower halves ``ijk``, upper halves ``mno``, left halves ``qrs``, right
halves ``uvw``, each in the order red, yellow, blue. A pill is two of them: left and right half, or lower and upper.
"""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.games.drmario.dealing import MAX_VIRUSES, PILL_COLOURS, PILL_NAMES
from evalsmith.games.game import Position
from evalsmith.run.errors import PositionError

EMPTY = "d"
VIRUS, SINGLE, LOWER, UPPER, LEFT, RIGHT = 0, 4, 8, 12, 16, 20
SHAPE_NAMES = {
    VIRUS: "virus", SINGLE: "single", LOWER: "lower half", UPPER: "upper half", LEFT: "left half", RIGHT: "right half",
}  # fmt: skip
# Where the other half of a pill must be, and which half it is.
_PARTNERS = {LOWER: (0, 1, UPPER), UPPER: (0, -1, LOWER), LEFT: (1, 0, RIGHT), RIGHT: (-1, 0, LEFT)}

Cell = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """What occupies a cell: one of the shapes, and its colour (0 red, 1 yellow, 2 blue)."""

    shape: int
    colour: int

    @property
    def letter(self) -> str:
        """Its byte."""
        return chr(0x61 + self.shape + self.colour)


_PIECES = {piece.letter: piece for piece in (Piece(shape, colour) for shape in SHAPE_NAMES for colour in range(3))}
Bottle = dict[Cell, Piece]


# ── Strings ─────────────────────────────────────────────────────────────────────────────────────


def read_bottle(text: str) -> Bottle:
    """The pieces of a bottle, or a PositionError that says what cannot be and where."""
    for place, letter in enumerate(text[:128]):
        if letter != EMPTY and letter not in _PIECES:
            raise PositionError(f"{letter!r} at {_place(_cell(place))} of the bottle is neither a piece nor {EMPTY!r}")
    if len(text) != 128:
        raise PositionError(f"the bottle has {len(text)} bytes, not 128: it ends after {_end(text)}")
    bottle = {_cell(place): _PIECES[letter] for place, letter in enumerate(text) if letter != EMPTY}
    _check_partners(bottle)
    viruses = sum(piece.shape == VIRUS for piece in bottle.values())
    if viruses > MAX_VIRUSES:
        raise PositionError(f"the bottle has {viruses} viruses; no level has more than {MAX_VIRUSES}")
    _check_lines(bottle)
    _check_held(bottle)
    return bottle


def write_bottle(bottle: Bottle) -> str:
    """The 128 bytes of a bottle."""
    cells = (bottle.get(_cell(place)) for place in range(128))
    return "".join(EMPTY if piece is None else piece.letter for piece in cells)


def read_pill(text: str) -> tuple[Piece, Piece]:
    """The two halves of a pill: left and right, or lower and upper."""
    if len(text) != 2:
        raise PositionError(f"a pill has two bytes, not {len(text)}: {text!r}")
    halves = []
    for place, letter in enumerate(text, 1):
        if letter not in _PIECES:
            raise PositionError(f"{letter!r} at byte {place} of the pill {text!r} is not half a pill")
        halves.append(_PIECES[letter])
    first, second = halves
    if (first.shape, second.shape) not in ((LEFT, RIGHT), (LOWER, UPPER)):
        names = f"{_named(first.shape)} and {_named(second.shape)}"
        raise PositionError(f"the pill {text!r} is {names}, neither left and right half nor lower and upper half")
    return first, second


def read_lying_pill(text: str) -> int:
    """The index of a pill that lies, from its two bytes or from its name (``RB``)."""
    if text in PILL_NAMES:
        return PILL_NAMES.index(text)
    left, right = read_pill(text)
    if left.shape != LEFT:
        raise PositionError(f"the pill {text!r} stands; a pill to be placed is written lying, left and right half")
    return 3 * PILL_COLOURS.index(left.colour) + PILL_COLOURS.index(right.colour)


def write_pill(index: int) -> str:
    """The two bytes of a lying pill."""
    left, right = PILL_COLOURS[index // 3], PILL_COLOURS[index % 3]
    return Piece(LEFT, left).letter + Piece(RIGHT, right).letter


# ── Words ───────────────────────────────────────────────────────────────────────────────────────


def planes(bottle: Bottle) -> list[int]:
    """The first twelve words of a position: red, yellow, blue, viruses, left halves, lower halves."""
    found = [0] * 6
    for (x, y), piece in bottle.items():
        bit = 1 << 8 * y + x
        found[piece.colour] |= bit
        if piece.shape in (VIRUS, LEFT, LOWER):
            found[{VIRUS: 3, LEFT: 4, LOWER: 5}[piece.shape]] |= bit
    return [word for plane in found for word in (plane & (1 << 64) - 1, plane >> 64)]


def bottle_of(position: Position) -> Bottle:
    """The pieces of a position."""
    words = [int(word) for word in position[:12]]
    red, yellow, blue, virus, left, lower = (words[i] | words[i + 1] << 64 for i in range(0, 12, 2))
    bottle: Bottle = {}
    for place in range(128):
        bit = 1 << place
        if not (red | yellow | blue) & bit:
            continue
        colour = 0 if red & bit else 1 if yellow & bit else 2
        shape = SINGLE
        for plane, name in ((virus, VIRUS), (left, LEFT), (left << 1, RIGHT), (lower, LOWER), (lower << 8, UPPER)):
            if plane & bit:
                shape = name
        bottle[place % 8, place // 8] = Piece(shape, colour)
    return bottle


# ── What cannot be ──────────────────────────────────────────────────────────────────────────────


def _named(shape: int) -> str:
    return f"an {SHAPE_NAMES[shape]}" if shape == UPPER else f"a {SHAPE_NAMES[shape]}"


def _cell(place: int) -> Cell:
    return place % 8, 15 - place // 8


def _place(cell: Cell) -> str:
    x, y = cell
    return f"byte {8 * (15 - y) + x + 1} (x {x}, y {y})"


def _end(text: str) -> str:
    return f"{text[-8:]!r}" if len(text) < 128 else f"{text[120:128]!r} and goes on with {text[128:136]!r}"


def _check_partners(bottle: Bottle) -> None:
    for (x, y), piece in bottle.items():
        if piece.shape not in _PARTNERS:
            continue
        dx, dy, wanted = _PARTNERS[piece.shape]
        other = bottle.get((x + dx, y + dy))
        if other is None or other.shape != wanted:
            side = {(1, 0): "to its right", (-1, 0): "to its left", (0, 1): "above it", (0, -1): "below it"}[dx, dy]
            found = "nothing" if other is None else _named(other.shape)
            raise PositionError(
                f"the {SHAPE_NAMES[piece.shape]} at {_place((x, y))} needs {_named(wanted)} {side}, "
                f"and there is {found}"
            )


def _check_lines(bottle: Bottle) -> None:
    for (x, y), piece in bottle.items():
        for dx, dy in ((1, 0), (0, 1)):
            line = [bottle.get((x + i * dx, y + i * dy)) for i in range(4)]
            if all(other is not None and other.colour == piece.colour for other in line):
                raise PositionError(f"the four of one colour from {_place((x, y))} on would have vanished")


def _check_held(bottle: Bottle) -> None:
    held = {cell for cell, piece in bottle.items() if piece.shape == VIRUS or cell[1] == 0}
    waiting = list(held)
    while waiting:
        x, y = waiting.pop()
        near = [(x, y + 1)]
        if bottle[x, y].shape in (LEFT, RIGHT):
            near.append((x + _PARTNERS[bottle[x, y].shape][0], y))
        for cell in near:
            if cell in bottle and cell not in held:
                held.add(cell)
                waiting.append(cell)
    for cell, piece in bottle.items():
        if cell not in held:
            raise PositionError(
                f"the {SHAPE_NAMES[piece.shape]} at {_place(cell)} hangs in the air; it would have fallen"
            )
