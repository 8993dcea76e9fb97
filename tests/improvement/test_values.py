"""What positions of self-play are worth in a game with a margin."""

from __future__ import annotations

import numpy as np

from evalsmith.games import find_game
from evalsmith.improvement.values import carried_back, margin_values
from evalsmith.positions.samples import EXACT, NONE, PLAYOUT, REPORTED, UNKNOWN, Samples

GAME = find_game("othello")


def samples(*rows: tuple[int, int, int, int, int]) -> Samples:
    """Rows of game, ply, result, score, label."""
    game, ply, result, score, label = (np.array(column) for column in zip(*rows, strict=True))
    words = np.zeros((len(rows), GAME.words), dtype=np.uint64)
    words[:, 0] = np.arange(len(rows))
    zeros = np.zeros(len(rows), dtype=np.int32)
    return Samples(words, game, ply, zeros, result.astype(np.int32), score.astype(np.int32), label.astype(np.int8))


def test_an_exact_value_goes_back_to_the_positions_before_it_with_its_sign() -> None:
    # The mover loses by 4 with best play from ply 12 on; the game then ended 10 better for that side.
    rows = samples((1, 10, 600, 0, NONE), (1, 11, -600, 50, REPORTED), (1, 12, 600, -400, EXACT), (2, 3, 200, 0, NONE))
    assert carried_back(rows).tolist() == [-400, 400, -400, 200]


def test_a_drawn_game_and_one_before_a_random_move_keep_what_they_have() -> None:
    rows = samples((1, 10, 0, 100, REPORTED), (1, 11, 0, 300, EXACT), (2, 1, UNKNOWN, 70, REPORTED))
    assert carried_back(rows).tolist() == [0, 0, UNKNOWN]


def test_a_score_and_the_rest_of_the_game_are_mixed_by_the_share_of_the_result() -> None:
    rows = samples((1, 1, 800, 400, REPORTED), (1, 0, UNKNOWN, 100, REPORTED), (1, 2, -800, 0, NONE))
    mixed = margin_values(GAME, rows, 0.25)
    assert mixed.ply.tolist() == [0, 1, 2]
    assert mixed.score.tolist() == [100, 500, -800]
    assert mixed.label.tolist() == [PLAYOUT] * 3


def test_results_alone_leave_out_what_has_none() -> None:
    rows = samples((1, 0, UNKNOWN, 100, REPORTED), (1, 1, 800, 400, REPORTED))
    alone = margin_values(GAME, rows, 1.0)
    assert (alone.ply.tolist(), alone.score.tolist()) == ([1], [800])


def test_an_exact_value_is_never_mixed_and_a_score_is_cut_at_the_largest_margin() -> None:
    rows = samples((1, 5, UNKNOWN, 9000, REPORTED), (1, 6, 200, -300, EXACT))
    found = margin_values(GAME, rows, 0.5)
    assert found.score.tolist() == [GAME.margin, -300]
    assert found.label.tolist() == [PLAYOUT, EXACT]
