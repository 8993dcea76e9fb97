"""Markers: the places of a source where weights stand, and the numbers in each.

    // evalsmith: begin knight_square             pairs, middle game before endgame: S(10, 20), S(…)
    // evalsmith: begin knight_square columns     the whole first column, then the next
    // evalsmith: begin knight_square mg          one column alone, by its name or number
    // evalsmith: end

What stands before ``=`` in a statement is a name and its type: ``int table[64] = {`` has no number to be replaced.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from pathlib import Path

from evalsmith.run import InputError
from evalsmith.weights.patching.tokens import COMMENT, NUMBER, SIGN, WORD, Token, tokens

_MARKER = re.compile(r"\bevalsmith:\s*(\S+)[ \t]*([^\n]*)", re.DOTALL)
_OPENING, _CLOSING = "([{", ")]}"
_COMPARISONS = "=<>!"


@dataclass(frozen=True)
class Place:
    """One number of a source: where it stands with its sign, and its line."""

    begin: int
    end: int
    line: int


@dataclass(frozen=True)
class Section:
    """What stands between two markers: what they name, and the numbers."""

    name: str
    order: str
    line: int
    begin: int
    places: tuple[Place, ...]


def find_sections(source: str, path: Path) -> list[Section]:
    """All marked sections of a source; what is wrong with a marker is named with its line."""
    found: list[Section] = []
    breaks = [match.start() for match in re.finditer("\n", source)]
    opened: tuple[str, str, int, int] | None = None
    inside: list[Token] = []
    for token in tokens(source, path):
        marker = _MARKER.search(token.text) if token.kind == COMMENT else None
        if marker is None:
            if opened is not None and token.kind != COMMENT:
                inside.append(token)
            continue
        line = _line(breaks, token.begin)
        word, rest = marker[1], marker[2].removesuffix("*/").strip()
        if word == "begin":
            if opened is not None:
                raise InputError(
                    f"{path}, line {line}: a section begins inside {opened[0]!r} of line {opened[2]}; "
                    f"expected `evalsmith: end` before it"
                )
            opened = (*_named(rest, path, line), line, token.end)
            inside = []
        elif word.removesuffix("*/") == "end":
            if opened is None:
                raise InputError(f"{path}, line {line}: `evalsmith: end` without a `begin` before it")
            found.append(Section(*opened, _places(source, inside, path, breaks)))
            opened = None
        else:
            raise InputError(f"{path}, line {line}: expected `evalsmith: begin NAME` or `evalsmith: end`, not {word!r}")
    if opened is not None:
        raise InputError(f"{path}, line {opened[2]}: {opened[0]!r} begins and never ends; expected `evalsmith: end`")
    if not found:
        raise InputError(f"{path} has no markers; expected comments `evalsmith: begin NAME` and `evalsmith: end`")
    return found


def _line(breaks: list[int], place: int) -> int:
    """The number of a line, from 1."""
    return bisect.bisect_left(breaks, place) + 1


def _named(rest: str, path: Path, line: int) -> tuple[str, str]:
    """The name and the order of a marker; a name with blanks stands in quotes."""
    match = re.fullmatch(r'"([^"]+)"\s*(.*)|(\S+)\s*(.*)', rest)
    if match is None:
        raise InputError(f"{path}, line {line}: `evalsmith: begin` without a name")
    return match[1] or match[3], (match[2] if match[1] else match[4]).strip()


def _places(source: str, inside: list[Token], path: Path, breaks: list[int]) -> tuple[Place, ...]:
    """The numbers of a section, without those that belong to a declaration."""
    found: list[Place] = []
    statement = 0  # numbers found before this one belong to earlier statements
    depth = 0
    named = False  # whether the statement has its name behind it
    lines = path.suffix.lower() == ".py"
    for i, token in enumerate(inside):
        if token.kind == NUMBER:
            found.append(_number(source, inside, i, path, _line(breaks, token.begin)))
        elif token.kind == SIGN:
            if token.text in _OPENING:
                depth += 1
            elif token.text in _CLOSING:
                depth = max(0, depth - 1)
            elif depth == 0 and (token.text == ";" or (token.text == "," and named)):
                statement, named = len(found), False
            elif token.text == "=" and depth == 0 and _assigns(inside, i):
                del found[statement:]
                named = True
        if lines and depth == 0 and i + 1 < len(inside) and "\n" in source[token.end : inside[i + 1].begin]:
            statement, named = len(found), False
    return tuple(found)


def _assigns(inside: list[Token], i: int) -> bool:
    """Whether a sign ``=`` stands alone, and is not half of ``==`` or ``<=``."""
    before, after = inside[i - 1] if i else None, inside[i + 1] if i + 1 < len(inside) else None
    return not (
        (before is not None and before.end == inside[i].begin and before.text in _COMPARISONS)
        or (after is not None and after.begin == inside[i].end and after.text == "=")
    )


def _number(source: str, inside: list[Token], i: int, path: Path, line: int) -> Place:
    """A number with its sign; an expression such as ``2 * 50`` is refused, because no number has its place."""
    token = inside[i]
    begin = token.begin
    before = inside[i - 1] if i else None
    if before is not None and before.kind == SIGN and before.text in "+-":
        further = inside[i - 2] if i > 1 else None
        value = further is not None and (further.kind == NUMBER or further.text in (")", "]"))
        defined = i > 2 and inside[i - 3].text == "define"  # the name of a macro is no operand
        if value or (further is not None and further.kind == WORD and further.text != "return" and not defined):
            raise InputError(f"{path}, line {line}: {_shown(source, begin)} is an expression; expected a plain number")
        begin = before.begin
        before = further
    after = inside[i + 1] if i + 1 < len(inside) else None
    for other in (before, after):
        if other is not None and other.kind == SIGN and other.text in "*/%^|&~":
            raise InputError(f"{path}, line {line}: {_shown(source, begin)} is an expression; expected a plain number")
    return Place(begin, token.end, line)


def _shown(source: str, place: int) -> str:
    begin = source.rfind("\n", 0, place) + 1
    end = source.find("\n", place)
    return repr(source[begin : end if end >= 0 else None].strip()[:60])
