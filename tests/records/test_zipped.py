"""Zip archives: every file is read, a broken one costs itself, and no archive takes more memory than a buffer."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from othello_samples import random_game

from evalsmith.records import Reading, Record, open_bytes, read_games
from evalsmith.records.opening import UNREADABLE, UpToFault, explain, parts

LINES = [
    "".join(f"{'abcdefgh'[move % 8]}{move // 8 + 1}" for move in random_game(seed).plies if move < 64)
    for seed in range(6)
]
NOISE = b"".join(b"# %s\n" % random.Random(i).randbytes(40).hex().encode() for i in range(8000))


def archive(path: Path, files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return path


def text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read(path: Path, **options: str) -> tuple[list[Record], Reading]:
    reader = read_games(path, **options)
    return list(reader), reader.reading


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_every_file_is_read(tmp_path: Path, method: int) -> None:
    files = {
        "README": b"what this is\n",
        "a/b/one.transcript": text(*LINES[:2]),
        "two.txt": text(LINES[2]),
        "__MACOSX/._two.txt": b"\0\1",
        ".hidden": text(LINES[0]),
        "three.transcript.gz": gzip.compress(text(*LINES[3:])),
    }
    path = archive(tmp_path / "games.zip", files, method)
    records, reading = read(path)
    assert [record.source for record in records] == [
        *[f"{path}/a/b/one.transcript"] * 2,
        f"{path}/two.txt",
        *[f"{path}/three.transcript.gz"] * 3,
    ]
    assert [record.number for record in records] == [1, 2, 1, 1, 2, 3]
    assert reading.faults == {}
    assert reading.warnings["a file of an archive that is of another format"] == 1


def test_a_single_file_is_taken_as_it_is_named(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", {"odd": b"# a comment\n" * 2000 + text(LINES[0])})
    records, _ = read(path, format="transcript")
    assert len(records) == 1
    renamed = path.rename(tmp_path / "games.bin")  # what it is, its content tells
    assert len(read(renamed, format="transcript")[0]) == 1
    with open_bytes(renamed) as stream:
        assert stream.read().endswith(text(LINES[0]))


def test_broken_files_cost_themselves(tmp_path: Path) -> None:
    files = {f"{i}.transcript": text(line) for i, line in enumerate(LINES)}
    content = bytearray(archive(tmp_path / "whole.zip", files, zipfile.ZIP_STORED).read_bytes())
    content[content.index(LINES[1].encode()) + 8] ^= 1  # a wrong checksum
    place = content.index(b"PK\1\2", content.index(b"PK\1\2") + 1)
    third = content.index(b"PK\1\2", place + 1)
    content[third + 8] |= 1  # encrypted
    fourth = content.index(b"PK\1\2", third + 1)
    content[fourth + 10] = 14  # LZMA, which may ask for any amount of memory
    fifth = content.index(b"PK\1\2", fourth + 1)
    struct.pack_into("<I", content, fifth + 42, place)  # begins where no file does
    path = tmp_path / "games.zip"
    path.write_bytes(content)
    records, reading = read(path)
    assert [Path(record.source).name for record in records if record.moves] == ["0.transcript", "5.transcript"]
    shown = {
        Path(fault.file).name: fault.detail for fault in reading.examples if fault.reason == "the file cannot be read"
    }
    assert "CRC" in shown["1.transcript"]
    assert shown["2.transcript"] == "the file is encrypted"
    assert shown["3.transcript"] == "the file is compressed by method 14; expected one of stored, deflated, bzip2"
    assert "4.transcript" in shown


def test_files_that_share_bytes_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", {"a.transcript": text(*LINES), "b.transcript": text(*LINES)})
    content = bytearray(path.read_bytes())
    second = content.rindex(b"PK\1\2")
    struct.pack_into("<I", content, second + 42, 0)
    path.write_bytes(content)
    records, reading = read(path)
    assert len(records) <= len(LINES)
    assert any("shares its bytes" in fault.detail for fault in reading.examples)


@pytest.mark.parametrize("known_sizes", [True, False])
def test_a_cut_archive_gives_what_is_left(tmp_path: Path, known_sizes: bool) -> None:
    files = {f"{i}.transcript": text(line) for i, line in enumerate(LINES[:4])} | {"noise.transcript": NOISE}
    buffer = io.BytesIO()
    target = buffer if known_sizes else Unseekable(buffer)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    path = tmp_path / "games.zip"
    path.write_bytes(buffer.getvalue()[:-100_000])
    records, reading = read(path)
    assert [Path(record.source).name for record in records] == [f"{i}.transcript" for i in range(4)]
    details = [fault.detail for fault in reading.examples if fault.reason == "the file cannot be read"]
    assert details == [
        "the file ends too early",
        "the archive is cut off or damaged: it has no directory at its end",
    ]


class Unseekable(io.RawIOBase):
    """What a program has that packs into a pipe: sizes can only follow the files."""

    def __init__(self, inner: io.BytesIO) -> None:
        self.inner = inner

    def writable(self) -> bool:
        return True

    def write(self, content: bytes) -> int:
        return self.inner.write(content)


def test_names_lead_nowhere_else(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", {"../../etc/one.transcript": text(LINES[0]), "/two.transcript": b""})
    assert [part.path for part in parts(path)] == [path / "etc" / "one.transcript", path / "two.transcript"]


def test_an_archive_in_an_archive_is_refused(tmp_path: Path) -> None:
    inner = archive(tmp_path / "inner.zip", {"a.transcript": text(LINES[0])}).read_bytes()
    path = archive(tmp_path / "games.zip", {"inner.zip": inner, "b.transcript": text(LINES[1])})
    records, reading = read(path)
    assert len(records) == 1
    assert [fault.detail for fault in reading.examples] == [
        "the file is an archive within an archive; only one level is unpacked"
    ]


def test_an_empty_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", {})
    assert list(parts(path)) == []
    with pytest.raises(OSError, match="empty"):
        open_bytes(path)


def test_what_unpacks_without_end_is_read_piece_by_piece(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", {"a.transcript": b"x" * 50_000_000, "b.transcript": text(LINES[0])})
    assert path.stat().st_size < 100_000
    for part in parts(path):
        with part.open() as stream:
            assert len(stream.read1(1 << 20)) <= 1 << 20
    records, reading = read(path)
    assert len(records) == 1
    assert reading.faults == {"the line is too long": 1}


@settings(max_examples=150, deadline=None)
@given(seed=st.randoms(use_true_random=False), cut=st.floats(0, 1))
def test_damaged_archives_end_and_raise_only_what_is_promised(seed, cut: float, tmp_path_factory) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    folder.mkdir(exist_ok=True)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for i, line in enumerate(LINES[:3]):
            out.writestr(f"{i}.transcript", text(line))
    content = bytearray(buffer.getvalue())
    content = content[: max(10, int(cut * len(content)))] if seed.random() < 0.5 else content
    for _ in range(seed.randint(1, 4)):
        content[seed.randrange(4, len(content))] = seed.choice([0, 255, seed.randrange(256)])
    path = folder / "games.zip"
    path.write_bytes(content)
    for part in parts(path):
        try:
            with part.open() as stream:
                whole = UpToFault(stream)
                assert len(io.BufferedReader(whole).read()) < 10_000
                assert whole.error is None or explain(whole.error)
        except UNREADABLE as error:
            assert explain(error)
