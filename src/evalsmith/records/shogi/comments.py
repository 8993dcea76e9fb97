"""The comments of shogi games, by the ply after which they stand.

They are looked for when somebody asks for the texts of a game, which is seldom, so they cost a reading nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from evalsmith.games.shogi.notation.letters import CODECS
from evalsmith.records.shogi.blocks import decode_word
from evalsmith.records.shogi.lines import BEGIN, PLACE, REST
from evalsmith.records.shogi.scan import Found


def _spelt(*words: str) -> bytes:
    """A pattern for words, in any of the encodings."""
    return b"|".join(re.escape(word.encode(code)) for word in words for code in CODECS)


# Half and full width both begin a comment. Behind the first 変化 stands what is not part of the game.
KIF_COMMENT = re.compile(rb"(?:^|(?<=[\r\n]))[ \t]*(?:" + _spelt("*", "＊") + rb")([^\r\n]*)")
KIF_VARIATION = re.compile(rb"(?:^|(?<=[\r\n]))[ \t]*(?:" + _spelt("変化：", "変化:") + rb")")
# Two stars are a score, which is read as such.
CSA_COMMENT = re.compile(rb"(?:^|(?<=[\r\n,]))'\*(?!\*)([^\r\n]*)")


class Comments:
    """The comments of the games that were found in a text."""

    def __init__(
        self, found: Found, pattern: re.Pattern[bytes], encoding: str | None, end: re.Pattern[bytes] | None = None
    ) -> None:
        scan = found.scan
        self._text, self._pattern, self._end, self._encoding = found.text, pattern, end, encoding
        self._begins = [*scan.facts[:, BEGIN].tolist(), int(scan.totals[REST])]
        self._first, self._places = scan.first.tolist(), scan.rows[:, PLACE].copy()

    def of(self, row: int) -> dict[int, str]:
        """The comments of a game."""
        found: dict[int, list[str]] = {}
        for ply, line in self._lines(row):
            found.setdefault(ply, []).append(line)
        return {ply: "\n".join(lines) for ply, lines in found.items()}

    def _lines(self, row: int) -> Iterator[tuple[int, str]]:
        begin, stop = self._begins[row], self._begins[row + 1]
        last = self._end.search(self._text, begin, stop) if self._end else None
        places = self._places[self._first[row] : self._first[row + 1]]
        for match in self._pattern.finditer(self._text, begin, stop if last is None else last.start()):
            yield int(np.searchsorted(places, match.start(1))), decode_word(match[1], self._encoding)


def comment_lines(comments: dict[int, str], ply: int, mark: str) -> list[str]:
    """The lines of a file for the comments after a ply."""
    if ply not in comments:
        return []
    return [mark + line.replace("\r", " ") for line in comments[ply].split("\n")]
