"""Moves of chess as SAN and as UCI writes them, both ways.

Writing SAN follows the standard: the least that tells the move apart, ``=Q`` for promotions, ``+`` and ``#``. Reading,
by the compiled code of ``san``, is generous: check and mate signs may be missing or wrong, ``0-0`` and ``o-o`` castle,
``e8Q`` and ``e8(Q)`` promote, ``e.p.``, ``!`` and ``?`` mean nothing, long forms (``Ng1-f3``), figurines and
coordinates (``g1f3``) are understood.
"""

from __future__ import annotations

import functools
import re

import numpy as np

from evalsmith.compile import Context, Integers, Words, driver, pointer
from evalsmith.games.chess import GAME
from evalsmith.games.chess.board import is_chess960, square_name
from evalsmith.games.chess.notation import san
from evalsmith.games.chess.notation.fen import format_fen
from evalsmith.games.chess.notation.letters import PADDING, buffer_of
from evalsmith.games.chess.words import (
    BLACK_PIECES,
    CASTLING,
    EN_PASSANT,
    KIND,
    KNIGHT,
    ORIGIN,
    PAWN,
    PIECE,
    QUEEN,
    SIDE_BIT,
    STATE,
    WORDS,
)
from evalsmith.games.game import Position
from evalsmith.run.errors import MoveError

_LETTERS, _PROMOTIONS = "PNBRQK", " nbrq"
_TAIL = re.compile(r"[+#†‡!?]*(?:\s*e\.?\s?p\.?)?[+#†‡!?]*")  # behind what was read


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────


@driver("int64(int64[::1], uint8[::1], uint64[::1], uint64[::1], int64[::1])")
def _read(context: Integers, text: Integers, position: Words, next_row: Words, said: Integers) -> int:
    """The legal move that a text names; what the text says goes to ``said``."""
    said[0] = san.read_move(text, 0)
    if said[0] == san.NO_MOVE:
        return san.NO_MOVE
    return san.resolve(pointer(context), pointer(position), said[0], pointer(next_row))


@functools.cache
def _context() -> Context:

    return GAME.context()


def parse_move(position: Position, text: str) -> int:
    """The legal move that a text in SAN or UCI names, or a MoveError."""
    stripped = text.strip()
    content, said = buffer_of(stripped), np.zeros(1, dtype=np.int64)
    move = _read(_context().row, content, position, np.empty(WORDS, dtype=np.uint64), said)
    if move != san.NO_MOVE:
        rest = content[int(said[0]) >> san.LENGTH : len(content) - PADDING].tobytes()
        if _TAIL.fullmatch(rest.decode("utf-8", "replace")) is None:
            move = san.NO_MOVE
    if move < 0:
        raise _refusal(position, text, move, int(said[0]))
    return move


def _refusal(position: Position, text: str, why: int, said: int) -> MoveError:

    if why == san.NO_MOVE:
        return MoveError(f"{text!r} is not a chess move such as e2e4, Nf3 or O-O, in {format_fen(position)}")
    legal = GAME.moves(position)
    if why == san.AMBIGUOUS:
        meant = " or ".join(format_san(position, move) for move in legal if _fits(move, said))
        return MoveError(f"{text!r} is ambiguous in {format_fen(position)}; it may be {meant}")
    names = " ".join(format_san(position, move) for move in legal) or "none, the game is over"
    return MoveError(f"{text!r} is not a legal move in {format_fen(position)}; legal moves: {names}")


def _fits(move: int, said: int) -> bool:
    """Whether a move has the piece, the target and as much of the origin as a text says."""
    origin, file, rank = move >> ORIGIN & 63, said >> san.FROM_FILE & 15, said >> san.FROM_RANK & 15
    return (
        move & 63 == said & 63
        and move >> PIECE & 7 == said >> san.SAID_PIECE & 7
        and move >> KIND & 7 != CASTLING
        and file in (0, origin % 8 + 1)
        and rank in (0, origin // 8 + 1)
    )


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


def format_san(position: Position, move: int) -> str:
    """The SAN of a legal move."""
    after = GAME.play_unchecked(position, move)
    sign = ""
    if GAME.check(after):
        sign = "+" if GAME.moves(after) else "#"
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


def format_uci(position: Position, move: int, chess960: bool | None = None) -> str:
    """The move as UCI has it; ``chess960`` says how to write castling, and the position decides when it is None."""
    origin, target, kind = move >> ORIGIN & 63, move & 63, move >> KIND & 7
    if kind == CASTLING:
        if chess960 is None:
            chess960 = is_chess960(position)
        if not chess960:
            target = _king_target(move)
    promotion = _PROMOTIONS[kind] if KNIGHT <= kind <= QUEEN else ""
    return square_name(origin) + square_name(target) + promotion


def _king_target(move: int) -> int:
    """Where the king stands after castling."""
    origin = move >> ORIGIN & 63
    return (origin & 56) + (6 if move & 63 > origin else 2)
