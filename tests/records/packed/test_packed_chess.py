"""bulletformat and marlinformat: worked examples, round trips, and records that cannot be."""

from __future__ import annotations

import functools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.records.packed.chess import Bullet, Marlin
from evalsmith.records.packed.positions import FIRST, MOVER, UNKNOWN, Positions
from evalsmith.run import InputError, RecordError

CHESS = find_game("chess")
WIN = CHESS.win
# Position, score and result for White; its ChessBoard and its PackedBoard.
EXAMPLES = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 25, 0,
        "ffff00000000ffff 1342253100000000888888889bcaadb9 1900 01 04 04 000000",
        "ffff00000000ffff 1642256100000000888888889ecaade9 40 00 0100 1900 01 00",
    ),
    (
        "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3", -31, 1,
        "fff700001820efbf 134225310000000098888888b8a9dcba 1f00 00 04 04 000000",
        "bfef20180000f7ff 1642250600000081808888889ecaade9 94 00 0300 e1ff 02 00",
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 12 40", 150, -1,
        "5100000000000091 53b3bd00000000000000000000000000 9600 00 04 04 000000",
        "5100000000000091 56e3ed00000000000000000000000000 40 0c 2800 9600 00 00",
    ),
    (
        "8/5k2/8/8/3K4/8/4P3/8 b - - 5 61", 87, 1,
        "0020000008001000 d5080000000000000000000000000000 a9ff 00 0d 1b 000000",
        "0010000800002000 500d0000000000000000000000000000 c0 05 3d00 5700 02 00",
    ),
]  # fmt: skip
PACKINGS = [(Bullet(), 3), (Marlin(), 4)]


def positions(texts: list[str], scores: list[int] | None = None, results: list[int] | None = None) -> Positions:
    words = np.stack([CHESS.parse(text) for text in texts])
    return Positions.of(words, [0] * len(texts) if scores is None else scores, results or [0] * len(texts))


@functools.cache
def played(seed: int, chess960: bool = False) -> list[str]:
    """The positions of a random game."""
    rng = random.Random(seed)
    position = CHESS.parse("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1") if chess960 else CHESS.start()
    texts = []
    for _ in range(80):
        texts.append(CHESS.format(position))
        moves = CHESS.moves(position)
        if not moves or CHESS.status(position) != 0:
            break
        position = CHESS.play_unchecked(position, rng.choice(moves))
    return texts


@pytest.mark.parametrize(("packing", "column"), PACKINGS, ids=lambda value: getattr(value, "name", ""))
def test_the_worked_examples(packing: Bullet | Marlin, column: int) -> None:
    given = positions([e[0] for e in EXAMPLES], [e[1] for e in EXAMPLES], [e[2] * WIN for e in EXAMPLES])
    packed = packing.pack(given, scores=FIRST, results=FIRST)
    assert [row.tobytes().hex() for row in packed.content] == [str(e[column]).replace(" ", "") for e in EXAMPLES]
    again = packing.unpack(packed.content.tobytes())
    assert packing.pack(again.positions).content.tobytes() == packed.content.tobytes()


def test_what_chess_board_loses_is_told() -> None:
    packed = Bullet().pack(positions([e[0] for e in EXAMPLES]))
    assert packed.lost == {
        "black to move": 2,
        "castling rights": 3,
        "en passant": 1,
        "halfmove clock": 2,
        "move number": 3,
    }
    texts = [CHESS.format(row) for row in Bullet().unpack(packed.content).positions.words]
    assert texts[1] == "rnbqkb1r/pppp1ppp/5n2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w - - 0 1"
    assert texts[3] == "8/4p3/8/3k4/8/8/5K2/8 w - - 0 1"


def test_views_of_scores_and_results() -> None:
    black = positions([EXAMPLES[3][0]], [87], [WIN])
    for_black = Marlin().pack(black, scores=MOVER, results=MOVER)
    assert for_black.content[0, 28:31].tobytes() == bytes.fromhex("a9ff00")
    seen = Marlin().unpack(for_black.content, scores=FIRST, results=FIRST).positions
    assert (seen.scores[0], seen.results[0], seen.plies[0]) == (-87, -WIN, 121)
    with pytest.raises(InputError, match="mover or first, not 'White'"):
        Marlin().pack(black, scores="White")


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 30),
    chess960=st.booleans(),
    values=st.lists(st.tuples(st.integers(-32767, 32767), st.sampled_from([-WIN, 0, WIN])), min_size=80, max_size=80),
)
def test_round_trips(seed: int, chess960: bool, values: list[tuple[int, int]]) -> None:
    texts = played(seed, chess960)
    values = values[: len(texts)]
    given = positions(texts, [score for score, _ in values], [result for _, result in values])
    packed = Marlin().pack(given)
    assert not packed.lost
    read = Marlin().unpack(packed.content).positions
    assert np.array_equal(read.words, given.words)  # the key and en passant too
    assert np.array_equal(read.scores, given.scores)
    assert np.array_equal(read.results, given.results)
    short = Bullet().unpack(Bullet().pack(given).content, results=MOVER).positions
    assert np.array_equal(short.scores, given.scores)
    assert np.array_equal(Bullet().pack(short, results=MOVER).content, Bullet().pack(given).content)
    for text, row in zip(texts, short.words, strict=True):
        board = text.split()[0]
        if text.split()[1] == "b":
            board = "/".join(reversed(board.swapcase().split("/")))
        assert CHESS.format(row) == f"{board} w - - 0 1"
        assert np.array_equal(row, CHESS.parse(CHESS.format(row)))


def test_an_en_passant_square_without_a_capture_is_dropped() -> None:
    record = bytearray(Marlin().pack(positions(["4k3/8/8/8/4P3/8/8/4K3 b - - 0 3"])).content.tobytes())
    record[24] = 0x80 | 20  # e3
    text = CHESS.format(Marlin().unpack(bytes(record)).positions.words[0])
    assert text == "4k3/8/8/8/4P3/8/8/4K3 b - - 0 3"


BROKEN = [
    ("bullet", 26, 3, "record 2, byte 58: the result is not 0, 1 or 2"),
    ("bullet", 27, 5, "record 2, byte 59: the mover's king is not where the record says"),
    ("bullet", 28, 5, "record 2, byte 60: the other king"),
    ("bullet", 8, 0x16, "record 2, byte 40: a nibble is no piece"),
    ("bullet", 22, 0xAA, "record 2, byte 40: a side has not exactly one king"),
    ("marlin", 30, 255, "record 2, byte 62: the result is not 0, 1 or 2"),
    ("marlin", 26, 0, "record 2, byte 58: the move number is 0"),
    ("marlin", 24, 65, "record 2, byte 56: the en passant square is beyond the board"),
    ("marlin", 24, 45, "record 2, byte 56: no pawn can just have moved past"),
    ("marlin", 24, 20, "record 2, byte 56: no pawn can just have moved past"),
    ("marlin", 12, 0x60, "record 2, byte 40: a rook that may castle"),
    ("marlin", 12, 0x70, "record 2, byte 40: a nibble is no piece"),
    ("marlin", 11, 0x53, "record 2, byte 40: a side has not exactly one king"),
    ("marlin", 0, 0xFE, "record 2, byte 40: a "),
    ("marlin", 4, 0xFF, "record 2, byte 32: more than 32 squares are occupied"),
]


@pytest.mark.parametrize(("name", "byte", "value", "message"), BROKEN)
def test_impossible_records_are_named(name: str, byte: int, value: int, message: str) -> None:
    packing, _ = next(entry for entry in PACKINGS if entry[0].name == name)
    content = packing.pack(positions([EXAMPLES[0][0]] * 3)).content.copy()
    content[1, byte] = value
    with pytest.raises(RecordError, match=f"^{message}"):
        packing.unpack(content)
    read = packing.unpack(content, strict=False)
    assert read.rows.tolist() == [0, 2]
    assert len(read.positions) == 2
    assert [wrong.row for wrong in read.wrong] == [1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn stands on"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "side by side"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "not to move is in check"),
        ("4k3/PPPP4/PPPP4/P7/8/8/8/4K3 w - - 0 1", "more than 8 pawns"),
    ],
)
def test_boards_that_no_game_has(text: str, reason: str) -> None:
    occupied, nibbles = 0, []
    for rank, row in enumerate(reversed(text.split()[0].split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            occupied |= 1 << 8 * rank + file
            nibbles.append("PNBRQK".index(letter.upper()) + (0 if letter.isupper() else 8))
            file += 1
    nibbles += [0] * (32 - len(nibbles))
    content = occupied.to_bytes(8, "little")
    content += bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2], strict=True))
    content += bytes([64, 0, 1, 0, 0, 0, 1, 0])
    with pytest.raises(RecordError, match=f"record 1, byte [08]: .*{reason}"):
        Marlin().unpack(content)


def test_what_does_not_fit_is_refused() -> None:
    one = EXAMPLES[0][0]
    unknown = positions([one] * 3, [0, UNKNOWN, 0], [0, 0, UNKNOWN])
    with pytest.raises(InputError, match="position 2 does not fit into marlin: the score is not known"):
        Marlin().pack(unknown)
    packed = Bullet().pack(unknown, strict=False)
    assert packed.rows.tolist() == [0]
    assert [(wrong.row, wrong.reason) for wrong in packed.refused] == [
        (1, "the score is not known"),
        (2, "the result is not known"),
    ]
    old = positions(["4k3/8/8/8/8/8/4P3/4K3 w - - 300 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 70000"])
    reasons = [wrong.reason for wrong in Marlin().pack(old, strict=False).refused]
    assert reasons == ["a halfmove clock above 255", "a move number above 65535"]
    high = Marlin().pack(positions([one] * 2, [40000, -40000]))
    assert high.lost == {"how far a score lies beyond ±32767": 2}
    assert Marlin().unpack(high.content).positions.scores.tolist() == [32767, -32767]


def test_a_cut_record_is_named() -> None:
    content = Marlin().pack(positions([EXAMPLES[0][0]] * 2)).content.tobytes()
    with pytest.raises(RecordError, match="record 2 at byte 32 is cut off"):
        Marlin().unpack(content[:-1])


@settings(max_examples=60, deadline=None)
@given(content=st.binary(min_size=64, max_size=64), seed=st.integers(0, 2**32))
def test_rubbish_is_told_or_is_a_position(content: bytes, seed: int) -> None:
    rng = random.Random(seed)
    changed = bytearray(Marlin().pack(positions(rng.sample(played(3), 4))).content.tobytes())
    for _ in range(rng.randint(1, 3)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    for packing, _ in PACKINGS:
        for some in (content, bytes(changed)):
            read = packing.unpack(some, strict=False)
            assert len(read.positions) + len(read.wrong) == len(some) // 32
            for row in read.positions.words:
                assert np.array_equal(row, CHESS.parse(CHESS.format(row)))
