"""Shogi positions with a score, a move and a result: PackedSfenValue in 40 bytes and hcpe in 38, little endian.

Both have the score for the mover; PackedSfenValue has the result for the mover too, hcpe for black or white. Only
PackedSfenValue stores the number of the move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games.shogi.squares import HAND_BITS, HAND_KINDS, HAND_SHIFT, HANDS, STATE, WORDS
from evalsmith.records.packed.bits import HCP, PACKED_SFEN, REASONS, Dialect, decode, encode
from evalsmith.records.packed.positions import (
    NO_MOVE,
    NO_RESULT,
    NO_SCORE,
    UNKNOWN,
    Bytes,
    Packing,
    Positions,
    Wrong,
    bytes_of,
    counted,
    cut_scores,
    in_16_bits,
    records_of,
    refusals,
)

WIN = 30000  # what the game of shogi calls a won game
_PSV = np.dtype(
    [("bits", "u1", (32,)), ("score", "<i2"), ("move", "<u2"), ("ply", "<u2"), ("result", "i1"), ("padding", "u1")]
)
_HCPE = np.dtype([("bits", "u1", (32,)), ("score", "<i2"), ("move", "<u2"), ("result", "u1"), ("padding", "u1")])
_DROP, _PROMOTE = 80, 1 << 14  # of our moves: an origin above 80 is a drop, 80 plus the kind
_PSV_SPECIAL = (0x0081, 0x0102, 0x0183)  # null move, resignation, declaration
_ODD_MOVE = "the move cannot be played there"
_NO_SET = "a king is missing, or there are more pieces than a set has"
_HAND_SHIFTS = np.array([HAND_SHIFT.get(kind, 0) for kind in range(8)], dtype=np.uint64)
_HAND_MASKS = np.array([(1 << HAND_BITS[kind]) - 1 if kind in HAND_KINDS else 0 for kind in range(8)], dtype=np.uint64)

Columns = tuple[Positions, list[tuple[npt.NDArray[np.bool_], str, int]]]


class _Shogi(Packing):
    game = "shogi"

    def sides(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """The lowest bit of the state."""
        return (words[:, STATE] & np.uint64(1)).astype(np.int64)


class PackedSfenValue(_Shogi):
    """YaneuraOu's records. Moves that are none (null, resignation, declaration) are read as none."""

    name = "psv"
    size = _PSV.itemsize

    def _pack(self, positions: Positions) -> tuple[Bytes, list[Wrong], dict[str, int]]:

        records = np.zeros(len(positions), dtype=_PSV)
        records["bits"], ends = _write_bits(positions.words, PACKED_SFEN)
        records["score"] = in_16_bits(positions.scores)
        moves = positions.moves.astype(np.int64)
        origin, drop = moves >> 7 & 127, (moves >> 7 & 127) > _DROP
        coded = moves & 127 | np.where(drop, origin - _DROP, origin) << 7
        coded |= np.where(drop, 1 << 14, 0) | np.where(moves & _PROMOTE, 1 << 15, 0)
        records["move"] = np.where(moves < 0, 0, coded)
        number = (positions.words[:, STATE] >> np.uint64(32)).astype(np.int64)
        ply = np.where(positions.plies >= 0, positions.plies.astype(np.int64) + 1, number)
        records["ply"] = np.minimum(ply, 65535)
        records["result"] = np.sign(positions.results)
        wrong = refusals(*_unfit(positions, ends), (ply > 65535, "a move number above 65535", 0))
        return bytes_of(records), wrong, cut_scores(positions)

    def _unpack(self, content: Bytes) -> tuple[Positions, list[Wrong], dict[str, int]]:

        records = records_of(content, _PSV)
        words, wrong = _read_bits(records, PACKED_SFEN)
        ply = records["ply"].astype(np.int64)
        words[:, STATE] += np.maximum(ply - 1, 0).astype(np.uint64) << np.uint64(32)
        coded = records["move"].astype(np.int64)
        drop, none = coded & 1 << 14 != 0, (coded == 0) | np.isin(coded, _PSV_SPECIAL)
        origin = coded >> 7 & 127
        moves = coded & 127 | np.where(drop, origin + _DROP, origin) << 7 | np.where(coded >> 15, _PROMOTE, 0)
        # A drop's seven bits are the kind alone, and nothing is promoted by it.
        odd = drop & ((origin == 0) | (origin > 7) | (coded >> 15 != 0))
        odd |= ~drop & (origin > _DROP)
        moves = np.where(none, NO_MOVE, np.where(odd, 0, moves))
        checks = [
            *wrong,
            (~none & (odd | ~_possible(words, moves)), _ODD_MOVE, 34),
            (np.abs(records["result"].astype(np.int64)) > 1, "the result is not -1, 0 or 1", 38),
        ]
        warnings = counted(
            no_move_number=ply == 0,
            a_move_that_is_none=np.isin(coded, _PSV_SPECIAL),
            a_last_byte_that_is_not_0=records["padding"] != 0,
        )
        results = records["result"].astype(np.int32) * WIN
        return Positions.of(words, records["score"], results, ply - 1, moves), refusals(*checks), warnings


class Hcpe(_Shogi):
    """The records of Apery and dlshogi."""

    name = "hcpe"
    size = _HCPE.itemsize

    def _pack(self, positions: Positions) -> tuple[Bytes, list[Wrong], dict[str, int]]:

        records = np.zeros(len(positions), dtype=_HCPE)
        records["bits"], ends = _write_bits(positions.words, HCP)
        records["score"] = in_16_bits(positions.scores)
        records["move"] = np.where(positions.moves < 0, 0, positions.moves)
        white = self.sides(positions.words) == 1
        won = np.where(white, -np.sign(positions.results), np.sign(positions.results))
        records["result"] = np.where(won > 0, 1, np.where(won < 0, 2, 0))
        number = positions.words[:, STATE] >> np.uint64(32)
        lost = counted(move_number=(number > 1) | (positions.plies > 0))
        return bytes_of(records), refusals(*_unfit(positions, ends)), lost | cut_scores(positions)

    def _unpack(self, content: Bytes) -> tuple[Positions, list[Wrong], dict[str, int]]:

        records = records_of(content, _HCPE)
        words, wrong = _read_bits(records, HCP)
        coded, result = records["move"].astype(np.int64), records["result"] & 3
        origin = coded >> 7 & 127
        odd = (coded >> 15 != 0) | (origin > _DROP + 7) | ((origin > _DROP) & (coded & _PROMOTE != 0))
        moves = np.where(coded == 0, NO_MOVE, np.where(odd, 0, coded))
        checks = [
            *wrong,
            ((coded != 0) & (odd | ~_possible(words, moves)), _ODD_MOVE, 34),
            (result == 3, "the result is not 0, 1 or 2", 36),
        ]
        won = np.where(result == 1, WIN, np.where(result == 2, -WIN, 0))
        results = np.where(self.sides(words) == 1, -won, won)
        warnings = counted(
            a_result_by_repetition_declaration_or_move_limit=records["result"] > 3,
            a_last_byte_that_is_not_0=records["padding"] != 0,
        )
        return Positions.of(words, records["score"], results, None, moves), refusals(*checks), warnings


# ── Columns ─────────────────────────────────────────────────────────────────────────────────────


def _write_bits(words: npt.NDArray[np.uint64], dialect: Dialect) -> tuple[Bytes, npt.NDArray[np.int64]]:
    """The 32 bytes of each position, and how many bits each took."""
    out, ends = np.zeros((len(words), 4), dtype=np.uint64), np.zeros(len(words), dtype=np.int64)
    encode(words, dialect.board, dialect.hand, out, np.zeros(8, dtype=np.int64), ends)
    return out.astype("<u8").view(np.uint8).reshape(-1, 32), ends


def _read_bits(
    records: npt.NDArray[Any], dialect: Dialect
) -> tuple[npt.NDArray[np.uint64], list[tuple[npt.NDArray[np.bool_], str, int]]]:
    """The words of the records, and what is wrong with some of them."""
    packed = np.ascontiguousarray(records["bits"]).view("<u8").astype(np.uint64).reshape(-1, 4)
    words, codes = np.zeros((len(records), WORDS), dtype=np.uint64), np.zeros(len(records), dtype=np.int64)
    decode(packed, dialect.board_of, dialect.hand_of, words, np.zeros(8, dtype=np.int64), codes)
    found = [code for code in np.unique(codes).tolist() if code]
    return words, [(codes == code, *REASONS[code]) for code in found]


def _unfit(positions: Positions, ends: npt.NDArray[np.int64]) -> list[tuple[npt.NDArray[np.bool_], str, int]]:
    """What no shogi record holds."""
    moves = positions.moves.astype(np.int64)
    kings = [(positions.words[:, STATE] >> np.uint64(shift) & np.uint64(255)) for shift in (8, 16)]
    kingless = (kings[0] > 80) | (kings[1] > 80) | (kings[0] == kings[1])
    return [
        (kingless | (ends != 256), _NO_SET, 0),
        (positions.scores == UNKNOWN, NO_SCORE, 0),
        (positions.results == UNKNOWN, NO_RESULT, 0),
        ((moves != NO_MOVE) & ~_possible(positions.words, moves), _ODD_MOVE, 0),
    ]


def _possible(words: npt.NDArray[np.uint64], moves: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether the mover has the piece that a move wants, and the target is free for it; not whether it is legal."""
    mailbox = np.ascontiguousarray(words[:, :11]).astype("<u8").view(np.uint8).reshape(len(words), 88)
    rows, side = np.arange(len(words)), (words[:, STATE] & np.uint64(1)).astype(np.int64)
    target, origin = moves & 127, moves >> 7 & 127
    sound = (moves >= 0) & (moves < 1 << 15) & (target <= 80) & (origin <= 87)
    drop = origin > 80
    there = mailbox[rows, np.where(sound, target, 0)]
    piece = mailbox[rows, np.where(sound & ~drop, origin, 0)]
    kind = np.where(drop & sound, origin - 80, 0)
    hand = words[:, HANDS] >> (_HAND_SHIFTS[kind] + (side * 32).astype(np.uint64)) & _HAND_MASKS[kind]
    moved = (piece != 0) & (piece >> 4 == side) & ((there == 0) | (there >> 4 != side))
    return sound & np.where(drop, (there == 0) & (hand > 0), moved)
