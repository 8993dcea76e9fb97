"""Why a text is no chess position, in words; what is wrong was found by the compiled reader."""

from __future__ import annotations

from evalsmith.games.chess.board import COLOURS, parse_square, square_name, squares_of
from evalsmith.games.chess.notation import fen
from evalsmith.games.chess.notation.letters import STOPS
from evalsmith.games.chess.words import KING, MAX_CLOCK, MAX_NUMBER, PAWN, WHITE_PIECES
from evalsmith.games.game import Position
from evalsmith.run.errors import PositionError

_FIELDS = ("board", "side to move", "castling", "en passant", "halfmove clock", "move number")
_LAST_RANKS = 0xFF000000000000FF


def refusal(text: str, wrong: int, position: Position) -> PositionError:
    """The error for a text; ``position`` has the pieces, as far as they were read."""
    words = text.split()
    shown = text if len(text) <= 100 else text[:97] + "…"
    return PositionError(f"not a chess position, {_reason(words, wrong, position)}: {shown!r}")


def _reason(words: list[str], wrong: int, position: Position) -> str:
    if len(words) < 2:
        return f"the {_FIELDS[len(words)]} is missing"
    if len(words) > len(_FIELDS):
        return f"{words[6]!r} follows the six fields"
    match wrong:
        case fen.BOARD:
            return _board(words[0])
        case fen.PIECES:
            return _pieces(position)
        case fen.SIDE:
            return f"the side to move is {words[1]!r}, not w or b"
        case fen.CHECK:
            mover, waiting = COLOURS[words[1] == "b"], COLOURS[words[1] != "b"]
            return f"{waiting} is in check although {mover} is to move"
        case fen.CASTLING:
            return _castling(words)
        case fen.PASSING:
            return _en_passant(words)
    return _number(words)


def _board(field: str) -> str:
    rows = field.split("/")
    if len(rows) != 8:
        return f"the board has {len(rows)} ranks, not 8"
    for rank, row in zip(range(8, 0, -1), rows, strict=True):
        for letter in row:
            if letter not in "12345678pnbrqkPNBRQK":
                return f"{letter!r} on rank {rank} is neither a piece nor a count of empty squares"
        squares = sum(int(letter) if letter.isdigit() else 1 for letter in row)
        if squares != 8:
            return f"rank {rank} ({row}) has {squares} squares, not 8"
    return f"the board is {field!r}"


def _pieces(position: Position) -> str:
    for side, colour in enumerate(COLOURS):
        own = int(position[WHITE_PIECES + side])
        kings, pawns = (int(position[KING]) & own).bit_count(), (int(position[PAWN]) & own).bit_count()
        if kings != 1:
            return f"{colour} has {kings or 'no'} king{'s' if kings > 1 else ''}, not one"
        if pawns > 8:
            return f"{colour} has {pawns} pawns, more than 8"
        if own.bit_count() > 16:
            return f"{colour} has {own.bit_count()} pieces, more than 16"
    if misplaced := int(position[PAWN]) & _LAST_RANKS:
        return f"a pawn stands on {square_name(squares_of(misplaced)[0])}"
    return "the kings stand side by side"


def _castling(words: list[str]) -> str:
    """Which letter it is: the reader is asked about shorter and shorter fields."""
    field = words[2]

    def refused(letters: str) -> bool:
        return fen.judge([*words[:2], letters])[0] != 0

    letter = next(letter for place, letter in enumerate(field) if refused(field[: place + 1]))
    colour = COLOURS[not letter.isupper()]
    if letter not in "KQABCDEFGHkqabcdefgh":
        return f"{letter!r} in the castling field {field!r} is no wing (KQkq) and no file of a rook"
    if refused(letter):
        return f"castling {letter!r} needs {colour}'s king and that rook on the back rank"
    return f"the castling field {field!r} names one wing of {colour} twice"


def _en_passant(words: list[str]) -> str:
    field, rank = words[3], 3 if words[1] == "b" else 6
    square = parse_square(field)
    if square is None or square // 8 != rank - 1:
        return f"the en passant square is {field!r}, not one on rank {rank} and not -"
    return f"no pawn can just have moved two squares past {field}"


def _number(words: list[str]) -> str:
    """The halfmove clock or the number of the move, whichever is no number in its range."""
    for place, highest in ((4, MAX_CLOCK), (5, MAX_NUMBER)):
        if place < len(words):
            word = words[place]
            if not (word.isascii() and word.isdigit()) or len(word) > 6 or int(word) > highest:
                return f"the {_FIELDS[place]} is {word!r}, not a number from 0 to {highest}"
    word = next((word for word in words if set(word) & set(STOPS)), words[-1])
    return f"{word!r} is not understood"
