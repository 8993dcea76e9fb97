"""What the tree says, in words of the game: moves, values, scores and lines; also while a search runs.

**Scores.** A proven line has its exact value: ``win`` less the plies to the end, a margin, or an expectation. Any other
mean goes back through the curve of the evaluation, 2·``scale``·artanh(mean), and stays below a proven win.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from evalsmith.compile import Context
from evalsmith.engine.limit import Line
from evalsmith.engine.mcts import blocks, slots
from evalsmith.engine.values import MAX_PLY
from evalsmith.games.game import CHANCE, Game
from evalsmith.games.scores import decided_above


@dataclass(frozen=True)
class RootMove:
    """What the tree knows of one move: ``value`` is the mean for the mover, or exact where ``proven``.

    ``score`` is what whoever has no tree says of the move, in the game's unit; of a net's games for one it is minus the
    moves to the end, in hundredths.
    """

    move: int
    visits: int
    value: float
    prior: float
    proven: bool
    score: int | None = None


@dataclass(frozen=True)
class _Node:
    """A node as its parent's mover sees it; bounds in 1/65536 unit."""

    move: int
    address: int
    visits: int
    mean: float
    low: int
    high: int
    distance: int
    prior: float

    @property
    def proven(self) -> bool:
        return self.low == self.high


class TreeView:
    """Reads the tree of a context. Threads may grow it meanwhile, but it must stay where it is."""

    def __init__(self, game: Game, context: Context, scale: float) -> None:
        self.game, self.context, self.scale = game, context, scale
        self.arena = context.arrays[slots.arena.slot]

    @property
    def root(self) -> int:
        """The address of the root; 0 for an empty tree."""
        return int(self.arena[blocks.ROOT])

    @property
    def proven(self) -> bool:
        """Whether the value of the root rests on finished games alone."""
        root = self.root
        return bool(root and self.arena[root + blocks.LOW] == self.arena[root + blocks.HIGH])

    def moves(self) -> tuple[RootMove, ...]:
        """All moves at the root, best first."""
        children = self._children(self.root)
        return tuple(
            RootMove(move=n.move, visits=n.visits, value=self._value(n), prior=n.prior, proven=n.proven)
            for n in children
        )

    def lines(self, count: int) -> tuple[Line, ...]:
        """The best lines, each with the most visited replies; a move that nobody tried has the value of the root."""
        found, longest = [], 1 if self.context.row[slots.DEFERRED] else MAX_PLY
        for node in self._children(self.root)[:count]:
            moves, last = [node.move], node
            while last.address and len(moves) < longest:
                children = [child for child in self._children(last.address) if child.visits]
                if not children or int(self.arena[last.address + blocks.INFO]) & blocks.STATUS == CHANCE:
                    break
                last = children[0]
                moves.append(last.move)
            found.append(
                Line(
                    move=node.move,
                    score=self._score(node),
                    depth=len(moves),
                    moves=tuple(moves),
                    visits=node.visits,
                    prior=node.prior,
                )
            )
        return tuple(found)

    def _children(self, address: int) -> list[_Node]:
        """The children of a node as its mover sees them, best first.

        First come moves that nothing can surpass, the quickest win and the slowest loss ahead; then the most visited,
        after a proven move that is worth no less; last those that a proven move surpasses.
        """
        if not address:
            return []
        arena = self.arena
        word, total, low, high, block, info = (int(word) for word in arena[address + 1 : address + blocks.NODE_WORDS])
        if block <= 0:
            return []
        visits = word & blocks.VISITED
        sign = -1 if info >> blocks.SIDE & 1 else 1
        lower, upper = (low, high) if sign > 0 else (-high, -low)
        found = []
        size = int(arena[block]) >> 1
        for edge, child in arena[block + 1 : block + size].reshape(-1, 2).tolist():
            move, prior = edge & blocks.MOVE, (edge >> blocks.MOVE_BITS) / blocks.SHARE
            if child > 0:
                found.append(self._child(child, move, prior, sign))
            else:
                mean = sign * total / (visits * blocks.ONE) if visits else 0.0
                limit = self.game.win * blocks.UNIT or blocks.OPEN
                found.append(
                    _Node(move=move, address=0, visits=0, mean=mean, low=-limit, high=limit, distance=0, prior=prior)
                )

        tried = max((node for node in found if node.visits and not node.proven), key=lambda n: n.visits, default=None)

        def rank(node: _Node) -> tuple[float, ...]:
            if node.low == upper:
                return (3, -node.distance if node.low > 0 else node.distance, node.visits)
            if node.high < lower or (node.high == lower and not node.proven):
                return (0, node.visits, node.mean, node.prior)
            if node.proven and tried is not None and self._value(node) >= tried.mean:
                return (2, node.visits)
            return (1, 0 if node.proven else node.visits, node.mean, node.prior)

        return sorted(found, key=rank, reverse=True)

    def _child(self, address: int, move: int, prior: float, sign: int) -> _Node:
        word, total, low, high, _, info = (int(w) for w in self.arena[address + 1 : address + blocks.NODE_WORDS])
        visits = word & blocks.VISITED
        # A sum that another thread has just raised may be ahead of its count.
        mean = max(-1.0, min(1.0, sign * total / (max(visits, 1) * blocks.ONE)))
        low, high = (low, high) if sign > 0 else (-high, -low)
        return _Node(
            move=move,
            address=address,
            visits=visits,
            mean=mean,
            low=low,
            high=high,
            distance=info >> blocks.DISTANCE,
            prior=prior,
        )

    def _value(self, node: _Node) -> float:
        """Between -1 and 1, for the mover above the node."""
        if not node.proven:
            return node.mean
        value = node.low / blocks.UNIT
        return value / self.game.win if self.game.win else math.tanh(value / (2 * self.scale))

    def _score(self, node: _Node) -> int:
        """In the game's unit, for the mover above the node."""
        win = self.game.win
        if node.proven:
            value = round(node.low / blocks.UNIT)
            if win and abs(value) == win:
                return value - (node.distance + 1 if value > 0 else -node.distance - 1)
            return value
        centre = int(self.context.row[slots.CENTRE])
        score = centre + round(2 * self.scale * math.atanh(max(-1 + 1e-9, min(1 - 1e-9, node.mean))))
        decided = decided_above(win)
        return max(-decided, min(decided, score))
