"""Two stones race along a line; the key holds both of them and forgets whose move it is.

No game reaches one arrangement with either side to move, so random games alone do not show it. Words: 0 and 1 how far
the stones are, 2 the side. A move is one step or three; who is at the end first has won.
"""

from __future__ import annotations

import re

import numpy as np

from evalsmith.compile import Indices, Integers, Values, Word, Words
from evalsmith.games import Evaluation, Feature, Game, Position, Symmetry
from evalsmith.games.contract import OVER, PLAYER, contract
from evalsmith.games.keys import mix
from evalsmith.run.errors import MoveError, PositionError

END, WIN = 40, 100
_1, _END, _SEED = np.uint64(1), np.uint64(END), np.uint64(5)

GAME = Game(
    name="side_in_no_key",
    title="A race",
    rules=__name__,
    terms=__name__,
    notation=__name__,
    picture=__name__,
    rules_version=1,
    words=3,
    max_moves=2,
    max_plies=2 * END,
    max_terms=1,
    slots=2,
    unit="hundredth of a game",
    win=WIN,
)


@contract
def moves(position: Words, out: Integers) -> int:
    if position[0] >= _END or position[1] >= _END:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


@contract
def play(position: Words, move: int, next: Words) -> None:
    side = np.int64(position[2])
    next[side] = position[side] + np.uint64(2 * move + 1)
    next[1 - side] = position[1 - side]
    next[2] = position[2] ^ _1


@contract
def status(position: Words) -> int:
    return OVER if position[0] >= _END or position[1] >= _END else PLAYER


@contract
def mover(position: Words) -> int:
    return np.int64(position[2])


@contract
def result(position: Words) -> int:
    return -WIN


@contract
def key(position: Words) -> Word:
    return mix(mix(_SEED, position[0]), position[1])


@contract
def slot(position: Words, move: int) -> int:
    return move


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    side = np.int64(position[2])
    index[0] = 0
    value[0] = np.int64(position[side]) - np.int64(position[1 - side])
    return 1


@contract
def phase(position: Words) -> int:
    return 0


def evaluation() -> Evaluation:
    return Evaluation((Feature("lead", 1),), ("all",), ((0, 0, 0),), 1, lambda: np.array([[5]], dtype=np.int32))


def start() -> Position:
    return np.zeros(3, dtype=np.uint64)


def parse(text: str) -> Position:
    found = re.fullmatch(r"(\d+)-(\d+) (first|second)", text)
    if found is None:
        raise PositionError(f"expected 3-4 first, not {text!r}")
    return np.array([int(found[1]), int(found[2]), found[3] == "second"], dtype=np.uint64)


def format(position: Position) -> str:
    return f"{int(position[0])}-{int(position[1])} {GAME.sides[int(position[2])]}"


def parse_move(position: Position, text: str) -> int:
    if text not in ("one", "three"):
        raise MoveError(f"expected one or three, not {text!r}")
    return ("one", "three").index(text)


def format_move(position: Position, move: int) -> str:
    return ("one", "three")[move]


def symmetries() -> tuple[Symmetry, ...]:
    return ()


def text(position: Position) -> str:
    return format(position)


def svg(position: Position) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg"/>'
