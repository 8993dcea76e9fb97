"""PGN written, and read again by ourselves and by python-chess."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import chess.pgn
import pytest
from chess_samples import PGN_DATA, oracle, random_game, read, uci
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.chess import GAME
from evalsmith.records import Faults, Pgn, Record, Score, format_pgn, write_pgn
from evalsmith.run.errors import InputError

TEXTS = st.text(max_size=40)


def told(record: Record) -> tuple[object, ...]:
    """What a record says, apart from where it stands in its file."""
    return (
        record.moves, record.start, record.result, record.finished, record.termination, record.players, record.ratings,
        record.event, record.date, record.time_control,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["shapes.pgn", "chess960.pgn", "scores.pgn"])
def test_what_was_read_is_written_and_read_again(name: str) -> None:
    records, _ = read((PGN_DATA / name).read_bytes())
    text = "".join(format_pgn(record, scores=True) for record in records)
    again, faults = read(text)
    assert not faults.counts, faults.examples
    assert [told(record) for record in again] == [told(record) for record in records]
    assert [record.scores for record in again] == [record.scores for record in records]
    assert max(map(len, text.splitlines())) < 100


def test_python_chess_reads_what_we_write() -> None:
    content = "\n\n".join(str(random_game(seed, 120, seed % 2 == 0)) for seed in range(12)).encode()
    records, _ = read(content)
    assert oracle("".join(map(format_pgn, records)).encode()) == [(uci(record), record.result) for record in records]


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_round_trip(seed: int, data: st.DataObject) -> None:
    game = random_game(seed, data.draw(st.integers(1, 60)), data.draw(st.booleans()))
    base = read(str(game))[0][0]
    value = st.integers(-28999, 28999) | st.integers(29000, 30000) | st.integers(-30000, -29000)
    score = st.builds(Score, value, st.none() | st.integers(1, 200), st.none() | st.just(0.5))
    record = Record(
        "chess",
        base.moves,
        start=base.start,
        result=base.result,
        finished=base.finished,
        players=(data.draw(TEXTS), data.draw(TEXTS)),
        event=data.draw(TEXTS),
        ratings=(data.draw(st.none() | st.integers(100, 4999)), None),
        termination=data.draw(st.sampled_from(["", "time", "resigned", "agreed", "left", "adjudicated", "illegal"])),
        scores=tuple(data.draw(st.lists(st.none() | score, min_size=len(base.moves), max_size=len(base.moves)))),
    )
    text = format_pgn(record, scores=True)
    (again,), faults = read(text)
    assert not faults.counts, faults.examples
    assert (again.moves, again.start, again.result, again.ratings) == (
        record.moves, record.start, record.result, record.ratings,
    )  # fmt: skip
    assert again.termination == record.termination
    assert again.scores == (record.scores if any(record.scores) else ())
    parsed = chess.pgn.read_game(io.StringIO(text))
    assert parsed is not None
    assert not parsed.errors


def test_names_survive() -> None:
    record = Record("chess", (), players=('A "B" \\ C', "Ünal"), event="x] y")
    record = Record("chess", (GAME.moves(GAME.start())[0],), players=record.players, event=record.event)
    again = read(format_pgn(record))[0][0]
    assert (again.players, again.event) == (record.players, record.event)


def test_files_are_written_whole(tmp_path: Path) -> None:
    records, _ = read((PGN_DATA / "scores.pgn").read_bytes())
    path = tmp_path / "out.pgn"
    assert write_pgn(path, records) == 3
    faults = Faults()
    assert len(list(Pgn().read(path, faults))) == 3
    assert not faults.counts


def test_refused() -> None:
    with pytest.raises(InputError, match="not of othello"):
        format_pgn(Record("othello", ()))
    with pytest.raises(InputError, match=r"game 7 of a\.pgn cannot be written: move 1"):
        format_pgn(Record("chess", (0,), source="a.pgn", number=7))
    with pytest.raises(InputError, match="cannot be written"):
        format_pgn(Record("chess", (0,), start="nonsense"))
