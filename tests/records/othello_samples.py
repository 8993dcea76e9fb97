"""Othello games for the tests, made by a board that is simple enough to be believed."""

from __future__ import annotations

import functools
import random
import struct
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
PASS = 64
# Seeds of random games: with a pass at 24 empties; with one before; over with empties and discs of both colours.
PASS_AT_24, PASS_BEFORE_24, OVER_WITH_EMPTIES = 379, 364, 116
# Black turns the last white disc with the ninth move.
WIPED_OUT = "e6f4e3f6g5d6e7f5c5"
DIRECTIONS = [(rows, columns) for rows in (-1, 0, 1) for columns in (-1, 0, 1) if rows or columns]


class Board:
    """Black is 1, white −1; squares count from a1 row by row."""

    def __init__(self) -> None:
        self.cells = [0] * 64
        self.cells[27] = self.cells[36] = -1
        self.cells[28] = self.cells[35] = 1
        self.mover = 1

    def turned(self, square: int, colour: int) -> list[int]:
        if self.cells[square]:
            return []
        found = []
        for rows, columns in DIRECTIONS:
            row, column, run = square // 8 + rows, square % 8 + columns, []
            while 0 <= row < 8 and 0 <= column < 8 and self.cells[8 * row + column] == -colour:
                run.append(8 * row + column)
                row, column = row + rows, column + columns
            if run and 0 <= row < 8 and 0 <= column < 8 and self.cells[8 * row + column] == colour:
                found += run
        return found

    def squares(self, colour: int) -> list[int]:
        return [square for square in range(64) if self.turned(square, colour)]

    def over(self) -> bool:
        return not self.squares(1) and not self.squares(-1)

    def play(self, square: int) -> None:
        for place in [*self.turned(square, self.mover), square]:
            self.cells[place] = self.mover
        self.mover = -self.mover

    def margin(self) -> int:
        """Black's margin in discs; the winner takes the empties."""
        difference, empties = sum(self.cells), self.cells.count(0)
        return difference + empties * ((difference > 0) - (difference < 0))


@dataclass
class Played:
    """A game by the simple board; ``ply_24`` is the ply with 24 empties where a disc is placed, or the last such."""

    squares: list[int]
    plies: list[int]
    finished: bool
    margin: int
    ply_24: int


def play_through(squares: list[int]) -> Played:
    board, plies, ply_24 = Board(), [], -1
    for square in squares:
        if board.cells.count(0) == 24:
            ply_24 = len(plies)
        if not board.turned(square, board.mover):
            assert not board.squares(board.mover)
            board.mover = -board.mover
            plies.append(PASS)
            if board.cells.count(0) == 24:
                ply_24 = len(plies)
        assert board.turned(square, board.mover)
        board.play(square)
        plies.append(square)
    if board.cells.count(0) == 24:
        ply_24 = len(plies)
    return Played(squares, plies, board.over(), board.margin(), ply_24)


@functools.cache
def random_game(seed: int, discs: int = 60) -> Played:
    """A game of random moves, cut after so many discs."""
    rng, board, squares = random.Random(seed), Board(), []
    while not board.over() and len(squares) < discs:
        choice = board.squares(board.mover)
        if not choice:
            board.mover = -board.mover
            continue
        squares.append(rng.choice(choice))
        board.play(squares[-1])
    return play_through(squares)


def squares(text: str) -> list[int]:
    return ["abcdefgh".index(text[i]) + 8 * int(text[i + 1]) - 8 for i in range(0, len(text), 2)]


def names(moves: list[int]) -> str:
    return "".join(f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in moves)


def wtb_header(
    games: int, names: int = 0, year: int = 1990, size: int = 8, kind: int = 0, depth: int = 24, month: int = 6
) -> bytes:
    return struct.pack("<4BiHH4B", 20, 6, month, 12, games, names, year, size, kind, depth, 0)


def wtb_game(played: Played, theory: int = 40, score: int | None = None, players: tuple[int, int] = (1, 2)) -> bytes:
    codes = bytes(10 * (square // 8 + 1) + square % 8 + 1 for square in played.squares)
    score = (played.margin + 64) // 2 if score is None else score
    return struct.pack("<HHHBB", 1, *players, score, theory) + codes.ljust(60, b"\0")


def wtb(games: list[bytes], **header: int) -> bytes:
    return wtb_header(len(games), **header) + b"".join(games)


def name_list(entries: list[str], width: int) -> bytes:
    return wtb_header(0, len(entries), 0, 0, 0, 0) + b"".join(
        entry.encode("latin-1").ljust(width, b"\0") for entry in entries
    )
