"""Fitting: matrix products beside scipy.sparse and the memory's bandwidth, rows a second, and one slice to the end.

``python benchmarks/bench_fit.py --positions 3000000`` fits a slice at full size. Positions are of random play.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import scipy.sparse

from evalsmith.fit import solve
from evalsmith.fit.compact import Compact, build_compact, term_bases
from evalsmith.games import Game, find_game
from evalsmith.scale import cores
from evalsmith.weights import Layout, starting_weights

ROUNDS = 3
PRODUCT_ROWS = 1_000_000
ROW_COUNT = 500_000
FIRST, LAST = 16, 44  # the plies whose positions are kept
ALL, NOT_A, NOT_H = (np.uint64(board) for board in (2**64 - 1, 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F))
STEPS = (1, 7, 8, 9, -1, -7, -8, -9)
CORES = cores()


def _shifted(boards: np.ndarray, step: int) -> np.ndarray:
    """All discs one square further; columns do not wrap around."""
    edge = {0: ALL, 1: NOT_A, 7: NOT_H}[step % 8]  # a step of 9 goes right as 1 does, one of -9 left as 7
    moved = boards << np.uint64(step) if step > 0 else boards >> np.uint64(-step)
    return moved & edge


def _lines(own: np.ndarray, other: np.ndarray, step: int) -> np.ndarray:
    """The other side's discs in an unbroken line from our discs on."""
    line = _shifted(own, step) & other
    for _ in range(5):
        line |= _shifted(line, step) & other
    return line


def _choose(moves: np.ndarray, source: np.random.Generator) -> np.ndarray:
    """A random bit of each board, and none where there is none."""
    order = source.permutation(64).astype(np.uint64)
    turns = source.integers(0, 64, len(moves)).astype(np.int64)
    chosen = np.zeros_like(moves)
    for k in range(64):
        bit = np.uint64(1) << order[(turns + k) % 64]
        chosen = np.where((chosen == 0) & (moves & bit != 0), bit, chosen)
    return chosen


def positions(game: Game, count: int, seed: int) -> np.ndarray:
    """So many different positions of random play with 16 to 43 empties; all games go on side by side."""
    source = np.random.default_rng(seed)
    rows = np.tile(game.start(), (-(-count // (LAST - FIRST)), 1))
    kept = []
    for ply in range(LAST):
        own, other = rows[:, 0].copy(), rows[:, 1].copy()
        empty = ~(own | other)
        moves = np.zeros_like(own)
        for step in STEPS:
            moves |= _shifted(_lines(own, other, step), step) & empty
        move = _choose(moves, source)
        flipped = np.zeros_like(own)
        for step in STEPS:
            line = _lines(move, other, step)
            flipped |= np.where(_shifted(line, step) & own != 0, line, np.uint64(0))
        rows[:, 0], rows[:, 1] = other & ~flipped, own | move | flipped
        if ply >= FIRST:
            kept.append(rows.copy())
    return np.ascontiguousarray(np.concatenate(kept)[:count])


def best(work: Callable[[], object]) -> float:
    """The fewest seconds of some rounds."""
    found = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        found = min(found, time.perf_counter() - began)
    return found


def bandwidth() -> float:
    """Bytes a second that all cores together read from memory."""
    block = np.ones(32 << 20, dtype=np.float64)
    shares = np.array_split(block, CORES)
    with ThreadPoolExecutor(CORES) as pool:
        seconds = best(lambda: list(pool.map(np.add.reduce, shares)))
    return block.nbytes / seconds


def sparse(matrix: Compact) -> scipy.sparse.csr_matrix:
    """The same rows as scipy has them: 4 bytes an index, 8 a factor."""
    index = np.concatenate(matrix.parts).astype(np.int32) + matrix.base
    start = np.arange(len(matrix) + 1, dtype=np.int32) * len(matrix.base)
    return scipy.sparse.csr_matrix((np.ones(index.size), index.reshape(-1), start), (len(matrix), matrix.unknowns))


def scipy_pair(plain: scipy.sparse.csr_matrix, x: np.ndarray, r: np.ndarray) -> float:
    """Seconds of A·x and Aᵀ·r by scipy, on all cores: rows split, the second sum added up."""
    cuts = np.linspace(0, plain.shape[0], CORES + 1).astype(int)
    parts = [plain[a:b] for a, b in pairwise(cuts)]
    rests = [r[a:b] for a, b in pairwise(cuts)]
    with ThreadPoolExecutor(CORES) as pool:
        forth = best(lambda: np.concatenate(list(pool.map(lambda part: part @ x, parts))))
        back = best(lambda: sum(pool.map(lambda part, rest: part.T @ rest, parts, rests)))
    return forth + back


def products(matrix: Compact) -> None:
    """Print the speed of a pair of products."""
    source = np.random.default_rng(1)
    x, r = source.normal(size=matrix.unknowns), source.normal(size=len(matrix))
    threaded = matrix.with_threads(CORES)
    forth, back = best(lambda: threaded.times(x)), best(lambda: threaded.transposed_times(r))
    speed, entries = bandwidth(), len(matrix) * len(matrix.base)
    plain = sparse(matrix)
    other = scipy_pair(plain, x, r)
    print(
        f"products   A·x {forth * 1e3:6.1f} ms, Aᵀ·r {back * 1e3:6.1f} ms: {len(matrix):,} positions × "
        f"{len(matrix.base)} terms, {CORES} cores"
    )
    print(
        f"           scipy CSR, rows split over the cores: {other * 1e3:.1f} ms; "
        f"{other / (forth + back):.2f} times as long (wanted: 2)"
    )
    read = matrix.bytes / entries
    print(
        f"           {read:.1f} bytes read for each non-zero (scipy: 12); the rows at {matrix.bytes / forth / 1e9:.1f} "
        f"and {matrix.bytes / back / 1e9:.1f} GB/s, the memory gives {speed / 1e9:.1f} GB/s"
    )


def one_slice(matrix: Compact, weights: np.ndarray) -> None:
    """Print what a fit takes: the values are those of hand-set weights, with noise of eight discs."""
    target = matrix.times(weights) + np.random.default_rng(2).normal(size=len(matrix)) * 800
    for tolerance in (1e-3, 1e-5):
        began = time.perf_counter()
        found = solve(matrix.with_threads(CORES), target, 100.0, tolerance=tolerance, max_iterations=1000)
        seconds = time.perf_counter() - began
        print(
            f"one slice  {len(matrix):,} positions, {matrix.unknowns:,} unknowns: {found.iterations} iterations, "
            f"{seconds:.1f} s until the residual is {tolerance:g} of the first, objective {found.objective:.6g}"
            f"{'' if found.converged else ' (not reached)'}"
        )
    print("           (wanted for 3,000,000 positions: 1e-05 in less than 60 s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=300_000, help="of the slice that is fitted to the end")
    wanted = parser.parse_args().positions
    game = find_game("othello")
    layout = Layout.of(game)
    base = term_bases(game, layout)
    assert base is not None

    def rows(count: int, seed: int) -> Compact:
        made = [build_compact(game, layout, positions(game, min(count - i, PRODUCT_ROWS), seed + i), base)
                for i in range(0, count, PRODUCT_ROWS)]  # fmt: skip
        return made[0].stacked(made[1:])

    words = positions(game, ROW_COUNT, 1)
    shares = np.array_split(words, CORES)
    build_compact(game, layout, words[:1], base)
    alone = best(lambda: build_compact(game, layout, words, base))
    with ThreadPoolExecutor(CORES) as pool:
        both = best(lambda: list(pool.map(lambda share: build_compact(game, layout, share, base), shares)))
    print(
        f"rows       {ROW_COUNT / alone / 1e6:.2f} million/s from bitboards on one core, {ROW_COUNT / both / 1e6:.2f} "
        f"on {CORES} (wanted: 2)"
    )
    one_slice(rows(wanted, 10), starting_weights(game).values[30].astype(np.float64))
    print(f"memory     {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB at most until here")
    products(rows(PRODUCT_ROWS, 20))


if __name__ == "__main__":
    main()
