"""KIF and KI2: how people write down shogi games, in Japanese.

KIF has a line a move with its origin and its time, KI2 several moves a line, in words. Files are in Shift-JIS,
UTF-8 or UTF-16. Only the main line is read: variations are counted.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from evalsmith.records.batch import Batch
from evalsmith.records.format import Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.shogi.blocks import plain_head

_HEADINGS = ("手合割", "手数----", "先手：", "後手：", "下手：", "上手：", "開始日時", "先手:", "後手:")
_MOVE = r"(?:[1-9１-９][1-9一二三四五六七八九]|同)[ 　]*(?:成?[歩香桂銀]|[角飛金玉王と杏圭全馬龍竜])"
KIF_MOVE = re.compile(rf"^[ 　]*[0-9０-９]+[ 　]+{_MOVE}", re.MULTILINE)
KI2_MOVE = re.compile(rf"^[ 　]*[▲△☗☖]{_MOVE}", re.MULTILINE)


def _texts(head: bytes) -> Iterator[str]:
    for encoding in ("utf-8", "cp932"):
        yield plain_head(head).decode(encoding, "ignore")


class Kif(Format):
    """Reads shogi games in KIF."""

    name = "kif"
    game = "shogi"
    suffixes: ClassVar[tuple[str, ...]] = (".kif", ".kifu")
    between = "\n"
    _move = KIF_MOVE
    _other = KI2_MOVE

    def sniff(self, head: bytes) -> bool:
        """There are moves of the format, or a heading of shogi and no moves of the other one."""
        return any(
            self._move.search(text) is not None
            or (any(word in text for word in _HEADINGS) and self._other.search(text) is None)
            for text in _texts(head)
        )

    def batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
        """The games, a block of the file at a time."""
        from evalsmith.records.kif.read import read_kif

        return read_kif(stream, path, faults)

    def format_record(self, record: Record) -> str:
        """A game."""
        from evalsmith.records.kif.write import format_kif

        return format_kif(record)
