"""The SVG writer and the boards that all games share."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import svg
from evalsmith.run.errors import InputError

SPACE = "{http://www.w3.org/2000/svg}"


def ids(markup: str) -> list[str]:
    return re.findall(r'\sid="([^"]+)"', markup)


@settings(deadline=None)
@given(st.text(st.characters()))
def test_escaped_words_are_well_formed_and_stay_words(words: str) -> None:
    markup = svg.element("a", svg.escape(words), title=words)
    markup.encode()  # lone surrogates would not go into a file
    parsed = ET.fromstring(markup)
    assert len(parsed) == 0
    assert len(parsed.text or "") == len(re.sub("\r\n", "\n", words))


def test_escape_replaces_what_no_document_may_hold() -> None:
    assert svg.escape("a\x00b\ud800c\x1bd") == "a\ufffdb\ufffdc\ufffdd"
    assert svg.escape("user\u202egnp.exe") == "user\ufffdgnp.exe"
    assert svg.escape("<b a='1' c=\"2\">&") == "&lt;b a=&#x27;1&#x27; c=&quot;2&quot;&gt;&amp;"
    assert svg.escape("日本 ♞ ½") == "日本 ♞ ½"


@pytest.mark.parametrize(("value", "shown"), [(1, "1"), (100.0, "100"), (0.125, "0.12"), (-0.001, "0"), (2.5, "2.5")])
def test_numbers_are_short(value: float, shown: str) -> None:
    assert svg.number(value) == shown


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_cannot_be_drawn_are_refused(value: float) -> None:
    with pytest.raises(InputError, match="finite"):
        svg.circle(value, 0, 1)


def test_element_writes_attributes() -> None:
    drawn = svg.element("g", "x", stroke_width=2.0, class_="a", fill=None, aria_label='say "hi"')
    assert drawn == '<g stroke-width="2" class="a" aria-label="say &quot;hi&quot;">x</g>'


def test_gradients_of_two_pictures_have_their_own_ids() -> None:
    pictures = []
    for _ in range(2):
        picture = svg.Picture(10, 10)
        paints = [picture.radial((0, "#fff"), (1, "#000")), picture.linear((0, "#fff"), (1, "#000"))]
        picture.add(*(svg.circle(5, 5, 4, fill=paint) for paint in paints))
        pictures.append(picture.render())
    together = "".join(pictures)
    assert len(ids(together)) == len(set(ids(together))) == 4
    assert set(re.findall(r"url\(#([^)]+)\)", together)) == set(ids(together))


def test_a_picture_keeps_its_proportions() -> None:
    root = ET.fromstring(svg.Picture(100, 50, size=300, name="a & b").render())
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("300", "150", "0 0 100 50")
    assert root.get("aria-label") == "a & b"
    with pytest.raises(InputError, match="positive"):
        svg.Picture(1, 1, size=0)


@pytest.mark.parametrize("size", [160, 200, 400])
def test_coordinates_can_be_read_at_any_size(size: float) -> None:
    board = svg.Board(8, 8, theme=svg.GREEN, size=size, across="abcdefgh", down="12345678")
    letters = list(ET.fromstring(board.render()).iter(f"{SPACE}text"))
    assert [node.text for node in letters] == list("abcdefgh12345678")
    pixels = {float(node.get("font-size", "0")) * size / board.width for node in letters}
    assert min(pixels) >= 8.5


def test_cells_lie_inside_the_picture_and_apart() -> None:
    board = svg.Board(9, 5, theme=svg.KAYA, across="987654321", down="abcde", sides="tr", around=(1, 2, 0, 2))
    assert board.centre(0, 0)[0] - board.corner(0, 0)[0] == svg.CELL / 2
    assert board.corner(0, 0)[0] > 2 * svg.CELL
    assert board.corner(0, 0)[1] > svg.CELL
    right, bottom = board.corner(9, 5)
    assert right + 2 * svg.CELL < board.width
    assert bottom < board.height


def test_a_chequered_board_has_its_dark_cells() -> None:
    root = ET.fromstring(svg.Board(8, 8, theme=svg.WALNUT).render())
    dark = next(node for node in root.iter(f"{SPACE}g") if node.get("fill") == svg.WALNUT.dark)
    assert len(dark) == 32


def corners(markup: str) -> list[tuple[float, float]]:
    points = ET.fromstring(markup).get("points", "")
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in points.split())]


def test_an_arrow_points_at_its_end() -> None:
    points = corners(svg.arrow((0, 0), (100, 0), colour="red", width=4))
    assert max(points) == (100, 0)
    assert min(x for x, _ in points) == 0
    assert sorted(y for _, y in points) == [-y for y in sorted((y for _, y in points), reverse=True)]
    assert max(corners(svg.arrow((0, 0), (100, 0), colour="red", width=4, keep=10))) == (90, 0)


def test_an_arrow_onto_itself_is_a_ring() -> None:
    assert svg.arrow((5, 5), (5, 5), colour="red", width=2).startswith("<circle")


def test_a_heavier_arrow_is_thicker() -> None:
    def thickness(weight: float) -> float:
        board = svg.Board(8, 8, theme=svg.GREEN)
        board.arrow((0, 0), (4, 0), weight=weight)
        drawn = next(n for n in ET.fromstring(board.render()).iter(f"{SPACE}polygon"))
        heights = [float(pair.split(",")[1]) for pair in drawn.get("points", "").split()]
        return max(heights) - min(heights)

    assert thickness(0.0) < thickness(0.5) < thickness(1.0) == thickness(7.0)


def test_a_label_shrinks_to_its_room() -> None:
    def size(words: str) -> float:
        return float(ET.fromstring(svg.label(0, 0, words, room=30, size=16)).get("font-size", "0"))

    assert size("+1") == 16
    assert size("+123.45") < 16
    assert svg.text_width("+123.45", size("+123.45")) <= 30.1


def test_a_hexagon_has_six_corners_at_its_radius() -> None:
    points = corners(svg.hexagon(10, 20, 5))
    assert len(set(points)) == 6
    assert all(abs((x - 10) ** 2 + (y - 20) ** 2 - 25) < 0.1 for x, y in points)
