"""How fast Monte Carlo tree search is: simulations a second in every game, against the plain search of the tests.

The plain search calls the same compiled rules, one call a move, so the ratio is what one kernel around the whole search
is worth. There everything runs on one core, and seconds are the processor's. Then two threads on one tree against one
thread: simulations in a second of the wall, whose ratio needs two free cores, and in a second of the processor, whose
ratio tells on a busy machine too what sharing a tree costs. Each search begins with an empty tree at the start.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time
from pathlib import Path
from types import ModuleType

from evalsmith.engine import Limit, MctsSearcher
from evalsmith.games import CHANCE, Game, Position, find_game

HERE = Path(__file__).resolve().parent
GAMES = ("chess", "connect_four", "drmario", "dvonn", "othello", "shogi")
SIMULATIONS = {"evaluation": 50_000, "random": 2_000}
PLAIN_SIMULATIONS = {"evaluation": 1_000, "random": 20}
ROUNDS = 3
# Two threads against one, by turns: a pair of searches at a time, so that both see the same machine.
THREAD_GAMES = ("chess", "othello")
THREAD_SIMULATIONS = {"evaluation": 200_000, "random": 20_000}
PAIRS = 7


def plain_module() -> ModuleType:
    """The plain search of the tests."""
    spec = importlib.util.spec_from_file_location("plain_mcts", HERE.parent / "tests" / "engine" / "plain_mcts.py")
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
    searcher = MctsSearcher(game, rollout=rollout, selection="uct")
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


def thread_rates(game: Game, rollout: str, selection: str) -> list[tuple[float, ...]]:
    """Simulations a second of the wall and of the processor, with one thread and with two, pair by pair."""
    searchers = [MctsSearcher(game, rollout=rollout, selection=selection, threads=threads) for threads in (1, 2)]
    pairs = []
    for _ in range(PAIRS):
        found: tuple[float, ...] = ()
        for searcher in searchers:
            searcher.new_game()
            began = time.process_time()
            thought = searcher.think(start_of(game), Limit(nodes=THREAD_SIMULATIONS[rollout]))
            found += (thought.nodes / thought.seconds, thought.nodes / (time.process_time() - began))
        pairs.append(found)
    return pairs


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
    for name in THREAD_GAMES:
        for rollout, selection in (("evaluation", "puct"), ("evaluation", "uct"), ("random", "uct")):
            pairs = thread_rates(find_game(name), rollout, selection)
            one, two = (statistics.median(pair[i] for pair in pairs) for i in (0, 2))
            wall, work = (statistics.median(pair[i + 2] / pair[i] for pair in pairs) for i in (0, 1))
            print(
                f"{name:<14} {rollout:<11} {selection:<5} one thread {one:>10,.0f}/s   two {two:>10,.0f}/s   "
                f"ratio {wall:5.2f}, by processor time {work:5.2f} (medians of {PAIRS} pairs)",
                flush=True,
            )


if __name__ == "__main__":
    main()
