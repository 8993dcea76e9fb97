from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from othello_samples import DATA, name_list, random_game, wtb, wtb_game

from evalsmith.games import find_game
from evalsmith.records import FORMATS, Fault, Faults, Format, Reading, Record, find_format, read_games
from evalsmith.records import reader as module
from evalsmith.run import InputError, MismatchError

WTB = wtb([wtb_game(random_game(seed)) for seed in range(3)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    (folder / "old").mkdir(parents=True)
    (folder / "old" / "WTH_1990.WTB").write_bytes(WTB)
    (folder / "old" / "WTHOR.JOU").write_bytes(name_list(["a", "b", "c"], 20))
    shutil.copy(DATA / "example.ggf", folder / "example.txt")
    (folder / "more.txt.gz").write_bytes(gzip.compress((DATA / "example.transcript").read_bytes()))
    (folder / "README.txt").write_text("What these games are.\n")
    (folder / ".hidden.ggf").write_text("rubbish")
    return folder


def test_a_folder_gives_all_files_that_are_known(folder: Path) -> None:
    reader = read_games([folder])
    assert [(source.path.name, source.format.name) for source in reader.sources] == [
        ("example.txt", "ggf"),
        ("more.txt.gz", "transcript"),
        ("WTH_1990.WTB", "wthor"),
    ]
    assert [path.name for path in reader.skipped] == ["README.txt", "WTHOR.JOU"]
    assert reader.game == "othello"
    assert len(list(reader)) == 7
    assert reader.reading == Reading(7, {}, {}, ())


def test_reading_again_counts_anew(folder: Path) -> None:
    (folder / "bad.transcript").write_text("f5f5\nf5d6\n")
    reader = read_games(folder / "bad.transcript")
    for _ in range(2):
        assert len(list(reader)) == 1
        assert reader.reading.games == 1
        assert reader.reading.faults == {"illegal move": 1}
        assert reader.reading.broken == 1
        assert [fault.place for fault in reader.reading.examples] == ["line 1"]


def test_game_and_format_narrow_down(folder: Path) -> None:
    reader = read_games([folder], game="othello", format="transcript")
    assert [source.path.name for source in reader.sources] == ["more.txt.gz"]
    forced = read_games([folder / "README.txt"], format="obf")
    assert not list(forced)
    assert forced.reading.broken == 1


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "README.txt",
            {},
            r"README.txt has an unknown format; expected a format of .*; of othello: .*wthor \(.wtb\), ggf \(.ggf\)",
        ),
        ("README.txt", {"game": "checkers"}, "there is no file format for games of checkers"),
        ("README.txt", {"format": "pdf"}, "unknown record format 'pdf'; expected one of .*wthor"),
        ("none.wtb", {}, "there is no file .*none.wtb"),
        ("empty.txt", {}, "empty.txt is empty; expected"),
        ("hollow", {}, "hollow has no file of games; expected"),
        ("broken.gz", {}, "broken.gz has an unknown format"),
    ],
)
def test_what_is_not_known_is_refused(folder: Path, name: str, options: dict[str, str], message: str) -> None:
    (folder / "empty.txt").touch()
    (folder / "hollow").mkdir()
    (folder / "broken.gz").write_bytes(b"rubbish")
    with pytest.raises(InputError, match=message):
        read_games([folder / name], **options)


def test_no_paths_and_no_plain_files_are_refused() -> None:
    with pytest.raises(InputError, match="expected at least one file of games"):
        read_games([])
    with pytest.raises(InputError, match="not a plain file"):
        read_games(["/dev/null"])


def test_a_dataset_is_no_folder_of_games(tmp_path: Path) -> None:
    (tmp_path / "dataset.json").write_text("{}")
    with pytest.raises(InputError, match="is a dataset, which has positions and no games"):
        list(read_games(tmp_path))


def test_a_broken_packed_file_of_a_known_suffix_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "games.wtb.gz"
    path.write_bytes(b"rubbish")
    reader = read_games([path])
    assert not list(reader)
    assert reader.reading.faults["the file cannot be read"] == 1


def test_a_file_that_vanishes_is_a_fault_and_the_others_are_read(folder: Path) -> None:
    reader = read_games([folder])
    (folder / "example.txt").unlink()
    assert len(list(reader)) == 4
    assert reader.reading.faults == {"the file cannot be read": 1}
    assert "No such file" in str(reader.reading.examples[0])


@dataclass
class Lines(Format):
    """A format of another game, for the test."""

    name: ClassVar[str] = "lines"
    game: ClassVar[str] = "checkers"
    suffixes: ClassVar[tuple[str, ...]] = (".lines",)

    def sniff(self, head: bytes) -> bool:
        return False

    def games(self, stream, path: Path, faults: Faults) -> Iterator[Record]:
        yield Record("checkers", ())


def test_files_of_two_games_do_not_mix(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FORMATS", (*FORMATS, Lines()))
    other = folder / "a.lines"
    other.touch()
    with pytest.raises(MismatchError, match=r"a\.lines is checkers"):
        read_games([folder])
    assert [record.game for record in read_games([other])] == ["checkers"]


def test_faults_are_all_counted_and_the_first_kept() -> None:
    faults = Faults(limit=2)
    for number in range(5):
        faults.add(Fault("a", "line 1", number, "illegal move" if number else "no moves"))
    assert faults.counts == {"no moves": 1, "illegal move": 4}
    assert [fault.game for fault in faults.examples] == [0, 1]


def test_a_fault_reads_as_one_line() -> None:
    assert str(Fault("a.wtb", "byte 16", 1, "illegal move", "d4 in …", 5)) == (
        "a.wtb, byte 16, game 1, move 5: illegal move: d4 in …"
    )
    assert str(Fault("a.wtb", "", None, "the file is cut off")) == "a.wtb: the file is cut off"


def test_every_format_is_of_an_installed_game() -> None:
    for known in FORMATS:
        assert find_format(known.name) is known
        assert find_game(known.game).name == known.game
