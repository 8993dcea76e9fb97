"""A page: one HTML file with everything inside, that opens from a disk, on a telephone and on paper.

Words are escaped wherever they go in. Markup (pictures, cross tables) is taken as it is, but for its
ids, which the page makes its own, so that any number of pictures can be side by side.
"""

from __future__ import annotations

import base64
import hashlib
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from evalsmith.games.svg import element, escape
from evalsmith.report.scales import readable
from evalsmith.report.style import STYLE_SHEET
from evalsmith.run import to_toml, write_text
from evalsmith.run.errors import InputError

Outcome: TypeAlias = Literal["stronger", "not proven", "weaker"]

# Nothing may be fetched, whatever the page holds.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_IDS = re.compile(r"""\sid=["']([^"']+)["']""")
_REFERENCES = re.compile(r"""(\sid=["']|\sfor=["']|url\(["']?#|href=["']#|aria-labelledby=["'])([^"')]+)""")
_LOOKS_NUMERIC = re.compile(r"[+\-−±<>≈]?\s?[\d.,]*\d[\d.,]*(½|\s?%|\s?[a-zA-Zµ]{1,3})?(\s?±\s?[\d.,]+\s?%?)?|½|–|∞|")
# From this many sections on, a page begins with a list of them.
_CONTENTS_FROM = 3


class Markup(str):
    """HTML or SVG to be put in as it is; never made from words of a user."""

    __slots__ = ()


@dataclass(frozen=True)
class Figure:
    """A picture and the sentence below it."""

    picture: str
    caption: str = ""


class Page:
    """Gathers the parts of a page in order; `render` gives the page."""

    def __init__(self, title: str, *, subtitle: str = "", footer: str = "") -> None:
        self.title, self.subtitle, self.footer = title, subtitle, footer
        self._verdict = ""
        self._parts: list[str] = []
        self._sections: list[tuple[str, str]] = []
        self._anchors: set[str] = set()
        self._levels: dict[int, int] = {}  # which parts are headings
        self._closing: set[int] = set()  # which parts belong to no section
        self._figures = 0
        self._scripts: list[str] = []

    # ── Words ──

    def verdict(self, outcome: Outcome, sentence: str) -> None:
        """The answer of the page in one sentence, in a coloured box below the title."""
        kind = {"stronger": "stronger", "not proven": "not-proven", "weaker": "weaker"}.get(outcome)
        if kind is None:
            raise InputError(f"a verdict is 'stronger', 'not proven' or 'weaker', not {outcome!r}")
        words = [element("strong", escape(outcome)), element("span", escape(sentence))]
        self._verdict = element("p", *words, class_=f"verdict {kind}")

    def section(self, heading: str, *, anchor: str | None = None, level: int = 2) -> str:
        """Begin a section, or with level 3 a part of one; gives the anchor that links to it."""
        if level not in (2, 3):
            raise InputError(f"a heading has level 2 or 3, not {level}")
        name = self._anchor(anchor or heading)
        self._levels[len(self._parts)] = level
        self._parts.append(element(f"h{level}", element("a", escape(heading), href=f"#{name}"), id=name))
        if level == 2:
            self._sections.append((name, heading))
        return name

    def paragraph(self, words: str) -> None:
        """A paragraph of plain words."""
        self._parts.append(element("p", escape(words)))

    def facts(self, facts: Mapping[str, object] | Iterable[tuple[str, object]]) -> None:
        """A few numbers that matter most, large, each with its name."""
        pairs = facts.items() if isinstance(facts, Mapping) else facts
        boxes = [element("div", element("dt", escape(name)), element("dd", _shown(value))) for name, value in pairs]
        if boxes:
            self._parts.append(element("dl", *boxes, class_="facts"))

    def configuration(self, config: Mapping[str, Any] | str, *, heading: str = "Configuration") -> None:
        """What was asked, folded away: a configuration or its text."""
        words = config if isinstance(config, str) else to_toml(dict(config))
        self._closing.add(len(self._parts))
        self.details(heading, Markup(element("pre", element("code", escape(words)))))

    def details(self, summary: str, content: Markup | str) -> None:
        """Something that is folded away until the reader asks for it."""
        shown = self._own(content) if isinstance(content, Markup) else element("p", escape(content))
        self._parts.append(element("details", element("summary", escape(summary)), shown))

    def markup(self, markup: str) -> None:
        """HTML made elsewhere, such as a cross table, put in as it is."""
        self._parts.append(self._own(markup))

    def script(self, code: str) -> None:
        """Code of ours that runs once the page is there; its hash goes into the policy, so no other can."""
        if code not in self._scripts:
            self._scripts.append(code)

    # ── Tables ──

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        *,
        caption: str = "",
        align: str | None = None,
        folded: str = "",
    ) -> None:
        """A table; numbers, and words that look like them, are aligned to the right.

        A cell is words, a number, None, or `Markup` for a picture. ``align`` overrides the sides, one letter
        ``l`` or ``r`` for each column. A long table may be ``folded`` away under these words.
        """
        held = [list(row) for row in rows]
        for place, row in enumerate(held, 1):
            if len(row) != len(columns):
                raise InputError(f"row {place} of a table has {len(row)} cells for {len(columns)} columns")
        if align is not None and (len(align) != len(columns) or set(align) - set("lr")):
            raise InputError(f"the alignment of {len(columns)} columns is as many letters l or r, not {align!r}")
        sides = align or "".join("r" if _numeric([row[c] for row in held]) else "l" for c in range(len(columns)))
        classes = ["number" if side == "r" else None for side in sides]
        head = [
            element("th", escape(name), scope="col", class_=kind) for name, kind in zip(columns, classes, strict=True)
        ]
        body = [
            element(
                "tr", *(element("td", self._shown(cell), class_=kind) for cell, kind in zip(row, classes, strict=True))
            )
            for row in held
        ]
        if not held:
            body = [element("tr", element("td", "no data", colspan=max(len(columns), 1)))]
        title = [element("caption", escape(caption))] if caption else []
        table = element("table", *title, element("thead", element("tr", *head)), element("tbody", *body))
        shown = element("div", table, class_="wide")
        self._parts.append(element("details", element("summary", escape(folded)), shown) if folded else shown)

    def _shown(self, cell: object) -> str:
        return self._own(cell) if isinstance(cell, Markup) else _shown(cell)

    # ── Figures ──

    def figure(self, picture: str, caption: str = "") -> None:
        """One picture with its caption."""
        self.figures(Figure(picture, caption))

    def figures(self, *figures: Figure, narrow: bool = False) -> None:
        """Pictures side by side, below each other where the page is narrow; ``narrow`` ones make their captions so."""
        drawn = []
        for figure in figures:
            if not figure.picture.lstrip().startswith("<svg"):
                raise InputError(f"a figure is an SVG element, not {figure.picture[:40]!r}")
            words = [element("figcaption", escape(figure.caption))] if figure.caption else []
            drawn.append(element("figure", self._own(figure.picture), *words))
        if drawn:
            self._parts.append(element("div", *drawn, class_="figures narrow" if narrow else "figures"))

    def _own(self, markup: str) -> str:
        """The markup with its ids made different from those of everything else in the page."""
        known = set(_IDS.findall(markup))
        if not known:
            return markup
        self._figures += 1
        prefix = f"figure{self._figures}-"
        return _REFERENCES.sub(lambda found: found[1] + (prefix if found[2] in known else "") + found[2], markup)

    # ── The page ──

    def render(self) -> str:
        """The page as HTML5; a section that nothing was put into is left out."""
        parts, sections = self._filled()
        head = [
            '<meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            element("meta", http_equiv="Content-Security-Policy", content=self._policy()),
            element("title", escape(self.title)),
            f"<style>\n{STYLE_SHEET}</style>",
        ]
        top = [element("h1", escape(self.title))]
        if self.subtitle:
            top.append(element("p", escape(self.subtitle), class_="subtitle"))
        if len(sections) >= _CONTENTS_FROM:
            links = [element("li", element("a", escape(words), href=f"#{name}")) for name, words in sections]
            top.append(element("nav", element("ul", *links), aria_label="Contents"))
        content = [part for part in (self._verdict, *parts) if part]
        body = [element("header", *top), element("main", "\n", *(part + "\n" for part in content))]
        if self.footer:
            body.append(element("footer", escape(self.footer)))
        body += [f"<script>{code}</script>" for code in self._scripts]
        lines = [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            *head,
            "</head>",
            "<body>",
            *body,
            "</body>",
            "</html>",
        ]
        return "\n".join(lines) + "\n"

    def _policy(self) -> str:
        hashes = [base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in self._scripts]
        return "; ".join(
            [_POLICY, *(["script-src " + " ".join(f"'sha256-{one}'" for one in hashes)] if hashes else [])]
        )

    def _filled(self) -> tuple[list[str], list[tuple[str, str]]]:
        """The parts without headings of nothing, and the sections that remain."""
        kept: list[str] = []
        sections = list(self._sections)
        below = 1  # the level of the heading that follows; 0 where something else does, and 1 at the end
        for place in range(len(self._parts) - 1, -1, -1):
            level = self._levels.get(place)
            if level is not None and 0 < below <= level:
                name = _IDS.search(self._parts[place])
                sections = [one for one in sections if name is None or one[0] != name[1]]
                continue
            kept.insert(0, self._parts[place])
            below = level or int(place in self._closing)
        return kept, sections

    def write(self, path: Path) -> None:
        """Write the page in one step: readers see the old one or the new one."""
        write_text(Path(path), self.render())

    def _anchor(self, words: str) -> str:
        """A short name for a link, different from all others of the page."""
        base = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "section"
        name, again = base, 2
        while name in self._anchors:
            name, again = f"{base}-{again}", again + 1
        self._anchors.add(name)
        return name


def _shown(value: object) -> str:
    """A value as words, escaped."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return f"{int(value):,}".replace("-", "−")
    if isinstance(value, numbers.Real):
        return escape(readable(float(value)))
    return escape(value)


def _numeric(cells: Sequence[object]) -> bool:
    """Whether a column holds numbers, and at least one."""
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(
        not isinstance(cell, bool | Markup)
        and (isinstance(cell, numbers.Real) or (isinstance(cell, str) and _LOOKS_NUMERIC.fullmatch(cell) is not None))
        for cell in known
    )
