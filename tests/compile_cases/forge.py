"""Fresh processes that import compiled code, cheaply: one server imports numba once and forks a child for each job.

A job names a folder for the module path, a module, a cache folder, and what to evaluate once the module is imported.
Jobs sent together are held at a gate and let go at the same moment. A child reports its value, the names of the
functions that it compiled and how it ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 1200  # seconds; on a busy machine with an empty cache all kernels of the package take minutes


@dataclass(frozen=True)
class Outcome:
    """What a child came to."""

    value: Any
    compiled: list[str]
    error: str
    signal: int


class Forge:
    """The client: ``run`` one job, or ``race`` several."""

    def __init__(self) -> None:
        surroundings = os.environ | {"EVALSMITH_COMPILE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        # A lock of numba's that another thread held would stay locked in a child: only this thread may be there.
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=surroundings
        )

    def race(self, *jobs: dict[str, Any]) -> list[Outcome]:
        """Run the jobs at the same moment."""
        self._server.stdin.write(json.dumps(jobs) + "\n")
        self._server.stdin.flush()
        return [Outcome(**entry) for entry in json.loads(self._server.stdout.readline())]

    def run(self, path: Path, module: str, cache: Path, give: str = "None", **more: Any) -> Outcome:
        """Import ``module`` from ``path`` and evaluate ``give``, which knows the module as ``m``."""
        [outcome] = self.race(job(path, module, cache, give, **more))
        return outcome

    def close(self) -> None:
        self._server.stdin.close()
        self._server.stdout.close()
        self._server.wait(PATIENCE)


def job(path: Path, module: str, cache: Path, give: str = "None", **more: Any) -> dict[str, Any]:
    """A job as the server reads it.

    ``die_at_name`` kills the child before it compiles its n-th function, ``die_at_file`` before or
    ``die_after_file`` after it puts its n-th file into the cache.
    """
    environment = {"EVALSMITH_CACHE_DIR": str(cache)}
    return {"path": str(path), "module": module, "give": give, "environment": environment} | more


# ── The server ──────────────────────────────────────────────────────────────────────────────────


def _serve() -> None:
    import numba

    import evalsmith.compile.build  # noqa: F401

    numba.njit("int64(int64)")(_nothing)  # what numba loads for its first function, every child then has

    for line in sys.stdin:
        outcomes = _race(json.loads(line))
        print(json.dumps(outcomes), flush=True)


def _nothing(x: int) -> int:
    return x


def _race(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    gate_out, gate_in = os.pipe()
    children = []
    for task in jobs:
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(gate_in)
            os.close(out)
            signal.alarm(PATIENCE)
            os.read(gate_out, 1)  # returns when the last process closes the gate's other end
            _work(task, into)
        os.close(into)
        children.append((child, out))
    os.close(gate_in)
    os.close(gate_out)
    outcomes = []
    for child, out in children:
        with open(out, "rb") as pipe:
            text = pipe.read()
        _, status = os.waitpid(child, 0)
        entry = json.loads(text) if text else {"value": None, "compiled": [], "error": ""}
        outcomes.append(entry | {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0})
    return outcomes


def _work(task: dict[str, Any], into: int) -> None:
    entry: dict[str, Any] = {"value": None, "compiled": [], "error": ""}
    try:
        entry["value"], entry["compiled"] = _import(task)
    except BaseException as error:
        entry["error"] = f"{type(error).__name__}: {error}"
    os.write(into, json.dumps(entry).encode())
    os._exit(0)


def _import(task: dict[str, Any]) -> tuple[Any, list[str]]:
    import importlib
    import tempfile

    from evalsmith import compile as kernels
    from evalsmith.compile import cache

    for name, value in task["environment"].items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    tempfile.tempdir = None
    compiled: list[str] = []

    def listen(name: str) -> None:
        compiled.append(name)
        if len(compiled) == task.get("die_at_name"):
            os.kill(os.getpid(), signal.SIGKILL)

    kernels.listen(listen)
    _mine_files(task)
    sys.path.insert(0, task["path"])
    module = importlib.import_module(task["module"])
    return eval(task["give"], {"m": module, "kernels": kernels, "cache": cache}), compiled


def _mine_files(task: dict[str, Any]) -> None:
    """Die around the n-th renaming, which is how a file gets into its place."""
    replace, count = os.replace, 0

    def counted(*names: Any, **options: Any) -> None:
        nonlocal count
        count += 1
        if count == task.get("die_at_file"):
            os.kill(os.getpid(), signal.SIGKILL)
        replace(*names, **options)
        if count == task.get("die_after_file"):
            os.kill(os.getpid(), signal.SIGKILL)

    os.replace = counted


if __name__ == "__main__":
    _serve()
