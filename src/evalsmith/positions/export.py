"""Datasets for other programs: text a line a position, and the binary formats that trainers read.

csv, jsonl     position, result, score, depth, game, ply, ratings, source; values for the side to move
bracket        FEN [1.0]               the result for side 0 (white in chess): 1.0, 0.5, 0.0
pipe           FEN | score | result    both for side 0
c9             FEN c9 "1-0";           the FEN without its two counters
and what ``records.packed`` has: bullet, marlin, psv, hcpe, othello20
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.bulk import ask_each
from evalsmith.games.contract import MOVER
from evalsmith.positions.dataset import Dataset, open_dataset
from evalsmith.positions.samples import LABELS, UNKNOWN, Samples
from evalsmith.records.packed import Bullet, Hcpe, Marlin, OthelloValues, PackedSfenValue, Packing, Positions
from evalsmith.run import InputError, Progress, Silent, write_with

COLUMNS = ("position", "result", "score", "label", "depth", "game", "ply", "rating", "opponent", "source")
NO_RESULT, NO_SCORE = "result not known", "score not known"
_ENDS = {1: ("1.0", "1-0"), 0: ("0.5", "1/2-1/2"), -1: ("0.0", "0-1")}
_BINARY: dict[str, type[Packing]] = {kind.name: kind for kind in (Bullet, Marlin, PackedSfenValue, Hcpe, OthelloValues)}


@dataclass
class Exported:
    """What was written, what could not be, and what the format has no place for."""

    written: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data export --json``."""
        return {"positions": self.written, "rejected": dict(self.rejected), "lost": dict(self.lost)}


Writer = Callable[[Dataset, Samples, Exported], bytes]


def export(path: Path, target: Path, form: str, *, progress: Progress | None = None) -> Exported:
    """Write a dataset in another format, in one step; nothing is there when it fails."""
    dataset = open_dataset(path).check_whole()
    if dataset.path.resolve() in target.resolve().parents:
        raise InputError(f"{target} is inside the dataset, whose files must not be overwritten; choose another place")
    write = _writer(form, dataset.game)
    told, progress = Exported(), progress or Silent()

    def run(temporary: Path) -> None:
        with open(temporary, "wb") as file:
            if form == "csv":
                file.write((",".join(COLUMNS) + "\r\n").encode())
            for samples in dataset.batches():
                file.write(write(dataset, samples, told))
                progress.advance(len(samples))
        if told.written == 0 and told.rejected:
            reasons = ", ".join(f"{reason} ({count:,})" for reason, count in told.rejected.items())
            raise InputError(f"no position of {path} can be written as {form}: {reasons}; `data label` gives scores")

    write_with(target, run)
    return told


def formats() -> list[str]:
    """The names of all formats."""
    return [*_TEXT, *_BINARY]


def _writer(form: str, game: Game) -> Writer:
    if form in _TEXT:
        return _TEXT[form]
    if form not in _BINARY:
        raise InputError(f"no format is called {form!r}; known are: {', '.join(formats())}")
    packing = _BINARY[form]()
    if packing.game != game.name:
        raise InputError(f"{form} is a format of {packing.game}, and the dataset holds {game.name}")
    return lambda dataset, samples, told: _packed(packing, samples, told)


def _packed(packing: Packing, samples: Samples, told: Exported) -> bytes:
    # What has only a result or only a score is refused by most formats, and counted by its reason.
    positions = Positions.of(samples.words, samples.score, samples.result, samples.ply)
    packed = packing.pack(positions, scores="mover", results="mover", strict=False)
    told.written += len(packed.rows)
    for wrong in packed.refused:
        told.rejected[wrong.reason] += 1
    told.lost.update(packed.lost)
    return packed.content.tobytes()


# ── Text ──


def _plain(values: npt.NDArray[Any], unknown: int) -> list[int | None]:
    return [None if value == unknown else value for value in values.tolist()]


def _rows(dataset: Dataset, samples: Samples, told: Exported) -> Iterator[tuple[Any, ...]]:
    told.written += len(samples)
    sources = [str(source.get("name", number)) for number, source in enumerate(dataset.sources)]
    return zip(
        (dataset.game.format(row) for row in samples.words),
        _plain(samples.result, UNKNOWN),
        _plain(samples.score, UNKNOWN),
        (LABELS[code] for code in samples.label.tolist()),
        _plain(samples.depth, -1),
        samples.game.tolist(),
        samples.ply.tolist(),
        _plain(samples.rating, -1),
        _plain(samples.opponent, -1),
        (sources[number] if number < len(sources) else str(number) for number in samples.source.tolist()),
        strict=True,
    )


def _csv(dataset: Dataset, samples: Samples, told: Exported) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(_rows(dataset, samples, told))
    return out.getvalue().encode("utf-8", "backslashreplace")


def _jsonl(dataset: Dataset, samples: Samples, told: Exported) -> bytes:
    lines = (
        json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) for row in _rows(dataset, samples, told)
    )
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _seen(dataset: Dataset, samples: Samples, told: Exported, scored: bool) -> Iterator[tuple[str, int, int]]:
    """Text, result as 1, 0 or -1 and score, all for side 0; what lacks one is counted."""
    fine = samples.result != UNKNOWN
    if missing := int((~fine).sum()):
        told.rejected[NO_RESULT] += missing
    if scored:
        if missing := int((fine & (samples.score == UNKNOWN)).sum()):
            told.rejected[NO_SCORE] += missing
        fine &= samples.score != UNKNOWN
    samples = samples.take(fine)
    told.written += len(samples)
    turn = np.where(ask_each(dataset.game, MOVER, samples.words) == 0, 1, -1)
    results, scores = (np.sign(samples.result) * turn).tolist(), (samples.score * turn).tolist()
    return zip((dataset.game.format(row) for row in samples.words), results, scores, strict=True)


def _bracket(dataset: Dataset, samples: Samples, told: Exported) -> bytes:
    seen = _seen(dataset, samples, told, scored=False)
    return "".join(f"{text} [{_ENDS[result][0]}]\n" for text, result, _ in seen).encode()


def _pipe(dataset: Dataset, samples: Samples, told: Exported) -> bytes:
    seen = _seen(dataset, samples, told, scored=True)
    return "".join(f"{text} | {score} | {_ENDS[result][0]}\n" for text, result, score in seen).encode()


def _c9(dataset: Dataset, samples: Samples, told: Exported) -> bytes:
    seen = _seen(dataset, samples, told, scored=False)
    lines = (f'{_four_fields(text)} c9 "{_ENDS[result][1]}";\n' for text, result, _ in seen)
    return "".join(lines).encode()


def _four_fields(text: str) -> str:
    """A FEN without its counters; other texts as they are."""
    fields = text.split(" ")
    return " ".join(fields[:4]) if len(fields) == 6 else text


_TEXT: dict[str, Writer] = {"csv": _csv, "jsonl": _jsonl, "bracket": _bracket, "pipe": _pipe, "c9": _c9}
