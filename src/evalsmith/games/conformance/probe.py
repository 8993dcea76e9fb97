"""A game as the conformance kit sees it: kernels called on guarded rows, and random games.

Nothing here trusts the game. Kernels get copies of positions and buffers with room to spare, so that a kernel
that writes where it should not spoils neither the memory of the process nor the next test.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import contract
from evalsmith.games.game import CHANCE, OVER, PLAYER, Game, Position, Symmetry
from evalsmith.run.seeds import derive

# Room behind every buffer for what a kernel writes too much.
SLACK = 1024
GUARD = 8
GARBAGE = 0xA5A5_5A5A_A5A5_5A5A


@dataclass(frozen=True, eq=False)
class Place:
    """A position of a random game, with what the game says of it.

    ``chosen`` is the move or the outcome taken there, -1 at the end; ``repeated`` is what the game says of it
    and the positions that came before; ``ply`` counts moves, not outcomes.
    """

    position: Position = field(repr=False)
    status: int
    moves: list[int]
    ply: int
    chosen: int
    repeated: int

    @property
    def over(self) -> bool:
        """Whether the game ended here, by its rules or by repetition."""
        return self.status == OVER or self.repeated != contract.FRESH


class Probe:
    """A game under test."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.keys_seen: dict[int, Place] = {}
        self.sides_changed = 0
        self._rules = game.context()

    def stream(self, *names: str | int) -> random.Random:
        """A stream of random numbers for one purpose."""
        return random.Random(derive(self.seed, self.game.name, *names))

    # ── Kernels ──

    def moves(self, position: Position) -> list[int]:
        """What ``moves`` lists, more than ``max_moves`` if need be."""
        return self.listed(contract.call_moves, position.copy())

    def noisy(self, position: Position) -> list[int]:
        """What ``noisy`` lists."""
        return self.listed(contract.call_noisy, position.copy())

    def listed(self, call: Any, row: Position) -> list[int]:
        """The moves that a kernel lists, on exactly this row."""
        out = np.full(self.game.max_moves + SLACK, -1, dtype=np.int64)
        count = call(self._rules.row, row, out)
        return [int(move) for move in out[:count]]

    def play(self, position: Position, move: int) -> Position:
        """The position after a move, from a copy into zeros."""
        child = np.zeros(self.game.words + GUARD, dtype=np.uint64)
        contract.call_play(self._rules.row, position.copy(), move, child[: self.game.words])
        return child[: self.game.words].copy()

    def reveal(self, position: Position, outcome: int) -> Position:
        """The position after an outcome, from a copy into zeros."""
        child = np.zeros(self.game.words + GUARD, dtype=np.uint64)
        contract.call_reveal(self._rules.row, position.copy(), outcome, child[: self.game.words])
        return child[: self.game.words].copy()

    def follow(self, source: Position, choice: int, child: Position, *, chance: bool) -> None:
        """``play`` or ``reveal`` on exactly these rows."""
        call = contract.call_reveal if chance else contract.call_play
        call(self._rules.row, source, choice, child[: self.game.words])

    def null_move(self, source: Position, onto: int = 0) -> Position | None:
        """The null move on exactly this row, onto a row full of ``onto``; None where it is not allowed."""
        child = np.full(self.game.words + GUARD, onto, dtype=np.uint64)
        allowed = contract.call_null_move(self._rules.row, source, child[: self.game.words])
        return child[: self.game.words].copy() if allowed else None

    def chance(self, position: Position) -> list[float]:
        """The probabilities, more than ``max_outcomes`` if need be."""
        out = np.zeros(self.game.max_outcomes + SLACK, dtype=np.float64)
        count = contract.call_chance(self._rules.row, position.copy(), out)
        return [float(p) for p in out[:count]]

    @functools.cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The game's symmetries."""
        return self.game.symmetries()

    # ── Evaluation ──

    @functools.cached_property
    def has_evaluate(self) -> bool:
        """Whether the game has a fused evaluation."""
        return hasattr(self.game.terms_module, "evaluate")

    def terms(self, position: Position) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16]]:
        """What ``terms`` emits, more than ``max_terms`` if need be."""
        index = np.full(self.game.max_terms + SLACK, -1, dtype=np.int32)
        value = np.zeros(self.game.max_terms + SLACK, dtype=np.int16)
        count = contract.call_terms(self._plain.row, position.copy(), index, value)
        return index[:count], value[:count]

    def phase(self, position: Position) -> int:
        """The row of the blend table."""
        return int(contract.call_position(self._plain.row, contract.PHASE, position.copy()))

    def value(self, position: Position) -> int:
        """The evaluation by its definition, with the starting weights."""
        return int(contract.call_sum_terms(self._plain.row, position.copy()))

    def values(self, position: Position) -> Iterator[tuple[str, int, int]]:
        """Which weights, the evaluation by its definition, and the fused one."""
        for name, plain, fused in self._pairs:
            row = position.copy()
            yield name, int(contract.call_sum_terms(plain.row, row)), int(contract.call_evaluate(fused.row, row))

    @functools.cached_property
    def _plain(self) -> Any:
        return self._with_weights(self.game.evaluation.starting(), engine=False)

    @functools.cached_property
    def _pairs(self) -> list[tuple[str, Any, Any]]:
        evaluation = self.game.evaluation
        shape = (len(evaluation.columns), evaluation.size)
        # Small enough that a sum over many terms also fits 32 bits, where uncompiled code does its sums.
        drawn = np.random.default_rng(derive(self.seed, "weights")).integers(-5000, 5001, shape, dtype=np.int32)
        sets = {"starting": evaluation.starting(), "random": drawn}
        return [
            (name, self._with_weights(weights, engine=False), self._with_weights(weights, engine=True))
            for name, weights in sets.items()
        ]

    def _with_weights(self, weights: npt.NDArray[np.int32], *, engine: bool) -> Any:
        """A context that evaluates: by the definition, or as the search does."""
        evaluation = self.game.evaluation
        made = self.game.context(evaluation=True)
        row = evaluation.engine(weights) if engine and self.has_evaluate and evaluation.engine else weights
        made.attach(contract.WEIGHTS, np.ascontiguousarray(row, dtype=np.int32).reshape(-1))
        made.attach(contract.BLEND, np.array(evaluation.blend, dtype=np.int32).reshape(-1))
        made.row[contract.SCALE] = evaluation.scale
        made.row[contract.WIDTH] = evaluation.size
        made.attach(contract.TERM_INDEX, np.zeros(self.game.max_terms + SLACK, dtype=np.int32))
        made.attach(contract.TERM_VALUE, np.zeros(self.game.max_terms + SLACK, dtype=np.int16))
        return made

    # ── Random games ──

    def walk(self, choose: random.Random, start: Position | None = None) -> Iterator[Place]:
        """A random game from the start or another position, to its end or one move past ``max_plies``."""
        game = self.game
        position = game.start() if start is None else start
        keys: list[int] = []
        checks: list[int] = []
        ply = 0
        # Chance takes no ply, so a game whose chance never ends is stopped by its steps.
        for _ in range(8 * game.max_plies + SLACK):
            status, moves = game.status(position.copy()), self.moves(position)
            repeated = game.repeated(position.copy(), keys, checks)
            chosen = -1
            if not repeated and ply <= game.max_plies:
                if status == CHANCE:
                    chosen = _draw(self.chance(position), choose)
                elif status == PLAYER and moves:
                    chosen = choose.choice(moves)
            yield Place(position, status, moves, ply, chosen, repeated)
            if chosen < 0:
                return
            keys.append(game.key(position.copy()))
            checks.append(int(game.check(position.copy())))
            position = self.reveal(position, chosen) if status == CHANCE else self.play(position, chosen)
            ply += status == PLAYER


def _draw(probability: list[float], choose: random.Random) -> int:
    """An outcome by its probability, whatever they sum to; -1 if there is none."""
    weights = [max(p, 0.0) for p in probability]
    return choose.choices(range(len(weights)), weights)[0] if sum(weights) > 0 else -1
