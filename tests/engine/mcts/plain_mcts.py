"""Monte Carlo tree search, written to be believed: UCB1 or PUCT, evaluations or random games, proven bounds.

It adds values up in the same whole numbers as the kernels do, so with evaluations whole trees must be equal.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.games.contract import ORDER, call_evaluate, call_move
from evalsmith.weights import Weights

ONE, SHARE, UNIT = 1 << 30, 1 << 38, 1 << 16
BEYOND = (1 << 22) * UNIT


@dataclass
class Node:
    """Values and bounds are for side 0; bounds in 1/65536 of the game's unit."""

    position: Position
    low: int
    high: int
    visits: int = 0
    total: int = 0
    shares: dict[int, int] = field(default_factory=dict)
    children: dict[int, Node] = field(default_factory=dict)

    @property
    def proven(self) -> bool:
        return self.low == self.high


class PlainMcts:
    """Grows ``root`` by simulations; ``rollout`` is "evaluation" or "random".

    With ``priors`` ("uniform", "order" or "evaluation") moves are chosen by PUCT, without by UCB1.
    """

    def __init__(
        self,
        game: Game,
        weights: Weights,
        position: Position,
        *,
        exploration: float,
        scale: float,
        rollout: str = "evaluation",
        priors: str | None = None,
        centre: int = 0,
        seed: int = 1,
    ) -> None:
        self.game = game
        self.context = game.context(evaluation=True)
        weights.attach(self.context)
        self.exploration, self.scale, self.rollout, self.priors = exploration, scale, rollout, priors
        self.centre = centre  # the evaluation that counts as 0
        self.choose = random.Random(seed)
        self.limit = game.win * UNIT or BEYOND
        self.root = Node(position, -self.limit, self.limit)
        self.expand(self.root)

    def search(self, simulations: int) -> None:
        """Simulate so often, or until the root is proven."""
        for _ in range(simulations):
            if self.root.proven:
                break
            self.simulate(self.root)

    def sign(self, node: Node) -> int:
        return 1 if self.game.mover(node.position) == 0 else -1

    def worth(self, bound: int) -> float:
        if self.game.win:
            return bound / (self.game.win * UNIT)
        return math.tanh(bound / UNIT * (0.5 / self.scale))

    def new_node(self, position: Position) -> Node:
        node = Node(position, -self.limit, self.limit)
        if self.game.status(position) == OVER:
            node.low = node.high = self.sign(node) * self.game.result(position) * UNIT
        return node

    def expand(self, node: Node) -> None:
        if self.game.status(node.position) == CHANCE:
            node.shares = {i: int(p * SHARE) for i, p in enumerate(self.game.chance(node.position))}
        else:
            moves = self.game.moves(node.position)
            scores = [self.score(node, move) for move in moves]
            total = sum(math.exp(score) for score in self.standardized(scores))
            likely = [math.exp(score) / total for score in self.standardized(scores)]
            node.shares = {move: int(p * SHARE) for move, p in zip(moves, likely, strict=True)}

    def score(self, node: Node, move: int) -> float:
        """What speaks for a move before it is tried."""
        game = self.game
        if self.priors == "order":
            return float(call_move(self.context.row, ORDER, node.position, move))
        if self.priors == "evaluation":
            after = game.play_unchecked(node.position, move)
            over = game.status(after) == OVER
            value = game.result(after) if over else int(call_evaluate(self.context.row, after))
            return (value if game.mover(after) == game.mover(node.position) else -value) / self.scale
        return 0.0

    def standardized(self, scores: list[float]) -> list[float]:
        """What of the scores goes into the softmax."""
        if self.priors != "order":
            return [max(score - max(scores), -10.0) for score in scores]
        mean = sum(scores) / len(scores)
        deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / len(scores))
        return [(score - mean) / max(deviation, 1e-9) for score in scores]

    def leaf_value(self, node: Node) -> float:
        """By the evaluation, or by a random game."""
        if node.proven:
            return self.worth(node.low)
        game, position = self.game, node.position
        if self.rollout == "evaluation":
            value = self.sign(node) * int(call_evaluate(self.context.row, position)) - self.centre
            return math.tanh(value * (0.5 / self.scale))
        while (status := game.status(position)) != OVER:
            if status == CHANCE:
                chances = game.chance(position)
                position = game.reveal(position, self.choose.choices(range(len(chances)), chances)[0])
            else:
                position = game.play_unchecked(position, self.choose.choice(game.moves(position)))
        sign = 1 if game.mover(position) == 0 else -1
        return self.worth(sign * game.result(position) * UNIT)

    def simulate(self, node: Node) -> float:
        """One simulation from a node down; its value for side 0."""
        if node.proven:
            value = self.worth(node.low)
        elif not node.shares and not node.visits:
            value = self.leaf_value(node)
        else:
            if not node.shares:
                self.expand(node)
            chance = self.game.status(node.position) == CHANCE
            move = self.pick_outcome(node) if chance else self.pick_move(node)
            if move not in node.children:
                step = self.game.reveal if chance else self.game.play_unchecked
                node.children[move] = self.new_node(step(node.position, move))
            value = self.simulate(node.children[move])
            if chance:
                node.visits += 1
                value = self.within(node, self.average(node))
                node.total = int(value * ONE * node.visits)
                return value
            self.tighten(node)
            value = self.within(node, value)
        node.visits += 1
        node.total += int(value * ONE)
        return value

    def pick_outcome(self, node: Node) -> int:
        def rate(outcome: int) -> float:
            child = node.children.get(outcome)
            return ((child.visits if child else 0) + 1) / node.shares[outcome]

        return min((i for i in node.shares if i not in node.children or not node.children[i].proven), key=rate)

    def pick_move(self, node: Node) -> int:
        sign = self.sign(node)
        known = node.low if sign > 0 else -node.high
        if self.priors:
            return self.pick_by_prior(node, sign, known)
        for move in node.shares:
            if move not in node.children:
                return move

        def bound(move: int) -> float:
            child = node.children[move]
            if child.proven or (child.high if sign > 0 else -child.low) <= known:
                return -math.inf
            mean = child.total / (child.visits * ONE)
            spread = self.exploration * math.sqrt(math.log(max(node.visits, 1)))
            return sign * mean + spread / math.sqrt(child.visits)

        return max(node.shares, key=bound)

    def pick_by_prior(self, node: Node, sign: int, known: int) -> int:
        def bound(move: int) -> tuple[float, int]:
            child, visits, value = node.children.get(move), 0, sign * node.total / (max(node.visits, 1) * ONE)
            if child:
                if child.proven or (child.high if sign > 0 else -child.low) <= known:
                    return -math.inf, 0
                visits, value = child.visits, sign * child.total / (child.visits * ONE)
            spread = self.exploration * math.sqrt(max(node.visits, 1)) / SHARE
            return value + spread * node.shares[move] / (1 + visits), node.shares[move]

        return max(node.shares, key=bound)

    def tighten(self, node: Node) -> None:
        best = max if self.sign(node) > 0 else min
        missing = [self.limit] if len(node.children) < len(node.shares) else []
        children = node.children.values()
        node.low = best([child.low for child in children] + [-limit for limit in missing])
        node.high = best([child.high for child in children] + missing)

    def average(self, node: Node) -> float:
        """The weighted mean of the outcomes seen; sets the bounds."""
        total, seen, value, low, high = sum(node.shares.values()), 0, 0.0, 0.0, 0.0
        for outcome, share in node.shares.items():
            child = node.children.get(outcome)
            low += share * (child.low if child else -self.limit)
            high += share * (child.high if child else self.limit)
            if child:
                seen += share
                value += share * (self.worth(child.low) if child.proven else child.total / (child.visits * ONE))
        node.low, node.high = math.floor(low / total), math.ceil(high / total)
        if len(node.children) == len(node.shares) and all(child.proven for child in node.children.values()):
            node.low = node.high = math.floor(low / total + 0.5)
        return value / seen

    def within(self, node: Node, value: float) -> float:
        """A value no worse and no better than what is proven."""
        if node.low > -self.limit:
            value = max(value, self.worth(node.low))
        return min(value, self.worth(node.high)) if node.high < self.limit else value
