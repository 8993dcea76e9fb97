"""From what the first pass finds in CSA text to batches of games: starts, names, terminations and their results."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from evalsmith.games import Position
from evalsmith.games.shogi.notation.claims import SIDE
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.csa.scan import (
    BLACK_NAME,
    BLACK_RATING,
    CLOCK,
    DATE,
    EVENT,
    MOVER,
    ODD,
    START,
    SUMMARY,
    TERMINATION,
    WHITE_NAME,
    WHITE_RATING,
    WRONG,
    scan,
)
from evalsmith.records.csa.start import parse_start
from evalsmith.records.format import BrokenGameError
from evalsmith.records.record import Faults
from evalsmith.records.shogi.batch import Broken, Headings, make_batch
from evalsmith.records.shogi.blocks import decode_word, line_at, read_blocks, told_encoding, word_of
from evalsmith.records.shogi.comments import CSA_COMMENT, Comments
from evalsmith.records.shogi.lines import CLAIM, FIRST_STRAY, PLACE
from evalsmith.records.shogi.replay import standard_start
from evalsmith.records.shogi.scan import BAD_LINE, Found, scan_all
from evalsmith.records.shogi.terminations import BLACK, CSA, DRAWN, NOT_STATED, UNCLEAR, WHITE, Termination
from evalsmith.records.text import shown

NO_START = "no starting position is given, so the standard one is assumed"

_MOVE_WIDTH = 7
_LONGEST = 400  # bytes of a name or a title
_KEPT_STARTS = 1000  # that are remembered, so that each is read once
# What floodgate's summaries call terminations that no statement names.
_SUMMARIES = {
    "toryo": "resigned", "time up": "time", "sennichite": "repetition", "oute_sennichite": "perpetual check",
    "kachi": "declared", "jishogi": "impasse", "illegal move": "illegal", "max_moves": "too long",
    "abnormal": "interrupted", "chudan": "interrupted", "tsumi": "mate", "hikiwake": "agreed",
}  # fmt: skip


def read_csa(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
    """The games of a stream, a block at a time."""
    reading: _Reading | None = None
    for found in scan_all(read_blocks(stream, faults), scan, path, faults):
        if reading is None:
            reading = _Reading(told_encoding(found.text[:200]), faults)
        place = int(found.scan.totals[FIRST_STRAY])
        found.tell_strays(path, faults, shown(line_at(found.text, place, reading.encoding)))
        if not len(found.scan.facts):
            continue
        batch = make_batch(found, reading.headings(found), reading.move_text(found), path, faults)
        if len(batch):
            yield batch


class _Reading:
    """Reads headings; what games of one file share, it reads once."""

    def __init__(self, encoding: str | None, faults: Faults) -> None:
        self.encoding, self.faults = encoding, faults
        self.standard = standard_start()
        self.starts: dict[tuple[bytes, int], tuple[Position, bool]] = {}

    def move_text(self, found: Found) -> Callable[[int], str]:
        """What gives the text of a move."""

        def text(move: int) -> str:
            place = found.scan.place(move)
            return found.text[place : place + _MOVE_WIDTH].decode("ascii", "replace")

        return text

    def headings(self, found: Found) -> Headings:
        """What the text says of each game besides its moves."""
        text, scan, first = found.text, found.scan, found.scan.first.tolist()
        rows = scan.facts.tolist()
        comments = Comments(found, CSA_COMMENT, self.encoding)

        def texts(row: int) -> Texts:
            return replace(self._texts(text, rows[row], headings.terminations[row]), comments=comments.of(row))

        headings = Headings(len(rows), texts)
        headings.ratings[:] = scan.facts[:, BLACK_RATING : WHITE_RATING + 1]
        for row, facts in enumerate(rows):
            try:
                if facts[WRONG] >= 0:
                    raise self._not_understood(found, row, facts[WRONG])
                claim = int(scan.rows[first[row], CLAIM]) if first[row] < first[row + 1] else 0
                headings.set_start(row, *self._start(text, facts, claim))
                headings.terminations[row] = self._termination(text, facts)
                if facts[ODD]:
                    self.faults.warn(BAD_LINE, facts[ODD])
            except BrokenGameError as error:
                place = facts[WRONG] if facts[WRONG] >= 0 else facts[START]
                headings.broken[row] = Broken(error, place if place >= 0 else None)
        return headings

    def _not_understood(self, found: Found, row: int, place: int) -> BrokenGameError:
        begin, end = found.scan.first[row : row + 2].tolist()
        before = int(np.searchsorted(found.scan.rows[begin:end, PLACE], place))
        return BrokenGameError(BAD_LINE, shown(line_at(found.text, place, self.encoding)), before + 1)

    def _texts(self, text: bytes, facts: list[int], termination: Termination) -> Texts:
        return Texts(
            (self._span(text, facts, BLACK_NAME), self._span(text, facts, WHITE_NAME)),
            self._span(text, facts, EVENT),
            self._span(text, facts, DATE),
            self._span(text, facts, CLOCK),
            termination.name,
        )

    def _span(self, text: bytes, facts: list[int], column: int) -> str:
        begin, end = facts[column], facts[column + 1]
        return word_of(text[begin : min(end, begin + _LONGEST)], self.encoding) if begin >= 0 else ""

    def _start(self, text: bytes, facts: list[int], first_claim: int) -> tuple[Position, bool]:
        content = text[facts[START] : facts[START + 1]] if facts[START] >= 0 else b""
        if not content:
            self.faults.warn(NO_START)
            content = b"PI"
        mover = facts[MOVER] if facts[MOVER] >= 0 else max((first_claim >> SIDE & 3) - 1, 0)
        known = self.starts.get((content, mover))
        if known is None:
            position = parse_start(decode_word(content, self.encoding), mover)
            known = position, bool(np.array_equal(position, self.standard))
            if len(self.starts) < _KEPT_STARTS:
                self.starts[content, mover] = known
        return known

    def _termination(self, text: bytes, facts: list[int]) -> Termination:
        stated = NOT_STATED
        if facts[TERMINATION] >= 0:
            known = CSA.get(text[facts[TERMINATION] : facts[TERMINATION + 1]])
            if known is None:
                self.faults.warn(UNCLEAR)
            else:
                stated = known
        summary = self._summary(text, facts) if facts[SUMMARY] >= 0 else None
        # A declaration that the server refused, and a repetition by checks, are only in its summary.
        return stated if summary is None else Termination(stated.name or summary.name, summary.outcome)

    def _summary(self, text: bytes, facts: list[int]) -> Termination | None:
        """``toryo:alpha lose:beta win``, black first."""
        words = self._span(text, facts, SUMMARY).rsplit(":", 2)
        if len(words) != 3:
            return None
        name = _SUMMARIES.get(words[0].strip(), words[0].strip())
        match words[1].rpartition(" ")[2], words[2].rpartition(" ")[2]:
            case "win", "lose":
                return Termination(name, BLACK)
            case "lose", "win":
                return Termination(name, WHITE)
            case "draw", "draw":
                return Termination(name, DRAWN)
            case _:
                return None
