"""Two runs compared: the statistics, the changes, and what cannot be compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import evalsmith as es
from evalsmith.games import find_game
from evalsmith.run import InputError, MismatchError
from evalsmith.suite.answers import ANSWERED, FAILED, Answer, Answers
from evalsmith.suite.run_result import SuiteRun
from evalsmith.suite.statistics import bootstrap_interval, group_numbers, mean_of, wilcoxon
from suite_cases import CHESS


def make_run(losses, player="a", fingerprint="x", groups=None, game=CHESS):
    answers = [
        Answer(
            CHESS.format(CHESS.start()), f"p{i}", "quiet" if i % 2 else "tactic few", i % 24,
            f"g{groups[i] if groups else i}", "e2e4", 40, ANSWERED if loss == loss else FAILED, "e2e4", 10, loss,
        )
        for i, loss in enumerate(losses)
    ]  # fmt: skip
    return SuiteRun(game, player, "suite", fingerprint, "10 nodes", Answers.of(answers))


RANDOM = np.random.default_rng(5)
LOSSES = RANDOM.gamma(0.5, 8, 400)


def test_a_run_that_is_worse_everywhere_is_called_worse():
    first, second = make_run(LOSSES), make_run(np.minimum(LOSSES + RANDOM.gamma(1, 2, 400), 100), "b")
    found = es.compare_suites(first, second)
    assert found.verdict == "worse"
    assert found.worse
    assert 0 < found.low < found.difference < found.high
    assert found.p_value < 1e-10
    turned = es.compare_suites(second, first)
    assert turned.verdict == "better"
    assert turned.difference == pytest.approx(-found.difference)
    assert "b is worse than a" in str(found)


def test_noise_is_not_called_a_difference():
    called = 0
    for seed in range(40):
        noise = np.random.default_rng(seed)
        first, second = (make_run(noise.gamma(0.5, 8, 200)) for _ in range(2))
        called += es.compare_suites(first, second, seed=seed).verdict != "not proven"
    assert called <= 6  # 5 % of 40, and some


def test_a_tolerance_forgives_a_little():
    first, second = make_run(LOSSES), make_run(LOSSES + 1.0, "b")
    assert es.compare_suites(first, second).worse
    assert not es.compare_suites(first, second, tolerance=1.5).worse


def test_the_same_run_differs_in_nothing():
    found = es.compare_suites(make_run(LOSSES), make_run(LOSSES))
    assert (found.difference, found.p_value, found.verdict) == (0, 1, "not proven")
    assert found.counts == (0, 400, 0)
    assert found.regressions() == found.improvements() == []


def test_changes_are_listed_worst_first():
    second = LOSSES.copy()
    second[[3, 10, 20]] += [30, 50, 10]
    second[[5, 6]] -= LOSSES[[5, 6]]
    found = es.compare_suites(make_run(LOSSES), make_run(second, "b"))
    assert [change.first.id for change in found.regressions()] == ["p10", "p3", "p20"]
    losses = [change.loss for change in found.improvements()]
    assert losses == sorted(losses)
    assert found.to_json()["regressions"][0]["losses"][1] == pytest.approx(second[10])
    assert len(found.regressions(2)) == 2


def test_positions_that_failed_in_one_run_are_left_out_and_counted():
    second = LOSSES.copy()
    second[:7] = np.nan
    found = es.compare_suites(make_run(LOSSES), make_run(second, "b"))
    assert found.positions == 393
    assert "7 of 400 positions were left out" in str(found)
    assert found.to_json()["failed"] == 7


def test_one_tag_alone():
    found = es.compare_suites(make_run(LOSSES), make_run(LOSSES + 1, "b"), tag="few")
    assert found.positions == 200
    with pytest.raises(InputError, match="the tags are few, quiet, tactic"):
        es.compare_suites(make_run(LOSSES), make_run(LOSSES), tag="mate")


def test_only_runs_of_the_same_suite_are_compared(tmp_path):
    with pytest.raises(MismatchError, match="with other positions or scores"):
        es.compare_suites(make_run(LOSSES), make_run(LOSSES, fingerprint="y"))
    with pytest.raises(MismatchError, match="a run of chess, None one of shogi"):
        es.compare_suites(make_run(LOSSES), make_run(LOSSES, game=find_game("shogi")))
    with pytest.raises(InputError, match="nothing to compare"):
        es.compare_suites(make_run([np.nan]), make_run([1.0]))
    with pytest.raises(InputError, match=r"has no answers\.parquet"):
        es.compare_suites(tmp_path, tmp_path)


# ── Statistics ──


def test_the_mean_and_its_error_are_the_usual_ones_where_positions_are_independent():
    mean = mean_of(LOSSES, np.arange(400))
    assert mean.mean == pytest.approx(LOSSES.mean())
    assert mean.error == pytest.approx(stats.t.ppf(0.975, 399) * LOSSES.std(ddof=1) / 20)
    few = mean_of(LOSSES[:3], np.arange(3))
    assert few.error == pytest.approx(stats.t.ppf(0.975, 2) * LOSSES[:3].std(ddof=1) / 3**0.5)


def test_positions_that_come_in_copies_do_not_make_the_error_smaller():
    alone = mean_of(LOSSES, np.arange(400))
    copied = mean_of(np.repeat(LOSSES, 5), np.repeat(np.arange(400), 5))
    assert copied.error == pytest.approx(alone.error, rel=1e-6)


def test_the_bootstrap_agrees_with_the_normal_interval():
    low, high = bootstrap_interval(LOSSES, np.arange(400), 7)
    mean = mean_of(LOSSES, np.arange(400))
    assert low == pytest.approx(mean.mean - mean.error, abs=0.15 * mean.error)
    assert high == pytest.approx(mean.mean + mean.error, abs=0.25 * mean.error)
    assert (low, high) == bootstrap_interval(LOSSES, np.arange(400), 7)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30))
def test_wilcoxon_is_scipys_without_the_zeros(values):
    differences = np.array(values, dtype=np.float64)
    found = wilcoxon(differences)
    changed = differences[differences != 0]
    assert found == (1.0 if not len(changed) else pytest.approx(stats.wilcoxon(changed).pvalue))


def test_groups_are_numbered():
    assert sorted(set(group_numbers(np.array(["b", "a", "b"], dtype=object)).tolist())) == [0, 1]


def test_a_run_shows_what_it_is():
    one = make_run(LOSSES, groups=[i // 4 for i in range(400)])
    assert len(one.by_game()) == 10
    assert one.loss.count == 400
    worst = one.worst(3)
    assert worst[0].loss == pytest.approx(LOSSES.max())
    assert replace(worst[0], loss=0.0).loss == 0
