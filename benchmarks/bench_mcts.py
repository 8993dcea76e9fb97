"""How fast Monte Carlo tree search is: simulations a second in every game, against the plain search of the tests.

The plain search calls the same compiled rules, one call a move, so the ratio is what one kernel around the whole search
is worth. Everything runs on one core; seconds are the processor's. Each search begins with an empty tree at the start.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType

from evalsmith.games import CHANCE, Game, Position, find_game
from evalsmith.search import Limit
from evalsmith.search.mcts_searcher import MctsSearcher

HERE = Path(__file__).resolve().parent
GAMES = ("chess", "connect_four", "drmario", "dvonn", "othello", "shogi")
SIMULATIONS = {"evaluation": 50_000, "random": 2_000}
PLAIN_SIMULATIONS = {"evaluation": 1_000, "random": 20}
ROUNDS = 3


def plain_module() -> ModuleType:
    """The plain search of the tests."""
    spec = importlib.util.spec_from_file_location("plain_mcts", HERE.parent / "tests" / "search" / "plain_mcts.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def start_of(game: Game) -> Position:
    """The start, after whatever chance has to say."""
    position = game.start()
    while game.status(position) == CHANCE:
        position = game.reveal(position, 0)
    return position


def our_rate(game: Game, rollout: str) -> float:
    """Simulations a second of the best round."""
    searcher = MctsSearcher(game, rollout=rollout)
    rates = []
    for _ in range(ROUNDS):
        searcher.new_game()
        began = time.process_time()
        nodes = searcher.think(start_of(game), Limit(nodes=SIMULATIONS[rollout])).nodes
        rates.append(nodes / (time.process_time() - began))
    return max(rates)


def plain_rate(plain: ModuleType, game: Game, rollout: str) -> float:
    """Simulations a second of the plain search."""
    ours = MctsSearcher(game)
    search = plain.PlainMcts(game, ours.weights, start_of(game), exploration=0.5, scale=ours.scale, rollout=rollout)
    began = time.process_time()
    search.search(PLAIN_SIMULATIONS[rollout])
    return PLAIN_SIMULATIONS[rollout] / (time.process_time() - began)


def main() -> None:
    """Print one line a game and kind of roll-out."""
    plain = plain_module()
    for name in GAMES:
        game = find_game(name)
        for rollout in SIMULATIONS:
            ours, other = our_rate(game, rollout), plain_rate(plain, game, rollout)
            print(
                f"{name:<14} {rollout:<11} {ours:>10,.0f} simulations/s   plain Python {other:>8,.0f}/s"
                f"   ratio {ours / other:7.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
