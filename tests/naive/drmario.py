"""Dr. Mario, written to be believed: a dictionary from cells to the letters of the bottle string.

Placements are found by walking through every state of the pill; with timing, of the counters and the buttons as well.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

COLOUR = dict(zip("abcefgijkmnoqrsuvw", "RYB" * 6, strict=True))
SHAPES = {"virus": "abc", "single": "efg", "lower": "ijk", "upper": "mno", "left": "qrs", "right": "uvw"}
SHAPE = {letter: shape for shape, letters in SHAPES.items() for letter in letters}
PILLS = ["YY", "YR", "YB", "RY", "RR", "RB", "BY", "BR", "BB"]
FRAMES = {"low": 15, "medium": 25, "high": 31}
TABLE = [70 - 2 * i for i in range(26)] + [19 - i for i in range(10)]
TABLE += [10, 9, 9, 8, 8, 7, 7] + 12 * [6] + 5 * [5] + 5 * [4] + 5 * [3] + 10 * [2] + [1]
PARTNER = {"lower": (0, 1), "upper": (0, -1), "left": (1, 0), "right": (-1, 0)}


def letter(shape: str, colour: str) -> str:
    return SHAPES[shape]["RYB".index(colour)]


@dataclass
class Game:
    """A game in progress: the bottle, the pill and the preview as two colours each (preview None: unknown)."""

    bottle: dict[tuple[int, int], str]
    pill: str
    preview: str | None
    speed: str = "fast"
    pills: int = 0
    since: int = 0
    stall: int = 40
    viruses: int = field(default=-1)

    def __post_init__(self) -> None:
        if self.viruses < 0:
            self.viruses = self.left()

    def left(self) -> int:
        return sum(SHAPE[piece] == "virus" for piece in self.bottle.values())

    def text(self) -> str:
        board = "".join(self.bottle.get((x, y), "d") for y in range(15, -1, -1) for x in range(8))
        shown = "--" if self.preview is None else letter("left", self.preview[0]) + letter("right", self.preview[1])
        pill = letter("left", self.pill[0]) + letter("right", self.pill[1])
        return (
            f"{board} {pill} {shown} speed:{self.speed} pills:{self.pills} since:{self.since} "
            f"viruses:{self.viruses} stall:{self.stall} stalled:lost chance:nes"
        )

    def outcome(self) -> str | None:
        """Won, lost or stalled; None while the game goes on."""
        if self.left() == 0:
            return "won"
        if (3, 15) in self.bottle or (4, 15) in self.bottle:
            return "lost"
        return "stalled" if self.since >= self.stall else None

    def gravity(self) -> int | None:
        """Frames a row, or None without timing."""
        if self.speed == "fast":
            return None
        return TABLE[FRAMES[self.speed] + min(49, (self.pills + 2) // 10)]

    def moves(self) -> set[tuple[int, int, int]]:
        """Rotation, x and y of every placement; for one colour only rotations 0 and 1."""
        if self.outcome() is not None or self.preview is None:
            return set()
        frames = self.gravity()
        found = reachable(self.bottle) if frames is None else reachable_in_time(self.bottle, frames)
        if self.pill[0] == self.pill[1]:
            return {(rotation % 2, x, y) for rotation, x, y in found}
        return found

    def place(self, rotation: int, x: int, y: int) -> None:
        """Lock the pill, and let everything settle."""
        left, right = self.pill
        first, second = (left, right) if rotation in (0, 3) else (right, left)
        if rotation % 2 == 0:
            self.bottle[x, y] = letter("left", first)
            self.bottle[x + 1, y] = letter("right", second)
        elif y == 15:
            self.bottle[x, y] = letter("single", first)
        else:
            self.bottle[x, y] = letter("lower", first)
            self.bottle[x, y + 1] = letter("upper", second)
        before = self.left()
        while vanish(self.bottle):
            while fall(self.bottle):
                pass
        self.since = self.since + 1 if self.left() == before else 0
        self.pills += 1
        assert self.preview is not None
        self.pill, self.preview = self.preview, None


def vanish(bottle: dict[tuple[int, int], str]) -> bool:
    """Remove all lines at once; whether there was one."""
    gone = set()
    for x, y in bottle:
        for dx, dy in ((1, 0), (0, 1)):
            line = [(x + i * dx, y + i * dy) for i in range(4)]
            if all(cell in bottle and COLOUR[bottle[cell]] == COLOUR[bottle[x, y]] for cell in line):
                gone.update(line)
    for x, y in gone:
        dx, dy = PARTNER.get(SHAPE[bottle[x, y]], (0, 0))
        other = (x + dx, y + dy)
        if other != (x, y) and other not in gone:
            bottle[other] = letter("single", COLOUR[bottle[other]])
    for cell in gone:
        del bottle[cell]
    return bool(gone)


def fall(bottle: dict[tuple[int, int], str]) -> bool:
    """Let every piece fall one row that has nothing below it, the lowest first; whether one did."""
    moved = False
    for y in range(1, 16):
        for x in range(8):
            shape = SHAPE.get(bottle.get((x, y), ""))
            if shape in ("single", "lower", "upper") and (x, y - 1) not in bottle:
                bottle[x, y - 1] = bottle.pop((x, y))
                moved = True
            elif shape == "left" and (x, y - 1) not in bottle and (x + 1, y - 1) not in bottle:
                bottle[x, y - 1] = bottle.pop((x, y))
                bottle[x + 1, y - 1] = bottle.pop((x + 1, y))
                moved = True
    return moved


# ── Placements ──────────────────────────────────────────────────────────────────────────────────


def fits(bottle, x: int, y: int, rotation: int) -> bool:
    cells = [(x, y), (x + 1, y) if rotation % 2 == 0 else (x, y + 1)]
    return all(0 <= i < 8 and j >= 0 and (i, j) not in bottle for i, j in cells)


def turn(bottle, x: int, y: int, rotation: int, by: int, left_held: bool) -> tuple[int, int]:
    """The x and the rotation after an attempt to turn."""
    turned = (rotation + by) % 4
    if fits(bottle, x, y, turned):
        if turned % 2 == 0 and left_held and fits(bottle, x - 1, y, turned):
            return x - 1, turned
        return x, turned
    if turned % 2 == 0 and fits(bottle, x - 1, y, turned):
        return x - 1, turned
    return x, rotation


def reachable(bottle) -> set[tuple[int, int, int]]:
    """All placements, without timing."""
    seen = {(3, 15, 0)}
    waiting = list(seen)
    rests = set()
    while waiting:
        x, y, rotation = waiting.pop()
        following = [(x + dx, y, rotation) for dx in (-1, 1) if fits(bottle, x + dx, y, rotation)]
        if fits(bottle, x, y - 1, rotation):
            following.append((x, y - 1, rotation))
        else:
            rests.add((rotation, x, y))
        for by in (1, -1):
            new_x, new_rotation = turn(bottle, x, y, rotation, by, left_held=False)
            following.append((new_x, y, new_rotation))
        for state in following:
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return rests


def reachable_in_time(bottle, gravity: int, *, down: bool = False, odd: bool = False) -> set[tuple[int, int, int]]:
    """All placements, by every way to hold the buttons in every frame.

    ``down`` adds the down button, which acts in every second frame; ``odd`` says in which ones.
    """
    pads = ["", "L", "R", "D"] if down else ["", "L", "R"]
    buttons = [pad + a + b for pad, a, b in itertools.product(pads, ("", "A"), ("", "B"))]
    states = {(3, 15, 0, 0, 0, "")}
    seen: set[tuple[bool, tuple]] = set()
    rests = set()
    while states:
        odd = not odd
        following = set()
        for state in states:
            for held in buttons:
                after = frame(bottle, gravity, state, held, odd)
                if isinstance(after, tuple) and len(after) == 3:
                    rests.add(after)
                elif (odd and down, after) not in seen:
                    seen.add((odd and down, after))
                    following.add(after)
        states = following
    return rests


def frame(bottle, gravity: int, state: tuple, held: str, odd: bool) -> tuple:
    """One frame of the cartridge: the next state, or the placement if the pill locks."""
    x, y, rotation, counter, velocity, before = state
    pressed = {button for button in held if button not in before}
    counter += 1
    if counter == gravity or (odd and "D" in held):
        counter = 0
        if not fits(bottle, x, y - 1, rotation):
            return rotation, x, y
        y -= 1
    step = -1 if "L" in held else 1 if "R" in held else 0
    if step:
        velocity = 0 if pressed & {"L", "R"} else velocity + 1
        if velocity == 0 or velocity == 16:
            velocity = 10 if velocity == 16 else 0
            last = 7 if rotation % 2 else 6
            if 0 <= x + step <= last:
                if fits(bottle, x + step, y, rotation):
                    x += step
                else:
                    velocity = 15
    else:
        velocity = 0  # it starts anew with the next press, whatever it was
    for button, by in (("A", 1), ("B", -1)):
        if button in pressed:
            x, rotation = turn(bottle, x, y, rotation, by, "L" in held)
    return x, y, rotation, counter, velocity, held


def random_game(seed: int, text: str) -> int:
    """A random game without timing from a bottle string to its end; how many pills it took."""
    choose = random.Random(seed)
    cells = [(x, y) for y in range(15, -1, -1) for x in range(8)]
    bottle = {cell: piece for cell, piece in zip(cells, text, strict=True) if piece != "d"}
    game = Game(bottle, choose.choice(PILLS), choose.choice(PILLS))
    while moves := sorted(game.moves()):
        game.place(*choose.choice(moves))
        game.preview = choose.choice(PILLS)
    return game.pills
