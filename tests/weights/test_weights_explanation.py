"""The evaluation taken apart: parts that add up, and layouts that know their numbers."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from evalsmith.engine import evaluate
from evalsmith.games import OVER, Game, Position, find_game
from evalsmith.weights import Explanation, Layout, Weights, explain_position, starting_weights

FOUR = find_game("connect_four")
OTHELLO = find_game("othello")


def positions(game: Game, games: int) -> list[Position]:
    choose, found = random.Random(1), []
    for _ in range(games):
        position = game.start()
        while game.status(position) != OVER:
            found.append(position)
            position = game.play(position, choose.choice(game.moves(position)))
    return found


def random_weights(game: Game) -> Weights:
    shape = starting_weights(game).values.shape
    return Weights(game, np.random.default_rng(3).integers(-999, 1000, shape, dtype=np.int32))


def exact_sum(weights: Weights, explained: Explanation) -> Fraction:
    """The parts again from the numbers, without rounding."""
    layout, total = weights.layout, Fraction(0)
    first, second, share = layout.blend[explained.phase]
    describe = {feature.name: feature.describe for feature in weights.game.evaluation.features}
    for part in explained.parts:
        block = layout.slice_of(part.feature)
        within = [describe[part.feature](i) for i in range(block.stop - block.start)].index(part.index)
        early, late = (int(weights.values[column, block.start + within]) for column in (first, second))
        weight = early + Fraction(share, layout.scale) * (late - early)
        assert math.isclose(part.weight, weight)
        assert math.isclose(part.part, part.value * weight)
        total += part.value * weight
    return total


def test_blended_parts_add_up_to_the_score_before_rounding() -> None:
    weights = random_weights(FOUR)
    for position in positions(FOUR, 8):
        explained = explain_position(weights, position)
        assert explained.score == evaluate(FOUR, weights, position)
        assert explained.score == math.floor(exact_sum(weights, explained) + Fraction(1, 2))


def test_the_largest_part_comes_first() -> None:
    explained = explain_position(random_weights(FOUR), positions(FOUR, 1)[-1])
    sizes = [abs(part.part) for part in explained.parts]
    assert sizes == sorted(sizes, reverse=True)


def test_terms_are_named_where_the_game_names_them() -> None:
    explained = explain_position(starting_weights(OTHELLO), OTHELLO.start())
    named = dict(OTHELLO.evaluation.terms or ())
    assert {part.term for part in explained.parts} == set(named)
    assert all(named[part.term] == part.feature for part in explained.parts)
    assert {part.term for part in explain_position(starting_weights(FOUR), FOUR.start()).parts} == {"move"}


# ── Layouts ──


@pytest.mark.parametrize("game", [FOUR, OTHELLO], ids=lambda game: game.name)
def test_a_layout_finds_what_it_names(game: Game) -> None:
    layout = Layout.of(game)
    place = 0
    for name, size in layout.features:
        assert layout.slice_of(name) == slice(place, place + size)
        assert layout.feature_at(place) == (name, 0)
        assert layout.feature_at(place + size - 1) == (name, size - 1)
        place += size
    assert place == layout.size == game.evaluation.size
    with pytest.raises(KeyError, match="nothing"):
        layout.slice_of("nothing")
    with pytest.raises(IndexError):
        layout.feature_at(layout.size)


def test_sliced_or_blended() -> None:
    assert Layout.of(OTHELLO).sliced
    assert not Layout.of(FOUR).sliced


def test_a_layout_agrees_with_its_own_text() -> None:
    for game in (FOUR, OTHELLO):
        assert Layout.of(game).differences(Layout.of(game).to_json()) is None


def test_blend_rows_are_flat() -> None:
    rows = Layout.of(FOUR).blend_rows()
    assert rows.dtype == np.int32
    assert rows.reshape(-1, 3).tolist() == [[0, 1, stones] for stones in range(43)]
