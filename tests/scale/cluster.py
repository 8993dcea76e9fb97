"""A Ray cluster of several nodes on this machine, for tests: real processes, which can be killed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

QUICK = {
    "health_check_initial_delay_ms": 500,
    "health_check_period_ms": 300,
    "health_check_failure_threshold": 3,
}
CLIENT_PORT = 25_011
TESTS = str(Path(__file__).parents[1])


@contextlib.contextmanager
def cluster(nodes: int, cpus: int = 1) -> Iterator[Any]:
    """A cluster whose head does no work, and ``nodes`` others; RAY_ADDRESS leads to it."""
    from ray.cluster_utils import Cluster

    before = dict(os.environ)
    os.environ["PYTHONPATH"] = TESTS + os.pathsep + os.environ.get("PYTHONPATH", "")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    found = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "_system_config": QUICK, "ray_client_server_port": CLIENT_PORT},
    )
    try:
        for _ in range(nodes):
            found.add_node(num_cpus=cpus)
        found.wait_for_nodes()
        os.environ["RAY_ADDRESS"] = found.address
        yield found
    finally:
        os.environ.clear()
        os.environ.update(before)
        import ray

        if ray.is_initialized():
            ray.shutdown()
        found.shutdown()
