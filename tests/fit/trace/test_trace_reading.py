"""Traces of outside engines: three formats say the same, and what is wrong is named with file and line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalsmith.fit.trace import Trace, csv_rows, read_trace
from evalsmith.fit.trace.growing import COUNTS, INDICES, Growing
from evalsmith.run.errors import InputError
from evalsmith.weights import OutsideWeights

HEADER = """# evalsmith-trace 1
# phase 24
# division truncate
# a remark
# feature pawn,material,82,94
# feature knight,material,337,281
# feature passed,pawns,10,30
# feature tempo,tempo,12,12,single
"""
ROWS = """result,score,phase,eval,game,features
1,35,20,376,7,0:1 1:-1 2:2 3:1
0.5,-4,24,0,7,
1/2-1/2,,0,-12,8,3:-1
0-1,-1.5e2,12,1,x9,1:0.5:-2 2:1:0
"""
FEATURES = """name,group,mg,eg,kind
pawn,material,82,94,
knight,material,337,281,
passed,pawns,10,30,
tempo,tempo,12,12,single
"""


def written(tmp_path: Path, text: str, name: str = "trace.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if name.endswith((".csv", ".jsonl")) else gzip.compress(text.encode()))
    return path


def entries(trace: Trace, row: int) -> list[tuple[int, float, float]]:
    part = slice(int(trace.start[row]), int(trace.start[row + 1]))
    return list(zip(trace.index[part].tolist(), trace.middle[part].tolist(), trace.ending[part].tolist(), strict=True))


def check_rows(trace: Trace) -> None:
    """What ROWS says."""
    assert len(trace) == 4
    assert trace.result.tolist() == [1, 0.5, 0.5, 0]
    assert trace.score[[0, 1, 3]].tolist() == [35, -4, -150] and np.isnan(trace.score[2])
    assert trace.phase.tolist() == [20, 24, 0, 12] and trace.printed.tolist() == [376, 0, -12, 1]
    assert trace.games[0] == trace.games[1] == 7 and trace.games[2] == 8 and len(set(trace.games.tolist())) == 3
    assert entries(trace, 0) == [(0, 1, 1), (1, -1, -1), (2, 2, 2), (3, 1, 1)]
    assert entries(trace, 1) == [] and entries(trace, 2) == [(3, -1, -1)]
    assert entries(trace, 3) == [(1, 0.5, -2), (2, 1, 0)]


def test_csv_with_features_in_its_header(tmp_path: Path) -> None:
    trace = read_trace(written(tmp_path, HEADER + ROWS))
    check_rows(trace)
    assert trace.weights.groups == ("material", "pawns", "tempo") and trace.ties == ((3, 7),)
    assert trace.start_values.tolist() == [82, 337, 10, 12, 94, 281, 30, 12] and trace.free.all()
    assert trace.line.tolist() == [10, 11, 12, 13] and trace.where(2) == f"{tmp_path / 'trace.csv'}, line 12"
    # (82 − 337 + 20)·20 + (94 − 281 + 60)·4 = −5208, by 24 is −217, and the tempo behind the division
    assert trace.recomputed[0] == -205 and trace.recomputed[2] == -12


def test_features_in_a_file_of_their_own(tmp_path: Path) -> None:
    features = tmp_path / "features.csv"
    features.write_text(FEATURES)
    trace = read_trace(written(tmp_path, ROWS), features)
    check_rows(trace)
    assert trace.line.tolist() == [2, 3, 4, 5]
    with pytest.raises(InputError, match="does not name its features; give a file of them"):
        read_trace(written(tmp_path, ROWS))


@pytest.mark.parametrize(
    "change", [("\n", "\r\n"), ("# evalsmith", "\ufeff# evalsmith"), (" ", "  "), (",7,", ', "7" ,')]
)
def test_line_ends_marks_blanks_and_quotes(tmp_path: Path, change: tuple[str, str]) -> None:
    text = HEADER + ROWS
    check_rows(
        read_trace(written(tmp_path, text.replace(*change) if change[0] != " " else HEADER + ROWS.replace(*change)))
    )


def test_columns_in_another_order_and_others_that_mean_nothing(tmp_path: Path) -> None:
    lines = [line.split(",") for line in ROWS.splitlines()]
    text = "".join(f'{f},"a, ""b""",{p},{e},{r},{g},{s}\n' for r, s, p, e, g, f in lines)
    check_rows(read_trace(written(tmp_path, HEADER + text.replace('"a, ""b"""', "fen", 1))))


def test_packed(tmp_path: Path) -> None:
    check_rows(read_trace(written(tmp_path, HEADER + ROWS, "trace.csv.gz")))


def test_json_lines(tmp_path: Path) -> None:
    rows = [
        {"result": 1, "score": 35, "phase": 20, "eval": 376, "game": 7, "features": [[0, 1], [1, -1], [2, 2], [3, 1]]},
        {"result": 0.5, "score": -4, "phase": 24, "eval": 0, "game": 7, "features": {}},
        {"result": "1/2-1/2", "score": None, "phase": 0, "eval": -12, "game": 8, "features": {"3": -1}},
        {"result": "0-1", "score": -150, "phase": 12, "eval": 1, "game": "x9", "features": [[1, 0.5, -2], [2, 1, 0]]},
    ]
    features = tmp_path / "features.csv"
    features.write_text(FEATURES)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    check_rows(read_trace(written(tmp_path, text, "trace.jsonl"), features))
    head = {"name": "pawn", "mg": 1, "eg": 2}
    named = [{**head, "name": name} for name in ("pawn", "knight", "passed", "tempo")]
    text = json.dumps({"evalsmith-trace": 1, "phase": 32, "division": "floor", "features": named}) + "\n" + text
    trace = read_trace(written(tmp_path, text, "trace.jsonl"))
    check_rows(trace)
    assert trace.rules.phase == 32 and trace.rules.division == "floor" and trace.line[0] == 2


def test_json_lines_of_pairs_alone(tmp_path: Path) -> None:
    """The common form has a way of its own; what it cannot read goes the long way, and is named there."""
    features = tmp_path / "features.csv"
    features.write_text(FEATURES)
    rows = [{"score": 1, "phase": 2, "features": entries} for entries in ([[0, 1], [3, -2]], [], [[2, 0.5]])]

    def lines() -> str:
        return "".join(json.dumps(row) + "\n" for row in rows)

    trace = read_trace(written(tmp_path, lines(), "trace.jsonl"), features)
    assert [entries(trace, row) for row in range(3)] == [[(0, 1, 1), (3, -2, -2)], [], [(2, 0.5, 0.5)]]
    rows[1]["features"] = [[1, 0]]
    trace = read_trace(written(tmp_path, lines(), "trace.jsonl"), features)
    assert [len(entries(trace, row)) for row in range(3)] == [2, 0, 1]
    for wrong in ([[4, 1]], [[1.5, 1]], [[-1, 1]], [[1, True]]):
        rows[1]["features"] = wrong
        with pytest.raises(InputError, match=r"line 2: (there is no feature|features must be)"):
            read_trace(written(tmp_path, lines(), "trace.jsonl"), features)


def parquet(tmp_path: Path, **columns: object) -> Path:
    path = tmp_path / "trace.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_parquet(tmp_path: Path) -> None:
    features = tmp_path / "features.csv"
    features.write_text(FEATURES)
    path = parquet(
        tmp_path, result=[1, 0.5, 0.5, 0], score=[35, -4, None, -150], phase=[20, 24, 0, 12], eval=[376, 0, -12, 1],
        game=["7", "7", "8", "x9"], index=[[0, 1, 2, 3], [], [3], [1, 2]],
        mg=[[1.0, -1, 2, 1], [], [-1], [0.5, 1]], eg=[[1.0, -1, 2, 1], [], [-1], [-2, 0]],
    )  # fmt: skip
    trace = read_trace(path, features)
    check_rows(trace)
    assert trace.where(3) == f"{path}, row 4"
    with pytest.raises(InputError, match="row 1: 2 features are named, 0 to 1, not 2"):
        read_trace(path, OutsideWeights(trace.weights.features[:2], ("mg", "eg"), np.ones((2, 2))))
    for columns, reason in (
        ({"result": [2.0], "index": [[0]], "count": [[1]]}, "row 1: the result must be 1, 0.5 or 0"),
        ({"result": [1, None], "index": [[0], [0]], "count": [[1], [1]]}, "row 2: the row has neither a result nor a"),
        ({"score": [1], "index": [[0, 1]], "count": [[1]]}, "row 1: index and its counts have different lengths"),
        ({"score": [1], "index": [[0]], "count": [[float("nan")]]}, "row 1: count must hold numbers, not nan"),
        ({"score": [1], "index": [[0]]}, "expected the columns index and count"),
        ({"index": [[0]], "count": [[1]]}, "need result or score"),
        ({"score": ["a"], "index": [[0]], "count": [[1]]}, "score must hold numbers"),
    ):
        columns = {"phase": [0.0] * len(columns["index"]), **columns}
        with pytest.raises(InputError, match=reason):
            read_trace(parquet(tmp_path, **columns), features)
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match=r"cannot read .* as Parquet"):
        read_trace(path, features)


def test_small_buffers_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are cut by the buffer wherever it ends; the first with counts that differ comes late."""
    rows = "".join(f"{i % 3 / 2},{i},{i % 25},0,{i // 5},{i % 4}:{i % 7 - 3} 1:2\n" for i in range(300))
    text = HEADER + ROWS.splitlines()[0] + "\n" + rows + ROWS.splitlines()[-1] + "\n"
    path = written(tmp_path, text)
    whole = read_trace(path)
    monkeypatch.setattr(csv_rows, "_BUFFER", 64)
    monkeypatch.setattr(csv_rows, "_ENTRIES", 20)
    pieces = read_trace(path)
    for name in (
        "result",
        "score",
        "phase",
        "printed",
        "game",
        "line",
        "start",
        "index",
        "middle",
        "ending",
        "recomputed",
    ):
        assert np.array_equal(getattr(whole, name), getattr(pieces, name)), name
    assert whole.middle is not whole.ending and len(whole) == 301
    path.write_text(text + "1,2,3,4,5," + " ".join(["1:1"] * 30) + "\n")
    with pytest.raises(InputError, match="line 311: longer than 64 bytes"):
        read_trace(path)


def test_arrays_grow_as_narrow_as_their_values_allow() -> None:
    array = Growing(*COUNTS)
    everything = []
    for values, kind in (
        ([1, -127], np.int8),
        ([], np.int8),
        ([-128], np.int16),
        ([5] * 100, np.int16),
        ([0.5], np.float32),
        ([1e6], np.float32),
    ):
        array.add(np.array(values, dtype=np.float32))
        everything += values
        other = array.copy().done()
        assert other.dtype == kind and other.tolist() == everything
    indices = Growing(*INDICES)
    indices.add(np.array([65535], dtype=np.int32))
    assert indices.copy().done().dtype == np.uint16
    indices.add(np.array([65536], dtype=np.int32))
    assert indices.done().tolist() == [65535, 65536]


def test_parts_of_one_trace(tmp_path: Path) -> None:
    paths = [written(tmp_path, HEADER + ROWS, name) for name in ("a.csv", "b.csv")]
    trace = read_trace(paths)
    assert len(trace) == 8 and trace.where(5) == f"{tmp_path / 'b.csv'}, line 11"
    written(tmp_path, HEADER.replace("82", "83") + ROWS, "b.csv")
    with pytest.raises(InputError, match=r"b\.csv names other features or start values than .*a\.csv"):
        read_trace(paths)
    written(tmp_path, HEADER.replace("truncate", "floor") + ROWS, "b.csv")
    with pytest.raises(
        InputError, match=r"b\.csv has another phase, division or tolerance in its header than .*a\.csv"
    ):
        read_trace(paths)
    assert len(read_trace(paths, division="none")) == 8


def test_an_engine_without_phases(tmp_path: Path) -> None:
    text = "# feature pawn,material,100\n# feature rook,material,500\nscore,eval,features\n3,-400,0:1 1:-1\n"
    trace = read_trace(written(tmp_path, text))
    assert trace.weights.columns == ("value",) and trace.recomputed.tolist() == [-400]
    assert trace.games.tolist() == [0] and np.isnan(trace.result[0])
    with pytest.raises(InputError, match="has the column phase, and its features have one value"):
        read_trace(written(tmp_path, text.replace("score,eval", "score,phase").replace("3,-400", "3,4")))
    with pytest.raises(InputError, match="has no column phase, and its features have mg and eg"):
        read_trace(written(tmp_path, HEADER + "score,features\n1,0:1\n"))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("nan,1,2,3,4,0:1", "the result must be 1, 0.5 or 0 .*, not 'nan'"),
        ("-1,1,2,3,4,0:1", "the result must be 1, 0.5 or 0 .*, not '-1'"),
        ("1,nan,2,3,4,0:1", "score must be a number, not 'nan'"),
        ("1,1e,2,3,4,0:1", "score must be a number, not '1e'"),
        ("1,1,2,inf,4,0:1", "eval must be a number, not 'inf'"),
        ("1,1,25,3,4,0:1", "the phase must be from 0 to 24, not '25'"),
        ("1,1,-1,3,4,0:1", "the phase must be from 0 to 24, not '-1'"),
        ("1,1,,3,4,0:1", "phase is missing"),
        ("1,1,2,,4,0:1", "eval is missing"),
        ("1,1,2,3,,0:1", "game is missing"),
        (",,2,3,4,0:1", "the row has neither a result nor a score"),
        ("*,,2,3,4,0:1", "the row has neither a result nor a score"),
        ("1,1,2,3,4,0:1 4:1", "there is no feature 4: 4 are named, 0 to 3"),
        ("1,1,2,3,4,99999999999999999999:1", "no feature|expected features"),
        ("1,1,2,3,4,-1:1", "expected features as index:count or index:mg:eg .*, not '-1:1'"),
        ("1,1,2,3,4,0:nan", "expected features .*, not '0:nan'"),
        ("1,1,2,3,4,0:1:2:3", "expected features .*, not '0:1:2:3'"),
        ("1,1,2,3,4,0:1 1", "expected features .*, not '1'"),
        ("1,1,2,3,4,0=1", "expected features .*, not '0=1'"),
        ("1,1,2,3", r"expected 6 fields \(result,score,phase,eval,game,features\), and the line ends too early"),
        ("1,1,2,3,4,0:1,5", "expected 6 fields .*, and there are more: '5'"),
        ("# evalsmith-trace 1", "a second header; give the traces as two files"),
    ],
)
def test_a_row_that_is_wrong_is_named(tmp_path: Path, row: str, reason: str) -> None:
    path = written(tmp_path, HEADER + ROWS + row + "\n" + ROWS.splitlines()[1] + "\n")
    with pytest.raises(InputError, match=rf"trace\.csv, line 14: ({reason})"):
        read_trace(path)


def test_a_file_that_was_cut(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 13: the file is cut within this line, or lacks a line break"):
        read_trace(written(tmp_path, (HEADER + ROWS)[:-1]))
    with pytest.raises(InputError, match=r"line 13: expected 6 fields"):
        read_trace(written(tmp_path, (HEADER + ROWS)[:-30]))
    path = written(tmp_path, HEADER + ROWS, "trace.csv.gz")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"cannot read .*: the packed file ends too early"):
        read_trace(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has no rows; expected a line result,score,phase,eval,game,features"),
        (HEADER, "has no rows"),
        (HEADER + "result,score,phase,eval,game,features\n", "no rows"),
        (HEADER + "1,35,20,376,7,0:1\n", "line 9: expected the names of the columns"),
        (HEADER + "phase,features\n", "line 9: the columns need result or score"),
        (HEADER + "score,score,features\n", "line 9: two columns are called score"),
        ("# evalsmith-trace 2\n" + ROWS, "line 1: version '2' of the trace; this reads version 1"),
        ("# division up\n" + ROWS, "line 1: unknown division 'up'; expected one of truncate, floor, round, none"),
        ("# phase zero\n" + ROWS, "line 1: phase must be a number above 0 to 65536, not 'zero'"),
        ("# phase: 24\n" + ROWS, "line 1: expected `# WORD VALUE`"),
        ("# feature pawn,material,x,2\n" + ROWS, "line 1: mg must be a number, not 'x'"),
    ],
)
def test_a_header_that_is_wrong_is_named(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_trace(written(tmp_path, text))


def test_files_that_are_no_traces(tmp_path: Path) -> None:
    for name in ("absent.csv", "absent.jsonl", "absent.parquet"):
        with pytest.raises(InputError, match=rf"there is no trace .*{name}"):
            read_trace(tmp_path / name)
    with pytest.raises(InputError, match=r"does not say its format; expected a trace that ends in \.csv"):
        read_trace(tmp_path / "trace.txt")
    (tmp_path / "wide.csv").write_bytes((HEADER + ROWS).encode("utf-16"))
    with pytest.raises(InputError, match=r"wide\.csv is not UTF-8 text"):
        read_trace(tmp_path / "wide.csv")
    (tmp_path / "old.csv").write_bytes("# feature schön,a,1,2\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"old\.csv, line 1: not UTF-8 text"):
        read_trace(tmp_path / "old.csv")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2: not a JSON object"),
        ("[1]", "line 2: expected a JSON object"),
        ('{"result": 2, "phase": 1, "features": []}', "line 2: the result must be 1, 0.5 or 0"),
        ('{"score": NaN, "phase": 1, "features": []}', "line 2: score must be a number, not 'nan'"),
        ('{"result": 1, "features": []}', "line 2: phase is missing, which the first row has"),
        ('{"result": 1, "phase": 1, "eval": 3, "features": []}', "line 2: eval is given, which the first row has not"),
        ('{"result": 1, "phase": 99, "features": []}', "line 2: the phase must be from 0 to 24, not 99"),
        ('{"result": 1, "phase": 1}', "line 2: features must be"),
        ('{"result": 1, "phase": 1, "features": [[0]]}', "line 2: features must be"),
        ('{"result": 1, "phase": 1, "features": [[0, "a"]]}', "line 2: features must be"),
        ('{"result": 1, "phase": 1, "features": {"9": 1}}', "line 2: there is no feature 9: 4 are named, 0 to 3"),
        ('{"phase": 1, "features": []}', "line 2: the row has neither a result nor a score"),
    ],
)
def test_json_lines_that_are_wrong(tmp_path: Path, line: str, reason: str) -> None:
    features = tmp_path / "features.csv"
    features.write_text(FEATURES)
    path = written(tmp_path, '{"result": 1, "phase": 1, "features": []}\n' + line + "\n", "trace.jsonl")
    with pytest.raises(InputError, match=reason):
        read_trace(path, features)
