"""Numbers as charts write them, and where they lie."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.report.scales import finite, nice_step, readable, scale_for

REALS = st.floats(-1e300, 1e300).map(lambda value: finite(value) or 0.0)
POSITIVE = st.floats(1e-290, 1e300)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (float("-inf"), "−∞"),
        (0, "0"),
        (-0.0, "0"),
        (12345, "12,345"),
        (12345.678, "12,345.7"),
        (0.123456, "0.1235"),
        (-3.5, "−3.5"),
        (2.1e-7, "2.1×10⁻⁷"),
        (-1e20, "−1×10²⁰"),
        (5e-324, "4.941×10⁻³²⁴"),
    ],
)
def test_readable(value: float | None, shown: str) -> None:
    assert readable(value) == shown


@settings(deadline=None)
@given(st.lists(REALS, min_size=1), st.booleans(), st.booleans())
def test_a_linear_scale_holds_its_values_and_has_few_ticks(values: list[float], zero: bool, snap: bool) -> None:
    scale = scale_for(values, zero=zero, snap=snap)
    assert scale.low < scale.high
    slack = 1e-9 * max(abs(scale.low), abs(scale.high))
    assert scale.low <= min(values) + slack
    assert scale.high >= max(values) - slack
    assert all(-1e-9 <= scale(value) <= 1 + 1e-9 for value in values)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 9
    assert all(math.isfinite(value) for value, _ in ticks)


@settings(deadline=None)
@given(st.lists(POSITIVE, min_size=1), st.booleans())
def test_a_logarithmic_scale_holds_its_values(values: list[float], snap: bool) -> None:
    scale = scale_for(values, log=True, snap=snap)
    assert 0 < scale.low < scale.high
    assert all(0 <= scale(value) <= 1 for value in values)
    assert 2 <= len(scale.ticks()) <= 10


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 30, ["0", "5", "10", "15", "20", "25", "30"]),
        (-1, 1, ["−1.0", "−0.5", "0", "0.5", "1.0"]),
        (0, 20000, ["0", "5k", "10k", "15k", "20k"]),
        (0, 3e6, ["0", "0.5M", "1.0M", "1.5M", "2.0M", "2.5M", "3.0M"]),
        (-4000, 4000, ["−4,000", "−2,000", "0", "2,000", "4,000"]),
    ],
)
def test_labels_of_an_axis_agree(low: float, high: float, labels: list[str]) -> None:
    assert [name for _, name in scale_for([low, high]).ticks()] == labels


def test_decades_of_a_logarithmic_axis() -> None:
    assert [name for _, name in scale_for([100, 1e7], log=True).ticks()] == ["100", "1k", "10k", "100k", "1M", "10M"]
    assert [name for _, name in scale_for([3, 40], log=True).ticks()] == ["2", "5", "10", "20", "50"]


@pytest.mark.parametrize(("span", "count", "step"), [(10, 5, 2), (10, 10, 1), (1, 6, 0.2), (70, 6, 20)])
def test_nice_steps(span: float, count: int, step: float) -> None:
    assert nice_step(span, count) == pytest.approx(step)
