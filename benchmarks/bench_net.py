"""The neural evaluation: what batches, kernels and the loop cost, as ratios within one run.

    planes         positions a second of one core, and against a plain loop over cells
    tree           simulations and steps a second; a step is one edge that a simulation goes down inside the tree
                   (by a move, or by an outcome of chance), as the search counts them: random moves are none. Without a
                   net a leaf is worth its evaluation; "leaves from outside" have a constant in the place of a net
    self-play      games whose leaves share a batch against games one by one: the same net, simulations and moves
    training       a step with its batch (images, planes, distributions) against the bare step on one batch
    alpha-beta     an evaluation by the small quantised net (32 units) against the linear one
    busy           processor seconds (user and system) of a loop for a second of the wall and a core, over two whole
                   rounds of 64 games with a net of f 32, r 4 and 100 simulations: self-play, training, gate and
                   yardstick; two minutes, and it needs a free machine

Seconds are the processor's where nothing else is said.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from evalsmith.engine import Limit, MctsSearcher
from evalsmith.engine.mcts import slots
from evalsmith.engine.mcts.together import LeafTree, grow_together
from evalsmith.games import OVER, find_game
from evalsmith.games.opening import Opening
from evalsmith.games.planes import planes_of
from evalsmith.net.pilots import rollout_searcher
from evalsmith.scale import cores

ROUNDS = 3
GAME = find_game("drmario")


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def best(work: Callable[[], object]) -> float:
    work()
    return min(seconds(work) for _ in range(ROUNDS))


def bench_planes() -> None:
    from evalsmith.games.drmario import strings

    planes, rows = planes_of(GAME), np.stack([GAME.start()] * 20_000)
    rate = len(rows) / best(lambda: planes.unpack(planes.pack(rows)))

    def plain() -> None:
        for row in rows[:200]:
            shown = np.zeros((18, 8, 16), dtype=np.uint8)
            for (x, y), piece in strings.bottle_of(row).items():
                shown[piece.colour, x, y] = 1

    print(f"planes: {rate / 1e6:.2f} million positions/s, {rate * best(plain) / 200:.0f} × a plain loop")


def bench_tree() -> None:
    uniform = np.full((1, GAME.slots), 1 / GAME.slots)
    trees = [LeafTree(GAME, simulations=200) for _ in range(64)]

    def grow() -> None:
        for tree in trees:
            tree.new_game()
            tree.place(GAME.start())
        grow_together(trees, lambda leaves: (np.zeros(len(leaves)), np.repeat(uniform, len(leaves), axis=0)), 200)

    took = best(grow)
    steps = sum(int(context.row[slots.PLIES]) for tree in trees for context in tree.contexts)
    print(f"tree: {64 * 200 / took:,.0f} simulations/s, {steps / took / 1e6:.2f} million steps/s, leaves from outside")
    for searcher, leaf in (
        (MctsSearcher(GAME, selection="uct", priors="uniform"), "leaves by the evaluation"),
        (rollout_searcher(GAME, 1), "round 0: at each leaf a random game, cut after 20 pills without a kill"),
    ):

        def search(searcher: MctsSearcher = searcher) -> None:
            searcher.new_game()
            searcher.think(GAME.start(), Limit(nodes=20_000))

        took = best(search)
        steps = int(searcher.context.row[slots.PLIES])
        print(f"tree: {20_000 / took:,.0f} simulations/s, {steps / took / 1e6:.2f} million steps/s, {leaf}")


def bench_selfplay() -> None:
    from evalsmith.net.inference import NetEvaluator, TorchInference
    from evalsmith.net.model import Net
    from evalsmith.net.pilots import NetPilot
    from evalsmith.net.playing import play_together
    from evalsmith.net.shape import NetShape

    openings = []
    for number in range(64):
        text = f"seed:{0x1000 + 2 * number:04x} level:5 stall:6"
        openings.append((number, Opening(GAME.parse(text), (), text)))
    for f, r, bfloat16 in ((16, 2, False), (32, 4, False), (32, 4, True)):
        net = Net(NetShape.of(GAME, f=f, r=r))
        rates: dict[int, list[float]] = {1: [], 64: []}
        for _ in range(ROUNDS):
            for together, found in rates.items():
                pilot = NetPilot(GAME, NetEvaluator(GAME, TorchInference(net, bfloat16)), 25)
                count = 4 if together == 1 else 64
                began, moves = time.process_time(), 0
                for one in play_together(GAME, lambda *_: pilot, openings[:count], together=together):  # noqa: B023
                    moves += one.moves
                found.append(moves / (time.process_time() - began))
        alone, batched = (statistics.median(rates[together]) for together in (1, 64))
        print(
            f"self-play, f={f} r={r}{', 16 bits' if bfloat16 else ''}: {batched:.1f} moves/s together, "
            f"{alone:.1f} one by one: {batched / alone:.2f} ×"
        )


def bench_training() -> None:
    from evalsmith.net.examples import Batches, load_examples
    from evalsmith.net.model import Net
    from evalsmith.net.selfplay import self_play
    from evalsmith.net.settings import TrainSettings
    from evalsmith.net.shape import NetShape
    from evalsmith.net.trainer import Trainer

    with tempfile.TemporaryDirectory() as folder:
        self_play(GAME, Path(folder) / "x", games=16, level="5", first="weights", first_simulations=20)
        batches = Batches(load_examples(GAME, [Path(folder) / "x"]))
    trainer = Trainer(Net(NetShape.of(GAME, f=32, r=4)), TrainSettings(), 1000)
    batch = batches.draw(256, 1)
    trainer.learn(batch)
    ratios = []
    for step in range(5):
        bare = seconds(lambda: trainer.learn(batch))
        ratios.append(seconds(lambda step=step: trainer.learn(batches.draw(256, step))) / bare)
    print(f"training: a step with its batch takes {statistics.median(ratios):.3f} × the bare step")


def bench_alpha_beta() -> None:
    from evalsmith.games.planes import WORD
    from evalsmith.weights import default_weights
    from evalsmith.weights.evaluating import evaluations
    from evalsmith.weights.value_net import ValueNet

    source = random.Random(1)
    for name in ("othello", "connect_four", "chess", "shogi"):
        game = find_game(name)
        planes, rows = planes_of(game), []
        while len(rows) < 20_000:
            here = game.start()
            while game.status(here) != OVER:
                rows.append(here)
                here = game.play_unchecked(here, source.choice(game.moves(here)))
        positions, linear = np.stack(rows), default_weights(game)
        numbers = np.random.default_rng(1)
        net = ValueNet(
            planes.names, numbers.integers(-60, 60, (planes.words * WORD, 32)).astype(np.int16),
            numbers.integers(-90, 90, (8, 64)).astype(np.int16), numbers.integers(-900, 900, 32 + 8).astype(np.int32),
            6, planes.words * WORD // 2, alone=True,
        )  # fmt: skip
        took = [
            best(lambda weights=weights: evaluations(game, weights, positions)) / len(positions)  # noqa: B023
            for weights in (linear, replace(linear, net=net))
        ]
        print(
            f"alpha-beta, {name}: the net {1e9 * took[1]:.0f} ns, the linear evaluation {1e9 * took[0]:.0f}: "
            f"{took[1] / took[0]:.2f} ×"
        )


def bench_busy() -> None:
    from evalsmith.net.loop import net_loop

    with tempfile.TemporaryDirectory() as folder:
        how = {"level": "3", "simulations": 100, "f": 32, "r": 4, "gate_games": 32, "yardstick_games": 32}
        net_loop(GAME, Path(folder) / "warm", rounds=1, games=4, **how)  # what is loaded once is no part of a loop
        began, used = time.perf_counter(), time.process_time()
        net_loop(GAME, Path(folder) / "run", rounds=2, games=64, together=16, **how)
        share = (time.process_time() - used) / (time.perf_counter() - began) / cores()
    print(f"busy: {100 * share:.0f} % of {cores()} cores, where nobody else wants them")


def main() -> int:
    bench_planes()
    bench_tree()
    bench_alpha_beta()
    try:
        import torch  # noqa: F401
    except ImportError:
        print("PyTorch is not installed (EVALSMITH_NET=1 make setup): the rest is left out")
        return 0
    bench_selfplay()
    bench_training()
    bench_busy()
    return 0


if __name__ == "__main__":
    sys.exit(main())
