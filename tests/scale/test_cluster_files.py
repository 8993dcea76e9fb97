"""The examples of clusters are files that their programs can read, and agree with each other."""

from __future__ import annotations

import os
import signal
import subprocess
import time
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


def program(path: Path, text: str) -> None:
    path.write_text("#!/bin/bash\n" + text)
    path.chmod(0o755)


def test_the_slurm_script_starts_a_cluster_and_hands_an_interrupt_on(tmp_path: Path) -> None:
    """Slurm, Ray and Evalsmith are stand-ins that write down what they were asked for."""
    said, binaries = tmp_path / "said", tmp_path / "bin"
    binaries.mkdir()
    program(binaries / "scontrol", 'echo "$3" | tr , "\\n"\n')
    program(
        binaries / "srun",
        f'echo "srun $*" >> {said}\ncase "$*" in *hostname*) echo "10.0.0.1 10.0.0.9";; *) exec sleep 600;; esac\n',
    )
    program(binaries / "ray", f'echo "ray $*" >> {said}\n')
    started = f'echo "evalsmith $* at $RAY_ADDRESS" >> {said}\ntrap "echo interrupted >> {said}; exit 130" INT\n'
    program(binaries / "evalsmith", started + "while true; do sleep 0.05; done\n")
    variables = {
        "PATH": f"{binaries}:{os.environ['PATH']}", "EVALSMITH_VENV": str(tmp_path), "SLURM_JOB_ID": "7",
        "SLURM_JOB_NODELIST": "n1,n2,n3", "SLURM_JOB_NUM_NODES": "3",
    }  # fmt: skip
    command = ["bash", FOLDER / "slurm.sh", "match", "chess"]
    with subprocess.Popen(
        command, env=variables, process_group=0, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as job:
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until and "evalsmith" not in (said.read_text() if said.exists() else ""):
                time.sleep(0.05)
            job.send_signal(signal.SIGINT)
            assert job.wait(60) == 130
        finally:
            os.killpg(job.pid, signal.SIGKILL)
    lines = said.read_text().splitlines()
    assert "evalsmith match chess --on ray at 10.0.0.1:20007" in lines and lines[-1] == "interrupted"
    starts = [line for line in lines if "ray start" in line]
    assert len(starts) == 2 and "--nodelist=n1" in starts[0] and "--exclude=n1" in starts[1]
    assert "--nodes=2 --ntasks=2" in starts[1] and "--address=10.0.0.1:20007" in starts[1]


CONTAINER = {"name", "image", "ports", "resources"}
CLUSTER = {"rayVersion", "headGroupSpec", "workerGroupSpecs"}
GROUP = {"groupName", "replicas", "minReplicas", "maxReplicas", "rayStartParams", "template"}


def test_the_manifest_has_only_fields_that_a_ray_cluster_has() -> None:
    """As the reference of ``ray.io/v1`` lists them: an unknown one is refused by the operator's schema, or dropped."""
    specification = read("kubernetes.yaml")["spec"]
    assert specification.keys() <= CLUSTER
    head, workers = specification["headGroupSpec"], specification["workerGroupSpecs"]
    assert head.keys() <= {"rayStartParams", "template"} and all(group.keys() <= GROUP for group in workers)
    for group in (head, *workers):
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        assert group["template"].keys() == {"spec"} and group["template"]["spec"].keys() == {"containers"}
        for container in group["template"]["spec"]["containers"]:
            assert container.keys() <= CONTAINER
    assert all(group["minReplicas"] <= group["replicas"] <= group["maxReplicas"] for group in workers)
