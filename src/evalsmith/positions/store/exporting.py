"""Datasets for other programs: text a line a position, and the binary formats that trainers read.

csv, jsonl     position, result, score, depth, game, ply, ratings, source, move, lines; values for the side to move
bracket        FEN [1.0]               the result for side 0 (white in chess): 1.0, 0.5, 0.0; a margin as [+12]
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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game, Position
from evalsmith.games.bulk import ask_each
from evalsmith.games.contract import MOVER
from evalsmith.positions.samples import LABELS, LINE_MOVE, NO_MOVE, UNKNOWN, Samples
from evalsmith.positions.store.dataset import Dataset, load_dataset
from evalsmith.records.leftovers import held, sweep
from evalsmith.records.lists import format_result
from evalsmith.records.packed.chess import Bullet, Marlin
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.records.packed.positions import Packing, Positions
from evalsmith.records.packed.shogi import Hcpe, PackedSfenValue
from evalsmith.run import InputError, write_with
from evalsmith.run.tables import TextTable
from evalsmith.run.watching import Watch, unwatched

COLUMNS = (
    "position", "result", "score", "label", "depth", "game", "ply", "rating", "opponent", "source", "move", "lines",
)  # fmt: skip
NO_RESULT, NO_SCORE = "result not known", "score not known"
_ENDS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
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

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table().html()

    def table(self) -> TextTable:
        """The counts as a table."""
        rows = [("positions", self.written)]
        rows += [(f"rejected: {reason}", count) for reason, count in self.rejected.items()]
        rows += [(f"without a place in the format: {what}", count) for what, count in self.lost.items() if count]
        return TextTable(("", "count"), tuple(rows))


Writer = Callable[[Dataset, Samples, Exported], bytes]


def export_dataset(
    dataset: Dataset | Path | str,
    target: Path | str,
    format: str,
    *,
    value: str | None = None,
    progress: Watch = unwatched,
) -> Exported:
    """Write a dataset in another format, in one step; nothing is there when it fails.

    ``value``, one of TARGETS, chooses what stands in a format that has one value for both score and result.

        export_dataset("positions", "positions.csv", "csv").written
    """
    if value is not None and format != OthelloValues.name:
        raise InputError(f"{format} stores score and result; a target is chosen for {OthelloValues.name} alone")
    source, target = (dataset if isinstance(dataset, Dataset) else load_dataset(dataset)).check_complete(), Path(target)
    if source.path.resolve() in target.resolve().parents:
        raise InputError(f"{target} is inside the dataset, whose files must not be overwritten; choose another place")
    write, exported = _writer(format, source.game), Exported()

    def run(temporary: Path) -> None:
        with held(temporary), open(temporary, "wb") as file, progress("exporting", source.rows(), "positions") as bar:
            if format == "csv":
                file.write((",".join(COLUMNS) + "\r\n").encode())
            for samples in source.batches():
                file.write(write(source, _valued(samples, value) if value else samples, exported))
                bar.advance(len(samples))
        if exported.written == 0 and exported.rejected:
            why = ", ".join(f"{reason} ({count:,})" for reason, count in exported.rejected.items())
            raise InputError(
                f"no position of {source.path} can be written as {format}: {why}; `data label` gives scores"
            )

    sweep(target)
    write_with(target, run)
    return exported


def formats() -> list[str]:
    """The names of all formats."""
    return [*_TEXT, *_BINARY]


def _writer(form: str, game: Game) -> Writer:
    if form in _TEXT:
        return _TEXT[form]
    if form not in _BINARY:
        raise InputError(f"unknown format {form!r}; expected one of {', '.join(formats())}")
    packing = _BINARY[form]()
    if packing.game != game.name:
        raise InputError(f"{form} is a format of {packing.game}, and the dataset holds {game.name}")
    return lambda dataset, samples, exported: _packed(packing, samples, exported)


def _packed(packing: Packing, samples: Samples, exported: Exported) -> bytes:
    # What has only a result or only a score is refused by most formats, and counted by its reason.
    positions = Positions.of(samples.words, samples.score, samples.result, samples.ply, best_moves(samples))
    packed = packing.pack(positions, scores="mover", results="mover", strict=False)
    exported.written += len(packed.rows)
    for wrong in packed.refused:
        exported.rejected[wrong.reason] += 1
    exported.lost.update(packed.lost)
    return packed.content.tobytes()


def _valued(samples: Samples, value: str) -> Samples:
    """Samples whose only value is the one that was chosen, as a score."""
    return replace(samples, score=samples.target_by(value), result=np.full_like(samples.result, UNKNOWN))


def best_moves(samples: Samples) -> npt.NDArray[np.int32]:
    """The move played, or else the best that a search reported; -1 where neither is known."""
    best = samples.lines[:, 0, LINE_MOVE] if samples.lines.shape[1] else np.full(len(samples), NO_MOVE)
    return np.where(samples.move >= 0, samples.move, best).astype(np.int32)


# ── Text ──


def _plain(values: npt.NDArray[Any], unknown: int) -> list[int | None]:
    return [None if value == unknown else value for value in values.tolist()]


def _rows(dataset: Dataset, samples: Samples, exported: Exported) -> Iterator[tuple[Any, ...]]:
    exported.written += len(samples)
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
        (_move(dataset.game, row, move) for row, move in zip(samples.words, samples.move.tolist(), strict=True)),
        (_lines(dataset.game, row, lines) for row, lines in zip(samples.words, samples.lines.tolist(), strict=True)),
        strict=True,
    )


def _move(game: Game, position: Position, move: int) -> str | None:
    """A move as text; none where it is not known, or where somebody wrote one that cannot be played."""
    return game.format_move(position, move) if move >= 0 and move in game.moves(position) else None


def _lines(game: Game, position: Position, lines: list[list[int]]) -> list[dict[str, Any]]:
    return [
        {"move": text, "score": score, "depth": None if depth < 0 else depth}
        for move, score, depth in lines
        if (text := _move(game, position, move)) is not None
    ]


def _csv(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    """Lines in one field: ``e2e4 31 12; d2d4 25 12``, each a move, its score, and its depth where that is known."""
    out = io.StringIO()
    writer = csv.writer(out)
    for *row, lines in _rows(dataset, samples, exported):
        words = ((line["move"], str(line["score"]), str(line["depth"] or "")) for line in lines)
        writer.writerow([*row, "; ".join(" ".join(each).strip() for each in words)])
    return out.getvalue().encode("utf-8", "backslashreplace")


def _jsonl(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    lines = (
        json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)
        for row in _rows(dataset, samples, exported)
    )
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _for_side_0(dataset: Dataset, samples: Samples, exported: Exported, scored: bool) -> Iterator[tuple[str, int, int]]:
    """Text, result and score, both for side 0; what lacks one is counted."""
    usable = samples.result != UNKNOWN
    if missing := int((~usable).sum()):
        exported.rejected[NO_RESULT] += missing
    if scored:
        if missing := int((usable & (samples.score == UNKNOWN)).sum()):
            exported.rejected[NO_SCORE] += missing
        usable &= samples.score != UNKNOWN
    samples = samples.take(usable)
    exported.written += len(samples)
    turn = np.where(ask_each(dataset.game, MOVER, samples.words) == 0, 1, -1)
    results, scores = (samples.result * turn).tolist(), (samples.score * turn).tolist()
    return zip((dataset.game.format(row) for row in samples.words), results, scores, strict=True)


def _bracket(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    seen = _for_side_0(dataset, samples, exported, scored=False)
    return "".join(f"{text} [{format_result(dataset.game, result)}]\n" for text, result, _ in seen).encode()


def _pipe(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    seen = _for_side_0(dataset, samples, exported, scored=True)
    lines = (f"{text} | {score} | {format_result(dataset.game, result)}\n" for text, result, score in seen)
    return "".join(lines).encode()


def _c9(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    seen = _for_side_0(dataset, samples, exported, scored=False)
    lines = (f'{_four_fields(text)} c9 "{_ENDS[(result > 0) - (result < 0)]}";\n' for text, result, _ in seen)
    return "".join(lines).encode()


def _four_fields(text: str) -> str:
    """A FEN without its counters; other texts as they are."""
    fields = text.split(" ")
    return " ".join(fields[:4]) if len(fields) == 6 else text


_TEXT: dict[str, Writer] = {"csv": _csv, "jsonl": _jsonl, "bracket": _bracket, "pipe": _pipe, "c9": _c9}
