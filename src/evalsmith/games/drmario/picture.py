"""Dr. Mario positions as pictures for pages and as text for a terminal.

Cells are numbered 8·y + x from the floor, as the bits of a plane.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evalsmith.games import svg as drawing
from evalsmith.games.drmario import GAME, settings, strings
from evalsmith.games.drmario.bottle import SETTINGS
from evalsmith.games.drmario.dealing import COLOUR_NAMES, PILL_COLOURS
from evalsmith.games.drmario.settings import UNKNOWN
from evalsmith.games.drmario.strings import LEFT, LOWER, RIGHT, UPPER, VIRUS, Piece
from evalsmith.games.game import CHANCE, OVER, Position
from evalsmith.games.svg import CELL, SLATE, Arrow, Board, Mark
from evalsmith.run.errors import MoveError

# Of each colour the body, its edge, and the light on it.
_PAINTS = (("#e5403f", "#7f1214", "#ffa8a0"), ("#f4c327", "#84600a", "#fff2b0"), ("#3f8cf3", "#123f85", "#b3d6ff"))
_TERMINAL = ("red", "yellow", "blue")
# Two signs a cell, so that cells are square; shape and colour can be told without colours as well.
_SIGNS = {VIRUS: "@{}", strings.SINGLE: "*{}", LOWER: "∪{}", UPPER: "∩{}", LEFT: "({}", RIGHT: "{})"}
_HEAD = 1.5  # cells above the bottle, for the two pills


def svg(
    position: Position,
    *,
    size: float = 400,
    last: int | None = None,
    arrows: Iterable[tuple[int, int] | Arrow] = (),
    marks: Iterable[int | Mark] = (),
    values: Mapping[int, object] | None = None,
) -> str:
    """The bottle as SVG, ``size`` pixels wide, the pill above its neck and the preview beside it.

    ``last`` is the move that led here, whose cells are outlined; ``arrows`` join cells, ``marks`` tint them, and
    ``values`` puts words (scores) on the lower left cells of moves.
    """
    word = position[SETTINGS]
    bottle = strings.bottle_of(position)
    viruses = sum(piece.shape == VIRUS for piece in bottle.values())
    board = Board(8, 16, theme=SLATE, size=size, around=(_HEAD, 0, 0, 0), name=f"Dr. Mario, {viruses} viruses left")
    neck = board.corner(3, 0)
    board.add(drawing.rectangle(neck[0], neck[1] - CELL / 3, 2 * CELL, CELL / 3, fill=SLATE.light))
    for mark in marks:
        cell, colour = mark if isinstance(mark, Mark) else Mark(mark)
        board.highlight(*_place(cell), colour)
    for (x, y), piece in bottle.items():
        board.add(*_drawn(piece, *board.corner(x, 15 - y)))
    if last is not None:
        for x, y in _cells(last):
            left, top = board.corner(x, 15 - y)
            inner = CELL - 3
            board.add(drawing.rectangle(left + 1.5, top + 1.5, inner, inner, fill="none", stroke=SLATE.last,
                                        stroke_width=3, class_="last"))  # fmt: skip
    _draw_pill(board, int(settings.pill(word)), *board.corner(3, -1.55), 1.0, "pill")
    preview = int(settings.preview(word))
    left, top = board.corner(6, -1.42)
    if preview == UNKNOWN:
        board.add(drawing.text(left + 0.75 * CELL, top + 0.38 * CELL, "?", size=0.8 * CELL, fill="#8a94a2"))
    else:
        _draw_pill(board, preview, left, top, 0.75, "preview")
    left, top = board.corner(0, -1.05)
    words = f"{viruses} virus" if viruses == 1 else f"{viruses} viruses"
    board.add(drawing.label(left + 1.35 * CELL, top, words, room=2.6 * CELL, size=0.55 * CELL, fill="#8a94a2"))
    for item in arrows:
        arrow = Arrow(*item)
        board.arrow(_place(arrow.start), _place(arrow.end), weight=arrow.weight, colour=arrow.colour)
    for move, shown in (values or {}).items():
        x, y = _cells(move)[0]
        board.label(x, 15 - y, shown, halo="#12151a")
    return board.render()


def _place(cell: int) -> tuple[int, int]:
    """Column and row of a cell, the row from the top."""
    if not 0 <= cell < 128:
        raise MoveError(f"a cell is a number from 0 (x 0, y 0) to 127 (x 7, y 15), not {cell}")
    return cell % 8, 15 - cell // 8


def ends(move: int) -> tuple[int, ...]:
    """The cells of a move as `_place` numbers them."""
    return tuple(x + 8 * y for x, y in _cells(move))


def _cells(move: int) -> list[tuple[int, int]]:
    """The cells of a move inside the bottle, the lower left one first."""
    if not 0 <= move < 512:
        raise MoveError(f"a move is 128·rotation + 16·x + y, a number from 0 to 511, not {move}")
    rotation, x, y = move >> 7, move >> 4 & 7, move & 15
    other = (x + 1, y) if rotation % 2 == 0 else (x, y + 1)
    return [cell for cell in ((x, y), other) if cell[0] < 8 and cell[1] < 16]


def _draw_pill(board: Board, index: int, x: float, y: float, scale: float, kind: str) -> None:
    """A lying pill with its upper left corner there, in cells of a scale."""
    left, right = Piece(LEFT, PILL_COLOURS[index // 3]), Piece(RIGHT, PILL_COLOURS[index % 3])
    parts = [*_drawn(left, 0, 0), *_drawn(right, CELL, 0)]
    moved = f"translate({drawing.number(x)} {drawing.number(y)}) scale({scale})"
    board.add(drawing.group(*parts, transform=moved, class_=kind))


def _drawn(piece: Piece, x: float, y: float) -> list[str]:
    """A piece in the cell with that upper left corner."""
    return _virus(piece.colour, x, y) if piece.shape == VIRUS else _half(piece, x, y)


def _half(piece: Piece, x: float, y: float) -> list[str]:
    """A half of a pill: round where it ends, straight where the other half is; singles are round all about."""
    body, edge, light = _PAINTS[piece.colour]
    gap, radius = 1.5, CELL / 2 - 1.5
    left, right, top, bottom = x + gap, x + CELL - gap, y + gap, y + CELL - gap
    # The side towards the other half reaches the edge of the cell, and its corners are square.
    left, right = (x if piece.shape == RIGHT else left), (x + CELL if piece.shape == LEFT else right)
    top, bottom = (y if piece.shape == LOWER else top), (y + CELL if piece.shape == UPPER else bottom)
    round_at = {
        "top left": piece.shape not in (RIGHT, LOWER),
        "top right": piece.shape not in (LEFT, LOWER),
        "bottom right": piece.shape not in (LEFT, UPPER),
        "bottom left": piece.shape not in (RIGHT, UPPER),
    }
    sizes = {corner: radius if rounded else 0.0 for corner, rounded in round_at.items()}
    outline = _rounded(left, top, right, bottom, sizes)
    shape = drawing.element(
        "path", d=outline, fill=body, stroke=edge, stroke_width=1.6, class_=f"half {COLOUR_NAMES[piece.colour]}"
    )
    shine = drawing.rectangle(
        x + 0.28 * CELL, y + 0.2 * CELL, 0.34 * CELL, 0.13 * CELL, rx=0.065 * CELL, fill=light, fill_opacity=0.85
    )
    return [shape, shine]


def _rounded(left: float, top: float, right: float, bottom: float, sizes: dict[str, float]) -> str:
    """A path around a rectangle with a radius for each corner."""
    n = drawing.number
    a, b, c, d = (sizes[corner] for corner in ("top left", "top right", "bottom right", "bottom left"))
    return (
        f"M{n(left + a)} {n(top)}H{n(right - b)}A{n(b)} {n(b)} 0 0 1 {n(right)} {n(top + b)}"
        f"V{n(bottom - c)}A{n(c)} {n(c)} 0 0 1 {n(right - c)} {n(bottom)}"
        f"H{n(left + d)}A{n(d)} {n(d)} 0 0 1 {n(left)} {n(bottom - d)}"
        f"V{n(top + a)}A{n(a)} {n(a)} 0 0 1 {n(left + a)} {n(top)}Z"
    )


def _virus(colour: int, x: float, y: float) -> list[str]:
    """A face with feelers and feet, so that it is no pill even in grey."""
    body, edge, light = _PAINTS[colour]
    middle, height = x + CELL / 2, y + 0.54 * CELL
    limbs = [
        drawing.line((middle + side * near * CELL, height), (middle + side * far * CELL, y + end * CELL))
        for side in (-1, 1)
        for near, far, end in ((0.14, 0.28, 0.07), (0.16, 0.34, 0.93), (0.3, 0.46, 0.42))
    ]
    eyes = []
    for side in (-1, 1):
        eye = middle + side * 0.14 * CELL
        eyes.append(drawing.circle(eye, y + 0.46 * CELL, 0.105 * CELL, fill="#ffffff"))
        eyes.append(drawing.circle(eye, y + 0.48 * CELL, 0.052 * CELL, fill="#10141a"))
    mouth = drawing.element(
        "path",
        d=f"M{drawing.number(middle - 0.15 * CELL)} {drawing.number(y + 0.68 * CELL)}h{drawing.number(0.3 * CELL)}",
        stroke=edge, stroke_width=3, stroke_linecap="round",
    )  # fmt: skip
    return [
        drawing.group(*limbs, stroke=body, stroke_width=4, stroke_linecap="round"),
        drawing.circle(middle, height, 0.34 * CELL, fill=body, stroke=light, stroke_width=1.2,
                       class_=f"virus {COLOUR_NAMES[colour]}"),
        *eyes,
        mouth,
    ]  # fmt: skip


# ── Terminal ────────────────────────────────────────────────────────────────────────────────────


def text(position: Position) -> str:
    """The position for a terminal, with rich markup: a virus is ``@R``, a pill ``(RB)``, in their colours."""
    word = position[SETTINGS]
    bottle = strings.bottle_of(position)
    viruses = sum(piece.shape == VIRUS for piece in bottle.values())
    preview = int(settings.preview(word))
    beside = {
        15: f"pill  {_pill_text(int(settings.pill(word)))}",
        13: "next  " + ("?" if preview == UNKNOWN else _pill_text(preview)),
        11: f"viruses {viruses} of {int(settings.viruses(word))}",
        10: f"pills {int(settings.pills(word))}, {int(settings.since(word))} since the last kill",
        8: f"[bold]{_state(position, viruses)}[/bold]",
    }
    lines = ["[dim]   ╭─────╯    ╰─────╮[/dim]"]
    for y in range(15, -1, -1):
        cells = "".join(_sign(bottle.get((x, y))) for x in range(8))
        lines.append(f"[dim]{y:2} │[/dim]{cells}[dim]│[/dim]  {beside.get(y, '')}".rstrip())
    lines += ["[dim]   ╰────────────────╯[/dim]", f"[dim]    {' '.join('01234567')}[/dim]"]
    return "\n".join(lines)


def _sign(piece: Piece | None) -> str:
    if piece is None:
        return "[dim] ·[/dim]"
    colour = _TERMINAL[piece.colour]
    style = f"bold bright_{colour}" if piece.shape == VIRUS else f"black on {colour}"
    return f"[{style}]{_SIGNS[piece.shape].format('RYB'[piece.colour])}[/]"


def _pill_text(index: int) -> str:
    return _sign(Piece(LEFT, PILL_COLOURS[index // 3])) + _sign(Piece(RIGHT, PILL_COLOURS[index % 3]))


def _state(position: Position, viruses: int) -> str:
    """Who is to act, or how the game ended."""
    status = GAME.status(position)
    if status != OVER:
        return "the next pill is drawn" if status == CHANCE else "place the pill"
    if viruses == 0:
        return "game over, no virus is left"
    word = position[SETTINGS]
    if int(settings.since(word)) < int(settings.limit(word)) or not _entry_free(position):
        return "game over, the entry is blocked"
    return f"game over, {int(settings.limit(word))} pills without a kill"


def _entry_free(position: Position) -> bool:
    bottle = strings.bottle_of(position)
    return (3, 15) not in bottle and (4, 15) not in bottle
