"""Datasets for other programs: text a line a position, and the binary formats that trainers read.

csv, jsonl     position, result, score, depth, game, ply, ratings, source, move, lines; values for the side to move
bracket        FEN [1.0]               the result for side 0 (white in chess): 1.0, 0.5, 0.0; a margin as [+12]
pipe           FEN | score | result    both for side 0
c9             FEN c9 "1-0";           the FEN without its two counters
maryodel       Dr. Mario's training examples, as JSON: board, pill, won, cleared, duration, moves
maryodel-array the same in one array
and what ``records.packed`` has: bullet, marlin, psv, hcpe, othello20
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalsmith.games import Game
from evalsmith.games.bulk import ask_each, bulk_of, legal_each
from evalsmith.games.contract import MOVER
from evalsmith.positions.samples import LABELS, LINE_MOVE, NO_MOVE, UNKNOWN, Samples
from evalsmith.positions.store.dataset import Dataset, load_dataset
from evalsmith.records.drmario.maryodel import Maryodel
from evalsmith.records.leftovers import held, sweep
from evalsmith.records.lists import format_result
from evalsmith.records.packed.chess import Bullet, Marlin
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.records.packed.positions import Packing, Positions
from evalsmith.records.packed.shogi import Hcpe, PackedSfenValue
from evalsmith.records.position_batch import PositionBatch
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

_ARRAY = f"{Maryodel.name}-array"
_EXAMPLES = (Maryodel.name, _ARRAY)


class _Array:
    """JSON values, one a line, as one array."""

    def __init__(self) -> None:
        self._before = b"[\n"

    def more(self, lines: bytes) -> bytes:
        """Some values, behind those that came before."""
        if not lines:
            return b""
        before, self._before = self._before, b",\n"
        return before + lines.removesuffix(b"\n").replace(b"\n", b",\n")

    def end(self) -> bytes:
        """The end of the array."""
        return b"\n]\n" if self._before == b",\n" else b"[]\n"


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
            array = _Array() if format == _ARRAY else None
            for samples in source.batches():
                content = write(source, _valued(samples, value) if value else samples, exported)
                file.write(content if array is None else array.more(content))
                bar.advance(len(samples))
            if array is not None:
                file.write(array.end())
        if exported.written == 0 and exported.rejected:
            why = ", ".join(f"{reason} ({count:,})" for reason, count in exported.rejected.items())
            advice = "; `data label` gives scores"
            if format in _EXAMPLES:
                advice = "; a dataset has cleared, duration and moves where examples were imported"
            raise InputError(f"no position of {source.path} can be written as {format}: {why}{advice}")

    sweep(target)
    write_with(target, run)
    return exported


def formats() -> list[str]:
    """The names of all formats."""
    return [*_TEXT, *_EXAMPLES, *_BINARY]


def _writer(form: str, game: Game) -> Writer:
    if form in _TEXT:
        return _TEXT[form]
    if form not in formats():
        raise InputError(f"unknown format {form!r}; expected one of {', '.join(formats())}")
    own = Maryodel.game if form in _EXAMPLES else _BINARY[form].game
    if own != game.name:
        raise InputError(f"{form} is a format of {own}, and the dataset holds {game.name}")
    if form in _EXAMPLES:
        return _maryodel
    packing = _BINARY[form]()
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


def _maryodel(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    """The examples that the positions are; what the format has no place for, and what lacks something, is counted."""
    out = io.BytesIO()
    rows = np.arange(1, len(samples) + 1)
    batch = PositionBatch(
        dataset.game.name, str(dataset.path), samples.words, samples.result, samples.score, rows, rows,
        policy=samples.policy, cleared=samples.cleared, duration=samples.duration,
    )  # fmt: skip
    exported.written += Maryodel().write_positions(out, [batch], exported.lost, exported.rejected)
    return out.getvalue()


def _valued(samples: Samples, value: str) -> Samples:
    """Samples whose only value is the one that was chosen, as a score."""
    return replace(samples, score=samples.target_by(value), result=np.full_like(samples.result, UNKNOWN))


def best_moves(samples: Samples) -> npt.NDArray[np.int32]:
    """The move played, or else the best that a search reported; -1 where neither is known."""
    best = samples.lines[:, 0, LINE_MOVE] if samples.lines.shape[1] else np.full(len(samples), NO_MOVE)
    return np.where(samples.move >= 0, samples.move, best).astype(np.int32)


# ── Text: columns of strings, joined row by row in one call ──


def _texts(game: Game, words: npt.NDArray[np.uint64]) -> pa.Array:
    """The texts of positions, by the game's kernel where it has one."""
    write = bulk_of(game).texts
    written = write(words) if write is not None else None
    if written is None:
        return pa.array([game.format(row) for row in words], pa.string())
    content, ends = written
    return pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(content))


def _named(values: npt.NDArray[Any], name: Callable[[int], str | None]) -> pa.Array:
    """A text for each number; each different number is asked for once."""
    different, places = np.unique(values, return_inverse=True)
    return pa.array([name(value) for value in different.tolist()], pa.string()).take(pa.array(places))


def _numbers(values: npt.NDArray[Any], unknown: int | None = None) -> pa.Array:
    return pa.array(values, mask=None if unknown is None else values == unknown).cast(pa.string())


def _joined(*columns: Any) -> bytes:
    """The rows of some columns of texts, one after another."""
    lines = pc.binary_join_element_wise(*columns, "")
    _, ends, content = lines.buffers()
    first, last = np.frombuffer(ends, dtype=np.int32)[[lines.offset, lines.offset + len(lines)]]
    return content[int(first) : int(last)].to_pybytes() if content is not None else b""


def _columns(dataset: Dataset, samples: Samples, exported: Exported) -> list[pa.Array]:
    """A column of texts for each of COLUMNS but the last; null where nothing is known."""
    exported.written += len(samples)
    sources = [str(source.get("name", number)) for number, source in enumerate(dataset.sources)]
    return [
        _texts(dataset.game, samples.words),
        _numbers(samples.result, UNKNOWN),
        _numbers(samples.score, UNKNOWN),
        _named(samples.label, lambda code: LABELS[code]),
        _numbers(samples.depth, -1),
        _numbers(samples.game),
        _numbers(samples.ply),
        _numbers(samples.rating, -1),
        _numbers(samples.opponent, -1),
        _named(samples.source, lambda number: sources[number] if number < len(sources) else str(number)),
        _moves(dataset.game, samples.words, samples.move),
    ]


def _moves(game: Game, words: npt.NDArray[np.uint64], moves: npt.NDArray[np.int32]) -> pa.Array:
    """Moves as texts; null where one is not known, or where somebody wrote one that cannot be played."""
    if not (moves >= 0).any():
        return pa.nulls(len(words), pa.string())
    moves = np.where(legal_each(game, words, moves), moves, NO_MOVE).astype(np.int32)
    fixed_names = bulk_of(game).fixed_names
    fixed = (moves < 0) | (fixed_names(moves) if fixed_names is not None else False)
    # Where the text does not depend on the position, any position will do.
    known = np.where(fixed, moves, NO_MOVE)
    texts = _named(known, lambda move: None if move == NO_MOVE else game.format_move(words[0], move))
    if fixed.all():
        return texts
    found = texts.to_pylist()
    for place in np.flatnonzero(~fixed).tolist():
        found[place] = game.format_move(words[place], int(moves[place]))
    return pa.array(found, pa.string())


def _lines(game: Game, samples: Samples) -> list[list[dict[str, Any]]]:
    """The lines of a search for each row."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(len(samples))]
    for place in range(samples.lines.shape[1]):
        moves, scores, depths = (np.ascontiguousarray(part) for part in samples.lines[:, place].T)
        for row, text in enumerate(_moves(game, samples.words, moves).to_pylist()):
            if text is not None:
                depth = int(depths[row])
                line = {"move": text, "score": int(scores[row]), "depth": None if depth < 0 else depth}
                found[row].append(line)
    return found


def _csv(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    """Lines in one field: ``e2e4 31 12; d2d4 25 12``, each a move, its score, and its depth where that is known."""
    columns = _columns(dataset, samples, exported)
    lines = (
        "; ".join(f"{line['move']} {line['score']} {line['depth'] or ''}".strip() for line in some)
        for some in _lines(dataset.game, samples)
    )
    columns.append(pa.array(lines, pa.string()) if samples.lines.shape[1] else pa.repeat("", len(samples)))
    fields = [part for column in columns for part in (_quoted(pc.fill_null(column, "")), ",")]
    return _joined(*fields[:-1], "\r\n")


def _quoted(column: pa.Array) -> pa.Array:
    """Fields of CSV: those with a comma, a quote or the end of a line in quotes."""
    special = pc.match_substring_regex(column, '[,"\r\n]')
    if not pc.any(special).as_py():
        return column
    quoted = pc.binary_join_element_wise('"', pc.replace_substring(column, '"', '""'), '"', "")
    return pc.if_else(special, quoted, column)


def _jsonl(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    columns = _columns(dataset, samples, exported)
    lines = (json.dumps(some, ensure_ascii=False) for some in _lines(dataset.game, samples))
    columns.append(pa.array(lines, pa.string()) if samples.lines.shape[1] else pa.repeat("[]", len(samples)))
    parts: list[Any] = []
    for name, column in zip(COLUMNS, columns, strict=True):
        value = _json_text(column) if name in ("position", "label", "source", "move") else column
        parts += [f', "{name}": ', pc.fill_null(value, "null")]
    parts[0] = f'{{"{COLUMNS[0]}": '
    return _joined(*parts, "}\n")


def _json_text(column: pa.Array) -> pa.Array:
    """Texts as JSON writes them; those that need more than quotes one by one."""
    if pc.any(pc.match_substring_regex(column, r'[\x00-\x1f"\\]')).as_py():
        texts = (None if text is None else json.dumps(text, ensure_ascii=False) for text in column.to_pylist())
        return pa.array(texts, pa.string())
    return pc.binary_join_element_wise('"', column, '"', "")


def _for_side_0(
    dataset: Dataset, samples: Samples, exported: Exported, scored: bool
) -> tuple[pa.Array, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Texts, results and scores, both for side 0; what lacks one is counted."""
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
    return _texts(dataset.game, samples.words), samples.result * turn, samples.score * turn


def _bracket(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    texts, results, _ = _for_side_0(dataset, samples, exported, scored=False)
    return _joined(texts, " [", _named(results, lambda value: format_result(dataset.game, value)), "]\n")


def _pipe(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    texts, results, scores = _for_side_0(dataset, samples, exported, scored=True)
    ends = _named(results, lambda value: format_result(dataset.game, value))
    return _joined(texts, " | ", _numbers(scores), " | ", ends, "\n")


def _c9(dataset: Dataset, samples: Samples, exported: Exported) -> bytes:
    texts, results, _ = _for_side_0(dataset, samples, exported, scored=False)
    # A FEN without its counters; other texts as they are.
    texts = pc.replace_substring_regex(texts, r"^((?:[^ ]* ){3}[^ ]*) [^ ]* [^ ]*$", r"\1")
    return _joined(texts, ' c9 "', _named(np.sign(results), lambda sign: _ENDS[sign]), '";\n')


_TEXT: dict[str, Writer] = {"csv": _csv, "jsonl": _jsonl, "bracket": _bracket, "pipe": _pipe, "c9": _c9}
