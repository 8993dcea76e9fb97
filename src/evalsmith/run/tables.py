"""Small tables that results show of themselves: aligned text in a terminal, HTML in a notebook."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_NUMBER = re.compile(r"[+−-]?[\d,]+(\.\d+)?( %)?")


@dataclass(frozen=True)
class TextTable:
    """A table with a heading per column, perhaps a title, and sentences below it; numbers are aligned to the right.

    ``spans`` are headings above those of the columns: a text and how many columns it is over.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    sentences: tuple[str, ...] = ()
    title: str = ""
    spans: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        cells = self.texts()
        right = self.numeric()
        widths = [max(map(_width, column)) for column in zip(self.columns, *cells, strict=True)]
        lines = [_line(self.columns, widths, right), "  ".join("─" * width for width in widths)]
        lines += [_line(row, widths, right) for row in cells]
        title = [self.title] if self.title else []
        if self.spans:
            title.append(_span_line(self.spans, widths))
        return "\n".join([*title, *(lines if self.columns else []), *self.sentences])

    def html(self) -> str:
        """The table as an HTML fragment; every text is escaped."""
        right = self.numeric()
        head = "".join(f"<th>{html.escape(column)}</th>" for column in self.columns)
        body = "".join(
            "<tr>"
            + "".join(
                f'<td style="text-align:{"right" if to_right else "left"}">{html.escape(_text(cell))}</td>'
                for cell, to_right in zip(row, right, strict=True)
            )
            + "</tr>"
            for row in self.rows
        )
        above = "".join(f'<th colspan="{count}">{html.escape(text)}</th>' for text, count in self.spans)
        head = f"<tr>{above}</tr><tr>{head}</tr>" if above else f"<tr>{head}</tr>"
        table = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>" if self.columns else ""
        title = f"<p><b>{html.escape(self.title)}</b></p>" if self.title else ""
        return title + table + "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences)

    def texts(self) -> list[list[str]]:
        """The cells as texts, row by row."""
        return [[_text(cell) for cell in row] for row in self.rows]

    def numeric(self) -> list[bool]:
        """Which columns hold numbers only, or texts that are numbers."""
        return [bool(self.rows) and all(_is_number(row[i]) for row in self.rows) for i in range(len(self.columns))]


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _is_number(cell: Any) -> bool:
    return cell is None or isinstance(cell, int | float) or bool(_NUMBER.fullmatch(str(cell)))


def _width(text: str) -> int:
    """How many columns of a terminal a text takes: the signs of East Asian scripts take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _span_line(spans: tuple[tuple[str, int], ...], widths: list[int]) -> str:
    """Each heading in the middle of its columns, between short rules where there is room."""
    parts, place = [], 0
    for text, count in spans:
        width = sum(widths[place : place + count]) + 2 * (count - 1)
        parts.append(f" {text} ".center(width, "─") if text and width > _width(text) + 3 else text.center(width))
        place += count
    return "  ".join(parts).rstrip()


def _line(cells: Sequence[str], widths: list[int], right: list[bool]) -> str:
    padded = []
    for cell, width, to_right in zip(cells, widths, right, strict=True):
        gap = " " * (width - _width(cell))
        padded.append(gap + cell if to_right else cell + gap)
    return "  ".join(padded).rstrip()
