"""What surrounds a plot: title, legend, ticks, the meaning of the axes, and levels to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalsmith.games.svg import Picture, Point, line, text, text_width, tooltip
from evalsmith.report.scales import Scale
from evalsmith.report.style import colour

# A chart of this width fills one of two columns of a page; in a window of 400 pixels its letters still measure nine.
WIDTH, HEIGHT = 520.0, 320.0
LETTER = 13.0
TITLE_LETTER = 15.0
_FOOT, _FOOT_LABEL = 24.0, 20.0


@dataclass(frozen=True)
class Key:
    """One entry of a legend."""

    name: str
    colour: str
    dash: str | None = None
    line: bool = True


@dataclass(frozen=True)
class Area:
    """The rectangle that the plot itself takes."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Level:
    """A value to compare with, drawn as a dashed line with its name: a bound, a mean, a start."""

    value: float
    name: str = ""


def plot_area(picture: Picture, top: float, y: Scale, *, x_label: str = "", y_label: str = "") -> Area:
    """What the heading, the ticks and the labels leave for the plot."""
    widest = max((text_width(name, LETTER) for _, name in y.ticks()), default=0.0)
    bottom = foot(picture, x_label)
    return Area(widest + 12, min(top + (29 if y_label else 8), bottom - 20), picture.width - 14, bottom)


def foot(picture: Picture, x_label: str) -> float:
    """How far down a plot may reach above its ticks and their label."""
    return picture.height - _FOOT - (_FOOT_LABEL if x_label else 0)


def draw_level(picture: Picture, start: Point, end: Point, name: str) -> None:
    """A dashed line across the plot, upright or level, with its name at the end."""
    muted = colour("muted")
    picture.add(line(start, end, stroke=muted, stroke_width=1.5, stroke_dasharray="5 4"))
    if name:
        upright = start[0] == end[0]
        x, y, anchor = (start[0] + 5, end[1] + 8, "start") if upright else (end[0], end[1] - 8, "end")
        picture.add(text(x, y, name, size=LETTER - 1, anchor=anchor, fill=muted))


def fitted(words: str, size: float, room: float) -> str:
    """The words, cut with an ellipsis where they are too wide."""
    if text_width(words, size) <= room:
        return words
    shown = words
    while shown and text_width(shown + "…", size) > room:
        shown = shown[:-1]
    return shown.rstrip() + "…"


def words(x: float, y: float, string: str, room: float, **options: object) -> str:
    """Text that is cut to the available room; if it is cut, its tooltip has all of it."""
    size = float(str(options.pop("size", LETTER)))
    shown = fitted(string, size, room)
    anchor, fill = str(options.pop("anchor", "middle")), str(options.pop("fill", "currentColor"))
    extra = [tooltip(string)] if shown != string else []
    return text(x, y, shown, *extra, size=size, anchor=anchor, fill=fill, **options)


def heading(picture: Picture, title: str, keys: Sequence[Key] = ()) -> float:
    """Draw the title and the legend; the height they take."""
    y = 4.0
    if title:
        y += 10
        picture.add(words(2, y, title, picture.width - 4, size=TITLE_LETTER, anchor="start", font_weight=600))
        y += 14
    if not keys:
        return y
    x, y = 2.0, y + 8
    for key in keys:
        name = fitted(key.name, LETTER, min(220, picture.width - 40))
        wide = 26 + text_width(name, LETTER)
        if x > 2 and x + wide > picture.width:
            x, y = 2.0, y + 19
        stroke = {"stroke": key.colour, "stroke_width": 3 if key.line else 11, "stroke_dasharray": key.dash}
        picture.add(line((x, y), (x + (18 if key.line else 11), y), **stroke))
        picture.add(words(x + 23, y, key.name, min(220, picture.width - 40), anchor="start"))
        x += wide + 14
    return y + 12


def grid(
    picture: Picture, area: Area, x: Scale | None, y: Scale | None, *, x_label: str = "", y_label: str = ""
) -> None:
    """Draw the ticks, the lines across the plot and what the axes mean; an axis that is None has none."""
    muted = colour("muted")
    if y is not None:
        for value, name in y.ticks(6 if area.bottom - area.top >= 130 else 3):
            height = y(value)
            picture.add(_stroke((area.left, height), (area.right, height), 0.35 if value == 0 and not y.log else 0.13))
            picture.add(text(area.left - 7, height, name, size=LETTER, anchor="end", fill=muted))
    if x is not None:
        for value, name in x.ticks(max(2, int((area.right - area.left) / 75))):
            place = x(value)
            picture.add(_stroke((place, area.top), (place, area.bottom), 0.35 if value == 0 and y is None else 0.07))
            picture.add(_stroke((place, area.bottom), (place, area.bottom + 4), 0.5))
            picture.add(text(place, area.bottom + 14, name, size=LETTER, fill=muted))
    if x is not None:
        picture.add(_stroke((area.left, area.bottom), (area.right, area.bottom), 0.5))
    if y_label:
        picture.add(words(2, area.top - 20, y_label, picture.width - 4, anchor="start", fill=muted))
    if x_label:
        middle = (area.left + area.right) / 2
        picture.add(words(middle, picture.height - 9, x_label, picture.width - 4, fill=muted))


def _stroke(start: tuple[float, float], end: tuple[float, float], opacity: float) -> str:
    return line(start, end, stroke="currentColor", stroke_opacity=opacity)


def nothing(title: str, width: float, height: float) -> str:
    """The chart of no data."""
    picture = Picture(width, min(height, 140), name=f"{title}: no data" if title else "no data")
    top = heading(picture, title)
    picture.add(text(width / 2, (top + picture.height) / 2, "no data", size=LETTER + 1, fill=colour("muted")))
    return picture.render()
