"""CSA: the format of computer shogi, from V1 to V3, with what floodgate adds in comments.

Statements stand on lines or after commas, games after ``/``. A move names the piece as it is afterwards. Scores in
``'**`` comments are for black and become the mover's.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from evalsmith.records.batch import Batch
from evalsmith.records.format import Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.shogi.blocks import plain_head

_SNIFF = re.compile(
    rb"(?:\A|[\r\n])(?:V[123](?:\.[0-9])?|N[+-][^\r\n]*|'CSA encoding=[^\r\n]*|PI[0-9A-Z]*"
    rb"|P1(?:[+-][A-Z]{2}| \* )[^\r\n]*|[+-][0-9]{4}[A-Z]{2}(?:,[^\r\n]*)?)[ \t]*(?:[\r\n]|\Z)"
)
_PLAIN = re.compile(rb"(?:\A|[\r\n,])(?:PI|P1|[+-](?:[\r\n,]|\Z)|[+-][0-9]{4}[A-Z]{2})")


class Csa(Format):
    """Reads shogi games in the format of the Computer Shogi Association."""

    name = "csa"
    game = "shogi"
    suffixes = (".csa",)
    heading = "'CSA encoding=UTF-8\n"
    between = "/\n"

    def sniff(self, head: bytes) -> bool:
        """A version, a name or a move stands on a line, and a position, a side or a move too."""
        head = plain_head(head)
        return _SNIFF.search(head) is not None and _PLAIN.search(head) is not None

    def batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
        """The games, a block of the file at a time."""
        from evalsmith.records.csa.read import read_csa

        return read_csa(stream, path, faults)

    def format_record(self, record: Record) -> str:
        """A game; the encoding is named once, in the first line of a file."""
        from evalsmith.records.csa.write import format_csa

        return format_csa(record).removeprefix(self.heading)
