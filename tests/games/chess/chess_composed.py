"""Composed chess positions, as FEN: random, but full of what move generators get wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

FILES = "abcdefgh"


def fen(board: dict[tuple[int, int], str], side: str, castling: str = "-", passing: str = "-") -> str:
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(board.get((file, rank), "1") for file in range(8))
        rows.append(re.sub("1+", lambda run: str(len(run.group())), row))
    return f"{'/'.join(rows)} {side} {castling} {passing} 0 1"


def free(board: dict[tuple[int, int], str], choose: random.Random, ranks: range = range(8)) -> tuple[int, int]:
    while True:
        square = (choose.randrange(8), choose.choice(ranks))
        if square not in board:
            return square


def scatter(board: dict[tuple[int, int], str], choose: random.Random, letters: str) -> None:
    for letter in letters:
        board[free(board, choose, range(1, 7) if letter in "Pp" else range(8))] = letter


def some(choose: random.Random, letters: str, least: int, most: int) -> str:
    return "".join(choose.sample(letters, choose.randint(least, most)))


def pins(choose: random.Random) -> str:
    """A king with its own pieces around it and enemy sliders on its lines: pins, checks, double checks."""
    board: dict[tuple[int, int], str] = {}
    king = (choose.randrange(8), choose.randrange(8))
    board[king] = "K"
    for step in choose.sample([(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)], 4):
        line = [(king[0] + i * step[0], king[1] + i * step[1]) for i in range(1, 8)]
        line = [square for square in line if 0 <= square[0] < 8 and 0 <= square[1] < 8]
        if len(line) < 2:
            continue
        shield, slider = sorted(choose.sample(range(len(line)), 2))
        board[line[slider]] = choose.choice("qq" + ("r" if 0 in step else "b"))
        if choose.random() < 0.75:
            letter = choose.choice("QRBNPP")
            if letter != "P" or 0 < line[shield][1] < 7:
                board[line[shield]] = letter
    scatter(board, choose, "k" + some(choose, "pppnn", 0, 4) + some(choose, "NBRPP", 0, 3))
    return fen(board, "w")


def passing_pawns(choose: random.Random) -> str:
    """A pawn that has just moved two squares beside enemy pawns, kings and sliders on the lines that matter."""
    board: dict[tuple[int, int], str] = {}
    file = choose.randrange(8)
    board[file, 4] = "p"
    for beside in (file - 1, file + 1):
        if 0 <= beside < 8 and choose.random() < 0.7:
            board[beside, 4] = "P"
    kept = {(file, 5), (file, 6)}
    for letter in "KkQ" + some(choose, "qrrbbn", 1, 4) + some(choose, "RBN", 0, 2):
        while True:
            near = choose.random() < 0.5
            square = (choose.randrange(8), choose.choice([4, 5, 3]) if near else choose.randrange(8))
            if square not in board and square not in kept:
                board[square] = letter
                break
    return fen(board, "w", passing=f"{FILES[file]}6")


def castling(choose: random.Random) -> str:
    """King and rooks at home with rights, and enemies that attack every square of the way."""
    board = {(4, 0): "K", (0, 0): "R", (7, 0): "R", (4, 7): "k", (0, 7): "r", (7, 7): "r"}
    scatter(board, choose, some(choose, "qrrbbnnpppp", 1, 5) + some(choose, "BNQPPP", 0, 2))
    return fen(board, choose.choice("wb"), "".join(sorted(choose.sample("KQkq", choose.randint(1, 4)))))


def castling960(choose: random.Random) -> str:
    """The same with the king and the rooks anywhere on the back rank, rights by the files of the rooks."""
    board = {}
    rights = ""
    for rank, king, rook in ((0, "K", "R"), (7, "k", "r")):
        west, home, east = sorted(choose.sample(range(8), 3))
        board[home, rank] = king
        for file in (west, east):
            board[file, rank] = rook
            if choose.random() < 0.7:
                rights += FILES[file].upper() if rank == 0 else FILES[file]
    scatter(board, choose, some(choose, "qrrbbnnpp", 1, 4) + some(choose, "BNQPP", 0, 2))
    for rank, letters in ((0, "qr"), (7, "QR")):
        if choose.random() < 0.3:  # an enemy on the back rank, perhaps behind the rook
            board[free(board, choose, range(rank, rank + 1))] = choose.choice(letters)
    return fen(board, choose.choice("wb"), rights or "-")


def promotions(choose: random.Random) -> str:
    """Pawns before the last rank, with something to capture and something that pins them."""
    board: dict[tuple[int, int], str] = {}
    for _ in range(choose.randint(1, 4)):
        board[free(board, choose, range(6, 7))] = "P"
    scatter(board, choose, "Kk")
    for letter in some(choose, "qrrbbnn", 1, 6):
        board[free(board, choose, range(5, 8))] = letter
    return fen(board, "w")


def scattered(choose: random.Random) -> str:
    """Anything anywhere."""
    board: dict[tuple[int, int], str] = {}
    scatter(board, choose, "Kk" + some(choose, "QRRBBNNPPPPPPPP", 0, 12) + some(choose, "qrrbbnnpppppppp", 0, 12))
    return fen(board, choose.choice("wb"))


KINDS = (pins, passing_pawns, castling, castling960, promotions, scattered)


def swapped(text: str) -> str:
    """The same position for the other colour, so that both colours meet every kind."""
    rows, side, rights, passing, *clocks = text.split()
    rows = "/".join(row.swapcase() for row in reversed(rows.split("/")))
    if passing != "-":
        passing = passing[0] + {"6": "3", "3": "6"}[passing[1]]
    rights = "".join(sorted(rights.swapcase()))  # white's capitals first
    return " ".join([rows, "b" if side == "w" else "w", rights, passing, *clocks])


def composed(kind: str, count: int, seed: int) -> Iterator[str]:
    """FENs of one kind, half of them for black; some are impossible, as the reader must find out."""
    choose = random.Random(f"{kind} {seed}")
    make = next(maker for maker in KINDS if maker.__name__ == kind)
    for number in range(count):
        text = make(choose)
        yield text if number % 2 else swapped(text)
