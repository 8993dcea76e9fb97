"""Files written beside their place and renamed into it, and logs that survive a kill."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from evalsmith.run.errors import InputError, OutputError

BROKEN = ".broken-off"


def make_folder(path: Path) -> Path:
    """Create ``path`` and its parents, or say why that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot create the folder {path}: {error.strerror}") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise OutputError(f"cannot write into the folder {path}")
    return path


def write_with(path: Path, write: Callable[[Path], None]) -> None:
    """Call ``write`` with a temporary path beside ``path``, then rename it into place."""
    if os.path.islink(path):  # noqa: PTH114  (never raises); the file it leads to is what is meant
        path = Path(os.path.realpath(path))
    make_folder(path.parent)
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        if path.is_dir():
            raise OutputError(f"cannot write {path}: it is a folder")
        if path.exists() and not path.is_file():  # a file in the place of /dev/null would be a calamity
            raise OutputError(f"cannot write {path}: it is not a file")
        temporary.touch(exist_ok=False)
        write(temporary)
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text file in one step: readers see the old one or the new one."""
    # Half of a surrogate pair, which a file name may hold, becomes an escape; JSON reads it back.
    write_bytes(path, text.encode(errors="backslashreplace"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a binary file in one step."""
    write_with(path, lambda temporary: _write(temporary, content))


def write_together(folder: Path, contents: Iterable[tuple[str, bytes]]) -> list[Path]:
    """Write files that belong together: whatever fails before all are on the disk leaves the old ones as they were.

    They are written into a hidden folder and then moved one by one; while they are moved, BROKEN stands in the folder,
    so that whoever finds it there knows that old and new ones are mixed.
    """
    waiting = make_folder(folder) / ".new"
    shutil.rmtree(waiting, ignore_errors=True)  # what a kill left
    names = []
    try:
        for name, content in contents:
            write_bytes(waiting / name, content)
            names.append(name)
        write_bytes(folder / BROKEN, b"")
        for name in names:
            (waiting / name).replace(folder / name)
        (folder / BROKEN).unlink()
    except OSError as error:
        raise OutputError(f"cannot write into {folder}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(waiting, ignore_errors=True)
    return [folder / name for name in names]


def write_json(path: Path, value: Any) -> None:
    """Write a JSON document in one step."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def append_json(path: Path, value: dict[str, Any]) -> None:
    """Append one JSON line and flush it to the disk.

    A line cut by a kill is closed first, so that the new one stands alone. Lines are objects: no part of one is
    another.
    """
    line = json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
    try:
        with open(path, "ab+") as file:
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    file.write(b"\n")
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(f"cannot append to {path}: {error.strerror}") from None


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Every complete line of a JSON log; a line cut off by a kill is skipped."""
    try:
        file = open(path, encoding="utf-8", errors="replace")  # noqa: SIM115  (closed below)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    with file:
        for line in file:
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
