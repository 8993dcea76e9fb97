"""The examples of clusters are files that their programs can read, and agree with each other."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "cluster"
yaml = pytest.importorskip("yaml", reason="PyYAML comes with Ray: pip install 'evalsmith[ray]'")


def read(name: str) -> dict[str, Any]:
    found = yaml.safe_load((FOLDER / name).read_text())
    assert isinstance(found, dict)
    return found


def test_the_cluster_file_is_one_that_ray_accepts() -> None:
    util = pytest.importorskip("ray.autoscaler._private.util", reason="Ray is not installed")
    config = read("ray-cluster.yaml")
    util.validate_config(util.prepare_config(read("ray-cluster.yaml")))
    assert config["provider"]["type"] == "local"
    assert config["max_workers"] == len(config["provider"]["worker_ips"])
    assert any("--ray-client-server-port=10001" in line for line in config["head_start_ray_commands"])


def test_the_manifest_describes_a_ray_cluster() -> None:
    manifest = read("kubernetes.yaml")
    assert (manifest["apiVersion"], manifest["kind"]) == ("ray.io/v1", "RayCluster")
    groups = [manifest["spec"]["headGroupSpec"], *manifest["spec"]["workerGroupSpecs"]]
    containers = [group["template"]["spec"]["containers"][0] for group in groups]
    assert len({container["image"] for container in containers}) == 1
    assert all(one["resources"]["requests"] == one["resources"]["limits"] for one in containers)


def test_the_slurm_script_is_a_shell_script() -> None:
    done = subprocess.run(["bash", "-n", FOLDER / "slurm.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "#SBATCH --exclusive" in (FOLDER / "slurm.sh").read_text()
