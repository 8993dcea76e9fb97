"""The check of a trace: what the engine printed must be what its counts give, to the integer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.fit.trace import Trace, check_trace, read_trace
from evalsmith.fit.trace.chunk import divided
from evalsmith.run.errors import InputError

HEAD = "# phase 24\n# division {}\n# feature a,a,{},{}\n# feature tempo,tempo,{},{},single\nscore,phase,eval,features\n"


def trace_of(
    tmp_path: Path, rows: str, division: str = "truncate", mg: float = 7, eg: float = -5, tempo: int = 3
) -> Trace:
    path = tmp_path / "t.csv"
    path.write_text(HEAD.format(division, mg, eg, tempo, tempo) + rows)
    return read_trace(path)


@pytest.mark.parametrize(
    ("division", "evaluation"),
    # a·(7·5 − 5·19)/24 = −2.5 with a = 1, and the tempo of 3 behind the division
    [("truncate", 1), ("floor", 0), ("round", 0), ("none", 0.5)],
)
def test_every_division(tmp_path: Path, division: str, evaluation: float) -> None:
    trace = trace_of(tmp_path, f"1,5,{evaluation},0:1 1:1\n", division)
    assert check_trace(trace).compared == 1 and trace.recomputed.tolist() == [evaluation]


@given(st.integers(-(10**9), 10**9), st.integers(1, 256))
def test_quotients_are_those_of_integers(total: int, most: int) -> None:
    quotient = np.array([total / most])
    assert divided(quotient, "floor")[0] == total // most
    assert divided(quotient, "truncate")[0] == int(abs(total) // most) * (1 if total >= 0 else -1)


def test_the_rows_that_differ_are_named(tmp_path: Path) -> None:
    trace = trace_of(tmp_path, "1,24,10,0:1 1:1\n1,24,99,0:1 1:1\n1,24,10,0:1 1:1\n1,24,8,0:1 1:1\n")
    with pytest.raises(InputError) as error:
        check_trace(trace)
    text = str(error.value)
    assert f"{tmp_path / 't.csv'}, line 7: the engine printed 99, its counts give 10 (difference -89)" in text
    assert (
        "line 9: the engine printed 8, its counts give 10 (difference +2); 2 of 4 rows differ; nothing was fitted"
        in text
    )


@pytest.mark.parametrize(
    ("rows", "advice"),
    [
        ("1,24,-10,0:1 1:1\n", "the signs differ, so eval is the mover's view; print it from White's"),
        ("1,5,0,0:1 1:1\n", "all differ by 1, so the engine divides otherwise than 'truncate'"),
        ("1,24,50,0:1 1:1\n", "a feature is counted otherwise than it is evaluated"),
    ],
)
def test_advice(tmp_path: Path, rows: str, advice: str) -> None:
    with pytest.raises(InputError, match=advice):
        check_trace(trace_of(tmp_path, rows))


def test_a_tolerance_that_was_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("# tolerance 1\n" + HEAD.format("truncate", 7, -5, 3, 3) + "1,24,11,0:1 1:1\n1,24,12,0:1 1:1\n")
    with pytest.raises(InputError, match=r"line 8: the engine printed 12.*\(difference -2\); nothing"):
        check_trace(read_trace(path))
    assert check_trace(read_trace(path, tolerance=2.0)).compared == 2


def test_values_with_decimals(tmp_path: Path) -> None:
    assert check_trace(trace_of(tmp_path, "1,5,0.50,0:1 1:1\n", "none", mg=7.0005)).compared == 1
    with pytest.raises(InputError, match=r"the engine printed 0\.55, its counts give 0\.5 "):
        check_trace(trace_of(tmp_path, "1,5,0.55,0:1 1:1\n", "none"))


def test_without_the_engines_value_nothing_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("# feature a,a,1,2\nscore,phase,features\n1,24,0:1\n")
    checked = check_trace(read_trace(path))
    assert (checked.rows, checked.compared) == (1, 0) and "no column eval" in str(checked)
