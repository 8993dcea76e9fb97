"""Othello positions with a value, 20 bytes big endian: the mover's discs, the enemy's discs, centidiscs for the mover.

Which end of a word a1 is at differs between programs, so it is a setting. The side to move is not stored: what is read
has Black to move.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.games.othello import GAME
from evalsmith.records.packed.positions import (
    UNKNOWN,
    Bytes,
    Packing,
    Positions,
    Wrong,
    bytes_of,
    counted,
    records_of,
    refusals,
)
from evalsmith.run.errors import InputError

HIGHEST_VALUE = GAME.margin
LOW, HIGH = BIT_ORDERS = ("low", "high")
_RECORD = np.dtype([("mover", ">u8"), ("enemy", ">u8"), ("value", ">i4")])
_BYTE_TURNED = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], dtype=np.uint8)


class OthelloValues(Packing):
    """The 20-byte records. ``a1`` says whether a1 is the lowest bit of a word, as it is in ours, or the highest."""

    name = "othello20"
    game = "othello"
    size = _RECORD.itemsize

    def __init__(self, a1: str = LOW) -> None:
        if a1 not in BIT_ORDERS:
            raise InputError(f"a1 is at the {' or '.join(BIT_ORDERS)} end of a word, not {a1!r}")
        self.a1 = a1

    def sides(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Word 2 is the side to move."""
        return words[:, 2].astype(np.int64)

    def _pack(self, positions: Positions) -> tuple[Bytes, list[Wrong], dict[str, int]]:
        values = np.where(positions.scores == UNKNOWN, positions.results, positions.scores)
        records = np.empty(len(positions), dtype=_RECORD)
        records["mover"] = self._ordered(positions.words[:, 0])
        records["enemy"] = self._ordered(positions.words[:, 1])
        records["value"] = values
        wrong = refusals(
            (values == UNKNOWN, "neither a score nor a result is known", 0),
            (np.abs(values.astype(np.int64)) > HIGHEST_VALUE, f"a value beyond ±{HIGHEST_VALUE} centidiscs", 0),
        )
        lost = counted(
            side_to_move=positions.words[:, 2] != 0,
            the_result_beside_the_score=(positions.scores != UNKNOWN) & (positions.results != UNKNOWN),
            that_the_value_is_a_result=(positions.scores == UNKNOWN) & (positions.results != UNKNOWN),
            best_move=positions.moves >= 0,
            ply=positions.plies >= 0,
        )
        return bytes_of(records), wrong, lost

    def _unpack(self, content: Bytes) -> tuple[Positions, list[Wrong], dict[str, int]]:
        records = records_of(content, _RECORD)
        words = np.zeros((len(records), 3), dtype=np.uint64)
        words[:, 0], words[:, 1] = self._ordered(records["mover"]), self._ordered(records["enemy"])
        values = records["value"].astype(np.int32)
        wrong = refusals(
            (words[:, 0] & words[:, 1] != 0, "a square has a disc of both sides", 8),
            (words[:, 0] | words[:, 1] == 0, "the board is empty", 0),
            (np.abs(values.astype(np.int64)) > HIGHEST_VALUE, f"a value beyond ±{HIGHEST_VALUE} centidiscs", 16),
        )
        return Positions.of(words, values), wrong, {}

    def _ordered(self, boards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Words with their bits as the file has them, or back."""
        native = boards.astype(np.uint64)
        if self.a1 == LOW:
            return native
        turned = _BYTE_TURNED[np.ascontiguousarray(native).view(np.uint8)]
        return turned.view(np.uint64).byteswap()
