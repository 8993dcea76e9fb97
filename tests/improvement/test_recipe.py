"""What suits a kind of game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.improvement.recipe import Candidate, recipe_for, require_terms
from evalsmith.improvement.settings import ImproveSettings
from evalsmith.run import InputError
from evalsmith.weights import Weights, starting_weights


def test_margins_are_mixed_and_wins_are_fitted_to_scores_of_quiet_positions() -> None:
    margin, won = (recipe_for(find_game(name), ImproveSettings()) for name in ("dvonn", "chess"))
    assert margin.by_margin and margin.fit_settings(Candidate(100, 0.5), 1).target == "label"
    assert not won.by_margin and won.candidates(starting_weights(won.game)) == (Candidate(10, 0),)
    assert won.fit_settings(Candidate(10, 0), 1).target == "score"
    assert won.fit_settings(Candidate(10, 1), 1).target == "result"
    assert won.fit_settings(Candidate(10, 0.5), 1).target == "mix"


def test_a_game_with_few_weights_also_tries_results(monkeypatch: pytest.MonkeyPatch) -> None:
    assert recipe_for(find_game("connect_four"), ImproveSettings()).result_share == (0.0,)
    monkeypatch.setattr("evalsmith.improvement.recipe.FEW_WEIGHTS", 1_000_000)
    recipe = recipe_for(find_game("connect_four"), ImproveSettings())
    assert [one.result_share for one in recipe.candidates(starting_weights(recipe.game))] == [0.0, 0.5]


def test_searches_of_weights_that_are_all_zero_count_for_nothing() -> None:
    recipe = recipe_for(find_game("connect_four"), ImproveSettings())
    zeros = Weights(recipe.game, np.zeros_like(starting_weights(recipe.game).values))
    assert recipe.candidates(zeros) == (Candidate(recipe.penalty[0], 1.0),)


def test_what_the_user_says_goes_before_it() -> None:
    asked = ImproveSettings(games=50, nodes=7, penalty=(3.0, 1.0), result_share=(0.0, 0.5))
    recipe = recipe_for(find_game("dvonn"), asked)
    assert (recipe.games, recipe.nodes) == (50, 7)
    assert len(recipe.candidates(starting_weights(recipe.game))) == 4


def test_ends_are_solved_where_there_is_a_solver() -> None:
    othello, dvonn = find_game("othello"), find_game("dvonn")
    assert recipe_for(othello, ImproveSettings()).solved == 10
    assert recipe_for(othello, ImproveSettings(solved=12)).solved == 12
    assert recipe_for(dvonn, ImproveSettings()).solved is None
    with pytest.raises(InputError, match="DVONN has no solver for many positions; leave out --solved"):
        recipe_for(dvonn, ImproveSettings(solved=12))


def test_a_game_without_terms_is_refused() -> None:
    game = replace(find_game("connect_four"))
    bare = replace(game.evaluation, features=())
    vars(game)["evaluation"] = bare
    with pytest.raises(InputError, match="Connect Four has no terms, so it has no weights to improve"):
        require_terms(game)


def test_a_candidate_named_twice_is_refused() -> None:
    with pytest.raises(InputError, match="penalty has a value more than once: 10, 10"):
        ImproveSettings(penalty=(10.0, 10.0))
