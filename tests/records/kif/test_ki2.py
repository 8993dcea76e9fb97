from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_samples import WIN, names, only, random_record, read

from evalsmith.records import Ki2, Record, format_ki2, read_games
from evalsmith.run import InputError

KI2 = Ki2()
HEAD = "開始日時：2010/09/14\n手合割：平手\n先手：甲\n後手：乙\n\n"
NAMES = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "6a5b"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
@pytest.mark.parametrize(
    "moves",
    [
        "▲７六歩    △３四歩    ▲２二角成  △同　銀    ▲５五角    △５二金右\n",
        "▲７六歩△３四歩▲２二角成△同　銀▲５五角打△５二金右\n",
        "▲７六歩 △３四歩\n*一言\n▲２二角成 △同銀\n\n ▲５五角 △５二金右\n",
    ],
)
def test_moves_by_words(moves: str, encoding: str) -> None:
    record = only(KI2, (HEAD + moves + "まで6手で後手の勝ち\n").encode(encoding))
    assert names(record) == NAMES
    assert (record.result, record.termination, record.players) == (-WIN, "", ("甲", "乙"))


def test_signs_of_newer_programs() -> None:
    assert names(only(KI2, "手合割：平手\n☗７六歩 ☖３四歩\n")) == NAMES[:2]


def test_terminations_among_the_moves_and_variations() -> None:
    records, faults = read(KI2, HEAD + "▲７六歩 △投了\n\n変化：1手\n▲２六歩\n\n" + HEAD + "▲２六歩\n")
    assert [names(record) for record in records] == [["7g7f"], ["2g2f"]]
    assert (records[0].result, records[0].termination) == (WIN, "resigned")
    assert (records[1].result, records[1].termination) == (None, "")
    assert faults.warnings == {"a variation, left out": 1}
    assert not faults.examples


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("▲７六歩 △３五歩 ▲２六歩\n", "line 6, game 1, move 2: illegal move: '△３五歩' is not a legal move"),
        ("▲７六歩 ▲２六歩 △３四歩\n", "move 2: illegal move: '▲２六歩' is a move of the side that is not to move"),
        (
            "▲７六歩 △３四歩 ▲５八金\n",
            "line 6, game 1, move 3: illegal move: '▲５八金' is said of 2 pieces, so not one move",
        ),
        ("▲７六歩 △何か\n", "line 6, game 1, move 2: not a move: '何か'"),
        ("▲７六歩 何か △３四歩\n", "line 6, game 1, move 2: a line that is not understood: '何か △３四歩'"),
    ],
)
def test_what_is_no_move_is_a_fault(moves: str, message: str) -> None:
    records, faults = read(KI2, HEAD + moves)
    assert not records
    assert message in re.sub(r" \(byte \d+\)", "", str(faults.examples[0]))


def test_a_file_is_found_by_its_name_and_by_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "a.ki2").write_text(HEAD + "▲７六歩\n", encoding="cp932")
    (tmp_path / "b.txt").write_text(HEAD + "▲７六歩\n", encoding="cp932")
    reader = read_games([tmp_path])
    assert [source.format.name for source in reader.sources] == ["ki2", "ki2"]
    assert len(list(reader)) == 2


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_writing_and_reading_gives_the_same_game(seed: int) -> None:
    record = random_record(seed, scores=False)
    again = only(KI2, format_ki2(record))
    assert replace(again, offset=0, termination=record.termination) == replace(record, scores=())


def test_only_games_of_shogi_are_written() -> None:
    with pytest.raises(InputError, match="hold Shogi, not a game of chess"):
        format_ki2(Record("chess", ()))


@pytest.mark.parametrize(
    ("footer", "termination", "result"),
    [
        ("まで2手で後手の勝ち", "", -30_000),
        ("まで、2手で先手の入玉宣言勝ち", "declared", 30_000),
        ("以上2手にて先手の勝ち", "", 30_000),
        ("以上、2手で千日手", "repetition", 0),
        ("2手まで後手の勝ち", "", -30_000),
        ("２手で先手の反則負け", "illegal", -30_000),
        ("投了", "resigned", -30_000),
        ("千日手", "repetition", 0),
        ("▲投了", "resigned", -30_000),
        ("まで2手でトライ", "try", -30_000),
        ("まで2手で後手のトライ勝ち", "try", -30_000),
        ("まで2手で封じ手", "sealed", None),
        ("*二歩の反則\nまで2手で先手の反則勝ち", "illegal", 30_000),
    ],
)
def test_footers_in_the_words_of_other_programs(footer: str, termination: str, result: int | None) -> None:
    record = only(Ki2(), f"手合割：平手\n\n▲７六歩 △３四歩\n{footer}\n")
    assert (record.termination, record.result, len(record.moves)) == (termination, result, 2)
