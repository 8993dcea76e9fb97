from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from othello_samples import (
    PASS,
    PASS_AT_24,
    PASS_BEFORE_24,
    WIPED_OUT,
    name_list,
    play_through,
    random_game,
    squares,
    wtb,
    wtb_game,
    wtb_header,
)

from evalsmith.records import Faults, Record, Wthor
from evalsmith.records.format import DISAGREES, NO_MOVES, OTHER_BOARD, UNFINISHED
from evalsmith.records.othello.wthor import CUT, GAP, NO_HEADER, ODD_SCORE, SOLITAIRES, TAIL

PLAYED = [random_game(seed) for seed in range(8)]


def read(path: Path, content: bytes) -> tuple[list[Record], Faults]:
    path.write_bytes(content)
    faults = Faults()
    return list(Wthor().read(path, faults)), faults


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "WTH_1990.wtb"


def test_games_come_with_passes_results_and_names(path: Path) -> None:
    (path.parent / "wthor.jou").write_bytes(name_list(["???", "Müller Anna", "Petit Jean"], 20))
    (path.parent / "WTHOR.TRN").write_bytes(name_list(["Diverses", "Open de Paris"], 26))
    records, faults = read(path, wtb([wtb_game(game) for game in PLAYED]))
    assert [list(record.moves) for record in records] == [game.plies for game in PLAYED]
    assert any(PASS in record.moves for record in records)
    assert [record.result for record in records] == [100 * game.margin for game in PLAYED]
    assert not faults.counts
    assert not faults.warnings
    first = records[0]
    assert (first.players, first.event, first.date) == (("Müller Anna", "Petit Jean"), "Open de Paris", "1990")
    assert (first.source, first.number, first.offset) == (str(path), 1, 16)
    assert (records[3].number, records[3].offset, records[3].finished) == (4, 16 + 3 * 68, True)


def test_names_may_be_missing_or_too_few(path: Path) -> None:
    (path.parent / "WTHOR.JOU").write_bytes(name_list(["???", "Müller Anna", "Petit Jean"], 20)[:-5])
    records, _ = read(path, wtb([wtb_game(PLAYED[0])]))
    assert (records[0].players, records[0].event) == (("Müller Anna", "#2"), "#1")


def test_the_theoretical_score_is_a_label_for_the_mover(path: Path) -> None:
    games = [random_game(seed) for seed in (0, PASS_AT_24, PASS_BEFORE_24)] + [play_through(squares(WIPED_OUT))]
    records, _ = read(path, wtb([wtb_game(game, theory=40) for game in games]))
    assert [game.ply_24 for game in games] == [36, 37, 37, -1]
    assert [record.labels for record in records] == [{36: 1600}, {37: -1600}, {37: -1600}, {}]
    assert (records[3].finished, records[3].result) == (True, 6400)


@pytest.mark.parametrize(("depth", "ply"), [(0, 36), (24, 36), (30, 30)])
def test_the_header_says_at_how_many_empties(path: Path, depth: int, ply: int) -> None:
    game = next(game for game in PLAYED if PASS not in game.plies[:40])
    records, _ = read(path, wtb([wtb_game(game, theory=10)], depth=depth))
    assert records[0].labels == {ply: -4400}


def test_unfinished_games_keep_the_stored_result(path: Path) -> None:
    early, late = random_game(1, discs=30), random_game(1, discs=50)
    records, faults = read(path, wtb([wtb_game(game, score=20) for game in (early, late)]))
    assert [(record.result, record.finished) for record in records] == [(-2400, False)] * 2
    assert [len(record.labels) for record in records] == [0, 1]
    assert faults.warnings == {UNFINISHED: 2}


def test_a_stored_score_that_the_moves_contradict_is_counted(path: Path) -> None:
    records, faults = read(path, wtb([wtb_game(PLAYED[0], score=(PLAYED[0].margin + 64) // 2 ^ 1)]))
    assert records[0].result == 100 * PLAYED[0].margin
    assert faults.warnings == {DISAGREES: 1}


def test_scores_above_64_are_no_results(path: Path) -> None:
    records, faults = read(path, wtb([wtb_game(random_game(1, discs=50), score=65, theory=65)]))
    assert (records[0].result, records[0].labels) == (None, {})
    assert faults.warnings[ODD_SCORE] == 1


def test_a_broken_game_costs_only_itself(path: Path) -> None:
    games = [bytearray(wtb_game(game)) for game in PLAYED[:6]]
    games[1][8 + 4] = 44  # d4 is taken from the start
    games[2][8 + 7] = 99
    games[3][8 + 9] = 0
    games[4][8:] = bytes(60)
    records, faults = read(path, wtb([bytes(game) for game in games]))
    assert [record.number for record in records] == [1, 6]
    assert faults.counts == {"illegal move": 2, GAP: 1, NO_MOVES: 1}
    assert [(fault.game, fault.place, fault.move) for fault in faults.examples] == [
        (2, "byte 84", 5),
        (3, "byte 152", 8),
        (4, "byte 220", 11),
        (5, "byte 288", None),
    ]
    position = play_through(PLAYED[1].squares[:4])
    assert len(position.plies) == 4
    assert str(faults.examples[0]).startswith(f"{path}, byte 84, game 2, move 5: illegal move: d4 in ")
    assert "code 99" in faults.examples[1].detail


@pytest.mark.parametrize("cut", [0, 10, 16, 17, 16 + 68, 16 + 68 + 67])
def test_a_cut_file_gives_its_whole_games(path: Path, cut: int) -> None:
    records, faults = read(path, wtb([wtb_game(game) for game in PLAYED])[:cut])
    assert len(records) == max(0, cut - 16) // 68
    assert faults.counts == {CUT: 1}


def test_a_cut_packed_file_gives_what_can_be_unpacked(path: Path) -> None:
    packed = gzip.compress(wtb([wtb_game(random_game(seed)) for seed in range(40)]))
    records, faults = read(path.with_suffix(".wtb.gz"), packed[: len(packed) * 3 // 4])
    assert len(records) > 10
    assert faults.counts == {CUT: 1, "the file cannot be read": 1}


def test_more_games_than_counted_are_not_read(path: Path) -> None:
    records, faults = read(path, wtb([wtb_game(PLAYED[0])]) + wtb_game(PLAYED[1]))
    assert len(records) == 1
    assert faults.counts == {TAIL: 1}


def test_a_file_may_have_no_games(path: Path) -> None:
    records, faults = read(path, wtb_header(0))
    assert not records
    assert not faults.counts


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"size": 10}, OTHER_BOARD),
        ({"kind": 1}, SOLITAIRES),
        ({"month": 13}, NO_HEADER),
        ({"depth": 61}, NO_HEADER),
        ({"size": 77}, NO_HEADER),
    ],
)
def test_other_files_are_refused(path: Path, header: dict[str, int], reason: str) -> None:
    records, faults = read(path, wtb([wtb_game(PLAYED[0])], **header))
    assert not records
    assert faults.counts == {reason: 1}


def test_a_header_with_a_negative_count_is_refused(path: Path) -> None:
    assert read(path, wtb_header(-1))[1].counts == {NO_HEADER: 1}


def test_a_list_of_names_is_not_a_file_of_games(path: Path) -> None:
    content = name_list(["???", "Tastet Marc"], 20)
    assert read(path, content)[1].counts == {NO_HEADER: 1}
    assert not Wthor().sniff(content)


def test_sniffing_looks_at_the_first_move() -> None:
    content = wtb([wtb_game(PLAYED[0])])
    assert Wthor().sniff(content)
    assert not Wthor().sniff(content[:24] + b"\x0b" + content[25:])
    assert not Wthor().sniff(content[:24])


def test_blocks_join_without_a_seam(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalsmith.records.othello.wthor._BLOCK", 3)
    records, faults = read(path, wtb([wtb_game(game) for game in PLAYED]))
    assert [(record.number, list(record.moves)) for record in records] == [
        (number, game.plies) for number, game in enumerate(PLAYED, 1)
    ]
    assert not faults.counts
