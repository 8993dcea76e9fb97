"""The best moves that a search tells: kept with their scores through everything that is done to a dataset."""

from __future__ import annotations

import csv
import json
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from chess_games import CHESS, batch, record
from othello_sets import OTHELLO, small

from evalsmith.engine import Limit, Searcher
from evalsmith.positions.labelling import labels
from evalsmith.positions.labelling.labellers import Labelling, LabelSettings
from evalsmith.positions.labelling.labels import label
from evalsmith.positions.samples import Samples, no_lines
from evalsmith.positions.selection.chooser import Chooser
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import create_dataset, load_dataset
from evalsmith.positions.store.exporting import best_moves, export_dataset
from evalsmith.positions.store.parts import read_part, write_part
from evalsmith.positions.transform.merging import merge
from evalsmith.positions.transform.sampling import sample
from evalsmith.positions.transform.splitting import split
from evalsmith.protocols.client.uci import line_infos
from evalsmith.run.errors import InputError, Interrupted


def told(samples: Samples) -> list[list[tuple[int, int, int]]]:
    return [[tuple(line) for line in lines if line[0] >= 0] for lines in samples.lines.tolist()]


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two parts of Othello positions; chunks of ten."""
    monkeypatch.setattr(parts, "ROWS_PER_PART", 30)
    monkeypatch.setattr(labels, "CHUNK", 10)
    return small(tmp_path, "d", range(4), per_game=12, skip_first=2).path


def test_what_our_search_tells(dataset: Path) -> None:
    label(dataset, by="search", nodes=200, multipv=3, concurrency=2)
    samples = load_dataset(dataset).read()
    searcher = Searcher(OTHELLO, table_bytes=1 << 15)
    for row in range(0, 48, 7):
        searcher.new_game()
        lines = searcher.think(samples.words[row], Limit(nodes=200), 3).lines
        assert told(samples)[row] == [(line.move, line.score, line.depth) for line in lines if line.depth]
        assert (samples.score[row], samples.depth[row]) == (lines[0].score, lines[0].depth)
    assert max(map(len, told(samples))) == 3
    # Another label takes the lines away with the score that they belong to.
    label(dataset, by="playout", nodes=5, stages="0-30")
    after = load_dataset(dataset).read()
    early = after.phase <= 30
    assert early.any() and not early.all()
    assert [bool(lines) for lines in told(after)] == (~early).tolist()
    label(dataset, by="result")
    part = dataset / "part-00000.parquet"
    assert "line_moves" not in pq.read_schema(part).names


class Impatient:
    left = 25

    def advance(self, count: int = 1) -> None:
        self.left -= count
        if self.left <= 0:
            raise KeyboardInterrupt


def test_interrupted_lines_go_on(dataset: Path, tmp_path: Path) -> None:
    config = LabelSettings("search", nodes=100, multipv=4)
    other = small(tmp_path, "e", range(4), per_game=12, skip_first=2).path
    label(other, **config.changed())
    with pytest.raises(Interrupted, match="run the same command to resume"):
        label(dataset, **config.changed(), concurrency=1, progress=lambda *_: nullcontext(Impatient()))
    assert list(dataset.glob(".labels-*/*.npz"))
    label(dataset, **config.changed())
    assert told(load_dataset(dataset).read()) == told(load_dataset(other).read())


def test_a_program_tells_its_lines(tmp_path: Path) -> None:
    samples = Samples.join(Chooser(CHESS, Selection(per_game=3)).games_of(batch(record(1), record(2)), 0), CHESS.words)
    made = create_dataset(tmp_path / "d", CHESS, {"how": "test"}, [{"name": "a"}])
    write_part(made.path, 0, samples, CHESS)
    player = f"uci:{sys.executable} -m evalsmith engine chess --protocol uci;nodes=3000"
    label(made.path, by="player", player=player, multipv=2, concurrency=1)
    labelled = made.read()
    for row, lines in enumerate(told(labelled)):
        legal = CHESS.moves(labelled.words[row])
        assert len(lines) == min(2, len(legal))
        assert {move for move, _, _ in lines} <= set(legal)
        assert lines[0][1] == labelled.score[row]
        assert all(depth > 0 for _, _, depth in lines)
        if len({depth for _, _, depth in lines}) == 1:
            assert lines[0][1] >= lines[-1][1]


def test_who_tells_no_lines_is_refused() -> None:
    with pytest.raises(InputError, match="labels by playout have no lines"):
        LabelSettings("playout", multipv=2)
    with pytest.raises(InputError, match="multipv must be a whole number from 1 to 1,000"):
        LabelSettings("search", multipv=0)
    with pytest.raises(InputError, match="--by search asks for its lines"):
        Labelling(OTHELLO, LabelSettings("player", multipv=2))
    with pytest.raises(InputError, match=r"only UCI and USI programs report lines; .* speaks nboard"):
        Labelling(OTHELLO, LabelSettings("player", player="nboard:cat", multipv=2))


# ── Through everything that is done to a dataset ──


@pytest.fixture
def lined(tmp_path: Path) -> Samples:
    """Chess positions with none, one, or several lines, one of an unknown depth."""
    samples = Samples.join(Chooser(CHESS, Selection()).games_of(batch(record(1, 30), record(2, 30)), 0), CHESS.words)
    lines = no_lines(len(samples), 3)
    for row in range(len(samples)):
        legal = CHESS.moves(samples.words[row])
        for place in range(min(row % 4, len(legal))):
            lines[row, place] = legal[place], 50 - 60 * place, -1 if row % 5 == 0 else 7
    return replace(samples, lines=lines, score=np.arange(len(samples), dtype=np.int32))


def test_parts_hold_lists_of_any_length(tmp_path: Path, lined: Samples) -> None:
    write_part(tmp_path, 0, lined, CHESS)
    back = read_part(tmp_path / "part-00000.parquet", CHESS)
    assert told(back) == told(lined)
    assert np.array_equal(back.move, lined.move)
    table = pq.read_table(tmp_path / "part-00000.parquet")
    assert table["line_moves"].to_pylist()[:2] == [None, [lined.lines[1, 0, 0]]]
    assert table["line_depths"].to_pylist()[5] == [None]
    # Rows without lines, and parts without any, are joined with those that have some.
    both = Samples.join([replace(lined, lines=no_lines(len(lined))), lined], CHESS.words)
    assert told(both) == [[]] * len(lined) + told(lined)


@pytest.mark.parametrize(
    ("name", "column", "problem"),
    [
        ("line_moves", [[1 << 24]], "the moves of line_moves go from 0"),
        ("line_moves", pa.array([[None]], pa.list_(pa.int32())), "lacks 1 of its numbers"),
        ("line_moves", [5], "should hold lists, not int64"),
        ("line_scores", [[1, 2]], "lists of different lengths"),
        ("line_scores", [["a"]], "should hold whole numbers, not string"),
        ("line_scores", [[1 << 40]], "does not fit int32"),
        ("line_scores", None, "lacks line_scores"),
        ("move", [-7], "the column move goes from 0"),
        ("move", [1 << 24], "the column move goes from 0"),
    ],
)
def test_lists_of_others_are_checked(
    tmp_path: Path, lined: Samples, name: str, column: list[object] | None, problem: str
) -> None:
    write_part(tmp_path, 0, lined.part(1, 2), CHESS)
    path = tmp_path / "part-00000.parquet"
    table = pq.read_table(path)
    place = table.column_names.index(name)
    table = table.remove_column(place) if column is None else table.set_column(place, name, pa.array(column))
    pq.write_table(table, path)
    with pytest.raises(InputError, match=problem):
        read_part(path, CHESS)


def test_lists_that_polars_wrote_are_read(tmp_path: Path, lined: Samples) -> None:
    write_part(tmp_path, 0, lined, CHESS)
    path = tmp_path / "part-00000.parquet"
    polars.read_parquet(path).write_parquet(path)
    assert told(read_part(path, CHESS)) == told(lined)


def test_lines_stay_with_their_positions(tmp_path: Path, lined: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "ROWS_PER_PART", 25)
    for name, samples in (("a", lined), ("b", replace(lined, lines=no_lines(len(lined))))):
        made = create_dataset(tmp_path / name, CHESS, {"how": "test"}, [{"name": name}])
        write_part(made.path, 0, samples, CHESS)
    known = {int(score): lines for score, lines in zip(lined.score, told(lined), strict=True)}
    merge([tmp_path / "a", tmp_path / "b"], tmp_path / "m")
    merged = load_dataset(tmp_path / "m").read()
    assert told(merged) == told(lined) + [[]] * len(lined)
    sample(tmp_path / "m", tmp_path / "s", shuffle=True)
    mixed = load_dataset(tmp_path / "s").read()
    assert not np.array_equal(mixed.score, merged.score)
    found = [sorted(zip(each.score.tolist(), each.move.tolist(), told(each), strict=True)) for each in (mixed, merged)]
    assert found[0] == found[1]
    split(tmp_path / "a", tmp_path / "parts", into=["x=0.5", "y=0.5"])
    for name in ("x", "y"):
        part = load_dataset(tmp_path / "parts" / name).read()
        assert told(part) == [known[int(score)] for score in part.score]


def test_exports_show_moves_and_lines(tmp_path: Path, lined: Samples) -> None:
    made = create_dataset(tmp_path / "d", CHESS, {"how": "test"}, [{"name": "a"}])
    odd = replace(lined, move=np.where(np.arange(len(lined)) == 4, 0, lined.move).astype(np.int32))  # a1b1, or none
    write_part(made.path, 0, odd, CHESS)
    export_dataset(made.path, tmp_path / "x.jsonl", "jsonl")
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert rows[0]["lines"] == []
    assert rows[4]["move"] is None
    for row in (2, 3, 7):
        names = [CHESS.format_move(lined.words[row], move) for move, _, _ in told(lined)[row]]
        assert [line["move"] for line in rows[row]["lines"]] == names
        assert [line["score"] for line in rows[row]["lines"]] == [50, -10, -70][: row % 4]
        assert rows[row]["move"] == CHESS.format_move(lined.words[row], int(lined.move[row]))
    assert [line["depth"] for line in rows[10]["lines"]] == [None, None]
    export_dataset(made.path, tmp_path / "x.csv", "csv")
    with open(tmp_path / "x.csv", newline="") as file:
        found = list(csv.DictReader(file))
    first, second = (line["move"] for line in rows[2]["lines"])
    assert found[2]["lines"] == f"{first} 50 7; {second} -10 7"
    assert found[10]["lines"].endswith(" -10")
    # What was played comes first; without it, the best move that a search told.
    assert np.array_equal(best_moves(lined), lined.move)
    unplayed = replace(lined, move=np.full(len(lined), -1, dtype=np.int32))
    assert best_moves(unplayed).tolist() == [lines[0][0] if lines else -1 for lines in told(lined)]


def test_lines_out_of_what_an_engine_says() -> None:
    text = b"""info depth 1 multipv 1 score cp 10 pv e2e4
info depth 1 multipv 2 score cp 5 pv d2d4
info string multipv 3 score cp 9 pv a2a3
info depth 2 seldepth 3 multipv 1 score cp 30 pv d2d4 d7d5
info depth 2 multipv 2 score cp 20 lowerbound pv e2e4
info depth 2 currmove e2e4
"""
    # The second line of depth 1 begins with the move that is first by now, and there is no other.
    assert line_infos(text) == [b"info depth 2 seldepth 3 multipv 1 score cp 30 pv d2d4 d7d5"]
    whole = text + b"info depth 2 multipv 2 score mate -3 pv g1f3\r\ninfo depth 2 score cp 3\n"
    assert [line.split()[-1] for line in line_infos(whole)] == [b"d7d5", b"g1f3"]
    assert line_infos(b"info depth 1 multipv 1 score cp 1 upperbound pv a2a3") != []
    assert line_infos(b"") == line_infos(b"info\ninfo score\n multipv 1 score cp 1 pv a2a3") == []
