"""Datasets are read by DuckDB, Polars and pandas as they are: the lines that the documentation shows."""

from __future__ import annotations

import glob
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pandas
import polars
import pytest
from chess_games import CHESS, batch, record, scored

from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.positions.selection.chooser import Chooser
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import create_dataset
from evalsmith.positions.store.parts import write_part


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Samples]:
    """Three parts in a folder called games: with ratings and without, one game without a result, and FENs."""
    monkeypatch.chdir(tmp_path)
    chooser = Chooser(CHESS, Selection(unknown_results=True))
    records = [record(1, ratings=(2500.0, 2300.0)), scored(2), record(4, 12, result=None)]
    dataset = create_dataset(Path("games"), CHESS, {"how": "test"}, [{"name": "a"}])
    found = []
    for number, each in enumerate(records):
        found += chooser.games_of(batch(each), number)
        write_part(dataset.path, number, found[-1], CHESS, text=True)
    samples = dataset.read()
    samples.lines.setflags(write=False)
    return dataset.path, samples


def by_phase(samples: Samples) -> dict[int, tuple[int, float | None]]:
    found = {}
    for phase, count in Counter(samples.phase.tolist()).items():
        known = samples.result[(samples.phase == phase) & (samples.result != UNKNOWN)]
        found[phase] = (count, float(known.mean()) if len(known) else None)
    return found


def test_duckdb(games: tuple[Path, Samples]) -> None:
    _, samples = games
    with duckdb.connect() as connection:
        rows = connection.sql(
            "SELECT phase, count(*), avg(result) FROM 'games/*.parquet' GROUP BY phase ORDER BY phase"
        ).fetchall()
        assert {phase: (count, mean) for phase, count, mean in rows} == by_phase(samples)
        rows = connection.sql(
            "SELECT text, score, label, depth, rating, opponent, source, move FROM 'games/*.parquet' ORDER BY game, ply"
        ).fetchall()
        assert [row[0] for row in rows] == [CHESS.format(row) for row in samples.words]
        assert [row[1] for row in rows] == [None if score == UNKNOWN else score for score in samples.score.tolist()]
        assert [row[4] for row in rows] == [None if each < 0 else each for each in samples.rating.tolist()]
        assert [(row[2], row[6], row[7]) for row in rows] == list(
            zip(samples.label.tolist(), samples.source.tolist(), samples.move.tolist(), strict=True)
        )
        # Bit 0 of the pawns is a1, so e2 is bit 12.
        found = connection.sql("SELECT count(*) FROM 'games/*.parquet' WHERE w0 & (1::UBIGINT << 12) <> 0").fetchall()
        assert found == [(int((samples.words[:, 0] >> np.uint64(12) & np.uint64(1)).sum()),)]


def test_polars(games: tuple[Path, Samples]) -> None:
    _, samples = games
    frame = polars.scan_parquet("games/*.parquet").filter(polars.col("rating") > 2400).collect()
    strong = samples.take(samples.rating > 2400)
    assert 0 < len(strong) < len(samples)
    assert frame["text"].to_list() == [CHESS.format(row) for row in strong.words]
    assert frame["result"].to_list() == strong.result.tolist()
    assert np.array_equal(frame["w0"].to_numpy(), strong.words[:, 0])
    whole = polars.read_parquet("games/*.parquet")
    assert whole["result"].null_count() == int((samples.result == UNKNOWN).sum())
    assert whole["depth"].drop_nulls().to_list() == samples.depth[samples.depth >= 0].tolist()
    assert whole.select("game", "ply", "phase", "source", "move").rows() == list(
        zip(*(getattr(samples, name).tolist() for name in ("game", "ply", "phase", "source", "move")), strict=True)
    )


def test_pandas(games: tuple[Path, Samples]) -> None:
    _, samples = games
    frame = pandas.concat(map(pandas.read_parquet, sorted(glob.glob("games/*.parquet"))))  # noqa: PTH207  (as shown)
    assert len(frame) == len(samples)
    assert frame["text"].tolist() == [CHESS.format(row) for row in samples.words]
    assert frame["w5"].tolist() == samples.words[:, 5].tolist()
    assert int(frame["result"].isna().sum()) == int((samples.result == UNKNOWN).sum())
    assert frame["result"].dropna().tolist() == samples.result[samples.result != UNKNOWN].tolist()
    assert frame["opponent"].dropna().tolist() == samples.opponent[samples.opponent >= 0].tolist()
    assert frame.groupby("game").size().tolist() == [int((samples.game == game).sum()) for game in range(3)]


def test_what_they_write_is_a_part_again(games: tuple[Path, Samples]) -> None:
    path, samples = games
    for part in sorted(path.glob("*.parquet")):
        if part.name.endswith("0.parquet"):
            polars.read_parquet(part).write_parquet(part)
        elif part.name.endswith("1.parquet"):
            pandas.read_parquet(part, dtype_backend="pyarrow").to_parquet(part)
        else:
            with duckdb.connect() as connection:
                connection.sql(f"SELECT * FROM '{part}'").write_parquet(f"{part}.new")
            Path(f"{part}.new").replace(part)
    back = Samples.join([parts.read_part(part, CHESS) for part in sorted(path.glob("*.parquet"))], CHESS.words)
    for name in ("words", "game", "ply", "phase", "result", "score", "label", "depth", "rating", "source", "move"):
        assert np.array_equal(getattr(back, name), getattr(samples, name)), name
