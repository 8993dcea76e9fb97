"""Writing datasets: parts of bounded size, and nothing left when work that is done in one go fails."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.positions.samples import Samples
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import (
    HEAD,
    Dataset,
    Source,
    create_dataset,
    dataset_lock,
    is_dataset,
    load_dataset,
)
from evalsmith.positions.store.parts import write_part
from evalsmith.run import Interrupted


class PartWriter:
    """Collects samples and writes full parts of them; ``close`` writes the rest."""

    def __init__(
        self, dataset: Dataset, *, text: bool = False, facts: Callable[[int], dict[str, str]] | None = None
    ) -> None:
        self.dataset, self.text = dataset, text
        self.positions = self.added = 0
        self._facts = facts
        self._parts = self._skipped = 0
        self._waiting: list[Samples] = []

    def resume(self, parts_there: int, rows: int, again: int) -> None:
        """Begin after parts with ``rows`` samples, of which the last ``again`` will be added once more."""
        self._parts, self.positions, self._skipped = parts_there, rows, again
        self.added = rows - again

    def add(self, samples: Samples) -> None:
        """Add samples; a part is written once there are enough."""
        self.added += len(samples)
        if self._skipped:
            begin = min(self._skipped, len(samples))
            self._skipped -= begin
            samples = samples.part(begin, len(samples))
        self._waiting.append(samples)
        if sum(map(len, self._waiting)) >= parts.ROWS_PER_PART:
            self._write(parts.ROWS_PER_PART)

    def close(self) -> None:
        """Write the rest."""
        self._write(1)

    def _write(self, least: int) -> None:
        joined = Samples.join(self._waiting, self.dataset.game.words)
        size, begin = parts.ROWS_PER_PART, 0
        while len(joined) - begin >= least:
            part = joined.part(begin, begin + size)
            self.positions += len(part)
            facts = None if self._facts is None else self._facts(self.positions)
            write_part(self.dataset.path, self._parts, part, self.dataset.game, text=self.text, facts=facts)
            self._parts += 1
            begin += size
        self._waiting = [joined.part(begin, len(joined))] if begin < len(joined) else []


@contextlib.contextmanager
def remade(
    path: Path, game: Game, made: dict[str, Any], sources: Sequence[Source], what: str
) -> Iterator[tuple[Dataset, bool]]:
    """A dataset to be written in one go, and whether it is there already, complete and made in the same way.

    What a killed command left is deleted. Work that fails or is interrupted leaves nothing.
    """
    with dataset_lock(path):
        if is_dataset(path) and (existing := load_dataset(path, game)).killed:
            existing.clear()
            (path / HEAD).unlink()
        dataset = create_dataset(path, game, made, sources, complete=False)
        if dataset.complete:
            yield dataset.check_complete(), True
            return
        if not dataset.killed:
            dataset.check_complete()
        dataset.clear()
        try:
            yield dataset, False
        except BaseException as error:
            dataset.clear()
            (path / HEAD).unlink(missing_ok=True)
            if isinstance(error, KeyboardInterrupt):
                raise Interrupted(f"nothing of {what} {path} is saved; the same command starts over") from None
            raise


def fingerprint(dataset: Dataset) -> str:
    """A hash of what a dataset holds."""
    return fingerprint_of(dataset.parts())


def fingerprint_of(files: Sequence[Path]) -> str:
    """A hash of what some parts hold."""
    digest = hashlib.blake2b(digest_size=8)
    for part in files:
        digest.update(part.name.encode())
        with open(part, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
