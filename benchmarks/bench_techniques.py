"""What each technique of alpha-beta is worth: nodes to a depth without it, against nodes with everything on.

Thirty positions a game, from self-play with noise, so that they are neither all quiet nor all absurd; the depth of each
position is the one that a search with everything on reaches in a fixed number of nodes. Ratios are geometric means:
above 1 the technique saves nodes. Fewer nodes are no gain in strength by themselves where a technique also overlooks
things (those are marked): there a match decides (docs/measuring.md). Node counts do not depend on the machine.

    python benchmarks/bench_techniques.py [GAME …] [--nodes N]
"""

from __future__ import annotations

import argparse
import math
import random

from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.engine.alphabeta.table import POLICIES
from evalsmith.engine.alphabeta.techniques import SELECTIVE, possible
from evalsmith.games import CHANCE, OVER, Game, Position, find_game
from evalsmith.positions.openings.drawing import random_opening

GAMES = ("chess", "shogi", "othello", "dvonn", "drmario")
POSITIONS = 30
NODES = 200_000
TABLE_BYTES = 16 << 20
SMALL_TABLE_BYTES = 64 << 10  # where policies of replacement differ
LIMIT = 50  # a technique that multiplies the nodes by more than this is not followed further


def positions(game: Game, count: int) -> list[Position]:
    """Positions of self-play games, one a game, where a player moves and has a choice."""
    source, found = random.Random(1), []
    searcher = Searcher(game, table_bytes=1 << 20)
    while len(found) < count:
        opening = random_opening(game, 4, source)
        if opening is None:
            continue
        prepare(searcher, Limit(nodes=300), source.getrandbits(60), noise=0.1, noise_plies=40)
        played = play_game(game, searcher, searcher, opening[0])
        position = opening[0]
        for move in played.moves[: source.randrange(4, max(5, len(played.moves) * 3 // 4))]:
            chance = game.status(position) == CHANCE
            position = game.reveal(position, move) if chance else game.play_unchecked(position, move)
        while game.status(position) == CHANCE:
            position = game.reveal(position, 0)
        if game.status(position) != OVER and len(game.moves(position)) > 1:
            found.append(position)
    return found


def nodes_to(searcher: Searcher, places: list[tuple[Position, int]], most: list[int]) -> list[int]:
    """The nodes that each position takes to its depth, from an empty table."""
    counts = []
    for (position, depth), limit in zip(places, most, strict=True):
        searcher.new_game()
        counts.append(searcher.think(position, Limit(depth=depth, nodes=limit)).nodes)
    return counts


def mean_ratio(counts: list[int], base: list[int]) -> float:
    """The geometric mean of what the positions cost, against what they cost with everything on."""
    return math.exp(sum(math.log(a / b) for a, b in zip(counts, base, strict=True)) / len(base))


def measure(game: Game, nodes: int) -> None:
    """Print one line a technique."""
    full = Searcher(game, table_bytes=TABLE_BYTES)
    places = []
    for position in positions(game, POSITIONS):
        full.new_game()
        thought = full.think(position, Limit(nodes=nodes))
        places.append((position, max(1, thought.depth)))
    base = nodes_to(full, places, [1 << 40] * len(places))
    depths = [depth for _, depth in places]
    off = ", ".join(game.unhelpful) or "none"
    print(f"{game.name}: {sum(base):,} nodes to depth {min(depths)}…{max(depths)}, off: {off}")
    most = [LIMIT * count for count in base]
    for name in possible(game):
        if name in game.unhelpful:
            searcher, change = _with(game, name), "with"
        else:
            searcher, change = Searcher(game, table_bytes=TABLE_BYTES, without=(name,)), "without"
        mark = " (selective)" if name in SELECTIVE else ""
        print(f"  {change:>7} {name:<12} {mean_ratio(nodes_to(searcher, places, most), base):7.3f}{mark}", flush=True)
    small = Searcher(game, table_bytes=SMALL_TABLE_BYTES)
    small_base = nodes_to(small, places, most)
    for policy in POLICIES:
        other = Searcher(game, table_bytes=SMALL_TABLE_BYTES, replacement=policy)
        ratio = mean_ratio(nodes_to(other, places, most), small_base)
        print(f"  table of {SMALL_TABLE_BYTES >> 10} KB, replacement {policy:<10} {ratio:7.3f}", flush=True)


def _with(game: Game, name: str) -> Searcher:
    """A search that uses a technique which is off for the game."""
    from dataclasses import replace

    other = replace(game, unhelpful=tuple(known for known in game.unhelpful if known != name))
    return Searcher(other, table_bytes=TABLE_BYTES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--nodes", type=int, default=NODES)
    arguments = parser.parse_args()
    for name in arguments.games:
        measure(find_game(name), arguments.nodes)


if __name__ == "__main__":
    main()
