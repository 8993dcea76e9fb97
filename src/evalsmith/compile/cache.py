"""Where compiled code is stored: one folder per room, named by all that decides what its kernels do.

That is the room's sources, what they import, this package, the versions and the processor. What earlier
sources left is dropped once nobody has used it for a month.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from evalsmith.compile.sources import imported_sources
from evalsmith.run.atomic import make_folder

STALE_DAYS = 30


def cache_root() -> Path:
    """Where compiled code is stored: ``EVALSMITH_CACHE_DIR``, or the user's cache folder."""
    if chosen := os.environ.get("EVALSMITH_CACHE_DIR"):
        return Path(chosen)
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        root = home / "evalsmith" / "kernels"
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK | os.X_OK):
            return root
    except (OSError, RuntimeError):  # the latter where nobody knows the user's home
        pass
    return _temporary_root()


@functools.cache
def _temporary_root() -> Path:
    """A folder for those without a home. It must be the user's own: what lies in it is run."""
    folder = Path(tempfile.gettempdir()) / f"evalsmith-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    mine = not folder.is_symlink() and folder.is_dir() and folder.stat().st_uid == os.getuid()
    return (folder if mine else Path(tempfile.mkdtemp(prefix="evalsmith-"))) / "kernels"


@dataclass(frozen=True)
class Room:
    """Where the code of a room is stored, and when one of its sources was last written, in nanoseconds."""

    folder: Path
    written: int


def room(source: Path, versions: tuple[str, ...]) -> Room:
    """The room that ``source`` belongs to, with its cache folder, made if it is not there.

    ``versions`` are those of whatever compiles.
    """
    inside = (source.parent / "__init__.py").exists()
    return _room(source.parent if inside else source, versions)


@functools.cache
def _room(place: Path, versions: tuple[str, ...]) -> Room:
    files = sorted(place.glob("*.py")) if place.is_dir() else [place]
    digest = hashlib.blake2b(digest_size=12)
    for part in (str(place), platform.python_version(), *versions):
        digest.update(part.encode() + b"\0")
    written, now = 0, time.time_ns()
    for file in sorted(imported_sources([*files, *Path(__file__).parent.glob("*.py")])):
        moment = file.stat().st_mtime_ns
        if moment <= now:  # else the clock of whoever wrote it is wrong, and says nothing
            written = max(written, moment)
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    root = cache_root()
    folder = root / f"{place.stem}-{digest.hexdigest()}"
    known = folder.exists()
    make_folder(folder)
    os.utime(folder)  # in use, says `_forget_old` of another process
    if not known:
        _forget_old(root, place.stem)
    return Room(folder, written)


def _forget_old(root: Path, name: str) -> None:
    """Drop what nobody has used for a month."""
    for folder in root.glob(f"{name}-*"):
        try:
            if time.time() - folder.stat().st_mtime > STALE_DAYS * 86400:
                for file in sorted(folder.rglob("*"), reverse=True):
                    file.rmdir() if file.is_dir() else file.unlink()
                folder.rmdir()
        except OSError:
            continue  # another process was faster
