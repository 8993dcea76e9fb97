"""Chess positions in 32 bytes: bulletformat's ChessBoard and marlinformat's PackedBoard, both little endian.

ChessBoard shows the board as the mover sees it, and stores neither who moves nor castling, en passant and clocks: what
is read has White to move. PackedBoard stores all of them, Chess960 castling too, and has score and result for White.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games.chess.words import (
    BLACK_PIECES,
    CLOCK_BIT,
    EN_PASSANT_BIT,
    KING,
    NUMBER_BIT,
    SIDE_BIT,
    STATE,
    WHITE_PIECES,
    WORDS,
)
from evalsmith.records.packed.boards import REASONS, decode, encode
from evalsmith.records.packed.positions import (
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

WIN = 30000  # what the game of chess calls a won game
_BULLET = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", (16,)),
        ("score", "<i2"),
        ("result", "u1"),
        ("king", "u1"),
        ("other_king", "u1"),
        ("extra", "u1", (3,)),
    ]
)
_MARLIN = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", (16,)),
        ("state", "u1"),
        ("clock", "u1"),
        ("number", "<u2"),
        ("score", "<i2"),
        ("result", "u1"),
        ("extra", "u1"),
    ]
)
_ODD_RESULT = "the result is not 0, 1 or 2"


class _Chess(Packing):
    game = "chess"

    def sides(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """A bit of the state."""
        return (words[:, STATE] >> np.uint64(SIDE_BIT) & np.uint64(1)).astype(np.int64)


class Bullet(_Chess):
    """bulletformat's ChessBoard."""

    name = "bullet"
    size = _BULLET.itemsize

    def _pack(self, positions: Positions) -> tuple[Bytes, list[Wrong], dict[str, int]]:
        records = np.zeros(len(positions), dtype=_BULLET)
        kings = _write_boards(records, positions.words, turning=1, castling=0)
        records["score"] = in_16_bits(positions.scores)
        records["result"] = _results(positions.results)
        records["king"], records["other_king"] = kings[:, 0], kings[:, 1] ^ 56
        state = positions.words[:, STATE]
        wrong = refusals((positions.scores == UNKNOWN, NO_SCORE, 0), (positions.results == UNKNOWN, NO_RESULT, 0))
        lost = counted(
            black_to_move=self.sides(positions.words) == 1,
            castling_rights=state & np.uint64(0xFFFF) != 0,
            en_passant=_field(state, EN_PASSANT_BIT, 15) != 0,
            halfmove_clock=_field(state, CLOCK_BIT, 0xFFFF) != 0,
            move_number=_field(state, NUMBER_BIT, 0xFFFFFF) > 1,
            best_move=positions.moves >= 0,
        )
        return bytes_of(records), wrong, lost | cut_scores(positions)

    def _unpack(self, content: Bytes) -> tuple[Positions, list[Wrong], dict[str, int]]:
        records = records_of(content, _BULLET)
        state = _default_state(len(records))
        words, wrong = _read_boards(records, state, castling=0)
        mover, other = words[:, KING] & words[:, WHITE_PIECES], words[:, KING] & words[:, BLACK_PIECES]
        checks = [
            *wrong,
            (_squares(mover) != records["king"], "the mover's king is not where the record says", 27),
            (_squares(other) ^ 56 != records["other_king"], "the other king is not where the record says", 28),
            (records["result"] > 2, _ODD_RESULT, 26),
        ]
        warnings = counted(extra_bytes_that_are_not_0=(records["extra"] != 0).sum(axis=1) > 0)
        return _positions(words, records), refusals(*checks), warnings


class Marlin(_Chess):
    """marlinformat's PackedBoard."""

    name = "marlin"
    size = _MARLIN.itemsize

    def _pack(self, positions: Positions) -> tuple[Bytes, list[Wrong], dict[str, int]]:
        words, state = positions.words, positions.words[:, STATE]
        black = self.sides(words) == 1
        records = np.zeros(len(positions), dtype=_MARLIN)
        _write_boards(records, words, turning=0, castling=1)
        file = _field(state, EN_PASSANT_BIT, 15).astype(np.int64)
        square = np.where(file == 0, 64, file - 1 + np.where(black, 16, 40))
        clock, number = _field(state, CLOCK_BIT, 0xFFFF), _field(state, NUMBER_BIT, 0xFFFFFF)
        records["state"] = square | np.where(black, 128, 0)
        records["clock"] = np.minimum(clock, np.uint64(255))
        records["number"] = np.clip(number, 1, 65535)
        sign = np.where(black, -1, 1)
        records["score"] = in_16_bits(positions.scores) * sign
        records["result"] = np.where(black, 2 - _results(positions.results), _results(positions.results))
        wrong = refusals(
            (positions.scores == UNKNOWN, NO_SCORE, 0),
            (positions.results == UNKNOWN, NO_RESULT, 0),
            (clock > 255, "a halfmove clock above 255", 0),
            (number > 65535, "a move number above 65535", 0),
        )
        return bytes_of(records), wrong, counted(best_move=positions.moves >= 0) | cut_scores(positions)

    def _unpack(self, content: Bytes) -> tuple[Positions, list[Wrong], dict[str, int]]:
        records = records_of(content, _MARLIN)
        square, black = records["state"] & 127, records["state"] >= 128
        state = _default_state(len(records))
        state[:, 0], state[:, 1], state[:, 2], state[:, 3] = black, square, records["clock"], records["number"]
        words, wrong = _read_boards(records, state, castling=1)
        checks = [
            (square > 64, "the en passant square is beyond the board", 24),
            *wrong,
            (records["number"] == 0, "the move number is 0", 26),
            (records["result"] > 2, _ODD_RESULT, 30),
        ]
        read = _positions(words, records)
        scores, results = (np.where(black, -column, column) for column in (read.scores, read.results))
        plies = 2 * (records["number"].astype(np.int32) - 1) + black
        return (
            Positions.of(words, scores, results, plies),
            refusals(*checks),
            counted(extra_byte_that_is_not_0=records["extra"] != 0),
        )


# ── Columns ─────────────────────────────────────────────────────────────────────────────────────


def _write_boards(
    records: npt.NDArray[Any], words: npt.NDArray[np.uint64], turning: int, castling: int
) -> npt.NDArray[np.uint8]:
    """Fill in the boards of the records; the squares of the two kings of each."""
    count = len(records)
    occupied, kings = np.zeros(count, dtype=np.uint64), np.zeros((count, 2), dtype=np.uint8)
    nibbles = np.zeros((count, 16), dtype=np.uint8)
    encode(words, turning, castling, occupied, nibbles, kings)
    records["occupied"], records["pieces"] = occupied, nibbles
    return kings


def _read_boards(
    records: npt.NDArray[Any], state: npt.NDArray[np.int64], castling: int
) -> tuple[npt.NDArray[np.uint64], list[tuple[npt.NDArray[np.bool_], str, int]]]:
    """The words of the records, and what is wrong with some of them."""
    words = np.zeros((len(records), WORDS), dtype=np.uint64)
    codes = np.zeros(len(records), dtype=np.int64)
    occupied = records["occupied"].astype(np.uint64)
    decode(occupied, records["pieces"].copy(), state, castling, words, codes)
    found = [code for code in np.unique(codes).tolist() if code]
    return words, [(codes == code, *REASONS[code]) for code in found]


def _default_state(count: int) -> npt.NDArray[np.int64]:
    """The state where a format has none: White to move, no en passant, clock 0, move 1."""
    return np.tile(np.array([0, 64, 0, 1], dtype=np.int64), (count, 1))


def _positions(words: npt.NDArray[np.uint64], records: npt.NDArray[Any]) -> Positions:
    return Positions.of(words, records["score"], (records["result"].astype(np.int32) - 1) * WIN)


def _results(results: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """0 lost, 1 drawn, 2 won."""
    return np.sign(results.astype(np.int64)) + 1


def _squares(boards: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """The lowest square of each board."""
    lowest = boards & (~boards + np.uint64(1))
    return np.bitwise_count(lowest - np.uint64(1)).astype(np.uint8)


def _field(state: npt.NDArray[np.uint64], bit: int, mask: int) -> npt.NDArray[np.uint64]:
    return state >> np.uint64(bit) & np.uint64(mask)
