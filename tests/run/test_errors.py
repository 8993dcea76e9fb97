"""The errors form the tree that their module draws."""

from __future__ import annotations

import inspect
import re

import pytest

from evalsmith import run
from evalsmith.run import errors

CLASSES = {name: value for name, value in vars(errors).items() if inspect.isclass(value)}


def drawn_tree() -> dict[str, str | None]:
    """The parent of each class in the drawing."""
    parents: dict[str, str | None] = {}
    above: dict[int, str] = {}
    for line in errors.__doc__.splitlines():
        if found := re.match(r"([│├└─ ]*)([A-Z]\w+) {2,}\S", line):
            depth = len(found[1]) // 4
            above[depth] = found[2]
            parents[found[2]] = above[depth - 1] if depth else None
    return parents


def test_the_drawing_is_true() -> None:
    tree = drawn_tree()
    assert set(tree) == set(CLASSES) == set(errors.__all__)
    for name, parent in tree.items():
        assert CLASSES[name].__bases__[0] is (CLASSES[parent] if parent else CLASSES[name].__bases__[0])


@pytest.mark.parametrize("name", sorted(set(CLASSES) - {"Interrupted"}))
def test_every_error_is_caught_by_the_root(name: str) -> None:
    with pytest.raises(errors.EvalsmithError, match="why"):
        raise CLASSES[name]("why")
    assert issubclass(CLASSES[name], ValueError) == issubclass(CLASSES[name], errors.InputError)


def test_an_interrupt_is_taken_by_no_handler_of_errors() -> None:
    interrupt = errors.Interrupted("12 games")
    assert isinstance(interrupt, BaseException)
    assert not isinstance(interrupt, Exception | KeyboardInterrupt)
    assert (interrupt.saved, str(interrupt)) == ("12 games", "12 games")


def test_all_of_run_is_public_by_its_list() -> None:
    public = {name for name, value in vars(run).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert set(run.__all__) == public
    assert set(errors.__all__) <= public
