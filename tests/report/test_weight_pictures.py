"""Weights as pictures: maps of squares, curves of amounts and tables of names, for every game."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest

from evalsmith.games import Feature, find_game
from evalsmith.report import Page
from evalsmith.report.weights import weight_sections
from evalsmith.weights import Weights, starting_weights


def overview(game: str, feature: str):
    [found] = [each for each in find_game(game).evaluation.features if each.name == feature]
    assert found.overview is not None
    return found


def shown(weights: Weights, start: Weights | None) -> tuple[str, str]:
    page = Page("title")
    weight_sections(page, weights, start)
    text = page.render()
    return text, re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def cell(view, row: str, column: str) -> float:
    return float(view.matrix[view.rows.index(row), view.columns.index(column)])


def test_a_map_of_chess_has_rank_8_on_top() -> None:
    knight = overview("chess", "knight square")
    view = knight.overview(np.arange(64, dtype=np.int32))
    assert view.rows[0] == "8" and view.columns == tuple("abcdefgh")
    for index in (0, 7, 28, 63):
        name = knight.describe(index).removeprefix("on ")
        assert cell(view, name[1], name[0]) == index
    pawn = overview("chess", "pawn square")
    view = pawn.overview(np.arange(48, dtype=np.int32))
    assert np.isnan(view.matrix[0]).all() and np.isnan(view.matrix[7]).all() and cell(view, "2", "a") == 0


def test_a_map_of_shogi_is_a_diagram() -> None:
    rook = overview("shogi", "rook on square")
    view = rook.overview(np.arange(81, dtype=np.int32))
    assert view.matrix.shape == (9, 9) and (view.rows[0], view.columns[0]) == ("a", "9")
    for index in (0, 8, 9, 40, 80):
        name = rook.describe(index)
        assert cell(view, name[1], name[0]) == index


@pytest.mark.parametrize("game", ["chess", "shogi", "dvonn", "drmario", "connect_four", "othello"])
def test_every_game_has_pictures_and_no_empty_section(game: str) -> None:
    start = starting_weights(find_game(game))
    text, words = shown(Weights(start.game, start.values + 3, "fitted"), start)
    assert "The weights" in words and ">no data<" not in re.sub(r"<title>[^<]*</title>", "", text) and "<svg" in text
    assert not re.search(r"</h([23])>\s*<h[23]", text.replace('<h2 id="the-weights"', "")), "a heading without content"


def test_names_that_differ_at_their_end_are_not_cut() -> None:
    """Two columns leave most of a small picture to the names; a cut title still says before or after."""
    start = starting_weights(find_game("drmario"))
    _, words = shown(Weights(start.game, start.values + 3, "fitted"), start)
    [runs] = [each for each in start.game.evaluation.features if each.name == "runs"]
    assert "for the player" in words and "side to move" not in words
    for index in range(runs.size):
        assert words.count(f" {runs.describe(index)} ") >= 3  # in the map before, after and of the difference
    start = starting_weights(find_game("shogi"))
    _, words = shown(Weights(start.game, start.values + 3, "fitted"), start)
    for kind in ("before", "after", "difference"):
        assert f"{kind}: square at the enemy's k" in words


def test_material_is_a_table_of_before_after_and_difference() -> None:
    start = starting_weights(find_game("chess"))
    values = start.values.copy()
    part = start.layout.slice_of("material")
    values[:, part] += 7
    _, words = shown(Weights(start.game, values, "fitted"), start)
    pawn = start.values[:, part][:, 0]
    assert f"pawn {pawn[0]} {pawn[0] + 7} +7 {pawn[1]} {pawn[1] + 7} +7" in words


def test_maps_of_a_feature_share_one_scale() -> None:
    chess = find_game("chess")
    start = starting_weights(chess)
    values = start.values.copy()
    values[0, start.layout.slice_of("knight square").start] = 400
    text, _ = shown(Weights(chess, values, "fitted"), start)
    knight = text[text.index('id="knight-square"') : text.index('id="bishop-square"')]
    # before, after and difference, in the middle game and in the endgame
    assert (
        knight.count("<svg") == 6
        and knight.count(f"+{max(400, 400 - start.values[0, start.layout.slice_of('knight square').start])} centipawn")
        == 6
    )


def test_an_own_game_without_a_word_about_pictures_has_some() -> None:
    four = find_game("connect_four")
    features = (Feature("steps", 7, ordered=True), Feature("material", 3), Feature("cells", 21))
    game = replace(four, name="own")
    game.__dict__["evaluation"] = replace(four.evaluation, features=features)
    weights = Weights(game, np.arange(62, dtype=np.int32).reshape(2, 31), "fitted")
    text, words = shown(weights, None)
    assert "Material opening ending 0 7 38 1 8 39 2 9 40" in words and text.count("<svg") == 2 and "steps" in words
    assert shown(replace(weights, values=np.zeros((2, 31), dtype=np.int32)), None)[1].count("The weights") == 0


def test_the_weights_of_dvonn_by_zone_are_maps_of_zones_and_columns() -> None:
    start = starting_weights(find_game("dvonn"))
    _text, words = shown(Weights(start.game, start.values + 3, "fitted"), start)
    assert all(f"{kind}: stones" in words for kind in ("before", "after", "difference"))
    assert "holding a red, 49 stacks: " in words  # the tooltip of a cell


def test_amounts_that_no_picture_shows_do_not_set_its_scale() -> None:
    start = starting_weights(find_game("othello"))
    values = start.values.copy()
    values[:, start.layout.slice_of("mobility").start + 64] = 77_777
    text, _ = shown(Weights(start.game, values, "fitted"), None)
    assert "77,777" not in text
