"""A shogi position as plain lists, on its way between texts and words; what is impossible is refused here."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from evalsmith.games.game import Position
from evalsmith.games.keys import zobrist
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.movegen.generate import DROP
from evalsmith.games.shogi.squares import (
    BLACK,
    BOARD_KEY,
    CLASS_OF,
    CLASSES,
    COLOURS,
    HAND_BITS,
    HAND_KINDS,
    HAND_SHIFT,
    HANDS,
    KEY_SEED,
    KING,
    KNIGHT,
    LANCE,
    NAMES,
    PAWN,
    PROMOTED,
    SET,
    SQUARES,
    STATE,
    WHITE,
    WHITE_KEY_SEED,
    WHITE_PIECE,
    WORDS,
    halves,
)
from evalsmith.run.errors import PositionError

SIDES = ("black", "white")
LETTERS = "?PLNSBRGK"  # by kind

_piece_keys = zobrist(KEY_SEED, 32, SQUARES)
_white_key = int(zobrist(WHITE_KEY_SEED, 1)[0])


def square_name(square: int) -> str:
    """``7g`` for a square."""
    return f"{square // 9 + 1}{'abcdefghi'[square % 9]}"


def parse_square(name: str) -> int:
    """The square that is called ``7g``."""
    return 9 * (int(name[0]) - 1) + "abcdefghi".index(name[1])


@dataclass
class Board:
    """A position before it is checked: the piece on each square, the hands by kind, the side to move."""

    pieces: list[int] = field(default_factory=lambda: [0] * SQUARES)
    hands: list[dict[int, int]] = field(default_factory=lambda: [dict.fromkeys(HAND_KINDS, 0) for _ in range(2)])
    side: int = BLACK
    number: int = 1

    def king(self, side: int) -> int:
        """The square of a side's king, or -1."""
        piece = KING | side * WHITE_PIECE
        return self.pieces.index(piece) if piece in self.pieces else -1

    def fault(self) -> str | None:
        """Why no game can contain the position, as far as the pieces tell; None if one can."""
        for side, name in enumerate(SIDES):
            kings = self.pieces.count(KING | side * WHITE_PIECE)
            if kings != 1:
                return f"{name} has {kings or 'no'} king{'s' if kings > 1 else ''}, not one"
        for kind in HAND_KINDS:
            on_board = sum(1 for piece in self.pieces if piece & 15 in (kind, kind + PROMOTED) and piece & 15 != KING)
            count = on_board + sum(hand[kind] for hand in self.hands)
            if count > SET[kind]:
                return f"there are {count} {NAMES[kind]}s, promoted ones and hands counted; a set has {SET[kind]}"
        return self._fault_on_squares()

    def _fault_on_squares(self) -> str | None:
        files: set[tuple[int, int]] = set()
        for square, piece in enumerate(self.pieces):
            kind, side = piece & 15, piece >> 4
            left = square % 9 if side == BLACK else 8 - square % 9
            if kind in (PAWN, LANCE, KNIGHT) and left < (2 if kind == KNIGHT else 1):
                return f"{SIDES[side]}'s {NAMES[kind]} on {square_name(square)} could never move again"
            if kind == PAWN:
                if (side, square // 9) in files:
                    return f"{SIDES[side]} has two pawns on file {square // 9 + 1}"
                files.add((side, square // 9))
        return None

    def words(self) -> Position:
        """The words of the position, all derived ones too; nothing is checked."""
        row = [0] * WORDS
        key = _white_key if self.side == WHITE else 0
        colours, classes = [0, 0], [0] * 5
        for square, piece in enumerate(self.pieces):
            if piece:
                row[square >> 3] |= piece << 8 * (square & 7)
                colours[piece >> 4] |= 1 << square
                classes[CLASS_OF.get(piece & 15, 4)] |= 1 << square
                key ^= int(_piece_keys[piece, square])
        for number, squares in enumerate(colours):
            row[COLOURS + 2 * number], row[COLOURS + 2 * number + 1] = halves(squares)
        for number, squares in enumerate(classes):
            row[CLASSES + 2 * number], row[CLASSES + 2 * number + 1] = halves(squares)
        for side, hand in enumerate(self.hands):
            row[HANDS] |= sum(count << HAND_SHIFT[kind] for kind, count in hand.items()) << 32 * side
        row[STATE] = self.side | self.king(BLACK) << 8 | self.king(WHITE) << 16 | self.number << 32
        row[BOARD_KEY] = key
        return np.array(row, dtype=np.uint64)

    def position(self, source: str) -> Position:
        """The words, or a PositionError with the reason and the text that the board came from."""
        if (reason := self.fault()) is not None:
            raise refusal(source, reason)
        waiting = Board(self.pieces, self.hands, 1 - self.side, self.number)
        if GAME.check(waiting.words()):
            raise refusal(source, f"{SIDES[1 - self.side]} is in check, but it is {SIDES[self.side]}'s move")
        return self.words()

    def exchanged(self) -> Board:
        """The same position with colours exchanged and the board turned around."""
        pieces = [piece ^ WHITE_PIECE if piece else 0 for piece in reversed(self.pieces)]
        return Board(pieces, [dict(hand) for hand in reversed(self.hands)], 1 - self.side, self.number)


def side_of(position: Position) -> int:
    """The side to move."""
    return int(position[STATE]) & 1


def piece_on(position: Position, square: int) -> int:
    """The piece on a square, 0 where there is none."""
    return int(position[square >> 3]) >> 8 * (square & 7) & 255


def kind_moved(position: Position, move: int) -> int:
    """The kind of the piece that a move moves or drops."""
    origin = move >> 7 & 127
    return origin - DROP if origin > DROP else piece_on(position, origin) & 15


def board_of(position: Position) -> Board:
    """The lists that the words of a position stand for."""
    words = [int(word) for word in position]
    pieces = [words[square >> 3] >> 8 * (square & 7) & 255 for square in range(SQUARES)]
    hands = []
    for side in (BLACK, WHITE):
        hand = words[HANDS] >> 32 * side
        hands.append({kind: hand >> HAND_SHIFT[kind] & (1 << HAND_BITS[kind]) - 1 for kind in HAND_KINDS})
    return Board(pieces, hands, words[STATE] & 1, words[STATE] >> 32)


def refusal(text: str, reason: str) -> PositionError:
    """The error for a text that is no position."""
    shown = text if len(text) <= 120 else text[:117] + "…"
    return PositionError(f"not a shogi position, {reason}: {shown!r}")
