"""Chess in plain Python, written to be believed: a list of 64 letters, moves made and looked at.

A move is legal when, after it has been made, no enemy piece could take the king. Nothing here is shared with the
compiled rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

LINES = {"r": [(0, 1), (0, -1), (1, 0), (-1, 0)], "b": [(1, 1), (1, -1), (-1, 1), (-1, -1)]}
LINES["q"] = LINES["r"] + LINES["b"]
LEAPS = {"n": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)], "k": LINES["q"]}
FILES = "abcdefgh"


@dataclass(frozen=True)
class Move:
    """Where from, where to, what a pawn becomes, and whether the king castles with the rook on the target."""

    origin: tuple[int, int]
    target: tuple[int, int]
    promotion: str = ""
    castles: bool = False


@dataclass(frozen=True)
class Board:
    """A position: pieces by (file, rank), and what the other fields of a FEN say."""

    pieces: dict[tuple[int, int], str]
    white: bool
    rooks: frozenset[tuple[int, int]]  # those that may still castle
    passing: tuple[int, int] | None
    clock: int
    number: int


def read(fen: str) -> Board:
    """A board from FEN; castling as KQkq or by files."""
    rows, side, castling, passing, clock, number = fen.split()
    pieces = {}
    for rank, row in enumerate(reversed(rows.split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[file, rank] = letter
                file += 1
    rooks = set()
    for letter in castling.replace("-", ""):
        rank, rook, king = (0, "R", "K") if letter.isupper() else (7, "r", "k")
        home = next(file for file in range(8) if pieces.get((file, rank)) == king)
        if letter in "Kk":
            file = max(f for f in range(home, 8) if pieces.get((f, rank)) == rook)
        elif letter in "Qq":
            file = min(f for f in range(home) if pieces.get((f, rank)) == rook)
        else:
            file = FILES.index(letter.lower())
        rooks.add((file, rank))
    square = None if passing == "-" else (FILES.index(passing[0]), int(passing[1]) - 1)
    return Board(pieces, side == "w", frozenset(rooks), square, int(clock), int(number))


def write(board: Board) -> str:
    """The FEN, with en passant only where it can be played."""
    rows = []
    for rank in range(7, -1, -1):
        row, empty = "", 0
        for file in range(8):
            letter = board.pieces.get((file, rank))
            if letter is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    passing = "-"
    if board.passing and any(is_en_passant(board, move) for move in legal(board)):
        passing = name(board.passing)
    side = "w" if board.white else "b"
    return f"{'/'.join(rows)} {side} {_castling(board)} {passing} {board.clock} {board.number}"


def _castling(board: Board) -> str:
    text = ""
    for white in (True, False):
        rank, king = (0, "K") if white else (7, "k")
        files = sorted((file for file, r in board.rooks if r == rank), reverse=True)
        for file in files:
            home = next(f for f in range(8) if board.pieces.get((f, rank)) == king)
            letter = FILES[file] if is_chess960(board) else ("k" if file > home else "q")
            text += letter.upper() if white else letter
    return text or "-"


def is_chess960(board: Board) -> bool:
    """Whether castling needs more than the standard places."""
    for file, rank in board.rooks:
        if file not in (0, 7) or board.pieces.get((4, rank)) != ("k" if rank else "K"):
            return True
    return False


def name(square: tuple[int, int]) -> str:
    return FILES[square[0]] + str(square[1] + 1)


def attacked(board: Board, square: tuple[int, int], by_white: bool) -> bool:
    """Whether a side attacks a square."""
    for origin, letter in board.pieces.items():
        if letter.isupper() == by_white and square in reach(board, origin):
            return True
    return False


def reach(board: Board, origin: tuple[int, int]) -> set[tuple[int, int]]:
    """The squares that the piece on a square attacks."""
    letter = board.pieces[origin]
    kind, found = letter.lower(), set()
    if kind == "p":
        steps = [(-1, 1), (1, 1)] if letter.isupper() else [(-1, -1), (1, -1)]
    else:
        steps = LEAPS.get(kind) or LINES[kind]
    for step in steps:
        square = origin
        while True:
            square = (square[0] + step[0], square[1] + step[1])
            if not (0 <= square[0] < 8 and 0 <= square[1] < 8):
                break
            found.add(square)
            if kind not in LINES or square in board.pieces:
                break
    return found


def in_check(board: Board, white: bool) -> bool:
    king = next(square for square, letter in board.pieces.items() if letter == ("K" if white else "k"))
    return attacked(board, king, not white)


def is_en_passant(board: Board, move: Move) -> bool:
    return (
        board.passing is not None
        and move.target == board.passing
        and board.pieces[move.origin].lower() == "p"
        and move.origin[0] != move.target[0]
    )


def candidates(board: Board) -> list[Move]:
    """All moves, whatever becomes of the king."""
    found = []
    for origin, letter in board.pieces.items():
        if letter.isupper() != board.white:
            continue
        targets = []
        if letter.lower() == "p":
            up, first = (1, 1) if board.white else (-1, 6)
            ahead = (origin[0], origin[1] + up)
            if ahead not in board.pieces:
                targets.append(ahead)
                further = (origin[0], origin[1] + 2 * up)
                if origin[1] == first and further not in board.pieces:
                    targets.append(further)
            for square in reach(board, origin):
                taken = board.pieces.get(square)
                if (taken and taken.isupper() != board.white) or square == board.passing:
                    targets.append(square)
        else:
            for square in reach(board, origin):
                taken = board.pieces.get(square)
                if taken is None or taken.isupper() != board.white:
                    targets.append(square)
        for target in targets:
            if letter.lower() == "p" and target[1] in (0, 7):
                found += [Move(origin, target, piece) for piece in "nbrq"]
            else:
                found.append(Move(origin, target))
    return found + castlings(board)


def castlings(board: Board) -> list[Move]:
    rank, letter = (0, "K") if board.white else (7, "k")
    found = []
    for rook in board.rooks:
        if rook[1] != rank:
            continue
        king = next(square for square, piece in board.pieces.items() if piece == letter)
        king_to, rook_to = ((6, rank), (5, rank)) if rook > king else ((2, rank), (3, rank))
        others = {square for square in board.pieces if square not in (king, rook)}
        way = {(f, rank) for f in range(min(king[0], king_to[0]), max(king[0], king_to[0]) + 1)}
        needed = way | {(f, rank) for f in range(min(rook[0], rook_to[0]), max(rook[0], rook_to[0]) + 1)}
        if needed & others:
            continue
        # While the king walks it does not shield anything, and neither does it hide behind itself.
        walking = replace(board, pieces={s: p for s, p in board.pieces.items() if s != king})
        if any(attacked(walking, square, not board.white) for square in way):
            continue
        found.append(Move(king, rook, castles=True))
    return found


def make(board: Board, move: Move) -> Board:
    """The board after a move."""
    pieces = dict(board.pieces)
    letter = pieces.pop(move.origin)
    passing = None
    clock = board.clock + 1
    if move.castles:
        rook = pieces.pop(move.target)
        rank = move.origin[1]
        king_to, rook_to = (6, 5) if move.target > move.origin else (2, 3)
        pieces[king_to, rank], pieces[rook_to, rank] = letter, rook
    else:
        if is_en_passant(board, move):
            del pieces[move.target[0], move.origin[1]]
        if letter.lower() == "p" or move.target in pieces:
            clock = 0
        if letter.lower() == "p" and abs(move.target[1] - move.origin[1]) == 2:
            passing = (move.origin[0], (move.origin[1] + move.target[1]) // 2)
        if move.promotion:
            letter = move.promotion.upper() if board.white else move.promotion
        pieces[move.target] = letter
    rooks = board.rooks - {move.origin, move.target}
    if letter.lower() == "k":
        rooks = frozenset(rook for rook in rooks if rook[1] != (0 if board.white else 7))
    number = board.number + (0 if board.white else 1)
    return Board(pieces, not board.white, rooks, passing, clock, number)


def legal(board: Board) -> list[Move]:
    return [move for move in candidates(board) if not in_check(make(board, move), board.white)]


def uci(board: Board, move: Move) -> str:
    target = move.target
    if move.castles and not is_chess960(board):
        target = (6 if move.target > move.origin else 2, move.origin[1])
    return name(move.origin) + name(target) + move.promotion


def result(board: Board) -> int | None:
    """None while the game goes on; otherwise -1 when the mover is mated, 0 for a draw."""
    if not legal(board):
        return -1 if in_check(board, board.white) else 0
    if board.clock >= 100:
        return 0
    rest = sorted(letter.lower() for letter in board.pieces.values() if letter.lower() != "k")
    if rest in ([], ["n"], ["b"]):
        return 0
    colours = {(file + rank) % 2 for (file, rank), letter in board.pieces.items() if letter.lower() == "b"}
    if set(rest) == {"b"} and len(colours) == 1:
        return 0
    return None
