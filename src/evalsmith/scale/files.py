"""Files that work elsewhere needs: named by their content, fetched once by each machine, and read there as local ones.

The driver lists the files that a job names. A worker uses its own file where that has the same content, and otherwise
fetches it into a folder of its cache. What the job then says of the file is translated by `local_word`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evalsmith.run import OutputError, write_with
from evalsmith.scale.work import Job

CACHE = "EVALSMITH_FILES"

_translations: dict[str, str] = {}


@dataclass(frozen=True)
class Sent:
    """A file that a job names by ``word``: the hash of its content, its own name, and whether it can be run."""

    word: str
    digest: str
    name: str
    executable: bool


def digest_of(path: Path) -> str:
    """A hash of the content of a file; empty where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()[:32]
    except OSError:
        return ""


def files_of(job: Job) -> list[tuple[Sent, Path]]:
    """The files that a job names, with where they are here."""
    found = {}
    for word, path in job.files:
        digest = digest_of(path)
        if digest:
            found[word] = Sent(word, digest, path.name, os.access(path, os.X_OK)), path
    return list(found.values())


def receive(sent: list[Sent], fetch: Callable[[str], bytes]) -> None:
    """On a worker: have every file at hand; ``fetch`` gives the content by its hash."""
    _translations.clear()
    for one in sent:
        if digest_of(Path(one.word)) == one.digest:
            continue
        place = cache_folder() / one.digest / one.name
        if digest_of(place) != one.digest:
            content = fetch(one.digest)

            def write(path: Path, content: bytes = content, mode: int = 0o755 if one.executable else 0o644) -> None:
                path.write_bytes(content)
                path.chmod(mode)

            write_with(place, write)
            if digest_of(place) != one.digest:
                raise OutputError(f"{place} is not what was written there")
        _translations[one.word] = str(place)


def cache_folder() -> Path:
    """Where a worker keeps the files that it was sent: EVALSMITH_FILES, or a folder of the user's cache."""
    given = os.environ.get(CACHE)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(given) if given else Path(base) / "evalsmith" / "files"


def local_word(word: str) -> str:
    """A word of a command as it is meant on this machine; a file may also stand behind a ``=``."""
    if word in _translations:
        return _translations[word]
    name, sign, value = word.partition("=")
    return f"{name}={_translations[value]}" if sign and value in _translations else word
