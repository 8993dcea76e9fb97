"""Othello's endgame solver on the positions FFO 40 to 44: nodes, which depend on no machine, against another program's.

Then many small endgames at once, as labels of datasets are made: positions a second, one thread.

Moves are ordered by the fitted weights that ship; ``--weights W`` takes others, ``none`` the light evaluation. A
position that is not solved to its known score ends the benchmark with an error. Ours are all positions visited; how
many of its last plies the other program counts is not known.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import numpy as np

from evalsmith.games import Position
from evalsmith.games.othello import GAME
from evalsmith.games.othello.endgame import DEFAULT_TABLE_BYTES, solve, solve_many
from evalsmith.weights import load_weights

# Number, position, known score in discs, best moves, and the nodes that Edax needs, in millions.
POSITIONS = (
    (40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, "a2", 10.6),
    (41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, "h4", 23.5),
    (42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, "g2", 29.8),
    (43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, "g3 c7", 89.4),
    (44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, "d2 b8", 19.9),
)
WANTED = 5.0  # times Edax's nodes, in total
# Empty squares, and how many positions of them.
SMALL = ((6, 2000), (8, 2000), (10, 1000), (12, 500), (14, 100))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", default="fitted", help="weights that order the moves, or none")
    parser.add_argument("--memory", type=int, default=DEFAULT_TABLE_BYTES, help="bytes of the table")
    options = parser.parse_args()
    row = None if options.weights == "none" else load_weights(options.weights, GAME).engine_row
    solve(GAME.parse(POSITIONS[0][1].replace("-", "X")))  # loads the kernels, so that they cost no seconds below
    print(f"table {options.memory:,} bytes, moves ordered by weights: {options.weights}")
    print("FFO  empties  score  move        nodes  million/s   Edax, million  ratio")
    total, theirs = 0, 0.0
    for number, text, score, best, millions in POSITIONS:
        position = GAME.parse(text)
        found = solve(position, weights=row, table_bytes=options.memory)
        move = GAME.format_move(position, found.move)
        if found.score != 100 * score or move not in best.split():
            print(f"FFO {number}: {found.score} by {move}, known is {100 * score} by {best}", file=sys.stderr)
            return 1
        rate, ratio = found.nodes / found.seconds / 1e6, found.nodes / millions / 1e6
        empties = text.count("-")
        print(
            f"{number:3} {empties:8} {score:+6} {move:>5} {found.nodes:12,} {rate:10.2f} {millions:15.1f} {ratio:6.2f}",
            flush=True,
        )
        total, theirs = total + found.nodes, theirs + millions
    print(f"all {total:31,} {theirs:26.1f} {total / theirs / 1e6:6.2f}   (wanted: at most {WANTED})")
    many()
    return int(total > WANTED * theirs * 1e6)


def many() -> None:
    """Small endgames of games in which every move is one of the three that the game's ``order`` likes best."""
    choose = random.Random(1)
    print("empties  positions  positions/s  nodes each  million/s")
    for empties, count in SMALL:
        rows = np.array([_late(choose, empties) for _ in range(count)])
        began = time.perf_counter()
        found = solve_many(rows, empties=empties)
        seconds = time.perf_counter() - began
        each, rate = found.nodes / count, found.nodes / seconds / 1e6
        print(f"{empties:7} {count:10,} {count / seconds:12,.0f} {each:11,.0f} {rate:10.2f}", flush=True)


def _late(choose: random.Random, empties: int) -> Position:
    while True:
        here = GAME.start()
        while moves := GAME.moves(here):
            if 64 - int(here[0] | here[1]).bit_count() == empties:
                return here
            liked = sorted(moves, key=lambda move: -GAME.order(here, move))[:3]
            here = GAME.play_unchecked(here, choose.choice(liked))


if __name__ == "__main__":
    sys.exit(main())
