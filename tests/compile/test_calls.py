"""Calls from Python: each kind of argument is converted rightly or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compile_cases import arguments, operations

INTEGERS = [kind for kind in arguments.NUMBERS if "int" in kind]
FLOATS = [kind for kind in arguments.NUMBERS if "float" in kind]
MEMORY = [("lists", kind, kind) for kind in arguments.NUMBERS]
MEMORY += [("grids", kind, kind) for kind in arguments.NUMBERS]
MEMORY += [("rows", name, kind) for name, kind in arguments.ROWS.items()]
every_memory = pytest.mark.parametrize(("family", "name", "kind"), MEMORY)
SHAPES = {"lists": (6,), "grids": (2, 3), "rows": (6,)}


def summed(family: str, name: str, array: Any, count: int = 6) -> list[float]:
    """What the driver for one kind of memory finds there."""
    out = np.zeros(3)
    given = (array, count, out) if family == "rows" else (array, out)
    getattr(arguments, family)[name](*given)
    return out.tolist()


# ── Numbers ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", INTEGERS)
@given(number=st.integers(-(2**65), 2**65) | st.integers(-300, 300))
@example(number=2**64 - 1)
@example(number=2**64)
@example(number=2**63)
@example(number=2**63 - 1)
@example(number=-(2**63))
@example(number=-(2**63) - 1)
@example(number=-1)
def test_an_integer_arrives_or_is_refused(kind: str, number: int) -> None:
    limits = np.iinfo(kind)
    if limits.min <= number <= limits.max:
        assert arguments.same[kind](number) == number
    else:
        with pytest.raises(OverflowError):
            arguments.same[kind](number)


@pytest.mark.parametrize("kind", INTEGERS)
def test_the_limits_of_an_integer_type_arrive_and_the_next_numbers_are_refused(kind: str) -> None:
    limits = np.iinfo(kind)
    for limit, step in ((int(limits.min), -1), (int(limits.max), 1)):
        assert arguments.same[kind](limit) == limit
        assert arguments.same[kind](np.dtype(kind).type(limit)) == limit
        with pytest.raises(OverflowError):
            arguments.same[kind](limit + step)


@pytest.mark.parametrize("kind", INTEGERS)
def test_scalars_of_numpy_are_integers_by_their_value(kind: str) -> None:
    for scalar in (np.int64, np.uint64, np.int8, np.uint8, np.int32, np.longlong):
        assert arguments.same[kind](scalar(7)) == 7
    assert arguments.same[kind](True) == 1
    assert arguments.same[kind](np.array(7)) == 7
    wrong = np.int64(-1) if kind.startswith("u") else np.uint64(2**64 - 1)
    with pytest.raises(OverflowError):
        arguments.same[kind](wrong)


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("wrong", [1.0, "1", None, np.float64(1), np.bool_(True), np.array([1]), [1], 1j], ids=repr)
def test_what_is_no_integer_is_refused(kind: str, wrong: object) -> None:
    with pytest.raises(TypeError):
        arguments.same[kind](wrong)


@pytest.mark.parametrize("kind", FLOATS)
@given(number=st.floats())
@example(number=-1.0)
@example(number=1e300)
def test_a_float_arrives_as_numpy_rounds_it(kind: str, number: float) -> None:
    with np.errstate(over="ignore"):
        expected = float(np.dtype(kind).type(number))
    np.testing.assert_equal(arguments.same[kind](number), expected)


@pytest.mark.parametrize("kind", FLOATS)
def test_what_is_a_number_is_a_float_and_nothing_else(kind: str) -> None:
    for number in (3, True, np.int64(3), np.uint64(3), np.float32(3), np.bool_(True), np.array(3)):
        assert arguments.same[kind](number) == float(number)
    for wrong in ("1", None, np.array([1.0, 2.0]), 1j):
        with pytest.raises(TypeError):
            arguments.same[kind](wrong)
    with pytest.raises(OverflowError):
        arguments.same[kind](10**400)


def test_an_error_of_the_argument_itself_is_passed_on() -> None:
    class Broken:
        def __index__(self) -> int:
            raise ZeroDivisionError("inside")

        __float__ = __index__

    for kind in arguments.NUMBERS:
        with pytest.raises(ZeroDivisionError, match="inside"):
            arguments.same[kind](Broken())


def test_an_array_that_the_conversion_of_a_number_changes_is_looked_at_afterwards() -> None:
    array, out = np.ones(6, dtype=np.uint64), np.zeros(1)

    class Sly:
        def __index__(self) -> int:
            array.setflags(write=False)
            return 6

    with pytest.raises(TypeError, match="argument 1"):
        arguments.rows["words"](array, Sly(), out)


def test_the_number_of_arguments_must_be_right() -> None:
    out = np.zeros(3, dtype=np.int64)
    for count in ((), (1,), (1, out, out)):
        with pytest.raises(TypeError, match=r"operations\.bits takes 2 arguments"):
            operations.bits(*count)
    with pytest.raises(TypeError):
        operations.bits(1, out=out)


# ── Arrays ──────────────────────────────────────────────────────────────────────────────────────


def filled(family: str, kind: str) -> np.ndarray:
    return np.arange(1, 7).astype(kind).reshape(SHAPES[family])


@every_memory
def test_arrays_and_their_subclasses_are_read_in_place(family: str, name: str, kind: str, tmp_path: Path) -> None:
    array = filled(family, kind)
    expected = {"lists": [6, 21, 0], "grids": [2, 3, 21], "rows": [21, 0, 0]}[family]
    assert summed(family, name, array) == expected
    mapped = np.memmap(tmp_path / "file", dtype=kind, mode="w+", shape=SHAPES[family])
    mapped[:] = array
    assert summed(family, name, mapped) == expected
    assert summed(family, name, np.concatenate([array, array])[len(array) :]) == expected, "a part of another array"
    if kind == "int64":
        assert summed(family, name, array.astype(np.longlong)) == expected


@every_memory
def test_empty_arrays_have_nothing_in_them(family: str, name: str, kind: str) -> None:
    shapes: dict[str, list[tuple[int, ...]]] = {
        "lists": [(0,)],
        "grids": [(0, 3), (2, 0), (0, 0)],
        "rows": [(0,), (0, 2)],
    }
    for shape in shapes[family]:
        expected = [*shape, 0, 0][:3] if family != "rows" else [0, 0, 0]
        assert summed(family, name, np.zeros(shape, dtype=kind), 0) == expected


@every_memory
def test_an_array_without_dimensions_is_a_row_of_one(family: str, name: str, kind: str) -> None:
    array = np.full((), 5, dtype=kind)
    if family == "rows":
        assert summed(family, name, array, 1) == [5, 0, 0]
    else:
        with pytest.raises(TypeError, match="argument 1"):
            summed(family, name, array)


@every_memory
def test_other_arrays_and_objects_are_refused(family: str, name: str, kind: str) -> None:
    array = filled(family, kind)
    constant = array.copy()
    constant.setflags(write=False)
    unaligned = np.frombuffer(bytearray(array.nbytes + 1), dtype=np.uint8)[1:].view(kind).reshape(array.shape)
    wrong: list[Any] = [array.astype(other) for other in (*arguments.NUMBERS, "bool", "object", "float16", "M8[s]")]
    wrong = [other for other in wrong if other.dtype != array.dtype]
    wrong += [np.zeros(array.shape, dtype=[("x", kind)]), np.zeros(array.shape, dtype="S8")]
    wrong += [constant, np.broadcast_to(array[:1], array.shape), np.concatenate([array, array])[::2], array[::-1]]
    if array.itemsize > 1:
        wrong += [unaligned, array.astype(array.dtype.newbyteorder())]
    if family == "grids":
        wrong += [array.T, array[:, :2], np.asfortranarray(array)]
    if family != "rows":
        wrong += [array[None], array[..., None]]
    wrong += [array.tolist(), None, 1, "text", b"bytes", object(), np.ndarray, array[0:1].tobytes(), memoryview(array)]
    wrong += [np.dtype(kind).type(1), array.dtype]
    shape = "[:, ::1]" if family == "grids" else "[::1]"
    for other in wrong:
        with pytest.raises(TypeError) as caught:
            summed(family, name, other)
        assert str(caught.value).endswith(f" must be a writable {kind}{shape} array"), repr(other)
        assert str(caught.value).startswith("argument 1 of compile_cases.arguments._")
