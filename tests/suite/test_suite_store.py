"""Suites as Parquet files."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.run import InputError, MismatchError
from evalsmith.suite.store import Suite, SuitePosition, read_suite_file, write_suite

CHESS = find_game("chess")
START = CHESS.format(CHESS.start())
POSITIONS = (
    SuitePosition(START, "one", ("e2e4", "d2d4"), (30, 25), best=("e2e4",), depth=9, stable_depth=4, tags=("few",)),
    SuitePosition(START, "two", ("e2e4",), points=(10,), best=("e2e4",), source="games.pgn", game=3, ply=0, phase=24),
    SuitePosition("nonsense", "three", failed="crash: exit code 3"),
)


def test_a_suite_is_read_back_as_it_was_written(tmp_path):
    suite = write_suite(Suite(CHESS, POSITIONS, "mine", {"player": "self"}), tmp_path / "mine.parquet")
    again = read_suite_file(tmp_path / "mine.parquet")
    assert tuple(again.positions) == POSITIONS
    assert again.positions[-1] == POSITIONS[2]
    assert again.positions[1:] == list(POSITIONS[1:])
    assert (again.game, again.name, again.made, again.fingerprint) == (
        CHESS,
        "mine",
        {"player": "self"},
        suite.fingerprint,
    )
    assert again.failed == 1
    with pytest.raises(IndexError):
        again.positions[3]


TEXTS = st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=6), max_size=4).map(tuple)


@given(st.lists(st.builds(SuitePosition, st.text(max_size=9), moves=TEXTS, best=TEXTS, tags=TEXTS,
                          scores=st.lists(st.integers(-9, 9), max_size=3).map(tuple)), max_size=5))  # fmt: skip
def test_whatever_a_suite_holds_comes_back(tmp_path_factory, positions):
    path = tmp_path_factory.mktemp("suite") / "s.parquet"
    write_suite(Suite(CHESS, positions), path)
    assert list(read_suite_file(path).positions) == positions


def test_the_same_suite_gives_the_same_file(tmp_path):
    for name in ("a", "b"):
        write_suite(Suite(CHESS, POSITIONS, "mine"), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_another_program_reads_it(tmp_path):
    write_suite(Suite(CHESS, POSITIONS), tmp_path / "s.parquet")
    found = duckdb.sql(f"select id, moves[1], scores[1] from '{tmp_path}/s.parquet' where len(scores) > 0").fetchall()
    assert found == [("one", "e2e4", 30)]


def test_the_fingerprint_is_that_of_what_counts():
    one, other = Suite(CHESS, POSITIONS), Suite(CHESS, POSITIONS, "another name", {"player": "x"})
    assert one.fingerprint == other.fingerprint != Suite(CHESS, POSITIONS[:2]).fingerprint


def test_what_is_no_suite_is_refused(tmp_path):
    path = tmp_path / "s.parquet"
    with pytest.raises(InputError, match="there is no suite"):
        read_suite_file(path)
    write_suite(Suite(CHESS, POSITIONS), path)
    whole = path.read_bytes()
    with pytest.raises(MismatchError, match="is a suite of chess, not of shogi"):
        read_suite_file(path, find_game("shogi"))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="is not a complete Parquet file"):
        read_suite_file(path)
    pq.write_table(pa.table({"x": [1]}), path)
    with pytest.raises(InputError, match="is a Parquet file but not a suite"):
        read_suite_file(path)


def test_a_suite_shows_itself(tmp_path):
    suite = Suite(CHESS, POSITIONS)
    assert "failed" in str(suite)
    assert suite.to_json()["by_tag"] == {"few": 1}
