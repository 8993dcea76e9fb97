"""Othello positions as pictures for pages and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evalsmith.games import svg as drawing
from evalsmith.games.game import OVER, Position
from evalsmith.games.othello import GAME
from evalsmith.games.othello.notation import BLACK, WHITE, colours
from evalsmith.games.othello.rules import CENTIDISC, PASS
from evalsmith.games.svg import CELL, GREEN, Arrow, Board, Mark, Picture
from evalsmith.run.errors import InputError, MoveError

_FILES, _RANKS = "abcdefgh", "12345678"
_NAMES = ("black", "white")
_DISC = 0.42
_MARKS = ((2, 2), (6, 2), (2, 6), (6, 6))
_TERMINAL_GREEN = "#1e6b45"


def svg(
    position: Position,
    *,
    size: float = 400,
    last: int | None = None,
    arrows: Iterable[tuple[int, int] | Arrow] = (),
    marks: Iterable[int | Mark] = (),
    values: Mapping[int, object] | None = None,
    moves: bool = False,
) -> str:
    """The position as SVG, ``size`` pixels wide.

    ``last`` is the move that led here, ``arrows`` join squares, ``marks`` tint them, ``values`` puts words
    (scores) on the squares of moves, and ``moves`` shows the legal ones as dots. A pass has no square: as the
    last move or among the values it is not drawn.
    """
    black, white = colours(position)
    side = int(position[2])
    name = f"Othello, {_NAMES[side]} to move, {black.bit_count()} black and {white.bit_count()} white discs"
    board = Board(8, 8, theme=GREEN, size=size, across=_FILES, down=_RANKS, name=name)
    shown = {place: words for move, words in (values or {}).items() if (place := _square(move)) is not None}
    board.add(*(drawing.circle(*board.corner(*place), CELL / 12, fill=GREEN.line) for place in _MARKS))
    for mark in marks:
        cell, colour = mark if isinstance(mark, Mark) else Mark(mark)
        if (place := _square(cell)) is not None:
            board.highlight(*place, colour)
    _draw_discs(board, (black, white))
    if last is not None and (place := _square(last)) is not None:
        board.dot(*place, GREEN.last)
    if moves:
        free = [place for move in _legal(position) if (place := _square(move)) is not None and place not in shown]
        for place in free:
            board.dot(*place, ("#000000", "#ffffff")[side], radius=0.14, opacity=0.5)
    for item in arrows:
        drawn = Arrow(*item)
        ends = _square(drawn.start), _square(drawn.end)
        if ends[0] is not None and ends[1] is not None:
            board.arrow(ends[0], ends[1], weight=drawn.weight, colour=drawn.colour)
    for place, words in shown.items():
        board.label(*place, words, halo="#14402b")
    return board.render()


def _draw_discs(board: Board, discs: tuple[int, int]) -> None:
    squares = [(square, colour) for square in range(64) for colour in (BLACK, WHITE) if discs[colour] >> square & 1]
    paints = _paints(board)
    for square, colour in squares:
        board.add(*_disc(*board.centre(square % 8, square // 8), _DISC * CELL, colour, paints[colour]))


def _paints(picture: Picture) -> tuple[str, str]:
    """Light from the upper left, on black and on white discs."""
    black = picture.radial((0, "#5a6066"), (0.45, "#24282c"), (1, "#0c0e10"), centre=(0.36, 0.32), radius=0.75)
    white = picture.radial((0, "#ffffff"), (0.6, "#f3f2ec"), (1, "#c6c4b9"), centre=(0.36, 0.32), radius=0.8)
    return black, white


def _disc(x: float, y: float, radius: float, colour: int, paint: str) -> tuple[str, str]:
    """A disc and its shadow."""
    edge = ("#000000", "#8d8b80")[colour]
    shadow = drawing.circle(x + radius / 14, y + radius / 8, radius, fill="#06281a", fill_opacity=0.45)
    disc = drawing.circle(
        x, y, radius, fill=paint, stroke=edge, stroke_width=radius / 24, class_=f"disc {_NAMES[colour]}"
    )
    return shadow, disc


def ends(move: int) -> tuple[int, ...]:
    """The square of a move, where an arrow is a ring; none for a pass."""
    return () if move == PASS else (move,)


def _square(move: int) -> tuple[int, int] | None:
    """Column and row of a move's square, None for a pass."""
    if move == PASS:
        return None
    if not 0 <= move < 64:
        raise MoveError(f"a square is a number from 0 (a1) to 63 (h8), not {move}")
    return move % 8, move // 8


def _legal(position: Position) -> list[int]:

    return GAME.moves(position)


def pattern_svg(squares: Sequence[int], digits: Sequence[int], *, size: float = 96) -> str:
    """One configuration of a pattern on a faint board: digit 0 is empty, 1 the mover (black), 2 the enemy (white)."""
    if len(squares) != len(digits):
        raise InputError(f"a pattern of {len(squares)} squares needs as many digits, not {len(digits)}")
    if wrong := [digit for digit in digits if digit not in (0, 1, 2)]:
        raise InputError(f"a digit of a pattern is 0, 1 or 2, not {wrong[0]}")
    if wrong := [square for square in squares if not 0 <= square < 64]:
        raise InputError(f"a square of a pattern is a number from 0 (a1) to 63 (h8), not {wrong[0]}")
    edge = CELL / 8
    whole = 8 * CELL + 2 * edge
    letters = "".join("-XO"[digit] for digit in digits)
    picture = Picture(whole, whole, size=size, name=f"pattern {letters}")
    lines = [drawing.line((edge + i * CELL, edge), (edge + i * CELL, whole - edge)) for i in range(9)]
    lines += [drawing.line((edge, edge + i * CELL), (whole - edge, edge + i * CELL)) for i in range(9)]
    picture.add(drawing.group(*lines, stroke="currentColor", stroke_opacity=0.22, stroke_width=CELL / 20))
    paints = _paints(picture)
    for square, digit in zip(squares, digits, strict=True):
        x, y = edge + square % 8 * CELL, edge + square // 8 * CELL
        picture.add(drawing.rectangle(x, y, CELL, CELL, fill=GREEN.light, stroke=GREEN.line, stroke_width=CELL / 20))
        if digit:
            picture.add(*_disc(x + CELL / 2, y + CELL / 2, 0.38 * CELL, digit - 1, paints[digit - 1]))
    return picture.render()


def text(position: Position) -> str:
    """The position for a terminal, with rich markup: black ●, white ○, a dim dot where the mover may play."""
    black, white = colours(position)
    legal = set(_legal(position))
    lines = [f"[dim]   {' '.join(_FILES)}[/dim]"]
    for row in range(8):
        cells = "".join(_cell(black, white, legal, 8 * row + column) for column in range(8))
        lines.append(f"[dim]{row + 1}[/dim] [on {_TERMINAL_GREEN}] {cells}[/]")
    lines += ["", f"[bold]●[/bold] black {black.bit_count()}   [bold]○[/bold] white {white.bit_count()}"]
    lines.append(_state(position, legal))
    return "\n".join(lines)


def _cell(black: int, white: int, legal: set[int], square: int) -> str:
    if black >> square & 1:
        return "[black]●[/black] "
    if white >> square & 1:
        return "[bright_white]○[/bright_white] "
    return "[dim bright_white]·[/] " if square in legal else "  "


def _state(position: Position, legal: set[int]) -> str:
    """Who moves, or who has won."""
    side = int(position[2])
    if GAME.status(position) != OVER:
        return f"[bold]{_NAMES[side]} to move[/bold]" + (", no move but to pass" if legal == {PASS} else "")
    margin = GAME.result(position) // CENTIDISC
    if margin == 0:
        return "[bold]game over, a draw[/bold]"
    winner = side if margin > 0 else 1 - side
    return f"[bold]game over, {_NAMES[winner]} wins by {abs(margin)}[/bold]"
