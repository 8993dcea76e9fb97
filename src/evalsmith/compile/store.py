"""Compiled code in files: loaded if it is stored, else built by one process while others wait.

A file holds the object code of one kernel and the symbols that it needs, behind a digest of both, so that one that was
damaged or cut off is built again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm

from evalsmith.compile.cache import room
from evalsmith.compile.layout import Code
from evalsmith.compile.memory import load, loadable
from evalsmith.run.errors import OutputError
from evalsmith.run.locks import FileLock

if TYPE_CHECKING:
    from evalsmith.compile.kernels import Kernel

_DIGEST = 16


def compiled_code(entry: Kernel) -> tuple[Callable[..., Any], int]:
    """The kernel as Python calls it, and its address."""
    source = Path(entry.function.__code__.co_filename)
    if not source.is_file() or not entry.stable:  # typed at a prompt, or a function that another one made
        return load(entry, _build(entry))
    its_room = room(source, (metadata.version("numba"), _processor()))
    if its_room.written > entry.registered:  # the folder is named by sources that this process did not import
        return load(entry, _build(entry))
    file = its_room.folder / f"{entry.identity}.o"
    code = _read(file)
    if code is None:
        with FileLock(its_room.folder / ".lock"):
            code = _read(file)  # another process may have been faster
            if code is None:
                code = _build(entry)
                _write(file, code)
    return load(entry, code)


def _build(entry: Kernel) -> Code:
    from evalsmith.compile.build import object_code  # numba comes with it
    from evalsmith.compile.kernels import announce

    announce(entry)
    return object_code(entry)


def _read(file: Path) -> Code | None:
    """The code that a file holds; None if there is none, not all of it, or if this process lacks what it needs."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    digest, body = content[:_DIGEST], content[_DIGEST:]
    if digest != _digest(body):
        return None
    needs, _, binary = body.partition(b"\0")
    code = Code(binary, tuple(needs.decode().split()))
    return code if loadable(code) else None


def _write(file: Path, code: Code) -> None:
    body = " ".join(code.needs).encode() + b"\0" + code.binary
    temporary = file.with_suffix(".part")
    try:
        temporary.write_bytes(_digest(body) + body)
        temporary.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise OutputError(f"cannot write {file}: {error.strerror}") from None


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST).digest()


@functools.cache
def _processor() -> str:
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_host_cpu_name()} {features}"
