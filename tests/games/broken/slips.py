"""One small slip for each of the other laws: the game, and the laws that conformance must then name, if any."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from broken import base
from broken.base import GAME, _0, _1
from evalsmith.compile import COMPILED, Indices, Integers, Values, Word, Words, kernel
from evalsmith.games import Evaluation, Game, Position, Symmetry
from evalsmith.games.contract import CHANCE, PLAYER, SIGNATURES
from evalsmith.games.keys import mix


def _module(name: str, changed: dict[str, Any]) -> str:
    """A copy of the base module with some of its functions changed or, where None, left out."""
    module = ModuleType(f"broken.slips.{name}")
    kept = {key: value for key, value in vars(base).items() if key not in changed and not key.startswith("__")}
    vars(module).update(kept | {key: value for key, value in changed.items() if value is not None})
    sys.modules[module.__name__] = module
    return module.__name__


def _slip(name: str, numbers: dict[str, Any] | None = None, /, **changed: Any) -> Game:
    module = _module(name, changed)
    modules = dict.fromkeys(("rules", "terms", "notation", "picture"), module)
    return replace(GAME, name=name, **(modules | (numbers or {})))


def _as(name: str) -> Callable[[Any], Any]:
    return kernel(SIGNATURES[name])


# ── Kernels ─────────────────────────────────────────────────────────────────────────────────────


@_as("status")
def _never_over(position: Words) -> int:
    return CHANCE if position[4] == _0 and base.stones(position) > 0 else PLAYER


@_as("mover")
def _takes_the_die(position: Words) -> int:
    position[4] = _0
    return np.int64(position[3])


@_as("play")
def _writes_behind(position: Words, move: int, next: Words) -> None:
    for i in range(3):
        next[i] = position[i]
    next[move // 3] = position[move // 3] - np.uint64(move % 3 + 1)
    next[3] = position[3] ^ _1
    next[4] = _0
    next[5] = _0


@_as("play")
def _forgets_the_die(position: Words, move: int, next: Words) -> None:
    for i in range(3):
        next[i] = position[i]
    next[move // 3] = position[move // 3] - np.uint64(move % 3 + 1)
    next[3] = position[3] ^ _1


@_as("moves")
def _lists_twice(position: Words, out: Integers) -> int:
    count = 0
    for heap in range(3):
        for taken in range(1, min(np.int64(position[4]), np.int64(position[heap])) + 1):
            out[count] = 3 * heap + taken - 1
            count += 1
    if 0 < count < 9:
        out[count] = out[0]
        count += 1
    return count


@_as("moves")
def _also_when_over(position: Words, out: Integers) -> int:
    count = 0
    for heap in range(3):
        for taken in range(1, min(np.int64(position[4]), np.int64(position[heap])) + 1):
            out[count] = 3 * heap + taken - 1
            count += 1
    if base.stones(position) == 0:
        out[0] = 3
        count = 1
    return count


@_as("noisy")
def _noise(position: Words, out: Integers) -> int:
    out[0] = 8
    return 1


@_as("exchange")
def _always_wins(position: Words, move: int, least: int) -> int:
    return 1


@_as("check")
def _always_in_check(position: Words) -> int:
    return 1


@_as("null_move")
def _keeps_the_move(position: Words, next: Words) -> int:
    for i in range(5):
        next[i] = position[i]
    return 1


@_as("null_move")
def _passes_by_halves(position: Words, next: Words) -> int:
    for i in range(4):
        next[i] = position[i]
    next[3] = position[3] ^ _1
    next[4] |= position[4]
    return 1


@_as("result")
def _drawn(position: Words) -> int:
    return 0


@_as("key")
def _without_die(position: Words) -> Word:
    return mix(mix(mix(mix(_1, position[0]), position[1]), position[2]), position[3])


@_as("mover")
def _always_first(position: Words) -> int:
    return 0


@_as("result")
def _won_by_the_loser(position: Words) -> int:
    return base.WIN


@_as("result")
def _for_the_first_side(position: Words) -> int:
    return base.WIN if position[3] == _1 else -base.WIN


@_as("mover")
def _mixed(position: Words) -> int:
    return np.int64(position[3] & 1)


@_as("phase")
def _halved(position: Words) -> int:
    return int(base.stones(position) / 2)


def _undecorated(position: Words) -> int:
    return 0


@_as("slot")
def _one_slot(position: Words, move: int) -> int:
    return 0


@_as("repeated")
def _always_drawn(position: Words, keys: Words, checks: Integers, count: int) -> int:
    return 1 if count == 0 and base.stones(position) < 5 else 0


@_as("reveal")
def _reveals_nothing(position: Words, outcome: int, next: Words) -> None:
    for i in range(4):
        next[i] = position[i]
    next[4] = np.uint64(outcome)


@_as("phase")
def _phase_too_far(position: Words) -> int:
    return base.stones(position) + 1


@_as("evaluate")
def _off_by_one(position: Words, weights: Indices) -> int:
    return weights[np.int64(position[0])]


@_as("terms")
def _fourth_term(position: Words, index: Indices, value: Values) -> int:
    for i in range(4):
        index[i] = 3 * i
        value[i] = 1
    return 4


@_as("terms")
def _beyond_the_layout(position: Words, index: Indices, value: Values) -> int:
    for i in range(3):
        index[i] = 10 + i
        value[i] = 1
    return 3


@_as("terms")
def _in_another_order(position: Words, index: Indices, value: Values) -> int:
    index[0] = 6 + np.int64(position[1])
    index[1] = np.int64(position[0])
    index[2] = np.int64(position[2])
    for i in range(3):
        value[i] = 1
    return 3


# ── Texts and declarations ──────────────────────────────────────────────────────────────────────


def _format_without_die(position: Position) -> str:
    return base.format(position)[:-1] + "1"


def _format_few(position: Position) -> str:
    """Of more than seven stones in a heap, seven are written."""
    return re.sub("o{8,}", "o" * 7, base.format(position))


def _one_name(position: Position, move: int) -> str:
    return "a1"


def _another_name(position: Position, move: int) -> str:
    return base.format_move(position, move) + "-stones"


def _two_words(position: Position, move: int) -> str:
    return " ".join(base.format_move(position, move))


def _mirror_without_moves() -> tuple[Symmetry, ...]:
    return (replace(base.symmetries()[0], move=lambda position, move: move),)


def _turn_the_side() -> tuple[Symmetry, ...]:
    def of_position(position: Position) -> Position:
        return np.array([*position[[2, 1, 0, 3]], 1 if position[:3].any() else 0], dtype=np.uint64)

    return (replace(base.symmetries()[0], position=of_position),)


_of_nobody = tuple(replace(feature, whose="nobody's") for feature in base.evaluation().features)


def _evaluation(**changed: Any) -> Callable[[], Evaluation]:
    return lambda: replace(base.evaluation(), **changed)


_START = base.start()


def _same_start() -> Position:
    return _START


class Loose(Game):
    """A game that plays whatever it is told, and stumbles over questions of order."""

    def play(self, position: Position, move: int) -> Position:
        return position

    def order(self, position: Position, move: int) -> int:
        raise ZeroDivisionError("no order")


class Stumbling(Game):
    """A game that cannot say whether it is over."""

    def status(self, position: Position) -> int:
        raise IndexError("beyond the board")


# These need more random games than the others to be sure.
SIGNS = {
    "the loser wins": _slip("the_loser_wins", result=_won_by_the_loser),
    "the first side's": _slip("the_first_sides", result=_for_the_first_side),
}

_FIELDS = {name: getattr(GAME, name) for name in GAME.__dataclass_fields__}

SLIPS: dict[str, tuple[Game, set[str]]] = {
    "no slots": (replace(GAME, slots=0), {"constants"}),
    "no unit": (replace(GAME, unit=" "), {"constants"}),
    "no key": (_slip("no_key", key=None), {"kernels"}),
    "words": (replace(GAME, words=4), {"starting position"}),
    "one start": (_slip("one_start", start=_same_start), {"starting position"}),
    "too many moves": (replace(GAME, max_moves=5), {"moves in range"}),
    "a move twice": (_slip("a_move_twice", moves=_lists_twice), {"moves in range"}),
    "never over": (_slip("never_over", status=_never_over), {"status and moves", "ending"}),
    "moves when over": (_slip("moves_when_over", moves=_also_when_over), {"status and moves"}),
    "no chance": (_slip("no_chance", {"max_outcomes": 0}), {"status and moves", "probabilities"}),
    "constant mover": (_slip("constant_mover", mover=_always_first, null_move=None), {"movers", "amounts differ"}),
    "mixed integers": (_slip("mixed_integers", mover=_mixed), {"kernels"} if COMPILED else set()),
    "floats": (_slip("floats", phase=_halved, evaluate=None), {"kernels"} if COMPILED else set()),
    "not decorated": (_slip("not_decorated", check=_undecorated), {"kernels"} if COMPILED else set()),
    "refused moves": (_slip("refused_moves", format_move=_another_name), {"move texts"}),
    "moves of two words": (_slip("moves_of_two_words", format_move=_two_words), {"move texts"}),
    "counters": (replace(GAME, counters={5: 1}), {"constants"}),
    "one player": (replace(GAME, players=1), {"mover in range"}),
    "small win": (replace(GAME, win=50), {"result in range"}),
    "one move name": (_slip("one_move_name", format_move=_one_name), {"move texts"}),
    "noise": (_slip("noise", noisy=_noise), {"noisy moves"}),
    "exchange": (_slip("exchange", exchange=_always_wins), {"exchanges"}),
    "in check": (_slip("in_check", check=_always_in_check), {"noisy moves"}),
    "one slot": (_slip("one_slot", slot=_one_slot), {"slots"}),
    "few slots": (replace(GAME, slots=8), {"slots"}),
    "stumbling": (Stumbling(**_FIELDS), {"random games"}),
    "loose": (Loose(**_FIELDS), {"illegal moves", "order and capture value"}),
    "drawn at once": (_slip("drawn_at_once", repeated=_always_drawn), {"repetition"}),
    "null move": (_slip("null_move", null_move=_keeps_the_move), {"null move"}),
    "half a null move": (_slip("half_a_null_move", null_move=_passes_by_halves), {"null move"}),
    "drawn by rule": (_slip("drawn_by_rule", moves=_also_when_over, result=_drawn), set()),
    "key without die": (_slip("key_without_die", key=_without_die), {"keys apart"}),
    "text without die": (
        _slip("text_without_die", format=_format_without_die),
        {"position text", "key of text", "null move"},
    ),
    "rare text": (_slip("rare_text", {"max_moves": 20}, format=_format_few), set()),
    "half a row": (_slip("half_a_row", play=_forgets_the_die), {"aliasing"}),
    "behind the row": (
        _slip("behind_the_row", play=_writes_behind),
        {"aliasing"} if COMPILED else {"random games", "aliasing", "symmetry of play"},
    ),
    "mover writes": (_slip("mover_writes", mover=_takes_the_die), {"reading"}),
    "no outcome": (_slip("no_outcome", reveal=_reveals_nothing), {"outcomes"}),
    "mirror of moves": (_slip("mirror_of_moves", symmetries=_mirror_without_moves), {"symmetry of play"}),
    "mirror of chance": (
        _slip("mirror_of_chance", symmetries=_turn_the_side),
        {"symmetry of play", "symmetry of result"},
    ),
    "no terms": (_slip("no_terms", terms=None), {"layout"}),
    "blend": (_slip("blend", evaluation=_evaluation(columns=("only",))), {"layout"}),
    "whose": (_slip("whose", evaluation=_evaluation(features=_of_nobody)), {"layout"}),
    "amounts": (_slip("amounts", evaluation=_evaluation(amounts=lambda *_: {})), {"amounts differ"}),
    "term names": (_slip("term_names", evaluation=_evaluation(terms=(("left", "edge"),))), {"layout"}),
    "fourth term": (_slip("fourth_term", terms=_fourth_term), {"terms in layout"}),
    "beyond": (_slip("beyond", terms=_beyond_the_layout), {"terms in layout"}),
    "term order": (_slip("term_order", terms=_in_another_order), {"terms as named"}),
    "phase": (_slip("phase", phase=_phase_too_far, evaluate=None), {"phase in blend"}),
    "fused": (_slip("fused", evaluate=_off_by_one), {"fused evaluate"}),
}
