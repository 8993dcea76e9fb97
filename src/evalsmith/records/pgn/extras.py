"""What PGN files have that records have no place for: comments in words, variations, and marks of moves, counted."""

from __future__ import annotations

import io
import re
from collections import Counter

from evalsmith.records.text import lines

COMMENTS, VARIATIONS, MARKS = "comments", "variations", "marks of moves"

_LIMIT = 1 << 20  # bytes of a line; what a longer one has is not counted
_SIGN = re.compile(r"[{};()]|\$[0-9]+|[!?]+")
# What is read as a score or a time, and comes back where a format has room for it.
_READ = re.compile(
    r"\[%(?:eval|emt)[^\]]*\]|(?:[+-]?(?:M[0-9]+|[0-9]+\.[0-9]+))?/[0-9]+ [0-9]+(?:\.[0-9]+)?s?|[0-9]+(?:\.[0-9]+)?s"
)


def count_extras(stream: io.BufferedIOBase) -> Counter[str]:
    """How many comments, variations and marks the games of a stream have; what stands in a variation goes with it."""
    found: Counter[str] = Counter()
    depth, comment = 0, None  # the comment that is open, as far as it has come
    for line in lines(stream, _LIMIT):
        text = line.text or ""
        if comment is None and text.startswith(("[", "%")):
            depth = 0 if text[0] == "[" else depth
            continue
        place = 0
        while place < len(text):
            if comment is not None:
                end = text.find("}", place)
                comment += " " + text[place : end if end >= 0 else len(text)]
                place = end + 1 if end >= 0 else len(text)
                if end >= 0:
                    found[COMMENTS] += int(not depth and _in_words(comment))
                    comment = None
                comment = comment[:_LIMIT] if comment is not None else None
                continue
            sign = _SIGN.search(text, place)
            if sign is None:
                break
            place = sign.end()
            if sign[0] == "{":
                comment = ""
            elif sign[0] == ";":
                found[COMMENTS] += int(not depth and _in_words(text[place:]))
                break
            elif sign[0] == "(":
                depth += 1
                found[VARIATIONS] += int(depth == 1)
            elif sign[0] == ")":
                depth = max(0, depth - 1)
            elif sign[0] != "}":
                found[MARKS] += int(not depth)
    return +found


def _in_words(comment: str) -> bool:
    """Whether a comment says more than a score and a time."""
    return bool(_READ.sub("", comment).strip(" \t,"))
