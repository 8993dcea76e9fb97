"""Compiled code in memory: what it needs, who shares it, and how long it lives."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from compile_cases import operations
from compile_cases.forge import Forge
from evalsmith.compile import layout, memory
from evalsmith.run.errors import EvalsmithError

CASES = Path(__file__).parents[1] / "compile_cases"
RACE = ["race.kernels.first", "race.kernels.total"]
ANSWER = 1000 + 11 * 3


@pytest.fixture(scope="module")
def forge() -> Iterator[Forge]:
    forge = Forge()
    yield forge
    forge.close()


def python(script: str, cache: Path | None = None) -> str:
    """What a process of its own prints; it must end well and without a word of complaint."""
    paths = os.pathsep.join([str(CASES), str(CASES.parent), *sys.path])
    surroundings = os.environ | {"EVALSMITH_COMPILE": "1", "PYTHONPATH": paths, "PYTHONFAULTHANDLER": "1"}
    if cache is not None:
        surroundings["EVALSMITH_CACHE_DIR"] = str(cache)
    done = subprocess.run([sys.executable, "-c", script], env=surroundings, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# ── Symbols ─────────────────────────────────────────────────────────────────────────────────────

BESIDE_NUMBA = """
import numpy as np
from compile_cases import operations

def refused(driver, *arguments):
    try:
        driver(*arguments)
    except TypeError as error:
        return str(error)

def use_numba():
    import numba

    @numba.njit("int64(int64[::1])")
    def first(array):
        if array[0] < 0:
            raise ValueError("negative")
        return array[0]

    try:
        first(np.array([-1]))
    except ValueError as error:
        assert str(error) == "negative"
    try:
        first([1])
    except TypeError:
        pass

FIRST
print(refused(operations.bits, 1, [1]))
use_numba()
print(refused(operations.further, [1], 0, 0))
print(operations.square(3))
"""


@pytest.mark.parametrize("first", ["", "use_numba()"], ids=["kernels first", "numba first"])
def test_kernels_and_numba_share_a_process(first: str) -> None:
    python("from compile_cases import operations as o\nfor d in (o.bits, o.further, o.square): d.load()")
    assert python(BESIDE_NUMBA.replace("FIRST", first)).splitlines() == [
        "argument 2 of compile_cases.operations.bits must be a writable int64[::1] array",
        "argument 1 of compile_cases.operations.further must be a writable uint64[::1] array",
        "9",
    ]


def test_code_that_needs_what_is_not_there_is_an_error() -> None:
    code = layout.Code(b"", ("evalsmith.table.nowhere", "printf", "no_such_function"))
    expected = r"operations\.bits needs evalsmith\.table\.nowhere, no_such_function, which this process does not have"
    with pytest.raises(RuntimeError, match=expected):
        memory.load(operations.bits, code)


def test_stored_code_that_needs_what_is_not_there_is_built_again(forge: Forge, tmp_path: Path) -> None:
    forge.run(CASES, "race.kernels", tmp_path, "m.answer()")
    for file in tmp_path.rglob("*.o"):
        body = b"no_such_function " + file.read_bytes()[16:]
        file.write_bytes(hashlib.blake2b(body, digest_size=16).digest() + body)
    again = forge.run(CASES, "race.kernels", tmp_path, "m.answer()")
    assert (again.value, again.compiled, again.signal) == (ANSWER, RACE, 0)
    assert forge.run(CASES, "race.kernels", tmp_path, "m.answer()").compiled == []


def test_the_symbols_that_code_needs_are_stored_with_it(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "needing.py").write_text(
        "import math\nimport numpy as np\nfrom evalsmith.compile import clock, driver, scratch, table\n"
        'cubes = table("needing.cubes", np.arange(9) ** 3)\nbuffer = scratch("integers", 900)\n'
        '@driver("float64(float64, int64)")\n'
        "def need(x, n):\n"
        "    row = buffer()\n"
        "    for i in range(900):\n"
        "        row[i] = 0\n"
        "    return math.exp(x) % 3.0 + cubes()[n] + row[n] + 0 * clock()\n"
    )
    give = "[m.need(0.0, 2), open(next(cache.cache_root().rglob('*.o')), 'rb').read()[16:].split(b'\\0')[0].decode()]"
    outcome = forge.run(tmp_path, "needing", tmp_path / "cache", give)
    assert outcome.error == ""
    value, needs = outcome.value
    assert value == 9.0
    expected = {"exp", "fmod", "clock_gettime", "evalsmith.table.needing.cubes"}
    assert expected <= set(needs.split()), "calls that only the code generator makes are among them"


# ── Arrays ──────────────────────────────────────────────────────────────────────────────────────


def test_this_numpy_lays_out_arrays_as_expected() -> None:
    layout.check_arrays()


@pytest.mark.parametrize(
    ("name", "place", "said"),
    [
        ("TYPE", 0, "type"),
        ("DATA", 8, "data"),
        ("DIMENSIONS", 28, "dimensions"),
        ("SHAPE", 40, "shape"),
        ("STRIDES", 32, "strides"),
        ("DTYPE", 8, "dtype"),
        ("FLAGS", 68, "flags"),
        ("DTYPE_BYTEORDER", 25, "byte order"),
        ("DTYPE_NUMBER", 24, "type number"),
        ("C_CONTIGUOUS", 2, "meaning of flags"),
        ("WRITABLE", 0x100, "meaning of flags"),
    ],
)
def test_another_layout_of_arrays_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, place: int, said: str) -> None:
    monkeypatch.setattr(layout, name, place)
    with pytest.raises(EvalsmithError, match=rf"does not lay out arrays as compiled code expects \(.*{said}"):
        layout.check_arrays()


# ── Identity ────────────────────────────────────────────────────────────────────────────────────

TWINS = """from evalsmith.compile import driver
def same(x):
    return x
whole, real = driver("int64(int64)")(same), driver("float64(float64)")(same)
def adding(n):
    @driver("int64(int64)")
    def add(x):
        return x + n
    return add
one, two = adding(1), adding(2)
plus, minus = driver("int64(int64)")(lambda x: +x), driver("int64(int64)")(lambda x: -x)
"""


def test_functions_of_one_name_and_line_have_code_of_their_own(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "twins.py").write_text(TWINS)
    for give in ("[m.whole(3), m.real(0.5), m.one(1), m.two(1), m.plus(1), m.minus(1)]",) * 2:
        outcome = forge.run(tmp_path, "twins", tmp_path / "cache", give)
        assert (outcome.value, outcome.error) == ([3, 0.5, 2, 3, 1, -1], "")
    swapped = forge.run(tmp_path, "twins", tmp_path / "cache", "[m.minus(1), m.two(1), m.adding(5)(1)]")
    assert swapped.value == [-1, 3, 6]


def test_a_module_that_is_loaded_again_has_its_new_code(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "again.py").write_text(TWINS)
    give = (
        "[m.whole(3), __import__('pathlib').Path(m.__file__).write_text(m.TEXT), "
        "__import__('importlib').reload(m).whole(3)]"
    )
    text = TWINS.replace("return x\n", "return 7 * x\n")
    (tmp_path / "again.py").write_text(TWINS + f"TEXT = {text!r} + '# another size'\n")
    outcome = forge.run(tmp_path, "again", tmp_path / "cache", give)
    assert (outcome.value[0], outcome.value[2], outcome.error) == (3, 21, "")


def test_code_is_not_stored_for_sources_that_changed_after_their_import(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(TWINS)
    change = (
        "[__import__('pathlib').Path(m.__file__).write_text('# other sources'), "
        "__import__('os').utime(m.__file__, ns=(__import__('time').time_ns(),) * 2), m.whole(3)][2]"
    )
    outcome = forge.run(tmp_path, "old", tmp_path / "cache", change)
    assert (outcome.value, outcome.compiled) == (3, ["old.same"])
    assert list((tmp_path / "cache").rglob("*.o")) == []


# ── Threads, forks and the end ──────────────────────────────────────────────────────────────────

MANY = """from evalsmith.compile import driver
{functions}
@driver("int64(int64)")
def busy(n):
    x = n
    for i in range(n):
        x = x * 31 + i
    return x
ALL = [{names}]
"""


def many(folder: Path) -> None:
    """A module of 24 kernels."""
    functions = "".join(
        f'@driver("int64(int64)")\ndef f{i}(x):\n    return x * {i} if x > {i} else x - {i}\n' for i in range(24)
    )
    names = ", ".join(f"f{i}" for i in range(24))
    (folder / "many.py").write_text(MANY.format(functions=functions, names=names))


def test_threads_use_different_kernels_first_while_others_run(forge: Forge, tmp_path: Path) -> None:
    many(tmp_path)
    give = (
        "__import__('multiprocessing.pool').pool.ThreadPool(8).map("
        "lambda i: [m.busy(200_000) is None, m.ALL[i % 24](100)][1], range(96), chunksize=1)"
    )
    for compiled in (25, 0):
        outcome = forge.run(tmp_path, "many", tmp_path / "cache", give)
        assert outcome.value == [i % 24 * 100 for i in range(96)]
        assert (len(outcome.compiled), outcome.signal) == (compiled, 0)


def test_a_fork_while_another_thread_compiles(tmp_path: Path) -> None:
    many(tmp_path)
    script = f"""
import os, sys, threading
sys.path.insert(0, {str(tmp_path)!r})
import many
begun = threading.Event()
def work():
    for f in many.ALL[:12]:
        f.load()
        begun.set()
thread = threading.Thread(target=work)
thread.start()
begun.wait()
for i in range(12, 16):
    child = os.fork()
    if child == 0:
        os._exit(many.ALL[i](100) != i * 100)
    assert os.waitpid(child, 0)[1] == 0
thread.join()
print([f(100) for f in many.ALL] == [i * 100 for i in range(24)])
"""
    assert python(script, tmp_path / "cache") == "True\n"
    assert python(script, tmp_path / "cache") == "True\n"


ENDING = """
import threading, time
import numpy as np
from compile_cases import operations

def run(flags):
    while True:
        operations.wait_for_flag(flags, LIMIT)
        operations.square(3)

rows = [np.zeros(2, dtype=np.int64) for _ in range(4)]
for row in rows:
    threading.Thread(target=run, args=(row,), daemon=True).start()
while not all(row[operations.BEGUN] for row in rows):
    time.sleep(0.001)
print("ends")
"""


@pytest.mark.parametrize("limit", [10, 10_000, 2**37])
def test_the_interpreter_ends_while_daemon_threads_run_kernels(limit: int) -> None:
    for _ in range(5):
        assert python(ENDING.replace("LIMIT", str(limit))) == "ends\n"


def test_functions_outlive_the_modules_that_loaded_them() -> None:
    script = """
import gc, sys
import numpy as np
from compile_cases import operations
square, call = operations.square, operations.bits
square(2), call(1, np.zeros(3, dtype=np.int64))
for name in [name for name in sys.modules if name.startswith(("evalsmith", "compile_cases"))]:
    vars(sys.modules.pop(name)).clear()
del operations
gc.collect()
filler = [bytes([255]) * size for size in range(8, 600) for _ in range(50)]
gc.collect()
print(square._call(99_999), call._call(6, np.zeros(3, dtype=np.int64)))
"""
    assert python(script) == f"{99_999**2} 2\n"
