"""Files appear whole or not at all, and a log loses its last line at most."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.run import (
    InputError,
    OutputError,
    append_json,
    make_folder,
    read_json_lines,
    write_bytes,
    write_json,
    write_text,
    write_with,
)

texts = st.text(max_size=6) | st.text(alphabet='"\\\n{}é🜨\udc80', max_size=6)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
lines = st.dictionaries(texts, plain | st.lists(plain, max_size=3), max_size=3)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


# ── Whole files ─────────────────────────────────────────────────────────────────────────────────


def test_files_are_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file"
    write_text(path, "Tōkyō\n")
    assert path.read_bytes() == "Tōkyō\n".encode()
    write_bytes(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    write_json(path, {"name": "Tōkyō", "half": "\udc80"})
    assert json.loads(path.read_text()) == {"name": "Tōkyō", "half": "\udc80"}
    assert names(path.parent) == ["file"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_error_in_the_middle_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, error: type[BaseException] | OSError
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def write(temporary: Path) -> None:
        assert temporary.parent == tmp_path, "or it could not be renamed"
        temporary.write_text("half of the n")
        raise error

    with pytest.raises(OutputError if isinstance(error, OSError) else error) as caught:
        write_with(path, write)
    assert isinstance(error, type) or str(caught.value) == f"cannot write {path}: No space left on device"
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    script = (
        "import os, signal, sys; from pathlib import Path; from evalsmith.run import write_with\n"
        "def write(temporary):\n"
        "    temporary.write_text('half'); os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_with(Path(sys.argv[1]), write)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], timeout=300)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    write_text(path, "new")
    assert path.read_text() == "new"


def test_a_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "file", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    below = tmp_path / "file" / "deeper" / "name"
    long = tmp_path / ("n" * 300)
    for path, reason in {
        tmp_path / "folder": f"cannot write {tmp_path / 'folder'}: it is a folder",
        tmp_path / "pipe": f"cannot write {tmp_path / 'pipe'}: it is not a file",
        below: f"cannot create the folder {below.parent}: Not a directory",
        long: f"cannot write {long}: File name too long",
    }.items():
        with pytest.raises(OutputError) as caught:
            write_text(path, "lost")
        assert str(caught.value) == reason
    assert names(tmp_path) == ["file", "folder", "pipe"]
    assert (tmp_path / "file").read_text() == "kept"


def test_a_folder_cannot_be_made_where_a_file_is(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a" / "b").is_dir()
    assert make_folder(tmp_path / "a" / "b").is_dir(), "again is fine"
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=r"cannot create the folder .*file: File exists"):
        make_folder(tmp_path / "file")


def test_a_folder_without_leave_to_write_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Permissions do not stop every user, so the question itself is answered here.
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    with pytest.raises(OutputError, match="cannot write into the folder"):
        make_folder(tmp_path)


# ── Logs ────────────────────────────────────────────────────────────────────────────────────────


@settings(derandomize=True, deadline=None, max_examples=20)
@given(values=st.lists(lines, min_size=1, max_size=3), more=lines)
def test_a_log_cut_anywhere_loses_one_line_at_most(values: list[dict[str, object]], more: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as folder, mock.patch("os.fsync"):
        path = Path(folder) / "log.jsonl"
        ends = []
        for value in values:
            append_json(path, value)
            ends.append(path.stat().st_size)
        content = path.read_bytes()
        for cut in range(len(content) + 1):
            path.write_bytes(content[:cut])
            whole = sum(end - 1 <= cut for end in ends)  # a line that lacks its end of line only is whole
            assert list(read_json_lines(path)) == values[:whole]
            append_json(path, more)
            assert list(read_json_lines(path)) == [*values[:whole], more]


def test_what_is_written_is_sent_to_the_disk_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    sent: list[bytes] = []

    def fsync(descriptor: int) -> None:
        assert not path.exists() or os.path.samestat(path.stat(), os.fstat(descriptor))
        sent.append(os.pread(descriptor, 100, 0))

    monkeypatch.setattr(os, "fsync", fsync)
    write_text(path, "whole\n")
    append_json(path, {"a": 1})
    assert sent == [b"whole\n", b'whole\n{"a": 1}\n']


def test_a_log_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert list(read_json_lines(tmp_path / "none.jsonl")) == []


def test_lines_that_are_no_objects_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a": 1}\n\n12\n"text"\n[1]\nrubbish\n\xff\xfe\n{"a": 2}\r\n{"a": 3}')
    assert list(read_json_lines(path)) == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_a_log_in_a_wrong_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot append to .*: Is a directory"):
        append_json(tmp_path, {})
    with pytest.raises(OutputError, match=r"cannot append to .*none/log: No such file"):
        append_json(tmp_path / "none" / "log", {})
    with pytest.raises(InputError, match=r"cannot read .*: Is a directory"):
        list(read_json_lines(tmp_path))
