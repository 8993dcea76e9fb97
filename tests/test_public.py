"""``import evalsmith``: the public names, what importing it costs, and the page that walks through it."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import evalsmith

PAGE = Path(__file__).parent.parent / "docs" / "python.md"
PGN = '[White "Ada"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 f6 2. d4 g5 3. Qh5# 1-0\n'


def test_names_are_sorted_and_all_there():
    assert list(evalsmith.__all__) == sorted(evalsmith.__all__)
    assert 20 <= len(evalsmith.__all__) <= 55
    assert set(evalsmith.__all__) <= set(dir(evalsmith))
    with pytest.raises(AttributeError, match="no attribute 'serach'"):
        evalsmith.serach  # noqa: B018


@pytest.mark.parametrize("name", evalsmith.__all__)
def test_a_name_is_what_it_says_and_has_a_docstring(name):
    value = getattr(evalsmith, name)
    assert value.__name__ == name
    assert inspect.getdoc(value)


@pytest.mark.parametrize("name", evalsmith.__all__)
def test_no_room_is_called_like_a_name(name):
    """A room that is imported would take the place of the name."""
    assert not (Path(evalsmith.__file__).parent / name).exists()


@pytest.mark.parametrize(
    "name", ["Board", "search", "explain", "read_games", "import_games", "generate", "tune", "match", "tournament"]
)
def test_the_main_names_show_an_example(name):
    text = inspect.getdoc(getattr(evalsmith, name)) or ""
    assert f"{name}(" in text, f"the docstring of {name} shows no call"


def test_importing_loads_nothing_else():
    code = (
        "import sys, evalsmith; print([n for n in ('numpy', 'numba', 'pyarrow', 'rich', 'scipy') if n in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_the_page_is_true(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(PGN, encoding="utf-8")
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 15
    assert result.failed == 0
