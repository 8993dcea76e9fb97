"""What board pictures of all games share: a small SVG writer, and boards of squares with arrows, marks and labels.

Functions return markup as text; whatever comes from outside goes through `escape`. A `Picture` collects
markup and the gradients it needs; a `Board` is a picture with square cells. Boards of another shape
(hexagons, a bottle) use a `Picture` and draw with points: `arrow`, `label` and `hexagon` know nothing of cells.

Lengths are units of the drawing, not pixels; a cell of a board is `CELL` units wide.
"""

from __future__ import annotations

import html
import itertools
import math
import numbers
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from evalsmith.run.errors import InputError

Point: TypeAlias = tuple[float, float]

CELL = 40.0
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"

# What XML or HTML forbids (control signs, lone surrogates, as odd file names carry), and the signs that
# turn the direction of the text around them.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
# Letters that are wider or narrower than most, in the widest of the usual fonts.
_WIDE, _NARROW = frozenset("mwMW@%+−±×=<>→…●○"), frozenset("ijl.,:;'|!I ()[]")
# Below this many pixels a coordinate cannot be read.
_SMALLEST_PIXELS = 9.0

# Numbers the pictures that own gradients, so that many of them can stand in one page.
_PICTURES = itertools.count(1)


# ── Markup ──────────────────────────────────────────────────────────────────────────────────────


def escape(value: object) -> str:
    """Any text as it may stand in markup or in a quoted attribute."""
    return html.escape(_FORBIDDEN.sub("\ufffd", str(value)), quote=True)


def number(value: float) -> str:
    """A length with at most two decimals; only finite ones can be drawn."""
    if not math.isfinite(value):
        raise InputError(f"a picture can only hold finite numbers, not {value}")
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def element(tag: str, *content: str, **attributes: object) -> str:
    """One element around markup.

    Attributes are escaped, those that are None left out; ``stroke_width`` is written
    ``stroke-width``, and ``class_`` is ``class``.
    """
    shown = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{shown}>{''.join(content)}</{tag}>" if content else f"<{tag}{shown}/>"


def _attribute(value: object) -> str:
    return number(float(value)) if isinstance(value, numbers.Real) else escape(value)


def group(*content: str, **attributes: object) -> str:
    """Markup that shares attributes."""
    return element("g", *content, **attributes)


def rectangle(x: float, y: float, width: float, height: float, *content: str, **attributes: object) -> str:
    """A rectangle from its upper left corner."""
    return element("rect", *content, x=x, y=y, width=width, height=height, **attributes)


def circle(x: float, y: float, radius: float, *content: str, **attributes: object) -> str:
    """A circle around a point."""
    return element("circle", *content, cx=x, cy=y, r=radius, **attributes)


def line(start: Point, end: Point, **attributes: object) -> str:
    """A straight line."""
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **attributes)


def polygon(points: Sequence[Point], *content: str, **attributes: object) -> str:
    """A closed shape through points."""
    joined = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polygon", *content, points=joined, **attributes)


def hexagon(x: float, y: float, radius: float, **attributes: object) -> str:
    """A hexagon around a point, one corner up."""
    turns = [math.pi * (2 * corner + 1) / 6 for corner in range(6)]
    return polygon([(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns], **attributes)


def tooltip(words: object) -> str:
    """What a reader sees who rests the pointer on the element around it."""
    return element("title", escape(words))


# ── Text ────────────────────────────────────────────────────────────────────────────────────────


def text(
    x: float,
    y: float,
    words: object,
    *content: str,
    size: float,
    fill: str = "currentColor",
    anchor: str = "middle",
    **attributes: object,
) -> str:
    """Escaped words whose digits are centred on the height ``y``; ``content`` may add a tooltip."""
    # Shifting by hand instead of `dominant-baseline`, which programs other than browsers pass over.
    baseline = y + 0.36 * size
    shown = escape(words)
    return element(
        "text", *content, shown, x=x, y=baseline, font_size=size, text_anchor=anchor, fill=fill, **attributes
    )


def text_width(words: str, size: float) -> float:
    """About how wide words are, rather too wide; no font is at hand to measure them."""
    return size * sum(map(_letter_width, words))


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    return 0.86 if letter in _WIDE else 0.36 if letter in _NARROW else 0.62


def label(
    x: float,
    y: float,
    words: object,
    *,
    room: float,
    size: float,
    fill: str = "#ffffff",
    halo: str | None = None,
    **attributes: object,
) -> str:
    """Words on a point, made smaller where ``room`` is too narrow; a halo lifts them off what is below."""
    fitting = min(size, size * room / max(text_width(str(words), size), 1e-9))
    if halo is not None:
        attributes |= {"stroke": halo, "stroke_width": fitting / 5, "stroke_linejoin": "round", "paint_order": "stroke"}
    return text(x, y, words, anchor="middle", size=fitting, fill=fill, **attributes)


# ── Arrows and marks ────────────────────────────────────────────────────────────────────────────


class Arrow(NamedTuple):
    """An arrow between two cells; ``weight`` from 0 to 1 is its thickness. A plain tuple does as well."""

    start: int
    end: int
    weight: float = 1.0
    colour: str | None = None


class Mark(NamedTuple):
    """A highlighted cell."""

    cell: int
    colour: str | None = None


def arrow(start: Point, end: Point, *, colour: str, width: float, opacity: float = 0.8, keep: float = 0.0) -> str:
    """An arrow that ends ``keep`` units before its point; a ring where both ends are one point."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length < 1e-6:
        return circle(*start, 2.4 * width, fill="none", stroke=colour, stroke_width=width, opacity=opacity)
    along = (dx / length, dy / length)
    length -= min(keep, length / 3)
    head = min(3.0 * width, 0.6 * length)
    neck, half, wing = length - head, width / 2, 1.5 * width
    outline = [(0, half), (neck, half), (neck, wing), (length, 0), (neck, -wing), (neck, -half), (0, -half)]
    points = [(start[0] + u * along[0] - v * along[1], start[1] + u * along[1] + v * along[0]) for u, v in outline]
    return polygon(points, fill=colour, opacity=opacity, stroke_linejoin="round", class_="arrow")


# ── Pictures ────────────────────────────────────────────────────────────────────────────────────


class Picture:
    """One SVG: what is drawn, in order, and its gradients under ids that no other picture of the process has.

    ``size`` is the width in pixels; a page that is narrower shrinks the picture. ``name`` is what a
    screen reader says.
    """

    def __init__(self, width: float, height: float, *, size: float | None = None, name: str = "") -> None:
        if size is not None and not 0 < size < math.inf:
            raise InputError(f"the size of a picture must be a positive number of pixels, not {size}")
        self.width, self.height = width, height
        self.size = width if size is None else size
        self.name = name
        self._parts: list[str] = []
        self._definitions: list[str] = []
        self._number = 0

    def add(self, *markup: str) -> None:
        """Draw on top of what is there."""
        self._parts += markup

    def linear(self, *stops: tuple[float, str]) -> str:
        """A paint that runs from the upper left to the lower right; stops are (place 0–1, colour)."""
        return self._define("linearGradient", stops, x1="0", y1="0", x2="1", y2="1")

    def radial(self, *stops: tuple[float, str], centre: Point = (0.5, 0.5), radius: float = 0.5) -> str:
        """A paint around a centre, in parts of the painted shape."""
        return self._define("radialGradient", stops, cx=centre[0], cy=centre[1], r=radius)

    def _define(self, tag: str, stops: Sequence[tuple[float, str]], **attributes: object) -> str:
        self._number = self._number or next(_PICTURES)
        name = f"picture{self._number}-{len(self._definitions) + 1}"
        shown = [element("stop", offset=place, stop_color=colour) for place, colour in stops]
        self._definitions.append(element(tag, *shown, id=name, **attributes))
        return f"url(#{name})"

    def render(self) -> str:
        """The whole as an SVG element that can stand in a page or in a file of its own."""
        definitions = [element("defs", *self._definitions)] if self._definitions else []
        return element(
            "svg",
            *definitions,
            *self._parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(self.width)} {number(self.height)}",
            width=self.size,
            height=self.size * self.height / self.width,
            style="max-width:100%;height:auto",
            font_family=FONT,
            role="img",
            aria_label=self.name or None,
        )


# ── Boards ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Theme:
    """The colours of a board: its two kinds of cells (equal on boards of one colour), and what lies on them."""

    light: str
    dark: str
    line: str
    frame: str
    coordinate: str
    last: str
    mark: str
    arrow: str
    label: str


GREEN = Theme("#2f9160", "#2f9160", "#155236", "#20302a", "#d3e0d8", "#ff5b4d", "#ffd54a", "#ffb02e", "#ffffff")
WALNUT = Theme("#f0dcb8", "#b98a5e", "#8a6442", "#46332a", "#f0e2cf", "#f6cf4c", "#7fb3e6", "#2f7fd0", "#2a1c12")
KAYA = Theme("#f2cf87", "#f2cf87", "#5c4420", "#5a4326", "#f7e8c8", "#f0913a", "#8fbbe0", "#2f7fd0", "#2a1c12")
SLATE = Theme("#2b3038", "#343a44", "#4b535f", "#1b1f25", "#c4ccd6", "#ffb02e", "#5fb0f0", "#5fb0f0", "#ffffff")


class Board(Picture):
    """A framed board of square cells, column 0 and row 0 in the upper left.

    ``across`` and ``down`` name the columns and rows on the frame; ``sides`` says on which edges of it
    (``t``, ``b``, ``l``, ``r``). ``around`` adds free room at the top, right, bottom and left, in cells: for
    pieces in hand, a preview, a clock.
    """

    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        theme: Theme,
        size: float = 400,
        across: Sequence[str] = (),
        down: Sequence[str] = (),
        sides: str = "tl",
        around: tuple[float, float, float, float] = (0, 0, 0, 0),
        lines: bool = True,
        name: str = "",
    ) -> None:
        top, right, bottom, left = (CELL * room for room in around)
        inner_width, inner_height = columns * CELL, rows * CELL
        about = inner_width + left + right + CELL
        letter = min(max(0.34 * CELL, _SMALLEST_PIXELS * about / max(size, 1)), 0.6 * CELL)
        wide, slim = 1.5 * letter, 0.28 * CELL
        edge = {side: wide if side in sides and (across if side in "tb" else down) else slim for side in "trbl"}
        width, height = inner_width + edge["l"] + edge["r"], inner_height + edge["t"] + edge["b"]
        super().__init__(width + left + right, height + top + bottom, size=size, name=name)
        self.columns, self.rows, self.theme = columns, rows, theme
        self.left, self.top = left + edge["l"], top + edge["t"]
        self.add(rectangle(left, top, width, height, rx=CELL / 6, fill=theme.frame))
        self._cells(lines)
        for words, place, upright in ((across, self._above, "tb"), (down, self._beside, "lr")):
            for side in upright:
                if side in sides:
                    shift = edge[side] / 2
                    self.add(*(text(*place(i, side, shift), w, size=letter, fill=theme.coordinate)
                               for i, w in enumerate(words)))  # fmt: skip

    def _cells(self, lines: bool) -> None:
        theme, width, height = self.theme, self.columns * CELL, self.rows * CELL
        self.add(rectangle(self.left, self.top, width, height, fill=theme.light))
        if theme.dark != theme.light:
            dark = [(c, r) for r in range(self.rows) for c in range(self.columns) if (c + r) % 2]
            self.add(group(*(rectangle(*self.corner(c, r), CELL, CELL) for c, r in dark), fill=theme.dark))
        if lines:
            strokes = [line(self.corner(c, 0), self.corner(c, self.rows)) for c in range(self.columns + 1)]
            strokes += [line(self.corner(0, r), self.corner(self.columns, r)) for r in range(self.rows + 1)]
            self.add(group(*strokes, stroke=theme.line, stroke_width=CELL / 28, stroke_linecap="square"))

    def _above(self, column: int, side: str, shift: float) -> Point:
        x, y = self.corner(column, 0 if side == "t" else self.rows)
        return x + CELL / 2, y - shift if side == "t" else y + shift

    def _beside(self, row: int, side: str, shift: float) -> Point:
        x, y = self.corner(0 if side == "l" else self.columns, row)
        return x - shift if side == "l" else x + shift, y + CELL / 2

    def corner(self, column: float, row: float) -> Point:
        """The upper left corner of a cell."""
        return self.left + column * CELL, self.top + row * CELL

    def centre(self, column: float, row: float) -> Point:
        """The middle of a cell."""
        return self.corner(column + 0.5, row + 0.5)

    def highlight(self, column: int, row: int, colour: str | None = None) -> None:
        """Tint a cell, and line it inside, so that it shows under a piece as well."""
        x, y = self.corner(column, row)
        paint, edge = colour or self.theme.mark, CELL / 12
        self.add(
            rectangle(x, y, CELL, CELL, fill=paint, fill_opacity=0.4, class_="mark"),
            rectangle(
                x + edge / 2, y + edge / 2, CELL - edge, CELL - edge, fill="none", stroke=paint, stroke_width=edge
            ),
        )

    def dot(self, column: int, row: int, colour: str, *, radius: float = 0.12, opacity: float = 1.0) -> None:
        """A small disc in the middle of a cell; the radius is in cells."""
        self.add(circle(*self.centre(column, row), radius * CELL, fill=colour, fill_opacity=opacity, class_="dot"))

    def label(self, column: int, row: int, words: object, *, fill: str | None = None, halo: str | None = None) -> None:
        """Words on a cell, as large as it allows."""
        x, y = self.centre(column, row)
        fill = fill or self.theme.label
        self.add(label(x, y, words, room=0.88 * CELL, size=0.44 * CELL, fill=fill, halo=halo, font_weight=600))

    def arrow(self, start: Point, end: Point, *, weight: float = 1.0, colour: str | None = None) -> None:
        """An arrow between cell centres, (column, row), parts of cells too; ``weight`` from 0 to 1 makes it thick."""
        strength = min(max(weight, 0.0), 1.0)
        self.add(
            arrow(
                self.centre(*start),
                self.centre(*end),
                colour=colour or self.theme.arrow,
                width=CELL * (0.08 + 0.12 * strength),
                opacity=0.6 + 0.3 * strength,
                keep=CELL / 10,
            )
        )
