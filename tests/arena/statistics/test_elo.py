"""Elo, normalized Elo, likelihood of superiority and p-values of matches."""

from __future__ import annotations

import math
from dataclasses import astuple
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import betainc, stdtrit

from evalsmith.arena.statistics.elo import (
    LARGEST_COUNT,
    Summary,
    binomial_p_value,
    elo_from_score,
    pentanomial,
    score_from_elo,
    student_quantile,
    trinomial,
)
from evalsmith.run.errors import InputError

repeatable = settings(deadline=None, derandomize=True)
counts = st.integers(0, 40) | st.integers(0, LARGEST_COUNT)
three = st.tuples(counts, counts, counts)
five = st.tuples(counts, counts, counts, counts, counts)


@pytest.mark.parametrize(
    ("summary", "elo", "error", "nelo", "nelo_error", "los", "digits"),
    [
        (trinomial(76, 123, 89), -15.6935, 30.4580, -20.7564, 40.1260, 15.53, 4),
        (pentanomial([34, 54, 63, 64, 75]), 55.5798, 27.6534, 57.9356, 28.2754, 100.00, 4),
        (pentanomial([43, 61, 144, 55, 37]), -9.20, 20.93, -11.50, 26.11, 19.41, 2),
        (trinomial(105, 1, 94), 19.1283, 48.4170, 19.1861, 48.1512, 78.26, 4),
    ],
)
def test_known_matches(
    summary: Summary, elo: float, error: float, nelo: float, nelo_error: float, los: float, digits: int
) -> None:
    found = (summary.elo, summary.elo_error, summary.nelo, summary.nelo_error)
    assert tuple(round(value, digits) for value in found) == (elo, error, nelo, nelo_error)
    assert round(100 * summary.los, 2) == los


def test_all_pairs_level_is_level_with_a_finite_error() -> None:
    summary = pentanomial([0, 0, 20, 0, 0])
    assert (summary.elo, summary.nelo, summary.los, summary.p_value) == (0.0, 0.0, 0.5, 1.0)
    assert 10.0 < summary.elo_error < 100.0, "twenty pairs do not show that there are no others"


@pytest.mark.parametrize("counts", [[0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1], [1, 0, 0, 0, 0]])
def test_a_few_pairs_are_never_certain(counts: list[int]) -> None:
    summary = pentanomial(counts)
    assert not summary.proven and summary.p_value >= 0.5 and 0.25 <= summary.los <= 0.75
    assert summary.elo_low < -100 or summary.elo_high > 100
    assert summary.elo_low < 0.0 < summary.elo_high
    assert "cannot be told apart" in summary.sentence("new", "old")


def test_equal_results_have_an_interval_that_shrinks_with_their_number() -> None:
    """About as the rule of three has it: after n equal results another one is not rarer than 3/n for certain."""
    for make in (
        lambda n: pentanomial([0, 0, n, 0, 0]),
        lambda n: pentanomial([0, 0, 0, 0, n]),
        lambda n: trinomial(0, n, 0),
    ):
        found = [make(n) for n in (1, 2, 5, 10, 100, 1000)]
        widths = [one.score_high - one.score_low for one in found]
        assert widths == sorted(widths, reverse=True) and widths[0] > 0.9 and widths[-1] > 0.001
    assert pentanomial([0, 0, 0, 0, 5]).p_value == pytest.approx(2 / 2**5)


# ── One verdict ──


@pytest.mark.parametrize(
    ("summary", "p_value", "words"),
    [
        (pentanomial([8, 0, 2, 0, 0]), 2 / 2**8, "old is stronger than new by 382 Elo (95 %: 117 … 646) over 20 games"),
        (pentanomial([7, 2, 0, 0, 1]), 12 / 2**9, "old is stronger than new by 301 Elo (95 %: 24 … 579)"),
        (trinomial(2, 2, 16), 172 * 2 / 2**18, "old is stronger than new by 301 Elo (95 %: 103 … 500)"),
        (pentanomial([0, 0, 0, 4, 1]), 2 / 2**5, "new and old cannot be told apart: +241 (95 %: +0 … +482) Elo"),
        (pentanomial([20, 0, 0, 0, 0]), 2 / 2**20, "old is stronger than new by more than 277 Elo (95 %)"),
        (trinomial(6, 0, 0), 2 / 2**6, "new is stronger than old by more than 28 Elo (95 %)"),
        (trinomial(0, 0, 0), 1.0, "new and old have not finished a game."),
    ],
)
def test_small_and_lopsided_samples(summary: Summary, p_value: float, words: str) -> None:
    assert summary.p_value == pytest.approx(p_value)
    assert words in summary.sentence("new", "old")


@repeatable
@given(three, five)
@example((60, 0, 40), (0, 0, 0, 4, 1))
@example((2, 2, 16), (8, 0, 2, 0, 0))
@example((50, 0, 49), (1, 99, 0, 0, 0))
def test_interval_likelihood_and_p_value_say_the_same(games: tuple[int, int, int], pairs: tuple[int, ...]) -> None:
    for summary in (trinomial(*games), pentanomial(pairs)):
        assert summary.proven == (summary.p_value < 0.05)
        assert summary.proven == (not 0.025 <= summary.los <= 0.975)
        assert summary.los == 0.5 or (summary.los > 0.5) == (summary.score > 0.5)
        assert 0.0 <= summary.score_low <= summary.score + 1e-12 and summary.score - 1e-12 <= summary.score_high <= 1.0
        excluded = summary.score_low >= 0.5 + 1e-9 or summary.score_high <= 0.5 - 1e-9
        touching = min(abs(summary.score_low - 0.5), abs(summary.score_high - 0.5)) < 1e-9
        assert excluded == summary.proven or touching


@repeatable
@given(st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_the_p_value_of_a_few_pairs_is_the_share_of_their_reversals(pairs: list[int]) -> None:
    """All ways to give each decided pair to either player, one by one."""
    leads = [lead for lead, count in zip((-2, -1, 1, 2), (*pairs[:2], *pairs[3:]), strict=True) for _ in range(count)]
    ways = [sum(signed) for signed in product(*((lead, -lead) for lead in leads))]
    share = sum(abs(way) >= abs(sum(leads)) for way in ways) / len(ways)
    assert pentanomial(pairs).p_value == pytest.approx(share, rel=1e-12)


def test_the_quantiles_are_those_of_student() -> None:
    for freedom in (1, 2, 3, 5, 6, 9, 19, 99, 10_000):
        assert student_quantile(freedom) == pytest.approx(float(stdtrit(freedom, 0.975)), rel=1e-3)


@pytest.mark.parametrize(
    ("won", "drawn", "lost", "p_value"),
    [
        (105, 1, 94, 0.48),
        (250, 15, 235, 0.53),
        (119, 5, 76, 0.0025),
        (10, 0, 0, 2 / 2**10),
        (3, 9, 2, 1.0),
        (0, 7, 0, 1.0),
    ],
)
def test_exact_p_value(won: int, drawn: int, lost: int, p_value: float) -> None:
    digits = 4 if p_value < 0.01 else 2
    assert round(trinomial(won, drawn, lost).p_value, digits) == round(p_value, digits)


@repeatable
@given(st.integers(0, 60), st.integers(0, 60))
def test_exact_p_value_against_the_plain_sum(won: int, lost: int) -> None:
    games = won + lost
    tail = sum(math.comb(games, k) for k in range(max(won, lost), games + 1))
    assert trinomial(won, 3, lost).p_value == pytest.approx(min(1.0, 2 * tail / 2**games), rel=1e-9)


def test_pair_p_value_is_the_two_sided_normal_one() -> None:
    summary = pentanomial([43, 61, 144, 55, 37])
    assert summary.p_value == pytest.approx(2 * summary.los)
    assert pentanomial([37, 55, 144, 61, 43]).p_value == pytest.approx(summary.p_value)


def test_counts_of_games_and_pairs() -> None:
    assert (trinomial(1, 2, 4).games, trinomial(1, 2, 4).pairs) == (7, 0)
    assert (pentanomial([1, 2, 3, 4, 5]).games, pentanomial([1, 2, 3, 4, 5]).pairs) == (30, 15)
    assert trinomial(3, 2, 0).score == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("summary", "los"), [(trinomial(5, 0, 0), 1 - 1 / 2**5), (pentanomial([5, 0, 0, 0, 0]), 1 / 2**5)]
)
def test_clean_sweep_is_as_certain_as_its_length_and_finite(summary: Summary, los: float) -> None:
    assert summary.los == pytest.approx(los)
    assert abs(summary.elo) == pytest.approx(elo_from_score(0.999))
    assert "1200" not in summary.elo_text() and "(95 %)" in summary.elo_text()


@pytest.mark.parametrize("summary", [trinomial(0, 0, 0), pentanomial([0] * 5)])
def test_no_games_say_nothing(summary: Summary) -> None:
    assert (summary.elo, summary.los, summary.p_value, summary.games) == (0.0, 0.5, 1.0, 0)
    assert summary.elo_low < -1000 and summary.elo_high > 1000


@repeatable
@given(three, five)
def test_everything_is_finite_and_in_range(games: tuple[int, int, int], pairs: tuple[int, ...]) -> None:
    for summary in (trinomial(*games), pentanomial(pairs)):
        assert all(math.isfinite(value) for value in astuple(summary))
        assert 0.0 <= summary.los <= 1.0
        assert 0.0 <= summary.p_value <= 1.0
        assert summary.elo_error >= 0.0
        assert summary.nelo_error > 0.0


def assert_mirrored(summary: Summary, mirror: Summary) -> None:
    assert mirror.elo == pytest.approx(-summary.elo, rel=1e-6, abs=1e-6)
    assert mirror.nelo == pytest.approx(-summary.nelo, rel=1e-6, abs=1e-6)
    assert mirror.los == pytest.approx(1.0 - summary.los, abs=1e-6)
    assert mirror.elo_error == pytest.approx(summary.elo_error, rel=1e-6, abs=1e-6)
    assert mirror.p_value == pytest.approx(summary.p_value, rel=1e-6, abs=1e-9)


@repeatable
@given(three, five)
def test_swapping_the_players_swaps_the_verdict(games: tuple[int, int, int], pairs: tuple[int, ...]) -> None:
    assert_mirrored(trinomial(*games), trinomial(*games[::-1]))
    assert_mirrored(pentanomial(pairs), pentanomial(pairs[::-1]))


@repeatable
@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(1, 1000))
def test_one_loss_turned_into_a_win_raises_elo_and_los(won: int, drawn: int, lost: int) -> None:
    before, after = trinomial(won, drawn, lost), trinomial(won + 1, drawn, lost - 1)
    assert after.elo > before.elo or after.elo == pytest.approx(elo_from_score(0.999))
    assert after.los >= before.los


@repeatable
@given(st.floats(-1190, 1190))
def test_elo_and_score_undo_each_other(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_score_of_known_elo() -> None:
    assert score_from_elo(400.0) == pytest.approx(10 / 11)
    assert score_from_elo(-1e9) == 0.0
    assert score_from_elo(1e9) == 1.0


@pytest.mark.parametrize(
    ("bad", "words"),
    [((1, -2, 3), "drawn, got -2"), ((1.5, 2, 3), "won, got 1.5"), ((1, 2, 10**10), "lost"), ((math.nan, 0, 0), "nan")],
)
def test_bad_counts_are_named(bad: tuple[int, int, int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        trinomial(*bad)


def test_wrong_number_of_pair_counts() -> None:
    with pytest.raises(InputError, match=r"expected 5 counts .* got 3"):
        pentanomial([1, 2, 3])


def test_sentence_names_the_player_and_does_not_call_noise_an_improvement() -> None:
    sure, unsure = pentanomial([34, 54, 63, 64, 75]), trinomial(76, 123, 89)
    assert sure.sentence("new", "old") == (
        "new is stronger than old by 56 Elo (95 %: 28 … 83) over 580 games, p 5.9e-05."
    )
    assert unsure.sentence("new", "old") == (
        "new and old cannot be told apart: -16 (95 %: -46 … +15) Elo over 288 games, p 0.35."
    )


@repeatable
@given(st.integers(0, 10**6), st.integers(0, 10**6))
@example(0, 1)
@example(0, 1100)
@example(10**9, 10**9 - 1)
@example(10**9, 10**9 - 200_000)
@example(15, 16)
def test_the_exact_p_value_is_the_incomplete_beta_function(won: int, lost: int) -> None:
    more, fewer = max(won, lost), min(won, lost)
    expected = 1.0 if won == lost else min(1.0, 2.0 * float(betainc(more, fewer + 1, 0.5)))
    assert binomial_p_value(won, lost) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_a_p_value_is_never_written_as_nothing() -> None:
    assert trinomial(743, 55, 2).p_text == "p < 1e-20" and trinomial(743, 55, 2).sentence("a", "b").endswith(
        "p < 1e-20."
    )
    assert trinomial(20, 10, 5).p_text == f"p {trinomial(20, 10, 5).p_value:.2g}"
