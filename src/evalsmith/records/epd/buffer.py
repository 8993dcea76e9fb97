"""Lists of chess positions through a buffer of one size: fill it, scan it, make a batch of it, carry the rest over."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np

from evalsmith.games import find_game
from evalsmith.games.chess.notation.letters import PADDING
from evalsmith.records.chess.encoding import narrowed, pass_over
from evalsmith.records.chess.spaces import LONGEST, blank_spaces
from evalsmith.records.epd.scan import (
    BAD_POSITION,
    BAD_RESULT,
    FACTS,
    FAULT,
    FINAL,
    FOUND_SIZE,
    FROM,
    LIMIT,
    LINE,
    LINES,
    LONG,
    SKIPPING,
    STATE_SIZE,
    TO,
    scan_positions,
)
from evalsmith.records.format import LONG_LINE, NOT_POSITION
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import Fault, Faults
from evalsmith.records.text import LINE_LIMIT, decode, shown
from evalsmith.run.errors import PositionError

ODD_RESULT = "neither 1, 1/2 nor 0"
REASONS = {BAD_POSITION: NOT_POSITION, LONG: LONG_LINE, BAD_RESULT: ODD_RESULT}

_POSITIONS = 1 << 16  # a batch has at most so many, broken ones among them


class EpdBuffer:
    """The buffer and the columns that a pass fills; one reading of one file at a time."""

    def __init__(self, chunk: int, options: tuple[int, int, int]) -> None:
        self.chunk = chunk
        self.options = np.array(options, dtype=np.int64)
        self.text = np.zeros(chunk + PADDING, dtype=np.uint8)
        self.state = np.zeros(STATE_SIZE, dtype=np.int64)
        self.state[LIMIT] = LINE_LIMIT
        self.found = np.zeros(FOUND_SIZE, dtype=np.int64)
        self.words = np.zeros((_POSITIONS, find_game("chess").words), dtype=np.uint64)
        self.results, self.scores = (np.zeros(_POSITIONS, dtype=np.int32) for _ in range(2))
        self.facts = np.zeros((_POSITIONS, FACTS), dtype=np.int64)

    def batches(
        self, stream: io.BufferedIOBase, source: str, faults: Faults, begin: tuple[int, ...] = ()
    ) -> Iterator[PositionBatch]:
        """The positions of a stream, or those after a batch; broken lines go to ``faults``.

        ``begin`` is a number of bytes, of positions, whether a line is still passed over, and a number of lines.
        """
        view, stream = self.text.data, narrowed(stream)
        passed, positions, *before = begin or (0, 0, 0, 0)
        self.state[[SKIPPING, LINES]] = before
        pass_over(stream, passed)
        carried = 0
        final = False
        while not final or carried:
            end = carried
            while not final and end < self.chunk:
                size = stream.readinto(view[end : self.chunk])
                final = not size
                end += size or 0
            self.text[end : end + PADDING] = 0
            blank_spaces(self.text, max(0, carried - LONGEST), end)
            self.state[[FROM, TO, FINAL]] = 0, end, final
            count = scan_positions(
                self.text, self.state, self.options, self.found, self.words, self.results, self.scores, self.facts
            )
            done = int(self.state[FROM])
            passed += done
            if count:
                after = (passed, positions + count, int(self.state[SKIPPING]), int(self.state[LINES]))
                yield from self._gather(count, positions, source, faults, after)
            positions += count
            carried = end - done
            self.text[:carried] = self.text[done:end].copy()

    def _gather(
        self, count: int, before: int, source: str, faults: Faults, after: tuple[int, ...]
    ) -> Iterator[PositionBatch]:
        facts = self.facts[:count]
        for row in np.flatnonzero(facts[:, FAULT]).tolist():
            code, line, begin, end = facts[row].tolist()
            detail = ""
            if len(faults.examples) < faults.limit and code != LONG:
                detail = _detail(code, decode(self.text[begin:end].tobytes()).strip())
            faults.add(Fault(source, f"line {line}", before + row + 1, REASONS[code], detail))
        good = np.flatnonzero(facts[:, FAULT] == 0)
        if len(good):
            yield PositionBatch(
                "chess",
                source,
                self.words[good],
                self.results[good],
                self.scores[good],
                before + good + 1,
                facts[good, LINE],
                after=after,
            )


def _detail(code: int, line: str) -> str:
    if code == BAD_POSITION:
        # The same again by the reader that can say what is wrong; numbers at the end may or may not belong to it.
        fields = line.split(";")[0].split("|")[0].split("[")[0].split()
        for count in (6, 4, 2):
            try:
                find_game("chess").parse(" ".join(fields[:count]))
            except PositionError as error:
                return str(error)
    return shown(line)
