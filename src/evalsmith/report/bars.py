"""Charts of bars: grouped, with whiskers, vertical or horizontal; and histograms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.games.svg import Picture, group, line, rectangle, text_width, tooltip
from evalsmith.report.axes import (
    HEIGHT,
    LETTER,
    WIDTH,
    Area,
    Key,
    Level,
    draw_level,
    foot,
    grid,
    heading,
    nothing,
    plot_area,
    words,
)
from evalsmith.report.scales import Numbers, Scale, finite, nice_step, readable, scale_for
from evalsmith.report.style import series_colour
from evalsmith.run.errors import InputError

# Whole numbers further apart than this are binned like any others.
_MAX_WHOLE = 1e9


@dataclass(frozen=True)
class Bars:
    """One colour of bars, a value for each category; ``errors`` are half the length of the whiskers."""

    name: str
    values: Numbers
    errors: Numbers | None = None


def bar_chart(
    categories: Sequence[str],
    bars: Sequence[Bars],
    *,
    title: str = "",
    value_label: str = "",
    horizontal: bool | None = None,
    width: float = WIDTH,
    height: float | None = None,
) -> str:
    """Bars from zero, grouped by category, with whiskers where there are errors.

    They are vertical if the names of the categories have room below, and horizontal otherwise, unless ``horizontal``
    says which; horizontal bars make the chart as high as they need.
    """
    _check(categories, bars)
    values = [[finite(value) for value in one.values] for one in bars]
    errors = [_errors(one, len(categories)) for one in bars]
    ends = _ends(values, errors)
    if not ends:
        return nothing(title, width, height or HEIGHT)
    scale = scale_for(ends, zero=True)
    widest = max(text_width(name, LETTER) for name in categories)
    lying = horizontal if horizontal is not None else widest > (width - 70) / len(categories) - 6
    picture = Picture(width, height or HEIGHT, name=title)
    keys = [Key(one.name, series_colour(i), line=False) for i, one in enumerate(bars)]
    top = heading(picture, title, keys if len(keys) > 1 else ())
    if lying:
        if height is None:
            slot = max(8.0, 24.0 / len(bars)) * len(bars) + 10
            picture.height += top + 6 + slot * len(categories) - foot(picture, value_label)
        area = Area(min(widest, 0.4 * width) + 14, top + 6, width - 20, foot(picture, value_label))
        scale = scale.moved(area.left, area.right)
        grid(picture, area, scale, None, x_label=value_label)
    else:
        area = plot_area(picture, top, scale, y_label=value_label)
        scale = scale.moved(area.bottom, area.top)
        grid(picture, area, None, scale, y_label=value_label)
    slot = (area.bottom - area.top if lying else area.right - area.left) / len(categories)
    breadth = min(0.8 * slot / len(bars), 48.0)
    for i, category in enumerate(categories):
        middle = (area.top if lying else area.left) + (i + 0.5) * slot
        if lying:
            picture.add(words(area.left - 9, middle, category, area.left - 11, anchor="end"))
        else:
            picture.add(words(middle, area.bottom + 14, category, slot - 2))
        for j, one in enumerate(bars):
            value = values[j][i]
            if value is not None:
                across = middle + (j - len(bars) / 2) * breadth
                label = f"{category}{', ' + one.name if one.name else ''}: {readable(value)}"
                picture.add(_bar(scale, across, breadth, value, errors[j][i], label, j, lying))
    zero = scale(0.0)
    ends_of_zero = ((zero, area.top), (zero, area.bottom)) if lying else ((area.left, zero), (area.right, zero))
    picture.add(line(*ends_of_zero, stroke="currentColor", stroke_opacity=0.6))
    return picture.render()


def _check(categories: Sequence[str], bars: Sequence[Bars]) -> None:
    for one in bars:
        for name, held in (("values", one.values), ("errors", one.errors)):
            if held is not None and len(held) != len(categories):
                raise InputError(f"the bars {one.name!r} have {len(held)} {name} for {len(categories)} categories")


def _errors(one: Bars, count: int) -> list[float]:
    return [0.0] * count if one.errors is None else [abs(finite(error) or 0.0) for error in one.errors]


def _ends(values: list[list[float | None]], errors: list[list[float]]) -> list[float]:
    """How far bars and whiskers reach."""
    pairs = [pair for row, wide in zip(values, errors, strict=True) for pair in zip(row, wide, strict=True)]
    return [value + way * error for value, error in pairs if value is not None for way in (-1, 1)]


def _bar(
    scale: Scale, across: float, breadth: float, value: float, error: float, label: str, index: int, lying: bool
) -> str:
    """One bar with its whisker; ``across`` is where it begins along the axis of the categories."""
    zero, end = scale(0.0), scale(value)
    start, length, gap = min(zero, end), abs(end - zero), breadth * 0.06
    if error:
        label += f" ± {readable(error)}"
    box = (
        (start, across + gap, length, breadth - 2 * gap) if lying else (across + gap, start, breadth - 2 * gap, length)
    )
    drawn = rectangle(*box, tooltip(label), fill=series_colour(index), class_="bar")
    if not error:
        return drawn
    low, high, middle, cap = scale(value - error), scale(value + error), across + breadth / 2, min(breadth / 5, 6)
    strokes = [((low, middle), (high, middle)), ((low, middle - cap), (low, middle + cap)),
               ((high, middle - cap), (high, middle + cap))]  # fmt: skip
    turned = strokes if lying else [((b, a), (d, c)) for (a, b), (c, d) in strokes]
    return drawn + group(*(line(a, b) for a, b in turned), stroke="currentColor", stroke_width=1.4, class_="whisker")


# ── Histograms ──────────────────────────────────────────────────────────────────────────────────


def histogram(
    values: Numbers,
    *,
    bins: int | None = None,
    title: str = "",
    x_label: str = "",
    y_label: str = "count",
    levels: Sequence[Level] = (),
    width: float = WIDTH,
    height: float = HEIGHT,
) -> str:
    """How often values fall into equal bins with round edges; ``levels`` are upright. About ``bins`` of them."""
    held = np.array([v for value in values if (v := finite(value)) is not None], dtype=np.float64)
    if held.size == 0:
        return nothing(title, width, height)
    edges = _edges(held, bins)
    counts = np.histogram(held, bins=edges)[0]
    picture = Picture(width, height, name=title)
    y = scale_for([float(counts.max())], zero=True)
    area = plot_area(picture, heading(picture, title), y, x_label=x_label, y_label=y_label)
    x = Scale(float(edges[0]), float(edges[-1]), area.left, area.right)
    y = y.moved(area.bottom, area.top)
    grid(picture, area, x, y, x_label=x_label, y_label=y_label)
    boxes = []
    for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
        left, right, peak = x(float(low)), x(float(high)), y(float(count))
        label = tooltip(f"{_between(float(low), float(high))}: {int(count):,}")
        boxes.append(rectangle(left + 0.5, peak, max(right - left - 1, 0.5), area.bottom - peak, label, class_="bar"))
    picture.add(group(*boxes, fill=series_colour(0)))
    for level in levels:
        if (value := finite(level.value)) is not None and x.low <= value <= x.high:
            draw_level(picture, (x(value), area.bottom), (x(value), area.top), level.name)
    return picture.render()


def _between(low: float, high: float) -> str:
    """What a bin holds, in words; one of whole numbers has its edges at halves."""
    if low % 1 == 0.5 and (high - low) % 1 == 0:
        low, high = low + 0.5, high - 0.5
    return readable(low, 6) if low == high else f"{readable(low, 6)} to {readable(high, 6)}"


def _edges(held: npt.NDArray[np.float64], bins: int | None) -> npt.NDArray[np.float64]:
    """Round edges; without a wish, bins as wide as the middle half of the values and their number ask for.

    Whole numbers get bins around whole numbers, so that none of them lies on an edge.
    """
    around = scale_for([float(held.min()), float(held.max())], snap=False)
    span = around.high - around.low
    if bins is None:
        quarter, three = np.percentile(held, [25, 75])
        ideal = 2 * float(three - quarter) / held.size ** (1 / 3)
        bins = 40 if ideal <= 0 else int(min(max(span / ideal, 8), 60))
    step = nice_step(span, max(bins, 1))
    if bool((held == np.floor(held)).all()) and span < _MAX_WHOLE:
        step = max(1.0, step)
        count = math.floor((held.max() - held.min()) / step) + 1
        return float(held.min()) - 0.5 + np.arange(count + 1, dtype=np.float64) * step
    first, last = math.floor(around.low / step), math.ceil(around.high / step)
    # Quotients round: no value may fall outside. One on the last edge opens a bin, as values on all edges do.
    first -= int(first * step > held.min())
    last += int(last * step <= held.max())
    return np.arange(first, last + 1, dtype=np.float64) * step
