"""Three heaps and a die: take stones from one heap, at most as many as the die shows; who takes the last one wins.

Words: 0–2 the heaps, 3 the side, 4 the die (0 until it is thrown). Move 3·heap + stones - 1.
"""

from __future__ import annotations

import re

import numpy as np

from evalsmith.compile import Indices, Integers, Reals, Values, Word, Words, helper
from evalsmith.games import Evaluation, Feature, Game, Position, Symmetry
from evalsmith.games.contract import CHANCE, OVER, PLAYER, contract
from evalsmith.games.keys import mix
from evalsmith.run.errors import MoveError, PositionError

HEAPS = (4, 5, 4)
STONES = sum(HEAPS)
WIN = 100
_0, _1, _SEED = np.uint64(0), np.uint64(1), np.uint64(0x3EA5)

GAME = Game(
    name="heaps",
    title="Three heaps and a die",
    rules=__name__,
    terms=__name__,
    notation=__name__,
    picture=__name__,
    rules_version=1,
    words=5,
    max_moves=9,
    max_plies=STONES,
    max_terms=3,
    slots=9,
    unit="hundredth of a game",
    win=WIN,
    max_outcomes=3,
)


@helper("int64(words)")
def stones(position: Words) -> int:
    return np.int64(position[0]) + np.int64(position[1]) + np.int64(position[2])


@contract
def moves(position: Words, out: Integers) -> int:
    count = 0
    for heap in range(3):
        for taken in range(1, min(np.int64(position[4]), np.int64(position[heap])) + 1):
            out[count] = 3 * heap + taken - 1
            count += 1
    return count


@contract
def play(position: Words, move: int, next: Words) -> None:
    for i in range(3):
        next[i] = position[i]
    next[move // 3] = position[move // 3] - np.uint64(move % 3 + 1)
    next[3] = position[3] ^ _1
    next[4] = _0


@contract
def status(position: Words) -> int:
    if stones(position) == 0:
        return OVER
    return CHANCE if position[4] == _0 else PLAYER


@contract
def mover(position: Words) -> int:
    return np.int64(position[3])


@contract
def result(position: Words) -> int:
    return -WIN


@contract
def key(position: Words) -> Word:
    state = _SEED
    for i in range(5):
        state = mix(state, position[i])
    return state


@contract
def slot(position: Words, move: int) -> int:
    return move


@contract
def null_move(position: Words, next: Words) -> int:
    for i in range(5):
        next[i] = position[i]
    next[3] = position[3] ^ _1
    return 1


@contract
def chance(position: Words, probability: Reals) -> int:
    probability[0] = 1 / 2
    probability[1] = 1 / 3
    probability[2] = 1 / 6
    return 3


@contract
def reveal(position: Words, outcome: int, next: Words) -> None:
    for i in range(4):
        next[i] = position[i]
    next[4] = np.uint64(outcome + 1)


# ── Evaluation: outer heaps share their weights, the inner one has its own ──────────────────────


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    index[0] = np.int64(position[0])
    index[1] = 6 + np.int64(position[1])
    index[2] = np.int64(position[2])
    for i in range(3):
        value[i] = 1
    return 3


@contract
def phase(position: Words) -> int:
    return stones(position)


@contract
def evaluate(position: Words, weights: Indices) -> int:
    outer, inner, late = np.int64(position[0]), np.int64(position[1]), np.int64(position[2])
    left = stones(position)
    early = weights[outer] + weights[6 + inner] + weights[late]
    full = weights[12 + outer] + weights[18 + inner] + weights[12 + late]
    return ((STONES - left) * early + left * full + STONES // 2) // STONES


def amounts(position: Position, side: int) -> dict[int, int]:
    """The inner heap counts for who moves."""
    return {6 + int(position[1]): int(side == position[3])}


def evaluation() -> Evaluation:
    features = (Feature("outer", 6, ordered=True), Feature("inner", 6, ordered=True, whose="difference"))
    blend = tuple((0, 1, left) for left in range(STONES + 1))
    named = (("left", "outer"), ("middle", "inner"), ("right", "outer"))
    return Evaluation(features, ("few", "many"), blend, STONES, starting, terms=named, amounts=amounts)


def starting() -> np.ndarray:
    return np.array([[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8], [9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4]], dtype=np.int32)


# ── Texts: ooo/oooo/o second 2 ──────────────────────────────────────────────────────────────────


def start() -> Position:
    return np.array([*HEAPS, 0, 0], dtype=np.uint64)


def parse(text: str) -> Position:
    found = re.fullmatch(r"(o*)/(o*)/(o*) (first|second) ([0-3])", text)
    if not found:
        raise PositionError(f"not three heaps: {text!r}")
    heaps = [len(heap) for heap in found.groups()[:3]]
    return np.array([*heaps, found[4] == "second", int(found[5])], dtype=np.uint64)


def format(position: Position) -> str:
    heaps = "/".join("o" * int(heap) for heap in position[:3])
    return f"{heaps} {GAME.sides[int(position[3])]} {int(position[4])}"


def parse_move(position: Position, text: str) -> int:
    heap, taken = "abc".index(text[0]), int(text[1:])
    if not 1 <= taken <= min(int(position[4]), int(position[heap])):
        raise MoveError(f"{text} is illegal in {format(position)}")
    return 3 * heap + taken - 1


def format_move(position: Position, move: int) -> str:
    return f"{'abc'[move // 3]}{move % 3 + 1}"


def symmetries() -> tuple[Symmetry, ...]:
    def of_position(position: Position) -> Position:
        return position[[2, 1, 0, 3, 4]]

    return (Symmetry("mirror", of_position, lambda position, move: 3 * (2 - move // 3) + move % 3),)


def text(position: Position) -> str:
    return "\n".join(f"[bold]{name}[/] {'o' * int(heap)}" for name, heap in zip("abc", position[:3], strict=True))


def svg(position: Position) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg"/>'
