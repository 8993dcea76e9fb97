"""The page: one file, escaped, well-formed, and nothing from outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.svg import Picture, circle
from evalsmith.report import Figure, Markup, Page, Series, cross_table, line_chart
from evalsmith.run.errors import InputError, OutputError

HOSTILE = "</h2><script>alert('x')</script><img src=x onerror=alert(1)>&\x00\ud800"


def shaded() -> str:
    picture = Picture(10, 10)
    picture.add(circle(5, 5, 4, fill=picture.radial((0, "#fff"), (1, "#000"))))
    return picture.render()


def full(words: str) -> Page:
    page = Page(words, subtitle=words, footer=words)
    page.verdict("not proven", words)
    page.facts({words: words, "Elo": 1.5})
    for _ in range(3):
        page.section(words, anchor=None)
    page.section(words, level=3)
    page.paragraph(words)
    page.table([words, "n"], [[words, 1], [None, float("nan")]], caption=words)
    page.figures(Figure(shaded(), words), Figure(line_chart([Series(words, [1, 2], [1, 2])], title=words), words))
    page.markup(cross_table([words, "b"], [[0, 1], [1, 0]], [[0, 2], [2, 0]], caption=words))
    page.details(words, words)
    page.configuration({"path": words, "table": {"key": words}})
    return page


def root(page: Page) -> ET.Element:
    """The page is written so that an XML parser can read it too."""
    return ET.fromstring(page.render().replace("<!DOCTYPE html>\n", ""))


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs


def test_hostile_words_stay_words_everywhere() -> None:
    tags = Tags()
    tags.feed(full(HOSTILE).render())
    assert "script" not in tags.seen
    assert "img" not in tags.seen
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    assert sorted(set(tags.seen)) == sorted(set(_tags(full("plain"))))


def _tags(page: Page) -> list[str]:
    tags = Tags()
    tags.feed(page.render())
    return tags.seen


@settings(deadline=None)
@given(st.text(st.characters()))
def test_any_words_make_a_well_formed_page(words: str) -> None:
    page = full(words)
    page.render().encode()
    assert root(page).tag == "html"


def test_the_page_needs_nothing_from_outside() -> None:
    markup = full("plain").render()
    assert not re.search(r'(?:src|href|action)="(?!#)', markup)
    assert not re.search(r"@import|url\((?!#)", markup)
    assert "default-src 'none'" in root(full("plain")).find("head/meta[@http-equiv]").get("content")  # type: ignore


def test_nothing_is_nan() -> None:
    page = Page("t")
    page.facts([("a", float("nan")), ("b", None)])
    page.table(["x"], [[float("nan")], [float("inf")], [None]])
    assert not re.search(r">\s*(nan|inf|None)\s*<", page.render())


def test_one_picture_twice_has_different_ids() -> None:
    page, picture = Page("t"), shaded()
    page.figures(Figure(picture), Figure(picture))
    page.table(["p"], [[Markup(picture)]])
    markup = page.render()
    names = re.findall(r'\sid="([^"]+)"', markup)
    assert len(names) == len(set(names)) == 3
    assert sorted(re.findall(r"url\(#([^)]+)\)", markup)) == sorted(names)


def test_links_to_the_page_survive_in_markup_with_ids() -> None:
    page = Page("t")
    page.section("Games")
    page.markup('<p id="here"><a href="#games">up</a><a href="#here">this</a></p>')
    assert '<a href="#games">up</a><a href="#figure1-here">' in page.render()


def test_sections_have_their_own_anchors_and_a_list() -> None:
    page = Page("t")
    anchors = []
    for words in ("Loss by pass", "Loss, by pass!", "結果", "???"):
        anchors.append(page.section(words))
        page.paragraph("something")
    assert anchors == ["loss-by-pass", "loss-by-pass-2", "section", "section-2"]
    links = [node.get("href") for node in root(page).findall(".//nav//a")]
    assert links == [f"#{anchor}" for anchor in anchors]
    assert [node.get("id") for node in root(page).iter("h2")] == anchors


def test_a_section_that_nothing_was_put_into_is_left_out() -> None:
    page = Page("t")
    for words in ("one", "empty", "two", "three", "last"):
        page.section(words)
        if words in ("one", "two"):
            page.paragraph("something")
        elif words == "three":
            page.section("a part of three", level=3)
            page.section("an empty part", level=3)
            page.section("a full part", level=3)
            page.table(["a"], [])
    page.configuration({"seed": 1})
    assert [node.get("id") for node in root(page).iter("h2")] == ["one", "two", "three"]
    assert [node.get("id") for node in root(page).iter("h3")] == ["a-full-part"]
    assert [node.get("href") for node in root(page).findall(".//nav//a")] == ["#one", "#two", "#three"]


def test_a_short_page_has_no_list_of_sections() -> None:
    page = Page("t")
    page.section("one")
    assert root(page).find(".//nav") is None


def test_numbers_stand_to_the_right() -> None:
    page = Page("t")
    rows = [["a", 1000, "56.2%", "+12.3 ± 4.5", 0.25], ["b", -3, "–", "7", None]]
    page.table(["name", "games", "score", "Elo", "loss"], rows)
    page.table(["name", "number"], [["a", 1]], align="rl")
    first, second = root(page).iter("table")
    assert [cell.get("class") for cell in first.iter("th")] == [None, "number", "number", "number", "number"]
    assert [cell.text for cell in first.findall("tbody/tr/td")][1::5] == ["1,000", "−3"]
    assert [cell.get("class") for cell in second.iter("td")] == ["number", None]


def test_an_empty_table_says_so() -> None:
    page = Page("t")
    page.table(["a", "b"], [])
    (cell,) = root(page).iter("td")
    assert (cell.text, cell.get("colspan")) == ("no data", "2")


@pytest.mark.parametrize("outcome", ["stronger", "not proven", "weaker"])
def test_the_verdict_stands_first_in_its_colour(outcome: str) -> None:
    page = Page("t")
    page.paragraph("later")
    page.verdict(outcome, "It is so.")  # type: ignore[arg-type]
    first = root(page).find("body/main/p")
    assert first is not None
    assert first.get("class") == f"verdict {outcome.replace(' ', '-')}"
    assert "".join(first.itertext()) == f"{outcome}It is so."


def test_the_configuration_is_folded_and_whole() -> None:
    page = Page("t")
    page.configuration({"seed": 1, "players": {"a": "x<y"}})
    (details,) = root(page).iter("details")
    assert details.get("open") is None
    assert 'seed = 1\n\n[players]\na = "x<y"' in "".join(details.itertext())


def test_wrong_use_is_refused() -> None:
    page = Page("t")
    with pytest.raises(InputError, match="'stronger', 'not proven' or 'weaker', not 'better'"):
        page.verdict("better", "no")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="an SVG element, not 'a name'"):
        page.figure("a name")
    with pytest.raises(InputError, match="row 2 of a table has 1 cells for 2 columns"):
        page.table(["a", "b"], [[1, 2], [1]])
    with pytest.raises(InputError, match="alignment of 1 columns"):
        page.table(["a"], [[1]], align="c")
    with pytest.raises(InputError, match="level 2 or 3"):
        page.section("a", level=4)


def test_write(tmp_path: Path) -> None:
    page = full("plain")
    page.write(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page.render()
    with pytest.raises(OutputError):
        page.write(tmp_path / "report.html" / "below.html")
