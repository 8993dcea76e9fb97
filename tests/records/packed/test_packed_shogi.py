"""PackedSfenValue and hcpe: worked examples, cshogi as the oracle, round trips, and records that cannot be."""

from __future__ import annotations

import functools
import random

import cshogi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.games.shogi.board import Board
from evalsmith.games.shogi.squares import HANDS, KING, KNIGHT, PAWN, STATE, WHITE_PIECE
from evalsmith.records.packed.positions import MOVER, UNKNOWN, Positions
from evalsmith.records.packed.shogi import Hcpe, PackedSfenValue
from evalsmith.run import InputError, RecordError

SHOGI = find_game("shogi")
WIN = SHOGI.win
START_HCPE = "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c 3400 3b1e 01 00"
START_PSV = "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c 3400 3b1e 0100 01 00"
# Position, hcp, PackedSfen.
EXAMPLES = [
    (
        "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 1",
        "58a449210cd756889f0345585e85f0288457213c9b2258aebf42382685307cbe",
        "58a451220ceb99889f0549385e89f0488457223ca72438d6df44584689303c9e",
    ),
    (
        "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "59a449210c9742fc1c9b42585e85f0288457213c9b4258aebf427c1c9342181e",
        "59a451220cab44fc2ca744385e89f0488457223ca74438d6df447c2ca344185e",
    ),
]
# A position where each move is legal, and the move in hcpe's and in PackedSfenValue's coding.
DROPS = "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLP 1"
MOVES = [
    (SHOGI.format(SHOGI.start()), "7g7f", 0x1E3B, 0x1E3B),
    ("4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h2b+", 0x480A, 0x880A),
    (DROPS, "P*5e", 0x28A8, 0x40A8),
    (DROPS, "L*5e", 0x2928, 0x4128),
    (DROPS, "N*5e", 0x29A8, 0x41A8),
    (DROPS, "S*5e", 0x2A28, 0x4228),
    (DROPS, "B*5e", 0x2AA8, 0x42A8),
    (DROPS, "R*5e", 0x2B28, 0x4328),
    (DROPS, "G*5e", 0x2BA8, 0x43A8),
]
PACKINGS = [PackedSfenValue(), Hcpe()]
HANDICAPS = ["平手", "香落ち", "二枚落ち", "六枚落ち", "十枚落ち"]
named = pytest.mark.parametrize("packing", PACKINGS, ids=lambda packing: packing.name)


def of(texts: list[str]) -> Positions:
    words = np.stack([SHOGI.parse(text) for text in texts])
    return Positions.of(words, [0] * len(texts), [0] * len(texts))


@functools.cache
def played(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The positions of a random game, and the moves played in them."""
    rng = random.Random(seed)
    position = SHOGI.parse(HANDICAPS[seed % len(HANDICAPS)])
    rows, moves = [], []
    for _ in range(120):
        legal = SHOGI.moves(position)
        if not legal or SHOGI.status(position) != 0:
            break
        # Captures fill the hands.
        move = rng.choice(SHOGI.noisy(position) or legal if rng.random() < 0.5 else legal)
        rows.append(position)
        moves.append(move)
        position = SHOGI.play_unchecked(position, move)
    return np.stack(rows), np.array(moves)


def unnumbered(words: np.ndarray) -> np.ndarray:
    """The same positions, each with move number 1."""
    same = words.copy()
    same[:, STATE] = same[:, STATE] & np.uint64(0xFFFFFFFF) | np.uint64(1 << 32)
    return same


def test_the_worked_examples() -> None:
    start = SHOGI.start()
    given = Positions.of(start[None], [52], [WIN], None, [SHOGI.parse_move(start, "7g7f")])
    for packing, text in ((Hcpe(), START_HCPE), (PackedSfenValue(), START_PSV)):
        content = bytes.fromhex(text.replace(" ", ""))
        assert packing.pack(given).content.tobytes() == content
        read = packing.unpack(content).positions
        assert SHOGI.format(read.words[0]) == SHOGI.format(start)
        assert (read.scores[0], read.results[0], read.moves[0]) == (52, WIN, given.moves[0])
    for text, hcp, sfen in EXAMPLES:
        for packing, code in ((Hcpe(), hcp), (PackedSfenValue(), sfen)):
            content = packing.pack(of([text])).content
            assert content[0, :32].tobytes().hex() == code
            assert np.array_equal(packing.unpack(content).positions.words, of([text]).words)


@pytest.mark.parametrize(("text", "name", "hcpe", "psv"), MOVES)
def test_moves_are_coded(text: str, name: str, hcpe: int, psv: int) -> None:
    position = SHOGI.parse(text)
    given = Positions.of(position[None], [0], [0], None, [SHOGI.parse_move(position, name)])
    for packing, code in ((Hcpe(), hcpe), (PackedSfenValue(), psv)):
        content = packing.pack(given).content
        assert int.from_bytes(content[0, 34:36].tobytes(), "little") == code
        assert packing.unpack(content).positions.moves[0] == given.moves[0]


@pytest.mark.parametrize("seed", range(10))
def test_cshogi_writes_the_same_bits(seed: int) -> None:
    words, moves = played(seed)
    given = Positions.of(words, np.zeros(len(words)), np.zeros(len(words)), None, moves)
    hcpe, psv = Hcpe().pack(given).content, PackedSfenValue().pack(given).content
    board = cshogi.Board()
    ours, theirs = np.zeros(1, cshogi.HuffmanCodedPos), np.zeros(1, cshogi.PackedSfenValue)
    for row, word in enumerate(words):
        board.set_sfen(SHOGI.format(word))
        board.to_hcp(ours)
        board.to_psfen(theirs)
        assert ours.tobytes() == hcpe[row, :32].tobytes()
        assert theirs["sfen"].tobytes() == psv[row, :32].tobytes()
        move = board.move_from_usi(SHOGI.format_move(word, int(moves[row])))
        assert cshogi.move16(move) == int.from_bytes(hcpe[row, 34:36].tobytes(), "little")
        assert cshogi.move16_to_psv(cshogi.move16(move)) == int.from_bytes(psv[row, 34:36].tobytes(), "little")


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 12),
    score=st.integers(-32767, 32767),
    results=st.lists(st.sampled_from([-WIN, 0, WIN]), min_size=120, max_size=120),
)
def test_round_trips(seed: int, score: int, results: list[int]) -> None:
    words, moves = played(seed)
    count = len(words)
    given = Positions.of(words, [score] * count, results[:count], None, moves)
    read = PackedSfenValue().unpack(PackedSfenValue().pack(given).content).positions
    assert np.array_equal(read.words, words)
    packed = Hcpe().pack(given)
    assert packed.lost == ({"move number": count - 1} if count > 1 else {})
    other = Hcpe().unpack(packed.content).positions
    assert np.array_equal(other.words, unnumbered(words))
    for columns in (read, other):
        assert np.array_equal(columns.moves, moves)
        assert np.array_equal(columns.scores, given.scores)
        assert np.array_equal(columns.results, given.results)


def test_results_are_the_movers_or_absolute() -> None:
    after = SHOGI.play_unchecked(SHOGI.start(), SHOGI.parse_move(SHOGI.start(), "7g7f"))
    black_won = Positions.of(after[None], [0], [WIN])
    assert Hcpe().pack(black_won).content[0, 36] == 1
    assert PackedSfenValue().pack(black_won).content[0, 38] == 255
    assert PackedSfenValue().unpack(PackedSfenValue().pack(black_won).content, results=MOVER).positions.results == -WIN
    assert Hcpe().unpack(Hcpe().pack(black_won).content, results=MOVER).positions.results == -WIN


def test_flags_and_moves_that_are_none() -> None:
    start = of([SHOGI.format(SHOGI.start())] * 2)
    hcpe = Hcpe().pack(start).content.copy()
    hcpe[0, 36] = 4 + 1
    read = Hcpe().unpack(hcpe)
    assert read.positions.results.tolist() == [WIN, 0]
    assert read.warnings == {"a result by repetition declaration or move limit": 1}
    psv = PackedSfenValue().pack(start).content.copy()
    psv[0, 34:36], psv[0, 36:38], psv[0, 39] = (0x02, 0x01), (0, 0), 1
    read = PackedSfenValue().unpack(psv)
    assert read.positions.moves.tolist() == [-1, -1]
    assert read.positions.plies.tolist() == [-1, 0]
    assert read.warnings == {"no move number": 1, "a move that is none": 1, "a last byte that is not 0": 1}


BROKEN = [
    ("psv", 38, [2], "byte 78: the result is not -1, 0 or 1"),
    ("hcpe", 36, [3], "byte 74: the result is not 0, 1 or 2"),
    ("psv", 34, [0x28, 0x40], "byte 74: the move cannot be played there"),  # a drop of nothing
    ("psv", 34, [0xA8, 0x40], "byte 74: the move cannot be played there"),  # a pawn that is not in hand
    ("psv", 34, [0x28, 0x14], "byte 74: the move cannot be played there"),  # from an empty square
    ("hcpe", 34, [0xFF, 0x3F], "byte 72: the move cannot be played there"),
    ("hcpe", 34, [0x3B, 0x9E], "byte 72: the move cannot be played there"),
    ("hcpe", 0, [0xFE, 0xFF], "byte 38: the two kings are not on two squares"),
    ("psv", 0, [0xFE, 0x00], "byte 40: the two kings are not on two squares"),
    ("psv", 2, [0xFF] * 30, "byte 40: the "),
]


@pytest.mark.parametrize(("name", "byte", "values", "message"), BROKEN)
def test_impossible_records_are_named(name: str, byte: int, values: list[int], message: str) -> None:
    packing = next(entry for entry in PACKINGS if entry.name == name)
    content = packing.pack(of([SHOGI.format(SHOGI.start())] * 3)).content.copy()
    content[1, byte : byte + len(values)] = values
    with pytest.raises(RecordError, match=f"^record 2, {message}"):
        packing.unpack(content)
    assert packing.unpack(content, strict=False).rows.tolist() == [0, 2]


@named
def test_what_no_game_contains_is_refused(packing: PackedSfenValue | Hcpe) -> None:
    content = packing.pack(of(["4k4/9/9/9/4R4/9/9/9/3K5 w - 1"])).content.copy()
    content[0, 0] ^= 1  # the other side to move
    with pytest.raises(RecordError, match="not to move is in check"):
        packing.unpack(content)
    for square, piece, reason in ((0, PAWN, "could never move again"), (1, KNIGHT, "could never move again")):
        board = Board()
        board.pieces[36], board.pieces[44], board.pieces[square] = KING | WHITE_PIECE, KING, piece
        with pytest.raises(RecordError, match=reason):
            packing.unpack(packing.pack(Positions.of(board.words()[None], [0], [0])).content)
    board = Board()
    board.pieces[36], board.pieces[44], board.pieces[3], board.pieces[5] = KING | WHITE_PIECE, KING, PAWN, PAWN
    with pytest.raises(RecordError, match="two pawns on a file"):
        packing.unpack(packing.pack(Positions.of(board.words()[None], [0], [0])).content)


@named
def test_what_does_not_fit_is_refused(packing: PackedSfenValue | Hcpe) -> None:
    start = SHOGI.start()
    too_many = start.copy()
    too_many[HANDS] += np.uint64(1)  # a nineteenth pawn
    with pytest.raises(InputError, match=r"position 1 does not fit .*more pieces than a set has"):
        packing.pack(Positions.of(too_many[None], [0], [0]))
    kingless = start.copy()
    kingless[STATE] = kingless[STATE] & ~np.uint64(0xFF00) | np.uint64(81 << 8)
    with pytest.raises(InputError, match="a king is missing"):
        packing.pack(Positions.of(kingless[None], [0], [0]))
    words = np.stack([start] * 3)
    unknown = Positions.of(words, [UNKNOWN, 0, 0], [0, UNKNOWN, 0], None, [-1, -1, 5])
    assert [wrong.reason for wrong in packing.pack(unknown, strict=False).refused] == [
        "the score is not known",
        "the result is not known",
        "the move cannot be played there",
    ]


@named
@settings(max_examples=60, deadline=None)
@given(noise=st.binary(min_size=40, max_size=40), seed=st.integers(0, 2**32))
def test_rubbish_is_told_or_is_a_position(packing: PackedSfenValue | Hcpe, noise: bytes, seed: int) -> None:
    rng = random.Random(seed)
    words, moves = played(seed % 5)
    chosen = rng.sample(range(len(words)), 4)
    sound = Positions.of(words[chosen], [0] * 4, [0] * 4, None, moves[chosen])
    changed = bytearray(packing.pack(sound).content.tobytes())
    for _ in range(rng.randint(1, 3)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    for some in (noise[: packing.size], bytes(changed)):
        read = packing.unpack(some, strict=False)
        assert len(read.positions) + len(read.wrong) == len(some) // packing.size
        for row in read.positions.words:
            assert np.array_equal(row, SHOGI.parse(SHOGI.format(row)))
