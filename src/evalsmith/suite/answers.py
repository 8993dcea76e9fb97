"""What a player answered to each position of a suite, what it costs, and the file that stores it.

A run's file holds what is needed to judge and to compare it, so that nobody has to have the suite at hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evalsmith.games import Game
from evalsmith.run import InputError, write_with
from evalsmith.suite.loss import MATE, MAX_LOSS, loss_between, suite_score
from evalsmith.suite.store import POINTS, SCORES, SuitePosition

ANSWERS_FILE = "answers.parquet"
_META = b"evalsmith"
UNKNOWN = -(1 << 31)  # a number that is not known; null in the file
# What became of a position: a move that the suite has, one that it lacks, and no answer at all.
ANSWERED, ILLEGAL, FAILED = "answered", "illegal", "failed"


@dataclass(frozen=True)
class Answer:
    """The answer to one position; ``text``, ``id``, ``tags``, ``phase`` and ``group`` are those of the suite's.

    ``best`` and ``best_score`` are what should have been played, ``move`` and ``move_score`` what was, by the suite;
    ``own_score``, ``depth``, ``nodes`` and ``seconds`` are the player's. ``loss`` is nan where it failed. ``group``
    tells positions of the same played game, which are not independent.
    """

    text: str
    id: str
    tags: str
    phase: int
    group: str
    best: str
    best_score: int
    status: str
    move: str = ""
    move_score: int = UNKNOWN
    loss: float = float("nan")
    points: int = UNKNOWN
    max_points: int = UNKNOWN
    own_score: int = UNKNOWN
    depth: int = UNKNOWN
    nodes: int = UNKNOWN
    seconds: float = float("nan")
    reason: str = ""


def judge(game: Game, position: SuitePosition, entry: dict[str, Any], scale: float) -> Answer:
    """An answer with its cost; ``entry`` is what the journal stores: the move as text, and what the player reported."""
    base: dict[str, Any] = {
        "text": position.text,
        "id": position.id,
        "tags": " ".join(position.tags),
        "phase": position.phase,
        "group": f"{position.source}:{position.game}" if position.game >= 0 else position.id,
        "best": " ".join(position.best),
        "best_score": position.scores[0] if position.scores else UNKNOWN,
        "max_points": max(position.points, default=UNKNOWN),
    }
    if "failed" in entry:
        return Answer(**base, status=FAILED, reason=str(entry["failed"]))
    own = entry.get("score")
    said: dict[str, Any] = {
        "move": str(entry.get("move", "")),
        "own_score": UNKNOWN if own is None else suite_score(game, int(own)),
        "depth": _known(entry.get("depth")),
        "nodes": _known(entry.get("nodes")),
        "seconds": float(entry.get("seconds", "nan")),
    }
    if entry.get("ends"):  # resigned, or declared to have won
        return Answer(**base, **said, **_ended(position, str(entry["ends"]), scale))
    return Answer(**base, **said, **_cost(position, said["move"], str(entry.get("illegal", "")), scale))


def _cost(position: SuitePosition, move: str, illegal: str, scale: float) -> dict[str, Any]:
    """What a move costs: a difference of chances to win, a share of the points, or all or nothing."""
    if illegal:
        lost_points = {"points": 0} if position.points else {}
        return {"status": ILLEGAL, "loss": MAX_LOSS, "reason": illegal, **lost_points}
    if position.valued == SCORES:
        if move not in position.moves:
            return {"status": ILLEGAL, "loss": MAX_LOSS, "reason": "the suite has no such move"}
        score = position.scores[position.moves.index(move)]
        return {"status": ANSWERED, "move_score": score, "loss": loss_between(position.scores[0], score, scale)}
    if position.valued == POINTS:
        points = position.points[position.moves.index(move)] if move in position.moves else 0
        lost = MAX_LOSS * (1 - points / max(1, *position.points))
        return {"status": ANSWERED, "points": points, "loss": lost}
    solved = move in position.best if position.best else move not in position.avoid
    return {"status": ANSWERED, "loss": 0.0 if solved else MAX_LOSS}


def _ended(position: SuitePosition, how: str, scale: float) -> dict[str, Any]:
    """A player that resigns gives up what there was; one that declares rightly wins."""
    if how == "declares":
        return {"status": ANSWERED, "move_score": MATE, "loss": 0.0, "reason": "declared a win"}
    best = position.scores[0] if position.scores else MATE
    return {"status": ANSWERED, "move_score": -MATE, "loss": loss_between(best, -MATE, scale), "reason": "resigned"}


def _known(value: object) -> int:
    return int(value) if isinstance(value, int) else UNKNOWN


# ── Columns and their file ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Answers:
    """Answers as columns of equal length, in the order of the suite; those of `Answer`."""

    columns: dict[str, npt.NDArray[Any]]

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Answers:
        """The columns of single answers."""
        return cls(
            {
                each.name: np.array([getattr(one, each.name) for one in answers], dtype=_KINDS[each.name])
                for each in fields(Answer)
            }
        )

    def __len__(self) -> int:
        return len(self.columns["loss"])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def row(self, number: int) -> Answer:
        """One answer."""
        return Answer(**{name: _plain(column[number]) for name, column in self.columns.items()})

    @property
    def judged(self) -> npt.NDArray[np.bool_]:
        """Where there is a loss."""
        found: npt.NDArray[np.bool_] = self["status"] != FAILED
        return found

    def has_tag(self, tag: str) -> npt.NDArray[np.bool_]:
        """Where a position has a tag."""
        return np.array([tag in tags.split() for tags in self["tags"]], dtype=np.bool_)

    def all_tags(self) -> list[str]:
        """The tags that occur, sorted."""
        return sorted({tag for tags in set(self["tags"].tolist()) for tag in tags.split()})


_TYPES: dict[str, tuple[Any, Any]] = {"str": (object, pa.string()), "float": (np.float64, pa.float64())}
_KINDS = {each.name: _TYPES.get(str(each.type), (np.int64, None))[0] for each in fields(Answer)}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def write_answers(answers: Answers, head: dict[str, Any], path: Path) -> None:
    """Write answers as a Parquet file, with what the run was."""
    arrays = {}
    for name, column in answers.columns.items():
        if column.dtype == np.int64:
            arrays[name] = pa.array(column, type=pa.int64(), mask=column == UNKNOWN)
        else:
            arrays[name] = pa.array(column, type=pa.string() if column.dtype == object else pa.float64())
    table = pa.table(arrays).replace_schema_metadata({_META: json.dumps(head).encode()})
    write_with(path, lambda temporary: pq.write_table(table, temporary, compression="zstd"))


def read_answers(path: Path) -> tuple[Answers, dict[str, Any]]:
    """Answers of a file, and what the run was."""
    try:
        table = pq.read_table(path)
        head = json.loads((table.schema.metadata or {})[_META])
        columns = {name: _column(table.column(name), kind) for name, kind in _KINDS.items()}
    except FileNotFoundError:
        raise InputError(f"{path.parent} has no {path.name}: the run is not finished; give its command again") from None
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        raise InputError(f"{path} is damaged: {str(error).splitlines()[0]}") from None
    return Answers(columns), head


def _column(column: pa.ChunkedArray, kind: Any) -> npt.NDArray[Any]:
    if kind is object:
        return np.array(column.to_pylist(), dtype=object)
    if kind is np.int64:
        return np.asarray(column.fill_null(UNKNOWN), dtype=np.int64)
    return np.asarray(column, dtype=np.float64)
