"""The verb doctor: what it warms is everything that has kernels."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import evalsmith
from evalsmith.cli.doctor import import_everything

PACKAGE = Path(evalsmith.__file__).parent
_DECORATED = re.compile(r"^@(?:driver|kernel|helper)\(", re.MULTILINE)


def test_warming_registers_the_kernels_of_every_module() -> None:
    files = [path for path in PACKAGE.rglob("*.py") if _DECORATED.search(path.read_text(encoding="utf-8"))]
    names = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in files}
    assert len(names) > 100
    import_everything()
    assert not names - sys.modules.keys()


def test_warming_does_without_optional_packages() -> None:
    without = "import sys; sys.modules.update(torch=None, onnxruntime=None, safetensors=None, ray=None)"
    script = f"{without}; from evalsmith.cli.doctor import import_everything; import_everything()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


def test_doctor_warms_from_the_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evalsmith", "doctor", "--warm", "--json"],
        env={**os.environ, "EVALSMITH_COMPILE": "0"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["warmed"]["functions"] == 0  # plain Python compiles nothing
