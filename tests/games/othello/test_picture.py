"""Othello positions as pictures and as terminal text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from rich.text import Text

from evalsmith.games.othello import GAME, notation, picture
from evalsmith.games.othello.rules import PASS
from evalsmith.games.svg import Arrow, Mark
from evalsmith.run.errors import InputError, MoveError

SPACE = "{http://www.w3.org/2000/svg}"
MIDDLE = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7"


def with_class(markup: str, name: str) -> list[ET.Element]:
    return [node for node in ET.fromstring(markup).iter() if name in (node.get("class") or "").split()]


def labels(markup: str) -> list[str]:
    found = [node.text or "" for node in ET.fromstring(markup).iter(f"{SPACE}text")]
    return found[16:]  # after the coordinates


@pytest.mark.parametrize("text", ["start", MIDDLE, "X" * 64 + " O", "-" * 64 + " X"])
def test_as_many_discs_as_the_position_has(text: str) -> None:
    position = notation.parse(text)
    black, white = notation.colours(position)
    drawn = picture.svg(position)
    assert len(with_class(drawn, "black")) == black.bit_count()
    assert len(with_class(drawn, "white")) == white.bit_count()
    assert len(with_class(drawn, "disc")) == black.bit_count() + white.bit_count()


def test_discs_stand_on_their_squares() -> None:
    alone = picture.svg(notation.make(1, 1 << 63, notation.BLACK))
    (black,), (white,) = with_class(alone, "black"), with_class(alone, "white")
    assert float(black.get("cx", "0")) < float(white.get("cx", "0"))
    assert float(black.get("cy", "0")) < float(white.get("cy", "0"))


def test_colours_do_not_change_with_the_side_to_move() -> None:
    position = notation.start()
    following = GAME.play(position, GAME.moves(position)[0])
    assert len(with_class(picture.svg(following), "black")) == 4
    assert len(with_class(picture.svg(following), "white")) == 1


def test_everything_at_once_is_well_formed_and_there() -> None:
    position = notation.parse(MIDDLE)
    legal = GAME.moves(position)
    values = {move: f"{move:+d}" for move in legal[:2]} | {PASS: "never"}
    drawn = picture.svg(
        position,
        size=200,
        last=50,
        arrows=[(0, 63), Arrow(7, 56, 0.5, "#f00")],
        marks=[1, Mark(2, "#00f")],
        values=values,
        moves=True,
    )
    assert len(with_class(drawn, "arrow")) == 2
    assert len(with_class(drawn, "mark")) == 2
    assert labels(drawn) == [f"{move:+d}" for move in legal[:2]]
    # The last move, and the legal moves that carry no value.
    assert len(with_class(drawn, "dot")) == 1 + len(legal) - 2


def test_plain_pictures_have_no_dots() -> None:
    assert with_class(picture.svg(notation.start()), "dot") == []
    assert with_class(picture.svg(notation.start(), last=PASS), "dot") == []


def test_two_boards_share_no_id() -> None:
    together = picture.svg(notation.start()) + picture.svg(notation.start()) + picture.pattern_svg([0], [1])
    names = re.findall(r'\sid="([^"]+)"', together)
    assert len(names) == len(set(names)) == 6


def test_hostile_words_stay_words() -> None:
    drawn = picture.svg(notation.start(), values={0: "</text><script>alert(1)</script>"}, marks=[Mark(0, '"><script>')])
    assert "<script" not in drawn
    assert labels(drawn) == ["</text><script>alert(1)</script>"]


@pytest.mark.parametrize("square", [-1, 65])
def test_squares_that_do_not_exist_are_refused(square: int) -> None:
    with pytest.raises(MoveError, match=r"from 0 \(a1\) to 63 \(h8\)"):
        picture.svg(notation.start(), marks=[square])


# ── Patterns ──


def test_a_pattern_shows_its_squares_and_discs() -> None:
    drawn = picture.pattern_svg([0, 1, 2, 9], [0, 1, 2, 2])
    assert len(list(ET.fromstring(drawn).iter(f"{SPACE}rect"))) == 4
    assert len(with_class(drawn, "black")) == 1
    assert len(with_class(drawn, "white")) == 2


@pytest.mark.parametrize(("squares", "digits"), [([0, 1], [1]), ([0], [3]), ([64], [1])])
def test_impossible_patterns_are_refused(squares: list[int], digits: list[int]) -> None:
    with pytest.raises(InputError, match="pattern"):
        picture.pattern_svg(squares, digits)


def test_digits_may_be_numbers_of_numpy() -> None:
    digits = np.array([0, 1, 2], dtype=np.int32)
    assert len(with_class(picture.pattern_svg(np.arange(3), digits), "disc")) == 2  # type: ignore[arg-type]


# ── Terminal ──


def plain(text: str) -> str:
    return Text.from_markup(text).plain


def test_the_start_on_a_terminal() -> None:
    lines = plain(picture.text(notation.start())).split("\n")
    assert lines[0].split() == list("abcdefgh")
    assert lines[3] == "3        ·         "
    assert lines[4] == "4      · ○ ●       "
    assert lines[-2:] == ["● black 2   ○ white 2", "black to move"]
    # Columns stand below their letters.
    assert lines[4].index("○") == lines[0].index("d")


def test_the_side_to_move_and_the_counts() -> None:
    position = notation.parse(MIDDLE)
    black, white = notation.colours(position)
    shown = plain(picture.text(position))
    assert f"{('black', 'white')[int(position[2])]} to move" in shown
    assert shown.count("●") == black.bit_count() + 1
    assert shown.count("○") == white.bit_count() + 1
    assert shown.count("·") == len(GAME.moves(position))


def test_a_pass_is_told() -> None:
    position = notation.parse("-" + "O" * 6 + "X" + "-" * 56 + " O")
    assert GAME.moves(position) == [PASS]
    assert "white to move, no move but to pass" in plain(picture.text(position))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("X" * 40 + "O" * 24 + " X", "game over, black wins by 16"),
        ("X" * 40 + "O" * 24 + " O", "game over, black wins by 16"),
        ("O" * 3 + "-" * 61 + " X", "game over, white wins by 64"),
        ("X" * 32 + "O" * 32 + " X", "game over, a draw"),
    ],
)
def test_the_end_of_a_game(text: str, told: str) -> None:
    assert plain(picture.text(notation.parse(text))).endswith(told)
