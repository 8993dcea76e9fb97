"""DVONN logs and CodeCup transcripts: round trips, several games a file, and what is wrong with broken ones."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from dvonn_samples import played
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import OVER, find_game
from evalsmith.games.dvonn import rules
from evalsmith.records import Faults, Record, Score
from evalsmith.records.dvonn.codecup import DvonnCodecup, format_dvonn_codecup
from evalsmith.records.dvonn.log import DvonnLog, format_dvonn_log
from evalsmith.records.format import Format
from evalsmith.run import InputError

GAME = find_game("dvonn")
NOWHERE = Path("/no/such/folder/games")
FORMATS = [DvonnLog(), DvonnCodecup()]
both = pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)


def read(known: Format, content: str | bytes) -> tuple[list[Record], Faults]:
    faults = Faults()
    given = content.encode() if isinstance(content, str) else content
    return list(known.games(io.BufferedReader(io.BytesIO(given)), NOWHERE, faults)), faults


def told(record: Record) -> tuple[object, ...]:
    return record.moves, record.result, record.finished, record.players


@both
def test_games_come_back(known: Format) -> None:
    games = [played(seed) for seed in range(8)]
    content = io.BytesIO()
    assert known.write(content, games) == 8
    found, faults = read(known, content.getvalue())
    assert [told(record) for record in found] == [told(record) for record in games]
    assert [record.number for record in found] == list(range(1, 9))
    assert not faults.counts
    assert known.sniff(content.getvalue()[:4096])
    lines = content.getvalue().decode().splitlines()
    assert lines[found[1].offset - 1] == ("# Player 1: ./first --seed 1" if known.name == "dvonn-log" else "Event []")


def test_a_log_is_wrapped_as_it_should_be() -> None:
    record = played(1)
    lines = format_dvonn_log(record).splitlines()
    assert lines[:2] == ["# Player 1: ./first --seed 1", "# Player 2: second"]
    counts = [len(line.split()) for line in lines[2:-1]]
    assert counts[:2] == [24, 25]
    assert set(counts[2:-1]) == {16}
    assert all(len(line) <= 80 for line in lines)
    assert lines[-1].startswith("# Score: ")
    white, black = (int(word) for word in lines[-1].removeprefix("# Score: ").split(" - "))
    assert (white - black) * 100 == record.result


def test_times_are_summed_by_player() -> None:
    record = played(2)
    timed = Record(
        "dvonn", record.moves, result=record.result, finished=True, scores=(Score(None, None, 0.5),) * len(record.moves)
    )
    line = format_dvonn_log(timed).splitlines()[-1]
    white, black = (float(word) for word in line.partition("Time: ")[2].split(" - "))
    assert white + black == pytest.approx(0.5 * len(record.moves))
    _, faults = read(DvonnLog(), format_dvonn_log(timed))
    assert faults.warnings == {"times of the players, which records have no place for": 1}


def test_a_codecup_transcript() -> None:
    text = format_dvonn_codecup(played(3))
    lines = text.splitlines()
    assert lines[0].startswith("Event [")
    assert "White [./first --seed 3]" in lines
    assert lines[lines.index("") + 1].startswith("1. ")
    assert text.split("1. ")[1].islower()
    squeezed = text.replace(". ", ".")
    assert told(read(DvonnCodecup(), squeezed)[0][0]) == told(played(3))


@both
def test_bare_games_are_told_apart(known: Format) -> None:
    names = [[GAME.format_move(GAME.start(), move) for move in played(seed).moves] for seed in range(3)]
    found, _ = read(known, " ".join(name for game in names for name in game))
    assert [record.moves for record in found] == [played(seed).moves for seed in range(3)]


@both
def test_passes_may_be_left_out(known: Format) -> None:
    passing = next(record for record in map(played, range(50)) if rules.PASS in record.moves)
    text = known.format_record(passing)
    without = text.replace(" PASS", "").replace("PASS ", "").replace(" pass", "")
    assert read(known, without)[0][0].moves == passing.moves


@both
def test_unfinished_games_keep_what_is_told(known: Format) -> None:
    short = Record("dvonn", played(4).moves[:60], result=-700, players=("a", "b"))
    found, faults = read(known, known.format_record(short))
    assert told(found[0]) == told(short)
    assert faults.warnings["the game is not played to its end"] == 1


def test_a_wrong_score_is_noted() -> None:
    text = format_dvonn_log(played(5))
    wrong = text[: text.index("# Score")] + "# Score: 1 - 47\n"
    found, faults = read(DvonnLog(), wrong)
    assert found[0].result == played(5).result
    assert faults.warnings == {"the stated result is not that of the final position": 1}


def test_broken_games_cost_themselves() -> None:
    good = format_dvonn_log(played(6))
    content = (
        good
        + "# Player 1: x\nF3 C3 I3 F3\n"
        + good
        + "# Player 1: y\nF3 C3 Z9\n"
        + good
        + "# Player 1: z\n# Player 2: z\n"
        + good
        + "# Player 1: long\n"
        + "F3 " * 50_000
        + "\n"
        + good
    )
    found, faults = read(DvonnLog(), content)
    assert [record.number for record in found] == [1, 3, 5, 7, 9]
    assert faults.counts == {"illegal move": 1, "not a move": 1, "no moves": 1, "the line is too long": 1}
    shown = str(faults.examples[0])
    assert "game 2, move 4: illegal move: 'F3' is not a legal move in " in shown
    assert str(faults.examples[1]).endswith("game 4, move 3: not a move: 'Z9'")


@pytest.mark.parametrize("words", ["F3 C3 I3 A1A2", "PASS", "F3F4"])
def test_moves_of_the_wrong_phase(words: str) -> None:
    found, faults = read(DvonnLog(), words)
    assert not found
    assert faults.counts == {"illegal move": 1}


@both
def test_other_games_are_not_written(known: Format) -> None:
    with pytest.raises(InputError, match="not a game of othello"):
        known.format_record(Record("othello", ()))
    start = GAME.format(GAME.parse("F3 C3 I3"))
    with pytest.raises(InputError, match="not the start"):
        known.format_record(Record("dvonn", (), start=start))


def test_othello_is_not_taken_for_dvonn() -> None:
    assert not DvonnLog().sniff(b"F5 D6 C3 D3 C4 F4 C5 B3 C2 E6 C6 B4\n")
    assert not DvonnLog().sniff(b"f5d6c3d3c4\n")
    assert not DvonnCodecup().sniff(b'[Event "x"]\n[White "y"]\n\n1. e4 e5\n')


@both
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_changed_files_end_and_account_for_their_games(known: Format, seed: int) -> None:
    rng = random.Random(seed)
    content = bytearray("".join(known.format_record(played(i)) for i in range(3)).encode())
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(content))
        piece = rng.choice([b"\n", b"#", b"PASS", b"A1", b"\0", b"\xff", b"[", b"# Score: 999 - 1", b"1.", b""])
        content[place : place + rng.choice([0, 1, 5, 200])] = piece
    found, faults = read(known, bytes(content))
    for record in found:
        position = GAME.start()
        for move in record.moves:
            position = GAME.play(position, move)
        assert record.finished == (GAME.status(position) == OVER)
    assert all(len(str(fault)) < 600 for fault in faults.examples)
