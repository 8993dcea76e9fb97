"""Shogi positions as pictures and as terminal text."""

import re
import xml.etree.ElementTree as ET

import pytest
from rich.text import Text

from evalsmith.games.shogi import GAME
from evalsmith.games.svg import Arrow, Mark
from evalsmith.run.errors import InputError

SPACE = "{http://www.w3.org/2000/svg}"
BUSY = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"


def with_class(markup, name):
    return [node for node in ET.fromstring(markup).iter() if name in (node.get("class") or "").split()]


def words(markup):
    return [node.text for node in ET.fromstring(markup).iter(f"{SPACE}text")]


def place(node):
    return tuple(float(number) for number in re.match(r"translate\((\S+) (\S+)\)", node.get("transform")).groups())


def test_every_piece_is_drawn_with_its_sign():
    drawn = GAME.svg(GAME.parse(BUSY))
    signs = "".join(node.find(f"{SPACE}text").text for node in with_class(drawn, "piece"))
    # 26 pieces on the board, and one for each kind in a hand.
    assert sorted(signs) == sorted("香桂香と金王桂歩銀歩歩歩歩歩銀歩歩歩角歩歩歩金銀飛香桂角玉香" + "飛金" + "金銀桂歩")
    assert "5" in words(drawn)[18:]


def test_white_stands_on_its_head_and_promoted_pieces_are_red():
    drawn = GAME.svg(GAME.parse(BUSY))
    assert all("rotate(180)" in node.get("transform") for node in with_class(drawn, "white"))
    assert not any("rotate" in node.get("transform") for node in with_class(drawn, "black"))
    reds = [node.find(f"{SPACE}text") for node in with_class(drawn, "piece")]
    assert [node.text for node in reds if node.get("fill") == "#b3261e"] == ["と"]


def test_pieces_stand_on_their_squares():
    black, white = with_class(GAME.svg(GAME.parse("8k/9/9/9/9/9/9/9/K8 b - 1")), "piece")[::-1]
    black, white = sorted((black, white), key=lambda node: "rotate" in node.get("transform"))
    assert place(black)[0] < place(white)[0]
    assert place(black)[1] > place(white)[1]


def test_coordinates_are_japanese():
    assert words(GAME.svg(GAME.start()))[:18] == [*"987654321", *"一二三四五六七八九"]


@pytest.mark.parametrize("size", [120, 200, 400, 1000])
def test_the_size_is_the_width(size):
    root = ET.fromstring(GAME.svg(GAME.start(), size=size))
    assert float(root.get("width")) == size


def test_last_move_marks_arrows_and_values():
    position = GAME.parse("startpos moves 7g7f 3c3d")
    bishop = GAME.parse_move(position, "8h2b+")
    after = GAME.play(position, bishop)
    plain = GAME.svg(after)
    assert len(with_class(plain, "mark")) == 0
    assert len(with_class(GAME.svg(after, last=bishop), "mark")) == 2
    assert len(with_class(GAME.svg(after, marks=[40, Mark(3, "#123456")]), "mark")) == 2
    assert "#123456" in GAME.svg(after, marks=[Mark(3, "#123456")])
    assert len(with_class(GAME.svg(after, arrows=[(0, 8), Arrow(3, 4, 0.5)]), "arrow")) == 2
    values = {GAME.parse_move(after, "3a2b"): "+12", GAME.parse_move(after, "8b2b"): "<b>"}
    drawn = GAME.svg(after, values=values)
    assert len(with_class(drawn, "arrow")) == 2
    assert "+12" in words(drawn) and "<b>" in words(drawn)


def test_a_drop_comes_out_of_the_hand():
    position = GAME.parse("startpos moves 7g7f 3c3d 8h2b+ 3a2b")
    drop = GAME.parse_move(position, "B*5e")
    drawn = GAME.svg(position, values={drop: "+1"})
    assert len(with_class(drawn, "arrow")) == 1
    assert len(with_class(GAME.svg(GAME.play(position, drop), last=drop), "mark")) == 1


def test_check_is_shown():
    assert len(with_class(GAME.svg(GAME.parse("4r4/9/9/9/k8/9/9/9/4K4 b G 1")), "mark")) == 1


@pytest.mark.parametrize(
    "options",
    [{"marks": [81]}, {"marks": [-1]}, {"last": 1 << 20}, {"last": -1}, {"arrows": [(0, 90)]}, {"arrows": [(87, 0)]},
     {"values": {127: "x"}}, {"size": 0}],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(options):
    with pytest.raises(InputError):
        GAME.svg(GAME.start(), **options)


def test_terminal_text():
    shown = Text.from_markup(GAME.text(GAME.parse(BUSY))).plain.splitlines()
    assert shown[0] == "white in hand: 金 銀 桂 歩5"
    assert shown[1] == " ９ ８ ７ ６ ５ ４ ３ ２ １"
    assert shown[2] == "v香 ・ ・ ・ ・ ・ ・v桂v香 一"
    assert shown[3] == " ・ ・ ・ ・ ・ と ・v金v玉 二"
    assert shown[11] == "black in hand: 飛 金"
    assert shown[13] == "white to move, move 1"


@pytest.mark.parametrize(
    ("sfen", "state"),
    [
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "no move left, black wins"),
        ("4r4/9/9/9/k8/9/9/9/4K4 b G 1", "black to move, in check, move 1"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 513", "a draw, the game is too long, move 513"),
    ],
)
def test_terminal_text_says_how_it_stands(sfen, state):
    shown = Text.from_markup(GAME.text(GAME.parse(sfen))).plain
    assert shown.endswith(state)
    assert "in hand: nothing" in shown
