from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest

from evalsmith.records.chunks import Chunk, read_chunks
from evalsmith.records.opening import UNREADABLE, UpToFault, bare_suffix, explain, open_bytes
from evalsmith.records.text import clean, decode, lines, number, shown

CONTENT = bytes(range(256)) * 2000


def zst(content: bytes) -> bytes:
    return pyarrow.Codec("zstd").compress(content, asbytes=True)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zst,
}


@pytest.mark.parametrize("suffix", ["", *PACKERS, ".GZ"])
def test_files_are_unpacked_by_their_suffix(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file.txt{suffix}"
    path.write_bytes(PACKERS.get(suffix.lower(), bytes)(CONTENT))
    with open_bytes(path) as stream:
        assert stream.read() == CONTENT


@pytest.mark.parametrize("suffix", PACKERS)
def test_packed_files_are_known_by_their_content(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(PACKERS[suffix](CONTENT))
    with open_bytes(path) as stream:
        assert stream.read() == CONTENT
    path.write_bytes(PACKERS[suffix](CONTENT)[:3])  # so little might begin anything
    with open_bytes(path) as stream:
        assert stream.read() == PACKERS[suffix](CONTENT)[:3]


@pytest.mark.parametrize("suffix", PACKERS)
def test_several_packed_streams_are_one_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    padding = b"\0" * 8 if suffix == ".xz" else b""
    path.write_bytes(PACKERS[suffix](b"one ") + padding + PACKERS[suffix](b"two") + padding)
    with open_bytes(path) as stream:
        assert stream.read() == b"one two"


@pytest.mark.parametrize("spoil", ["cut", "rubbish", "changed"])
@pytest.mark.parametrize("suffix", PACKERS)
def test_broken_packed_files_raise_only_what_is_promised(tmp_path: Path, suffix: str, spoil: str) -> None:
    packed = PACKERS[suffix](CONTENT)
    if suffix == ".zst" and spoil == "changed":
        packed = b"\0" + packed  # the format need not have a checksum: only its frames are sure to be checked
    middle = len(packed) // 2
    content = {
        "cut": packed[:middle],
        "rubbish": b"no such file " * 10,
        "changed": packed[:middle] + bytes(byte ^ 255 for byte in packed[middle : middle + 9]) + packed[middle + 9 :],
    }[spoil]
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)
    with pytest.raises(UNREADABLE) as caught, open_bytes(path) as stream:
        stream.read()
    assert explain(caught.value)


def test_a_cut_file_gives_all_that_came_before(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(CONTENT, compresslevel=0)[:-30_000])
    with open_bytes(path) as file:
        stream = UpToFault(file)
        found = io.BufferedReader(stream).read()
        assert len(found) > len(CONTENT) - 70_000
        assert CONTENT.startswith(found)
        assert isinstance(stream.error, EOFError)
        assert stream.read(1) == b""


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_a_cut_file_gives_most_of_what_came_before(tmp_path: Path, suffix: str) -> None:
    noise = random.Random(1).randbytes(1_000_000)
    path = tmp_path / f"file{suffix}"
    path.write_bytes(PACKERS[suffix](noise)[:-100_000])
    with open_bytes(path) as file:
        stream = UpToFault(file)
        found = io.BufferedReader(stream).read()
        assert len(found) > 700_000
        assert noise.startswith(found)
        assert stream.error is not None


def test_an_xz_file_cannot_ask_for_any_memory(tmp_path: Path) -> None:
    path = tmp_path / "file.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 20}]
    packed = bytearray(lzma.compress(b"text", filters=filters))
    place = packed.index(b"\x21\x01") + 2  # the dictionary size of the only filter, as one byte
    packed[place] = 40
    header = packed[12 : 12 + (packed[12] + 1) * 4]
    import zlib

    packed[12 + len(header) - 4 : 12 + len(header)] = zlib.crc32(bytes(header[:-4])).to_bytes(4, "little")
    path.write_bytes(bytes(packed))
    with pytest.raises(lzma.LZMAError, match=r"[Mm]emory"), open_bytes(path) as stream:
        stream.read()


def test_the_suffix_below_the_packing() -> None:
    assert bare_suffix(Path("a/WTH_1990.WTB.Gz")) == ".wtb"
    assert bare_suffix(Path("a/games.ggf")) == ".ggf"
    assert bare_suffix(Path("a/games.xz")) == ""


# ── Lines, chunks, texts ────────────────────────────────────────────────────────────────────────


def stream_of(content: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(content))


def test_lines_have_numbers_and_a_limit() -> None:
    content = b"\xef\xbb\xbfone\r\n\n" + b"x" * 50 + b"\ntwo\n" + b"y" * 20
    found = [(line.number, line.text) for line in lines(stream_of(content), limit=20)]
    assert found == [(1, "one"), (2, ""), (3, None), (4, "two"), (5, None)]


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_chunks_are_cut_wherever_blocks_end(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr("evalsmith.records.chunks._READ", chunk)
    monkeypatch.setattr("evalsmith.records.chunks._OVERLAP", 8)
    content = b"head\n(;A[1]\n2\n(;B[" + b"\n" * 100 + b"](;A[3]"
    assert list(read_chunks(stream_of(content), re.compile(rb"\(;[A-Z]\["), 40)) == [
        Chunk(1, b"head\n", begins=False, complete=True),
        Chunk(2, b"(;A[1]\n2\n", begins=True, complete=True),
        Chunk(4, b"(;B[" + b"\n" * 36, begins=True, complete=False),
        Chunk(104, b"(;A[3]", begins=True, complete=True),
    ]


def test_a_long_end_is_one_chunk() -> None:
    [found] = read_chunks(stream_of(b"(;A[" + b"x" * 300_000), re.compile(rb"\(;[A-Z]\["), 1000)
    assert found == Chunk(1, b"(;A[" + b"x" * 996, begins=True, complete=False)


def test_numbers_are_plain_decimals() -> None:
    assert [number(text) for text in ("+2.5", "-.5", " 3 ", "4.")] == [2.5, -0.5, 3.0, 4.0]
    assert [number(text) for text in ("", "nan", "1e5", "1_0", "--1", "٣", "1" * 400)] == [None] * 7


def test_texts_are_made_fit_to_show() -> None:
    assert decode("é".encode()) == decode(b"\xe9") == "é"
    assert clean("  a\tb\x07\n c ") == "a b c"
    assert len(clean("x" * 1000)) == 200
    assert shown("a'\n") == repr("a'\n")
    assert len(shown("x" * 1000)) == 62
