"""What the tests of Monte Carlo tree search share: games, positions, and the tree read word by word."""

from __future__ import annotations

import functools
import math
import random
from dataclasses import dataclass
from typing import Any

from evalsmith.engine import MctsSearcher
from evalsmith.engine.mcts import blocks, slots
from evalsmith.games import CHANCE, OVER, Game, Position, find_game
from evalsmith.weights import Weights, starting_weights

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")
CHESS = find_game("chess")
DVONN = find_game("dvonn")
MARIO = find_game("drmario")
SHOGI = find_game("shogi")
FIVE = (CHESS, DVONN, MARIO, OTHELLO, SHOGI)
SMALL = 4 << 20

Tree = tuple[int, int, int, int, dict[int, "Tree"]]


def name_of(value: object) -> str:
    """For the names of tests."""
    return value.name if isinstance(value, Game) else str(value)


@functools.cache
def _weights(game: Game) -> Weights:
    return starting_weights(game)


def searching(game: Game, **options: Any) -> MctsSearcher:
    """A searcher with the game's own weights, which are made once: for some games that takes long."""
    return MctsSearcher(game, _weights(game), **options)


def revealed(game: Game, position: Position, choose: random.Random) -> Position:
    """The position after outcomes of chance, until a player moves."""
    while game.status(position) == CHANCE:
        chances = game.chance(position)
        position = game.reveal(position, choose.choices(range(len(chances)), chances)[0])
    return position


def tree(searcher: MctsSearcher, address: int | None = None) -> Tree:
    """Visits, sum, bounds and children of every node, without addresses."""
    arena = searcher.context.arrays[slots.arena.slot]
    node = int(arena[blocks.ROOT]) if address is None else address
    visits, total, low, high, block, _ = (int(word) for word in arena[node + 1 : node + blocks.NODE_WORDS])
    edges = arena[block + 1 : block + (int(arena[block]) >> 1)].reshape(-1, 2).tolist() if block else []
    below = {word & blocks.MOVE: tree(searcher, child) for word, child in edges if child}
    return visits, total, low, high, below


@dataclass(frozen=True)
class Audit:
    """What was found in a sound tree: its nodes, and the visits of its root."""

    nodes: int
    visits: int


def audit(searcher: MctsSearcher) -> Audit:
    """Read the arena from its first block to its last, and assert that it is one sound tree."""
    row, arena = searcher.context.row, searcher.context.arrays[slots.arena.slot].tolist()
    top, root = int(row[slots.TOP]), arena[blocks.ROOT]
    assert top <= len(arena) == row[slots.ARENA_WORDS]
    assert row[slots.FULL] == 1 or top + blocks.NODE_WORDS <= len(arena)
    kinds, place = {}, blocks.FIRST_BLOCK
    while place < top:
        kinds[place] = arena[place] & 1
        size = arena[place] >> 1
        assert size == blocks.NODE_WORDS if kinds[place] == blocks.NODE_KIND else size % 2 == 1
        place += size
    assert place == top, "blocks fill the arena up to its top"
    pointed = [root]
    nodes = [place for place, kind in kinds.items() if kind == blocks.NODE_KIND]
    for node in nodes:
        visits, total, low, high, block, info = arena[node + 1 : node + blocks.NODE_WORDS]
        assert visits >> blocks.VISIT_BITS == 0, "no virtual loss is left"
        assert abs(total) <= visits * blocks.ONE
        assert low <= high
        if not block:
            continue
        assert block > node and kinds[block] == blocks.EDGES_KIND, "also: no claim is left"
        pointed.append(block)
        edges = list(range(block + 1, block + (arena[block] >> 1), 2))
        children = [arena[edge + 1] for edge in edges]
        assert all(not child or (child > block and kinds[child] == blocks.NODE_KIND) for child in children)
        pointed += [child for child in children if child]
        # A node other than the first root is visited once before it has edges, and a thread that finds a child claimed
        # ends above it.
        below = sum(arena[child + blocks.VISITS] for child in children if child)
        assert below <= visits if node == root else below < max(visits, 1), "no visit is lost or counted twice"
        if searcher.threads == 1 and not row[slots.FULL] and not row[slots.PRUNED]:
            assert visits - below <= 1
        limit = searcher.game.win * blocks.UNIT or blocks.OPEN
        bounds = [(arena[c + blocks.LOW], arena[c + blocks.HIGH]) if c else (-limit, limit) for c in children]
        if info & blocks.STATUS == CHANCE:
            expected = _expected_bounds([arena[edge] >> blocks.MOVE_BITS for edge in edges], bounds)
        else:
            best = min if info >> blocks.SIDE & 1 else max
            expected = best(b[0] for b in bounds), best(b[1] for b in bounds)
        # A node keeps what it knew when the nodes below it are forgotten.
        assert expected[0] <= low <= high <= expected[1], "what is proven below is known above"
        assert row[slots.PRUNED] or (low, high) == expected
    assert sorted(pointed) == sorted(kinds), "every block is pointed to once"
    return Audit(len(nodes), arena[root + blocks.VISITS])


def _expected_bounds(shares: list[int], bounds: list[tuple[int, int]]) -> tuple[int, int]:
    """Those of a chance node: the means of its outcomes' bounds, rounded apart unless all are proven."""
    total, low, high = 0.0, 0.0, 0.0
    for share, (least, most) in zip(shares, bounds, strict=True):
        total += float(share)
        low += float(share) * float(least)
        high += float(share) * float(most)
    if all(least == most for share, (least, most) in zip(shares, bounds, strict=True) if share):
        return math.floor(low / total + 0.5), math.floor(low / total + 0.5)
    return math.floor(low / total), math.ceil(high / total)


def play_on(game: Game, position: Position, move: int, choose: random.Random) -> Position | None:
    """The next position in which a player moves, or None at the end of the game."""
    position = revealed(game, game.play(position, move), choose)
    return None if game.status(position) == OVER else position
