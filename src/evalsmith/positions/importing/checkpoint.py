"""Where an import stands: kept with every part, so that one that was killed goes on behind its last part.

A part tells the last piece of a file that began before its end, what had been counted until then, and how many samples
of that piece the parts have already. Whoever goes on reads that piece again and leaves those samples out.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.games.bulk import keys_of
from evalsmith.positions.selection.symmetry import canonical
from evalsmith.positions.store.dataset import (
    BUSY,
    HEAD,
    IMPORTED,
    Dataset,
    Source,
    create_dataset,
    is_dataset,
    open_dataset,
)
from evalsmith.positions.store.keyset import KeySet
from evalsmith.positions.store.parts import part_fact, part_path, part_rows, read_batches
from evalsmith.records import Fault, Faults
from evalsmith.run import InputError, MismatchError

STANDING = "standing"
_SHOWN = 4  # differences that are named


@dataclass(frozen=True)
class Standing:
    """Before a piece: the file and how many pieces of it are done, and what was counted.

    ``place`` is where the piece begins, for a reader that can begin there. ``rows`` are how many samples of what
    follows stand in the parts already; ``parts`` how many of these there are.
    """

    source: int = 0
    pieces: int = 0
    games: int = 0
    last_ply: int = -1
    rejected: dict[str, int] = field(default_factory=dict)
    faults: dict[str, Any] = field(default_factory=dict)
    place: tuple[int, ...] = ()
    rows: int = 0
    parts: int = 0


class Commits:
    """The standings before the last pieces, and which of them a part has to tell."""

    def __init__(self, first: Standing, rows: int) -> None:
        self._marks = [(rows, first)]

    def before_piece(self, rows: int, standing: Standing) -> None:
        """Note where the import stands when so many samples have come."""
        self._marks.append((rows, standing))

    def facts(self, end: int) -> dict[str, str]:
        """What a part says that ends with so many samples."""
        while len(self._marks) > 1 and self._marks[1][0] <= end:
            self._marks.pop(0)
        rows, standing = self._marks[0]
        return {STANDING: json.dumps(asdict(replace(standing, rows=end - rows)))}


def faults_to_json(faults: Faults) -> dict[str, Any]:
    """What a reading met so far."""
    kept = [asdict(fault) for fault in faults.examples]
    return {"counts": dict(faults.counts), "notes": dict(faults.warnings), "kept": kept}


def restore_faults(faults: Faults, told: dict[str, Any]) -> None:
    """Make faults what they were."""
    faults.counts, faults.warnings = Counter(told.get("counts", {})), Counter(told.get("notes", {}))
    faults.examples[:] = [Fault(**fault) for fault in told.get("kept", ())]


def standing_of(dataset: Dataset) -> Standing:
    """Where an import that was killed stands; parts behind a gap or a damaged one are deleted."""
    found = Standing()
    for number, part in enumerate(dataset.parts()):
        told = _told(part) if part == part_path(dataset.path, number) and found.parts == number else None
        if told is None:
            part.unlink(missing_ok=True)
        else:
            found = replace(told, parts=number + 1)
    return found


def _told(part: Path) -> Standing | None:
    with contextlib.suppress(InputError, ValueError, TypeError, KeyError):
        told = json.loads(part_fact(part, STANDING))
        return Standing(**{**told, "place": tuple(map(int, told["place"]))})
    return None


def rows_before(dataset: Dataset, standing: Standing) -> int:
    """How many samples stood in the parts when the piece began that is to be read again."""
    return sum(map(part_rows, dataset.parts())) - standing.rows


def remember(keys: KeySet, parts: Sequence[Path], game: Game, rows: int | None = None, *, images: bool = False) -> None:
    """Put the positions of parts into a set of keys, all or the first ``rows``; ``images`` takes one for all images."""
    left = rows
    for part in parts:
        for samples in read_batches(part, game):
            words = samples.words if left is None else samples.words[:left]
            left = None if left is None else left - len(words)
            keys.add(keys_of(game, canonical(game, words) if images else words))


def begin_import(
    path: Path, game: Game, made: dict[str, Any], sources: Sequence[Source], *, anew: bool = False
) -> Dataset:
    """The dataset of an import: a new one, one that was killed, or a whole one; it must be made of the same.

    ``anew`` deletes what an import of other files or with another selection left there. The caller holds the lock.
    """
    made = json.loads(json.dumps(made))
    if is_dataset(path):
        existing = open_dataset(path, None if anew else game)
        if BUSY in existing.extra and not anew:
            existing.check_whole()
        other = existing.made != made
        imported = existing.made.get("how") == "import"
        nothing = not existing.whole and not existing.parts() and BUSY not in existing.extra
        if (anew and imported) or existing.killed or (other and imported and nothing):
            existing.clear()
            (path / IMPORTED).unlink(missing_ok=True)
            (path / HEAD).unlink()
        elif other and imported:
            raise MismatchError(_refusal(existing, made))
    return create_dataset(path, game, made, sources, whole=False)


def _refusal(existing: Dataset, made: dict[str, Any]) -> str:
    told = differences(existing.made, made)
    shown = "; ".join(told[:_SHOWN]) + (f"; and {len(told) - _SHOWN} more" if len(told) > _SHOWN else "")
    if existing.whole:
        return f"{existing.path} was made otherwise: {shown}; choose another folder, or --anew to replace it"
    return (
        f"the import into {existing.path} was not finished, and this is another one: {shown}; "
        "give its command again, or --anew to delete what it has and begin anew"
    )


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What distinguishes two imports, in words."""
    found = _file_differences(before.get("sources", []), now.get("sources", []))
    parts = [({k: v for k, v in made.items() if k != "sources"} | made.get("selection", {})) for made in (before, now)]
    for key in sorted(parts[0].keys() | parts[1].keys() - {"selection"}):
        if key != "selection" and parts[0].get(key) != parts[1].get(key):
            words = ["not given" if part.get(key) is None else str(part[key]) for part in parts]
            found.append(f"{key.replace('_', ' ')} was {words[0]} and is {words[1]}")
    return found or ["it was made in another way"]


def _file_differences(before: list[Source], now: list[Source]) -> list[str]:
    hashes = [{str(each.get("name")): each.get("blake2b") for each in files} for files in (before, now)]
    found = [f"{name} is missing now" for name in hashes[0] if name not in hashes[1]]
    found += [f"{name} is new" for name in hashes[1] if name not in hashes[0]]
    found += [f"{name} has changed" for name in hashes[0] if name in hashes[1] and hashes[0][name] != hashes[1][name]]
    return found or (["the files come in another order"] if before != now else [])
