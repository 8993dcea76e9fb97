"""What a dataset holds, counted: against the samples themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from othello_sets import OTHELLO, small, transcripts

from evalsmith.positions.importing.games import import_games
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.info import dataset_info
from evalsmith.report.datasets import write_dataset_report
from evalsmith.run.errors import InputError


def test_counts_agree_with_the_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "ROWS_PER_PART", 100)
    files = [transcripts(tmp_path / "a.txt", range(5)), transcripts(tmp_path / "b.txt", range(3, 6))]
    dataset = import_games(files, tmp_path / "d", game="othello")
    found, samples = dataset_info(dataset.path).to_json(), dataset.read()
    assert (found["positions"], found["games"], found["complete"]) == (len(samples), 8, True)
    target = samples.target
    assert [found["won"], found["tied"], found["lost"]] == [(target > 0).sum(), (target == 0).sum(), (target < 0).sum()]
    assert found["mean_absolute"] == pytest.approx(np.abs(target).mean())
    assert found["stages"] == {
        int(p): int(n) for p, n in zip(*np.unique(samples.phase, return_counts=True), strict=True)
    }
    assert sum(found["plies"].values()) == len(samples)
    assert found["labels"] == {"none": len(samples)}
    assert {name: counts["positions"] for name, counts in found["sources"].items()} == {
        "a.txt": int((samples.source == 0).sum()),
        "b.txt": int((samples.source == 1).sum()),
    }
    assert found["bytes"] == sum(part.stat().st_size for part in dataset.parts())


def test_all_parts_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As DuckDB, Polars and pandas read them: the same columns in every part, also where all of one is null."""
    monkeypatch.setattr(parts, "ROWS_PER_PART", 100)
    dataset = small(tmp_path, "d", range(5))
    files = sorted(str(part) for part in dataset.path.glob("*.parquet"))
    table = pq.ParquetDataset(files).read()
    assert len(files) > 2
    assert table.num_rows == dataset.rows()
    assert table["w0"].to_numpy().tolist() == dataset.read().words[:, 0].tolist()


def test_frequent_openings_are_shown_as_moves(tmp_path: Path) -> None:
    path = transcripts(tmp_path / "a.txt", range(3))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[0], lines[0], lines[1]]) + "\n")
    info = dataset_info(import_games([path], tmp_path / "d", game="othello").path)
    assert [(opening.games, opening.text.replace(" ", "")) for opening in info.openings] == [
        (3, lines[0][:12]),
        (2, lines[1][:12]),
    ]
    late = import_games([path], tmp_path / "e", game="othello", skip_first=10)
    info = dataset_info(late.path)
    assert info.opening_ply == 10
    assert OTHELLO.parse(info.openings[0].text).tolist() in late.read().words.tolist()


def test_a_page_of_several_datasets(tmp_path: Path) -> None:
    found = [dataset_info(small(tmp_path, name, seeds).path) for name, seeds in (("a", range(2)), ("b<i>", range(4)))]
    write_dataset_report(found, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 2  # stages and plies; there are no ratings and no scores
    assert "b&lt;i&gt;" in page
    assert "b<i>" not in page


def test_a_page_of_two_games_is_refused(tmp_path: Path) -> None:
    from evalsmith.games import find_game
    from evalsmith.positions.store.dataset import create_dataset

    create_dataset(tmp_path / "four", find_game("connect_four"), {"how": "test"})
    small(tmp_path, "a", range(1))
    with pytest.raises(InputError, match="datasets of one game"):
        write_dataset_report([dataset_info(tmp_path / "four"), dataset_info(tmp_path / "a")], tmp_path / "p.html")


def test_lost_parts_are_reported(tmp_path: Path) -> None:
    dataset = small(tmp_path, "a", range(1))
    dataset.parts()[0].unlink()
    with pytest.raises(InputError, match="parts are missing"):
        dataset_info(dataset.path)


def test_what_is_not_finished_is_described_as_such(tmp_path: Path) -> None:
    dataset = small(tmp_path, "a", range(1))
    dataset.unfinished()
    assert dataset_info(load_dataset(dataset.path).path).to_json()["complete"] is False


def test_games_without_a_position_are_explained(tmp_path: Path) -> None:
    file = transcripts(tmp_path / "games.transcript", range(12))
    every = import_games([file], tmp_path / "every")
    assert dataset_info(every).games == every.summary.games == 12
    assert "no position in it" not in str(dataset_info(every))
    late = import_games([file], tmp_path / "late", skip_first=60)  # only games with passes are longer
    info = dataset_info(late)
    assert late.summary.games == 12 > info.games > 0
    assert f"12 games were imported for late; {12 - info.games} of them have no position in it." in str(info)
