"""Line charts with several series, error bands and logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evalsmith.games.svg import Picture, Point, circle, element, group, line, number, polygon, tooltip
from evalsmith.report.axes import HEIGHT, WIDTH, Key, Level, draw_level, grid, heading, nothing, plot_area
from evalsmith.report.scales import Numbers, Scale, finite, readable, scale_for
from evalsmith.report.style import series_colour, series_dash
from evalsmith.run.errors import InputError

# A line with more points than this is drawn without dots; it then has tooltips at this many places.
_DOTS = 40


@dataclass(frozen=True)
class Series:
    """A line of a chart; ``low`` and ``high`` bound its error band."""

    name: str
    x: Numbers
    y: Numbers
    low: Numbers | None = None
    high: Numbers | None = None


class _Dot(NamedTuple):
    x: float
    y: float
    low: float | None
    high: float | None


def line_chart(
    series: Sequence[Series],
    *,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    x_log: bool = False,
    y_log: bool = False,
    y_zero: bool = False,
    levels: Sequence[Level] = (),
    width: float = WIDTH,
    height: float = HEIGHT,
) -> str:
    """Lines over a common axis, with error bands where they have bounds; ``levels`` are horizontal."""
    lines = [_pieces(one, x_log, y_log) for one in series]
    dots = [dot for pieces in lines for piece in pieces for dot in piece]
    if not dots:
        return nothing(title, width, height)
    shown = [level for level in levels if _drawable(level.value, y_log) is not None]
    heights = [v for dot in dots for v in (dot.y, dot.low, dot.high) if v is not None]
    y = scale_for([*heights, *(level.value for level in shown)], log=y_log, zero=y_zero and not y_log)
    x = scale_for([dot.x for dot in dots], log=x_log, snap=False)
    keys = [Key(one.name, series_colour(i), series_dash(i)) for i, one in enumerate(series) if lines[i]]
    picture = Picture(width, height, name=title)
    top = heading(picture, title, keys if len(keys) > 1 else ())
    area = plot_area(picture, top, y, x_label=x_label, y_label=y_label)
    x, y = x.moved(area.left, area.right), y.moved(area.bottom, area.top)
    grid(picture, area, x, y, x_label=x_label, y_label=y_label)
    for level in shown:
        draw_level(picture, (area.left, y(level.value)), (area.right, y(level.value)), level.name)
    for index, pieces in enumerate(lines):
        picture.add(*(_band(piece, x, y, series_colour(index)) for piece in pieces))
    for index, (one, pieces) in enumerate(zip(series, lines, strict=True)):
        _draw_line(picture, one.name, pieces, x, y, index)
    return picture.render()


def _pieces(one: Series, x_log: bool, y_log: bool) -> list[list[_Dot]]:
    """The points of a series, cut where one is missing."""
    count = len(one.x)
    for name, values in (("y", one.y), ("low", one.low), ("high", one.high)):
        if values is not None and len(values) != count:
            raise InputError(f"the series {one.name!r} has {count} values of x, but {len(values)} of {name}")
    pieces: list[list[_Dot]] = [[]]
    for i in range(count):
        x, y = _drawable(one.x[i], x_log), _drawable(one.y[i], y_log)
        if x is None or y is None:
            pieces.append([])
            continue
        low = None if one.low is None else _drawable(one.low[i], y_log)
        high = None if one.high is None else _drawable(one.high[i], y_log)
        pieces[-1].append(_Dot(x, y, low, high))
    return [piece for piece in pieces if piece]


def _drawable(value: float | None, log: bool) -> float | None:
    real = finite(value)
    return None if real is None or (log and real <= 0) else real


def _band(piece: Sequence[_Dot], x: Scale, y: Scale, paint: str) -> str:
    known = [(dot.x, dot.low, dot.high) for dot in piece if dot.low is not None and dot.high is not None]
    if len(known) < 2:
        return "".join(
            line((x(place), y(low)), (x(place), y(high)), stroke=paint, stroke_opacity=0.5, stroke_width=2)
            for place, low, high in known
        )
    edge = _thinned([(x(place), y(high)) for place, _, high in known])
    edge += reversed(_thinned([(x(place), y(low)) for place, low, _ in known]))
    return polygon(edge, fill=paint, fill_opacity=0.16)


def _draw_line(picture: Picture, name: str, pieces: Sequence[Sequence[_Dot]], x: Scale, y: Scale, index: int) -> None:
    paint, dash = series_colour(index), series_dash(index)
    for piece in pieces:
        places = _thinned([(x(dot.x), y(dot.y)) for dot in piece])
        joined = " ".join(f"{number(a)},{number(b)}" for a, b in places)
        picture.add(
            element("polyline", points=joined, fill="none", stroke=paint, stroke_width=2.2, stroke_dasharray=dash,
                    stroke_linejoin="round", stroke_linecap="round")
        )  # fmt: skip
    dots = [dot for piece in pieces for dot in piece]
    visible = len(dots) <= _DOTS or all(len(piece) == 1 for piece in pieces)
    step = 1 if visible else math.ceil(len(dots) / _DOTS)
    chosen = dots if visible else [*dots[::step], dots[-1]]
    marks = [circle(x(dot.x), y(dot.y), 3.2 if visible else 7, tooltip(_description(name, dot))) for dot in chosen]
    picture.add(group(*marks, fill=paint, fill_opacity=None if visible else 0))


def _description(name: str, dot: _Dot) -> str:
    band = "" if dot.low is None or dot.high is None else f" ({readable(dot.low)} to {readable(dot.high)})"
    return f"{name}{': ' if name else ''}{readable(dot.x, 6)} → {readable(dot.y)}{band}"


def _thinned(points: list[Point]) -> list[Point]:
    """Where many points share a column of pixels: its first, its lowest, its highest and its last."""
    if len(points) <= 2 * WIDTH:
        return points
    thinned: list[Point] = []
    column: list[Point] = []
    for point in [*points, (math.inf, 0.0)]:
        if column and (point[0] == math.inf or int(point[0]) != int(column[0][0])):
            tops = {column.index(min(column, key=_height)), column.index(max(column, key=_height))}
            thinned += [column[i] for i in sorted({0, len(column) - 1} | tops)]
            column = []
        column.append(point)
    return thinned


def _height(point: Point) -> float:
    return point[1]
