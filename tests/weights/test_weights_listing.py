"""Single weights by name, with how often positions read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

from evalsmith.games import Game, Position, find_game
from evalsmith.games.contract import call_terms
from evalsmith.run import InputError
from evalsmith.weights import Weights, starting_weights
from evalsmith.weights.listing import count_seen, list_weights, write_listing
from fitting_samples import random_samples

OTHELLO, CHESS = find_game("othello"), find_game("chess")
SAMPLES = random_samples(OTHELLO, 3)
WEIGHTS = starting_weights(OTHELLO)
SEEN = count_seen(WEIGHTS, [SAMPLES.part(0, 50), SAMPLES.part(50, len(SAMPLES))])


def terms(game: Game, position: Position) -> list[int]:
    index, value = np.zeros(game.max_terms, dtype=np.int32), np.zeros(game.max_terms, dtype=np.int16)
    count = call_terms(game.context(evaluation=True).row, position, index, value)
    return index[:count].tolist()


def test_counts_are_those_of_the_terms_one_by_one() -> None:
    expected = np.zeros_like(SEEN)
    for row, phase in zip(SAMPLES.words, SAMPLES.phase, strict=True):
        np.add.at(expected[phase], terms(OTHELLO, row), 1)
    assert np.array_equal(SEEN, expected)


def test_columns_that_are_blended_read_the_same() -> None:
    samples = random_samples(CHESS, 1)
    seen = count_seen(starting_weights(CHESS), [samples])
    assert seen.shape == starting_weights(CHESS).values.shape
    assert np.array_equal(seen[0], seen[1])
    assert seen[0].sum() == sum(len(terms(CHESS, row)) for row in samples.words)


def test_the_rarest_come_first_and_were_seen() -> None:
    column = int(SAMPLES.phase[10])
    listed = list_weights(WEIGHTS, column, 30, seen=SEEN, rare=True)
    counts = [each.seen for each in listed]
    assert counts == sorted(counts) and counts[0] == 1
    part = WEIGHTS.layout.slice_of("corner3x3")
    for each in list_weights(WEIGHTS, column, 5, seen=SEEN, feature="corner3x3", rare=True):
        assert each.feature == "corner3x3"
        assert (each.weight, each.seen) == (
            WEIGHTS.values[column, part][each.index],
            SEEN[column, part][each.index],
        )
    with pytest.raises(InputError, match="--rare needs a dataset"):
        list_weights(WEIGHTS, 0, 5, rare=True)
    with pytest.raises(InputError, match="othello has no feature 'corners'; its features are: edge"):
        list_weights(WEIGHTS, 0, 5, feature="corners")


def test_the_largest_may_be_of_32_bits() -> None:
    values = WEIGHTS.values.copy()
    values[3, 700] = -(2**31)
    largest = list_weights(Weights(OTHELLO, values), 3, 1)[0]
    assert (largest.feature, largest.index, largest.weight, largest.seen) == ("edge+2x", 700, -(2**31), None)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_has_all_that_is_read_or_not_0(tmp_path: Path, suffix: str) -> None:
    path, columns = tmp_path / f"seen{suffix}", [int(SAMPLES.phase[10]), int(SAMPLES.phase[11])]
    rows = write_listing(WEIGHTS, path, columns, seen=SEEN, feature="diagonal4")
    read = pyarrow.csv.read_csv(path) if suffix == ".csv" else pyarrow.parquet.read_table(path)
    part = WEIGHTS.layout.slice_of("diagonal4")
    there = (WEIGHTS.values[columns, part] != 0) | (SEEN[columns, part] > 0)
    assert rows == read.num_rows == there.sum()
    assert sum(read["seen"].to_pylist()) == SEEN[columns, part].sum()
    assert read.column_names == ["column", "feature", "index", "is", "weight", "seen"]
    with pytest.raises(InputError, match=r"a table must be a \.csv or \.parquet"):
        write_listing(WEIGHTS, tmp_path / "seen.xls", columns)
