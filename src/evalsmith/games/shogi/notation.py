"""Shogi positions as SFEN, and moves as USI writes them.

Read are also ``startpos``, ``sfen …`` and moves behind ``moves``, as in USI's ``position`` command, and the names of
handicaps (``二枚落ち``). ``parse_move`` takes the texts of KIF, KI2 and CSA as well; they are in ``japanese.py``.
"""

from __future__ import annotations

import re

from evalsmith.games.game import Position, Symmetry
from evalsmith.games.shogi.board import HIGHEST_NUMBER, Board, board_of, refusal, square_name
from evalsmith.games.shogi.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.handicaps import HANDICAPS
from evalsmith.games.shogi.squares import BLACK, GOLD, PROMOTED, SET, WHITE, WHITE_PIECE
from evalsmith.run.errors import MoveError, PositionError

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

LETTERS = "?PLNSBRGK"  # by kind
_HAND_ORDER = "RBGSNLP"  # as SFEN writes hands
_HAND = re.compile(r"([0-9]*)([RBGSNLPrbgsnlp])")
_USI = re.compile(r"(?:([1-9][a-i])([1-9][a-i])(\+?)|([RBGSNLP])\*([1-9][a-i]))")


def start() -> Position:
    """The usual start, black to move."""
    return _from_sfen(START, START)


def handicap(name: str) -> Position:
    """The start of a handicap by its Japanese name; white moves first, except at 平手."""
    missing = HANDICAPS.get(name)
    if missing is None:
        raise PositionError(f"no handicap is called {name!r}; known are: {' '.join(HANDICAPS)}")
    board = board_of(start())
    for square in missing:
        board.pieces[_square(square)] = 0
    board.side = WHITE if missing else BLACK
    return board.position(name)


# ── Positions ───────────────────────────────────────────────────────────────────────────────────


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
        position = _from_sfen(body.removeprefix("sfen ").strip(), text)
    return after(position, played.split())


def after(position: Position, names: list[str]) -> Position:
    """The position after moves; the first illegal one is a PositionError."""
    from evalsmith.games.shogi import GAME

    for ply, name in enumerate(names, 1):
        try:
            position = GAME.play_unchecked(position, parse_move(position, name))
        except MoveError as error:
            raise PositionError(f"move {ply}: {error}") from None
    return position


def _from_sfen(sfen: str, text: str) -> Position:
    fields = sfen.split()
    if not 3 <= len(fields) <= 4:
        raise refusal(text, f"an SFEN has board, side, hands and the number of the move, here are {len(fields)} fields")
    board = Board(pieces=_pieces(fields[0], text))
    if fields[1] not in ("b", "w"):
        raise refusal(text, f"the side to move is b or w, not {fields[1]!r}")
    board.side = BLACK if fields[1] == "b" else WHITE
    _fill_hands(board, fields[2], text)
    number = fields[3] if len(fields) == 4 else "1"
    if not (number.isascii() and number.isdigit() and len(number) < 9 and 1 <= int(number) <= HIGHEST_NUMBER):
        raise refusal(text, f"the number of the move is 1 to {HIGHEST_NUMBER}, not {number!r}")
    board.number = int(number)
    return board.position(text)


def _pieces(field: str, text: str) -> list[int]:
    pieces = [0] * 81
    file, rank, promoted = 8, 0, 0
    for place, letter in enumerate(field, 1):
        where = f"at character {place} of the board"
        kind = LETTERS.find(letter.upper()) if letter.isascii() and letter.isalpha() else -1
        if promoted and (kind < 1 or kind >= GOLD):
            raise refusal(text, f"{letter!r} {where} cannot be promoted")
        if letter == "/":
            if file != -1:
                raise refusal(text, f"rank {rank + 1} has {8 - file} squares, not 9")
            file, rank = 8, rank + 1
            if rank > 8:
                raise refusal(text, "the board has more than 9 ranks")
        elif letter == "+":
            promoted = PROMOTED
        elif letter in "123456789" or kind > 0:
            width = 1 if kind > 0 else int(letter)
            if file - width < -1:
                raise refusal(text, f"{letter!r} {where} goes beyond the 9 squares of rank {rank + 1}")
            if kind > 0:
                pieces[9 * file + rank] = kind | promoted | (WHITE_PIECE if letter.islower() else 0)
                promoted = 0
            file -= width
        else:
            raise refusal(text, f"{letter!r} {where} is no piece, no digit and no /")
    if promoted:
        raise refusal(text, "the board ends with a +")
    if (rank, file) != (8, -1):
        raise refusal(text, f"the board ends on rank {rank + 1} after {8 - file} squares")
    return pieces


def _fill_hands(board: Board, field: str, text: str) -> None:
    if field == "-":
        return
    place = 0
    while place < len(field):
        match = _HAND.match(field, place)
        if match is None:
            raise refusal(text, f"{field[place]!r} at character {place + 1} of the hands is no piece and no number")
        digits, letter = match.groups()
        kind, side = LETTERS.index(letter.upper()), BLACK if letter.isupper() else WHITE
        count = int(digits or "1") if len(digits) < 4 else 999
        if count < 1 or count > SET[kind]:
            raise refusal(text, f"{digits}{letter} in hand: a set has 1 to {SET[kind]} of them")
        if board.hands[side][kind]:
            raise refusal(text, f"{letter!r} stands twice in the hands")
        board.hands[side][kind] = count
        place = match.end()


def format(position: Position) -> str:
    """The SFEN."""
    board = board_of(position)
    ranks = []
    for rank in range(9):
        cells = "".join(_letter(board.pieces[9 * file + rank]) for file in range(8, -1, -1))
        ranks.append(re.sub(" +", lambda blanks: str(len(blanks.group())), cells))
    hands = ""
    for side in (BLACK, WHITE):
        for letter in _HAND_ORDER:
            count = board.hands[side][LETTERS.index(letter)]
            if count:
                hands += (str(count) if count > 1 else "") + (letter if side == BLACK else letter.lower())
    return f"{'/'.join(ranks)} {'bw'[board.side]} {hands or '-'} {board.number}"


def _letter(piece: int) -> str:
    if not piece:
        return " "
    kind = piece & 15
    promoted = kind > 8
    letter = LETTERS[kind - PROMOTED if promoted else kind]
    return ("+" if promoted else "") + (letter.lower() if piece & WHITE_PIECE else letter)


# ── Moves ───────────────────────────────────────────────────────────────────────────────────────


def parse_move(position: Position, text: str) -> int:
    """A legal move from its text in USI (``7g7f``, ``8h2b+``, ``P*5e``), KIF, KI2 or CSA."""
    from evalsmith.games.shogi import japanese
    from evalsmith.games.shogi.rules import is_legal

    name = text.strip()
    match = _USI.fullmatch(name)
    if match is None:
        return japanese.parse_any(position, name)
    origin, target, promotion, kind, place = match.groups()
    if kind:
        move = _square(place) + ORIGIN * (DROP + LETTERS.index(kind))
    else:
        move = _square(target) + ORIGIN * _square(origin) + (PROMOTE if promotion else 0)
    if not is_legal(position, move):
        raise illegal(position, text)
    return move


def illegal(position: Position, text: str, reason: str = "not a legal move") -> MoveError:
    """The error for a text that is no legal move, with the moves that are."""
    from evalsmith.games.shogi import GAME

    names = [format_move(position, move) for move in GAME.moves(position)]
    shown = " ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    given = text if len(text) <= 40 else text[:37] + "…"
    return MoveError(f"{given!r} is {reason} in {format(position)}; legal are: {shown or 'none, the game is over'}")


def format_move(position: Position, move: int) -> str:
    """The move as USI writes it."""
    target, origin = move & 127, move >> 7 & 127
    if origin > DROP:
        return f"{LETTERS[origin - DROP]}*{square_name(target)}"
    return square_name(origin) + square_name(target) + ("+" if move & PROMOTE else "")


def _square(name: str) -> int:
    return 9 * (int(name[0]) - 1) + "abcdefghi".index(name[1])


# ── Symmetries ──────────────────────────────────────────────────────────────────────────────────


def _exchanged_move(position: Position, move: int) -> int:
    target, origin = move & 127, move >> 7 & 127
    return 80 - target + ORIGIN * (origin if origin > DROP else 80 - origin) + (move & PROMOTE)


def symmetries() -> tuple[Symmetry, ...]:
    """Exchanging the colours and turning the board."""
    return (Symmetry("colour exchange", lambda position: board_of(position).exchanged().words(), _exchanged_move),)
