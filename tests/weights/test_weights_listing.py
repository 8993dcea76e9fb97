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
    listed = list_weights(WEIGHTS, column=column, on=SEEN, rare=True, top=30).weights
    counts = [each.seen for each in listed]
    assert counts == sorted(counts) and counts[0] == 1
    part = WEIGHTS.layout.slice_of("corner3x3")
    for each in list_weights(WEIGHTS, column=column, on=SEEN, feature="corner3x3", rare=True, top=5).weights:
        assert each.feature == "corner3x3"
        assert (each.weight, each.seen) == (
            WEIGHTS.values[column, part][each.index],
            SEEN[column, part][each.index],
        )
    with pytest.raises(InputError, match="the rarest weights need a dataset"):
        list_weights(WEIGHTS, rare=True)
    with pytest.raises(InputError, match="othello has no feature 'corners'; its features are: edge"):
        list_weights(WEIGHTS, feature="corners")


def test_the_largest_may_be_of_32_bits() -> None:
    values = WEIGHTS.values.copy()
    values[3, 700] = -(2**31)
    largest = list_weights(Weights(OTHELLO, values), column=3, top=1).weights[0]
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


def test_a_listing_shows_itself() -> None:
    column = int(SAMPLES.phase[10])
    found = list_weights("hand-set", "othello", column=column, on=SEEN, top=2)
    assert [(one.feature, one.size) for one in found.features] == list(WEIGHTS.layout.features)
    assert len(found.weights) == 2 and len(found.to_json()["largest"]) == 2
    assert "largest weights, centidiscs" in str(found) and "seen" in found._repr_html_()
    with pytest.raises(InputError, match="the column must be from 0 to"):
        list_weights(WEIGHTS, column=1000)


def test_the_largest_are_what_occurs_and_not_what_never_does() -> None:
    """Hand-set mobility grows with the count, so 64 moves have the largest weight, and no position has them."""
    column = 30
    by_size = np.argsort(-np.abs(WEIGHTS.values[column].astype(int)))[:2]
    assert {WEIGHTS.layout.feature_at(int(i)) for i in by_size} == {("mobility", 64), ("enemy mobility", 64)}
    for on in (None, SEEN):
        counts = [int(each.meaning) for each in list_weights(WEIGHTS, column=column, on=on, top=12).weights
                  if each.feature.endswith("mobility")]  # fmt: skip
        assert counts and max(counts) <= 25
    listed = list_weights(WEIGHTS, column=int(SAMPLES.phase[10]), on=SEEN, top=10).weights
    products = [abs(each.weight) * (each.seen or 0) for each in listed]
    assert products == sorted(products, reverse=True) and products[-1] > 0
    assert "how often random games" in str(list_weights(WEIGHTS, top=1))
    assert "how often these positions read them" in str(list_weights(WEIGHTS, on=SEEN, column=20, top=1))


@pytest.mark.parametrize("game", ["chess", "dvonn", "drmario", "connect_four"])
def test_every_game_lists_its_largest_without_a_dataset(game: str) -> None:
    found = list_weights("hand-set", game, top=3)
    assert len(found.weights) == 3 and all(each.weight for each in found.weights)
