"""Scatter charts: points, the line fitted to them, and the band of its error."""

from __future__ import annotations

from collections.abc import Sequence

from evalsmith.games.svg import Picture, circle, line, polygon
from evalsmith.report.axes import HEIGHT, WIDTH, grid, heading, nothing, plot_area
from evalsmith.report.scales import scale_for
from evalsmith.report.style import series_colour


def scatter_chart(
    points: Sequence[tuple[float, float]],
    *,
    slope: float,
    offset: float,
    error: float,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    width: float = WIDTH,
    height: float = HEIGHT,
) -> str:
    """Points with the line y = slope · x + offset, and a band of one ``error`` on either side of it."""
    if not points:
        return nothing(title, width, height)
    x = scale_for([point[0] for point in points], snap=False)
    left, right = min(point[0] for point in points), max(point[0] for point in points)
    ends = [slope * place + offset for place in (left, right)]
    y = scale_for([*(point[1] for point in points), *(end + sign * error for end in ends for sign in (-1, 1))])
    picture = Picture(width, height, name=title)
    top = heading(picture, title)
    area = plot_area(picture, top, y, x_label=x_label, y_label=y_label)
    x, y = x.moved(area.left, area.right), y.moved(area.bottom, area.top)
    grid(picture, area, x, y, x_label=x_label, y_label=y_label)
    band = [(x(left), y(ends[0] - error)), (x(right), y(ends[1] - error))]
    band += [(x(right), y(ends[1] + error)), (x(left), y(ends[0] + error))]
    picture.add(polygon(band, fill=series_colour(1), fill_opacity=0.15))
    picture.add(*(circle(x(a), y(b), 1.8, fill=series_colour(0), fill_opacity=0.55) for a, b in points))
    picture.add(line((x(left), y(ends[0])), (x(right), y(ends[1])), stroke=series_colour(1), stroke_width=2))
    return picture.render()
