"""Lists of chess positions, one a line: EPD, FEN, and what tuners make of them; read in large pieces by compiled code.

Which shapes are read is said in scan.py. Files do not tell in whose view a result or a score stands; the default is
White's, and options say otherwise.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal

from evalsmith.games import find_game
from evalsmith.records.format import Format
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import LINE_LIMIT, head_lines
from evalsmith.run.errors import InputError

CHUNK = 4 << 20

View = Literal["white", "mover"]
Unit = Literal["guess", "pawns", "centipawns"]
_UNITS = ("guess", "pawns", "centipawns")  # in the order of scan.py

_BOARD = re.compile(r"[pnbrqkPNBRQK1-8]{1,8}(?:/[pnbrqkPNBRQK1-8]{1,8}){7}\s+[wb](?=[\s;|,\[]|$)")


class Epd(Format):
    """Reads lists of positions.

    ``result_view`` and ``score_view`` say for whom results and scores are; ``score_unit`` what scores after a result
    in brackets count: ``guess`` takes decimals for pawns and whole numbers for centipawns.
    """

    name = "epd"
    game = "chess"
    suffixes: ClassVar[tuple[str, ...]] = (".epd", ".fen")
    positions = True

    def __init__(
        self,
        result_view: View = "white",
        score_view: View = "white",
        score_unit: Unit = "guess",
        chunk: int = CHUNK,
    ) -> None:
        self.result_view, self.score_view, self.score_unit = result_view, score_view, score_unit
        self.chunk = max(chunk, 2 * LINE_LIMIT)

    def sniff(self, head: bytes) -> bool:
        """The first line that is no comment begins with a board and a side to move."""
        for line in head_lines(head):
            if line.strip() and line.lstrip()[0] not in "#%":
                return _BOARD.match(line.strip()) is not None
        return False

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """A record without moves for each position."""
        for batch in self.position_batches(stream, path, faults):
            yield from batch.records()

    def position_batches(
        self, stream: io.BufferedIOBase, path: Path, faults: Faults, begin: tuple[int, ...] = ()
    ) -> Iterator[PositionBatch]:
        """All positions, or those after a batch, many at once."""
        from evalsmith.records.epd.buffer import EpdBuffer

        options = (self.result_view == "mover", self.score_view == "mover", _UNITS.index(self.score_unit))
        return EpdBuffer(self.chunk, options).batches(stream, str(path), faults, begin)

    def format_record(self, record: Record) -> str:
        """A line for a position: ``FEN | score | result`` for White, or as much of it as is known."""
        if record.game != self.game or record.moves:
            what = f"a game of {record.game}" if record.game != self.game else f"a game of {len(record.moves)} moves"
            raise InputError(f"lists of positions hold {self.game}, not {what}")
        game = find_game(self.game)
        line = record.start or game.format(game.start())
        score = record.labels.get(0)
        if score is None:
            return line + ("" if record.result is None else f" [{_shown_result(record.result)}]") + "\n"
        if record.result is None:
            return f"{line} ce {_evaluation(score, game.win)};\n"
        white = score if line.split()[1] == "w" else -score
        return f"{line} | {white} | {_shown_result(record.result)}\n"


class EpdMover(Epd):
    """The same of files whose results and scores are the mover's; nothing in a file tells, so it has to be named."""

    name = "epd-mover"
    suffixes = ()

    def __init__(self) -> None:
        super().__init__(result_view="mover", score_view="mover")

    def sniff(self, head: bytes) -> bool:
        """Never: White's view is supposed."""
        return False

    def format_record(self, record: Record) -> str:
        """A line with both values for the mover."""
        line = super().format_record(record)
        board, *rest = line.rstrip("\n").split(" | ")
        if board.split()[1] == "w" or record.result is None:
            return line
        turned = _shown_result(-record.result)
        return f"{board} | {-int(rest[0])} | {turned}\n" if rest else f"{board.rpartition(' [')[0]} [{turned}]\n"


def _shown_result(result: int) -> str:
    return "1.0" if result > 0 else "0.0" if result < 0 else "0.5"


def _evaluation(score: int, win: int) -> int:
    """A score as ``ce`` has it: EPD counts a mate down from 32767, whatever the game's own value of a win is."""
    near = win - 1000
    if abs(score) < near:
        return score
    return score + 32767 - win if score > 0 else score - 32767 + win
