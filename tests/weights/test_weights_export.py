"""Weights for other programs: what is written reads back equal, and nothing is written that does not fit."""

from __future__ import annotations

import csv
import io
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.run.errors import InputError, OutputError
from evalsmith.weights import (
    FORMATS,
    OutsideFeature,
    OutsideWeights,
    Weights,
    export_weights,
    read_outside_weights,
    read_slices,
    read_weights_file,
    starting_weights,
    write_weights_as,
)

FOUR = find_game("connect_four")
OTHELLO = find_game("othello")


@pytest.fixture(scope="module")
def othello() -> Weights:
    shape = starting_weights(OTHELLO).values.shape
    return Weights(OTHELLO, np.random.default_rng(1).integers(-32768, 32768, shape, dtype=np.int32))


@pytest.fixture
def four() -> Weights:
    shape = starting_weights(FOUR).values.shape
    values = np.random.default_rng(2).integers(-(2**31), 2**31, shape, dtype=np.int64).astype(np.int32)
    return Weights(FOUR, values)


def blocks(weights: Weights) -> dict[str, list[list[int]]]:
    """The numbers by the identifiers that the sources use."""
    features = weights.layout.features
    return {name.upper(): weights.values[:, weights.layout.slice_of(name)].tolist() for name, _ in features}


# ── Slices ──


@pytest.mark.parametrize(("kind", "numbers"), [("othello-slices", ">i4"), ("othello-slices16", ">i2")])
def test_slices_read_back(tmp_path: Path, othello: Weights, kind: str, numbers: str) -> None:
    written = export_weights(othello, tmp_path / "slices", kind)
    assert [path.name for path in written] == [f"slice-{number:02d}.bin" for number in range(64)]
    assert sorted((tmp_path / "slices").iterdir()) == written
    for column, path in zip(othello.values, written, strict=True):
        assert (np.frombuffer(path.read_bytes(), dtype=numbers) == column).all()


def test_the_first_bytes_of_a_slice_are_the_first_feature(tmp_path: Path) -> None:
    """Big-endian, so that 1 is 00 00 00 01."""
    values = np.zeros_like(starting_weights(OTHELLO).values)
    values[5, :3] = (1, -1, 256)
    written = export_weights(Weights(OTHELLO, values), tmp_path, "othello-slices")
    assert written[5].read_bytes()[:12].hex() == "00000001" + "ffffffff" + "00000100"
    assert written[4].read_bytes()[:12] == bytes(12)


@pytest.mark.parametrize("value", [32768, -32769])
def test_what_overflows_is_named_and_nothing_is_written(tmp_path: Path, value: int) -> None:
    weights = starting_weights(OTHELLO)
    values = np.zeros_like(weights.values)
    start = weights.layout.slice_of("corner3x3").start
    values[7, start + 12] = value
    values[:, 0], values[:, 1] = 32767, -32768
    too_large = Weights(OTHELLO, values)
    with pytest.raises(InputError, match=rf"column 7 empties, feature corner3x3, index 12: {value} does not fit 16"):
        export_weights(too_large, tmp_path / "slices", "othello-slices16")
    assert not (tmp_path / "slices").exists()
    assert len(export_weights(too_large, tmp_path / "slices", "othello-slices")) == 64


@pytest.mark.parametrize(("kind", "bits"), [("othello-slices", 32), ("othello-slices16", 16)])
def test_slices_become_weights_again(tmp_path: Path, othello: Weights, kind: str, bits: int) -> None:
    export_weights(othello, tmp_path / "JB", kind)
    loaded = read_slices(tmp_path / "JB", OTHELLO)
    assert (loaded.values == othello.values).all()
    assert (loaded.name, loaded.provenance) == ("JB", {"made": f"read from slices of {bits} bits"})


def test_slices_that_are_not_whole(tmp_path: Path, othello: Weights) -> None:
    folder = tmp_path / "slices"
    with pytest.raises(InputError, match=f"there is no folder {folder}"):
        read_slices(folder, OTHELLO)
    with pytest.raises(InputError, match="a format for Othello, not for connect_four"):
        read_slices(folder, FOUR)
    export_weights(othello, folder, "othello-slices16")
    slice_7 = folder / "slice-07.bin"
    whole = slice_7.read_bytes()
    slice_7.write_bytes(whole[:-1])
    with pytest.raises(
        InputError, match=r"slice-07\.bin has 287,893 bytes; a slice of 143,947 weights has 575,788 .* or 287,894"
    ):
        read_slices(folder, OTHELLO)
    slice_7.write_bytes(bytes(2_000_000))
    with pytest.raises(InputError, match=r"slice-07\.bin has more than 575,788 bytes"):
        read_slices(folder, OTHELLO)
    slice_7.write_bytes(bytes(2 * len(whole)))
    with pytest.raises(InputError, match=r"slice-07\.bin has integers of 32 bits, those before it have 16"):
        read_slices(folder, OTHELLO)
    slice_7.unlink()
    with pytest.raises(InputError, match=r"slices has no slice-07\.bin; slices are slice-00\.bin to slice-63\.bin"):
        read_slices(folder, OTHELLO)
    slice_7.mkdir()
    with pytest.raises(InputError, match=r"cannot read .*slice-07\.bin: Is a directory"):
        read_slices(folder, OTHELLO)


def test_slices_are_for_othello(tmp_path: Path, four: Weights) -> None:
    with pytest.raises(InputError, match="othello-slices is a format for Othello; these are weights of connect_four"):
        export_weights(four, tmp_path, "othello-slices")


# ── Sources ──


def test_python_runs_and_is_equal(tmp_path: Path, four: Weights) -> None:
    (path,) = export_weights(four, tmp_path / "weights", "python")
    assert path == tmp_path / "weights.py"
    names = {name: value for name, value in runpy.run_path(str(path)).items() if name.isupper()}
    assert names == blocks(four)


def numbers_in(text: str) -> dict[str, list[list[int]]]:
    """The arrays of a C or Rust source, by name."""
    found = {}
    for name, body in re.findall(r"(?:int32_t|static) ([A-Z_0-9]+)[^=]*= [{\[](.*?)[}\]];", text, re.DOTALL):
        rows = re.findall(r"[{\[]([-0-9, ]+)[}\]]", body)
        found[name] = [[int(number) for number in row.split(",")] for row in rows]
    return found


def test_c(tmp_path: Path, four: Weights) -> None:
    (path,) = export_weights(four, tmp_path / "weights.c", "c")
    text = path.read_text()
    assert path.suffix == ".h"
    assert numbers_in(text) == blocks(four)
    assert "static const int32_t THREAT[2][12] = {" in text
    assert f"Connect Four weights in {FOUR.unit}s" in text


def test_rust(tmp_path: Path, four: Weights) -> None:
    (path,) = export_weights(four, tmp_path / "weights", "rust")
    text = path.read_text()
    assert path.suffix == ".rs"
    assert numbers_in(text) == blocks(four)
    assert "pub static THREAT: [[i32; 12]; 2] = [" in text


def test_json_is_the_weights_file(tmp_path: Path, four: Weights) -> None:
    (path,) = export_weights(four, tmp_path / "copy.json", "json")
    assert (read_weights_file(path).values == four.values).all()


def test_an_unknown_format_is_refused_with_those_there_are(tmp_path: Path, four: Weights) -> None:
    with pytest.raises(InputError, match="'cobol'; expected one of json, othello-slices"):
        export_weights(four, tmp_path, "cobol")
    assert set(FORMATS) == {"json", "othello-slices", "othello-slices16", "c", "rust", "python", "csv"}


# ── By suffix ──


def outside(*groups: str, values: list[list[float]]) -> OutsideWeights:
    features = tuple(OutsideFeature(f"f{number}", group) for number, group in enumerate(groups))
    return OutsideWeights(features, ("mg", "eg"), np.array(values, dtype=float))


@pytest.mark.parametrize("name", ["w.json", "w.h", "w.hpp", "w.rs", "w.py", "w.csv", "W.PY"])
def test_the_suffix_chooses_the_format(tmp_path: Path, four: Weights, name: str) -> None:
    path = write_weights_as(four, tmp_path / name)
    assert path == tmp_path / name
    text = path.read_text()
    if path.suffix == ".json":
        assert (read_weights_file(path).values == four.values).all()
    elif path.suffix.lower() == ".py":
        assert {key: value for key, value in runpy.run_path(str(path)).items() if key.isupper()} == blocks(four)
    elif path.suffix == ".csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        for number, column in enumerate(four.layout.columns):
            assert [int(row[column]) for row in rows] == four.values[number].tolist()
        names = [name for name, size in four.layout.features for _ in range(size)]
        assert [row["feature"] for row in rows] == names and all(row["is"] for row in rows)
    else:
        assert numbers_in(text) == blocks(four)


def test_a_name_that_says_no_format(tmp_path: Path, four: Weights) -> None:
    for name in ("weights", "weights.txt"):
        with pytest.raises(InputError, match=r"does not say its format; expected a name that ends in \.json, \.h"):
            write_weights_as(four, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["w.json", "w.csv"])
def test_an_outside_engine_reads_back(tmp_path: Path, name: str) -> None:
    weights = outside("a", "a", "b", values=[[1, 2, 3], [4, 5, 6.5]])
    again = read_outside_weights(write_weights_as(weights, tmp_path / name))
    assert again.features == weights.features and (again.values == weights.values).all()


def test_sources_of_an_outside_engine(tmp_path: Path) -> None:
    weights = outside("knight-square", "knight-square", "2nd rank", values=[[1, 3, 2], [4, 6, 5]])
    expected = {"KNIGHT_SQUARE": [[1, 3], [4, 6]], "W_2ND_RANK": [[2], [5]]}
    names = runpy.run_path(str(write_weights_as(weights, tmp_path / "w.py")))
    assert {key: names[key] for key in expected} == expected
    for name in ("w.h", "w.rs"):
        assert numbers_in(write_weights_as(weights, tmp_path / name).read_text()) == expected
    halves = weights.with_values(weights.values / 2)
    assert "static const double W_2ND_RANK[2][1] = {\n    {1.0},\n    {2.5},\n};" in (
        write_weights_as(halves, tmp_path / "w.h").read_text()
    )
    assert "pub static W_2ND_RANK: [[f64; 1]; 2] = [" in write_weights_as(halves, tmp_path / "w.rs").read_text()


def test_two_groups_of_one_constant_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'a-b' and 'a b' would both be the constant A_B; rename one of them"):
        write_weights_as(outside("a-b", "a b", values=[[1, 2], [3, 4]]), tmp_path / "w.h")
    with pytest.raises(InputError, match="a format for Othello; these are weights of an outside engine"):
        export_weights(outside("a", values=[[1], [2]]), tmp_path / "s", "othello-slices")
    assert not list(tmp_path.iterdir())


def test_an_export_that_is_broken_off_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, hand_set = tmp_path / "slices", starting_weights(OTHELLO)
    export_weights(hand_set, folder, "othello-slices")
    changed = Weights(OTHELLO, hand_set.values + 1)

    def failing(self: Path, target: Path) -> Path:
        if target.parent == folder and target.name == fails_at:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    rename = Path.replace
    monkeypatch.setattr(Path, "replace", failing)
    # Before all are on the disk the old ones stay whole …
    fails_at = ".broken-off"
    with pytest.raises(OutputError, match="No space left"):
        export_weights(changed, folder, "othello-slices")
    assert (read_slices(folder, OTHELLO).values == hand_set.values).all()
    # … and among the moves the mixture is known as one, until an export succeeds.
    fails_at = "slice-07.bin"
    with pytest.raises(OutputError, match="No space left"):
        export_weights(changed, folder, "othello-slices")
    with pytest.raises(InputError, match="mixes the slices of two exports"):
        read_slices(folder, OTHELLO)
    fails_at = ""
    export_weights(changed, folder, "othello-slices")
    assert (read_slices(folder, OTHELLO).values == changed.values).all()
    assert len(list(folder.iterdir())) == 64
