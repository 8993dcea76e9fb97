"""A kernel that cannot be compiled is explained in one paragraph: its place, what is wrong, what to write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalsmith.compile import KERNELS, Context, Kernel, helper
from evalsmith.games import contract
from evalsmith.run.errors import KernelError

SOURCE = Path(__file__).parents[1] / "compile_cases" / "refused.py"
LINES = SOURCE.read_text(encoding="utf-8").splitlines()
MARK = re.compile(r"# .*?HERE (.*)")


def entries() -> dict[str, Kernel]:
    from compile_cases import refused

    return {entry.function.__name__: entry for entry in KERNELS if entry.function.__module__ == refused.__name__}


def marked() -> dict[str, tuple[int, list[str]]]:
    """The line of each function's mark, and what the error must say."""
    found, name = {}, ""
    waiting: tuple[int, list[str]] | None = None
    for number, line in enumerate(LINES, 1):
        if begin := re.match(r"def (\w+)", line):
            name = begin[1]
            if waiting is not None:
                found[name], waiting = waiting, None
        if mark := MARK.search(line):
            here = number, mark[1].split("; ")
            if line.startswith("@"):
                waiting = here
            else:
                found[name] = here
    return found


MARKED = marked()


@pytest.mark.parametrize("name", MARKED)
def test_a_mistake_is_explained_with_its_place(name: str) -> None:
    line, sayings = MARKED[name]
    with pytest.raises(KernelError) as caught:
        entries()[name].load()
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 600
    assert re.search(rf"refused\.py, line {line}, in {name}: ", text), text
    for saying in sayings:
        assert saying in text, text


def test_a_mistake_in_a_helper_names_the_helper() -> None:
    with pytest.raises(KernelError, match=r"in broken_helper: .*did you mean position\?"):
        entries()["caller_of_it"].load()


def test_what_is_not_recognised_is_one_sentence_of_numba() -> None:
    from evalsmith.compile.explaining import explained

    entry = entries()["two"]
    error = explained(entry, RuntimeError("Failed in nopython mode\nno such thing, ever\nDuring: Pass 7\n" * 999))
    assert str(error).endswith("numba says: no such thing, ever; EVALSMITH_COMPILE=0 runs it as plain Python, where a "
                               "debugger can follow it")  # fmt: skip


def test_a_function_of_the_contract_with_other_arguments_is_refused_when_it_is_defined() -> None:
    def moves(position: object) -> int:
        return 0

    with pytest.raises(KernelError, match=r"in moves: write def moves\(position, out\), not def moves\(position\)"):
        contract.contract(moves)


def test_a_function_that_is_not_compiled_never_becomes_an_address() -> None:
    def status(position: object) -> int:
        return 2

    context = Context(contract.CONTEXT_SIZE)
    with pytest.raises(KernelError, match=r"test_explaining\.py, line \d+, in status: .*@contract"):
        contract.bind(context, {"status": status})


def test_a_helper_in_the_place_of_a_function_of_the_contract_is_refused() -> None:
    @helper("int64(words)")
    def status(position: object) -> int:
        return 2

    context = Context(contract.CONTEXT_SIZE)
    with pytest.raises(KernelError, match="decorate it with @contract, not with @helper"):
        contract.bind(context, {"status": status})
