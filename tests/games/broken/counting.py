"""The heaps with a count of the moves played, which the key leaves out: a game that keeps the contract."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from broken import base
from broken.base import chance, format_move, key, mover, moves, parse_move, result, slot, status  # noqa: F401
from evalsmith.compile import Words
from evalsmith.games import Position, Symmetry
from evalsmith.games.contract import contract

GAME = replace(base.GAME, name="counting", words=6, counters={5: 0xFF}, rules=__name__, notation=__name__)
_0, _1 = np.uint64(0), np.uint64(1)


@contract
def play(position: Words, move: int, next: Words) -> None:
    for i in range(3):
        next[i] = position[i]
    next[move // 3] = position[move // 3] - np.uint64(move % 3 + 1)
    next[3] = position[3] ^ _1
    next[4] = _0
    next[5] = position[5] + _1


@contract
def reveal(position: Words, outcome: int, next: Words) -> None:
    for i in range(6):
        next[i] = position[i]
    next[4] = np.uint64(outcome + 1)


def start() -> Position:
    return np.append(base.start(), np.uint64(0))


def parse(text: str) -> Position:
    heaps, _, count = text.rpartition(" moves")
    return np.append(base.parse(heaps), np.uint64(count))


def format(position: Position) -> str:
    return f"{base.format(position[:5])} moves{int(position[5])}"


def symmetries() -> tuple[Symmetry, ...]:
    return (replace(base.symmetries()[0], position=lambda position: position[[2, 1, 0, 3, 4, 5]]),)
