"""Whatever a file of PGN holds, reading it ends, raises nothing, and takes no more memory than its buffer."""

from __future__ import annotations

import io
import random
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from chess_samples import PGN_DATA, random_game, read, read_batches, uci
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.records import Faults, Pgn, Record
from evalsmith.records.pgn.buffer import LONG_GAME, TOO_MANY

SOUND = "\n\n".join(str(random_game(seed, 40, seed % 4 == 0)) for seed in range(12)).encode() + b"\n\n"
SOUND += b"".join((PGN_DATA / name).read_bytes() for name in ("shapes.pgn", "scores.pgn", "chess960.pgn"))
FRAGMENTS = [
    b"{", b"}", b"(", b")", b"[", b"]", b'"', b";", b"%", b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"$", b"1.",
    b"*", b"1-0", b"0-1", b"1/2-1/2", b"e4", b"Nf3", b"O-O", b"0-0", b"--", b"Z0", b'[Event "x"]\n', b'[FEN "',
    b"[%eval ", b"[%clk ", b"+0.3/", b"#", b"M", b"\\", b"e8=", b"\xe2\x99", b"\xc2\xbd", b" ", b"9" * 30,
]  # fmt: skip


class Endless(io.RawIOBase):
    """A stream of one thing again and again, that is never in memory as a whole."""

    def __init__(self, head: bytes, piece: bytes, size: int, tail: bytes = b"") -> None:
        self.parts = iter([head, *[piece] * (size // len(piece)), tail])
        self.left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        while not self.left:
            part = next(self.parts, None)
            if part is None:
                return 0
            self.left = part
        piece, self.left = self.left[: len(buffer)], self.left[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


def check(content: bytes) -> tuple[list[Record], Faults]:
    records, faults = read(content)
    numbers = [record.number for record in records]
    assert numbers == sorted(set(numbers))
    assert all(len(str(fault)) < 600 for fault in faults.examples)
    for record in records:
        uci(record)  # every move is legal
        assert record.result in (None, 0, 30000, -30000)
        assert all(score is None or score.value is None or abs(score.value) <= 30000 for score in record.scores)
    return records, faults


@settings(deadline=None, max_examples=150)
@given(content=st.binary(max_size=300) | st.lists(st.sampled_from(FRAGMENTS), max_size=80).map(b"".join))
def test_rubbish(content: bytes) -> None:
    records, faults = check(content)
    assert records or faults.counts or not Pgn().sniff(content)  # what is taken for games has some


@settings(deadline=None, max_examples=80)
@given(seed=st.integers(0, 2**32))
def test_sound_files_with_something_changed(seed: int) -> None:
    rng = random.Random(seed)
    begin = rng.randrange(len(SOUND) - 2000)
    content = bytearray(SOUND[begin : begin + 2000])
    for _ in range(rng.randint(1, 5)):
        place = rng.randrange(len(content) + 1)
        piece = rng.choice([*FRAGMENTS, bytes([rng.randrange(256)])])
        content[place : place + rng.choice([0, 1, len(piece), 40])] = piece
    check(bytes(content))


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32), limit=st.integers(1500, 6000))
def test_where_the_buffer_ends_makes_no_difference(seed: int, limit: int) -> None:
    rng = random.Random(seed)
    content = bytearray(SOUND)
    for _ in range(rng.randint(0, 6)):
        place = rng.randrange(len(content) + 1)
        content[place : place + rng.choice([0, 1, 20])] = rng.choice(FRAGMENTS)
    whole, all_faults = read_batches(bytes(content), 1 << 20, limit)
    pieces, faults = read_batches(bytes(content), 2 * limit, limit)
    assert [str(fault) for fault in faults.examples] == [str(fault) for fault in all_faults.examples]
    assert faults.warnings == all_faults.warnings
    for column in ("moves", "starts", "results", "ratings", "numbers", "offsets", "scores", "depths", "seconds"):
        found, expected = (np.concatenate([getattr(batch, column) for batch in b]) for b in (pieces, whole))
        np.testing.assert_array_equal(found, expected)
    assert [text for batch in pieces for text in batch.texts] == [text for batch in whole for text in batch.texts]


@settings(deadline=None, max_examples=60)
@given(share=st.floats(0, 1))
def test_cut_files_give_the_games_before_the_cut(share: float) -> None:
    whole, _ = read(SOUND)
    cut = int(share * len(SOUND))
    found, faults = read(SOUND[:cut])
    sure = found[:-1]
    assert [record.moves for record in sure] == [record.moves for record in whole[: len(sure)]]
    assert len(found) + sum(faults.counts.values()) >= sum(record.offset < cut for record in whole) - 1


@pytest.mark.parametrize(
    ("head", "piece", "tail"),
    [
        (b"", b"x", b""),
        (b"", b" ", b""),
        (b"", b"\0", b""),
        (b"% ", b"x", b""),
        (b"{", b"x", b""),
        (b'[Event "', b"x", b""),
        (b"[", b"x", b""),
        (b'[Event "x"]\n', b'[Tag "value"]\n', b""),
        (b"1. e4 ", b"{", b""),
        (b"1. e4 ", b"(", b""),
        (b"1. e4 ", b"( {", b""),
        (b"1. e4 ", b"(" * 1000 + b")" * 1000, b""),
        (b"1. e4 ", b"1", b""),
        (b"1. e4 ", b"!", b""),
        (b"1. e4 {", b"x\n", b""),
        (b"1. e4 {+0.", b"3", b""),
        (b"1. e4 ;", b"x", b""),
        (b"1. e4 ", b"Nf3 Nf6 Ng1 Ng8 ", b""),
        (b"1. ", b"Nf3 Nf6 Ng1 Ng8 ", b""),
    ],
)
def test_a_game_without_end_is_a_fault_and_takes_no_memory(head: bytes, piece: bytes, tail: bytes) -> None:
    limit, size = 1 << 17, 1 << 21
    after = b'\n\n[Event "after"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    repeated = piece * max(1, (1 << 16) // len(piece))
    stream = io.BufferedReader(Endless(head, repeated, size, after))
    faults = Faults()
    list(Pgn(2 * limit, limit).games(io.BufferedReader(io.BytesIO(b"1. e4 *")), Path("x"), Faults()))
    tracemalloc.start()
    try:
        records = list(Pgn(2 * limit, limit).games(stream, Path("games.pgn"), faults))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [record.event for record in records] == ["after"]
    assert set(faults.counts) <= {LONG_GAME, TOO_MANY, "illegal move"}
    assert peak < 40 << 20


def test_a_million_nested_variations() -> None:
    depth = 1_000_000
    content = b"1. e4 " + b"(" * depth + b")" * depth + b" e5 *\n\n1. e4 " + b"{" * depth + b"} e5 *"
    records, faults = read(content)
    assert [len(record.moves) for record in records] == [2, 2]
    assert not faults.counts


def test_games_glued_together() -> None:
    records, faults = read('1. e4 e5 1-0[Event "b"]\n1. d4 d5[Event "c"]1. c4 0-1 1. Nf3 Nf6 *')
    assert [len(record.moves) for record in records] == [2, 2, 1, 2]
    assert [record.event for record in records] == ["", "b", "c", ""]
    assert not faults.counts


def test_mixed_encodings_and_line_ends() -> None:
    content = b"".join(
        f'[White "Müller {i}"]{end}{end}1. e4{end}e5 {{é}} *{end}{end}'.encode(code)
        for i, (end, code) in enumerate([("\n", "utf-8"), ("\r\n", "latin-1"), ("\r", "utf-8")])
    )
    records, faults = read(content)
    assert [record.players[0] for record in records] == ["Müller 0", "Müller 1", "Müller 2"]
    assert not faults.counts


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16(encoding: str) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    content = (mark + '[White "Müller"]\n\n1. e4 e5 *\n').encode(encoding)
    (record,), faults = read(content)
    assert (record.players[0], uci(record)) == ("Müller", ["e2e4", "e7e5"])
    assert not faults.counts
    read(content[:-3] + b"\xd8")


def test_a_value_without_end_is_cut() -> None:
    (record,), _ = read('[White "' + "ä" * 3_000_000 + '"]\n1. e4 *', game_limit=8 << 20)
    assert record.players[0] == "ä" * 200


def test_packed_files_that_end_too_early(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(SOUND * 20)[:-500])
    faults = Faults()
    records = list(Pgn().read(path, faults))
    assert len(records) > 20
    assert faults.counts["the file cannot be read"] == 1
