"""Small files read ahead, several at once: their games are chosen and stored in the order of the files all the same.

A large file is read where it is chosen from, chunk by chunk; of many small ones, workers read some while those before
them are chosen. A worker on another machine is sent the file itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from evalsmith.positions.importing.checkpoint import faults_to_json, restore_faults
from evalsmith.positions.importing.chunks import Chunk, place_after, read_chunks
from evalsmith.records import Faults, Source
from evalsmith.run import EvalsmithError, Progress
from evalsmith.scale import How, Job, Report, current_place, is_local, run

SMALL = 16 << 20  # bytes of a file that is read at once
SAVED_ERRORS = 100


class FileItem(NamedTuple):
    """A file, with its content where the worker cannot read it itself."""

    source: Source
    content: bytes | None = None

    def __str__(self) -> str:
        return str(self.source.path)


@dataclass(frozen=True)
class ReadChunk:
    """A chunk, where the file continues after it, and the errors of the file so far; at its end there is no chunk."""

    chunk: Chunk | None
    place: tuple[int, ...]
    faults: dict[str, Any]
    error: EvalsmithError | None = None


class FileReader:
    """Reads files, one at a time."""

    def do(self, item: FileItem, report: Report) -> list[ReadChunk]:
        """All chunks of a file; an error that ends it is the last of them, so that those before it count."""
        if item.content is None:
            return _read(item.source)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / item.source.path.name
            path.write_bytes(item.content)
            found = _read(replace(item.source, path=path))
        return [_renamed(one, str(path), str(item.source.path)) for one in found]

    def stop(self) -> None:
        """A file under way is read to its end: it is small."""

    def close(self) -> None:
        """Nothing was started."""


def _read(source: Source) -> list[ReadChunk]:
    faults, found = Faults(SAVED_ERRORS), list[ReadChunk]()
    try:
        for chunk in read_chunks(source, faults):
            found.append(ReadChunk(chunk, place_after(source, chunk), faults_to_json(faults)))
    except EvalsmithError as error:
        return [*found, ReadChunk(None, (), faults_to_json(faults), error)]
    return [*found, ReadChunk(None, (), faults_to_json(faults))]


def _renamed(one: ReadChunk, here: str, there: str) -> ReadChunk:
    """What was read of a copy, as if it were the file."""
    chunk = None if one.chunk is None else replace(one.chunk, source=one.chunk.source.replace(here, there))
    kept = [{**fault, "file": fault["file"].replace(here, there)} for fault in one.faults["kept"]]
    error = None if one.error is None else type(one.error)(str(one.error).replace(here, there))
    return replace(one, chunk=chunk, faults={**one.faults, "kept": kept}, error=error)


class ReadAhead:
    """The chunks of files from one of them on; ``faults`` has the errors up to the chunk that was given last.

    Who reads them shows in the progress line, and in the events of ``folder``.
    """

    def __init__(self, sources: Sequence[Source], first: int, faults: Faults, progress: Progress, folder: Path) -> None:
        self._sources, self._faults = sources, faults
        self._small = [
            number for number in range(first, len(sources)) if sources[number].path.stat().st_size <= SMALL
        ] if len(sources) - first > 1 else []  # fmt: skip
        in_memory = current_place().slots() + 1
        how = How.shown(None, progress, folder, window=in_memory)
        self._results = run(Job(f"{__name__}:FileReader"), self._items(), how)

    def chunks(self, number: int) -> Iterator[tuple[Chunk, tuple[int, ...]]]:
        """The chunks of a file with where it continues after each; files must be asked for in their order."""
        if number not in self._small:
            source = self._sources[number]
            for chunk in read_chunks(source, self._faults):
                yield chunk, place_after(source, chunk)
            return
        before = faults_to_json(self._faults)
        _, found = next(self._results)
        for one in found:
            _add(self._faults, before, one.faults)
            if one.error is not None:
                raise one.error
            if one.chunk is not None:
                yield one.chunk, one.place

    def close(self) -> None:
        """End the work, so that its workers are done and have said so."""
        if isinstance(self._results, Generator):
            self._results.close()

    def _items(self) -> Iterator[FileItem]:
        for number in self._small:
            source = self._sources[number]
            yield FileItem(source, None if is_local() else source.path.read_bytes())


def _add(faults: Faults, before: dict[str, Any], more: dict[str, Any]) -> None:
    """The errors before a file and those of it together."""
    sums: dict[str, Any] = {
        kind: {name: before[kind].get(name, 0) + more[kind].get(name, 0) for name in {**before[kind], **more[kind]}}
        for kind in ("counts", "notes")
    }
    restore_faults(faults, {**sums, "kept": [*before["kept"], *more["kept"]][: faults.limit]})
