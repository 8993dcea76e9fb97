"""The pages of suites: runs, comparisons and static evaluations; boards with arrows; the table that can be sorted."""

from __future__ import annotations

import base64
import hashlib
import re
from xml.etree import ElementTree

import pytest

import evalsmith as es
from evalsmith.games import find_game
from evalsmith.report.page import Page
from evalsmith.report.sortable import SCRIPT, Row, sortable_table
from evalsmith.report.suite_boards import Played, board_picture
from evalsmith.suite.store import write_suite
from suite_cases import CHESS, MATE_IN_ONE, START, mock, scored_suite

POSITIONS = {
    "chess": (START, "e2e4"),
    "shogi": (None, "7g7f"),
    "othello": (None, "f5"),
    "dvonn": (None, "A1"),
}


@pytest.fixture
def suite(tmp_path):
    return write_suite(scored_suite(), tmp_path / "small.parquet").path


@pytest.mark.parametrize("name", POSITIONS)
def test_a_move_is_an_arrow_on_every_board(name):
    game = find_game(name)
    text = POSITIONS[name][0] or game.format(game.start())
    position = game.parse(text)
    move = game.format_move(position, game.moves(position)[0])
    plain = board_picture(game, text, [])
    drawn = board_picture(game, text, [Played(move, "#123456", 1.0), Played("nonsense", "#654321", 1.0)])
    ElementTree.fromstring(drawn)
    assert "#123456" in drawn
    assert "#123456" not in plain
    assert "#654321" not in drawn  # what is not legal is not drawn


def test_drops_and_stacks_have_arrows_too():
    shogi = find_game("shogi")
    text = "4k4/9/9/9/9/9/9/9/4K4 b P 1"
    assert "#123456" in board_picture(shogi, text, [Played("P*5e", "#123456", 1.0)])
    assert find_game("othello").move_cells(find_game("othello").parse_move(find_game("othello").start(), "f5"))
    assert find_game("drmario").move_cells(0) == (0, 1)


def test_a_game_without_arrows_has_its_board():
    game = find_game("connect_four")
    assert game.move_cells(3) is None
    assert board_picture(game, game.format(game.start()), [Played("4", "#123456", 1.0)]).startswith("<svg")


def test_the_page_of_a_run(suite, tmp_path):
    result = es.run_suite(suite, mock("illegal", START.split()[0]), depth=3, output=tmp_path / "run")
    page = result.report().read_text()
    for words in (
        "What the moves cost",
        "tactic",
        "phase 0",
        "Failed positions and illegal answers",
        "line 3: not a position",
    ):
        assert words in page
    assert "<script" not in page


def test_the_page_of_a_static_run(suite, tmp_path):
    result = es.run_suite(suite, "hand-set", static=True, output=tmp_path / "run")
    page = es.write_report(tmp_path / "run").read_text()
    assert "rank correlation" in page
    assert str(result.overall.positions) in page


def test_the_page_of_a_comparison_has_every_change_and_both_arrows(suite, tmp_path):
    one = es.run_suite(suite, "self", nodes=2000, output=tmp_path / "a")
    two = es.run_suite(suite, mock(), depth=3, output=tmp_path / "b")
    page = es.compare_suites(one, two).report(tmp_path / "page.html").read_text()
    assert "All changes" in page
    assert page.count('class="arrow"') >= 3
    assert MATE_IN_ONE in page
    assert 'data-tags="tactic"' in page
    assert '<option value="tactic">' in page


def test_only_our_script_may_run():
    page = Page("x")
    rows = [Row([1.5, "</td><script>alert(1)</script>"], ["quiet"]), Row([-2.0, "b"], ["tactic"])]
    sortable_table(page, ["loss", "move"], rows, caption="changes")
    sortable_table(page, ["loss"], [Row([1.0])])
    markup = page.render()
    scripts = re.findall(r"<script>(.*?)</script>", markup, re.DOTALL)
    assert scripts == [SCRIPT]
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in markup.replace("&#x27;", "'").replace("&#39;", "'").replace("&apos;", "'")
    assert 'data-value="-2.0"' in markup


def test_a_page_without_scripts_allows_none():
    assert "script-src" not in Page("x").render()
    assert CHESS.move_cells(CHESS.parse_move(CHESS.start(), "e2e4")) == (12, 28)
