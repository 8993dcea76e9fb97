"""The starting positions of CSA files, both ways: ``PI`` without some pieces, rows ``P1`` to ``P9``, single pieces."""

from __future__ import annotations

from evalsmith.games.game import Position
from evalsmith.games.shogi.board import Board, board_of
from evalsmith.games.shogi.notation import start
from evalsmith.games.shogi.notation.csa import CODES
from evalsmith.games.shogi.squares import HAND_KINDS, KING, PROMOTED, SET, WHITE, WHITE_PIECE
from evalsmith.records.format import NOT_POSITION, BrokenGameError
from evalsmith.records.text import shown
from evalsmith.run.errors import PositionError

_KINDS = {code: kind for kind, code in enumerate(CODES) if kind}
_ALL = "AL"  # all pieces that stand nowhere else, in hand


def parse_start(text: str, mover: int) -> Position:
    """The position that the statements beginning with P describe, with ``mover`` to move."""
    board = Board(side=mover)
    for line in text.splitlines():
        if line.startswith("P"):
            for statement in line.split(","):
                if statement.startswith("P"):
                    _apply(board, statement)
    try:
        return board.position(" ".join(text.split())[:120])
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None


def _apply(board: Board, statement: str) -> None:
    kind = statement[1:2]
    if kind == "I":
        board.pieces = list(board_of(start()).pieces)
        for square, piece in _listed(statement):
            if square is None or board.pieces[square] & 15 != piece:
                raise BrokenGameError(NOT_POSITION, f"nothing to take away in {shown(statement)}")
            board.pieces[square] = 0
    elif kind in "+-" and kind:
        _place(board, statement, WHITE if kind == "-" else 0)
    elif kind in "123456789" and kind:
        _row(board, statement, int(kind) - 1)
    else:
        raise BrokenGameError(NOT_POSITION, f"{shown(statement)} is not part of a position")


def _listed(statement: str) -> list[tuple[int | None, int]]:
    """Squares (None is the hand) and kinds of ``P+00KI55GI``; the kind of AL is 0."""
    found: list[tuple[int | None, int]] = []
    body = statement[2:].strip()
    for place in range(0, len(body), 4):
        digits, code = body[place : place + 2], body[place + 2 : place + 4]
        if len(digits) < 2 or not (digits.isascii() and digits.isdigit()) or (code not in _KINDS and code != _ALL):
            raise BrokenGameError(
                NOT_POSITION, f"{shown(body[place : place + 4])} in {shown(statement)} is not a piece"
            )
        if digits != "00" and "0" in digits:
            raise BrokenGameError(NOT_POSITION, f"{digits} in {shown(statement)} is not a square")
        square = None if digits == "00" else 9 * int(digits[0]) + int(digits[1]) - 10
        found.append((square, _KINDS.get(code, 0)))
    return found


def _place(board: Board, statement: str, side: int) -> None:
    """Pieces of a side, on squares and in hand."""
    for square, kind in _listed(statement):
        if kind == 0:
            if square is not None:
                raise BrokenGameError(NOT_POSITION, f"AL in {shown(statement)} is on a square")
            for rest in HAND_KINDS:
                board.hands[side][rest] += max(SET[rest] - _used(board, rest), 0)
        elif square is not None:
            board.pieces[square] = kind | side * WHITE_PIECE
        elif kind >= KING:
            raise BrokenGameError(NOT_POSITION, f"{CODES[kind]} cannot be in hand")
        elif board.hands[side][kind] == SET[kind]:
            raise BrokenGameError(NOT_POSITION, f"more than {SET[kind]} {CODES[kind]} in hand")
        else:
            board.hands[side][kind] += 1


def _used(board: Board, kind: int) -> int:
    on_board = sum(1 for piece in board.pieces if piece & 15 in (kind, kind + PROMOTED) and piece & 15 != KING)
    return on_board + sum(hand[kind] for hand in board.hands)


def _row(board: Board, statement: str, rank: int) -> None:
    """Nine cells of three letters, from file 9 to file 1; blanks at the end may be missing."""
    cells = statement[2:].ljust(27)
    for place in range(9):
        cell = cells[3 * place : 3 * place + 3]
        square = 9 * (8 - place) + rank
        if cell[0] in "+-" and cell[1:] in _KINDS:
            board.pieces[square] = _KINDS[cell[1:]] | (WHITE_PIECE if cell[0] == "-" else 0)
        elif cell.strip() in ("*", ""):
            board.pieces[square] = 0
        else:
            raise BrokenGameError(NOT_POSITION, f"{shown(cell)} in {shown(statement)} is not a piece")
    if cells[27:].strip():
        raise BrokenGameError(NOT_POSITION, f"{shown(statement)} has more than nine cells")


def format_start(position: Position) -> str:
    """The statements for a position, the side to move among them, each on a line."""
    board = board_of(position)
    if board.pieces == board_of(start()).pieces and not any(any(hand.values()) for hand in board.hands):
        lines = ["PI"]
    else:
        lines = []
        for rank in range(9):
            row = (board.pieces[9 * file + rank] for file in range(8, -1, -1))
            lines.append(f"P{rank + 1}" + "".join(_cell(piece) for piece in row))
        for sign, hand in zip("+-", board.hands, strict=True):
            held = "".join(f"00{CODES[kind]}" * hand[kind] for kind in reversed(HAND_KINDS))
            if held:
                lines.append(f"P{sign}{held}")
    return "\n".join([*lines, "+-"[board.side]]) + "\n"


def _cell(piece: int) -> str:
    return f"{'-' if piece & WHITE_PIECE else '+'}{CODES[piece & 15]}" if piece else " * "
