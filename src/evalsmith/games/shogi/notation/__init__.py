"""Shogi positions and moves as text: SFEN, and moves in USI, CSA, KIF and KI2.

Positions are read from SFEN, also as ``startpos``, ``sfen …`` and with moves after ``moves``, as in USI's ``position``
command, and from the names of handicaps (``二枚落ち``). Moves are written as USI has them, and read in all four.
"""

from __future__ import annotations

from evalsmith.games.game import Position, Symmetry
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.board import Board, board_of, parse_square, refusal
from evalsmith.games.shogi.handicaps import HANDICAPS
from evalsmith.games.shogi.movegen.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.notation.moves import parse_move
from evalsmith.games.shogi.notation.sfen import format_sfen, parse_sfen
from evalsmith.games.shogi.notation.usi import format_usi
from evalsmith.games.shogi.squares import (
    BISHOP,
    BLACK,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    ROOK,
    SILVER,
    WHITE,
    WHITE_PIECE,
)
from evalsmith.run.errors import MoveError, PositionError

__all__ = ["format", "format_move", "handicap", "parse", "parse_move", "start", "symmetries"]

format = format_sfen
format_move = format_usi

_BACK_RANK = (LANCE, KNIGHT, SILVER, GOLD, KING, GOLD, SILVER, KNIGHT, LANCE)  # by file


def start() -> Position:
    """The standard start, black to move."""
    board = Board()
    for file, kind in enumerate(_BACK_RANK):
        for rank, piece in ((0, kind | WHITE_PIECE), (2, PAWN | WHITE_PIECE), (6, PAWN), (8, kind)):
            board.pieces[9 * file + rank] = piece
    for square, piece in (("2b", BISHOP | WHITE_PIECE), ("8b", ROOK | WHITE_PIECE), ("8h", BISHOP), ("2h", ROOK)):
        board.pieces[parse_square(square)] = piece
    return board.words()


def handicap(name: str) -> Position:
    """The start of a handicap by its Japanese name; white moves first, except at 平手."""
    missing = HANDICAPS.get(name)
    if missing is None:
        raise PositionError(f"unknown handicap {name!r}; expected one of {' '.join(HANDICAPS)}")
    board = board_of(start())
    for square in missing:
        board.pieces[parse_square(square)] = 0
    board.side = WHITE if missing else BLACK
    return board.position(name)


def parse(text: str) -> Position:
    """A position from SFEN, from the arguments of USI's ``position`` command, or from the name of a handicap."""
    body, _, played = text.strip().partition(" moves")
    if played and not played[0].isspace():
        raise refusal(text, f"a blank and the moves must follow 'moves', not {played[:10]!r}")
    body = body.strip()
    if body in HANDICAPS:
        position = handicap(body)
    elif body.lower() in ("startpos", "start"):
        position = start()
    else:
        position = parse_sfen(body.removeprefix("sfen ").strip(), text)
    return after(position, played.split())


def after(position: Position, names: list[str]) -> Position:
    """The position after moves; the first illegal one is a PositionError."""
    for ply, name in enumerate(names, 1):
        try:
            position = GAME.play_unchecked(position, parse_move(position, name))
        except MoveError as error:
            raise PositionError(f"move {ply}: {error}") from None
    return position


# ── Symmetries ──────────────────────────────────────────────────────────────────────────────────


def _exchanged_move(position: Position, move: int) -> int:
    target, origin = move & 127, move >> 7 & 127
    return 80 - target + ORIGIN * (origin if origin > DROP else 80 - origin) + (move & PROMOTE)


def symmetries() -> tuple[Symmetry, ...]:
    """Exchanging the colours and turning the board."""
    return (Symmetry("colour exchange", lambda position: board_of(position).exchanged().words(), _exchanged_move),)
