"""Chess positions as Forsyth–Edwards notation, with Shredder and X-FEN castling for Chess960.

What is written: the six fields, en passant only where a pawn may capture that way, castling as ``KQkq``
when kings and rooks stand where ordinary chess has them, otherwise as the files of the rooks (``HAha``).
What is read: also X-FEN (``K`` is the outermost rook on that wing), any en passant square behind a pawn
that may just have moved two squares, and texts that end before the clocks.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from evalsmith.games.chess.words import (
    BLACK,
    BLACK_PIECES,
    CLOCK_BIT,
    EN_PASSANT,
    EN_PASSANT_BIT,
    KIND,
    KING,
    MAX_CLOCK,
    MAX_NUMBER,
    NUMBER_BIT,
    PAWN,
    ROOK,
    SIDE_BIT,
    STATE,
    WHITE,
    WHITE_PIECES,
    full_key,
)
from evalsmith.games.game import Position
from evalsmith.run.errors import PositionError

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LETTERS = "pnbrqk"
COLOURS = ("white", "black")
# The boards that a letter of the text stands on.
_PLACED = {letter: (piece, BLACK_PIECES) for piece, letter in enumerate(LETTERS)}
_PLACED |= {letter.upper(): (piece, WHITE_PIECES) for piece, letter in enumerate(LETTERS)}
_LAST_RANKS = 0xFF000000000000FF
_FIELDS = ("board", "side to move", "castling", "en passant", "halfmove clock", "move number")


def make(boards: list[int], state: int) -> Position:
    """A position from its eight boards and its state; the key is worked out."""
    return np.array([*boards, state, full_key(boards, state)], dtype=np.uint64)


def square_name(square: int) -> str:
    """``e4`` for 28."""
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def parse_square(name: str) -> int | None:
    """28 for ``e4``; None when it is no square."""
    if len(name) == 2 and name[0] in "abcdefgh" and name[1] in "12345678":
        return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])
    return None


def parse_fen(text: str) -> Position:
    """A position from its FEN; ``start`` is the usual beginning."""
    words = text.split()
    if len(words) == 1 and words[0].lower() in ("start", "startpos"):
        words = START.split()
    if len(words) < 2:
        _refuse(text, f"the {_FIELDS[len(words)]} is missing")
    if len(words) > len(_FIELDS):
        _refuse(text, f"{words[6]!r} stands behind the six fields")
    boards = _board(text, words[0])
    if words[1] not in ("w", "b"):
        _refuse(text, f"the side to move is {words[1]!r}, not w or b")
    side = WHITE if words[1] == "w" else BLACK
    _count(text, boards)
    castling = _castling(text, boards, words[2] if len(words) > 2 else "-")
    file = _en_passant(text, boards, side, words[3] if len(words) > 3 else "-")
    clock = _number(text, words, 4, 0, MAX_CLOCK)
    number = max(1, _number(text, words, 5, 1, MAX_NUMBER))
    state = castling | side << SIDE_BIT | clock << CLOCK_BIT | number << NUMBER_BIT
    return _checked(text, boards, state, file)


def format_fen(position: Position) -> str:
    """The FEN of a position."""
    state = int(position[STATE])
    file = state >> EN_PASSANT_BIT & 15
    side = state >> SIDE_BIT & 1
    passing = square_name(file - 1 + (16 if side else 40)) if file else "-"
    clock, number = state >> CLOCK_BIT & 0xFFFF, state >> NUMBER_BIT
    return f"{_board_text(position)} {'wb'[side]} {_castling_text(position)} {passing} {clock} {number}"


def pieces(position: Position) -> dict[int, str]:
    """The letter of the piece on each occupied square, capital for white."""
    found = {}
    for piece, letter in enumerate(LETTERS):
        for side, shown in ((WHITE, letter.upper()), (BLACK, letter)):
            for square in squares_of(int(position[piece]) & int(position[WHITE_PIECES + side])):
                found[square] = shown
    return found


def squares_of(board: int) -> list[int]:
    """The squares of a board, lowest first."""
    found = []
    while board:
        found.append((board & -board).bit_length() - 1)
        board &= board - 1
    return found


def is_chess960(position: Position) -> bool:
    """Whether some castling right needs Chess960: a king not on the e-file, or a rook not in the corner."""
    state, kings = int(position[STATE]), int(position[KING])
    rights = (state & 0xFF, state >> 8 & 0xFF)
    return any(
        files and (files & ~0x81 != 0 or not kings & int(position[WHITE_PIECES + side]) & 0x10 << 56 * side)
        for side, files in enumerate(rights)
    )


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────


def _refuse(text: str, reason: str) -> NoReturn:
    shown = text if len(text) <= 100 else text[:97] + "…"
    raise PositionError(f"not a chess position, {reason}: {shown!r}")


def _board(text: str, field: str) -> list[int]:
    boards = [0] * 8
    rows = field.split("/")
    if len(rows) != 8:
        _refuse(text, f"the board has {len(rows)} ranks, not 8")
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for letter in row:
            found = _PLACED.get(letter)
            if found is None:
                if letter not in "12345678":
                    _refuse(text, f"{letter!r} on rank {rank + 1} is neither a piece nor a count of empty squares")
                file += int(letter)
                continue
            if file < 8:
                boards[found[0]] |= 1 << 8 * rank + file
                boards[found[1]] |= 1 << 8 * rank + file
            file += 1
        if file != 8:
            _refuse(text, f"rank {rank + 1} ({row}) has {file} squares, not 8")
    return boards


def _count(text: str, boards: list[int]) -> None:
    """Refuse numbers that no game can reach; kernels rely on one king and at most 16 pieces a side."""
    for side, colour in enumerate(COLOURS):
        own = boards[WHITE_PIECES + side]
        kings = (boards[KING] & own).bit_count()
        if kings != 1:
            _refuse(text, f"{colour} has {kings or 'no'} king{'s' if kings > 1 else ''}, not one")
        pawns = (boards[PAWN] & own).bit_count()
        if pawns > 8:
            _refuse(text, f"{colour} has {pawns} pawns, more than 8")
        if own.bit_count() > 16:
            _refuse(text, f"{colour} has {own.bit_count()} pieces, more than 16")
    if misplaced := boards[PAWN] & _LAST_RANKS:
        _refuse(text, f"a pawn stands on {square_name(squares_of(misplaced)[0])}")


def _castling(text: str, boards: list[int], field: str) -> int:
    """The castling rooks as the low 16 bits of the state."""
    rights = 0
    if field == "-":
        return rights
    for letter in field:
        side = WHITE if letter.isupper() else BLACK
        rank = 56 * side
        own = boards[WHITE_PIECES + side]
        king = (boards[KING] & own).bit_length() - 1
        rooks = (boards[ROOK] & own) >> rank & 0xFF
        home = king // 8 == rank // 8
        east = [file for file in range(8) if rooks >> file & 1 and file > king % 8]
        west = [file for file in range(8) if rooks >> file & 1 and file < king % 8]
        kind, found = letter.lower(), None
        if letter in "Kk":
            found = east[-1] if east else None
        elif letter in "Qq":
            found = west[0] if west else None
        elif kind in "abcdefgh" and letter.isascii():
            found = "abcdefgh".index(kind) if "abcdefgh".index(kind) in east + west else None
        else:
            _refuse(text, f"{letter!r} in the castling field {field!r} is no wing (KQkq) and no file of a rook")
        if not home or found is None:
            _refuse(text, f"castling {letter!r} needs {COLOURS[side]}'s king and that rook on the back rank")
        wing = east if found > king % 8 else west
        if any(rights >> 8 * side & 1 << file for file in wing):
            _refuse(text, f"the castling field {field!r} names one wing of {COLOURS[side]} twice")
        rights |= 1 << found + 8 * side
    return rights


def _en_passant(text: str, boards: list[int], side: int, field: str) -> int:
    """The file plus one, or 0; whether a pawn can capture there is seen later."""
    if field == "-":
        return 0
    square = parse_square(field)
    if square is None or square // 8 != (2 if side == BLACK else 5):
        rank = 3 if side == BLACK else 6
        _refuse(text, f"the en passant square is {field!r}, not one on rank {rank} and not -")
    step = 8 if side == BLACK else -8
    occupied = boards[WHITE_PIECES] | boards[BLACK_PIECES]
    pawn = boards[PAWN] & boards[BLACK_PIECES - side] & 1 << square + step
    if not pawn or occupied & (1 << square | 1 << square - step):
        _refuse(text, f"no pawn can just have moved two squares past {field}")
    return square % 8 + 1


def _number(text: str, words: list[str], place: int, default: int, most: int) -> int:
    if len(words) <= place:
        return default
    word = words[place]
    if not (word.isascii() and word.isdigit()) or len(word) > 6 or int(word) > most:
        _refuse(text, f"the {_FIELDS[place]} is {word!r}, not a number from 0 to {most}")
    return int(word)


def _checked(text: str, boards: list[int], state: int, file: int) -> Position:
    """Refuse a king that could be captured; keep en passant only where it can be played."""
    from evalsmith.games.chess import GAME

    first, second = squares_of(boards[KING])
    if max(abs(first % 8 - second % 8), second // 8 - first // 8) == 1:
        _refuse(text, "the kings stand side by side")
    if GAME.check(np.array([*boards, state ^ 1 << SIDE_BIT, 0], dtype=np.uint64)):
        mover, waiting = COLOURS[state >> SIDE_BIT & 1], COLOURS[~state >> SIDE_BIT & 1]
        _refuse(text, f"{waiting} is in check although {mover} is to move")
    if file:
        passing = make(boards, state | file << EN_PASSANT_BIT)
        if any(move >> KIND & 7 == EN_PASSANT for move in GAME.moves(passing)):
            return passing
    return make(boards, state)


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


def _board_text(position: Position) -> str:
    placed = pieces(position)
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(placed.get(8 * rank + file, " ") for file in range(8))
        for empty in range(8, 0, -1):
            row = row.replace(" " * empty, str(empty))
        rows.append(row)
    return "/".join(rows)


def _castling_text(position: Position) -> str:
    state, shredder = int(position[STATE]), is_chess960(position)
    text = ""
    for side in (WHITE, BLACK):
        files = [file for file in range(7, -1, -1) if state >> 8 * side & 1 << file]
        king = squares_of(int(position[KING]) & int(position[WHITE_PIECES + side]))[0] % 8
        letters = "".join("abcdefgh"[file] if shredder else ("k" if file > king else "q") for file in files)
        text += letters.upper() if side == WHITE else letters
    return text or "-"
