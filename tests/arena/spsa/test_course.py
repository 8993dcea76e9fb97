"""SPSA without games: gains, signs, rounding, and a noisy quadratic whose top it must find."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.arena.spsa.course import Course, Gains, Parameter, Probe

WIDE = Parameter("wide", 20.0, 0.0, 200.0, c_end=8.0, r_end=0.02)
NARROW = Parameter("narrow", 0.9, 0.0, 1.0, c_end=0.05, r_end=0.02, integer=False)


def optimise(course: Course, tops: tuple[float, ...], seed: int) -> None:
    """Count all iterations; a side scores better the nearer it is to the tops, and chance does the rest."""
    source = random.Random(seed)
    while course.counted < course.iterations:
        probe = course.probes[course.counted]
        gap = worth(course, probe.plus, tops) - worth(course, probe.minus, tops)
        chance = 1 / (1 + 10 ** (-gap / 400))
        course.count(sum(1 if source.random() < chance else -1 for _ in range(2 * course.pairs)))


def worth(course: Course, values: tuple[float, ...], tops: tuple[float, ...]) -> float:
    """In Elo: 300 less for a value that is wrong by the whole range."""
    parts = zip(course.parameters, values, tops, strict=True)
    return sum(-300 * ((value - top) / (one.high - one.low)) ** 2 for one, value, top in parts)


@pytest.mark.parametrize(("pairs", "ahead"), [(1, 0), (1, 16), (4, 3)])
def test_the_top_of_a_noisy_quadratic_is_found(pairs: int, ahead: int) -> None:
    course = Course([WIDE, NARROW], 12_000 // pairs, pairs=pairs, ahead=ahead, seed=5)
    optimise(course, (140.0, 0.3), seed=7)
    assert abs(course.values[0] - 140) < 30
    assert abs(course.values[1] - 0.3) < 0.15
    moved = [
        (end - one.start) / error
        for one, end, error in zip(course.parameters, course.values, course.errors, strict=True)
    ]
    assert moved[0] > 2 and moved[1] < -2


def test_what_does_not_matter_stays_within_its_error() -> None:
    """The standard error is that of many runs in which nothing but chance decides."""
    ends = []
    for seed in range(60):
        course = Course([NARROW, Parameter("idle", 100, 0, 200, 5, 0.01)], 200, seed=seed)
        source = random.Random(seed)
        while course.counted < course.iterations:
            course.count(source.choice((-2, 0, 0, 2)))
        ends.append((course.values[1] - 100) / course.errors[1])
    spread = math.sqrt(sum(end**2 for end in ends) / len(ends))
    assert 0.75 < spread < 1.25


def test_the_gains_end_where_the_user_says() -> None:
    """c_end and r_end mean what they mean on fishtest: the last c is c_end, the last a is r_end · c_end²."""
    gains = Gains(5000)
    assert gains.distance(WIDE, 5000) == WIDE.c_end
    assert gains.step(WIDE, 5000) == pytest.approx(WIDE.r_end * WIDE.c_end)
    c, a = WIDE.c_end * 5000**0.101, WIDE.r_end * WIDE.c_end**2 * (500 + 5000) ** 0.602
    for k in (1, 17, 2500):
        assert gains.distance(WIDE, k) == pytest.approx(c / k**0.101)
        assert gains.step(WIDE, k) == pytest.approx(a / (500 + k) ** 0.602 / (c / k**0.101))


def test_a_result_moves_every_value_by_its_sign() -> None:
    course = Course([WIDE, NARROW], 10, seed=3)
    [probe] = course.probes.values()
    steps = [course.gains.step(one, 1) for one in course.parameters]
    course.count(2)
    for value, one, step, sign in zip(course.values, course.parameters, steps, probe.signs, strict=True):
        assert value == pytest.approx(one.start + 2 * step * sign)
    before = course.values
    course.count(0)
    assert course.values == before


def test_iterations_begin_from_the_values_that_are_counted_by_then() -> None:
    """With two iterations ahead, the fourth begins when the first is counted, and from its values."""
    course = Course([NARROW], 10, ahead=2, seed=1)
    assert sorted(course.probes) == [0, 1, 2]
    waiting = course.probes[2]
    course.count(2)
    assert sorted(course.probes) == [1, 2, 3] and course.probes[2] == waiting
    assert sum((*course.probes[3].plus, *course.probes[3].minus)) / 2 == pytest.approx(course.values[0])


@given(st.floats(0, 100), st.integers(0, 10_000))
def test_whole_numbers_are_rounded_within_bounds_and_never_the_wrong_way(start: float, seed: int) -> None:
    one = Parameter("one", start, 0, 100, c_end=0.7, r_end=0.01)
    probe: Probe = Course([one], 1, seed=seed).probes[0]
    for value in (*probe.plus, *probe.minus):
        assert value == int(value) and 0 <= value <= 100
    assert (probe.plus[0] - probe.minus[0]) * probe.signs[0] >= 0
    assert all(abs(value - start) < 0.7 + 1 for value in (*probe.plus, *probe.minus))


def test_rounding_is_right_on_average() -> None:
    one = Parameter("one", 10.3, 0, 100, c_end=1, r_end=0.01)
    probes = [Course([one], 1, seed=seed).probes[0] for seed in range(600)]
    mean = sum(probe.plus[0] + probe.minus[0] for probe in probes) / (2 * len(probes))
    apart = sum((probe.plus[0] - probe.minus[0]) * probe.signs[0] for probe in probes) / len(probes)
    assert abs(mean - 10.3) < 0.07 and abs(apart - 2) < 0.1


def test_values_as_engines_read_them() -> None:
    whole, real = WIDE, NARROW
    flag = Parameter("flag", 0.4, 0, 1, 0.5, 0.01, boolean=True)
    assert (whole.text(12.5), whole.text(12.4), real.text(1 / 3)) == ("13", "12", "0.333333")
    assert (flag.text(0.0), flag.text(1.0)) == ("false", "true")
