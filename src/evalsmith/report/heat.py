"""Matrices in colour: heat maps around zero as SVG, and cross tables of who beat whom as HTML."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy.typing as npt

from evalsmith.games.svg import Picture, element, escape, group, line, rectangle, text, text_width, tooltip
from evalsmith.report.axes import LETTER, WIDTH, heading, nothing, words
from evalsmith.report.scales import finite, readable
from evalsmith.report.style import colour
from evalsmith.run.errors import InputError

Matrix: TypeAlias = Sequence[Sequence[float | None]] | Sequence[Sequence[float]] | npt.NDArray[Any]

# Cells at least this wide have room for a number of four signs.
_ROOMY = 30.0
_LARGEST = 46.0
_FEW = 400
_SCALE_STEPS = 21
# What the first one of two players won and lost, in cross tables and in heat maps alike.
RESULT_COLOURS = ("rgb(var(--won))", "rgb(var(--lost))")
# From this strength of colour on, words on it need the other ink.
_STRONG = 0.7


def heat_map(
    matrix: Matrix,
    *,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    title: str = "",
    unit: str = "",
    row_label: str = "",
    column_label: str = "",
    limit: float | None = None,
    show: Callable[[float], str] | None = None,
    width: float = WIDTH,
    colours: tuple[str, str] | None = None,
) -> str:
    """Cells in two colours, above and below zero, as strong as the value is far from it.

    ``limit`` is the value of full colour, otherwise the largest value. Values, as ``show`` writes them, appear
    in the cells where these are few and wide enough, and in the tooltips always. ``colours`` are others than those of
    weights: RESULT_COLOURS where above is won and below is lost.
    """
    cells = [[finite(value) for value in row] for row in matrix]
    _check_shape(cells, rows, columns)
    known = [abs(value) for row in cells for value in row if value is not None]
    if not known:
        return nothing(title, width, 160)
    full = abs(finite(limit) or 0.0) or max(known) or 1.0
    show = show or _figures(full, whole=all(value.is_integer() for value in known))
    across = len(cells[0])
    # Names may take a third of the width, or all that cells with numbers in them leave.
    room = max(0.35 * width, width - 14 - across * _ROOMY)
    left = 10 + min(max((text_width(name, LETTER) for name in rows), default=0.0), room)
    cell = min(max((width - left - 4) / across, 3.0), _LARGEST)
    high = cell if cell >= 12 or len(cells) > 40 else min(24.0, 12.0 * cell / 3)
    widest = max((text_width(name, LETTER) for name in columns), default=0.0)
    turned = bool(columns) and widest > max(cell - 4, 34.0)
    foot = (min(widest, 110.0) + 14 if turned else 22.0) if columns else 8.0
    picture = Picture(max(left + across * cell + 6, width if title or unit else 0), 1, name=title)
    top = heading(picture, title)
    colours = colours or (colour("above"), colour("below"))
    _draw_scale(picture, 2, top + 12, full, unit, show, colours)
    top += 34 + (18 if row_label else 0)
    picture.height = top + len(cells) * high + foot + (20 if column_label else 0)
    if row_label:
        picture.add(words(2, top - 12, row_label, picture.width - 4, anchor="start", fill=colour("muted")))
    for r, row in enumerate(cells):
        for c, value in enumerate(row):
            label = ", ".join([*rows[r : r + 1], *columns[c : c + 1]])
            box = (left + c * cell, top + r * high, cell, high)
            fits = cell >= _ROOMY and across * len(cells) <= _FEW
            picture.add(_cell(box, value, full, label, show, colours, fits=fits))
    _name_rows(picture, rows, left, top, high)
    _name_columns(picture, columns, left, top + len(cells) * high, cell, turned)
    if column_label:
        middle = left + across * cell / 2
        picture.add(
            words(
                middle, picture.height - 9, column_label, 2 * min(middle, picture.width - middle), fill=colour("muted")
            )
        )
    return picture.render()


def _check_shape(cells: list[list[float | None]], rows: Sequence[str], columns: Sequence[str]) -> None:
    widths = {len(row) for row in cells}
    if len(widths) > 1:
        raise InputError(f"the rows of a heat map must be equally long, not {sorted(widths)}")
    if rows and len(rows) != len(cells):
        raise InputError(f"a heat map of {len(cells)} rows needs as many names, not {len(rows)}")
    if columns and cells and len(columns) != len(cells[0]):
        raise InputError(f"a heat map of {len(cells[0])} columns needs as many names, not {len(columns)}")


def _figures(full: float, *, whole: bool) -> Callable[[float], str]:
    """All values with the same decimals, three figures for the largest."""
    if not 0.01 <= full < 1e6:
        return lambda value: readable(value, 3)
    decimals = 0 if whole else max(0, 2 - math.floor(math.log10(full)))
    return lambda value: f"{round(value, decimals) + 0.0:,.{decimals}f}".replace("-", "−")


def _paint(value: float, full: float, colours: tuple[str, str]) -> tuple[str, float]:
    """The colour of a value and its opacity; the paper shows through where it is near zero."""
    return colours[0 if value > 0 else 1], min(abs(value) / full, 1.0)


def _cell(
    box: tuple[float, float, float, float],
    value: float | None,
    full: float,
    label: str,
    show: Callable[[float], str],
    colours: tuple[str, str],
    *,
    fits: bool,
) -> str:
    x, y, width, height = box
    gap = 1.0 if width >= 12 else 0.0
    inner = (x, y, width - gap, height - gap)
    between = ": " if label else ""
    if value is None:
        crossed = line((x, y + height - gap), (x + width - gap, y), stroke="currentColor", stroke_opacity=0.3)
        return rectangle(*inner, tooltip(f"{label}{between}no data"), fill="currentColor", fill_opacity=0.04) + crossed
    paint, strength = _paint(value, full, colours)
    back = rectangle(
        *inner, tooltip(f"{label}{between}{show(value)}"), fill=paint, fill_opacity=strength, class_="heat"
    )
    # A faint ground, so that cells near zero still show as cells.
    drawn = rectangle(*inner, fill="currentColor", fill_opacity=0.04) + back
    if not fits:
        return drawn
    shown = show(value)
    size = min(LETTER - 1, (width - 4) * (LETTER - 1) / max(text_width(shown, LETTER - 1), 1e-9))
    ink = colour("on-strong") if strength > _STRONG else "currentColor"
    return drawn + text(x + width / 2 - gap / 2, y + height / 2, shown, size=size, fill=ink, pointer_events="none")


def _draw_scale(
    picture: Picture,
    x: float,
    y: float,
    full: float,
    unit: str,
    show: Callable[[float], str],
    colours: tuple[str, str],
) -> None:
    """The legend: a strip from the lowest to the highest colour with three numbers."""
    low, high = show(-full), f"+{show(full)}"
    wide, high_unit = 6.0, f"{high} {unit}".rstrip()
    start = x + text_width(low, LETTER) + 6
    middle = _SCALE_STEPS // 2
    boxes = []
    for step in range(_SCALE_STEPS):
        paint, strength = _paint((step - middle) / middle, 1.0, colours)
        boxes.append(rectangle(start + step * wide, y - 6, wide, 12, fill=paint, fill_opacity=strength))
    end = start + _SCALE_STEPS * wide
    edge = rectangle(start, y - 6, end - start, 12, fill="none", stroke="currentColor", stroke_opacity=0.25)
    zero = rectangle((start + end) / 2 - 0.5, y - 6, 1, 12, fill="currentColor", fill_opacity=0.5)
    muted = colour("muted")
    picture.add(
        group(*boxes, edge, zero),
        text(x, y, low, size=LETTER, anchor="start", fill=muted),
        text(end + 6, y, high_unit, size=LETTER, anchor="start", fill=muted),
    )


def _name_rows(picture: Picture, rows: Sequence[str], left: float, top: float, high: float) -> None:
    """Every name, or every second, third … where lines would touch."""
    step = max(1, -(-int(LETTER + 1) // max(int(high), 1)))
    for r in range(0, len(rows), step):
        picture.add(words(left - 6, top + (r + 0.5) * high, rows[r], left - 6, anchor="end", fill=colour("muted")))


def _name_columns(picture: Picture, columns: Sequence[str], left: float, y: float, cell: float, turned: bool) -> None:
    if not columns:
        return
    needed = LETTER + 1 if turned else max(text_width(name, LETTER) for name in columns) + 4
    step = max(1, -(-int(needed) // max(int(cell), 1)))
    for c in range(0, len(columns), step):
        x = left + (c + 0.5) * cell
        if turned:
            spin = f"rotate(-90 {x:.2f} {y + 6:.2f})"
            picture.add(words(x, y + 6, columns[c], 110, anchor="end", fill=colour("muted"), transform=spin))
        else:
            picture.add(text(x, y + 12, columns[c], size=LETTER, fill=colour("muted")))


# ── Cross tables ────────────────────────────────────────────────────────────────────────────────


def cross_table(
    names: Sequence[str], points: Matrix, games: Sequence[Sequence[int]] | npt.NDArray[Any], *, caption: str = ""
) -> str:
    """Who scored how much against whom, as an HTML table.

    ``points[i][j]`` is what player i won of ``games[i][j]`` games against player j; a win is one point, a
    draw half of one. Cells are coloured by the share; players stay in the order given.
    """
    count = len(names)
    for what, matrix in (("points", points), ("games", games)):
        if len(matrix) != count or any(len(row) != count for row in matrix):
            raise InputError(f"a cross table of {count} players needs {count} × {count} {what}")
    if not count:
        return element("p", "no data")
    head = [element("th", "", scope="col"), element("th", "", scope="col")]
    head += [_heading(str(i + 1), name) for i, name in enumerate(names)]
    head += [_heading(name, None) for name in ("points", "games", "share")]
    body = []
    for i, name in enumerate(names):
        cells = [element("td", str(i + 1), class_="number"), element("th", escape(name), scope="row")]
        won = played = 0.0
        for j, other in enumerate(names):
            share, total = finite(points[i][j]), int(games[i][j])
            if i == j or total <= 0 or share is None:
                cells.append(element("td", "·" if i == j else "–"))
                continue
            won, played = won + share, played + total
            cells.append(_score(name, other, share, total))
        rate = f"{100 * won / played:.1f}%" if played else "–"
        cells += [element("td", cell, class_="number") for cell in (_half(won), f"{int(played):,}", rate)]
        body.append(element("tr", *cells))
    title = [element("caption", escape(caption))] if caption else []
    table = element("table", *title, element("thead", element("tr", *head)), element("tbody", *body), class_="cross")
    return element("div", table, class_="wide")


def _heading(words: str, whole: str | None) -> str:
    return element("th", escape(words), scope="col", class_="number", title=whole)


def _score(name: str, other: str, share: float, total: int) -> str:
    rate = min(max(share / total, 0.0), 1.0)
    # At full strength the cell would drown its words.
    strength = 1.3 * abs(rate - 0.5)
    tint = f"background:rgb(var(--{'won' if rate >= 0.5 else 'lost'}) / {strength:.2f})"
    label = f"{name} against {other}: {_half(share)} of {total:,} ({100 * rate:.0f}%)"
    return element("td", f"{_half(share)}/{total:,}", style=tint, title=label)


def _half(points: float) -> str:
    """Points with ½ for a half."""
    whole, rest = divmod(points, 1.0)
    if rest == 0.5:
        return f"{int(whole):,}½" if whole else "½"
    return readable(points, 4)
