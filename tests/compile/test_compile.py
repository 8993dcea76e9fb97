"""Compiled code: the operations in both modes, the cache between processes, and the types that numba infers."""

from __future__ import annotations

import functools
import gc
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evalsmith
from compile_cases import operations
from compile_cases.forge import Forge, Outcome, job
from evalsmith import compile as kernels
from evalsmith.compile.cache import STALE_DAYS
from evalsmith.games import contract

CASES = Path(__file__).parents[1] / "compile_cases"
RACE = ["race.kernels.first", "race.kernels.total"]  # the helpers become part of them
ANSWER = 1000 + 11 * 3
words = st.integers(0, 2**64 - 1)


@functools.cache
def plain_twin() -> ModuleType:
    """The package as it is with compilation switched off, beside the usual one."""
    usual = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith("evalsmith.compile")}
    try:
        with mock.patch.dict(os.environ, EVALSMITH_COMPILE="0"), np.errstate():
            return importlib.import_module("evalsmith.compile")
    finally:
        sys.modules.update(usual)
        evalsmith.compile = kernels


@functools.cache
def in_mode(mode: str) -> ModuleType:
    """The operations, compiled or as plain Python on checked rows."""
    if mode == "compiled":
        return operations
    spec = importlib.util.spec_from_file_location("plain_operations", operations.__file__)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {"evalsmith.compile": plain_twin()}):
        spec.loader.exec_module(module)
    return module


both = pytest.mark.parametrize("mode", ["compiled", "plain"])


@pytest.fixture(scope="module")
def forge() -> Iterator[Forge]:
    forge = Forge()
    yield forge
    forge.close()


# ── Operations ──────────────────────────────────────────────────────────────────────────────────


@both
@settings(derandomize=True, deadline=None, max_examples=300)
@given(x=words | st.integers(0, 63).map(lambda bit: 1 << bit))
@example(x=0)
@example(x=2**64 - 1)
def test_bit_operations(mode: str, x: int) -> None:
    out = np.zeros(3, dtype=np.int64)
    low = int(in_mode(mode).bits(np.uint64(x), out))
    set_bits = [bit for bit in range(64) if x >> bit & 1]
    assert low == (1 << set_bits[0] if set_bits else 0)
    assert out.tolist() == [len(set_bits), set_bits[0] if set_bits else 64, set_bits[-1] if set_bits else -1]


@both
def test_the_clock_is_the_monotonic_one(mode: str) -> None:
    before = time.monotonic_ns()
    now = in_mode(mode).moment()
    assert before <= now <= time.monotonic_ns()
    assert in_mode(mode).steps_back(20_000) == 0


@both
def test_what_is_fetched_in_advance_is_what_it_was(mode: str) -> None:
    row = np.arange(7, 20, dtype=np.uint64)
    assert in_mode(mode).fetched(row) == 7
    assert row.tolist() == list(range(7, 20))


@both
def test_a_kernel_sees_the_flag_that_another_thread_sets(mode: str) -> None:
    flags = np.zeros(2, dtype=np.int64)
    seen: list[int] = []
    # So many looks take half a minute and more; a load that is hoisted out of the loop ends at once, unseen.
    waiter = threading.Thread(target=lambda: seen.append(in_mode(mode).wait_for_flag(flags, 2**37)))
    waiter.start()
    while not flags[operations.BEGUN] and waiter.is_alive():
        time.sleep(0.001)
    flags[operations.FLAG] = 1
    waiter.join()
    assert seen == [1]


@both
def test_rows_that_begin_further_on(mode: str) -> None:
    array = np.arange(10, 20, dtype=np.uint64)
    assert in_mode(mode).further(array, 2, 3) == 14
    assert array[5] == 15 + 12
    assert in_mode(mode).further(array, 7, -6) == 10, "an offset may lead back"


@both
def test_eight_sums_at_once(mode: str) -> None:
    sums, row = np.arange(20, dtype=np.int32) * 10**8, np.arange(-10, 10, dtype=np.int16) * 3000
    expected = sums.astype(np.int64)
    expected[5:13] += -255 * row[5:13].astype(np.int64)
    in_mode(mode).lanes(sums, row, 5, -255)
    assert sums.tolist() == expected.tolist()


@both
def test_a_table_of_any_size_is_read_by_name(mode: str) -> None:
    assert in_mode(mode).square(99_999) == 99_999**2
    assert in_mode(mode).square(0) == 0


@pytest.mark.parametrize("module", [kernels, plain_twin()], ids=["compiled", "plain"])
def test_tables_cannot_be_changed_or_share_a_name(module: ModuleType) -> None:
    array = np.arange(4, dtype=np.int64)
    module.table("test_compile.same", array)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    with pytest.raises(ValueError, match=r"two tables are named test_compile\.same"):
        module.table("test_compile.same", np.arange(4, dtype=np.int64))


@both
def test_scratch_rows_hold_what_a_call_puts_there(mode: str) -> None:
    assert in_mode(mode).backwards(5) == 43210
    assert in_mode(mode).backwards(10) == 9876543210


@both
def test_addresses_of_a_context_are_called_and_read(mode: str) -> None:
    subject = in_mode(mode)
    context = subject.context()
    row = np.array([6, 7, 8], dtype=np.uint64)
    assert subject.through(context.row, subject.FIRST, row, 7) == 13
    assert subject.through(context.row, subject.SECOND, row, 7) == 42
    out = np.zeros(3, dtype=np.uint64)
    subject.copied(context.row, row, out)
    assert out.tolist() == [6, 7, 8]
    assert subject.attached(context.row, 3) == 3 + 30 + 300 - 3000 + 0.75
    assert [array[3] for array in context.arrays.values()] == [4, 31, 301, -2999, 1.75]
    assert subject.attached(context.row, 3) == 3 + 30 + 300 - 3000 + 0.75 + 5


@both
def test_a_context_keeps_its_arrays_and_knows_their_size(mode: str) -> None:
    subject = in_mode(mode)
    context = subject.context()
    assert context.bytes == 4 * (8 + 8 + 4 + 2 + 8)
    gc.collect()
    others = [np.full(4, 99, dtype=np.uint64) for _ in range(50)]
    assert subject.attached(context.row, 0) == 0, f"not of the {len(others)} arrays that came later"
    with pytest.raises(ValueError, match="contiguous"):
        context.attach(subject.WORDS, np.zeros((4, 4), dtype=np.uint64)[:, 1])


def test_plain_rows_outlive_another_context_that_shared_their_array() -> None:
    plain = plain_twin()
    array = np.arange(5, dtype=np.uint64)
    first, second = plain.Context(1), plain.Context(1)
    first.attach(0, array)
    second.attach(0, array)
    second.attach(0, array[:2])
    assert plain.words_at(first.row[0])[1] == 1
    second.attach(0, np.zeros(1, dtype=np.uint64))
    assert plain.words_at(first.row[0])[4] == 4
    place = int(first.row[0])
    del first, array
    second.attach(0, np.zeros(1, dtype=np.uint64))
    gc.collect()
    with pytest.raises(IndexError):
        plain.words_at(place)[4]


def test_functions_typed_at_a_prompt_are_compiled_without_a_cache() -> None:
    scope = {"driver": kernels.driver}
    source = '@driver("int64(int64)")\ndef typed(x):\n    return 2 * x\n'
    exec(compile(source, "<prompt>", "exec"), scope)
    assert scope["typed"](21) == 42


# ── Without compilation ─────────────────────────────────────────────────────────────────────────


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join([str(CASES.parent), *sys.path])} | environment
    return subprocess.run([sys.executable, *arguments], env=surroundings, capture_output=True, text=True, timeout=300)


def test_uncompiled_mode_checks_rows_and_wraps_without_a_word() -> None:
    done = python("-W", "error", "-m", "compile_cases.plain_mode", EVALSMITH_COMPILE="0")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert not document["compiled"]
    assert document["numba"] == []
    assert document["below"] == ["index -1 is outside a row of 4"] * 2
    assert document["beyond"] == ["index 4 is outside a row of 4"] * 2
    assert document["last"] == ["fine", "fine"]
    assert document["offset"] == ["index 4 is outside a row of 4"] * 2 + ["fine"] * 2
    assert document["wrapped"] == [0, 1, -(2**63), 2**64 - 2]
    assert document["attached"] == 3 + 30 + 300 - 3000 + 0.75
    assert document["words"] == [0, 1, 2, 4]


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a Python process imports."""
    done = python("-X", "importtime", *arguments, EVALSMITH_COMPILE="1")
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip() for line in lines}


EVERY_MODULE = """
import importlib, pkgutil, evalsmith
for module in pkgutil.walk_packages(evalsmith.__path__, "evalsmith."):
    if not module.name.startswith("evalsmith.compile.") and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def test_no_import_loads_the_compiler() -> None:
    loaded = loaded_by("-c", EVERY_MODULE)
    assert "evalsmith.engine.alphabeta.pvs" in loaded
    assert not {"numba", "llvmlite"} & loaded


def test_help_loads_no_kernels() -> None:
    loaded = loaded_by("-m", "evalsmith", "--help")
    assert "evalsmith" in loaded
    assert not {"numba", "llvmlite", "evalsmith.compile"} & loaded


def test_what_is_stored_runs_without_numba() -> None:
    command = ["-m", "evalsmith", "perft", "othello", "--depth", "2"]
    python(*command, EVALSMITH_COMPILE="1")
    loaded = loaded_by(*command)
    assert "llvmlite" in loaded
    assert "numba" not in loaded


# ── Calls from Python ───────────────────────────────────────────────────────────────────────────


def test_other_threads_run_while_a_driver_does() -> None:
    flags = np.zeros(2, dtype=np.int64)
    waiter = threading.Thread(target=lambda: operations.wait_for_flag(flags, 2**37))
    waiter.start()
    while not flags[operations.BEGUN]:
        time.sleep(0.001)
    assert waiter.is_alive()
    flags[operations.FLAG] = 1
    waiter.join()


def test_threads_that_use_a_kernel_first_at_once_compile_it_once(forge: Forge, tmp_path: Path) -> None:
    give = "__import__('multiprocessing.pool').pool.ThreadPool(8).map(lambda _: m.answer(), range(8))"
    outcome = forge.run(CASES, "race.kernels", tmp_path, give)
    assert (outcome.value, outcome.compiled) == ([ANSWER] * 8, RACE)


def test_a_kernel_that_allocates_memory_is_refused(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "allocating.py").write_text(
        "import numpy as np\nfrom evalsmith.compile import driver\n"
        '@driver("int64(int64)")\n'
        "def allocate(n):\n"
        "    return np.zeros(n, dtype=np.int64).sum()\n"
    )
    outcome = forge.run(tmp_path, "allocating", tmp_path / "cache", "m.allocate(3)")
    assert outcome.error.startswith("KernelError")
    assert "line 5, in allocate" in outcome.error
    assert "kernels allocate nothing" in outcome.error


# ── The cache ───────────────────────────────────────────────────────────────────────────────────


def test_processes_that_start_cold_at_once_compile_each_function_once(forge: Forge, tmp_path: Path) -> None:
    for attempt in range(8):
        task = job(CASES, "race.kernels", tmp_path / str(attempt), "m.answer()")
        outcomes = forge.race(*[task] * 4)
        assert [(outcome.value, outcome.error, outcome.signal) for outcome in outcomes] == [(ANSWER, "", 0)] * 4
        assert sorted(name for outcome in outcomes for name in outcome.compiled) == sorted(RACE)
        [late] = forge.race(task)
        assert (late.value, late.compiled) == (ANSWER, [])


def test_processes_of_their_own_share_the_work_too(tmp_path: Path) -> None:
    script = (
        "import sys, evalsmith.compile as kernels; kernels.listen(print)\n"
        "sys.stdin.readline(); import race.kernels as m; print(m.answer())"
    )
    surroundings = os.environ | {"EVALSMITH_COMPILE": "1", "EVALSMITH_CACHE_DIR": str(tmp_path)}
    surroundings["PYTHONPATH"] = os.pathsep.join([str(CASES), *sys.path])
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", script], env=surroundings, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    said = [line for racer in racers for line in racer.communicate("go\n", timeout=300)[0].splitlines()]
    assert sorted(said) == sorted(RACE + [str(ANSWER)] * 3)


KILLS = [{when: n} for when in ("die_at_name", "die_at_file", "die_after_file") for n in (1, 2)]


@pytest.mark.parametrize("kill", KILLS, ids=lambda kill: " ".join(f"{when} {n}" for when, n in kill.items()))
def test_a_killed_process_leaves_a_cache_that_the_next_completes(
    forge: Forge, tmp_path: Path, kill: dict[str, int]
) -> None:
    victim = forge.run(CASES, "race.kernels", tmp_path, "m.answer()", **kill)
    assert victim.signal == 9
    heir = forge.run(CASES, "race.kernels", tmp_path, "m.answer()")
    [(when, number)] = kill.items()
    finished = number if when == "die_after_file" else number - 1
    assert (heir.value, heir.compiled) == (ANSWER, RACE[finished:])
    assert forge.run(CASES, "race.kernels", tmp_path, "m.answer()").compiled == []
    assert sorted(file.suffix for file in tmp_path.rglob("race.*")) == [".o", ".o"]


@pytest.mark.parametrize("damage", ["", "half", "zeros", "one bit"])
def test_a_damaged_cache_is_made_anew(forge: Forge, tmp_path: Path, damage: str) -> None:
    forge.run(CASES, "race.kernels", tmp_path, "m.answer()")
    files = list(tmp_path.rglob("*.o"))
    assert len(files) == len(RACE)
    for file in files:
        content = file.read_bytes()
        flipped = content[:-1] + bytes([content[-1] ^ 1])
        damaged = {"": b"", "half": content[: len(content) // 2], "zeros": bytes(len(content)), "one bit": flipped}
        file.write_bytes(damaged[damage])
    mended = forge.run(CASES, "race.kernels", tmp_path, "m.answer()")
    assert (mended.value, mended.compiled) == (ANSWER, RACE)
    assert forge.run(CASES, "race.kernels", tmp_path, "m.answer()").compiled == []


def test_old_folders_of_a_room_go_unless_they_are_used(forge: Forge, tmp_path: Path) -> None:
    forge.run(CASES, "race.kernels", tmp_path, "m.answer()")
    [used] = tmp_path.iterdir()
    month_ago = time.time() - (STALE_DAYS + 1) * 86400
    for name in ("race-old", "race-new", "other-old"):
        (tmp_path / name / "inside").mkdir(parents=True)
        (tmp_path / name / "inside" / "code.o").touch()
    for folder in (tmp_path / "race-old", tmp_path / "other-old", used):
        os.utime(folder, (month_ago, month_ago))
    assert forge.run(CASES, "race.kernels", tmp_path, "m.answer()").compiled == []
    source = tmp_path / "path"
    (source / "race").mkdir(parents=True)
    for file in (CASES / "race").glob("*.py"):
        (source / "race" / file.name).write_text(file.read_text() + "\n")
    assert forge.run(source, "race.kernels", tmp_path, "m.answer()").compiled == RACE
    names = {folder.name for folder in tmp_path.iterdir()}
    assert names > {used.name, "race-new", "other-old"}
    assert "race-old" not in names


KERNEL = """from evalsmith.compile import driver
@driver("int64(int64)")
def run(x):
    return {call}(x)
"""
HELPER = """from evalsmith.compile import helper
@helper("int64(int64)")
def add(x):
    return x + {number}
"""
PASS_ON = """from evalsmith.compile import helper
{imports}
@helper("int64(int64)")
def add(x):
    return {call}(x)
"""
FORMS = {
    "module of the package": ("from . import a\n", "a.add"),
    "name of a module": ("from .a import add\n", "add"),
    "absolute module": ("import pkg.a as far\n", "far.add"),
    "absolute name": ("from pkg.a import add as plus\n", "plus"),
    "list in parentheses": ("from pkg.a import (  # what (else)\n    NUMBER,\n    add,\n)\n", "add"),
    "second of two": ("from .none import NONE\nfrom .a import add\n", "add"),
    "after a plain one": ("import os\nimport pkg.a as far\n", "far.add"),
    "on one line": ("import os; from pkg.a import add\n", "add"),
    "two imports away": ("from .c import add\n", "add"),
    "sibling package": ("from beside.deep.e import add\n", "add"),
    "through a package": ("from beside import add\n", "add"),
}


def make_package(folder: Path, imports: str, call: str, number: int) -> None:
    """pkg.b is the kernel in a file of its own room; what it calls adds ``number``."""
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": f"NUMBER = {number}\n" + HELPER.format(number=number),
        "pkg/c.py": PASS_ON.format(imports="import pkg.a as far", call="far.add"),
        "pkg/none.py": "NONE = None\n",
        "pkg/deep/__init__.py": "",
        "pkg/deep/b.py": imports.replace("from .", "from ..") + KERNEL.format(call=call),
        "beside/__init__.py": "from .deep.e import add\n",
        "beside/deep/__init__.py": "",
        "beside/deep/e.py": HELPER.format(number=number),
        "beside/apart.py": f"NUMBER = {number}\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize("form", FORMS)
def test_a_kernel_is_refreshed_when_a_helper_in_another_file_changes(forge: Forge, tmp_path: Path, form: str) -> None:
    def run(number: int) -> Outcome:
        make_package(tmp_path, *FORMS[form], number)
        return forge.run(tmp_path, "pkg.deep.b", tmp_path / "cache", "m.run(100)")

    assert [run(5).value, run(6).value] == [105, 106]
    again = run(6)
    assert (again.value, again.compiled) == (106, [])


def test_a_change_outside_of_what_is_imported_compiles_nothing(forge: Forge, tmp_path: Path) -> None:
    make_package(tmp_path, *FORMS["two imports away"], 5)
    first = forge.run(tmp_path, "pkg.deep.b", tmp_path / "cache", "m.run(100)")
    assert first.compiled == ["pkg.deep.b.run"]
    (tmp_path / "beside" / "apart.py").write_text("NUMBER = 7\n")
    (tmp_path / "pkg" / "none.py").write_text("NONE = 0\n")
    (tmp_path / "pkg" / "c.py").touch()
    again = forge.run(tmp_path, "pkg.deep.b", tmp_path / "cache", "m.run(100)")
    assert (again.value, again.compiled) == (105, [])


def test_recursive_calls_with_and_without_a_constant(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "falling.py").write_text(
        "from evalsmith.compile import driver, helper\n"
        '@driver("int64(int64, int64)")\n'
        "def fall(n, k):\n"
        "    return k if n <= 0 else fall(n - 1, 1) + k\n"
        '@helper("int64(int64)")\n'
        "def even(n):\n"
        "    return 1 if n == 0 else odd(n - 1)\n"
        '@helper("int64(int64)")\n'
        "def odd(n):\n"
        "    return 0 if n == 0 else even(n - 1)\n"
        '@driver("int64(int64)")\n'
        "def parity(n):\n"
        "    return 10 * even(n) + odd(n)\n"
    )
    for compiled in (["falling.fall", "falling.parity"], []):
        outcome = forge.run(tmp_path, "falling", tmp_path / "cache", "[m.fall(3, 5), m.parity(7), m.parity(8)]")
        assert (outcome.value, outcome.compiled, outcome.signal) == ([8, 1, 10], compiled, 0), outcome.error


def test_the_cache_falls_back_where_the_home_cannot_be_written(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    below, temporary = str(tmp_path / "file" / "home"), tmp_path / "temporary"
    temporary.mkdir()
    for variables in ({"XDG_CACHE_HOME": below}, {"XDG_CACHE_HOME": None, "HOME": below}):
        environment = {"EVALSMITH_CACHE_DIR": None, "TMPDIR": str(temporary)} | variables
        outcome = forge.run(
            CASES, "race.kernels", tmp_path, "[m.answer(), str(cache.cache_root())]", environment=environment
        )
        assert outcome.value == [ANSWER, str(temporary / f"evalsmith-{os.getuid()}" / "kernels")], outcome.error
    assert outcome.compiled == [], "the second finds what the first compiled"


def test_somebody_elses_temporary_folder_is_not_trusted(forge: Forge, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    name = f"evalsmith-{os.getuid()}"
    (tmp_path / name).symlink_to(theirs)
    (tmp_path / "file").touch()
    environment = {"EVALSMITH_CACHE_DIR": None, "TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "file")}
    outcome = forge.run(CASES, "race.kernels", tmp_path, "m.answer()", environment=environment)
    assert outcome.value == ANSWER
    assert list(theirs.iterdir()) == []


def test_a_chosen_cache_that_cannot_be_written_is_named(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    outcome = forge.run(CASES, "race.kernels", tmp_path / "file" / "cache", "m.answer()")
    assert outcome.error.startswith(f"OutputError: cannot create the folder {tmp_path / 'file' / 'cache' / 'race-'}")


def test_the_warm_up_says_what_it_compiles(tmp_path: Path) -> None:
    script = "import evalsmith.compile as kernels; kernels.listen(print); import race.kernels as m; m.answer()"
    paths = os.pathsep.join([str(CASES), *sys.path])
    settings = {"EVALSMITH_COMPILE": "1", "EVALSMITH_CACHE_DIR": str(tmp_path), "PYTHONPATH": paths}
    cold = python("-c", script, **settings)
    assert cold.stdout.splitlines() == RACE
    warm = python("-c", script, **settings)
    assert (warm.stdout, warm.stderr) == ("", "")


# ── Types ───────────────────────────────────────────────────────────────────────────────────────


def types_of(forge: Forge, give: str) -> Outcome:
    """What the probe says with the cache that is in use anyhow."""
    [outcome] = forge.race(job(CASES.parent, "compile_cases.package_types", CASES, give) | {"environment": {}})
    assert outcome.error == ""
    return outcome


def test_no_kernel_of_the_package_mixes_words_with_floats_or_signed_values(forge: Forge) -> None:
    found = types_of(forge, "m.look()").value
    assert found["wrong"] == {}
    assert min(found["kernels"].values()) > 0, "a module whose kernels nobody looked at"
    assert {"evalsmith.games.contract", "evalsmith.engine.alphabeta.pvs", "evalsmith.fit.squares.matrix"} <= set(
        found["kernels"]
    )


def test_the_mistakes_that_kernels_should_not_make_are_found(forge: Forge) -> None:
    found = types_of(forge, "m.mistakes_by_name('compile_cases.mistakes')").value
    assert found["bare"] == ["line 10: uint64 add Literal[int](1)"]
    assert found["signed"] == ["line 15: uint64 ixor int64"]
    assert found["joined"] == ["word.2 is float64"]
    assert [text.split(" is ")[1] for text in found["divided"]] == ["float64"]
    assert found["clean"] == []


# ── The game contract ───────────────────────────────────────────────────────────────────────────


def test_the_slots_of_a_context_are_in_the_order_of_the_signatures() -> None:
    named = [
        contract.MOVES, contract.PLAY, contract.STATUS, contract.MOVER, contract.RESULT, contract.KEY, contract.CHECK,
        contract.NOISY, contract.NULL_MOVE, contract.ORDER, contract.CAPTURE_VALUE, contract.SLOT, contract.REPEATED,
        contract.CHANCES, contract.REVEAL, contract.TERMS, contract.PHASE, contract.EVALUATE, contract.DECLARED,
        contract.EXCHANGE,
    ]  # fmt: skip
    assert named == list(range(len(contract.SIGNATURES)))
    assert list(contract.SIGNATURES)[contract.REPEATED] == "repeated"
    assert list(contract.SIGNATURES)[contract.EVALUATE] == "evaluate"


def test_only_functions_of_the_contract_can_be_decorated() -> None:
    def moving(position: object) -> int:
        return 0

    with pytest.raises(ValueError, match="the game contract has no function moving; it has moves, play"):
        contract.contract(moving)


@pytest.mark.parametrize(("old", "new"), contract.RENAMED.items())
def test_a_function_with_an_old_name_of_the_contract_is_refused_with_the_new_one(old: str, new: str) -> None:
    def function(position: object) -> int:
        return 0

    function.__name__ = old
    with pytest.raises(ValueError, match=f"the game contract calls {old} {new}; rename the function"):
        contract.contract(function)


def test_a_context_gets_defaults_for_what_a_game_leaves_out() -> None:
    context = kernels.Context(contract.CONTEXT_SIZE)
    contract.bind(context, {"capture_value": contract.DEFAULTS["order"]})
    bound = {name for slot, name in enumerate(contract.SIGNATURES) if context.row[slot] != 0}
    assert bound == set(contract.DEFAULTS)
    assert (
        context.row[contract.CAPTURE_VALUE]
        == context.row[contract.ORDER]
        == kernels.address(contract.DEFAULTS["order"])
    )
    position, buffer = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.int64)
    assert contract.call_noisy(context.row, position, buffer) == 0
    assert contract.call_null_move(context.row, position, position) == 0
    assert contract.call_position(context.row, contract.CHECK, position) == 0
    assert contract.call_move(context.row, contract.CAPTURE_VALUE, position, 0) == 0
    assert contract.call_repeated(context.row, position, position, buffer, 0) == contract.FRESH
    assert contract.call_chance(context.row, position, np.zeros(1)) == 0
