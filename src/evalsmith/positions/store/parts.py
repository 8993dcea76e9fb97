"""The parts of a dataset: samples as Parquet columns and back, checked.

    w0 … w9     uint64  the words of the position that the game needs; those it can derive are left out
    game        int64   the number of the game in the dataset
    ply         int32   moves and outcomes of chance before the position
    phase       int16   the stage, as the game counts it
    result      int32   of the game, for the side to move, in the game's unit; null where not known
    score       int32   a value of the position, likewise
    label       int8    how the score was found: 0 none, 1 reported, 2 playout, 3 search, 4 exact, 5 player
    depth       int16   plies that the score looked ahead; null where not known
    rating      int16   Elo of the side to move, null where not known
    opponent    int16   Elo of the other side
    source      int32   number of the source in dataset.json
    move        int32   the move played, as the game numbers moves; null where not known, missing where none is
    line_moves  list    of int32: the best moves that a search reported, best first; missing where no row has any
    line_scores list    of int32: their scores, for the side to move
    line_depths list    of int16: how many plies each looked ahead, null where not known
    policy_moves  list  of int32: the moves of a distribution over moves; missing where no row has one
    policy_shares list  of float64: their shares, which add up to 1
    cleared     int32   what a game for one cleared from there to its end; missing where nobody counted
    duration    int32   how long that took, in the unit of the file that it comes from
    text        string  the position as the game writes it (FEN, SFEN …), only where it was asked for

Words are stored plainly and packed by zstd: in the order of a game most of them repeat, and every reader of Parquet
knows that encoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evalsmith.compile import Word, Words, driver
from evalsmith.games import Game, bulk
from evalsmith.games.bulk import ask_each, bulk_of
from evalsmith.games.contract import PHASE
from evalsmith.games.keys import mix
from evalsmith.positions.samples import LABELS, UNKNOWN, Samples
from evalsmith.positions.store.bounds import HIGHEST_MOVE
from evalsmith.positions.store.columns import (
    LINES,
    POLICY,
    column_of,
    line_columns,
    lines_of,
    policy_columns,
    policy_of,
)
from evalsmith.run import InputError, write_bytes

ROWS_PER_PART = 250_000  # a part is read at once: 30 MB of samples, a few times that while it is read
TEXT = "text"
MOVE = "move"
_MINUS_ONE_IS_NULL = ("depth", "rating", "opponent", MOVE, "cleared", "duration")
_LEFT_OUT_IF_UNKNOWN = (MOVE, "cleared", "duration")
_KINDS = {"game": pa.int64(), "ply": pa.int32(), "phase": pa.int16(), "result": pa.int32(), "score": pa.int32()}
_OPTIONAL = {"label": pa.int8(), "depth": pa.int16(), "rating": pa.int16(), "opponent": pa.int16()}
_OPTIONAL |= {"source": pa.int32(), MOVE: pa.int32(), "cleared": pa.int32(), "duration": pa.int32()}
_PLAIN = ("game", "ply", TEXT)
_FEW = 64  # rows of somebody else's part whose texts are looked at, besides what is judged in bulk


def part_path(path: Path, number: int) -> Path:
    """Where part ``number`` of a dataset stands."""
    return path / f"part-{number:05d}.parquet"


def number_of(part: Path) -> int:
    """The number of a part by its name; -1 where somebody gave it another."""
    number = part.stem.removeprefix("part-")
    return int(number) if number.isascii() and number.isdigit() else -1


def write_part(
    path: Path,
    number: int,
    samples: Samples,
    game: Game,
    games: int | None = None,
    *,
    text: bool = False,
    facts: dict[str, str] | None = None,
) -> None:
    """Write one part in one step; see `part_bytes`."""
    write_bytes(part_path(path, number), part_bytes(samples, game, games, text=text, facts=facts))


def part_bytes(
    samples: Samples,
    game: Game,
    games: int | None = None,
    *,
    text: bool = False,
    facts: dict[str, str] | None = None,
) -> bytes:
    """One part as its file holds it; ``games`` is how many were played for it, those that left no sample too.

    ``text`` adds the positions as text, ``facts`` are stored in the metadata of the file.
    """
    stored = bulk_of(game).stored
    words = [np.ascontiguousarray(samples.words[:, word]) for word in stored]
    columns: dict[str, pa.Array] = {f"w{word}": pa.array(column) for word, column in zip(stored, words, strict=True)}
    for name, kind in (_KINDS | _OPTIONAL).items():
        values = getattr(samples, name)
        if name in _LEFT_OUT_IF_UNKNOWN and (values < 0).all():
            continue
        unknown = UNKNOWN if name in ("result", "score") else -1 if name in _MINUS_ONE_IS_NULL else None
        columns[name] = pa.array(values, mask=None if unknown is None else values == unknown).cast(kind)
    columns |= line_columns(samples) | policy_columns(samples)
    if text:
        columns[TEXT] = pa.array([game.format(row) for row in samples.words], pa.string())
    facts = {"game": game.name, "rules_version": str(game.rules_version), "unit": game.unit, **(facts or {})}
    if games is not None:
        facts["games"] = str(games)
    facts["words"] = _digest(words)
    table = pa.table(columns).replace_schema_metadata(facts)
    packed = [name for name in columns if name not in _PLAIN and not name.startswith("w")]
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", use_dictionary=packed, row_group_size=ROWS_PER_PART)
    return sink.getvalue().to_pybytes()


def read_part(path: Path, game: Game) -> Samples:
    """All samples of one part, checked."""
    return Samples.join(list(read_batches(path, game)), game.words)


def read_batches(path: Path, game: Game) -> Iterator[Samples]:
    """The samples of one part: at once, or by its row groups where somebody made it larger than we do."""
    with _open(path) as file:
        groups = range(file.num_row_groups)
        at_once = file.metadata.num_rows <= 2 * ROWS_PER_PART
        for chosen in [list(groups)] if at_once else [[group] for group in groups]:
            yield _samples(path, game, _read(path, file, chosen, game), trusted=at_once)


def _read(path: Path, file: Any, groups: list[int], game: Game) -> Any:
    wanted = [f"w{word}" for word in bulk_of(game).stored] + [name for name in _KINDS if name != "phase"]
    names = file.schema_arrow.names
    if missing := [name for name in wanted if name not in names]:
        raise InputError(f"{path} lacks the columns {', '.join(missing)}")
    columns = [*wanted, *(name for name in ("phase", *_OPTIONAL, *LINES, *POLICY) if name in names)]
    try:
        return file.read_row_groups(groups, columns=columns) if groups else file.schema_arrow.empty_table()
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} is not a readable Parquet file: {error}") from None


def _samples(path: Path, game: Game, table: Any, *, trusted: bool) -> Samples:
    bulk = bulk_of(game)
    columns = [column_of(path, table, f"w{word}", pa.uint64()) for word in bulk.stored]
    words = np.zeros((len(columns[0]), game.words), dtype=np.uint64)
    for word, column in zip(bulk.stored, columns, strict=True):
        words[:, word] = column
    bulk.restore(words)
    stored = (table.schema.metadata or {}).get(b"words", b"").decode("ascii", "replace")
    if not trusted or stored != _digest(columns):
        check_positions(path, words, game)
    found = {name: column_of(path, table, name, _KINDS[name], UNKNOWN) for name in ("result", "score")}
    found |= {name: column_of(path, table, name, _KINDS[name]) for name in ("game", "ply")}
    for name, kind in _OPTIONAL.items():
        if name in table.column_names:
            found[name] = column_of(path, table, name, kind, -1 if name in _MINUS_ONE_IS_NULL else 0)
    if "label" in found and not ((found["label"] >= 0) & (found["label"] < len(LABELS))).all():
        raise InputError(f"{path}: the column label goes from 0 to {len(LABELS) - 1}, but here beyond it")
    if MOVE in found and not ((found[MOVE] >= -1) & (found[MOVE] <= HIGHEST_MOVE)).all():
        raise InputError(f"{path}: the column {MOVE} goes from 0 to {HIGHEST_MOVE:,}, but here beyond it")
    phases = len(game.evaluation.blend)
    if "phase" in table.column_names:
        found["phase"] = column_of(path, table, "phase", pa.int32())
        if len(words) and not 0 <= found["phase"].min() <= found["phase"].max() < phases:
            raise InputError(f"{path}: the column phase goes from 0 to {phases - 1} in {game.name}, but here beyond it")
    else:
        found["phase"] = ask_each(game, PHASE, words).astype(np.int32)
    lines, policy = lines_of(path, table, len(words)), policy_of(path, table, len(words))
    return Samples(words, lines=lines, policy=policy, **found)


@driver("uint64(uint64, uint64[::1])")
def _fold(state: Word, column: Words) -> Word:
    """Stir a column into a hash."""
    for i in range(column.shape[0]):
        state = mix(state, column[i])
    return state


def _digest(words: list[npt.NDArray[np.uint64]]) -> str:
    """A hash of the positions; kernels must never see words that no position has."""
    state = np.uint64(len(words[0]))
    for column in words:
        state = np.uint64(_fold(state, column))
    return f"{int(state):016x}"


def check_positions(path: Path, words: npt.NDArray[np.uint64], game: Game) -> None:
    """Look at every position of a part that we did not write as it is; a few are also read back from their texts."""
    verdicts = bulk_of(game).judge(words)
    some = np.linspace(0, len(words) - 1, min(_FEW, len(words))).astype(np.intp)
    wrong = set(np.flatnonzero(verdicts == bulk.INVALID)[:1].tolist())
    for number in {*np.flatnonzero(verdicts == bulk.UNKNOWN).tolist(), *some.tolist()} if not wrong else ():
        try:
            same = bool((game.parse(game.format(words[number])) == words[number]).all())
        except Exception:
            same = False
        if not same:
            wrong.add(number)
    if wrong:
        raise InputError(f"{path}: row {min(wrong)} is not a position of {game.name}")


def part_rows(path: Path) -> int:
    """How many samples a part has."""
    with _open(path) as file:
        return int(file.metadata.num_rows)


def count_games(parts: Sequence[Path]) -> int:
    """How many games have a sample in some parts, which hold them in the order of their numbers."""
    count, last = 0, -1
    for path in parts:
        with _open(path) as file:
            games = np.unique(column_of(path, file.read(columns=["game"]), "game", pa.int64()))
        count += len(games) - int(len(games) > 0 and games[0] == last)
        last = int(games[-1]) if len(games) else last
    return count


def highest_game(path: Path) -> int:
    """The highest number of a game in a part; -1 where it has none."""
    with _open(path) as file:
        games = column_of(path, file.read(columns=["game"]), "game", pa.int64())
    return int(games.max(initial=-1))


def has_text(path: Path) -> bool:
    """Whether a part has the positions as text too."""
    with _open(path) as file:
        return TEXT in file.schema_arrow.names


def part_fact(path: Path, name: str) -> str:
    """What the metadata of the file holds under a name; empty where there is nothing."""
    with _open(path) as file:
        stored: bytes = (file.metadata.metadata or {}).get(name.encode(), b"")
    return stored.decode("utf-8", "replace")


def part_games(path: Path) -> int:
    """How many games were played for a part; 0 where it does not say."""
    games = part_fact(path, "games")
    return int(games) if games.isascii() and games.isdigit() else 0


def _open(path: Path) -> Any:
    try:
        return pq.ParquetFile(path, memory_map=True)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} is not a readable Parquet file: {error}") from None
