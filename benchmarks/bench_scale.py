"""What a cluster costs: items, games and positions on Ray beside the same on threads of this machine.

python benchmarks/bench_scale.py [SIZE] [NODES…]

Everything runs on this machine: "nodes" are Ray's own processes for one, so they show what the machinery costs, and not
what more machines bring. Both kinds alternate. Where other things run on the machine, only what is done per second of
CPU means anything; the driver's part is in it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import evalsmith as es
from evalsmith.scale import How, Job, cores, run, run_on

ITEM_GOAL, RESULTS_GOAL, SHARE_GOAL = 2.0, 1000.0, 0.9
EMPTY = 3000


class Nothing:
    """Does nothing, or works for a while."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def do(self, item: int, report: Any) -> tuple[int, float]:
        began = time.thread_time()
        while time.thread_time() - began < self.seconds:
            pass
        return item, time.thread_time() - began

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def told(what: str, value: float, reached: bool, goal: str) -> None:
    print(f"  {what:58} {value:8.2f}   wanted {goal}: {'reached' if reached else 'MISSED'}", flush=True)


def cpu() -> float:
    """CPU seconds of this process, and of Ray's workers if there are any."""
    total = time.process_time()
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(b"ray::"):
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    return total


@contextmanager
def nodes(count: int, cpus: int) -> Iterator[None]:
    """A cluster of several nodes here, with a head that does no work."""
    import ray
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for _ in range(count):
            found.add_node(num_cpus=cpus)
        found.wait_for_nodes()
        os.environ["RAY_ADDRESS"] = found.address
        with run_on("ray"):
            yield
    finally:
        os.environ.pop("RAY_ADDRESS", None)
        if ray.is_initialized():
            ray.shutdown()
        found.shutdown()


def items(count: int, seconds: float = 0.0) -> tuple[float, float]:
    """Seconds and CPU seconds of the driver for some items, workers being there already."""
    job = Job("bench_scale:Nothing", (seconds,))
    list(run(job, range(4 * cores())))
    began, busy = time.perf_counter(), time.process_time()
    found = list(run(job, range(count), How(window=1024)))
    assert [item for item, _ in found] == list(range(count))
    return time.perf_counter() - began, time.process_time() - busy


def match(folder: Path, games: int) -> None:
    es.match("chess", "self;name=a", "self;name=b", games=games, nodes=4000, output=folder)


def selfplay(folder: Path, games: int) -> None:
    es.generate("othello", folder, games=games, nodes=200)


def alternate(work: Callable[[Path, int], None], count: int) -> dict[str, tuple[float, float]]:
    """Seconds and CPU seconds of local runs and of those on Ray, in turn, after one that loads everything."""
    spent = {"local": [0.0, 0.0], "ray": [0.0, 0.0]}
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(3):
            for kind, total in spent.items():
                began, busy = time.perf_counter(), cpu()
                with run_on("local") if kind == "local" else nullcontext():
                    work(Path(folder) / f"{kind}-{round_}", count)
                if round_:
                    total[0] += time.perf_counter() - began
                    total[1] += cpu() - busy
    return {kind: (seconds, busy) for kind, (seconds, busy) in spent.items()}


def main() -> None:
    """Print every number, and how it compares with its goal."""
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    counts = [int(text) for text in sys.argv[2:]] or [1, 2, 4]
    seconds, busy = items(EMPTY)
    print(f"threads here: {1000 * seconds / EMPTY:.3f} ms an empty item, {1000 * busy / EMPTY:.3f} ms of CPU")
    for count in counts:
        with nodes(count, max(1, cores() // count)):
            print(f"Ray, {count} node{'s' if count > 1 else ''} here, of {max(1, cores() // count)} workers each")
            seconds, busy = items(EMPTY)
            told("ms an empty item", 1000 * seconds / EMPTY, 1000 * seconds / EMPTY <= ITEM_GOAL, f"≤ {ITEM_GOAL}")
            told("results/s a driver takes (by its CPU time)", EMPTY / busy, EMPTY / busy >= RESULTS_GOAL, "≥ 1000")
            if count > 1:
                continue
            for name, work, size in (
                ("a match of our search", match, int(40 * scale)), ("self-play", selfplay, int(4000 * scale))
            ):  # fmt: skip
                found = alternate(work, size)
                share = found["local"][1] / found["ray"][1]
                told(f"{name}: work per CPU second, Ray of local", share, share >= SHARE_GOAL, f"≥ {SHARE_GOAL}")
                share = found["local"][0] / found["ray"][0]
                told(f"{name}: rate, Ray of local", share, share >= SHARE_GOAL, f"≥ {SHARE_GOAL} if nothing else runs")


if __name__ == "__main__":
    main()
