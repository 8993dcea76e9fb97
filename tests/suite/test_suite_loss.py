"""What a move costs: the known values, and what holds for all scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.suite.loss import (
    HIGHEST,
    MATE,
    loss_between,
    mate_distance,
    parse_score,
    score_text,
    suite_score,
    win_probability,
)

SCORES = st.integers(-MATE, MATE)


@pytest.mark.parametrize(
    ("best", "played", "lost"),
    [
        (300, -300, 49.7), (10000, 300, 25.1), (700, 200, 25.3), (-200, -700, 25.3), (100, 50, 4.5), (50, 0, 4.5),
        (100, -100, 18.0), (0, -200, 17.4), (10000, 2000, 0.07), (10000, -10000, 100),
    ],
)  # fmt: skip
def test_known_values(best, played, lost):
    assert loss_between(best, played) == pytest.approx(lost, abs=0.05 if lost > 1 else 0.005)


@given(SCORES)
def test_a_best_move_costs_nothing(score):
    assert loss_between(score, score) == 0


@given(SCORES, st.lists(SCORES, min_size=1), st.floats(50, 1000))
def test_a_loss_is_never_negative_and_at_most_100(best, others, scale):
    for other in others:
        assert 0 <= loss_between(max(best, other), min(best, other), scale) <= 100


@given(SCORES, SCORES, SCORES)
def test_giving_up_more_never_costs_less(a, b, c):
    worst, middle, best = sorted((a, b, c))
    assert loss_between(best, worst) >= loss_between(best, middle)
    assert loss_between(best, worst) >= loss_between(middle, worst)


@given(st.integers(2000, MATE), st.integers(2000, MATE))
def test_between_clearly_winning_moves_almost_nothing_is_lost(a, b):
    assert loss_between(max(a, b), min(a, b)) < 0.08
    assert loss_between(-min(a, b), -max(a, b)) < 0.08


@given(SCORES)
def test_chances_of_both_sides_add_up(score):
    assert win_probability(score) + win_probability(-score) == pytest.approx(1)


def test_rows_of_scores_give_what_single_ones_do():
    best, played = np.array([300, 100, 0]), np.array([-300, 50, 0])
    alone = [loss_between(int(a), int(b)) for a, b in zip(best, played, strict=True)]
    assert loss_between(best, played) == pytest.approx(alone)


@pytest.mark.parametrize(
    ("name", "plies", "distance"), [("chess", 1, 1), ("chess", 5, 3), ("chess", 6, 3), ("shogi", 5, 5)]
)
def test_mates_are_counted_down_from_10000_as_players_count_them(name, plies, distance):
    game = find_game(name)
    assert suite_score(game, game.win - plies) == MATE - distance
    assert suite_score(game, plies - game.win) == distance - MATE


def test_amounts_stay_below_mates():
    chess, othello = find_game("chess"), find_game("othello")
    assert suite_score(chess, 35) == 35
    assert suite_score(chess, 20_000) == HIGHEST
    assert suite_score(othello, -6400) == -6400
    assert mate_distance(HIGHEST) is None
    assert (mate_distance(MATE - 3), mate_distance(2 - MATE)) == (3, -2)


@given(
    st.one_of(st.integers(-HIGHEST, HIGHEST), st.integers(HIGHEST + 1, MATE - 1), st.integers(1 - MATE, -HIGHEST - 1))
)
def test_a_score_is_read_back_from_its_text(score):
    assert parse_score(score_text(score)) == score


@pytest.mark.parametrize("text", ["", "#", "+-3", "3.5", "three", "1234567", "--2", "²"])
def test_other_texts_are_no_scores(text):
    assert parse_score(text) is None
