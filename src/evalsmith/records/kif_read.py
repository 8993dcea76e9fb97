"""From what the first pass finds in KIF and KI2 text to batches of games: headings, moves by words, endings."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from evalsmith.games import Position, find_game
from evalsmith.games.shogi.japanese import parse_japanese
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import ILLEGAL, BrokenGameError
from evalsmith.records.kif_heading import Heading as Lines
from evalsmith.records.kif_heading import read_heading, start_of
from evalsmith.records.kif_scan import ENDING, HEADING, ODD, TOLD, VARIATIONS, WORDS, WRONG, scan
from evalsmith.records.record import UNKNOWN, Faults
from evalsmith.records.shogi_batch import Broken, Heading, make_batch
from evalsmith.records.shogi_blocks import blocks, decode_lines, told_encoding
from evalsmith.records.shogi_endings import KIF, MISCOUNTED, NOT_TOLD, UNCLEAR, Ending, told_by
from evalsmith.records.shogi_replay import side_to_move
from evalsmith.records.shogi_scan import BAD_LINE, FIRST_STRAY, Found, scan_all
from evalsmith.records.text import shown
from evalsmith.run.errors import MoveError

VARIATION = "a variation, left out"
TOLD_TWICE = "two endings that disagree"
BAD_MOVE = "not a move"

# A move on a line of KIF ends before its time, on a line of KI2 before the other side's mark.
_MOVE = re.compile(r"([▲△▼▽☗☖]?[^▲△▼▽☗☖\r\n]*?)[\s　]*(?:[(（][\s　]*[0-9０-９]+[:：].*|[▲△▼▽☗☖\r\n+].*|\Z)", re.DOTALL)


def read_kif(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
    """The games of a stream, a block at a time."""
    reading = _Reading(faults)
    for found in scan_all(_parts(stream, faults), scan, path, faults):
        place = int(found.scan.totals[FIRST_STRAY])
        found.tell_strays(path, faults, shown(found.text[place : place + 60].partition("\n")[0]))
        if not len(found.scan.facts):
            continue
        headings = reading.headings(found)
        batch = make_batch(found, headings, _move_text(found), path, faults)
        if len(batch):
            yield batch


def _parts(stream: io.BufferedIOBase, faults: Faults) -> Iterator[tuple[str, bool]]:
    told: str | None = None
    for number, block in enumerate(blocks(stream, faults)):
        if number == 0:
            told = told_encoding(block.content[:200])
        yield decode_lines(block.content, told), block.last


def _move_text(found: Found[str]) -> Callable[[int], str]:
    """What gives the text of a claim."""

    def text(claim: int) -> str:
        place = int(found.scan.places[claim])
        match = _MOVE.match(found.text[place : place + 60])
        return match[1] if match else ""

    return text


class _Reading:
    """Reads headings; the usual start is made once."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.game = find_game("shogi")
        self.usual = self.game.start()

    def headings(self, found: Found[str]) -> list[Heading | Broken]:
        """What is told of each game beside its moves; moves told by words only are looked up on the board."""
        first = found.scan.first.tolist()
        text_of = _move_text(found)
        headings: list[Heading | Broken] = []
        for row, facts in enumerate(found.scan.facts.tolist()):
            try:
                if facts[WRONG] >= 0:
                    raise self._not_understood(found, row, facts[WRONG])
                head = self._heading(found.text, facts, first[row + 1] - first[row])
                if facts[WORDS]:
                    self._by_words(found, head.start, range(first[row], first[row + 1]), text_of)
                headings.append(head)
            except BrokenGameError as error:
                place = facts[ENDING] if error.reason == BAD_MOVE else facts[WRONG]
                headings.append(Broken(error, place if place >= 0 else None))
        return headings

    def _not_understood(self, found: Found[str], row: int, place: int) -> BrokenGameError:
        begin, end = found.scan.first[row : row + 2].tolist()
        before = int(np.searchsorted(found.scan.places[begin:end], place))
        line = found.text[place : place + 100].lstrip("\r\n").splitlines()[0]
        return BrokenGameError(BAD_LINE, shown(line.strip()), before + 1)

    def _by_words(self, found: Found[str], position: Position, claims: range, text_of: Callable[[int], str]) -> None:
        """Replace what is claimed of the moves of one game by the moves themselves."""
        last: int | None = None
        for ply, claim in enumerate(claims, 1):
            text = text_of(claim)
            try:
                move = parse_japanese(position, text, last)
            except MoveError as error:
                # The pass that follows stops at the first move that cannot be played.
                if ply == len(claims):
                    found.scan.claims[claim] = -1 & 0x7FFF
                    return
                raise BrokenGameError(ILLEGAL, str(error)[:300], ply) from None
            found.scan.claims[claim] = move
            position, last = self.game.play_unchecked(position, move), move & 127

    def _heading(self, text: str, facts: list[int], moves: int) -> Heading:
        lines = read_heading(text[facts[HEADING] : facts[HEADING + 1]])
        plain = lines.values.get("手合割", "平手") == "平手" and not lines.rows and "開始局面" not in lines.values
        start = self.usual if plain else start_of(lines)
        self.faults.note(BAD_LINE, facts[ODD] + lines.odd)
        self.faults.note(VARIATION, facts[VARIATIONS])
        ending = self._ending(text, facts, moves, (side_to_move(start) + moves) & 1)
        return Heading(
            start,
            plain or bool(np.array_equal(start, self.usual)),
            _texts(lines, ending.name),
            ending,
            tuple(UNKNOWN if rating is None else round(rating) for rating in lines.ratings),  # type: ignore[arg-type]
        )

    def _ending(self, text: str, facts: list[int], moves: int, mover: int) -> Ending:
        ending = NOT_TOLD
        if facts[ENDING] >= 0:
            word = text[facts[ENDING] : facts[ENDING + 1]].strip()
            known = KIF.get(word)
            if known is None:
                raise BrokenGameError(BAD_MOVE, shown(word), moves + 1)
            ending = known
        if facts[TOLD] < 0:
            return ending
        told = told_by(text[facts[TOLD] : min(facts[TOLD + 1], facts[TOLD] + 200)])
        if told is None:
            self.faults.note(UNCLEAR)
            return ending
        if told.number is not None and told.number != moves:
            self.faults.note(MISCOUNTED)
        if ending is NOT_TOLD:
            return told.ending
        if None is not told.ending.result(mover) != ending.result(mover) is not None:
            self.faults.note(TOLD_TWICE)
        return ending


def _texts(lines: Lines, ending: str) -> Texts:
    values = lines.values
    return Texts(
        (lines.players[0], lines.players[1]),
        values.get("棋戦") or values.get("表題") or "",
        values.get("開始日時") or values.get("対局日") or values.get("対局日時") or "",
        values.get("持ち時間") or "",
        ending,
    )
