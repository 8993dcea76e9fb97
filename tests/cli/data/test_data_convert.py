"""``evalsmith data convert`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from evalsmith.cli.data.convert import convert
from evalsmith.run import InputError

GAME = "f5d6c3d3c4f4f6f3e6e7\n"


def run(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    app.command()(convert)
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


def test_json(tmp_path: Path) -> None:
    source = tmp_path / "a.transcript"
    source.write_text(GAME + "f5f5\n")
    code, output = run(str(source), str(tmp_path / "b.ggf"), "--json")
    document = json.loads(output[output.index("{") :])
    assert code == 0
    assert document["from"] == "transcript"
    assert (document["to"], document["read"], document["written"]) == ("ggf", 1, 1)
    assert document["broken"] == {"illegal move": 1}
    assert (tmp_path / "b.ggf").read_text().startswith("(;GM[Othello]")


def test_the_table(tmp_path: Path) -> None:
    source = tmp_path / "games.txt"
    source.write_text(GAME)
    code, output = run(str(source), str(tmp_path / "out"), "--from", "transcript", "--to", "ggf")
    assert code == 0
    assert "transcript to ggf" in output
    assert "written" in output
    with pytest.raises(InputError, match="does not imply a format"):
        run(str(source), str(tmp_path / "out"))
