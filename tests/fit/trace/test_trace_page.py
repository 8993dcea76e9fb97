"""What docs/tuning-your-engine.md shows is true: its trace, its division, its Python, its marked source."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

from evalsmith.fit.trace import check_trace, read_trace
from evalsmith.fit.trace.chunk import divided
from evalsmith.weights import read_outside_weights
from evalsmith.weights.patching import patch_text

PAGE = (Path(__file__).parents[3] / "docs" / "tuning-your-engine.md").read_text(encoding="utf-8")


def block(begins: str) -> str:
    """The indented block of the page that begins so."""
    lines = PAGE.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("    " + begins))
    last = next(number for number in range(first, len(lines)) if lines[number] and not lines[number].startswith("    "))
    return textwrap.dedent("\n".join(lines[first:last])).strip() + "\n"


def test_the_trace(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_text(block("# evalsmith-trace 1"))
    trace = read_trace(path)
    assert check_trace(trace).compared == 2 and trace.recomputed[0] == -205
    assert "−217 + 12 = −205" in block("middle  = 1·82")


def test_the_divisions() -> None:
    rows = re.findall(r"^\| `(\w+)`[^|]*\| −([\d.]+) \|", PAGE, re.MULTILINE)
    assert [name for name, _ in rows] == ["truncate", "floor", "round", "none"]
    for name, value in rows:
        assert divided(np.array([-7 / 4]), name)[0] == -float(value)


def test_the_marked_source(tmp_path: Path) -> None:
    features = tmp_path / "features.csv"
    features.write_text(block("name,group,mg,eg,kind"))
    weights = read_outside_weights(features)
    source = block("// evalsmith: begin material")
    doubled = patch_text(source, Path("weights.h"), weights.with_values(2 * weights.values), partial=True)
    assert "{ S(164, 188), S(674, 562) };   // pawn, knight" in doubled.after
    assert patch_text(source, Path("weights.h"), weights, partial=True).same


def test_the_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trace.csv").write_text(block("# evalsmith-trace 1"))
    exec(block("from pathlib import Path"), {})
    assert read_outside_weights(tmp_path / "weights.csv").size == 4
