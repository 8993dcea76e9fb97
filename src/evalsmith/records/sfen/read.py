"""From lines of USI's ``position`` command to batches of games, and from lines of SFEN to batches of positions."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from evalsmith.games import Position, find_game
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import NOT_POSITION, BrokenGameError
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import UNKNOWN, Faults
from evalsmith.records.sfen.scan import START, TERMINATION, WRONG, scan
from evalsmith.records.sfen.start import read_starts
from evalsmith.records.shogi.batch import Broken, Headings, make_batch
from evalsmith.records.shogi.blocks import decode_word, read_blocks
from evalsmith.records.shogi.lines import BEGIN, LINE
from evalsmith.records.shogi.replay import WRONG as WRONG_MOVE
from evalsmith.records.shogi.replay import replay
from evalsmith.records.shogi.scan import Found, scan_all
from evalsmith.records.shogi.terminations import DECLARED, NOT_STATED, RESIGNED
from evalsmith.records.text import shown
from evalsmith.run.errors import PositionError

BAD_MOVE = "not a move"
_TERMINATIONS = {"resign": RESIGNED, "win": DECLARED}
_TEXTS = {
    termination.name: Texts(termination=termination.name) for termination in (NOT_STATED, *_TERMINATIONS.values())
}
_LONGEST = 300  # bytes of the text of a position


def read_usi(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
    """The games of a stream, a line each; a line without moves is a game without moves."""
    for found in scan_all(read_blocks(stream, faults), scan, path, faults):
        if len(found.scan.facts):
            batch = make_batch(found, _headings(found), _move_text(found), path, faults, moveless=True)
            if len(batch):
                yield batch


def _move_text(found: Found) -> Callable[[int], str]:
    def text(move: int) -> str:
        place = found.scan.place(move)
        return found.text[place : place + 5].decode("ascii", "replace").split()[0]

    return text


def _headings(found: Found) -> Headings:
    """The starts of games, and what stands after their moves."""
    facts = found.scan.facts
    headings = Headings(len(facts), lambda row: _TEXTS[headings.terminations[row].name])
    starts = read_starts(found.letters, facts[:, START : START + 2])
    headings.starts, headings.standard = starts.rows, starts.standard | ~starts.sure
    for row in np.flatnonzero(~starts.sure | (facts[:, TERMINATION] >= 0)).tolist():
        begin, end = facts[row, START : START + 2].tolist()
        place = int(facts[row, WRONG] if facts[row, WRONG] >= 0 else facts[row, TERMINATION])
        try:
            if place >= 0:
                word = found.text[place : place + 40].split(maxsplit=1)[0].decode("utf-8", "replace")
                if facts[row, WRONG] >= 0 or word not in _TERMINATIONS:
                    raise BrokenGameError(BAD_MOVE, shown(word))
                headings.terminations[row] = _TERMINATIONS[word]
            if not starts.sure[row]:
                headings.starts[row], headings.standard[row] = _parse(found.text[begin:end][:_LONGEST]), False
        except BrokenGameError as error:
            headings.broken[row] = Broken(error, place if place >= 0 else None)
    return headings


def _parse(content: bytes) -> Position:
    """A position that is written in another way than most, or what is wrong with it."""
    try:
        return find_game("shogi").parse(decode_word(content).removeprefix("position ").strip())
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None


# ── Lists of positions ──────────────────────────────────────────────────────────────────────────


def read_positions(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[PositionBatch]:
    """The positions of a stream, an SFEN a line; empty lines and comments are passed over.

    Where moves follow, the position after them is meant.
    """
    for found in scan_all(read_blocks(stream, faults), scan, path, faults):
        facts = found.scan.facts
        starts = read_starts(found.letters, facts[:, START : START + 2])
        played = replay(found.scan.claims, found.scan.first, starts.rows)
        words, sound = played.ends, starts.sure & (played.facts[:, WRONG_MOVE] < 0) & (facts[:, TERMINATION] < 0)
        for row in np.flatnonzero(~sound).tolist():
            begin = int(facts[row, BEGIN])
            line = found.text[begin : begin + _LONGEST].partition(b"\n")[0].partition(b"\r")[0]
            try:
                words[row], sound[row] = _parse(line.rstrip(b"\x1a")), True
            except BrokenGameError as error:
                faults.add(error.fault(path, found.where(row), found.number + row))
        rows = np.flatnonzero(sound)
        if len(rows):
            unknown = np.full(len(rows), UNKNOWN, dtype=np.int32)
            yield PositionBatch(
                "shogi", str(path), words[rows], unknown, unknown.copy(), found.number + rows, facts[rows, LINE]
            )
