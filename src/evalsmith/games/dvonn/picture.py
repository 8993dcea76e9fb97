"""DVONN positions as pictures for pages and as text for a terminal.

Row 1 is at the top. Each row is half a field further left than the one above, so a column runs down to the left. Fields
are given by their numbers, 0 (A1) to 48 (K5).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from evalsmith.games import svg as drawing
from evalsmith.games.dvonn import GAME, board
from evalsmith.games.dvonn.legality import BLACK, SIDES, WHITE, Stack
from evalsmith.games.dvonn.notation import is_stacking, side_of, stacks_of
from evalsmith.games.dvonn.rules import CENTISTONE, PASS, REDS
from evalsmith.games.game import OVER, Position
from evalsmith.games.svg import CELL, KAYA, Arrow, Mark, Picture, Point
from evalsmith.run.errors import MoveError

_STEP_DOWN = CELL * math.sqrt(3) / 2
_RADIUS = 0.42 * CELL
_RED = "#d8281f"
_EDGES = {WHITE: "#8a7c62", BLACK: "#000000", None: "#6d0f0a"}
_INK = {WHITE: "#1d1712", BLACK: "#ffffff", None: "#ffffff"}
_KINDS = {WHITE: "white", BLACK: "black", None: "red"}
_TERMINAL_WOOD = "#8a6a42"
# Below this many pixels a coordinate cannot be read.
_SMALLEST_PIXELS = 9.0
_WIDTH, _LEFT = 12.35 * CELL, 2.15 * CELL  # from the edge to A1 there is room for coordinates
_HEIGHT, _TOP = 2.1 * CELL + 4 * _STEP_DOWN, 1.25 * CELL


# ── SVG ─────────────────────────────────────────────────────────────────────────────────────────


def svg(
    position: Position,
    *,
    size: float = 400,
    last: int | None = None,
    arrows: Iterable[tuple[int, int] | Arrow] = (),
    marks: Iterable[int | Mark] = (),
    values: Mapping[int, object] | None = None,
) -> str:
    """The position as SVG, ``size`` pixels wide.

    ``last`` is the move that led here, ``arrows`` join fields, ``marks`` tint them, and ``values`` puts words
    (scores) on moves: on the field of a placing, beside the target of a stack. A pass is not drawn.
    """
    stacks = stacks_of(position)
    picture = Picture(_WIDTH, _HEIGHT, size=size, name=_name(position, stacks))
    picture.add(drawing.rectangle(0, 0, picture.width, picture.height, rx=CELL / 3, fill=KAYA.frame))
    _draw_fields(picture)
    for mark in marks:
        field, colour = mark if isinstance(mark, Mark) else Mark(mark)
        _highlight(picture, field, colour or KAYA.mark)
    for field in ends(last):
        _highlight(picture, field, KAYA.last)
    _draw_stacks(picture, stacks)
    for item in arrows:
        drawn = Arrow(*item)
        _draw_arrow(picture, drawn.start, drawn.end, drawn.weight, drawn.colour or KAYA.arrow)
    for move, words in (values or {}).items():
        if places := ends(move):
            x, y = _between(_centre(places[0]), _centre(places[-1]), 0.68)
            picture.add(
                drawing.label(x, y, words, room=0.95 * CELL, size=0.42 * CELL, halo=KAYA.label, font_weight=600)
            )
    return picture.render()


def _name(position: Position, stacks: Mapping[int, Stack]) -> str:
    white, black = (_stones(stacks, side) for side in (WHITE, BLACK))
    return f"DVONN, {SIDES[side_of(position)]} to move, {white} stones white's and {black} black's"


def _stones(stacks: Mapping[int, Stack], side: int) -> int:
    return sum(stack.height for stack in stacks.values() if stack.owner == side)


def _point(column: float, row: float) -> Point:
    """Where a place lies in the picture; column A and row 1 are 0."""
    return _LEFT + (column - row / 2) * CELL, _TOP + row * _STEP_DOWN


def _centre(field: int) -> Point:
    if not 0 <= field < board.FIELDS:
        raise MoveError(f"a field is a number from 0 (A1) to 48 (K5), not {field}")
    return _point(*board.PLACES[field])


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _draw_fields(picture: Picture) -> None:
    """The board, and its coordinates where each line of fields begins."""
    side = CELL / math.sqrt(3)
    cells = [drawing.hexagon(*_centre(field), side) for field in range(board.FIELDS)]
    picture.add(drawing.group(*cells, fill=KAYA.light, stroke=KAYA.line, stroke_width=CELL / 24))
    letter = min(max(0.34 * CELL, _SMALLEST_PIXELS * picture.width / picture.size), 0.6 * CELL)
    places = []
    for column, name in enumerate("ABCDEFGHIJK"):
        top = next(row for row, (first, end) in enumerate(board.ROWS) if first <= column <= end)
        places.append((_point(column, top - 0.88), name))
    for row, (first, _) in enumerate(board.ROWS):
        places.append((_point(first - 0.88, row), str(row + 1)))
    picture.add(*(drawing.text(*place, name, size=letter, fill=KAYA.coordinate) for place, name in places))


def _highlight(picture: Picture, field: int, colour: str) -> None:
    side = 0.92 * CELL / math.sqrt(3)
    picture.add(
        drawing.hexagon(
            *_centre(field), side, fill=colour, fill_opacity=0.45, stroke=colour, stroke_width=CELL / 12, class_="mark"
        )
    )


def _draw_stacks(picture: Picture, stacks: Mapping[int, Stack]) -> None:
    """A disc a stack, with its height from 2 on, and a red ring around what holds a red stone."""
    paints = {
        WHITE: picture.radial((0, "#ffffff"), (0.6, "#f6f3ea"), (1, "#cfc8b6"), centre=(0.36, 0.32), radius=0.8),
        BLACK: picture.radial((0, "#5a6066"), (0.45, "#24282c"), (1, "#0c0e10"), centre=(0.36, 0.32), radius=0.75),
        None: picture.radial((0, "#ff8a7a"), (0.5, _RED), (1, "#9c130c"), centre=(0.36, 0.32), radius=0.8),
    }
    for field, stack in stacks.items():
        x, y = _centre(field)
        picture.add(drawing.circle(x + CELL / 40, y + CELL / 22, _RADIUS, fill="#2a1c0a", fill_opacity=0.4))
        words = drawing.tooltip(f"{board.NAMES[field]}: {stack}")
        edge, kind = _EDGES[stack.owner], _KINDS[stack.owner]
        picture.add(drawing.circle(x, y, _RADIUS, words, fill=paints[stack.owner], stroke=edge, class_=f"stack {kind}"))
        if stack.red and stack.owner is not None:
            ring = CELL / 9
            picture.add(
                drawing.circle(x, y, _RADIUS - ring / 2, fill="none", stroke=_RED, stroke_width=ring, class_="ring")
            )
        if stack.height > 1:
            room = (1.15 if stack.red else 1.4) * _RADIUS
            picture.add(
                drawing.label(
                    x, y, stack.height, room=room, size=0.56 * CELL, fill=_INK[stack.owner],
                    font_weight=700, class_="height", pointer_events="none",
                )
            )  # fmt: skip


def _draw_arrow(picture: Picture, start: int, end: int, weight: float, colour: str) -> None:
    strength = min(max(weight, 0.0), 1.0)
    width, opacity = CELL * (0.08 + 0.12 * strength), 0.6 + 0.3 * strength
    picture.add(
        drawing.arrow(_centre(start), _centre(end), colour=colour, width=width, opacity=opacity, keep=CELL / 10)
    )


def ends(move: int | None) -> list[int]:
    """The fields of a move: none for a pass, one for a placing, two for a stack's move."""
    if move is None or move == PASS:
        return []
    fields = [board.NUMBERS.get(bit) for bit in divmod(move, 64)]
    known = [field for field in fields if field is not None]
    if len(known) < 2:
        raise MoveError(f"{move} is not a move of DVONN")
    return known[:1] if known[0] == known[1] else known


# ── Terminal ────────────────────────────────────────────────────────────────────────────────────


def text(position: Position) -> str:
    """The position for a terminal, with rich markup: ○ white, ● black, ◇ and ◆ with a red stone, ✚ a red stone alone.

    The number is the height of a stack.
    """
    stacks = stacks_of(position)
    lines = [f"[dim]{'':8}{'   '.join('ABCDEFGHI')}[/dim]"]
    for row, (first, last) in enumerate(board.ROWS):
        fields = [board.PLACES.index((column, row)) for column in range(first, last + 1)]
        cells = "".join(_cell(stacks.get(field)) for field in fields)
        indent = 4 * first - 2 * row + 4
        after = f"  [dim]{'JK'[row]}[/dim]" if row < 2 else ""
        lines.append(f"{'':{indent}}[dim]{row + 1}[/dim] [on {_TERMINAL_WOOD}] {cells}[/]{after}")
    return "\n".join([*lines, "", _score(stacks), _state(position, stacks)])


def _cell(stack: Stack | None) -> str:
    if stack is None:
        return "[dim]·[/dim]   "
    if stack.owner is None:
        return "[bold red]✚[/]   "
    shown = f"{stack.height:<2} " if stack.height > 1 else "   "
    ink = "bright_white" if stack.owner == WHITE else "black"
    symbol = "○●"[stack.owner] if not stack.red else f"[bold red]{'◇◆'[stack.owner]}[/]"
    return f"[{ink}]{symbol}{shown}[/]"


def _score(stacks: Mapping[int, Stack]) -> str:
    white, black = (_stones(stacks, side) for side in (WHITE, BLACK))
    return f"[bold]○[/bold] white {white}   [bold]●[/bold] black {black}   [red]◇ ◆[/red] with red   [red]✚[/red] red"


def _state(position: Position, stacks: Mapping[int, Stack]) -> str:
    """Who moves and how, or who has won."""
    side = side_of(position)
    if not is_stacking(position):
        stone = "a red stone" if len(stacks) < REDS else "a stone"
        return f"[bold]{SIDES[side]} to place {stone}[/bold]"
    if GAME.status(position) != OVER:
        passing = ", no move but to pass" if GAME.moves(position) == [PASS] else ""
        return f"[bold]{SIDES[side]} to move[/bold]" + passing
    margin = GAME.result(position) // CENTISTONE
    if margin == 0:
        return "[bold]game over, a tie[/bold]"
    winner = side if margin > 0 else 1 - side
    return f"[bold]game over, {SIDES[winner]} wins by {abs(margin)}[/bold]"
