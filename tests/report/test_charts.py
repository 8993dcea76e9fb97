"""Charts: well-formed, complete, and never with a number that cannot be drawn."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.report.charts import Bars, Level, Series, bar_chart, cross_table, heat_map, histogram, line_chart
from evalsmith.report.style import DARK, LIGHT
from evalsmith.run.errors import InputError

SPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title></svg><script>alert(1)</script>&\x00\ud800\"'"
ANY = st.one_of(st.none(), st.floats(), st.integers(-(10**6), 10**6))
LISTS = st.lists(ANY, min_size=3, max_size=3)


def parsed(markup: str) -> ET.Element:
    """The picture; no attribute of it may hold what is not a number, and nothing may lie outside the drawing."""
    markup.encode()
    root = ET.fromstring(markup)
    for node in root.iter():
        for value in node.attrib.values():
            assert not re.search(r"\b(nan|inf|none)\b", value, re.IGNORECASE) or value == "none"
        for text in (node.text or "", node.tail or ""):
            assert not re.search(r"\b(nan|inf|None)\b", text)
    if root.tag == f"{SPACE}svg":
        wide, high = (float(part) for part in root.get("viewBox", "").split()[2:])
        for node in root.iter():
            for name, most in (("x", wide), ("cx", wide), ("x1", wide), ("y", high), ("cy", high), ("y2", high)):
                assert -1 <= float(node.get(name, "0")) <= most + 1
    return root


def tooltips(root: ET.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SPACE}title")]


def words(root: ET.Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iter(f"{SPACE}text")]


def with_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [node for node in root.iter() if node.get("class") == name]


# ── All of them ──

EMPTY: list[Callable[[], str]] = [
    lambda: line_chart([], title="t"),
    lambda: line_chart([Series("a", [], [])], title="t"),
    lambda: line_chart([Series("a", [1, 2], [math.nan, None])], title="t"),
    lambda: line_chart([Series("a", [1, 2], [0, -1])], title="t", y_log=True),
    lambda: bar_chart([], [], title="t"),
    lambda: bar_chart(["a"], [Bars("b", [None])], title="t"),
    lambda: heat_map([], title="t"),
    lambda: heat_map([[math.nan]], title="t"),
    lambda: histogram([], title="t"),
    lambda: histogram(np.array([np.nan, np.inf]), title="t"),
]


@pytest.mark.parametrize("draw", EMPTY)
def test_nothing_to_draw_is_said(draw: Callable[[], str]) -> None:
    assert words(parsed(draw())) == ["t", "no data"]


def test_hostile_names_stay_words() -> None:
    matrix = [[1.0, 2.0], [3.0, 4.0]]
    drawn = [
        line_chart(
            [Series(HOSTILE, [1, 2], [1, 2]), Series("b", [1], [1])],
            title=HOSTILE, x_label=HOSTILE, y_label=HOSTILE, levels=[Level(1, HOSTILE)],
        ),
        bar_chart([HOSTILE, "b"], [Bars(HOSTILE, [1, 2]), Bars("c", [1, 2])], title=HOSTILE, value_label=HOSTILE),
        heat_map(matrix, rows=[HOSTILE, "b"], columns=[HOSTILE, "b"], title=HOSTILE, unit=HOSTILE),
        histogram([1, 2], title=HOSTILE, x_label=HOSTILE, levels=[Level(1, HOSTILE)]),
        cross_table([HOSTILE, "b"], matrix, [[0, 4], [4, 0]], caption=HOSTILE),
    ]  # fmt: skip
    for markup in drawn:
        assert "<script" not in markup
        assert not [node for node in ET.fromstring(markup).iter() if node.tag.endswith("script")]


@settings(deadline=None)
@given(LISTS, LISTS, LISTS, LISTS, st.booleans(), st.booleans())
def test_lines_of_any_numbers(x: list, y: list, low: list, high: list, x_log: bool, y_log: bool) -> None:
    series = [Series("a", x, y, low, high), Series("b", [1, 2, 3], y)]
    parsed(line_chart(series, x_log=x_log, y_log=y_log, levels=[Level(math.nan, "never")]))


@settings(deadline=None)
@given(LISTS, LISTS, st.booleans())
def test_bars_of_any_numbers(values: list, errors: list, horizontal: bool) -> None:
    parsed(bar_chart(["a", "b", "c"], [Bars("", values, errors), Bars("", values)], horizontal=horizontal))


@settings(deadline=None)
@given(st.lists(LISTS, min_size=1, max_size=4), ANY)
def test_heat_maps_of_any_numbers(matrix: list[list], limit: float | None) -> None:
    parsed(heat_map(matrix, limit=limit, title="t", columns=["a", "b", "c"]))


@settings(deadline=None)
@given(st.lists(ANY), st.one_of(st.none(), st.integers(1, 100)))
def test_histograms_of_any_numbers(values: list, bins: int | None) -> None:
    root = parsed(histogram(values, bins=bins, levels=[Level(0.0, "zero")]))
    told = sum(int(words.rsplit(": ", 1)[1].replace(",", "")) for words in tooltips(root))
    assert told == sum(value is not None and abs(value) <= 1e300 for value in values)


# ── Lines ──


def test_a_line_has_its_points_its_band_and_its_legend() -> None:
    series = [Series("first", [1, 2, 3], [1, 4, 2], [0, 3, 1], [2, 5, 3]), Series("second", [1, 2], [2.0, 2.5])]
    root = parsed(line_chart(series, title="Title", x_label="games", y_label="Elo", levels=[Level(2.94, "bound")]))
    assert {"Title", "first", "second", "games", "Elo", "bound"} <= set(words(root))
    assert len(list(root.iter(f"{SPACE}polyline"))) == 2
    assert len(list(root.iter(f"{SPACE}polygon"))) == 1
    assert tooltips(root)[:2] == ["first: 1 → 1 (0 to 2)", "first: 2 → 4 (3 to 5)"]
    heights = [float(node.get("cy", "0")) for node in root.iter(f"{SPACE}circle")][:3]
    assert heights[1] < heights[2] < heights[0]  # a larger value lies higher


def test_one_line_needs_no_legend() -> None:
    assert "only" not in words(parsed(line_chart([Series("only", [1, 2], [1, 2])])))


def test_missing_values_cut_the_line() -> None:
    root = parsed(line_chart([Series("a", [1, 2, 3, 4, 5], [1, 2, None, 2, 3])]))
    assert len(list(root.iter(f"{SPACE}polyline"))) == 2


def test_equal_steps_of_a_logarithmic_axis_are_equal_factors() -> None:
    root = parsed(line_chart([Series("a", [1, 10, 100], [1, 10, 100])], x_log=True, y_log=True))
    xs = [float(node.get("cx", "0")) for node in root.iter(f"{SPACE}circle")]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.02)


def test_long_lines_stay_small_but_keep_their_peaks() -> None:
    y = np.zeros(100_000)
    y[43_210] = 7.0
    markup = line_chart([Series("a", np.arange(100_000), y)])
    assert len(markup) < 60_000
    (drawn,) = parsed(markup).iter(f"{SPACE}polyline")
    heights = [float(pair.split(",")[1]) for pair in drawn.get("points", "").split()]
    assert min(heights) < max(heights) - 100


def test_lines_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match="'a' has 2 values of x, but 1 of y"):
        line_chart([Series("a", [1, 2], [1])])


def test_pure_functions_give_the_same_text() -> None:
    series = [Series("a", [1, 2], [1, 2])]
    assert line_chart(series) == line_chart(series)


# ── Bars ──


def test_bars_grow_from_zero_both_ways() -> None:
    root = parsed(bar_chart(["a", "b"], [Bars("", [4, -2], [1, 0])], horizontal=False))
    up, down = with_class(root, "bar")
    assert float(up.get("y", "0")) + float(up.get("height", "0")) == pytest.approx(float(down.get("y", "0")), abs=0.02)
    assert float(up.get("height", "0")) == pytest.approx(2 * float(down.get("height", "0")), abs=0.05)
    assert len(with_class(root, "whisker")) == 1
    assert tooltips(root) == ["a: 4 ± 1", "b: −2"]


def test_bars_lie_down_where_names_are_long() -> None:
    names = [f"the player with the number {i}" for i in range(5)]
    root = parsed(bar_chart(names, [Bars("", [1, 2, 3, 4, 5])]))
    widths = [float(node.get("width", "0")) for node in with_class(root, "bar")]
    assert widths == sorted(widths)
    assert widths[-1] > 4 * widths[0]


def test_bars_of_the_wrong_number_are_refused() -> None:
    with pytest.raises(InputError, match="1 values for 2 categories"):
        bar_chart(["a", "b"], [Bars("x", [1])])


def test_whole_numbers_have_bins_around_them() -> None:
    root = parsed(histogram([0, 1, 1, 2, 2, 2]))
    assert tooltips(root) == ["0: 1", "1: 2", "2: 3"]


# ── Heat maps and cross tables ──


def test_heat_is_as_strong_as_the_value() -> None:
    root = parsed(heat_map([[10, -5, 0]], columns=["a", "b", "c"], rows=["r"], unit="centipawn"))
    drawn = with_class(root, "heat")
    assert [node.get("fill-opacity") for node in drawn] == ["1", "0.5", "0"]
    assert drawn[0].get("fill") != drawn[1].get("fill")
    assert tooltips(root)[:2] == ["r, a: 10", "r, b: −5"]
    assert {"10", "−5", "0", "−10", "+10 centipawn"} <= set(words(root))


def test_many_cells_have_no_numbers_in_them() -> None:
    root = parsed(heat_map(np.ones((30, 60))))
    assert len(with_class(root, "heat")) == 1800
    assert len(words(root)) == 2  # those of the scale


@pytest.mark.parametrize("options", [{"rows": ["a"]}, {"columns": ["a"]}])
def test_heat_maps_with_the_wrong_names_are_refused(options: dict[str, list[str]]) -> None:
    with pytest.raises(InputError, match="as many names"):
        heat_map([[1, 2], [3, 4]], **options)


def test_a_cross_table_adds_up() -> None:
    table = cross_table(["a", "b", "c"], [[0, 7.5, 1], [2.5, 0, 0], [1, 0, 0]], [[0, 10, 2], [10, 0, 0], [2, 0, 0]])
    root = parsed(table)
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
    assert rows[1] == ["1", "a", "·", "7½/10", "1/2", "8½", "12", "70.8%"]
    assert rows[2] == ["2", "b", "2½/10", "·", "–", "2½", "10", "25.0%"]
    assert "a against b: 7½ of 10 (75%)" in table


def test_a_cross_table_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(InputError, match="2 × 2 games"):
        cross_table(["a", "b"], [[0, 1], [1, 0]], [[0, 1]])


# ── Colours ──


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_words_and_lines_stand_out_from_the_paper(scheme: dict[str, str]) -> None:
    assert LIGHT.keys() == DARK.keys()
    assert all(contrast(scheme[name], scheme["paper"]) >= 4.5 for name in ("ink", "muted", "link"))
    assert all(contrast(scheme[name], scheme[f"{name}-paper"]) >= 4.5 for name in ("good", "open", "bad"))
    series = [value for name, value in scheme.items() if name.startswith("series-")]
    assert all(contrast(value, scheme["paper"]) >= 2.5 for value in series)
    assert all(contrast(scheme["on-strong"], scheme[name]) >= 4.5 for name in ("above", "below"))
