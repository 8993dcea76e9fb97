"""The memory of a Monte Carlo tree search: all of it is taken at the beginning, the tree gets what is left."""

from __future__ import annotations

import numpy as np

from evalsmith.compile import Context
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.memory import Memory, resident_bytes
from evalsmith.engine.values import MAX_PLY
from evalsmith.games import contract
from evalsmith.games.game import Game
from evalsmith.run import InputError
from evalsmith.weights import Weights


def allocate(
    game: Game, weights: Weights, constants: tuple[float, float], threads: int, memory_bytes: int
) -> list[Context]:
    """A context a thread, each with its work arrays, and one tree for all of them in the bytes that are left."""
    contexts = [_context(game, weights, constants) for _ in range(threads)]
    work, widest = _work_bytes(contexts), _widest(game)
    # The root, its edges, and a node for each of them: then a move is always known.
    needed = 8 * (blocks.FIRST_BLOCK + (1 + widest) * blocks.NODE_WORDS + 1 + 2 * widest)
    if memory_bytes < work + needed:
        raise InputError(
            f"a tree search of {game.name} needs {work + needed:,} bytes "
            f"with {threads} thread{'s' if threads > 1 else ''}, not {memory_bytes:,}"
        )
    words = (memory_bytes - work) // 8
    if words > blocks.MAX_WORDS:
        raise InputError(f"a tree has at most {8 * blocks.MAX_WORDS:,} bytes, not {8 * words:,}")
    try:
        # Zeroed pages cost nothing until the tree reaches them.
        arena = np.zeros(words, dtype=np.int64)
    except MemoryError:
        raise InputError(f"a tree of {8 * words:,} bytes does not fit into the memory of this machine") from None
    for context in contexts:
        slots.shared.attach(context, contexts[0].row)
        slots.arena.attach(context, arena)
        context.row[slots.ARENA_WORDS] = arena.size
        context.row[slots.PENDING] = blocks.ONE_PENDING if threads > 1 else 0
    return contexts


def usage(contexts: list[Context]) -> Memory:
    """What a search takes, and what the process around it takes."""
    tree, weights = contexts[0].arrays[slots.arena.slot].nbytes, _weight_bytes(contexts[0])
    return Memory(table=tree, work=_work_bytes(contexts), weights=weights, interpreter=resident_bytes())


def _widest(game: Game) -> int:
    """The most edges that a node can have."""
    return max(game.max_moves, game.max_outcomes, 1)


def _context(game: Game, weights: Weights, constants: tuple[float, float]) -> Context:
    """What one thread works with, but for the tree."""
    context = game.context(evaluation=True)
    weights.attach(context)
    row, widest = context.row, _widest(game)
    row[slots.REPEATS] = int(game.has_repetition)
    row[slots.CHECKS] = int(hasattr(game.rules_module, "check"))
    # Only games that repeat positions need keys.
    plies = game.max_plies + MAX_PLY + 1 if row[slots.REPEATS] else 1
    row[slots.MAX_EDGES] = widest
    slots.constants.attach(context, np.array(constants, dtype=np.float64))
    slots.positions.allocate(context, slots.POSITION_ROWS)
    slots.moves.allocate(context)
    slots.priors.allocate(context)
    slots.path.allocate(context, MAX_PLY + 1)
    slots.keys.allocate(context, plies)
    slots.checks.allocate(context, plies)
    return context


def _weight_bytes(context: Context) -> int:
    return sum(context.arrays[slot].nbytes for slot in (contract.WEIGHTS, contract.BLEND))


def _work_bytes(contexts: list[Context]) -> int:
    """Rows and arrays of all threads, without the weights and the tree."""
    apart = (contract.WEIGHTS, contract.BLEND, slots.shared.slot, slots.arena.slot)
    arrays = (array for context in contexts for slot, array in context.arrays.items() if slot not in apart)
    return sum(context.row.nbytes for context in contexts) + sum(array.nbytes for array in arrays)
