"""Shogi positions as pictures for pages and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evalsmith.games import svg as drawing
from evalsmith.games.game import OVER, Position
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.board import SIDES, board_of
from evalsmith.games.shogi.board import Board as Placed
from evalsmith.games.shogi.movegen.generate import DROP
from evalsmith.games.shogi.notation.kif import RANKS
from evalsmith.games.shogi.squares import (
    BISHOP,
    BLACK,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    ROOK,
    SILVER,
    SQUARES,
    WHITE,
    WHITE_PIECE,
)
from evalsmith.games.svg import CELL, KAYA, Arrow, Board, Mark, Point
from evalsmith.run.errors import InputError

# One sign a piece, by kind, as diagrams print them.
SIGNS = ("", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍")
_FONT = (
    "'Noto Serif CJK JP', 'Source Han Serif JP', 'Hiragino Mincho ProN', 'Yu Mincho', 'IPAMincho', 'MS Mincho', serif"
)
_HAND_ORDER = (ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN)
_STAND, _GAP, _SLOTS = 1.3, 0.08, 7.2  # in cells: the width of a stand for hands, its distance, its height
_STARS = ((3, 3), (6, 3), (3, 6), (6, 6))
_INK, _RED, _CHECK = "#1d1409", "#b3261e", "#e2362b"
_EDGE, _MOVER = "#8a5f25", "#f0913a"
# How large each kind is, in parts of a cell: as in a real set, kings are larger than pawns.
_SIZES = {PAWN: 0.86, LANCE: 0.88, KNIGHT: 0.9, SILVER: 0.93, GOLD: 0.93, BISHOP: 0.96, ROOK: 0.96, KING: 0.98}
# The pentagon around its middle, in parts of the piece.
_PENTAGON = ((0.0, -0.5), (0.34, -0.36), (0.44, 0.48), (-0.44, 0.48), (-0.34, -0.36))

_ANSI = {BLACK: "bold #1d1409", WHITE: "bold #1f4fa3"}
_TERMINAL_WOOD = "#e6c27a"


def svg(
    position: Position,
    *,
    size: float = 400,
    last: int | None = None,
    arrows: Iterable[tuple[int, int] | Arrow] = (),
    marks: Iterable[int | Mark] = (),
    values: Mapping[int, object] | None = None,
) -> str:
    """The position as SVG, ``size`` pixels wide, black below.

    ``last`` is the move that led here. ``arrows`` join squares; from 80 plus a kind they come out of the mover's
    hand. ``marks`` tint squares, and ``values`` puts words (scores) where moves lead, with a thin arrow for each.
    """
    placed = board_of(position)
    count = sum(1 for piece in placed.pieces if piece)
    name = f"Shogi, {SIDES[placed.side]} to move, {count} pieces on the board"
    room = _STAND + _GAP
    board = Board(
        9, 9, theme=KAYA, size=size, across="987654321", down=RANKS, sides="tr", around=(0, room, 0, room), name=name
    )
    board.add(*(drawing.circle(*board.corner(*star), CELL / 14, fill=KAYA.line) for star in _STARS))
    for square in ends(last) if last is not None else ():
        if square <= DROP:
            board.highlight(*_cell(square), KAYA.last)
    for mark in marks:
        tinted = mark if isinstance(mark, Mark) else Mark(mark)
        board.highlight(*_cell(tinted.cell), tinted.colour)
    if GAME.check(position):
        board.highlight(*_cell(placed.king(placed.side)), _CHECK)
    paint = board.linear((0, "#fffbef"), (0.6, "#fdedc8"), (1, "#ecca8d"))
    for square, piece in enumerate(placed.pieces):
        if piece:
            board.add(_piece(piece, *board.centre(*_cell(square)), paint))
    hands = _draw_hands(board, placed, paint)

    def end(square: int) -> tuple[float, float]:
        if square > DROP:
            kind = square - DROP
            if (placed.side, kind) not in hands:
                raise InputError(
                    f"{square} is neither a square, 0 (1a) to 80 (9i), nor 80 plus a kind in the mover's hand"
                )
            return hands[placed.side, kind]
        return _cell(square)

    drawn = [Arrow(*item) for item in arrows] + [Arrow(*ends(move), 0.0) for move in values or ()]
    for item in drawn:
        board.arrow(end(item.start), end(item.end), weight=item.weight, colour=item.colour)
    for move, words in reversed(list((values or {}).items())):
        board.label(*_cell(ends(move)[1]), words, fill="#ffffff", halo=KAYA.label)
    return board.render()


def _cell(square: int) -> tuple[int, int]:
    """Column and row of a square, file 9 on the left."""
    if not 0 <= square < SQUARES:
        raise InputError(f"a square is a number from 0 (1a) to 80 (9i), not {square}")
    return 8 - square // 9, square % 9


def ends(move: int) -> tuple[int, int]:
    """Origin (80 plus the kind for a drop) and target of a move."""
    target, origin = move & 127, move >> 7 & 127
    if not 0 <= move < 1 << 15 or target >= SQUARES or origin > DROP + GOLD:
        raise InputError(f"{move} is not the number of a shogi move")
    return origin, target


# ── Pieces and hands ────────────────────────────────────────────────────────────────────────────


def _piece(piece: int, x: float, y: float, paint: str) -> str:
    """A pentagon with its sign; white's are turned around, promoted ones red."""
    kind, white = piece & 15, bool(piece & WHITE_PIECE)
    promoted = kind > KING
    size = CELL * _SIZES[kind - PROMOTED if promoted else kind]
    # The two kings of a set have different signs.
    sign = "王" if kind == KING and white else SIGNS[kind]
    outline = [(size * across, size * along) for across, along in _PENTAGON]
    # The light comes from above on both sides, so white's shadow is turned as well.
    shade = CELL / (-22 if white else 22)
    return drawing.group(
        drawing.polygon([(x + shade, y + shade) for x, y in outline], fill="#5a3c10", fill_opacity=0.5),
        drawing.polygon(outline, fill=paint, stroke=_EDGE, stroke_width=CELL / 32, stroke_linejoin="round"),
        drawing.text(
            0, 0.05 * size, sign, size=0.74 * size, fill=_RED if promoted else _INK, font_family=_FONT, font_weight=700
        ),
        transform=f"translate({drawing.number(x)} {drawing.number(y)}){' rotate(180)' if white else ''}",
        class_=f"piece {SIDES[white]}",
    )


def _draw_hands(board: Board, placed: Placed, paint: str) -> dict[tuple[int, int], tuple[float, float]]:
    """Both stands with their pieces; gives the place of each kind."""
    places: dict[tuple[int, int], tuple[float, float]] = {}
    for side in (BLACK, WHITE):
        middle = board.width - _STAND * CELL / 2 if side == BLACK else _STAND * CELL / 2
        top = board.height - _SLOTS * CELL if side == BLACK else 0.0
        edge = CELL / 14
        board.add(
            drawing.rectangle(
                middle - _STAND * CELL / 2 + edge / 2,
                top + edge / 2,
                _STAND * CELL - edge,
                _SLOTS * CELL - edge,
                rx=CELL / 8,
                fill="#d9ae66",
                stroke=_MOVER if placed.side == side else KAYA.frame,
                stroke_width=edge if placed.side == side else edge / 2,
                class_="stand",
            )
        )
        held = [kind for kind in _HAND_ORDER if placed.hands[side][kind]]
        for slot, kind in enumerate(held):
            along = (slot + 0.6) * CELL * (_SLOTS - 0.1) / 7
            x, y = middle - CELL / 8, top + along if side == BLACK else top + _SLOTS * CELL - along
            board.add(_piece(kind | side * WHITE_PIECE, x, y, paint))
            board.add(*_held(placed.hands[side][kind], x, y))
            places[side, kind] = (x - board.left) / CELL - 0.5, (y - board.top) / CELL - 0.5
    return places


def _held(count: int, x: float, y: float) -> list[str]:
    """How many there are, beside the piece; nothing for one."""
    if count < 2:
        return []
    place: Point = (x + 0.56 * CELL, y + 0.28 * CELL)
    return [drawing.label(*place, count, room=0.6 * CELL, size=0.46 * CELL, fill="#ffffff", halo=_INK, font_weight=700)]


# ── Terminal ────────────────────────────────────────────────────────────────────────────────────


def text(position: Position) -> str:
    """The position for a terminal, with rich markup; white's pieces are blue and marked with a v."""
    placed = board_of(position)
    files = "".join(f" {file}" for file in "９８７６５４３２１")
    lines = [f"white in hand: {_hand_text(placed, WHITE)}", f"[dim]{files}[/dim]"]
    for rank in range(9):
        cells = "".join(_sign(placed.pieces[9 * file + rank]) for file in range(8, -1, -1))
        lines.append(f"{cells} [dim]{RANKS[rank]}[/dim]")
    lines += [f"black in hand: {_hand_text(placed, BLACK)}", "", _state(position)]
    return "\n".join(lines)


def _sign(piece: int) -> str:
    """A sign is two columns wide; the third says whose it is."""
    if not piece:
        return f"[#a07a3a on {_TERMINAL_WOOD}] ・[/]"
    side, kind = piece >> 4, piece & 15
    ink = _ANSI[side] if kind <= KING else f"bold {_RED}"
    return f"[{_ANSI[side]} on {_TERMINAL_WOOD}]{' v'[side]}[/][{ink} on {_TERMINAL_WOOD}]{SIGNS[kind]}[/]"


def _hand_text(placed: Placed, side: int) -> str:
    held = [(kind, placed.hands[side][kind]) for kind in _HAND_ORDER if placed.hands[side][kind]]
    return " ".join(f"{SIGNS[kind]}{count if count > 1 else ''}" for kind, count in held) or "nothing"


def _state(position: Position) -> str:
    """Who moves, or how the game ended."""
    placed = board_of(position)
    mover, other = SIDES[placed.side], SIDES[1 - placed.side]
    if GAME.status(position) != OVER:
        check = ", in check" if GAME.check(position) else ""
        return f"[bold]{mover} to move[/bold]{check}, move {placed.number}"
    if GAME.result(position) == 0:
        return f"[bold]a draw, the game is too long[/bold], move {placed.number}"
    return f"[bold]no move left, {other} wins[/bold]"
