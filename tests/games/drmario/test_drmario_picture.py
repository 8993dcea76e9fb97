"""The bottle as SVG and as terminal text."""

from xml.etree import ElementTree

import pytest
from drmario_twins import bottle_text
from rich.text import Text

from evalsmith.games.drmario import GAME
from evalsmith.run.errors import MoveError

POSITION = GAME.parse(f"{bottle_text(['n.......', 'k.......', 'aqv.c..b'])} RB YY")


def classes(markup):
    root = ElementTree.fromstring(markup)
    return [node.get("class") for node in root.iter() if node.get("class")]


def test_every_piece_is_drawn():
    found = classes(GAME.svg(POSITION))
    assert found.count("virus red") == found.count("virus blue") == found.count("virus yellow") == 1
    # In the bottle a blue and two yellow halves and a red one; above it RB and YY.
    assert [found.count(f"half {colour}") for colour in ("red", "yellow", "blue")] == [2, 4, 2]
    assert found.count("pill") == found.count("preview") == 1


def test_an_unknown_preview_is_a_question_mark():
    markup = GAME.svg(GAME.parse(f"{bottle_text(['a.......'])} RB --"))
    assert "preview" not in classes(markup)
    assert ">?</text>" in markup


def test_size_and_extras():
    move = GAME.moves(POSITION)[0]
    markup = GAME.svg(POSITION, size=200, last=move, arrows=[(0, 127)], marks=[9], values={move: "<+3>"})
    assert 'width="200"' in markup
    found = classes(markup)
    assert found.count("last") == 2
    assert found.count("arrow") == found.count("mark") == 1
    assert "&lt;+3&gt;" in markup


def test_a_last_move_that_sticks_out_has_one_cell():
    assert classes(GAME.svg(POSITION, last=128 + 15)).count("last") == 1


@pytest.mark.parametrize("options", [{"last": 512}, {"last": -1}, {"marks": [128]}, {"arrows": [(0, -1)]}])
def test_cells_and_moves_that_are_none(options):
    with pytest.raises(MoveError, match="a number from 0"):
        GAME.svg(POSITION, **options)


def test_terminal_text():
    shown = Text.from_markup(GAME.text(POSITION)).plain
    lines = shown.splitlines()
    assert " 2 │∩Y · · · · · · ·│" in lines
    assert " 1 │∪B · · · · · · ·│" in lines
    assert " 0 │@R(RY) ·@B · ·@Y│" in lines
    assert "pill  (RB)" in shown
    assert "next  (YY)" in shown
    assert "viruses 3 of 3" in shown
    assert "place the pill" in shown


def test_terminal_text_is_coloured():
    assert "[bold bright_red]@R[/]" in GAME.text(POSITION)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{bottle_text(['a.......'])} RB --", "the next pill is drawn"),
        (f"{'d' * 128} RB YY", "no virus is left"),
        (f"{'d' * 3 + 'a' + 'd' * 124} RB YY", "the entry is blocked"),
        (f"{bottle_text(['a.......'])} RB YY pills:5 since:5 stall:5", "5 pills without a kill"),
    ],
)
def test_the_state_is_told(text, said):
    assert said in GAME.text(GAME.parse(text))
