"""Fitting: matrix products beside scipy.sparse and the memory's bandwidth, rows a second, and one slice to the end.

Positions are of random play: they differ more than those of games, which is harder on the cache. ``--positions`` sets
the size of the slice that is fitted; ``--wthor FOLDER`` also times ``evalsmith tune`` on files of games.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import scipy.sparse

from evalsmith.fit.squares.cg import solve
from evalsmith.fit.squares.compact import Compact
from evalsmith.fit.squares.compacting import build_compact, term_bases
from evalsmith.games import Game, find_game
from evalsmith.scale import cores
from evalsmith.weights import Layout, starting_weights

ROUNDS = 7
PRODUCT_ROWS = 1_000_000
SLICE_ROWS = 3_000_000
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


def best(*works: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """The fewest seconds of some rounds of each; rounds take turns, so that a busy machine disturbs all alike."""
    found = [float("inf")] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            began = time.perf_counter()
            work()
            found[number] = min(found[number], time.perf_counter() - began)
    return found


def sparse(matrix: Compact) -> scipy.sparse.csr_matrix:
    """The same rows as scipy has them, every term an entry: 4 bytes an index, 8 a factor."""
    entries = matrix.entries
    named = np.concatenate(matrix.parts).astype(np.int64) + entries.base
    lengths = np.diff(entries.start)[named]
    flat = np.repeat(entries.start[:-1][named].reshape(-1), lengths.reshape(-1))
    begins = np.concatenate([[0], np.cumsum(lengths.reshape(-1))])
    flat += np.arange(begins[-1]) - np.repeat(begins[:-1], lengths.reshape(-1))
    start = np.concatenate([[0], np.cumsum(lengths.sum(axis=1))]).astype(np.int32)
    return scipy.sparse.csr_matrix(
        (np.ones(len(flat)), entries.index[flat], start), (len(matrix), matrix.unknowns)
    )  # fmt: skip


def products(matrix: Compact) -> None:
    """Print the speed of a pair of products, of scipy's, and of reading memory, in turns."""
    source = np.random.default_rng(1)
    x, r = source.normal(size=matrix.unknowns), source.normal(size=len(matrix))
    plain, threaded = sparse(matrix), matrix.with_threads(CORES)
    cuts = np.linspace(0, plain.shape[0], CORES + 1).astype(int)
    parts, rests = [plain[a:b] for a, b in pairwise(cuts)], [r[a:b] for a, b in pairwise(cuts)]
    shares = np.array_split(np.ones(32 << 20, dtype=np.float64), CORES)
    assert np.allclose(plain @ x, threaded.times(x)) and np.allclose(plain.T @ r, threaded.transposed_times(r))
    with ThreadPoolExecutor(CORES) as pool:
        forth, back, normal, other_forth, other_back, reading = best(
            lambda: threaded.times(x),
            lambda: threaded.transposed_times(r),
            lambda: threaded.normal_times(x),
            lambda: np.concatenate(list(pool.map(lambda part: part @ x, parts))),
            lambda: sum(pool.map(lambda part, rest: part.T @ rest, parts, rests)),
            lambda: list(pool.map(np.add.reduce, shares)),
        )
    terms = plain.nnz // len(matrix)
    print(
        f"products   A·x {forth * 1e3:.1f} ms, Aᵀ·r {back * 1e3:.1f} ms, AᵀA·x in one pass {normal * 1e3:.1f} ms: "
        f"{len(matrix):,} positions × {terms} terms, {CORES} cores"
    )
    other = other_forth + other_back
    print(
        f"           scipy CSR, rows split over the cores: {other_forth * 1e3:.1f} and {other_back * 1e3:.1f} ms; "
        f"{other / (forth + back):.2f} times as long (wanted: 2)"
    )
    read, speed = matrix.bytes / plain.nnz, 8 * sum(len(share) for share in shares) / reading
    print(
        f"           {matrix.parts[0].shape[1]} entries a row, {read:.2f} bytes read for each non-zero (scipy: 12); "
        f"rows at {matrix.bytes / forth / 1e9:.1f} and {matrix.bytes / back / 1e9:.1f} GB/s, the memory gives "
        f"{speed / 1e9:.1f} GB/s"
    )


def one_slice(matrix: Compact, weights: np.ndarray) -> None:
    """Print what a fit takes: the values are those of hand-set weights, with noise of eight discs."""
    target = matrix.times(weights) + np.random.default_rng(2).normal(size=len(matrix)) * 800
    began = time.perf_counter()
    found = solve(matrix.with_threads(CORES), target, 100.0, tolerance=1e-5, max_iterations=1000)
    seconds = time.perf_counter() - began
    print(
        f"one slice  {len(matrix):,} positions, {matrix.unknowns:,} unknowns: {found.iterations} iterations, "
        f"{seconds:.1f} s until three steps improve the objective by less than 1e-05 of it"
        f"{'' if found.converged else ' (not reached)'} (wanted for 3,000,000: less than 60 s)"
    )
    print(f"           objective {found.objective:.7g}, residual {found.residual:.1e} of the first")


def all_games(folder: Path) -> None:
    """Print how long the whole command takes from files of games to a full set of slices."""
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        command = [sys.executable, "-m", "evalsmith", "tune", str(folder), "-o", str(Path(place) / "weights.json")]
        subprocess.run([*command, "--json"], check=True, stdout=subprocess.DEVNULL)
        print(f"all games  {time.perf_counter() - began:.0f} s from {folder} to all slices (wanted for WTHOR: 300 s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=SLICE_ROWS, help="of the slice that is fitted to the end")
    parser.add_argument("--wthor", type=Path, help="a folder of games for the whole command")
    given = parser.parse_args()
    game = find_game("othello")
    layout = Layout.of(game)
    base = term_bases(game, layout)
    assert base is not None

    def words(count: int, seed: int) -> np.ndarray:
        made = [positions(game, min(count - i, PRODUCT_ROWS), seed + i) for i in range(0, count, PRODUCT_ROWS)]
        return np.concatenate(made)

    def rows(given: np.ndarray, threads: int) -> Compact:
        made = build_compact(game, layout, [given], base, threads=threads)
        assert made is not None
        return made[0]

    some = words(PRODUCT_ROWS, 1)
    rows(some[:1], 1)
    alone, both = best(lambda: rows(some, 1), lambda: rows(some, CORES), rounds=3)
    print(
        f"rows       {len(some) / alone / 1e6:.2f} million/s from bitboards on one core, {len(some) / both / 1e6:.2f} "
        f"on {CORES} (wanted: 2)"
    )
    one_slice(rows(words(given.positions, 10), CORES), starting_weights(game).values[30].astype(np.float64))
    print(
        f"memory     {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB at most until here (wanted: 2)"
    )
    products(rows(some, CORES))
    if given.wthor:
        all_games(given.wthor)


if __name__ == "__main__":
    main()
