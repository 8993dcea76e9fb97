"""The memory of alpha-beta: the work arrays of every thread, and one table for all of them."""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context
from evalsmith.engine.alphabeta import slots
from evalsmith.engine.alphabeta.finishing import attach_finisher
from evalsmith.engine.alphabeta.probcut import attach_probcut
from evalsmith.engine.alphabeta.sharing import TASKS
from evalsmith.engine.alphabeta.table import ENTRY_BYTES
from evalsmith.engine.constants import SearchConstants, constants_of
from evalsmith.engine.memory import Memory, resident_bytes
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract
from evalsmith.games.game import Game
from evalsmith.run import InputError
from evalsmith.weights import Weights

DEFAULT_TABLE_BYTES = 16 << 20
_SOLVER_PART, _SOLVER_BYTES = 8, 8 << 20  # of the memory for the table of the game's solver, and its most
_EVALUATIONS_PART, _EVALUATION_BYTES, _LEAST_EVALUATIONS = 16, 16, 1 << 10
_BUCKET_BYTES = 8 * slots.BUCKET_WORDS
_IN_REDUCTIONS = ("lmr_base", "lmr_divisor")
_OF_WEIGHTS = (contract.WEIGHTS, contract.BLEND)


def table_bytes_for(nodes: int | None) -> int:
    """A table that a search of this many nodes can use, and that is quickly cleared between games."""
    if nodes is None:
        return DEFAULT_TABLE_BYTES
    wanted = 1 << (max(nodes, 1024) * 2 * ENTRY_BYTES - 1).bit_length()
    return min(wanted, DEFAULT_TABLE_BYTES)


def allocate(
    game: Game, weights: Weights, threads: int, table_bytes: int, memory_bytes: int | None
) -> tuple[Context, ...]:
    """A context for each thread; ``memory_bytes``, where given, bounds all of it but the weights."""
    contexts = tuple(_context(game, weights) for _ in range(threads))
    if threads > 1:
        _share(contexts)
    size = table_bytes if memory_bytes is None else memory_bytes
    attach_finisher(contexts[0], weights, min(size // _SOLVER_PART, _SOLVER_BYTES))
    if memory_bytes is None:
        _keep_evaluations(contexts, slots.EVALUATIONS)
    else:
        least = _work_bytes(contexts) + _BUCKET_BYTES
        if memory_bytes < least:
            raise InputError(
                f"a search of {game.name} needs {least:,} bytes "
                f"with {threads} thread{'s' if threads > 1 else ''}, not {memory_bytes:,}"
            )
        _keep_evaluations(contexts, _affordable_evaluations(memory_bytes - least, threads))
        table_bytes = memory_bytes - _work_bytes(contexts)
    buckets = max(1, table_bytes // _BUCKET_BYTES)
    table = np.zeros(buckets * slots.BUCKET_WORDS, dtype=np.uint64)
    for context in contexts:
        slots.table.attach(context, table)
        context.row[slots.BUCKETS] = buckets
    return contexts


def usage(contexts: tuple[Context, ...]) -> Memory:
    """What a search takes, and what the process around it takes."""
    arrays = contexts[0].arrays
    return Memory(
        table=arrays[slots.table.slot].nbytes,
        work=_work_bytes(contexts),
        weights=sum(arrays[slot].nbytes for slot in _OF_WEIGHTS),
        interpreter=resident_bytes(),
    )


def _affordable_evaluations(spare: int, threads: int) -> int:
    """How many evaluations each thread keeps: a power of two, and a small part of the memory that nothing needs."""
    affordable = spare // (_EVALUATIONS_PART * _EVALUATION_BYTES * threads)
    return min(slots.EVALUATIONS, max(_LEAST_EVALUATIONS, 1 << affordable.bit_length() - 1 if affordable else 0))


def _keep_evaluations(contexts: tuple[Context, ...], places: int) -> None:
    """Give each thread room for so many evaluations."""
    for context in contexts:
        slots.evaluations.allocate(context, places)
        context.row[slots.EVALUATION_PLACES] = places


def _context(game: Game, weights: Weights) -> Context:
    """What one thread works with, except the table."""
    context = game.context(evaluation=True)
    weights.attach(context)
    for rows in (slots.positions, slots.best_line, slots.line_lengths):
        rows.allocate(context, MAX_PLY + 1)
    for rows in (slots.moves, slots.scores, slots.nodes, slots.node_keys):
        rows.allocate(context, MAX_PLY)
    for rows in (slots.keys, slots.checks):
        rows.allocate(context, game.max_steps + MAX_PLY + 1)
    slots.killers.allocate(context, MAX_PLY, fill=-1)
    slots.previous.allocate(context, MAX_PLY + 1, fill=-1)
    slots.history.allocate(context, 2)
    slots.counters.allocate(context, 2, fill=-1)
    slots.evaluations.allocate(context, _LEAST_EVALUATIONS)
    slots.root_moves.allocate(context)
    slots.allowed.allocate(context)
    slots.lines.allocate(context, game.max_moves + 1)
    slots.probabilities.attach(context, np.zeros(max(1, game.max_outcomes) * MAX_PLY, dtype=np.float64))
    if weights.probcut is not None:
        attach_probcut(context, weights.probcut, len(weights.layout.blend))
    set_constants(context, constants_of(game))
    context.row[slots.REPEATS] = int(game.has_repetition)
    context.row[slots.CHECKS] = int(hasattr(game.rules_module, "check"))
    return context


def _share(contexts: tuple[Context, ...]) -> None:
    """What several threads need to defer moves that another one is searching."""
    tasks = np.zeros(TASKS, dtype=np.uint64)
    for context in contexts:
        slots.tasks.attach(context, tasks)
        slots.deferred.allocate(context, MAX_PLY)
        context.row[slots.SHARES] = 1


def _work_bytes(contexts: tuple[Context, ...]) -> int:
    """The arrays of all threads, without the weights and the table; shared ones count once."""
    apart = (*_OF_WEIGHTS, slots.table.slot)
    arrays = {id(array): array for made in contexts for slot, array in made.arrays.items() if slot not in apart}
    return sum(array.nbytes for array in arrays.values())


def set_constants(context: Context, constants: SearchConstants) -> None:
    """Give one thread other constants; no search may run meanwhile."""
    for name, value in constants.to_table().items():
        if name not in _IN_REDUCTIONS:
            context.row[getattr(slots, name.upper())] = value
    slots.reductions.attach(context, _reductions(constants.lmr_base, constants.lmr_divisor))


@functools.lru_cache(maxsize=16)
def _reductions(base: int, divisor: int) -> npt.NDArray[np.int64]:
    """By how many plies a late move is reduced: it grows with the logarithms of depth and number."""
    table = np.zeros((slots.REDUCED_DEPTHS, slots.REDUCED_MOVES), dtype=np.int64)
    for depth in range(1, slots.REDUCED_DEPTHS):
        for number in range(1, slots.REDUCED_MOVES):
            table[depth, number] = int(base / 100 + math.log(depth) * math.log(number) / (divisor / 100))
    return table
