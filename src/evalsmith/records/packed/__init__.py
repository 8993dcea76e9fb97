"""Binary formats of positions: columns of words in, records of one size out, and back.

    packing = Marlin()
    packed = packing.pack(Positions.of(words, scores, results))
    unpacked = packing.unpack(packed.content)

A position that a format cannot hold is refused by name, what it has no place for is counted by name, and a record that
cannot be is named by its number and its byte.
"""

from evalsmith.records.packed.chess import Bullet, Marlin
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.records.packed.positions import FIRST, MOVER, UNKNOWN, Packed, Packing, Positions, Unpacked, Wrong
from evalsmith.records.packed.shogi import Hcpe, PackedSfenValue

__all__ = [
    "FIRST",
    "MOVER",
    "UNKNOWN",
    "Bullet",
    "Hcpe",
    "Marlin",
    "OthelloValues",
    "Packed",
    "PackedSfenValue",
    "Packing",
    "Positions",
    "Unpacked",
    "Wrong",
]
