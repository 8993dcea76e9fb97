"""Traces as CSV: the header in Python, the rows through the compiled pass of ``scan``, in memory that has a bound."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from evalsmith.fit.trace import scan
from evalsmith.fit.trace.chunk import TraceChunk
from evalsmith.fit.trace.settings import Header, TraceRules, read_directives
from evalsmith.records.opening import UNREADABLE, explain, open_bytes
from evalsmith.records.text import shown
from evalsmith.run import InputError
from evalsmith.weights.outside import OutsideWeights

COLUMNS = ("result", "score", "phase", "eval", "game", "features")
ROLES = dict(zip(COLUMNS, range(1, 7), strict=True))
EXAMPLE = "result,score,phase,eval,game,features"

_BUFFER = 1 << 22  # bytes; no line may be longer
_ROWS = 1 << 16
_ENTRIES = _BUFFER // 4 + 2
_HEAD_LINES = 1 << 25  # of a header; features stand there, one a line


class CsvTrace:
    """One CSV trace: ``header`` is read at once, ``chunks`` reads the rows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._stream = open_bytes(path)
        except FileNotFoundError:
            raise InputError(f"there is no trace {path}") from None
        except UNREADABLE as error:
            raise InputError(f"cannot read {path}: {explain(error)}") from None
        self._kept, self._lines = b"", 0
        try:
            self._begin()
            self.header, self.columns = self._read_header()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _begin(self) -> None:
        """The first bytes, which tell a text in another encoding."""
        path = self.path
        try:
            first = self._stream.read(4)
        except UNREADABLE as error:
            raise InputError(f"cannot read {path}: {explain(error)}") from None
        if first[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in first:
            raise InputError(f"{path} is not UTF-8 text (it begins as UTF-16 does, or is binary); save it as UTF-8")
        self._kept = first.removeprefix(b"\xef\xbb\xbf")

    def _read_line(self) -> str | None:
        """The next line of the header, or None at the end."""
        try:
            content = self._kept + (b"" if b"\n" in self._kept else self._stream.readline(_BUFFER))
        except UNREADABLE as error:
            raise InputError(f"cannot read {self.path} after line {self._lines}: {explain(error)}") from None
        line, mark, self._kept = content.partition(b"\n")
        if not line and not mark:
            return None
        self._lines += 1
        try:
            return line.decode().rstrip("\r")
        except UnicodeDecodeError:
            raise InputError(f"{self.path}, line {self._lines}: not UTF-8 text; save the file as UTF-8") from None

    def _read_header(self) -> tuple[Header, list[str]]:
        directives: list[tuple[str, str]] = []
        while (line := self._read_line()) is not None and len(directives) < _HEAD_LINES:
            if line.startswith("#"):
                directives.append((self._where(self._lines), line))
            elif line.strip():
                return read_directives(directives, self.path.stem), self._read_columns(line)
        raise InputError(f"{self.path} has no rows; expected a line {EXAMPLE} and rows below it")

    def _read_columns(self, line: str) -> list[str]:
        names = [name.strip().lower() for name in next(csv.reader([line]))]
        where = self._where(self._lines)
        if "features" not in names:
            raise InputError(f"{where}: expected the names of the columns, such as {EXAMPLE}, not {shown(line)}")
        if not {"result", "score"} & set(names):
            raise InputError(f"{where}: the columns need result or score, what the weights are fitted to")
        for name in COLUMNS:
            if names.count(name) > 1:
                raise InputError(f"{where}: two columns are called {name}")
        return names

    def _where(self, line: int) -> str:
        return f"{self.path}, line {line:,}"

    def chunks(self, weights: OutsideWeights, rules: TraceRules) -> Iterator[TraceChunk]:
        """The rows; the first fault ends it with an error that names the line and what was expected."""
        state = np.zeros(scan.STATE_SIZE, dtype=np.int64)
        state[[scan.LINES, scan.FIELDS, scan.SIZE]] = self._lines, len(self.columns), weights.size
        roles = np.array([ROLES.get(name, scan.IGNORED) for name in self.columns], dtype=np.int64)
        text = np.zeros(_BUFFER + scan.PADDING, dtype=np.uint8)
        limits, out = np.array([rules.phase, np.nan]), np.zeros(1)
        kept, final = len(self._kept), False
        text[:kept] = np.frombuffer(self._kept, dtype=np.uint8)
        while not final or kept:
            end = kept
            while not final and end < _BUFFER:
                size = self._fill(text, end, int(state[scan.LINES]))
                final, end = size == 0, end + size
            text[end : end + scan.PADDING] = 0
            values = np.full((5, _ROWS), np.nan)
            games, lines = np.full(_ROWS, -1, dtype=np.int64), np.zeros(_ROWS, dtype=np.int64)
            start, index = np.zeros(_ROWS + 1, dtype=np.int64), np.zeros(_ENTRIES, dtype=np.int32)
            counts = np.zeros((2, _ENTRIES), dtype=np.float32)
            state[[scan.FROM, scan.TO, scan.FINAL, scan.ROWS, scan.ENTRIES]] = 0, end, final, 0, 0
            scan.scan_rows(text, state, roles, limits, values, games, lines, start, index, counts, out)
            rows, entries, done = (int(state[slot]) for slot in (scan.ROWS, scan.ENTRIES, scan.FROM))
            if state[scan.FAULT]:
                raise InputError(self._fault(state, text, weights, rules))
            if rows:
                yield TraceChunk(
                    values[scan.RESULT, :rows],
                    values[scan.SCORE, :rows],
                    values[scan.PHASE, :rows],
                    values[scan.EVALUATION, :rows],
                    games[:rows],
                    lines[:rows],
                    start[: rows + 1],
                    index[:entries],
                    counts[0, :entries],
                    counts[1, :entries],
                )
            elif done == 0 and end == _BUFFER:
                raise InputError(f"{self._where(int(state[scan.LINES]) + 1)}: longer than {_BUFFER:,} bytes")
            kept = end - done
            text[:kept] = text[done:end].copy()

    def _fill(self, text: np.ndarray[tuple[int], np.dtype[np.uint8]], end: int, lines: int) -> int:
        try:
            data = self._stream.read(_BUFFER - end)
        except UNREADABLE as error:
            raise InputError(f"cannot read {self.path} after line {lines:,}: {explain(error)}") from None
        text[end : end + len(data)] = np.frombuffer(data, dtype=np.uint8)
        return len(data)

    def _fault(
        self, state: np.ndarray[tuple[int], np.dtype[np.int64]], text: np.ndarray[tuple[int], np.dtype[np.uint8]],
        weights: OutsideWeights, rules: TraceRules,
    ) -> str:  # fmt: skip
        """What is wrong with a row, in words."""
        begin, end = int(state[scan.FAULT_BEGIN]), int(state[scan.FAULT_END])
        found = shown(text[begin:end].tobytes().decode("utf-8", "replace"))
        column = next((name for name, role in ROLES.items() if role == state[scan.FAULT_ROLE]), "")
        entry = shown(text[begin:end].tobytes().decode("utf-8", "replace").split(" ")[0])
        fields = f"{len(self.columns)} fields ({','.join(self.columns)})"
        match int(state[scan.FAULT]):
            case scan.NOT_NUMBER:
                why = f"{column} must be a number, not {found}"
            case scan.NOT_RESULT:
                why = f"the result must be 1, 0.5 or 0 (or between), or 1-0, 1/2-1/2, 0-1, for White, not {found}"
            case scan.OUT_OF_PHASE:
                why = f"the phase must be from 0 to {rules.phase:g}, not {found}; `# phase` in the header says the most"
            case scan.BAD_ENTRY:
                why = f"expected features as index:count or index:mg:eg with blanks between them, not {entry}"
            case scan.NO_SUCH_INDEX:
                number, named = entry.strip("'").partition(":")[0], f"{weights.size:,} are named"
                why = f"there is no feature {number}: {named}, 0 to {weights.size - 1:,}"
            case scan.FEW_FIELDS:
                why = f"expected {fields}, and the line ends too early: {found}"
            case scan.MANY_FIELDS:
                why = f"expected {fields}, and there are more: {found}"
            case scan.MISSING:
                why = f"{column} is missing; expected a value, because the header names the column"
            case scan.NO_VALUE:
                why = "the row has neither a result nor a score"
            case scan.CUT:
                why = f"the file is cut within this line, or lacks a line break behind it: {found}"
            case _:
                why = "a second header; give the traces as two files"
        return f"{self._where(int(state[scan.FAULT_LINE]))}: {why}"
