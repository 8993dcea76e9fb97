"""DVONN positions as pictures and as terminal text."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from dvonn_composed import composed
from rich.text import Text

from evalsmith.games.dvonn import GAME, board, notation
from evalsmith.games.dvonn.rules import PASS
from evalsmith.games.svg import Arrow, Mark
from evalsmith.run.errors import InputError, MoveError

OPEN = "CAAAAGCDAGAAGDABAHADAACDCNCAKGALSAHHAAALAAABACAAAH"
HIGH = "C*BBBD" + 44 * "A" + " A1=20W"


def with_class(markup: str, name: str) -> list[ET.Element]:
    return [node for node in ET.fromstring(markup).iter() if name in (node.get("class") or "").split()]


def words(node: ET.Element) -> str:
    return "".join(node.itertext())


@pytest.mark.parametrize("text", ["start", "F3", OPEN, HIGH, *(composed(seed).text() for seed in range(5))])
def test_every_stack_is_drawn(text: str) -> None:
    position = GAME.parse(text)
    stacks = notation.stacks_of(position)
    drawn = GAME.svg(position)
    assert len(with_class(drawn, "stack")) == len(stacks)
    for side, name in ((0, "white"), (1, "black"), (None, "red")):
        assert len(with_class(drawn, name)) == sum(stack.owner == side for stack in stacks.values())
    assert len(with_class(drawn, "ring")) == sum(stack.red and stack.owner is not None for stack in stacks.values())
    heights = [int(words(node)) for node in with_class(drawn, "height")]
    assert heights == [stack.height for stack in stacks.values() if stack.height > 1]


def test_stacks_stand_on_their_fields() -> None:
    drawn = GAME.svg(GAME.parse("F3 C3 I3"))
    places = {words(node)[:2]: (float(node.get("cx")), float(node.get("cy"))) for node in with_class(drawn, "stack")}
    assert places["C3"][0] < places["F3"][0] < places["I3"][0]
    assert len({height for _, height in places.values()}) == 1
    assert 2 * places["F3"][0] == pytest.approx(places["C3"][0] + places["I3"][0])


def test_the_coordinates() -> None:
    shown = [node.text for node in ET.fromstring(GAME.svg(GAME.start())).iter("{http://www.w3.org/2000/svg}text")]
    assert shown == [*"ABCDEFGHIJK", *"12345"]


def test_marks_arrows_values_and_the_last_move() -> None:
    position = GAME.parse(OPEN)
    legal = GAME.moves(position)
    drawn = GAME.svg(
        position,
        size=200,
        last=legal[0],
        arrows=[(0, 10), Arrow(3, 4, 0.2, "#123456"), (5, 5)],
        marks=[0, Mark(48, "#abcdef")],
        values={legal[1]: "<+3 & more>", PASS: "never"},
    )
    assert len(with_class(drawn, "mark")) == 4
    assert len(with_class(drawn, "arrow")) == 2
    assert "&lt;+3 &amp; more&gt;" in drawn
    assert "never" not in drawn
    assert 'width="200"' in drawn


def test_a_placing_marks_one_field_and_a_pass_none() -> None:
    position = GAME.parse("F3")
    assert len(with_class(GAME.svg(position, last=GAME.parse_move(GAME.start(), "F3")), "mark")) == 1
    assert len(with_class(GAME.svg(position, last=PASS), "mark")) == 0


def test_what_is_not_on_the_board() -> None:
    with pytest.raises(MoveError, match=r"from 0 .A1. to 48 .K5., not 49"):
        GAME.svg(GAME.start(), marks=[49])
    with pytest.raises(MoveError, match="is not a move of DVONN"):
        GAME.svg(GAME.start(), last=11)
    with pytest.raises(InputError):
        GAME.svg(GAME.start(), size=0)


def plain(text: str) -> list[str]:
    return Text.from_markup(GAME.text(GAME.parse(text))).plain.splitlines()


def test_the_terminal_shows_every_stack() -> None:
    lines = plain(OPEN)
    assert lines[0].split() == list("ABCDEFGHI")
    assert lines[1].split() == ["1", "·", "·", "·", "·", "○2", "○", "●", "·", "○2", "J"]
    assert lines[3].split() == ["3", "·", "·", "○", "●", "○", "◆3", "○", "·", "○3", "○2", "·"]
    assert lines[5].split() == ["5", "·", "·", "✚", "·", "○", "·", "·", "·", "●2"]
    assert lines[7].startswith("○ white 21   ● black 21")
    assert lines[8] == "white to move"


def test_neighbours_are_half_a_field_apart_in_the_terminal() -> None:
    lines = plain("CDCDCDCDCDCDCDCDCDCDCDBCDBCDBCDCDCDCDCDCDCDCDCDCDC")[1:6]
    columns = [[place for place, letter in enumerate(line) if letter in "○●✚"] for line in lines]
    assert [len(row) for row in columns] == [last - first + 1 for first, last in board.ROWS]
    for upper, lower in pairwise(columns):
        assert (upper[0] - lower[0]) in (2, -2)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("start", "white to place a red stone"),
        ("F3 C3 I3", "black to place a stone"),
        (HIGH, "white to move, no move but to pass"),
        ("EBBB" + 46 * "A", "game over, a tie"),
        ("F*AAAAAAAAB*" + 38 * "A" + " A1=20WR B2=16B", "game over, white wins by 4"),
        ("EAAAAAAAAABBBP" + 36 * "A", "game over, black wins by 4"),
    ],
)
def test_the_state_in_words(text: str, state: str) -> None:
    assert plain(text)[-1] == state
