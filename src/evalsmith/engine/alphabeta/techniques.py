"""The techniques of alpha-beta, each a switch, so that its worth can be measured: ``--without lmr``.

A technique is on unless the game says that it does not help there (``Game.unhelpful``, found by
``benchmarks/run.py techniques``), or the user leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterable

from evalsmith.games import Game
from evalsmith.run import InputError

# Bits of the slot TECHNIQUES.
PVS = 1 << 0
ASPIRATION = 1 << 1
CUTOFFS = 1 << 2
TABLE_MOVE = 1 << 3
ORDER = 1 << 4
KILLERS = 1 << 5
HISTORY = 1 << 6
COUNTERS = 1 << 7
IID = 1 << 8
LMR = 1 << 9
NULL = 1 << 10
FUTILITY = 1 << 11
QUIESCENCE = 1 << 12
DELTA = 1 << 13
CHECKS = 1 << 14
SINGLES = 1 << 15
MATES = 1 << 16
EXCHANGE = 1 << 17
LATE_MOVES = 1 << 18
RAZORING = 1 << 19
IIR = 1 << 20
IMPROVING = 1 << 21
EVALUATIONS = 1 << 22
STABILITY = 1 << 23
PROBCUT = 1 << 24
SOLVER = 1 << 25
CYCLES = 1 << 26
QUIESCENCE_TABLE = 1 << 27
CUT_NODES = 1 << 28

TECHNIQUES = {
    "pvs": (PVS, "moves after the first are searched with an empty window"),
    "aspiration": (ASPIRATION, "the root is searched in a window around the last depth's value"),
    "table": (CUTOFFS, "values of the transposition table end a search"),
    "table-move": (TABLE_MOVE, "the stored move is tried first"),
    "order": (ORDER, "the game's own order of moves (captures by MVV-LVA and kin)"),
    "killers": (KILLERS, "moves that refuted a position at the same ply"),
    "history": (HISTORY, "moves that refuted positions before"),
    "counters": (COUNTERS, "the move that refuted the last one before"),
    "iid": (IID, "internal iterative deepening where no stored move is known"),
    "lmr": (LMR, "late quiet moves are searched less deep"),
    "null": (NULL, "a position that is still good enough after passing is not searched"),
    "futility": (FUTILITY, "quiet moves near the horizon that cannot matter are left out"),
    "quiescence": (QUIESCENCE, "noisy moves are played out before a position is evaluated"),
    "delta": (DELTA, "noisy moves that capture too little are left out of quiescence"),
    "checks": (CHECKS, "a check is answered one ply deeper"),
    "singles": (SINGLES, "a single legal move is searched one ply deeper"),
    "mates": (MATES, "nothing is sought that is farther away than a known win"),
    "exchange": (EXCHANGE, "moves that lose the exchange on their target are left out near the horizon"),
    "late-moves": (LATE_MOVES, "after many moves, or with a bad history, quiet ones are left out near the horizon"),
    "razoring": (RAZORING, "a position far below the window near the horizon is judged by its noisy moves"),
    "iir": (IIR, "a position without a stored move is searched one ply less deep"),
    "improving": (IMPROVING, "pruning and reductions depend on whether the mover's evaluation rises"),
    "evaluations": (EVALUATIONS, "evaluations are remembered; nothing but the speed changes"),
    "stability": (STABILITY, "a best move that stays the same takes less of the time, a new one more"),
    "cycles": (CYCLES, "a position that comes back within the search is a draw, unless one side always gave check"),
    "quiescence-table": (QUIESCENCE_TABLE, "values of the transposition table end quiescence, and it stores its own"),
    "cut-nodes": (CUT_NODES, "late moves are reduced by one ply more where an earlier one should have refuted"),
    "solver": (SOLVER, "the game's solver proves the end of a game where there is time for it"),
    "probcut": (PROBCUT, "a shallow search ends a deep one that would very likely be beyond the window"),
}
# What may change the value found at a depth: without these, alpha-beta gives what plain minimax gives.
SELECTIVE = (
    "lmr", "null", "futility", "delta", "checks", "singles",
    "exchange", "late-moves", "razoring", "iir", "probcut", "cycles", "quiescence-table",
)  # fmt: skip


def possible(game: Game) -> tuple[str, ...]:
    """The techniques that mean something in a game: quiescence needs noisy moves, null-move pruning ``null_move``."""
    has = {
        name: hasattr(game.rules_module, name)
        for name in ("noisy", "null_move", "check", "capture_value", "order", "exchange")
    }
    lacking = {
        "quiescence": not has["noisy"],
        "delta": not (has["noisy"] and has["capture_value"]),
        "null": not has["null_move"],
        "futility": not has["capture_value"],
        "checks": not has["check"],
        "order": not has["order"],
        "mates": game.win == 0,
        "exchange": not has["exchange"],
        "late-moves": not has["capture_value"],
        "razoring": not has["noisy"],
        "probcut": game.max_outcomes > 0,
        "solver": "finish" not in game.hooks,
        "cycles": not game.cycles_draw,
        "quiescence-table": not has["noisy"],
    }
    return tuple(name for name in TECHNIQUES if not lacking.get(name, False))


def chosen(game: Game, without: Iterable[str] = ()) -> tuple[str, ...]:
    """What a search of the game uses; an unknown name is refused."""
    without = tuple(without)
    for name in without:
        if name not in TECHNIQUES:
            raise InputError(f"unknown technique {name!r}; expected one of {', '.join(TECHNIQUES)}")
    return tuple(name for name in possible(game) if name not in game.unhelpful and name not in without)


def mask(names: Iterable[str]) -> int:
    """The bits of some techniques."""
    return sum(TECHNIQUES[name][0] for name in names)
