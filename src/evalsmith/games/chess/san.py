"""Standard algebraic notation, both ways.

Writing follows the standard: the least that tells the move apart, ``=Q`` for promotions, ``+`` and ``#``.
Reading is generous: check and mate signs may be missing or wrong, ``0-0`` and ``o-o`` castle, ``e8Q`` and
``e8(Q)`` promote, ``e.p.``, ``!`` and ``?`` are passed over, long forms (``Ng1-f3``) and figurines are understood.
"""

from __future__ import annotations

import re
from typing import NoReturn

from evalsmith.games.chess.fen import format_fen, square_name
from evalsmith.games.chess.words import BLACK_PIECES, CASTLING, EN_PASSANT, KIND, ORIGIN, PAWN, PIECE, SIDE_BIT, STATE
from evalsmith.games.game import Position
from evalsmith.run.errors import MoveError

_LETTERS = "PNBRQK"
_FIGURINES = str.maketrans("♙♘♗♖♕♔♟♞♝♜♛♚", _LETTERS * 2)
_CASTLING = re.compile(r"([Oo0])[-–]?\1([-–]?\1)?")
_MOVE = re.compile(r"([PNBRQK])?([a-h])?([1-8])?[-–x:×]?([a-h])([1-8])(?:[=/]?\(?([NBRQ])\)?)?")
_TAIL = re.compile(r"[+#†‡!?]+$|\s*e\.?\s?p\.?$")


def parse_san(position: Position, text: str) -> int:
    """The legal move that a SAN text names, or a MoveError."""
    from evalsmith.games.chess import GAME

    legal = GAME.moves(position)
    body = text.strip().translate(_FIGURINES)
    while shorter := _TAIL.sub("", body):
        if shorter == body:
            break
        body = shorter
    if castling := _CASTLING.fullmatch(body):
        long = castling.group(2) is not None
        fitting = [m for m in legal if m >> KIND & 7 == CASTLING and ((m & 63) < (m >> ORIGIN & 63)) == long]
    elif found := _MOVE.fullmatch(body):
        fitting = _fitting(legal, *found.groups())
    else:
        raise MoveError(f"{text!r} is not a chess move such as e2e4, Nf3 or O-O, in {format_fen(position)}")
    if not fitting:
        refuse_move(position, text, legal)
    if len(fitting) > 1:
        meant = " or ".join(format_san(position, move) for move in fitting)
        raise MoveError(f"{text!r} is ambiguous in {format_fen(position)}; it may be {meant}")
    return fitting[0]


def _fitting(
    legal: list[int],
    letter: str | None,
    file: str | None,
    rank: str | None,
    to_file: str,
    to_rank: str,
    promotion: str | None,
) -> list[int]:
    """The legal moves that fit what the text says."""
    piece = _LETTERS.index(letter) if letter else PAWN
    target = "abcdefgh".index(to_file) + 8 * "12345678".index(to_rank)
    kind = _LETTERS.index(promotion) if promotion else 0
    fitting = []
    for move in legal:
        origin, made = move >> ORIGIN & 63, move >> KIND & 7
        if (
            move & 63 == target
            and move >> PIECE & 7 == piece
            and made != CASTLING
            and (made if made <= 4 else 0) == kind
            and (file is None or origin % 8 == "abcdefgh".index(file))
            and (rank is None or origin // 8 == "12345678".index(rank))
        ):
            fitting.append(move)
    return fitting


def format_san(position: Position, move: int) -> str:
    """The SAN of a legal move."""
    from evalsmith.games.chess import GAME

    child = GAME.play_unchecked(position, move)
    sign = ""
    if GAME.check(child):
        sign = "+" if GAME.moves(child) else "#"
    origin, target = move >> ORIGIN & 63, move & 63
    piece, kind = move >> PIECE & 7, move >> KIND & 7
    if kind == CASTLING:
        return ("O-O" if target > origin else "O-O-O") + sign
    side = int(position[STATE]) >> SIDE_BIT & 1
    takes = kind == EN_PASSANT or int(position[BLACK_PIECES - side]) >> target & 1
    name = square_name(target)
    if piece == PAWN:
        shown = f"{square_name(origin)[0]}x{name}" if takes else name
        return shown + (f"={_LETTERS[kind]}" if 1 <= kind <= 4 else "") + sign
    return _LETTERS[piece] + _origin_shown(GAME.moves(position), move) + ("x" if takes else "") + name + sign


def _origin_shown(legal: list[int], move: int) -> str:
    """The file, the rank or both of the origin, as far as another such piece could go there too."""
    same = 63 | 7 << PIECE | 7 << KIND
    others = [m >> ORIGIN & 63 for m in legal if (m ^ move) & same == 0 and m != move]
    origin = move >> ORIGIN & 63
    name = square_name(origin)
    if not others:
        return ""
    if all(other % 8 != origin % 8 for other in others):
        return name[0]
    if all(other // 8 != origin // 8 for other in others):
        return name[1]
    return name


def refuse_move(position: Position, text: str, legal: list[int]) -> NoReturn:
    """Say that a move is illegal, and which are legal."""
    names = " ".join(format_san(position, move) for move in legal) or "none, the game is over"
    raise MoveError(f"{text!r} is not a legal move in {format_fen(position)}; legal are: {names}")
