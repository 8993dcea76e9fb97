"""Parts as others see and write them: columns, texts, sizes, and rows that are no positions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from chess_games import CHESS, batch, record, scored

from evalsmith.games import find_game
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.chooser import Chooser
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.store import parts
from evalsmith.positions.store.parts import read_part, write_part
from evalsmith.run.errors import InputError


@pytest.fixture
def samples() -> Samples:
    games = batch(scored(1), *(record(seed, 60, ratings=(2000.0 + seed, None)) for seed in range(2, 30)))
    return Samples.join(Chooser(CHESS, Selection()).games_of(games, 0), CHESS.words)


def test_derived_words_are_not_in_the_file(tmp_path: Path, samples: Samples) -> None:
    write_part(tmp_path, 0, samples, CHESS)
    table = pq.read_table(tmp_path / "part-00000.parquet", partitioning=None)
    assert [name for name in table.column_names if name.startswith("w")] == [f"w{i}" for i in (0, 1, 2, 3, 4, 5, 6, 8)]
    back = read_part(tmp_path / "part-00000.parquet", CHESS)
    for name in ("words", "score", "label", "depth", "rating", "opponent", "source", "phase", "ply", "game", "result"):
        assert np.array_equal(getattr(back, name), getattr(samples, name)), name
    assert table["rating"].null_count == (samples.rating < 0).sum() > 0


def test_texts_on_demand(tmp_path: Path, samples: Samples) -> None:
    write_part(tmp_path, 0, samples, CHESS, text=True)
    table = pq.read_table(tmp_path / "part-00000.parquet", partitioning=None)
    assert table["text"].to_pylist() == [CHESS.format(row) for row in samples.words]
    assert parts.has_text(tmp_path / "part-00000.parquet")


def rewrite(path: Path, change: dict[str, object]) -> None:
    """What another program makes of a part: the columns it knows, and no memory of what we wrote there."""
    table = pq.read_table(path, partitioning=None).replace_schema_metadata(None)
    for name, values in change.items():
        place = table.column_names.index(name)
        if values is None:
            table = table.remove_column(place)
        else:
            table = table.set_column(place, name, values if isinstance(values, pa.Array) else pa.array(values))
    pq.write_table(table, path)


def test_parts_of_others_are_judged_in_bulk(tmp_path: Path, samples: Samples) -> None:
    path = tmp_path / "part-00000.parquet"
    write_part(tmp_path, 0, samples, CHESS)
    rewrite(path, {"phase": None, "label": None, "depth": None, "rating": None, "opponent": None, "source": None})
    read = read_part(path, CHESS)
    assert np.array_equal(read.words, samples.words)
    assert np.array_equal(read.phase, samples.phase)
    assert (read.rating == -1).all()
    damaged = samples.words[:, 5].copy()
    damaged[300] = 0
    rewrite(path, {"w5": damaged})
    with pytest.raises(InputError, match="row 300 is not a position of chess"):
        read_part(path, CHESS)


def test_large_parts_of_others_are_read_by_row_groups(
    tmp_path: Path, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "ROWS_PER_PART", 200)
    path = tmp_path / "part-00000.parquet"
    write_part(tmp_path, 0, samples, CHESS)
    assert pq.ParquetFile(path).num_row_groups > 2
    batches = list(parts.read_batches(path, CHESS))
    assert len(batches) > 2
    assert np.array_equal(Samples.join(batches, CHESS.words).words, samples.words)
    damaged = samples.words[:, 5].copy()
    damaged[-1] = 0
    rewrite(path, {"w5": damaged})
    with pytest.raises(InputError, match="not a position of chess"):
        list(parts.read_batches(path, CHESS))


@pytest.mark.parametrize(
    ("column", "values", "told"),
    [
        ("label", [9], "label goes from 0 to 5"),
        ("phase", [25], "phase goes from 0 to 24"),
        ("ply", pa.array([None], pa.int32()), "lacks 1 of its numbers"),
        ("ply", [0.5], "should hold whole numbers"),
        ("w0", [-1], "does not fit uint64"),
        ("depth", [70000], "does not fit int16"),
    ],
)
def test_impossible_columns_are_refused(tmp_path: Path, column: str, values: object, told: str) -> None:
    one = Samples.join(Chooser(CHESS, Selection()).games_of(batch(record(1, 1)), 0), CHESS.words)
    write_part(tmp_path, 0, one, CHESS)
    rewrite(tmp_path / "part-00000.parquet", {column: values})
    with pytest.raises(InputError, match=told):
        read_part(tmp_path / "part-00000.parquet", CHESS)


def test_chess_takes_few_bytes_a_position(tmp_path: Path, samples: Samples) -> None:
    """Random games change more from ply to ply than real ones, and a small file has its head to carry."""
    many = Samples.join([samples] + [_other_games(seed) for seed in range(3)], CHESS.words)
    write_part(tmp_path, 0, many, CHESS)
    assert (tmp_path / "part-00000.parquet").stat().st_size / len(many) < 16
    write_part(tmp_path, 1, many.take(np.random.default_rng(1).permutation(len(many))), CHESS)
    assert (tmp_path / "part-00001.parquet").stat().st_size / len(many) < 40


def _other_games(seed: int) -> Samples:
    games = batch(*(record(1000 + 40 * seed + number, 80) for number in range(40)))
    return Samples.join(Chooser(CHESS, Selection()).games_of(games, 0), CHESS.words)


def test_a_game_without_a_hook_is_judged_by_its_texts(tmp_path: Path) -> None:
    four = find_game("connect_four")
    words = np.array([four.start()] * 3)
    none = np.zeros(3, dtype=np.int32)
    write_part(tmp_path, 0, Samples(words, np.arange(3), none, none, none, none), four)
    rewrite(tmp_path / "part-00000.parquet", {})
    assert len(read_part(tmp_path / "part-00000.parquet", four)) == 3
    rewrite(tmp_path / "part-00000.parquet", {"w0": np.array([0, 2**63 + 5, 0], dtype=np.uint64)})
    with pytest.raises(InputError, match="row 1 is not a position of connect_four"):
        read_part(tmp_path / "part-00000.parquet", four)
