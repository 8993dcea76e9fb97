"""Datasets: what is written is read, nulls too, and whatever is not a dataset of this game is refused by name."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalsmith.games import find_game
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.positions.store.dataset import HEAD, create_dataset, is_dataset, load_dataset
from evalsmith.positions.store.parts import part_games, read_part, write_part
from evalsmith.run.errors import InputError, MismatchError, UnknownGame

OTHELLO = find_game("othello")
MADE = {"how": "test", "seed": 3}


def some(count: int, seed: int) -> Samples:
    source = np.random.default_rng(seed)

    def values() -> np.ndarray[Any, np.dtype[np.int32]]:
        known = source.integers(-6400, 6401, count)
        return np.where(source.random(count) < 0.3, UNKNOWN, known).astype(np.int32)

    return Samples(
        source.integers(0, 2**64, (count, 3), dtype=np.uint64),
        source.integers(0, 2**40, count, dtype=np.int64),
        source.integers(0, 60, count, dtype=np.int32),
        source.integers(0, 64, count, dtype=np.int32),
        values(),
        values(),
    )


def same(a: Samples, b: Samples) -> bool:
    return all(np.array_equal(getattr(a, field.name), getattr(b, field.name)) for field in fields(Samples))


# ── Round trips ──


def test_what_is_written_is_read(tmp_path: Path) -> None:
    dataset = create_dataset(tmp_path / "d", OTHELLO, MADE)
    parts = [some(count, count) for count in (100, 0, 37)]
    for number, samples in enumerate(parts):
        write_part(dataset.path, number, samples, OTHELLO)
    for number, samples in enumerate(parts):
        assert same(read_part(dataset.parts()[number], OTHELLO), samples)
    opened = load_dataset(tmp_path / "d")
    assert (opened.game, opened.made, opened.rows()) == (OTHELLO, MADE, 137)
    assert same(opened.read(), Samples.join(parts, 3))
    assert [opened.has(number) for number in range(4)] == [True, True, True, False]
    assert is_dataset(tmp_path / "d")
    assert not is_dataset(tmp_path)


def test_the_file_is_plain_parquet_with_nulls(tmp_path: Path) -> None:
    samples = some(50, 1)
    write_part(tmp_path, 3, samples, OTHELLO, games=9)
    table = pq.read_table(tmp_path / "part-00003.parquet", partitioning=None)
    assert {name: str(table.schema.field(name).type) for name in table.column_names} == {
        "w0": "uint64", "w1": "uint64", "w2": "uint64", "game": "int64", "ply": "int32", "phase": "int16",
        "result": "int32", "score": "int32", "label": "int8", "depth": "int16", "rating": "int16", "opponent": "int16",
        "source": "int32",
    }  # fmt: skip
    for name in ("result", "score"):
        told = [None if value == UNKNOWN else value for value in getattr(samples, name).tolist()]
        assert table[name].to_pylist() == told
        assert None in told
    assert table.schema.metadata[b"game"] == b"othello"
    assert part_games(tmp_path / "part-00003.parquet") == 9


def test_samples_that_were_read_can_be_changed(tmp_path: Path) -> None:
    write_part(tmp_path, 0, some(5, 1), OTHELLO)
    read = read_part(tmp_path / "part-00000.parquet", OTHELLO)
    read.score[0] = 12
    assert read.score[0] == 12


def test_columns_of_others_are_taken_where_they_fit(tmp_path: Path) -> None:
    """Other programs write other widths, other orders and columns of their own."""
    samples = some(20, 2)
    samples.words[:] = OTHELLO.start()  # what others write is looked at, position by position
    columns = {
        "remark": pa.array(["x"] * 20),
        "score": pa.array(samples.score, mask=samples.score == UNKNOWN).cast(pa.int64()),
        "result": pa.nulls(20, pa.int64()),
        "phase": pa.array(samples.phase.astype(np.uint8)),
        "ply": pa.array(samples.ply.astype(np.int64)),
        "game": pa.array(np.arange(20, dtype=np.int16)),
        **{f"w{i}": pa.array(samples.words[:, i]) for i in range(3)},
    }
    pq.write_table(pa.table(columns), tmp_path / "part-00000.parquet")
    read = read_part(tmp_path / "part-00000.parquet", OTHELLO)
    assert np.array_equal(read.words, samples.words)
    assert np.array_equal(read.score, samples.score)
    assert (read.result == UNKNOWN).all()
    assert read.game.tolist() == list(range(20))
    assert part_games(tmp_path / "part-00000.parquet") == 0


# ── Beginning and going on ──


def test_a_dataset_goes_on_if_it_is_made_the_same_way(tmp_path: Path) -> None:
    create_dataset(tmp_path, OTHELLO, MADE)
    write_part(tmp_path, 0, some(5, 1), OTHELLO)
    assert create_dataset(tmp_path, OTHELLO, dict(MADE)).rows() == 5
    with pytest.raises(MismatchError, match="was made with other settings"):
        create_dataset(tmp_path, OTHELLO, MADE | {"seed": 4})


def test_parts_without_a_head_are_not_overwritten(tmp_path: Path) -> None:
    write_part(tmp_path, 0, some(5, 1), OTHELLO)
    with pytest.raises(MismatchError, match=rf"holds parts of a dataset but no {HEAD}"):
        create_dataset(tmp_path, OTHELLO, MADE)


def test_another_game_is_refused(tmp_path: Path) -> None:
    create_dataset(tmp_path, OTHELLO, MADE)
    with pytest.raises(MismatchError, match="holds positions of othello, not of connect_four"):
        load_dataset(tmp_path, find_game("connect_four"))
    with pytest.raises(MismatchError, match="holds positions of othello, not of connect_four"):
        create_dataset(tmp_path, find_game("connect_four"), MADE)


def test_other_rules_are_refused(tmp_path: Path) -> None:
    create_dataset(tmp_path, OTHELLO, MADE)
    with pytest.raises(MismatchError, match="rules version 1 of othello; this is version 2: make the dataset again"):
        load_dataset(tmp_path, replace(OTHELLO, rules_version=2))


# ── What is no dataset ──


def test_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no dataset .*absent"):
        load_dataset(tmp_path / "absent")
    with pytest.raises(InputError, match=f"is not a dataset: it has no {HEAD}"):
        load_dataset(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file, not a dataset folder"):
        load_dataset(tmp_path / "file")


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        ({"format": "other"}, InputError, 'lacks "format": "evalsmith-dataset"'),
        ({"version": 7}, MismatchError, "is version 7 of the dataset format"),
        ({"game": "ludo"}, UnknownGame, "'ludo'"),
        ({"game": None}, UnknownGame, "'None'"),
    ],
)
def test_a_head_that_is_something_else(
    tmp_path: Path, change: dict[str, Any], kind: type[Exception], reason: str
) -> None:
    create_dataset(tmp_path, OTHELLO, MADE)
    head = json.loads((tmp_path / HEAD).read_text()) | change
    (tmp_path / HEAD).write_text(json.dumps(head))
    with pytest.raises(kind, match=reason):
        load_dataset(tmp_path)


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff\xfe", b"[]", b"3", b"[" * 100_000])
def test_a_damaged_head_is_named(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / HEAD).write_bytes(raw)
    with pytest.raises(InputError, match=HEAD):
        load_dataset(tmp_path)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_part_that_was_cut_is_named(tmp_path: Path, share: float) -> None:
    dataset = create_dataset(tmp_path, OTHELLO, MADE)
    for number in (0, 1):
        write_part(tmp_path, number, some(200, number), OTHELLO)
    path = tmp_path / "part-00001.parquet"
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    for ask in (dataset.read, dataset.rows):
        with pytest.raises(InputError, match=r"part-00001\.parquet is not a readable Parquet file"):
            ask()


def test_flipped_bytes_give_samples_or_a_named_part(tmp_path: Path) -> None:
    write_part(tmp_path, 0, some(300, 4), OTHELLO)
    path = tmp_path / "part-00000.parquet"
    whole = path.read_bytes()
    for place in range(0, len(whole), 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            read_part(path, OTHELLO)
        except InputError as error:
            assert "part-00000.parquet" in str(error)


def _with(name: str, column: Any) -> dict[str, Any]:
    count = 4
    columns = {f"w{i}": pa.array(np.zeros(count, dtype=np.uint64)) for i in range(3)}
    columns |= {key: pa.array(np.zeros(count, dtype=np.int32)) for key in ("game", "ply", "phase", "result", "score")}
    columns[name] = column
    return {key: value for key, value in columns.items() if value is not None}


@pytest.mark.parametrize(
    ("name", "column", "reason"),
    [
        ("score", None, "lacks the columns score"),
        ("w1", None, "lacks the columns w1"),
        ("w0", pa.array([1, 2, None, 4], pa.uint64()), "the column w0 lacks 1 of its numbers"),
        ("game", pa.array([1, None, None, 4], pa.int64()), "the column game lacks 2 of its numbers"),
        ("w0", pa.array([1, 2, -3, 4], pa.int64()), "a number of the column w0 does not fit uint64"),
        ("ply", pa.array([1, 2, 2**40, 4], pa.int64()), "a number of the column ply does not fit int32"),
        ("result", pa.array([1.0, 2.5, 3.0, 4.0]), "the column result should hold whole numbers, not double"),
        ("result", pa.array(["a", "b", "c", "d"]), "the column result should hold whole numbers, not string"),
        ("phase", pa.array([0, 1, 2, 64], pa.int32()), "the column phase goes from 0 to 63 in othello"),
        ("phase", pa.array([0, -1, 2, 3], pa.int32()), "the column phase goes from 0 to 63 in othello"),
    ],
)
def test_columns_that_are_wrong_are_named(tmp_path: Path, name: str, column: Any, reason: str) -> None:
    pq.write_table(pa.table(_with(name, column)), tmp_path / "part-00000.parquet")
    with pytest.raises(InputError) as caught:
        read_part(tmp_path / "part-00000.parquet", OTHELLO)
    assert reason in str(caught.value)
    assert "part-00000.parquet" in str(caught.value)
