"""Files of games become datasets: every position before a move, and what cannot be used is counted."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from evalsmith.games import OVER, find_game
from evalsmith.games.othello.rules import PASS
from evalsmith.positions.importing import importer as importing
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.samples import UNKNOWN
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import HEAD, load_dataset
from evalsmith.positions.store.info import dataset_info
from evalsmith.run import read_events
from evalsmith.run.errors import InputError, MismatchError

OTHELLO = find_game("othello")


def played(seed: int, plies: int = 1000) -> list[int]:
    choose, position, moves = random.Random(seed), OTHELLO.start(), []
    while OTHELLO.status(position) != OVER and len(moves) < plies:
        moves.append(choose.choice(OTHELLO.moves(position)))
        position = OTHELLO.play(position, moves[-1])
    return moves


def line_of(moves: list[int]) -> str:
    return "".join(OTHELLO.format_move(OTHELLO.start(), move) for move in moves if move != PASS)


def margin(moves: list[int]) -> int:
    """The result for black."""
    position = OTHELLO.start()
    for move in moves:
        position = OTHELLO.play(position, move)
    return OTHELLO.result(position) if OTHELLO.mover(position) == 0 else -OTHELLO.result(position)


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """Six games: the third is broken, the fifth has no end and so no result."""
    lines = [line_of(played(seed)) for seed in range(6)]
    lines[2] = lines[2][:20] + "a1a1" + lines[2][24:]
    lines[4] = line_of(played(4, plies=20))
    path = tmp_path / "games.transcript"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_games_without_a_position_are_counted(tmp_path: Path, transcripts: Path, monkeypatch) -> None:
    monkeypatch.setattr(parts, "ROWS_PER_PART", 50)  # games lie across parts
    complete = import_games([transcripts], tmp_path / "all")
    assert (complete.summary.games, complete.summary.empty_games) == (4, 0)
    twice = tmp_path / "twice.transcript"
    lines = transcripts.read_text().splitlines()
    twice.write_text("\n".join([lines[0], lines[1], lines[0], lines[3]]) + "\n")
    once = import_games([twice], tmp_path / "once", dedup=True)
    assert (once.summary.games, once.summary.empty_games) == (4, 1)
    assert dataset_info(once).games == 3
    assert once.summary.to_json()["games_without_position"] == 1
    assert "games without a position: all of theirs were rejected" in str(once.table())
    assert import_games([twice], tmp_path / "once", dedup=True).summary == once.summary  # read back


def test_who_read_files_ahead_is_an_event(tmp_path: Path) -> None:
    files = [tmp_path / f"{seed}.transcript" for seed in range(4)]
    for seed, path in enumerate(files):
        path.write_text(line_of(played(seed)) + "\n")
    found = import_games(files, tmp_path / "set")
    last = [event for event in read_events(found.path) if event["event"] == "workers"][-1]
    assert sum(worker["done"] for worker in last["workers"]) == len(files) - 1  # the first is read where it is stored


def test_files_without_results_say_how_they_can_be_used(tmp_path: Path) -> None:
    book = tmp_path / "book.sfen"
    book.write_text("startpos moves 7g7f 8c8d 7i6h\nstartpos moves 2g2f 8c8d\n")
    with pytest.raises(InputError, match=r"result not known \(2\).*--unknown-results.*data label"):
        import_games([book], tmp_path / "d")
    imported = import_games([book], tmp_path / "d", unknown_results=True)
    assert (imported.summary.games, imported.rows()) == (2, 5)


def test_a_broken_game_costs_itself_only(tmp_path: Path, transcripts: Path) -> None:
    imported = import_games([transcripts], tmp_path / "d")
    assert imported.summary.games == 4
    assert imported.summary.rejected == {"illegal move": 1, "result not known": 1}
    (fault,) = imported.summary.errors
    assert "games.transcript, line 3, game 3, move 11: illegal move" in fault
    samples = imported.read()
    assert imported.summary.positions == len(samples) == sum(len(played(seed)) for seed in (0, 1, 3, 5))
    stored = json.loads((tmp_path / "d" / importing.IMPORTED).read_text())
    assert stored == {**imported.summary.to_json(), "errors": [fault]}
    for number, seed in enumerate((0, 1, 3, 5)):
        moves = played(seed)
        rows = samples.take(samples.game == number)
        position = OTHELLO.start()
        for ply, move in enumerate(moves):
            assert rows.words[ply].tolist() == position.tolist()
            assert rows.ply[ply] == ply
            assert rows.result[ply] == margin(moves) * (1 if OTHELLO.mover(position) == 0 else -1)
            position = OTHELLO.play(position, move)
        assert len(rows) == len(moves)
    assert (samples.score == UNKNOWN).all()


def test_labels_become_scores(tmp_path: Path) -> None:
    texts = [
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;",
        "-XXXXXX---XOOOO--XOXXOOX-OOOOOOO-OOOXXOO-OOXXXXO--XXXX-------O-- X; -4",
        "---------------------------OX------XO--------------------------- X",
    ]
    path = tmp_path / "some.obf"
    path.write_text("\n".join(texts) + "\n")
    imported = import_games([path], tmp_path / "d", game="othello")
    samples = imported.read()
    assert imported.summary.rejected == {"result not known": 1}
    assert samples.score.tolist() == samples.target.tolist() == [1800, -400]
    assert (samples.result == UNKNOWN).all()
    assert [OTHELLO.format(row) for row in samples.words] == [text.split(";")[0] for text in texts[:2]]
    assert samples.game.tolist() == [0, 1]


def test_the_same_files_again_give_the_same_dataset(tmp_path: Path, transcripts: Path) -> None:
    import_games([transcripts], tmp_path / "d")
    before = [part.read_bytes() for part in load_dataset(tmp_path / "d").parts()]
    import_games([transcripts], tmp_path / "d")
    assert [part.read_bytes() for part in load_dataset(tmp_path / "d").parts()] == before
    transcripts.write_text(line_of(played(9)) + "\n")
    with pytest.raises(MismatchError, match="was made with other settings"):
        import_games([transcripts], tmp_path / "d")


def test_many_games_make_several_parts(tmp_path: Path, transcripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = import_games([transcripts], tmp_path / "one")
    monkeypatch.setattr(parts, "ROWS_PER_PART", 100)
    parted = import_games([transcripts], tmp_path / "two")
    assert (len(whole.parts()), len(parted.parts())) == (1, 3)
    assert np.array_equal(whole.read().words, parted.read().words)
    assert np.array_equal(whole.read().game, parted.read().game)


def test_files_without_a_usable_game_are_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "bad.transcript"
    path.write_text("f5f5\n")
    told = r"no game could be used of .*bad\.transcript: illegal move \(1\); the first: .*line 1, game 1, move 2"
    with pytest.raises(InputError, match=told):
        import_games([path], tmp_path / "d")
    path.write_text(line_of(played(1)) + "\n" + line_of(played(2)) + "\nf5f5\n")
    told = r"no game could be used of .*: too short or too long \(2\), illegal move \(1\); the first: .*line 3, game 3"
    with pytest.raises(InputError, match=told):
        import_games([path], tmp_path / "d", max_plies=3)
    assert not (tmp_path / "d" / HEAD).exists()
    with pytest.raises(InputError, match="there is no file"):
        import_games([tmp_path / "gone.transcript"], tmp_path / "e")


def test_files_of_another_game_are_refused(tmp_path: Path, transcripts: Path) -> None:
    with pytest.raises(InputError, match="connect_four"):
        import_games([transcripts], tmp_path / "d", game="connect_four")


def test_an_import_that_was_killed_is_not_read(tmp_path):
    source = tmp_path / "positions.obf"
    source.write_text("-" * 27 + "OX------XO" + "-" * 27 + " X; D3:+0; C4:+0; F5:+0; E6:+0;\n")
    import_games([source], tmp_path / "d")
    assert len(load_dataset(tmp_path / "d").read()) == 1
    head = json.loads((tmp_path / "d" / HEAD).read_text())
    (tmp_path / "d" / HEAD).write_text(json.dumps({**head, "whole": False}))
    with pytest.raises(InputError, match="is incomplete"):
        load_dataset(tmp_path / "d").read()
