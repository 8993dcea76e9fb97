"""The evaluation taken apart: parts that add up, and layouts that know their numbers."""

from __future__ import annotations

import functools
import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from evalsmith.engine import evaluate
from evalsmith.games import OVER, Game, Position, find_game
from evalsmith.games.board import Board
from evalsmith.weights import Explanation, Layout, Weights, explain_position, starting_weights
from evalsmith.weights.summing import Sum

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


@functools.cache
def places(game: Game) -> dict[str, dict[str, int]]:
    """The weights of each feature by their names."""
    return {feature.name: {feature.describe(i): i for i in range(feature.size)} for feature in game.evaluation.features}


def exact_sum(weights: Weights, explained: Explanation) -> Fraction:
    """The parts again from the numbers, without rounding."""
    layout, total = weights.layout, Fraction(0)
    first, second, share = layout.blend[explained.phase]
    for part in explained.parts:
        block = layout.slice_of(part.feature)
        within = places(weights.game)[part.feature][part.index]
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


# ── Sums ──

AFTER_NC6 = "r1bqkb1r/pppp1ppp/2n5/4p3/4P1n1/5N2/PPPP1PPP/RNB1K2R b KQkq - 2 3"  # white lacks a queen and a bishop


def groups(found: Explanation) -> dict[str, Sum]:
    return {group.whole.name: group.whole for group in found.sums.groups}


@pytest.mark.parametrize("name", ["chess", "shogi", "dvonn", "othello", "drmario", "connect_four"])
def test_sums_of_groups_and_features_add_up_to_the_score(name: str) -> None:
    game = find_game(name)
    weights, board = random_weights(game), Board(game)
    choose = random.Random(2)
    for _ in range(60):
        if board.outcome() is not None or len(board.legal_moves()) == 0:
            break
        board.push(choose.choice(board.legal_moves()))
        found = explain_position(weights, board.position)
        assert abs(found.score - found.sums.total) <= Fraction(1, 2)
        assert found.rounding == float(found.score - found.sums.total)
        assert math.isclose(sum(part.part for part in found.parts), float(found.sums.total), abs_tol=1e-6)
        mover = game.mover(board.position)
        for group in found.sums.groups:
            assert group.whole.total == tuple(map(sum, zip(*(one.total for one in group.features), strict=True)))
            for one in (group.whole, *group.features):
                if one.sides is not None:
                    lead = zip(one.sides[mover], one.sides[1 - mover], strict=True)
                    assert one.total == tuple(own - enemy for own, enemy in lead)


def test_both_sides_stand_side_by_side_in_both_columns() -> None:
    chess = find_game("chess")
    weights = starting_weights(chess)
    found = explain_position(weights, chess.parse(AFTER_NC6))
    material = groups(found)["material"]
    block = weights.values[:, weights.layout.slice_of("material")].astype(int)
    white, black = np.array([8, 2, 1, 2, 0]), np.array([8, 2, 2, 2, 1])
    assert material.sides == (tuple(block @ white), tuple(block @ black))
    assert found.sums.columns == ("middle game", "endgame")
    head = str(found.tables()[0]).splitlines()
    assert head[0].split("─") != [head[0]] and "black − white" in head[0] and "white" in head[0].split("black")[0]
    assert head[1].split() == ["parts", "(centipawns)", *(["middle", "game", "endgame"] * 3), "part"]
    assert "part is 79 % middle game and 21 % endgame" in head[-1]


def test_squares_are_those_of_the_board() -> None:
    chess, shogi = find_game("chess"), find_game("shogi")
    parts = explain_position(starting_weights(chess), chess.parse(AFTER_NC6)).parts
    assert {(part.side, part.index) for part in parts if part.term == "knight square"} == {
        ("black", "on c6"), ("black", "on g4"), ("white", "on f3"), ("white", "on b1"),
    }  # fmt: skip
    shelter = {part.index for part in parts if part.term == "king shelter" and part.side == "black"}
    assert "a file beside: own pawn on rank 7" in shelter
    parts = explain_position(starting_weights(shogi), shogi.start()).parts
    assert {(part.side, part.index) for part in parts if part.term == "rook on square"} == {
        ("black", "2h"), ("white", "8b"),
    }  # fmt: skip


def test_othello_names_the_squares_and_the_discs_that_a_pattern_sees() -> None:
    parts = explain_position(starting_weights(OTHELLO), OTHELLO.parse("f5d6c3")).parts
    [line] = [part for part in parts if part.term == "line8 a6…h6"]
    assert line.index == "a6- b6- c6- d6O e6- f6- g6- h6-"
    [row] = [part for part in parts if part.term == "line8 c1…c8"]
    assert row.index == "c1- c2- c3X c4- c5- c6- c7- c8-"
    whose = {part.term: part.side for part in parts if part.feature in ("mobility", "enemy mobility", "line8")}
    assert (whose["mobility"], whose["enemy mobility"], whose["line8 c1…c8"]) == ("white", "black", None)


def test_a_game_that_says_nothing_of_sides_has_totals_alone() -> None:
    plain = tuple(replace(feature, whose="", group="") for feature in FOUR.evaluation.features)
    game = replace(FOUR, name="connect_four")
    game.__dict__["evaluation"] = replace(FOUR.evaluation, features=plain)
    found = explain_position(starting_weights(game), game.parse("445"))
    assert set(groups(found)) == {"line", "cell", "block", "move"} and all(
        one.sides is None for one in groups(found).values()
    )
    assert str(found.tables()[0]).splitlines()[0].split() == ["parts", "(centistones)", "opening", "ending", "part"]


def test_no_terms_is_said_in_words() -> None:
    found = explain_position(starting_weights(find_game("dvonn")), find_game("dvonn").start())
    assert str(found) == "no term of the evaluation occurs in this position\nscore 0 stones for white, who moves"


def test_json_keeps_its_keys_and_adds_the_sums() -> None:
    chess = find_game("chess")
    document = explain_position(starting_weights(chess), chess.parse(AFTER_NC6)).to_json()
    assert {"score", "terms", "sums", "rounding", "unit"} <= document.keys()
    assert {"term", "feature", "value", "weight", "part"} <= document["terms"][0].keys()
    [material] = [group for group in document["sums"]["groups"] if group["name"] == "material"]
    assert set(material["sides"]) == {"white", "black"} and set(material["total"]) == {"middle game", "endgame"}
    assert math.isclose(document["score"] - document["rounding"], document["sums"]["total"])


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
