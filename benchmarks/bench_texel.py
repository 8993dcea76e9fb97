"""Texel's method: a pass beside a plain C++ tuner, scipy.sparse and reading the rows; passes of every method; memory.

``--data DATASET`` names a dataset of chess with results (see ``evalsmith data import``), ``--game`` another game of
two columns; without it, positions are of random play. Other work on the machine disturbs the clock, so processor time
is printed too; peers take turns with us.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse

from evalsmith.fit.joint.objective import Objective, Penalty, fit_k
from evalsmith.fit.joint.passes import LOGISTIC
from evalsmith.fit.joint.plain import Unfolder
from evalsmith.fit.joint.rows import Rows, build_rows
from evalsmith.fit.methods import MethodSettings, Step, minimise
from evalsmith.games import PLAYER, Game, find_game
from evalsmith.positions.samples import Replayer, Samples
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.scale import cores
from evalsmith.weights import Layout, starting_weights

HERE = Path(__file__).parent
ROUNDS = 5
CORES = cores()


def best(*works: Callable[[], object]) -> list[tuple[float, float]]:
    """The fewest seconds of each by the clock and by the processor; rounds take turns."""
    found = [(float("inf"), float("inf"))] * len(works)
    for _ in range(ROUNDS):
        for number, work in enumerate(works):
            wall, cpu = time.perf_counter(), time.process_time()
            work()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            found[number] = min(found[number][0], wall), min(found[number][1], cpu)
    return found


def positions(game: Game, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions of random games, with random results."""
    choose, replayer, parts, made = random.Random(1), Replayer(game), [], 0
    while made < count:
        position, moves = game.start(), []
        while game.status(position) == PLAYER and len(moves) < game.max_plies:
            moves.append(choose.choice(game.moves(position)))
            position = game.play_unchecked(position, moves[-1])
        parts.append(replayer.samples(len(parts), game.start(), moves, None))
        made += len(parts[-1])
    samples = Samples.join(parts, game.words)
    return samples.words, samples.phase, np.random.default_rng(1).integers(0, 3, len(samples)) / 2


def sparse(rows: Rows) -> scipy.sparse.csr_matrix:
    """The features of all rows, without blends."""
    index, value, lengths, unfolder = [], [], [], Unfolder(rows.size)
    for chunk in rows.chunks:
        names, amounts, start = unfolder.rows(chunk)
        index.append(names[: chunk.features].copy())
        value.append(amounts[: chunk.features].astype(np.float32))
        lengths.append(np.diff(start[: len(chunk) + 1]))
    start = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    return scipy.sparse.csr_matrix((np.concatenate(value), np.concatenate(index), start), (len(rows), rows.size))


def extraction(game: Game, layout: Layout, words: np.ndarray, phase: np.ndarray) -> Rows:
    """Print the speed of extraction and the memory it takes."""
    build_rows(game, layout, words[:10], phase[:10])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    wall, cpu = time.perf_counter(), time.process_time()
    rows = build_rows(game, layout, words, phase, threads=CORES)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    print(
        f"extraction: {len(rows):,} positions, {len(rows) / cpu:,.0f}/s a core, {len(rows) / wall:,.0f}/s by the clock"
    )
    print(
        f"rows: {rows.nonzeros / len(rows):.1f} non-zeros a position, {rows.nbytes / rows.nonzeros:.2f} bytes each, "
        f"{rows.nbytes / len(rows):.0f} bytes a position; memory grew by {grown / len(rows):.0f} bytes a position"
    )
    return rows


def passes(rows: Rows, layout: Layout, phase: np.ndarray, target: np.ndarray, x: np.ndarray, k: float) -> None:
    """Print the speed of a gradient pass beside peers."""
    blend = np.array(layout.blend)[phase]
    assert (blend[:, 0] == 0).all() and (blend[:, 1] == 1).all()
    share = blend[:, 2] / layout.scale
    plain = sparse(rows)
    turned = plain.T.tocsr()
    rate = k * np.log(10) / 400
    weight, curvature = np.ones(len(rows), np.float32), np.zeros(len(rows), np.float32)

    def ours(threads: int) -> tuple[float, np.ndarray]:
        return rows.fold(x, target, weight, curvature, LOGISTIC, rate, threads=threads)

    def scipys() -> tuple[float, np.ndarray]:
        both = plain @ x.reshape(2, -1).T
        p = 1 / (1 + np.exp(-rate * ((1 - share) * both[:, 0] + share * both[:, 1])))
        slope = -2 * (target - p) * p * (1 - p) * rate
        gradient = turned @ np.stack([slope * (1 - share), slope * share], axis=1)
        return float(((target - p) ** 2).sum()), gradient.T.reshape(-1)

    def reading() -> None:
        for chunk in rows.chunks:
            for array in chunk.arrays:
                raw = array.reshape(-1).view(np.uint8)
                raw[: len(raw) // 8 * 8].view(np.uint64).max(initial=0)

    loss, gradient = ours(1)
    for other in (ours(CORES), scipys()):
        assert np.isclose(other[0], loss) and np.allclose(other[1], gradient, atol=1e-6 * np.abs(gradient).max())
    one, many, theirs, read = best(lambda: ours(1), lambda: ours(CORES), scipys, reading)
    per = 1e9 / rows.nonzeros
    print(f"a pass: {one[1] * 1e3:.1f} ms of one core, {one[1] * per:.2f} ns a non-zero")
    print(f"by the clock, {CORES} threads: {1 / many[0]:.1f} passes/s")
    print(f"scipy.sparse: {theirs[1] * 1e3:.1f} ms, {theirs[1] / one[1]:.2f} × our time")
    print(
        f"reading our rows: {read[1] * 1e3:.1f} ms ({rows.nbytes / read[1] / 1e9:.1f} GB/s), "
        f"we take {one[1] / read[1]:.1f} ×"
    )
    eight = 8 * rows.nonzeros / rows.nbytes * read[1]
    print(
        f"reading them at 8 bytes a non-zero, as the C++ tuner's, would take {eight * 1e3:.1f} ms, "
        f"we take {one[1] / eight:.2f} ×"
    )
    with tempfile.TemporaryDirectory() as place:
        peer(Path(place), plain, share, target, x, k, one, many, (loss, gradient))


def peer(
    place: Path, plain: scipy.sparse.csr_matrix, share: np.ndarray, target: np.ndarray, x: np.ndarray, k: float,
    one: tuple[float, float], many: tuple[float, float], expected: tuple[float, np.ndarray],
) -> None:  # fmt: skip
    """Print the speed of the C++ tuner on the same rows."""
    program, file = place / "texel_tuner", place / "rows"
    source = HERE / "texel_tuner.cpp"
    subprocess.run(["g++", "-O3", "-march=native", "-pthread", "-o", program, source], check=True)
    entries = np.zeros(plain.nnz, dtype=[("index", np.int32), ("value", np.float32)])
    entries["index"], entries["value"] = plain.indices, plain.data
    with open(file, "wb") as out:
        for array in (
            np.array([plain.shape[0], plain.nnz, plain.shape[1]], dtype=np.int64), plain.indptr.astype(np.int64),
            entries, share.astype(np.float32), target.astype(np.float32), x,
        ):  # fmt: skip
            out.write(array.tobytes())
    for threads, (wall, cpu) in ((1, one), (CORES, many)):
        command = [program, file, str(threads), str(ROUNDS), repr(k)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        their_wall, their_cpu, loss, total = map(float, output.split())
        assert np.isclose(loss, expected[0] / plain.shape[0]), (loss, expected[0] / plain.shape[0])
        assert np.isclose(total, expected[1].sum() / plain.shape[0], rtol=1e-3, atol=1e-9)
        print(
            f"C++ tuner, {threads} thread{'s' if threads > 1 else ''}: {their_cpu * 1e3:.1f} ms of the processor, "
            f"{their_cpu / cpu:.2f} × our time; by the clock {their_wall / wall:.2f} ×"
        )


def methods(rows: Rows, target: np.ndarray, x: np.ndarray, k: float, names: list[str]) -> None:
    """Print how many passes each method takes to a millionth of the least value that any found."""
    for strength in (1000.0, 1.0, 0.001):
        penalty = Penalty(np.full(rows.unknowns, strength / 1e4), x)
        objective = Objective(rows, target, None, "logistic", k, penalty, threads=CORES)
        logs: dict[str, list[tuple[int, float, float]]] = {}
        for name in names:
            log, began = logs.setdefault(name, []), time.process_time()

            def note(step: Step, log: list[tuple[int, float, float]] = log, began: float = began) -> bool:
                log.append((step.passes, step.value, time.process_time() - began))
                return step.passes < 1500

            minimise(objective, x, MethodSettings(method=name, tolerance=1e-9, iterations=1500), on_step=note)
        least = min(value for log in logs.values() for _, value, _ in log)
        print(f"ridge {strength:g}·Σ((w − start)/100)²: least {least:.9f}")
        for name, log in logs.items():
            near = [(count, seconds) for count, value, seconds in log if value <= least * (1 + 1e-6)]
            reached = f"{near[0][0]} passes, {near[0][1]:.1f} s of processor" if near else "not reached"
            end = min(value for _, value, _ in log) / least - 1
            print(f"  {name}: to 1e-6 {reached}; ended after {log[-1][0]} passes, {end:.1e} above the least")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--game", default="chess")
    parser.add_argument("--positions", type=int, default=20_000, help="of random play")
    parser.add_argument("--methods", nargs="*", default=["newton", "lbfgs", "adam", "gradient_descent"])
    given = parser.parse_args()
    game = find_game(given.game)
    layout = Layout.of(game)
    x = starting_weights(game).values.reshape(-1).astype(np.float64)
    if given.data is None:
        words, phase, target = positions(game, given.positions)
    else:
        samples = load_dataset(given.data, game).read()
        samples = samples.take(np.abs(samples.result) <= game.win)
        words, phase, target = samples.words, samples.phase, (np.sign(samples.result) + 1) / 2
    rows = extraction(game, layout, words, phase)
    try:
        k = fit_k(rows.times(x, CORES), target)
    except ValueError:  # random results have none
        k = 1.0
    print(f"k = {k:.4f}")
    passes(rows, layout, phase, target, x, k)
    methods(rows, target, x, k, given.methods)


if __name__ == "__main__":
    main()
