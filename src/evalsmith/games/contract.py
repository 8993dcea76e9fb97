"""The game contract as compiled code sees it: signatures, slots of the context, calls, defaults.

A game writes its kernels with ``@contract``; the name of the function says which one it is:

    @contract
    def moves(position, out):
        ...

What a game leaves out gets the default at the end of this module. Search and every other kernel
reach a game only through the calls below, which take the context first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from evalsmith.compile import (
    Context,
    Indices,
    Integers,
    Kernel,
    Reals,
    Values,
    Word,
    Words,
    caller,
    driver,
    helper,
    indices_at,
    int64,
    kernel,
    place_of,
    pointer,
    values_at,
)
from evalsmith.run.errors import KernelError

F = TypeVar("F", bound=Callable[..., Any])

SIGNATURES = {
    "moves": "int64(words, integers)",
    "play": "void(words, int64, words)",
    "status": "int64(words)",
    "mover": "int64(words)",
    "result": "int64(words)",
    "key": "uint64(words)",
    "check": "int64(words)",
    "noisy": "int64(words, integers)",
    "null_move": "int64(words, words)",
    "order": "int64(words, int64)",
    "capture_value": "int64(words, int64)",
    "slot": "int64(words, int64)",
    "repeated": "int64(words, words, integers, int64)",
    "chance": "int64(words, reals)",
    "reveal": "void(words, int64, words)",
    "terms": "int64(words, indices, values)",
    "phase": "int64(words)",
    "evaluate": "int64(words, indices)",
    "declared": "int64(words, int64)",
    "exchange": "int64(words, int64, int64)",
}
ARGUMENTS = {
    "moves": "position, out",
    "noisy": "position, out",
    "play": "position, move, next",
    "reveal": "position, outcome, next",
    "null_move": "position, next",
    "order": "position, move",
    "capture_value": "position, move",
    "slot": "position, move",
    "repeated": "position, keys, checks, count",
    "declared": "position, rule",
    "exchange": "position, move, least",
    "chance": "position, probability",
    "terms": "position, index, value",
    "evaluate": "position, weights",
}
"""What functions of the contract take; those that are not here take the position alone."""
REQUIRED = ("moves", "play", "status", "mover", "result", "key", "slot")
RENAMED = {"rest": "null_move", "gain": "capture_value"}
EVALUATION = ("terms", "phase", "evaluate")

# What `status` says.
PLAYER, CHANCE, OVER = 0, 1, 2
# What `repeated` and `declared` say, for the mover.
FRESH, DRAW, WIN, LOSS = 0, 1, 2, 3

# Slots 0–31 of a context are the addresses of the game's kernels, in the order of SIGNATURES.
MOVES, PLAY, STATUS, MOVER, RESULT, KEY, CHECK, NOISY, NULL_MOVE = range(9)
ORDER, CAPTURE_VALUE, SLOT, REPEATED, CHANCES, REVEAL, TERMS, PHASE, EVALUATE, DECLARED, EXCHANGE = range(9, 20)
# Slots 32–47 are the game's numbers and the evaluation's arrays.
WORDS, MAX_MOVES, WIN_VALUE, MAX_OUTCOMES, MAX_PLIES, SLOTS = range(32, 38)
WEIGHTS, BLEND, SCALE, WIDTH, TERM_INDEX, TERM_VALUE = range(38, 44)
# Slots 48–63 are a net's, where one evaluates: the address of its kernel (0 without), its numbers, its work arrays.
NET, NET_SHAPE, NET_FIRST, NET_LAST, NET_BIASES, NET_PLANES, NET_SUMS = range(48, 55)
# Slots from 64 on belong to whoever drives the game: perft, the search, a match.
FIRST_FREE = 64
CONTEXT_SIZE = 192


def contract(function: F) -> F:
    """Compile a function of the contract; its name chooses the signature."""
    name = function.__name__
    if name in RENAMED:
        raise KernelError(f"{place_of(function)}: the game contract calls {name} {RENAMED[name]}; rename the function")
    if name not in SIGNATURES:
        raise KernelError(
            f"{place_of(function)}: the game contract has no function {name}; it has {', '.join(SIGNATURES)}. "
            "What these call is a @helper"
        )
    wanted, given = ARGUMENTS.get(name, "position"), function.__code__.co_varnames[: function.__code__.co_argcount]
    if len(given) != len(wanted.split(", ")):
        raise KernelError(f"{place_of(function)}: write def {name}({wanted}), not def {name}({', '.join(given)})")
    return kernel(SIGNATURES[name], floats=name == "chance")(function)


# ── Calls from compiled code ────────────────────────────────────────────────────────────────────

_moves = caller(SIGNATURES["moves"])
_play = caller(SIGNATURES["play"])
_of_position = caller("int64(words)")
_key = caller(SIGNATURES["key"])
_null_move = caller(SIGNATURES["null_move"])
_of_move = caller("int64(words, int64)")
_repeated = caller(SIGNATURES["repeated"])
_exchange = caller(SIGNATURES["exchange"])
_chance = caller(SIGNATURES["chance"])
_terms = caller(SIGNATURES["terms"])
_evaluate = caller(SIGNATURES["evaluate"])
_net = caller("int64(integers, words)")


@helper("int64(integers, words, integers)")
def moves_of(context: Integers, position: Words, out: Integers) -> int:
    """The legal moves, into ``out``."""
    return _moves(context[MOVES], (position, out))


@helper("int64(integers, words, integers)")
def noisy_of(context: Integers, position: Words, out: Integers) -> int:
    """The moves that quiescence must see, into ``out``."""
    return _moves(context[NOISY], (position, out))


@helper("void(integers, words, int64, words)")
def play_into(context: Integers, position: Words, move: int, next: Words) -> None:
    """The position after a move, into ``next``."""
    _play(context[PLAY], (position, move, next))


@helper("void(integers, words, int64, words)")
def reveal_into(context: Integers, position: Words, outcome: int, next: Words) -> None:
    """The position after an outcome of chance, into ``next``."""
    _play(context[REVEAL], (position, outcome, next))


@helper("int64(integers, words)")
def status_of(context: Integers, position: Words) -> int:
    """PLAYER, CHANCE or OVER."""
    return _of_position(context[STATUS], (position,))


@helper("int64(integers, words)")
def mover_of(context: Integers, position: Words) -> int:
    """The side that moves."""
    return _of_position(context[MOVER], (position,))


@helper("int64(integers, words)")
def result_of(context: Integers, position: Words) -> int:
    """The value of a finished game for the mover."""
    return _of_position(context[RESULT], (position,))


@helper("uint64(integers, words)")
def key_of(context: Integers, position: Words) -> Word:
    """The hash of the position."""
    return _key(context[KEY], (position,))


@helper("int64(integers, words)")
def check_of(context: Integers, position: Words) -> int:
    """Whether the mover is in check."""
    return _of_position(context[CHECK], (position,))


@helper("int64(integers, words)")
def phase_of(context: Integers, position: Words) -> int:
    """The row of the blend table."""
    return _of_position(context[PHASE], (position,))


@helper("int64(integers, words, words)")
def null_move_into(context: Integers, position: Words, next: Words) -> int:
    """The null move into ``next``; 0 where it is not allowed."""
    return _null_move(context[NULL_MOVE], (position, next))


@helper("int64(integers, words, int64)")
def order_of(context: Integers, position: Words, move: int) -> int:
    """How early the search should try a move."""
    return _of_move(context[ORDER], (position, move))


@helper("int64(integers, words, int64)")
def capture_value_of(context: Integers, position: Words, move: int) -> int:
    """The most that a move wins at once."""
    return _of_move(context[CAPTURE_VALUE], (position, move))


@helper("int64(integers, words, int64, int64)")
def exchange_of(context: Integers, position: Words, move: int, least: int) -> int:
    """Whether a move wins at least so much once both sides have captured on its target."""
    return _exchange(context[EXCHANGE], (position, move, least))


@helper("int64(integers, words, int64)")
def slot_of(context: Integers, position: Words, move: int) -> int:
    """The dense index of a move."""
    return _of_move(context[SLOT], (position, move))


@helper("int64(integers, words, words, integers, int64)")
def repeated_in(context: Integers, position: Words, keys: Words, checks: Integers, count: int) -> int:
    """FRESH, DRAW, WIN or LOSS by the positions that came before."""
    return _repeated(context[REPEATED], (position, keys, checks, count))


@helper("int64(integers, words, int64)")
def declared_in(context: Integers, position: Words, rule: int) -> int:
    """FRESH, DRAW, WIN or LOSS: what becomes of the mover who declares a win by a rule."""
    return _of_move(context[DECLARED], (position, rule))


@helper("int64(integers, words, reals)", floats=True)
def chance_of(context: Integers, position: Words, probability: Reals) -> int:
    """The probabilities of the outcomes of chance."""
    return _chance(context[CHANCES], (position, probability))


@helper("int64(integers, words, indices, values)")
def terms_of(context: Integers, position: Words, index: Indices, value: Values) -> int:
    """The sparse features of a position."""
    return _terms(context[TERMS], (position, index, value))


@helper("int64(integers, words)")
def sum_terms(context: Integers, position: Words) -> int:
    """The evaluation by its definition: Σ value·((1−t)·w[a] + t·w[b]), rounded once at the end."""
    index = indices_at(context[TERM_INDEX])
    value = values_at(context[TERM_VALUE])
    weights = indices_at(context[WEIGHTS])
    blend = indices_at(context[BLEND])
    count = terms_of(context, position, index, value)
    row = 3 * phase_of(context, position)
    width, share = context[WIDTH], int64(blend[row + 2])
    first, second = int64(blend[row]) * width, int64(blend[row + 1]) * width
    scale = context[SCALE]
    total = 0
    if share == 0:
        for i in range(count):
            total += int64(value[i]) * int64(weights[first + index[i]])
        return total
    for i in range(count):
        a, b = int64(weights[first + index[i]]), int64(weights[second + index[i]])
        total += int64(value[i]) * ((scale - share) * a + share * b)
    return (total + scale // 2) // scale


@helper("int64(integers, words)")
def linear_of(context: Integers, position: Words) -> int:
    """The linear evaluation for the mover: the game's fused one where it has one."""
    if context[EVALUATE] != 0:
        return _evaluate(context[EVALUATE], (position, indices_at(context[WEIGHTS])))
    return sum_terms(context, position)


@helper("int64(integers, words)")
def evaluate_of(context: Integers, position: Words) -> int:
    """The evaluation for the mover: that of a net where the context has one, else the linear one."""
    if context[NET] != 0:
        return _net(context[NET], (context, position))
    return linear_of(context, position)


# ── Calls from Python ───────────────────────────────────────────────────────────────────────────


@driver("int64(int64[::1], uint64[::1], int64[::1])")
def call_moves(context: Integers, position: Words, out: Integers) -> int:
    """``moves`` on arrays."""
    return moves_of(pointer(context), pointer(position), pointer(out))


@driver("int64(int64[::1], uint64[::1], int64[::1])")
def call_noisy(context: Integers, position: Words, out: Integers) -> int:
    """``noisy`` on arrays."""
    return noisy_of(pointer(context), pointer(position), pointer(out))


@driver("void(int64[::1], uint64[::1], int64, uint64[::1])")
def call_play(context: Integers, position: Words, move: int, next: Words) -> None:
    """``play`` on arrays."""
    play_into(pointer(context), pointer(position), move, pointer(next))


@driver("void(int64[::1], uint64[::1], int64, uint64[::1])")
def call_reveal(context: Integers, position: Words, outcome: int, next: Words) -> None:
    """``reveal`` on arrays."""
    reveal_into(pointer(context), pointer(position), outcome, pointer(next))


@driver("int64(int64[::1], uint64[::1], uint64[::1])")
def call_null_move(context: Integers, position: Words, next: Words) -> int:
    """``null_move`` on arrays."""
    return null_move_into(pointer(context), pointer(position), pointer(next))


@driver("int64(int64[::1], int64, uint64[::1])")
def call_position(context: Integers, slot: int, position: Words) -> int:
    """The kernel in ``slot`` that asks one number of a position: status, mover, result, check, phase."""
    return _of_position(context[slot], (pointer(position),))


@driver("uint64(int64[::1], uint64[::1])")
def call_key(context: Integers, position: Words) -> Word:
    """``key`` on arrays."""
    return key_of(pointer(context), pointer(position))


@driver("int64(int64[::1], int64, uint64[::1], int64)")
def call_move(context: Integers, slot: int, position: Words, move: int) -> int:
    """The kernel in ``slot`` that asks one number of a move (order, capture_value, slot) or of a rule (declared)."""
    return _of_move(context[slot], (pointer(position), move))


@driver("int64(int64[::1], uint64[::1], int64, int64)")
def call_exchange(context: Integers, position: Words, move: int, least: int) -> int:
    """``exchange`` on arrays."""
    return exchange_of(pointer(context), pointer(position), move, least)


@driver("int64(int64[::1], uint64[::1], uint64[::1], int64[::1], int64)")
def call_repeated(context: Integers, position: Words, keys: Words, checks: Integers, count: int) -> int:
    """``repeated`` on arrays."""
    return repeated_in(pointer(context), pointer(position), pointer(keys), pointer(checks), count)


@driver("int64(int64[::1], uint64[::1], float64[::1])", floats=True)
def call_chance(context: Integers, position: Words, probability: Reals) -> int:
    """``chance`` on arrays."""
    return chance_of(pointer(context), pointer(position), pointer(probability))


@driver("int64(int64[::1], uint64[::1], int32[::1], int16[::1])")
def call_terms(context: Integers, position: Words, index: Indices, value: Values) -> int:
    """``terms`` on arrays."""
    return terms_of(pointer(context), pointer(position), pointer(index), pointer(value))


@driver("int64(int64[::1], uint64[::1])")
def call_sum_terms(context: Integers, position: Words) -> int:
    """The evaluation by its definition, on arrays."""
    return sum_terms(pointer(context), pointer(position))


@driver("int64(int64[::1], uint64[::1])")
def call_evaluate(context: Integers, position: Words) -> int:
    """The evaluation as the search uses it, on arrays."""
    return evaluate_of(pointer(context), pointer(position))


# ── What a game gets that leaves a function out ─────────────────────────────────────────────────


@contract
def check(position: Words) -> int:
    """Never in check."""
    return 0


@contract
def noisy(position: Words, out: Integers) -> int:
    """No move disturbs the peace."""
    return 0


@contract
def null_move(position: Words, next: Words) -> int:
    """No null move."""
    return 0


@contract
def order(position: Words, move: int) -> int:
    """All moves alike."""
    return 0


@contract
def capture_value(position: Words, move: int) -> int:
    """Every move is quiet."""
    return 0


@contract
def exchange(position: Words, move: int, least: int) -> int:
    """Nobody captures back."""
    return 1


@contract
def repeated(position: Words, keys: Words, checks: Integers, count: int) -> int:
    """Positions cannot come again."""
    return 0


@contract
def declared(position: Words, rule: int) -> int:
    """Nobody can declare a win."""
    return 0


@contract
def chance(position: Words, probability: Reals) -> int:
    """Nothing is left to chance."""
    return 0


@contract
def reveal(position: Words, outcome: int, next: Words) -> None:
    """Never called where nothing is left to chance."""


DEFAULTS = {
    function.__name__: function
    for function in (check, noisy, null_move, order, capture_value, exchange, repeated, declared, chance, reveal)
}


def bind(context: Context, names: dict[str, Callable[..., object]]) -> None:
    """Put a game's kernels, and the defaults for those it leaves out, into a context."""
    for slot, name in enumerate(SIGNATURES):
        function = names.get(name) or DEFAULTS.get(name)
        if isinstance(function, Kernel) and (function.kind, function.signature) != ("kernel", SIGNATURES[name]):
            raise KernelError(f"{place_of(function)}: decorate it with @contract, not with @{function.kind}")
        if function is not None:
            context.bind(slot, function)
