from __future__ import annotations

import io
from pathlib import Path

import pytest
from othello_samples import DATA, PASS, names, random_game

from evalsmith.records import Faults, Record, Transcript, format_transcript, write_transcripts
from evalsmith.records.format import DISAGREES, LONG_LINE, UNFINISHED
from evalsmith.records.othello.transcript import NOT_MOVES, ODD_MARGIN
from evalsmith.run import InputError

FINISHED = next(game for game in map(random_game, range(100)) if PASS in game.plies)


def read(text: str | bytes) -> tuple[list[Record], Faults]:
    faults = Faults()
    content = text if isinstance(text, bytes) else text.encode()
    stream = io.BufferedReader(io.BytesIO(content))
    return list(Transcript().games(stream, Path("games.txt"), faults)), faults


def test_the_example_is_a_drawn_game() -> None:
    faults = Faults()
    [record] = Transcript().read(DATA / "example.transcript", faults)
    assert (len(record.moves), record.result, record.finished) == (60, 0, True)
    assert (record.number, record.offset) == (1, 2)


@pytest.mark.parametrize("spell", [str, str.upper, lambda t: " ".join(t[i : i + 2] for i in range(0, len(t), 2))])
def test_moves_are_read_in_every_spelling(spell) -> None:
    [record], faults = read("\ufeff" + spell(names(FINISHED.squares)) + "\r\n")
    assert list(record.moves) == FINISHED.plies
    assert record.result == 100 * FINISHED.margin
    assert not faults.warnings


@pytest.mark.parametrize("name", ["pa", "PASS", "ps", "--"])
def test_passes_may_be_written(name: str) -> None:
    text = " ".join(name if ply == PASS else names([ply]) for ply in FINISHED.plies)
    [record], _ = read(text)
    assert list(record.moves) == FINISHED.plies


@pytest.mark.parametrize(("tail", "result"), [(" +12", 1200), (": -4", -400), (":0", 0), ("\t-64 ", -6400), ("", None)])
def test_a_signed_number_is_the_result_of_an_unfinished_game(tail: str, result: int | None) -> None:
    [record], faults = read("f5d6c3" + tail)
    assert (record.result, record.finished) == (result, False)
    assert faults.warnings == {UNFINISHED: 1}


def test_the_final_position_outweighs_a_told_result() -> None:
    told = -FINISHED.margin or 2
    [record], faults = read(f"{names(FINISHED.squares)} {told:+d}")
    assert record.result == 100 * FINISHED.margin
    assert faults.warnings == {DISAGREES: 1}


@pytest.mark.parametrize(
    ("line", "reason", "move"),
    [
        ("f5d6 white resigns", NOT_MOVES, 3),
        ("f5d6 12", NOT_MOVES, 3),
        ("f5d6c9", NOT_MOVES, 3),
        ("f5d", NOT_MOVES, 2),
        ("+12", NOT_MOVES, 1),
        ("f5d6 +65", ODD_MARGIN, None),
        ("f5d6\0c3", NOT_MOVES, 3),
        ("f5f5", "illegal move", 2),
        ("a1", "illegal move", 1),
        ("f5pad6", "illegal move", 2),
        ("f5d6" * 20000, LONG_LINE, None),
    ],
)
def test_a_broken_line_costs_only_itself(line: str, reason: str, move: int | None) -> None:
    records, faults = read(f"# games\n\nf5d6\n{line}\n% more\nf5f6")
    assert [(record.number, record.offset) for record in records] == [(1, 3), (3, 6)]
    [fault] = faults.examples
    assert (fault.reason, fault.move, fault.place, fault.game) == (reason, move, "line 4", 2)


def test_a_file_that_is_one_long_line_is_one_fault() -> None:
    assert read(b"f5" * 500_000)[1].counts == {LONG_LINE: 1}


def test_sniffing_needs_a_game_in_the_first_line() -> None:
    sniff = Transcript().sniff
    assert sniff(b"# comment\n\nF5 d6 C3\nrubbish")
    assert sniff(b"f5d6c3: -4\n")
    assert sniff(names(FINISHED.squares).encode()[:31])
    assert not sniff(b"")
    assert not sniff(b"a1b2\n")
    assert not sniff(b"f5 was played\n")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    games = [random_game(seed, discs=60 if seed % 2 else 30) for seed in range(6)]
    records = [Record("othello", tuple(game.plies), result=100 * game.margin) for game in games]
    path = tmp_path / "out.transcript"
    assert write_transcripts(path, records, results=True) == 6
    again = list(Transcript().read(path, Faults()))
    assert [(record.moves, record.result) for record in again] == [(record.moves, record.result) for record in records]
    write_transcripts(path, records)
    assert path.read_text() == "".join(names(game.squares) + "\n" for game in games)


@pytest.mark.parametrize("record", [Record("chess", ()), Record("othello", (), start="-" * 64 + " X")])
def test_only_othello_from_the_standard_start_is_written(tmp_path: Path, record: Record) -> None:
    with pytest.raises(InputError, match="from the standard start"):
        format_transcript(record)
    with pytest.raises(InputError):
        write_transcripts(tmp_path / "out.transcript", [record])
    assert not list(tmp_path.iterdir())


def test_a_comment_ends_with_its_line_alone():
    assert not Transcript().sniff(b"#\x0bf5")  # a vertical tab does not end a line for the reader either
    assert Transcript().sniff(b"# a comment\r\nf5d6\r\n")
