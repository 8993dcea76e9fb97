"""From what the first pass finds in KIF and KI2 text to batches of games: headings and terminations."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from evalsmith.games import Position
from evalsmith.games.shogi.notation.letters import CODECS
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import BrokenGameError
from evalsmith.records.kif.heading import Heading, both_names, rated, read_heading, start_of
from evalsmith.records.kif.heading_lines import (
    BLACK_NAME,
    BLACK_RATING,
    CLOCK,
    COMPLEX,
    DATE,
    DAY,
    EVENT,
    HANDICAP,
    HEADING,
    MEETING,
    TITLE,
    UNSURE_RATING,
    WHITE_NAME,
    WHITE_RATING,
)
from evalsmith.records.kif.scan import ODD, SUMMARY, TERMINATION, VARIATIONS, WRONG, scanner
from evalsmith.records.record import UNKNOWN, Faults
from evalsmith.records.shogi.batch import Broken, Headings, make_batch
from evalsmith.records.shogi.blocks import decode_word, line_at, read_blocks, told_encoding
from evalsmith.records.shogi.comments import KIF_COMMENT, KIF_VARIATION, Comments
from evalsmith.records.shogi.lines import FIRST_STRAY, PLACE
from evalsmith.records.shogi.replay import side_to_move, standard_start
from evalsmith.records.shogi.scan import BAD_LINE, Found, scan_all
from evalsmith.records.shogi.terminations import (
    KIF,
    MISCOUNTED,
    NOT_STATED,
    UNCLEAR,
    Termination,
    parse_summary,
    parse_word,
)
from evalsmith.records.text import clean, shown

VARIATION = "a variation, left out"
STATED_TWICE = "two terminations that disagree"
BAD_MOVE = "not a move"

_KEY_WIDTH = 120  # bytes of a key and the blanks around it
_COLON = re.compile("[：:]")
_LONGEST = 400  # bytes of a name or a title
_MAX_CACHED = 4000  # starts and terminations that are remembered, so that each is read once
# A move on a line of KIF ends before its time, on a line of KI2 before the other side's mark.
_MOVE = re.compile(r"([▲△▼▽☗☖]?[^▲△▼▽☗☖]*?)[\s　]*(?:[(（][\s　]*[0-9０-９]+[:：].*|[▲△▼▽☗☖+].*|\Z)", re.DOTALL)
_TERMINATIONS = {b"": NOT_STATED} | {
    word.encode(code, "replace"): termination for code in CODECS for word, termination in KIF.items()
}


def read_kif(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
    """The games of a stream, a block at a time."""
    parts = read_blocks(stream, faults)
    head = next(parts)
    encoding = told_encoding(head.content[:200])
    reading = _Reading(encoding, faults)
    for found in scan_all(chain((head,), parts), scanner(encoding), path, faults):
        place = int(found.scan.totals[FIRST_STRAY])
        found.tell_strays(path, faults, shown(line_at(found.text, place, encoding)))
        if not len(found.scan.facts):
            continue
        batch = make_batch(found, reading.headings(found), _move_text(found, encoding), path, faults)
        if len(batch):
            yield batch


def _move_text(found: Found, encoding: str | None) -> Callable[[int], str]:
    """What gives the text of a move."""

    def text(move: int) -> str:
        match = _MOVE.match(line_at(found.text, found.scan.place(move), encoding))
        return match[1][:60] if match else ""

    return text


@functools.lru_cache(4096)
def _value(line: bytes, encoding: str | None) -> str:
    """What stands after the colon; the whole line, because a few letters alone may look like another encoding's."""
    text = decode_word(line, encoding) if len(line) < _LONGEST else line_at(line, 0, encoding, len(line))
    return clean(_COLON.split(text, maxsplit=1)[-1])


@functools.lru_cache(4096)
def _player(line: bytes, encoding: str | None) -> tuple[str, int]:
    """A name, and the rating after it."""
    name, rating = rated(_value(line, encoding))
    return name, UNKNOWN if rating is None else round(rating)


def _one_of_both(line: bytes, side: int, encoding: str | None) -> tuple[str, int]:
    """The name and the rating of a side where one line may name both; Black's alone where it does not."""
    both = both_names(_value(line, encoding))
    if both is None:
        return _player(line, encoding) if side == 0 else ("", UNKNOWN)
    name, rating = rated(both[side])
    return name, UNKNOWN if rating is None else round(rating)


def _line(text: bytes, facts: list[int], column: int) -> bytes:
    """The line of which a span is the end."""
    begin, end = facts[column], facts[column + 1]
    before = text[max(begin - _KEY_WIDTH, 0) : begin]
    key = before[max(before.rfind(b"\n"), before.rfind(b"\r")) + 1 :]
    return key + text[begin : min(end, begin + _LONGEST)]


@dataclass(frozen=True, slots=True)
class _Judged:
    """How a game ended by what its last lines say; ``number`` is the number of moves that they tell."""

    termination: Termination
    number: int | None = None
    note: str = ""


def _judge(word: bytes, line: bytes, mover: int, encoding: str | None) -> _Judged:
    """What the word that stands as the last move and the last line say together; a word must be a termination."""
    termination = _TERMINATIONS.get(word) or parse_word(decode_word(word[:_LONGEST], encoding))
    if termination is None:
        raise BrokenGameError(BAD_MOVE, shown(decode_word(word[:_LONGEST], encoding)))
    if not line:
        return _Judged(termination)
    summary = parse_summary(decode_word(line, encoding))
    if summary is None:
        return _Judged(termination, note=UNCLEAR)
    if termination is NOT_STATED:
        return _Judged(summary.termination, summary.number)
    agree = summary.termination.result(mover) in (None, termination.result(mover)) or termination.result(mover) is None
    return _Judged(termination, summary.number, "" if agree else STATED_TWICE)


class _Reading:
    """Reads headings; what games of one file share, it reads once."""

    def __init__(self, encoding: str | None, faults: Faults) -> None:
        self.encoding, self.faults = encoding, faults
        self.standard = standard_start()
        self.starts: dict[bytes, Position] = {}
        self.even = {b""}  # texts for no handicap
        self.judged: dict[tuple[bytes, int], _Judged] = {}

    def headings(self, found: Found) -> Headings:
        """What the text says of each game besides its moves."""
        text, plies = found.text, np.diff(found.scan.first).tolist()
        whole = found.scan.facts.copy()
        comments = Comments(found, KIF_COMMENT, self.encoding, KIF_VARIATION)

        def texts(row: int) -> Texts:
            return replace(
                self._texts(text, whole[row].tolist(), headings.terminations[row]), comments=comments.of(row)
            )

        headings = Headings(len(whole), texts)
        headings.ratings[:] = whole[:, BLACK_RATING : WHITE_RATING + 1]
        facts: list[int]
        for row, facts in enumerate(whole.tolist()):
            first = 0
            try:
                if facts[WRONG] >= 0:
                    raise self._not_understood(found, row, facts[WRONG])
                if facts[COMPLEX]:
                    first = self._board(text[facts[HEADING] : facts[HEADING + 1]], row, headings)
                else:
                    handicap = text[facts[HANDICAP] : facts[HANDICAP + 1]] if facts[HANDICAP] >= 0 else b""
                    if handicap not in self.even:
                        first = self._handicap(handicap, self._span(text, facts, HANDICAP), row, headings)
                if facts[TERMINATION] >= 0 or facts[SUMMARY] >= 0:
                    judged = self._termination(text, facts, (first + plies[row]) & 1)
                    headings.terminations[row] = judged.termination
                    if judged.number is not None and judged.number != plies[row]:
                        self.faults.warn(MISCOUNTED)
                    if judged.note:
                        self.faults.warn(judged.note)
                if facts[ODD] or facts[VARIATIONS]:
                    self.faults.warn(BAD_LINE, facts[ODD])
                    self.faults.warn(VARIATION, facts[VARIATIONS])
            except BrokenGameError as error:
                place = facts[WRONG]
                if error.reason == BAD_MOVE:
                    error.move, place = plies[row] + 1, facts[TERMINATION]
                headings.broken[row] = Broken(error, place if place >= 0 else None)
        for row in np.flatnonzero((whole[:, BLACK_NAME] >= 0) & (whole[:, WHITE_NAME] < 0)).tolist():
            if not whole[row, COMPLEX]:
                headings.ratings[row] = [self._player(text, whole[row].tolist(), side)[1] for side in (0, 1)]
        for row, side in np.argwhere(headings.ratings == UNSURE_RATING).tolist():
            headings.ratings[row, side] = self._player(text, whole[row].tolist(), side)[1]
        return headings

    def _not_understood(self, found: Found, row: int, place: int) -> BrokenGameError:
        begin, end = found.scan.first[row : row + 2].tolist()
        before = int(np.searchsorted(found.scan.rows[begin:end, PLACE], place))
        return BrokenGameError(BAD_LINE, shown(line_at(found.text, place, self.encoding).strip()), before + 1)

    def _texts(self, text: bytes, facts: list[int], termination: Termination) -> Texts:
        if facts[COMPLEX]:
            lines = self._lines(text[facts[HEADING] : facts[HEADING + 1]])
            players = lines.players[0], lines.players[1]
        else:
            players = self._player(text, facts, 0)[0], self._player(text, facts, 1)[0]
        return Texts(
            players,
            self._span(text, facts, EVENT) or self._span(text, facts, TITLE),
            self._span(text, facts, DATE) or self._span(text, facts, DAY) or self._span(text, facts, MEETING),
            self._span(text, facts, CLOCK),
            termination.name,
        )

    def _span(self, text: bytes, facts: list[int], column: int) -> str:
        return _value(_line(text, facts, column), self.encoding) if facts[column] >= 0 else ""

    def _player(self, text: bytes, facts: list[int], side: int) -> tuple[str, int]:
        column = BLACK_NAME + 2 * side
        if facts[BLACK_NAME] >= 0 > facts[WHITE_NAME]:
            return _one_of_both(_line(text, facts, BLACK_NAME), side, self.encoding)
        return _player(_line(text, facts, column), self.encoding) if facts[column] >= 0 else ("", UNKNOWN)

    def _lines(self, content: bytes) -> Heading:
        """Every line of a heading; each has its own encoding."""
        return read_heading([decode_word(line[:_LONGEST], self.encoding) for line in content.splitlines()])

    def _board(self, content: bytes, row: int, headings: Headings) -> int:
        """Set the start of a game by a heading that draws a board, or has other lines; the side that moves first."""
        lines = self._lines(content)
        position = start_of(lines)
        headings.set_start(row, position, bool(np.array_equal(position, self.standard)))
        headings.ratings[row] = [UNKNOWN if rating is None else round(rating) for rating in lines.ratings]
        self.faults.warn(BAD_LINE, lines.odd)
        return side_to_move(position)

    def _handicap(self, content: bytes, name: str, row: int, headings: Headings) -> int:
        """Set the start of a game by the name of its handicap; the side that moves first."""
        start = self.starts.get(content)
        if start is None:
            start = start_of(Heading(values={"手合割": name}))
            if len(self.starts) < _MAX_CACHED:
                self.starts[content] = start
                if np.array_equal(start, self.standard):
                    self.even.add(content)
        headings.set_start(row, start, bool(np.array_equal(start, self.standard)))
        return side_to_move(start)

    def _termination(self, text: bytes, facts: list[int], mover: int) -> _Judged:
        word, line = facts[TERMINATION], facts[SUMMARY]
        content = text[word if word >= 0 else line : facts[SUMMARY + 1] if line >= 0 else facts[TERMINATION + 1]]
        known = self.judged.get((content, mover))
        if known is None:
            known = _judge(
                text[word : facts[TERMINATION + 1]] if word >= 0 else b"",
                text[line : min(facts[SUMMARY + 1], line + _LONGEST)] if line >= 0 else b"",
                mover,
                self.encoding,
            )
            if len(self.judged) < _MAX_CACHED and len(content) < _LONGEST:
                self.judged[content, mover] = known
        return known
