"""JKF, the JSON kifu format: a shogi game with its heading, moves, times, comments and branches as JSON.

A file holds one game, or a list of games. Only the main line is read: branches are counted.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from evalsmith.records.format import Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.shogi.blocks import plain_head

_OPENS = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"(?:header|initial|moves)"\s*:\s*[\[{]')


class Jkf(Format):
    """Reads shogi games in JKF."""

    name = "jkf"
    game = "shogi"
    suffixes = (".jkf",)

    def sniff(self, head: bytes) -> bool:
        """A JSON object begins with one of the format's three keys."""
        return _OPENS.match(plain_head(head)) is not None

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The games."""
        from evalsmith.records.jkf.read import read_jkf

        return read_jkf(stream, path, faults)
