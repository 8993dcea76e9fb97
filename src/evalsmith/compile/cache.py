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


def room_folder(source: Path, versions: tuple[str, ...]) -> Path:
    """The cache folder for the room that ``source`` belongs to, made if it is not there.

    ``versions`` are those of whatever compiles.
    """
    inside = (source.parent / "__init__.py").exists()
    return _room_folder(source.parent if inside else source, versions)


@functools.cache
def _room_folder(room: Path, versions: tuple[str, ...]) -> Path:
    files = sorted(room.glob("*.py")) if room.is_dir() else [room]
    digest = hashlib.blake2b(digest_size=12)
    for part in (str(room), platform.python_version(), *versions):
        digest.update(part.encode() + b"\0")
    for file in sorted(imported_sources([*files, *Path(__file__).parent.glob("*.py")])):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    root = cache_root()
    folder = root / f"{room.stem}-{digest.hexdigest()}"
    known = folder.exists()
    make_folder(folder)
    os.utime(folder)  # in use, says `_forget_old` of another process
    if not known:
        _forget_old(root, room.stem)
    return folder


def _forget_old(root: Path, room: str) -> None:
    """Drop what nobody has used for a month."""
    for folder in root.glob(f"{room}-*"):
        try:
            if time.time() - folder.stat().st_mtime > STALE_DAYS * 86400:
                for file in sorted(folder.rglob("*"), reverse=True):
                    file.rmdir() if file.is_dir() else file.unlink()
                folder.rmdir()
        except OSError:
            continue  # another process was faster
