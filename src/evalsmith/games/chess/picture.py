"""Chess positions as pictures for pages and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evalsmith.games.chess import GAME
from evalsmith.games.chess.board import COLOURS, is_chess960, pieces
from evalsmith.games.chess.pieces import piece
from evalsmith.games.chess.words import CASTLING, CLOCK_BIT, FIFTY_MOVES, NUMBER_BIT, ORIGIN, SIDE_BIT, STATE
from evalsmith.games.chess.words import KIND as KIND_BIT
from evalsmith.games.game import OVER, Position
from evalsmith.games.svg import WALNUT, Arrow, Board, Mark
from evalsmith.run.errors import InputError

_FILES, _RANKS = "abcdefgh", "12345678"
_CHECK = "#e2362b"
# Filled for black and hollow for white, so that the colours can be told where a terminal shows none.
_GLYPHS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
_TERMINAL_LIGHT, _TERMINAL_DARK = "#c9a77c", "#8f6743"


def svg(
    position: Position,
    *,
    size: float = 400,
    last: int | None = None,
    arrows: Iterable[tuple[int, int] | Arrow] = (),
    marks: Iterable[int | Mark] = (),
    values: Mapping[int, object] | None = None,
    flipped: bool = False,
) -> str:
    """The position as SVG, ``size`` pixels wide.

    ``last`` is the move that led here, ``arrows`` join squares, ``marks`` tint them, and ``values`` puts words (scores)
    where moves lead, with a thin arrow for each. ``flipped`` shows the board from black's side.
    """
    side = int(position[STATE]) >> SIDE_BIT & 1
    placed = pieces(position)
    name = f"Chess, {COLOURS[side]} to move, {len(placed)} pieces"
    across, down = (_FILES[::-1], _RANKS) if flipped else (_FILES, _RANKS[::-1])
    board = Board(8, 8, theme=WALNUT, size=size, across=across, down=down, sides="bl", lines=False, name=name)

    def cell(square: int) -> tuple[int, int]:
        if not 0 <= square < 64:
            raise InputError(f"a square is a number from 0 (a1) to 63 (h8), not {square}")
        column, row = square % 8, 7 - square // 8
        return (7 - column, 7 - row) if flipped else (column, row)

    for square in ends(last) if last is not None else ():
        board.highlight(*cell(square), WALNUT.last)
    for mark in marks:
        tinted = mark if isinstance(mark, Mark) else Mark(mark)
        board.highlight(*cell(tinted.cell), tinted.colour)
    if GAME.check(position):
        king = next(square for square, letter in placed.items() if letter == "Kk"[side])
        board.highlight(*cell(king), _CHECK)
    white = board.linear((0, "#fffef9"), (1, "#eadcc0"))
    black = board.linear((0, "#5d554e"), (1, "#1f1a17"))
    for square, letter in placed.items():
        board.add(piece(letter, *board.centre(*cell(square)), white if letter.isupper() else black))
    drawn = [Arrow(*item) for item in arrows] + [Arrow(*ends(move), 0.0) for move in values or ()]
    for item in drawn:
        board.arrow(cell(item.start), cell(item.end), weight=item.weight, colour=item.colour)
    for move, words in reversed(list((values or {}).items())):
        board.label(*cell(ends(move)[1]), words, fill="#ffffff", halo=WALNUT.label)
    return board.render()


def ends(move: int) -> tuple[int, int]:
    """Where a move begins and where its piece, the king in castling, ends."""
    if not 0 <= move < 1 << 18:
        raise InputError(f"{move} is not the number of a chess move")
    origin, target = move >> ORIGIN & 63, move & 63
    if move >> KIND_BIT & 7 == CASTLING:
        target = (origin & 56) + (6 if target > origin else 2)
    return origin, target


def text(position: Position) -> str:
    """The position for a terminal, with rich markup, white below."""
    placed = pieces(position)
    lines = []
    for rank in range(7, -1, -1):
        cells = "".join(_cell(placed.get(8 * rank + file), (file + rank) % 2 == 1) for file in range(8))
        lines.append(f"[dim]{rank + 1}[/dim] {cells}")
    lines += [f"[dim]   {'  '.join(_FILES)}[/dim]", "", _state(position)]
    return "\n".join(lines)


def _cell(letter: str | None, light: bool) -> str:
    ground = _TERMINAL_LIGHT if light else _TERMINAL_DARK
    if letter is None:
        return f"[on {ground}]   [/]"
    ink = "#ffffff" if letter.isupper() else "#000000"
    return f"[{ink} on {ground}] {_GLYPHS[letter]} [/]"


def _state(position: Position) -> str:
    """Who moves, or how the game ended."""
    state = int(position[STATE])
    mover, other = COLOURS[state >> SIDE_BIT & 1], COLOURS[~state >> SIDE_BIT & 1]
    check = GAME.check(position)
    if GAME.status(position) != OVER:
        variant = " (Chess960)" if is_chess960(position) else ""
        return f"[bold]{mover} to move[/bold]{', in check' if check else ''}, move {state >> NUMBER_BIT}{variant}"
    if not GAME.moves(position):
        return f"[bold]mate, {other} wins[/bold]" if check else "[bold]stalemate, a draw[/bold]"
    if state >> CLOCK_BIT & 0xFFFF >= FIFTY_MOVES:
        return "[bold]a draw by the fifty-move rule[/bold]"
    return "[bold]a draw, neither side can mate[/bold]"
