"""How far weights are from known values: the numbers by stage, the search beside them, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sliced_heaps

from evalsmith.engine import Limit, Searcher, evaluate
from evalsmith.fit.accuracy import Accuracy, accuracy, check_weights
from evalsmith.fit.targets import WIN_SHARE
from evalsmith.games import find_game
from evalsmith.positions.samples import EXACT, SEARCH, UNKNOWN
from evalsmith.run.errors import InputError
from evalsmith.weights import starting_weights
from evalsmith.weights.evaluating import evaluations
from fitting_samples import random_samples, random_weights, valued

FOUR, OTHELLO, SLICED = find_game("connect_four"), find_game("othello"), sliced_heaps.GAME
START = starting_weights(OTHELLO)


@pytest.mark.parametrize("game", [FOUR, OTHELLO, SLICED], ids=lambda game: game.name)
def test_evaluations_are_those_of_the_search(game):
    samples, weights = random_samples(game, 3), random_weights(game, 2)
    found = evaluations(game, weights, samples.words)
    assert found.tolist() == [evaluate(game, weights, row) for row in samples.words]


def test_the_numbers():
    found = accuracy(np.array([100.0, -300.0, 0.0]), np.array([300.0, -200.0, 0.0]))
    assert found == Accuracy(3, 1.0, pytest.approx(2 / 3 / 2**0.5), -1.0, pytest.approx(5 / 3), pytest.approx(0.6))
    assert accuracy(np.zeros(0), np.zeros(0)) == Accuracy(0, 0.0, 0.0, 0.0, 0.0, None)
    assert accuracy(np.ones(1), np.zeros(1)).ratio is None


def test_true_weights_have_no_error_and_others_do():
    truth = random_weights(OTHELLO, 1)
    samples = valued(OTHELLO, random_samples(OTHELLO, 4), truth)
    found = check_weights(truth, [samples])
    assert found.static.error == found.static.bias == 0 and found.static.ratio == 0
    assert (found.scored, found.results) == (len(samples), 0)
    other = check_weights(START, [samples.part(0, 100), samples.part(100, len(samples))])
    off = (np.array([evaluate(OTHELLO, START, row) for row in samples.words]) - samples.score) / 100
    assert other.static.error == pytest.approx(np.abs(off).mean())
    assert other.static.bias == pytest.approx(off.mean())
    assert [stage.phase for stage in other.stages] == np.unique(samples.phase).tolist()
    for stage in other.stages:
        here = samples.phase == stage.phase
        assert stage.name == f"{stage.phase} empties" and stage.static.positions == here.sum()
        assert stage.static.error == pytest.approx(np.abs(off[here]).mean())
        assert stage.static.zero == pytest.approx(np.abs(samples.score[here]).mean() / 100)


def test_results_count_where_there_is_no_score():
    samples = valued(OTHELLO, random_samples(OTHELLO, 4), START)
    even = samples.game % 2 == 0
    mixed = replace(
        samples,
        score=np.where(even, samples.score, UNKNOWN).astype(np.int32),
        result=np.where(samples.game == 1, 1200, UNKNOWN).astype(np.int32),
    )
    found = check_weights(START, [mixed])
    assert (found.scored, found.results) == (even.sum(), (samples.game == 1).sum())


def test_the_search_is_that_of_its_depth_on_a_sample_that_repeats():
    weights = START
    samples = valued(OTHELLO, random_samples(OTHELLO, 4), random_weights(OTHELLO, 1, 20))
    every = check_weights(weights, [samples], depths=[2], sample=10_000, concurrency=2)
    searcher = Searcher(OTHELLO, weights, 1 << 18)
    values = []
    for row in samples.words:
        searcher.new_game()
        values.append(searcher.think(row, Limit(depth=2)).lines[0].score)
    assert every.searches[0].error == pytest.approx(np.abs(np.array(values) - samples.score).mean() / 100)
    assert every.searched == every.static
    first, second = (check_weights(weights, [samples], depths=[1], sample=20, concurrency=n) for n in (1, 2))
    assert first == second and first.searches[0].positions == 20
    assert sum(stage.searches[0].positions for stage in first.stages) == 20
    parts = [samples.part(i, i + 50) for i in range(0, len(samples), 50)]
    assert check_weights(weights, parts, depths=[1], sample=20).searches == first.searches
    assert check_weights(weights, [samples], depths=[1], sample=20, seed=2).searches != first.searches


def test_several_depths_are_judged_on_the_same_positions():
    samples = valued(OTHELLO, random_samples(OTHELLO, 3), random_weights(OTHELLO, 1, 20))
    both = check_weights(START, [samples], depths=[1, 3], sample=15)
    alone = [check_weights(START, [samples], depths=[depth], sample=15) for depth in (1, 3)]
    assert both.searches == tuple(one.searches[0] for one in alone)
    assert both.by_depth() == [(1, both.searches[0]), (3, both.searches[1])]
    assert all(len(stage.searches) == 2 for stage in both.stages)


def test_exact_values_and_stages_alone():
    samples = valued(OTHELLO, random_samples(OTHELLO, 3), random_weights(OTHELLO, 1, 20))
    chosen = (samples.phase % 3 == 0) & (samples.phase <= 30)
    marked = replace(samples, label=np.where(chosen, EXACT, SEARCH).astype(np.int8))
    found = check_weights(START, [marked], exact=True, stages="10-60")
    assert found.static == check_weights(START, [marked.take(chosen & (samples.phase >= 10))]).static
    with pytest.raises(InputError, match="no position with an exact value"):
        check_weights(START, [marked], exact=True, stages="31-60")


def test_proven_wins_count_as_won_games():
    samples = random_samples(FOUR, 6)
    late = samples.take(np.flatnonzero(np.append(np.diff(samples.game) != 0, True)))  # before the last move
    won = replace(late, score=np.full(len(late), FOUR.win, np.int32))
    found = check_weights(starting_weights(FOUR), [won], depths=[2], sample=100)
    assert found.static.zero == pytest.approx(FOUR.win / WIN_SHARE / 100)
    assert found.searches[0].error < found.searched.error


def test_refusals():
    samples = random_samples(OTHELLO, 1)
    with pytest.raises(InputError, match="no position with a known value to check against"):
        check_weights(START, [samples])
    with pytest.raises(InputError, match="no position with a known value"):
        check_weights(START, [])
    for depth, sample in ((0, 5), (-1, 5), (1, 0)):
        with pytest.raises(InputError, match="must"):
            check_weights(START, [samples], depths=[depth], sample=sample)


# ── Differences ──
