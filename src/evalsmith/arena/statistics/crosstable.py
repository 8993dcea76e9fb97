"""Tables of results in text files: lines of two players, or a square table of points."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Sequence
from pathlib import Path

from evalsmith.arena.statistics.ratings import Pairing
from evalsmith.run.errors import InputError

BLANK = frozenset({"", "-", "–", "—", "x", "X", "*"})
"""Cells of a square table that stand for no games."""


def read_crosstable(path: Path) -> list[Pairing]:
    """The games of a results file, in one of two forms, separated by commas or by whitespace.

    Either lines ``A B wins draws losses`` from A's view, or a square table: a header row with the names, then for each
    player a row with its points against each column. Blank cells, ``-``, ``x`` and ``*`` are games not played. Lines
    that begin with ``#`` are passed over.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected a text file in UTF-8") from None
    lines = [
        (f"{path}, line {number}", _cells(line))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.replace(",", " ").strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise InputError(f"{path}: expected lines `A B wins draws losses` or a square table, got an empty file")
    first = lines[0][1]
    if len(lines) == 1 or (len(first) == 5 and _number(first[4]) is not None):
        return [_read_line(place, cells) for place, cells in lines]
    return _read_square(lines)


def _cells(line: str) -> list[str]:
    if "," in line:
        with contextlib.suppress(csv.Error):
            return [cell.strip() for cell in next(csv.reader([line], skipinitialspace=True))]
    return line.split()


def _number(cell: str) -> float | None:
    """Points, where ½ is understood; None for anything else."""
    text = cell.replace("½", ".5")
    return float(text) if text.replace(".", "", 1).isdecimal() else None


def _read_line(place: str, cells: Sequence[str]) -> Pairing:
    if len(cells) != 5:
        raise InputError(f"{place}: expected `A B wins draws losses` (commas between names of several words)")
    first, second, *counts = cells
    if not all(count.isdecimal() for count in counts):
        raise InputError(f"{place}: expected whole numbers of wins, draws and losses, got {' '.join(counts)}")
    if first == second or not first or not second:
        raise InputError(f"{place}: expected two different players, got {first!r} and {second!r}")
    won, drawn, lost = (float(count) for count in counts)
    return Pairing(first, second, won, drawn, lost)


def _read_square(lines: Sequence[tuple[str, list[str]]]) -> list[Pairing]:
    (head_place, head), rows = lines[0], lines[1:]
    # The corner above the row names may be blank or labelled; whitespace leaves no trace of a blank one.
    names = head[1:] if len(head) == len(rows) + 1 else head
    if len(names) != len(rows) or len(set(names)) != len(names) or not all(names):
        expected = f"a header with the {len(rows)} different names of the rows below, or `A B wins draws losses`"
        raise InputError(f"{head_place}: expected {expected}; got {', '.join(head)}")
    points: dict[tuple[str, str], float | None] = {}
    places: dict[str, str] = {}
    for place, (name, *cells) in rows:
        if name not in names or name in places:
            raise InputError(f"{place}: expected the row of one of {', '.join(names)}, once; got {name}")
        if len(cells) != len(names):
            raise InputError(f"{place}: expected a name and {len(names)} cells, got {len(cells)} cells")
        places[name] = place
        for other, cell in zip(names, cells, strict=True):
            points[name, other] = None if cell in BLANK else _number(cell)
            if cell not in BLANK and points[name, other] is None:
                raise InputError(f"{place}: expected the points of {name} against {other}, got {cell}")
        if points[name, name]:
            raise InputError(f"{place}: {name} has points against itself")
    pairings = []
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            won, lost = points[first, second], points[second, first]
            if won is not None and lost is not None:
                pairings.append(Pairing(first, second, won, 0.0, lost))
            elif won is not None or lost is not None:
                blank, other = (second, first) if lost is None else (first, second)
                raise InputError(f"{places[blank]}: {other} has points against {blank}, whose cell is blank")
    return pairings
