"""From lines of USI's ``position`` command to batches of games, and from lines of SFEN to batches of positions."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from evalsmith.games import Position, find_game
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import LONG_LINE, NOT_POSITION, BrokenGameError
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import UNKNOWN, Fault, Faults
from evalsmith.records.sfen_scan import ENDING, START, WRONG, scan
from evalsmith.records.shogi_batch import Broken, Heading, make_batch
from evalsmith.records.shogi_blocks import blocks
from evalsmith.records.shogi_endings import DECLARED, NOT_TOLD, RESIGNED, Ending
from evalsmith.records.shogi_scan import Found, scan_all
from evalsmith.records.text import lines, shown
from evalsmith.run.errors import PositionError

BAD_MOVE = "not a move"
_ENDINGS = {"resign": RESIGNED, "win": DECLARED}
_POSITIONS = 1000  # of one batch
_MOST_STARTS = 1000  # that are remembered, so that each is read once


def read_usi(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
    """The games of a stream, a line each; a line without moves is a game without moves."""
    parts = ((block.content, block.last) for block in blocks(stream, faults))
    starts = _Starts()
    for found in scan_all(parts, scan, path, faults):
        if not len(found.scan.facts):
            continue
        headings = [_heading(found, facts, starts) for facts in found.scan.facts.tolist()]
        batch = make_batch(found, headings, _move_text(found), path, faults, moveless=True)
        if len(batch):
            yield batch


def _move_text(found: Found[bytes]) -> Callable[[int], str]:
    def text(claim: int) -> str:
        place = int(found.scan.places[claim])
        return found.text[place : place + 5].decode("ascii", "replace").split()[0]

    return text


class _Starts:
    """Positions by their texts; each is read once."""

    def __init__(self) -> None:
        self.game = find_game("shogi")
        self.usual = self.game.start()
        self.known: dict[bytes, tuple[Position, bool]] = {b"startpos": (self.usual, True)}

    def find(self, content: bytes) -> tuple[Position, bool]:
        """The position, and whether it is the usual start."""
        known = self.known.get(content)
        if known is None:
            text = content[:300].decode("utf-8", "replace").removeprefix("position ").strip()
            try:
                position = self.game.parse(text)
            except PositionError as error:
                raise BrokenGameError(NOT_POSITION, str(error)) from None
            known = position, bool(np.array_equal(position, self.usual))
            if len(self.known) < _MOST_STARTS:
                self.known[content] = known
        return known


def _heading(found: Found[bytes], facts: list[int], starts: _Starts) -> Heading | Broken:
    place = facts[WRONG] if facts[WRONG] >= 0 else facts[ENDING]
    try:
        ending: Ending | None = NOT_TOLD
        if place >= 0:
            words = found.text[place : place + 40].split(maxsplit=1)
            word = words[0].decode("utf-8", "replace")
            ending = _ENDINGS.get(word) if facts[WRONG] < 0 else None
            if ending is None:
                raise BrokenGameError(BAD_MOVE, shown(word))
        start, usual = starts.find(found.text[facts[START] : facts[START + 1]])
        return Heading(start, usual, Texts(ending=ending.name if ending else ""), ending or NOT_TOLD)
    except BrokenGameError as error:
        return Broken(error)


# ── Lists of positions ──────────────────────────────────────────────────────────────────────────


def read_positions(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[PositionBatch]:
    """The positions of a stream, an SFEN a line; empty lines and comments are passed over."""
    game = find_game("shogi")
    words: list[Position] = []
    places: list[tuple[int, int]] = []
    number = 0
    for line in lines(stream):
        text = "" if line.text is None else line.text.strip("\ufeff \t\r\n\x1a")
        if line.text is not None and (not text or text.startswith("#")):
            continue
        number += 1
        if line.text is None:
            faults.add(Fault(str(path), f"line {line.number}", number, LONG_LINE))
            continue
        try:
            words.append(game.parse(text.removeprefix("position ").strip()))
        except PositionError as error:
            faults.add(Fault(str(path), f"line {line.number}", number, NOT_POSITION, str(error)))
            continue
        places.append((number, line.number))
        if len(words) == _POSITIONS:
            yield _positions(words, places, path)
            words, places = [], []
    if words:
        yield _positions(words, places, path)


def _positions(words: list[Position], places: list[tuple[int, int]], path: Path) -> PositionBatch:
    unknown = np.full(len(words), UNKNOWN, dtype=np.int32)
    numbers, offsets = np.array(places, dtype=np.int64).T
    return PositionBatch("shogi", str(path), np.stack(words), unknown, unknown.copy(), numbers.copy(), offsets.copy())
