"""Attacks on the chess board: of leapers, of sliders by magic multiplication, and the lines between squares.

A square is a number from 0 (a1) over 7 (h1) to 63 (h8); a board of squares is one 64-bit word. The attacks of
a slider are looked up: the occupied squares on its lines, times the square's magic factor, give in the top
bits the place of the answer. The factors were found by trying sparse random words; any word that keeps
different answers apart would do as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Word, helper, table

Board = npt.NDArray[np.uint64]

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

_1, _7, _8, _9 = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)
_NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)

# fmt: off
_ROOK_MAGICS = (
    0x1080008040001024, 0x20C030002000C000, 0x2180200008811000, 0x0100070020081000,
    0x0280040018000280, 0x8200010200100408, 0x02002AC401020008, 0x0200020900804024,
    0x0002800040008020, 0x0000401000200040, 0x4000802000100080, 0x4012002010420008,
    0x0641804400680080, 0x9004800400802600, 0x1020808002000100, 0x8001000040810002,
    0x0000208000401080, 0x2010114020004000, 0x0300410010200B00, 0x2041010020081002,
    0x0010808008000400, 0x0000080104204010, 0x0000040008021001, 0x1422020000410084,
    0x0040400080002090, 0x4001400340201000, 0x20060082001821C0, 0x089610010021000A,
    0x8400080080800400, 0x0224010040400200, 0x00F0B00400012218, 0x1200004200040081,
    0x0040400080800026, 0x0C80401000402000, 0x0801004011002001, 0x0040880284801000,
    0x0108020040400400, 0x9822002004040010, 0x0C02900144000208, 0x0002040042001099,
    0x0B80004060014005, 0x0000200040008080, 0x0419044420010011, 0x0098008010008008,
    0x0000080011010004, 0x0000040002008080, 0x880C010890040002, 0x1000084184060001,
    0x0841004200802600, 0x4240100040200040, 0x0070200080100080, 0xC200201005000900,
    0x0500800800040280, 0x0100020004008080, 0x0000820108100400, 0x0901010400804200,
    0x0080024080112901, 0x5013018468400011, 0x0000A84220011101, 0x6810211000040901,
    0x0002005408201006, 0x0182009001482402, 0x002210222100A804, 0x0000490C8404402A,
)
_BISHOP_MAGICS = (
    0x2309480088020021, 0x0003500101010000, 0x30080084049110C8, 0xC024040282000000,
    0x9190882040210101, 0x0004242440010100, 0x16010401044041C0, 0x0C20420A00A00400,
    0xB020040808812400, 0x2101480268120024, 0x4404108082084400, 0x0000110400800001,
    0x0000411140000000, 0x00811601501A0080, 0x0085010802110408, 0x8002048208420200,
    0x2204804024146408, 0x1529042202080A00, 0x0008485004004010, 0x0004082804129044,
    0x2A04000211204004, 0x0301090A00900410, 0x900C000044020904, 0x000020004E080C00,
    0x008842A1200A1E02, 0x08440420111020A1, 0x0010900102040C10, 0x2040808008020002,
    0x408100444D004018, 0x064101001A004102, 0x0101040241140102, 0x3004004000806403,
    0x0122021080C31008, 0x8219080838201108, 0x0802004848040800, 0x0080200500080108,
    0x40208210040A0080, 0x0065010201810810, 0x0241021088020820, 0x0408020020188889,
    0x2828040420020418, 0x4100420220003090, 0x0000118404417000, 0x0020004208004084,
    0x00D12000A4002280, 0x00600A0862000040, 0x0020029202002040, 0x0010010041022082,
    0x00A4020210044000, 0x24088A08092C1028, 0x810C090090900000, 0x801023102A080081,
    0x42000008030402A2, 0x2000081081020000, 0x00600D310E0C0048, 0x488841810409004A,
    0x0A0A090400820860, 0x0800402118021044, 0x2803200041082100, 0x1196000000840400,
    0x0406000808103400, 0x00411108D0090212, 0x0240600911080080, 0x101420109102008A,
)
# fmt: on


# ── Building the tables ─────────────────────────────────────────────────────────────────────────


def _ray(square: int, step: tuple[int, int]) -> list[int]:
    """The squares from a square to the edge, nearest first."""
    file, rank, squares = square % 8 + step[0], square // 8 + step[1], []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(8 * rank + file)
        file, rank = file + step[0], rank + step[1]
    return squares


def _leaps(steps: Iterable[tuple[int, int]]) -> Board:
    """What a piece that makes one of these steps attacks from each square."""
    boards = [sum(1 << _ray(square, step)[0] for step in steps if _ray(square, step)) for square in range(64)]
    return np.array(boards, dtype=np.uint64)


def _slides(square: int, steps: Iterable[tuple[int, int]], occupied: Board) -> Board:
    """What a slider attacks from a square, for each word of occupied squares."""
    attacked = np.zeros_like(occupied)
    for step in steps:
        free = np.full_like(occupied, np.uint64(0xFFFFFFFFFFFFFFFF))
        for reached in _ray(square, step):
            bit = np.uint64(1 << reached)
            attacked |= bit & free
            free[(occupied & bit) != 0] = 0
    return attacked


def _subsets(mask: int) -> Board:
    """Every choice of the bits of a mask."""
    subsets = np.zeros(1, dtype=np.uint64)
    for bit in (np.uint64(1 << square) for square in range(64) if mask >> square & 1):
        subsets = np.concatenate([subsets, subsets | bit])
    return subsets


def _magic_tables(magics: tuple[int, ...], steps: tuple[tuple[int, int], ...]) -> tuple[Board, Board]:
    """Four words a square (mask, factor, shift, where its answers begin), and all answers."""
    squares = np.zeros((64, 4), dtype=np.uint64)
    answers, start = [], 0
    for square in range(64):
        # The last square of a ray is attacked whether it is occupied or not.
        mask = sum(1 << reached for step in steps for reached in _ray(square, step)[:-1])
        occupied = _subsets(mask)
        shift = 64 - mask.bit_count()
        places = occupied * np.uint64(magics[square]) >> np.uint64(shift)
        block = np.zeros(len(occupied), dtype=np.uint64)
        block[places] = _slides(square, steps, occupied)
        squares[square] = mask, magics[square], shift, start
        answers.append(block)
        start += len(block)
    return squares, np.concatenate(answers)


def _lines() -> tuple[Board, Board]:
    """For each pair of squares: the squares strictly between, and the whole line through both."""
    between, line = np.zeros((64, 64), dtype=np.uint64), np.zeros((64, 64), dtype=np.uint64)
    for square in range(64):
        for step in (*ORTHOGONAL, *DIAGONAL):
            ray = _ray(square, step)
            whole = [square, *ray, *_ray(square, (-step[0], -step[1]))]
            for count, reached in enumerate(ray):
                between[square, reached] = sum(1 << s for s in ray[:count])
                line[square, reached] = sum(1 << s for s in whole)
    return between, line


def _through(steps: tuple[tuple[int, int], ...]) -> Board:
    """The whole line of each square in two opposite directions."""
    boards = [sum(1 << s for step in steps for s in _ray(square, step)) | 1 << square for square in range(64)]
    return np.array(boards, dtype=np.uint64)


_rook_squares, _rook_answers = _magic_tables(_ROOK_MAGICS, ORTHOGONAL)
_bishop_squares, _bishop_answers = _magic_tables(_BISHOP_MAGICS, DIAGONAL)
_between, _line = _lines()

_rook_magic: Callable[[], Any] = table("chess.rook_magic", _rook_squares)
_rook_attack: Callable[[], Any] = table("chess.rook_attack", _rook_answers)
_bishop_magic: Callable[[], Any] = table("chess.bishop_magic", _bishop_squares)
_bishop_attack: Callable[[], Any] = table("chess.bishop_attack", _bishop_answers)

knight_table: Callable[[], Any] = table("chess.knight", _leaps(_KNIGHT))
king_table: Callable[[], Any] = table("chess.king", _leaps((*ORTHOGONAL, *DIAGONAL)))
between_table: Callable[[], Any] = table("chess.between", _between)
file_table: Callable[[], Any] = table("chess.file", _through(((0, 1), (0, -1))))
diagonal_table: Callable[[], Any] = table("chess.diagonal", _through(((1, 1), (-1, -1))))
antidiagonal_table: Callable[[], Any] = table("chess.antidiagonal", _through(((1, -1), (-1, 1))))
line_table: Callable[[], Any] = table("chess.line", _line)


# ── Kernels ─────────────────────────────────────────────────────────────────────────────────────


@helper("uint64(int64, uint64)", inline=True)
def rook_attacks(square: int, occupied: Word) -> Word:
    """The squares a rook attacks, the first occupied one of each line included."""
    magic = _rook_magic()
    place = ((occupied & magic[4 * square]) * magic[4 * square + 1]) >> magic[4 * square + 2]
    return _rook_attack()[np.int64(magic[4 * square + 3] + place)]


@helper("uint64(int64, uint64)", inline=True)
def bishop_attacks(square: int, occupied: Word) -> Word:
    """The squares a bishop attacks, the first occupied one of each line included."""
    magic = _bishop_magic()
    place = ((occupied & magic[4 * square]) * magic[4 * square + 1]) >> magic[4 * square + 2]
    return _bishop_attack()[np.int64(magic[4 * square + 3] + place)]


@helper("uint64(int64)", inline=True)
def knight_attacks(square: int) -> Word:
    """The squares a knight attacks."""
    return knight_table()[square]


@helper("uint64(int64)", inline=True)
def king_attacks(square: int) -> Word:
    """The squares a king attacks."""
    return king_table()[square]


@helper("uint64(uint64, int64)", inline=True)
def pawn_attacks(pawns: Word, side: int) -> Word:
    """The squares that a set of pawns attacks."""
    if side == 0:
        return ((pawns & _NOT_A) << _7) | ((pawns & _NOT_H) << _9)
    return ((pawns & _NOT_A) >> _9) | ((pawns & _NOT_H) >> _7)


@helper("uint64(uint64, int64)", inline=True)
def forward(squares: Word, side: int) -> Word:
    """A set of squares one rank ahead, as the side goes."""
    return squares << _8 if side == 0 else squares >> _8


@helper("uint64(int64, int64)", inline=True)
def between_squares(first: int, second: int) -> Word:
    """The squares strictly between two on one line; none where no line joins them."""
    return between_table()[64 * first + second]


@helper("uint64(int64, int64)", inline=True)
def line_through(first: int, second: int) -> Word:
    """The whole line that joins two squares, or none."""
    return line_table()[64 * first + second]


@helper("uint64(int64)", inline=True)
def bit(square: int) -> Word:
    """The word with one square."""
    return _1 << np.uint64(square)
