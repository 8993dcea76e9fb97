"""The binary formats of positions as formats of files: read block by block, and written.

``packed`` describes the records; it is loaded when a file is read, because it is compiled.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from evalsmith.records.chess.encoding import pass_over
from evalsmith.records.format import Format
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import Fault, Faults, Record

if TYPE_CHECKING:
    from evalsmith.records.packed.positions import Packing, Positions, Unpacked

_BLOCK = 1 << 14  # records
_FEWEST = 8  # records that a file must begin with to be known by them

CUT = "the last record is cut off"


class BinaryFormat(Format):
    """Positions in records of one size; a file is known by its suffix, or by its first records all being sound."""

    positions = True

    def packing(self) -> Packing:
        """How the records are packed."""
        raise NotImplementedError

    def sniff(self, head: bytes) -> bool:
        """Whether all records that it begins with are sound."""
        if b"\0" not in head:  # as in every text; nothing needs to be compiled for one
            return False
        packing = self.packing()
        count = len(head) // packing.size
        if count < _FEWEST or (len(head) < _FEWEST * 64 and len(head) % packing.size):
            return False
        return not packing.unpack(head[: count * packing.size], strict=False).wrong

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The positions as records without moves."""
        for batch in self.position_batches(stream, path, faults):
            yield from batch.records()

    def position_batches(
        self, stream: io.BufferedIOBase, path: Path, faults: Faults, begin: tuple[int, ...] = ()
    ) -> Iterator[PositionBatch]:
        """The positions, or those after a number of records, a block at a time; plies are left out."""
        size = self.packing().size
        for first, unpacked in self.unpacked(stream, path, faults, *begin):
            numbers = first + unpacked.rows
            read = unpacked.positions
            yield PositionBatch(
                self.game, str(path), read.words, read.results, read.scores, numbers + 1, numbers * size, read.moves,
                (first + len(unpacked.rows) + len(unpacked.wrong),),
            )  # fmt: skip

    def unpacked(
        self, stream: io.BufferedIOBase, path: Path, faults: Faults, first: int = 0
    ) -> Iterator[tuple[int, Unpacked]]:
        """All that the file holds after some records, block by block, with the number of each block's first from 0."""
        packing = self.packing()
        pass_over(stream, first * packing.size)
        while content := stream.read(packing.size * _BLOCK):
            count = len(content) // packing.size
            unpacked = packing.unpack(content[: count * packing.size], strict=False)
            for wrong in unpacked.wrong:
                place = f"byte {(first + wrong.row) * packing.size + wrong.byte}"
                faults.add(Fault(str(path), place, first + wrong.row + 1, wrong.reason))
            for remark, times in unpacked.warnings.items():
                faults.warn(remark, times)
            if count:
                yield first, unpacked
            first += count
            if len(content) % packing.size:
                rest = f"{len(content) % packing.size} of {packing.size} bytes"
                faults.add(Fault(str(path), f"byte {first * packing.size}", first + 1, CUT, rest))

    def read_unpacked(self, path: Path, faults: Faults) -> Iterator[tuple[int, Unpacked]]:
        """The same of a file."""
        return self._read(path, faults, self.unpacked)

    def write_positions(
        self, stream: BinaryIO, batches: Iterable[PositionBatch], lost: Counter[str], refused: Counter[str]
    ) -> int:
        """Write positions; how many. What is lost of them and which do not fit is counted by reason."""
        from evalsmith.records.packed.positions import Positions

        parts = (Positions.of(batch.words, batch.scores, batch.results, None, batch.moves) for batch in batches)
        return self.write_packed(stream, parts, lost, refused)

    def write_packed(
        self, stream: BinaryIO, parts: Iterable[Positions], lost: Counter[str], refused: Counter[str]
    ) -> int:
        """The same, of positions that may have best moves and plies."""
        packing, count = self.packing(), 0
        for part in parts:
            packed = packing.pack(part, strict=False)
            lost.update(packed.lost)
            refused.update(wrong.reason for wrong in packed.refused)
            stream.write(packed.content.tobytes())
            count += len(packed.content)
        return count


class BulletFile(BinaryFormat):
    """bulletformat's ChessBoard, 32 bytes."""

    name = "bullet"
    game = "chess"
    suffixes = (".bullet",)

    def packing(self) -> Packing:
        """How the records are packed."""
        from evalsmith.records.packed.chess import Bullet

        return Bullet()


class MarlinFile(BinaryFormat):
    """marlinformat's PackedBoard, 32 bytes."""

    name = "marlin"
    game = "chess"
    suffixes = (".marlin",)

    def packing(self) -> Packing:
        """How the records are packed."""
        from evalsmith.records.packed.chess import Marlin

        return Marlin()


class PsvFile(BinaryFormat):
    """PackedSfenValue, 40 bytes."""

    name = "psv"
    game = "shogi"
    suffixes = (".psv",)

    def packing(self) -> Packing:
        """How the records are packed."""
        from evalsmith.records.packed.shogi import PackedSfenValue

        return PackedSfenValue()


class HcpeFile(BinaryFormat):
    """hcpe, 38 bytes."""

    name = "hcpe"
    game = "shogi"
    suffixes = (".hcpe",)

    def packing(self) -> Packing:
        """How the records are packed."""
        from evalsmith.records.packed.shogi import Hcpe

        return Hcpe()


class OthelloFile(BinaryFormat):
    """Othello positions with values, 20 bytes, a1 in the lowest bit."""

    name = "othello20"
    game = "othello"
    suffixes: ClassVar[tuple[str, ...]] = (".othello20",)
    a1 = "low"

    def packing(self) -> Packing:
        """How the records are packed."""
        from evalsmith.records.packed.othello import OthelloValues

        return OthelloValues(self.a1)


class OthelloHighFile(OthelloFile):
    """The same with a1 in the highest bit; nothing in a file tells the two apart."""

    name = "othello20-high"
    suffixes = ()
    a1 = "high"

    def sniff(self, head: bytes) -> bool:
        """Never: the standard order of bits is assumed."""
        return False


def positions_of(unpacked: Iterable[tuple[int, Unpacked]]) -> Iterator[Positions]:
    """The positions of the blocks that ``BinaryFormat.unpacked`` gives."""
    for _, block in unpacked:
        if len(block.positions):
            yield block.positions


BINARY_FORMATS: tuple[BinaryFormat, ...] = (
    BulletFile(),
    MarlinFile(),
    PsvFile(),
    HcpeFile(),
    OthelloFile(),
    OthelloHighFile(),
)
