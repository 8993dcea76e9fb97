"""Final and stable depth of a search that reports all moves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalsmith.suite.depths import DepthTable, best_moves, ranked


def table(*depths: dict[int, int]) -> DepthTable:
    made = DepthTable(tuple(sorted({move for scores in depths for move in scores})))
    for depth, scores in enumerate(depths, 1):
        for move, score in scores.items():
            made.add(depth, move, score)
    return made


def test_the_last_depth_where_the_best_move_changed_is_where_stability_begins():
    made = table({1: 10, 2: 0}, {1: 0, 2: 10}, {1: 10, 2: 0}, {1: 15, 2: 0})
    assert made.final() == (4, {1: 15, 2: 0})
    assert made.stable_depth() == 3


def test_others_that_are_as_good_for_a_while_do_not_break_stability():
    assert table({1: 10, 2: 10}, {1: 10, 2: 10}, {1: 10, 2: 0}).stable_depth() == 1


def test_one_of_the_final_best_moves_that_was_not_best_breaks_it():
    assert table({1: 10, 2: 0}, {1: 10, 2: 10}, {1: 10, 2: 10}).stable_depth() == 2


def test_a_better_move_breaks_it():
    assert table({1: 10, 2: 0}, {1: 10, 2: 20}, {1: 10, 2: 0}).stable_depth() == 3


def test_a_depth_that_lacks_a_move_counts_for_nothing():
    made = table({1: 10, 2: 0}, {1: 12, 2: 0})
    made.add(3, 2, 50)
    assert made.final() == (2, {1: 12, 2: 0})
    assert made.stable_depth() == 1


def test_without_a_complete_depth_the_last_scores_count():
    made = DepthTable((1, 2, 3))
    made.add(1, 1, 5)
    made.add(2, 1, 7)
    made.add(1, 2, 3)
    assert made.final() == (0, {1: 7, 2: 3})
    assert made.stable_depth() == 0


@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=8))
def test_from_the_stable_depth_on_all_final_best_moves_are_best_and_before_it_they_are_not(rows):
    made = table(*(dict(enumerate(row)) for row in rows))
    depth, scores = made.final()
    final, stable = best_moves(scores), made.stable_depth()
    assert 1 <= stable <= depth == len(rows)
    assert all(final <= best_moves(made.depths[d]) for d in range(stable, depth + 1))
    assert stable == 1 or not final <= best_moves(made.depths[stable - 1])


def test_moves_are_ranked_best_first_and_equal_ones_by_number():
    assert list(ranked({7: 1, 3: 5, 2: 1})) == [(3, 5), (2, 1), (7, 1)]
