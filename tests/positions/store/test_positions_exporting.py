"""Exports: what is written says what the dataset says, in the view of each format."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chess_games import CHESS, batch, record, scored
from othello_sets import small

from evalsmith.games import find_game
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.labelling.labels import label
from evalsmith.positions.samples import REPORTED, UNKNOWN, Samples
from evalsmith.positions.selection.chooser import Chooser
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import create_dataset, load_dataset
from evalsmith.positions.store.exporting import COLUMNS, export_dataset, formats
from evalsmith.positions.store.parts import write_part
from evalsmith.records.packed.chess import Marlin
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.run.errors import InputError


@pytest.fixture
def chess(tmp_path: Path) -> Path:
    """Games with and without scores, and one without a result."""
    games = batch(scored(1), record(2, 12), record(4, 8, result=None))
    samples = Chooser(CHESS, Selection(unknown_results=True)).games_of(games, 0)
    dataset = create_dataset(tmp_path / "d", CHESS, {"how": "test"}, [{"name": "a, b"}])
    write_part(dataset.path, 0, Samples.join(samples, CHESS.words), CHESS)
    return dataset.path


def test_tables(chess: Path, tmp_path: Path) -> None:
    samples = load_dataset(chess).read()
    assert export_dataset(chess, tmp_path / "x.csv", "csv").written == len(samples)
    with open(tmp_path / "x.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 1 + len(samples)
    played = CHESS.format_move(samples.words[0], int(samples.move[0]))
    assert rows[1] == [
        CHESS.format(samples.words[0]),
        "30000",
        "0",
        "reported",
        "1",
        "0",
        "0",
        "",
        "",
        "a, b",
        played,
        "",
    ]
    assert rows[2][1:5] == ["-30000", "", "none", ""]
    export_dataset(chess, tmp_path / "x.jsonl", "jsonl")
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [list(line) for line in lines] == [list(COLUMNS)] * len(samples)
    assert [line["score"] for line in lines] == [None if s == UNKNOWN else s for s in samples.score.tolist()]


def test_moves_are_written_as_the_position_asks(tmp_path: Path) -> None:
    """Castling in chess and in Chess960, a move that two positions share, one that is not legal, and none."""
    castle, other = CHESS.parse("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1"), CHESS.parse("1r2k3/8/8/8/8/8/8/4K2R w Hb - 0 1")
    e2 = CHESS.parse_move(castle, "e1e2")
    moves = [CHESS.parse_move(castle, "e1g1"), CHESS.parse_move(other, "e1h1"), e2, e2, (1 << 24) - 1, -1]
    assert moves[0] == moves[1]
    words = np.stack([castle, other, castle, other, castle, castle])
    zeros = np.zeros(len(words), dtype=np.int32)
    samples = Samples(words, zeros, zeros, zeros, zeros, zeros, move=np.array(moves, dtype=np.int32))
    dataset = create_dataset(tmp_path / "d", CHESS, {"how": "test"}, [{"name": "a"}])
    write_part(dataset.path, 0, samples, CHESS)
    for form, read in (("jsonl", json.loads), ("csv", lambda line: {"move": line.split(",")[-2] or None})):
        export_dataset(dataset.path, tmp_path / "x", form)
        lines = [line for line in (tmp_path / "x").read_text().splitlines() if not line.startswith("position")]
        assert [read(line)["move"] for line in lines] == ["e1g1", "e1h1", "e1e2", "e1e2", None, None], form


def test_lines_in_whites_view(chess: Path, tmp_path: Path) -> None:
    samples = load_dataset(chess).read()
    known = samples.take(samples.result != UNKNOWN)
    told = export_dataset(chess, tmp_path / "x", "bracket")
    assert told.to_json() == {"positions": len(known), "rejected": {"result not known": 8}, "lost": {}}
    lines = (tmp_path / "x").read_text().splitlines()
    assert lines[0] == f"{CHESS.format(samples.words[0])} [1.0]"
    assert lines[1] == f"{CHESS.format(samples.words[1])} [1.0]"  # black to move: the result stays white's
    assert {line.rsplit(" ", 1)[1] for line in lines} == {"[1.0]"}
    told = export_dataset(chess, tmp_path / "x", "pipe")
    assert told.rejected == {"result not known": 8, "score not known": 10 + 12}
    assert (tmp_path / "x").read_text().splitlines()[1] == f"{CHESS.format(samples.words[2])} | 20 | 1.0"
    export_dataset(chess, tmp_path / "x", "c9")
    four = " ".join(CHESS.format(samples.words[0]).split()[:4])
    assert (tmp_path / "x").read_text().splitlines()[0] == f'{four} c9 "1-0";'


def test_a_binary_format_and_back(chess: Path, tmp_path: Path) -> None:
    samples = load_dataset(chess).read()
    both = samples.take((samples.result != UNKNOWN) & (samples.score != UNKNOWN))
    told = export_dataset(chess, tmp_path / "x.bin", "marlin")
    assert told.written == len(both)
    assert sum(told.rejected.values()) == len(samples) - len(both)
    back = Marlin().unpack((tmp_path / "x.bin").read_bytes(), scores="mover", results="mover").positions
    assert np.array_equal(back.scores, both.score)
    assert np.array_equal(np.sign(back.results), np.sign(both.result))
    assert [CHESS.format(row) for row in back.words] == [CHESS.format(row) for row in both.words]


def test_what_cannot_be_exported_is_refused(chess: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="inside the dataset"):
        export_dataset(chess, chess / "dataset.json", "csv")
    with pytest.raises(InputError, match="unknown format 'xml'; expected one of csv"):
        export_dataset(chess, tmp_path / "x", "xml")
    with pytest.raises(InputError, match="hcpe is a format of shogi"):
        export_dataset(chess, tmp_path / "x", "hcpe")
    assert not (tmp_path / "x").exists()
    assert set(formats()) >= {"csv", "jsonl", "bracket", "pipe", "c9", "bullet", "marlin", "psv", "hcpe", "othello20"}


def test_a_file_without_a_single_position_is_not_written(tmp_path: Path) -> None:
    samples = Chooser(CHESS, Selection()).games_of(batch(record(2, 12)), 0)
    dataset = create_dataset(tmp_path / "d", CHESS, {"how": "test"}, [{"name": "a"}])
    write_part(dataset.path, 0, Samples.join(samples, CHESS.words), CHESS)
    with pytest.raises(InputError, match=r"no position of .* can be written as pipe: .*score.*`data label`"):
        export_dataset(dataset.path, tmp_path / "x.txt", "pipe")
    assert not (tmp_path / "x.txt").exists()


@pytest.mark.parametrize("name", ["othello", "shogi", "dvonn", "drmario", "chess"])
@pytest.mark.parametrize("form", ["bracket", "pipe"])
def test_lines_of_every_game_come_back(tmp_path: Path, name: str, form: str) -> None:
    game = find_game(name)
    alone = {"alternatives": 0} if game.players == 1 else {}  # those have scores and no results
    made = generate(game, tmp_path / "d", games=2, nodes=10, scores=False, concurrency=1, **alone)
    label(made.path, by="search", nodes=20)
    before = load_dataset(made.path).read()
    assert export_dataset(made.path, tmp_path / "x.txt", form).written == len(before)
    after = import_games([tmp_path / "x.txt"], tmp_path / "e").read()
    assert np.array_equal(after.words, before.words)
    assert np.array_equal(after.result, before.result)
    assert (after.score == UNKNOWN).all() if form == "bracket" else np.array_equal(after.score, before.score)


def test_the_one_value_of_a_record_is_chosen(tmp_path: Path) -> None:
    othello = find_game("othello")
    samples = small(tmp_path, "d", range(1)).read()
    samples = replace(samples, score=np.full(len(samples), 700, dtype=np.int32), label=np.full(len(samples), REPORTED))
    write_part(tmp_path / "d", 0, samples, othello)
    values = {"label": samples.result, "result": samples.result, "score": samples.score}
    for value, column in values.items():
        export_dataset(tmp_path / "d", tmp_path / "x", "othello20", value=value)
        back = OthelloValues().unpack((tmp_path / "x").read_bytes(), scores="mover").positions
        assert np.array_equal(back.scores, column), value
        assert np.array_equal(samples.target_by(value), column)
    with pytest.raises(InputError, match="the target must be one of label, result, score, not 'both'"):
        export_dataset(tmp_path / "d", tmp_path / "x", "othello20", value="both")
    with pytest.raises(InputError, match="csv stores score and result"):
        export_dataset(tmp_path / "d", tmp_path / "x", "csv", value="score")
