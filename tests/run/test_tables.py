"""Tables that results show of themselves."""

from __future__ import annotations

from evalsmith.run.tables import TextTable


def test_text_is_aligned_by_kind_and_width():
    table = TextTable(("move", "score"), (("e4", 12), ("７六歩", -1234)), ("two moves",))
    assert str(table).splitlines() == [
        "move     score",
        "──────  ──────",
        "e4          12",
        "７六歩  -1,234",
        "two moves",
    ]


def test_html_escapes_every_text():
    page = TextTable(("<b>",), (("<script>",), (None,)), ("a & b",)).html()
    assert "<th>&lt;b&gt;</th>" in page
    assert '<td style="text-align:left">&lt;script&gt;</td>' in page
    assert page.endswith("<p>a &amp; b</p>")


def test_a_table_may_be_empty():
    assert str(TextTable((), (), ("nothing",))) == "nothing"
    assert str(TextTable(("a", "b"), ())).splitlines()[0] == "a  b"
