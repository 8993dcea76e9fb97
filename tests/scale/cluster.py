"""A Ray cluster of several nodes on this machine, for tests: real processes, which can be killed."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

QUICK = {
    "health_check_initial_delay_ms": 2000,
    "health_check_period_ms": 1000,
    "health_check_failure_threshold": 5,
}
TESTS = str(Path(__file__).parents[1])


@contextlib.contextmanager
def cluster(nodes: int, cpus: int = 1) -> Iterator[Any]:
    """A cluster whose head does no work, and ``nodes`` others; RAY_ADDRESS leads to it."""
    from ray.cluster_utils import Cluster

    before = dict(os.environ)
    os.environ["PYTHONPATH"] = TESTS + os.pathsep + os.environ.get("PYTHONPATH", "")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    head = {"num_cpus": 0, "_system_config": QUICK, "ray_client_server_port": port}
    found = Cluster(initialize_head=True, head_node_args=head)
    found.client_address = f"ray://127.0.0.1:{port}"
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
