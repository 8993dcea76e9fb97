"""docs/add-a-game.md is true: its files make a game that keeps the contract, and its commands run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from evalsmith.games import Game
from evalsmith.games.contract import SIGNATURES

PAGE = (Path(__file__).parent.parent / "docs" / "add-a-game.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))
CHECK = re.search(
    r"```python\n(from breakthrough import GAME\nfrom evalsmith.games.conformance.*?)```", PAGE, re.DOTALL
)
COMMANDS = re.findall(r"^\$ (evalsmith .*)$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The folder of the page, and what installing it would add."""
    root = tmp_path_factory.mktemp("own")
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    entries = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]["evalsmith.games"]
    info = root / "src" / "breakthrough-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: breakthrough\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[evalsmith.games]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()))
    return root


START = {(column, row): "w" if row < 2 else "b" for column in range(6) for row in (0, 1, 4, 5)}


def leaves(board: dict[tuple[int, int], str], side: str, depth: int) -> int:
    """The number of move sequences, as simple as can be."""
    if any(pawn == ("w" if row == 5 else "b") for (_, row), pawn in board.items() if row in (0, 5)):
        return 0
    if depth == 0:
        return 1
    count = 0
    for (column, row), pawn in board.items():
        for step in (-1, 0, 1) if pawn == side else ():
            to = column + step, row + (1 if side == "w" else -1)
            if 0 <= to[0] < 6 and board.get(to) != side and (step or to not in board):
                rest = {place: one for place, one in board.items() if place != (column, row)}
                count += leaves({**rest, to: side}, "b" if side == "w" else "w", depth - 1)
    return count


def run(folder: Path, *words: str, **environment: str) -> str:
    path = {"PYTHONPATH": str(folder / "src"), "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder, env=os.environ | path | environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("compiled", ["0", "1"])
def test_the_game_of_the_page_keeps_the_contract(folder, compiled):
    assert CHECK is not None
    script = CHECK[1] if compiled == "1" else CHECK[1].replace("positions=[", "seed=2, positions=[")
    assert run(folder, "-c", script, EVALSMITH_COMPILE=compiled).startswith("breakthrough keeps the contract")


def test_the_commands_of_the_page_run(folder):
    assert len(COMMANDS) >= 7
    for command in COMMANDS:
        words = shlex.split(re.sub(r"--games \d+", "--games 40", command))
        out = run(folder, "-m", *words)
        if "perft" in words:
            assert f"perft 4: {leaves(START, 'w', 4):,} nodes" in out
    assert (folder / "tuned.json").exists()
    assert (folder / "proof.games").read_text().count('[Game "breakthrough"]') == 40
    assert (folder / "played" / "dataset.json").exists()


def test_the_engine_speaks_uci(folder):
    done = subprocess.run(
        [sys.executable, "-m", "evalsmith", "engine", "breakthrough"],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(folder / "src")}, text=True, capture_output=True, timeout=300,
        input="uci\nposition startpos moves b2b3\ngo nodes 100\nquit\n", check=False,
    )  # fmt: skip
    assert re.search(r"^bestmove [a-f][1-6][a-f][1-6]", done.stdout, re.MULTILINE), done.stdout + done.stderr


def test_every_field_and_every_function_is_explained():
    names = set(re.findall(r"`(\w+)", "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))))
    assert {field.name for field in fields(Game)} <= names
    assert set(SIGNATURES) <= names


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("rules.py", "def broken(:", r"rules\.py, line 1: invalid syntax"),
        ("rules.py", "import nowhere", r"rules\.py, line 1: ModuleNotFoundError: No module named 'nowhere'"),
        ("notation.py", "unknown_name", r"notation\.py, line 1: NameError: name 'unknown_name' is not defined"),
        ("__init__.py", "1 / 0", r"__init__\.py, line 1: ZeroDivisionError"),
    ],
)
def test_a_game_that_cannot_be_imported_is_one_line(folder, tmp_path, file, line, message):
    shutil.copytree(folder / "src", tmp_path / "src")
    source = tmp_path / "src" / "breakthrough" / file
    source.write_text(f"{line}\n{source.read_text()}")
    done = subprocess.run(
        [sys.executable, "-m", "evalsmith", "show", "breakthrough"],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src"), "EVALSMITH_COMPILE": "0"}, text=True,
        capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert re.search(message, done.stderr) and len(done.stderr.splitlines()) == 1, done.stderr
