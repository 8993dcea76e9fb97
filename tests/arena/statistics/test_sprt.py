"""The sequential test: log-likelihood ratios, bounds and states."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.arena.statistics.elo import LARGEST_COUNT, NELO_UNIT, moments, score_from_elo
from evalsmith.arena.statistics.sprt import LARGEST_ELO, MINIMUM_PAIRS, Model, Sprt, llr, sprt, wald_bounds
from evalsmith.run.errors import InputError

repeatable = settings(deadline=None, derandomize=True)
counts = st.integers(0, 40) | st.integers(0, LARGEST_COUNT)
some_counts = st.lists(counts, min_size=3, max_size=3) | st.lists(counts, min_size=5, max_size=5)
models = st.sampled_from(["normalized", "logistic"])


@pytest.mark.parametrize(
    ("model", "counts", "elo0", "elo1", "expected"),
    [
        ("normalized", [365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.250368),
        ("normalized", [39, 8843, 26675, 9240, 44], 0.5, 2.5, 2.941675),
        ("logistic", [223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.074126),
        ("normalized", [36027, 68692, 36433], 0.0, 2.0, 0.923293),
    ],
)
def test_known_ratios(model: Model, counts: list[int], elo0: float, elo1: float, expected: float) -> None:
    assert round(llr(counts, elo0, elo1, model=model), 6) == expected


def test_wald_bounds() -> None:
    lower, upper = wald_bounds(0.05, 0.05)
    assert (round(lower, 4), round(upper, 4)) == (-2.9444, 2.9444)
    lower, upper = wald_bounds(0.01, 0.2)
    assert (lower, upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


@pytest.mark.parametrize(
    ("counts", "state"),
    [
        ([30, 100, 200, 100, 30], "running"),
        ([10, 100, 200, 190, 60], "accepted H1"),
        ([60, 190, 200, 100, 10], "accepted H0"),
        ([600, 800, 900], "accepted H1"),
        ([900, 800, 600], "accepted H0"),
    ],
)
def test_states(counts: list[int], state: str) -> None:
    assert sprt(counts, 0.0, 10.0).state == state


def test_no_decision_before_the_minimum_of_pairs() -> None:
    early = sprt([0, 0, 0, 0, MINIMUM_PAIRS - 1], 0.0, 200.0)
    assert early.llr > early.upper
    assert early.state == "running"
    assert sprt([0, 0, 0, 0, MINIMUM_PAIRS], 0.0, 200.0).state == "accepted H1"
    assert sprt([0, 0, 2 * MINIMUM_PAIRS - 1], 0.0, 200.0, alpha=0.4, beta=0.4).state == "running"
    assert sprt([0, 0, 2 * MINIMUM_PAIRS], 0.0, 200.0, alpha=0.4, beta=0.4).state == "accepted H1"
    assert sprt([0, 0, 0, 0, 8], 0.0, 200.0, minimum_pairs=8).state == "accepted H1"


@repeatable
@given(some_counts, models, st.floats(-1, 1), st.floats(-1, 1))
def test_always_finite_and_the_state_follows_from_the_bounds(
    counts: list[int], model: Model, one: float, other: float
) -> None:
    elo0, elo1 = sorted((one * LARGEST_ELO[model], other * LARGEST_ELO[model]))
    if elo0 == elo1:
        elo0, elo1 = -1.0, 1.0
    test = sprt(counts, elo0, elo1, model=model, minimum_pairs=0)
    assert math.isfinite(test.llr)
    expected = "accepted H1" if test.llr >= test.upper else "accepted H0" if test.llr <= test.lower else "running"
    assert test == Sprt(test.llr, *wald_bounds(0.05, 0.05), expected)


@repeatable
@given(some_counts, models, st.floats(-50, 40), st.floats(0.1, 50))
def test_swapping_players_and_hypotheses_swaps_the_sign(
    counts: list[int], model: Model, elo0: float, width: float
) -> None:
    value = llr(counts, elo0, elo0 + width, model=model)
    mirror = llr(counts[::-1], -elo0 - width, -elo0, model=model)
    assert mirror == pytest.approx(-value, rel=1e-5, abs=1e-5)


@repeatable
@given(st.lists(st.integers(1, 500), min_size=5, max_size=5), models, st.integers(2, 9))
def test_repeating_all_games_multiplies_the_ratio(counts: list[int], model: Model, times: int) -> None:
    once = llr(counts, 0.0, 5.0, model=model)
    assert llr([times * count for count in counts], 0.0, 5.0, model=model) == pytest.approx(times * once, abs=1e-8)


@repeatable
@given(
    st.lists(st.integers(50, 500), min_size=5, max_size=5),
    st.integers(0, 3),
    models,
    st.floats(-20, 20),
    st.floats(0.5, 20),
)
def test_a_better_pair_raises_the_ratio(counts: list[int], worse: int, model: Model, elo0: float, width: float) -> None:
    """Holds where all outcomes occur; a player who only ever draws and then wins once becomes less predictable."""
    better = list(counts)
    better[worse] -= 1
    better[worse + 1] += 1
    assert llr(better, elo0, elo0 + width, model=model) > llr(counts, elo0, elo0 + width, model=model)


@repeatable
@given(some_counts, models, st.floats(-40, 40), st.floats(0.1, 40), st.floats(0.1, 40))
def test_ratios_of_neighbouring_hypotheses_add_up(
    counts: list[int], model: Model, elo: float, width: float, further: float
) -> None:
    whole = llr(counts, elo, elo + width + further, model=model)
    parts = llr(counts, elo, elo + width, model=model) + llr(counts, elo + width, elo + width + further, model=model)
    assert whole == pytest.approx(parts, rel=1e-6, abs=1e-5)


def ratio_by_search(counts: list[int], mean0: float, mean1: float) -> float:
    """Lost, drawn, won: the best likelihood under each mean, by walking along all distributions that have it."""

    def best(mean: float) -> float:
        steps = 200_000
        low, high = max(0.0, 2 * mean - 1), mean
        found = -math.inf
        for i in range(1, steps):
            won = low + (high - low) * i / steps
            drawn = 2 * (mean - won)
            parts = (1 - won - drawn, drawn, won)
            if min(parts) > 0.0:
                found = max(found, sum(n * math.log(p) for n, p in zip(counts, parts, strict=True)))
        return found

    return best(mean1) - best(mean0)


def test_logistic_ratio_against_a_plain_search() -> None:
    counts = [70, 45, 90]
    expected = ratio_by_search(counts, score_from_elo(-10.0), score_from_elo(40.0))
    assert llr(counts, -10.0, 40.0, model="logistic") == pytest.approx(expected, abs=1e-6)


def test_normalized_ratio_is_highest_at_the_measured_strength() -> None:
    counts = [40, 120, 300, 180, 60]
    _, mean, variance = moments(counts)
    measured = (mean - 0.5) / math.sqrt(2 * variance) * NELO_UNIT
    assert llr(counts, measured - 8.0, measured) > 0.0
    assert llr(counts, measured, measured + 8.0) < 0.0
    assert llr(counts, measured - 8.0, measured + 8.0) == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "options", "words"),
    [
        ([1, 2, 3, 4], 0.0, 2.0, {}, "3 counts .* or 5 counts"),
        ([1, 2, -3], 0.0, 2.0, {}, "won, got -3"),
        ([1, 2, 3], 2.0, 2.0, {}, "the lower one first.* got 2,2"),
        ([1, 2, 3], 0.0, math.nan, {}, "got 0,nan"),
        ([1, 2, 3], 0.0, 201.0, {}, "-200 to 200"),
        ([1, 2, 3], 0.0, 2.0, {"model": "bayes"}, "normalized or logistic, got bayes"),
        ([1, 2, 3], 0.0, 2.0, {"alpha": 0.0}, "alpha between 0 and 0.5, got 0"),
        ([1, 2, 3], 0.0, 2.0, {"beta": 0.7}, "beta between 0 and 0.5, got 0.7"),
    ],
)
def test_bad_input_is_named(
    counts: list[int], elo0: float, elo1: float, options: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        sprt(counts, elo0, elo1, **options)
