"""An import that is killed goes on behind its last part, and ends with the same samples as one that was not."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chess_games import record
from othello_sets import transcripts

from evalsmith.positions.importing import chunks
from evalsmith.positions.importing.checkpoint import checkpoint_of
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection import stages
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.store import parts, writing
from evalsmith.positions.store.changes import changes
from evalsmith.positions.store.dataset import HEAD, IMPORTED, load_dataset
from evalsmith.records import Epd, Faults, Pgn, write_pgn
from evalsmith.records.packed.format import PsvFile
from evalsmith.run.errors import InputError, Interrupted, MismatchError

CHOICES = {
    "all": Selection(),
    "dedup": Selection(dedup=True),
    "per game": Selection(per_game=25, dedup=True, seed=5),
    "per stage": Selection(per_stage=9, seed=3),
    "images": Selection(symmetry=True, dedup=True, skip_first=2),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Three files, in which games come again and some are broken; chunks of four games, parts of 110 positions."""
    monkeypatch.setattr("os.fsync", lambda file: None)  # a kill of the process loses nothing that was written
    monkeypatch.setattr(chunks, "BATCH_GAMES", 4)
    monkeypatch.setattr(parts, "ROWS_PER_PART", 110)
    found = [transcripts(tmp_path / f"{name}.txt", seeds) for name, seeds in zip("abc", SEEDS, strict=True)]
    lines = found[1].read_text().splitlines()
    lines[2:2] = ["f5f5", lines[0][:30], "f5d6z9"]
    found[1].write_text("\n".join(lines) + "\n")
    return found


SEEDS = (range(6), range(4, 13), range(2, 5))


def content(path: Path) -> dict[str, Any]:
    """Everything that a dataset holds, and the summary of the import."""
    dataset = load_dataset(path)
    samples = dataset.read()
    columns = {each.name: getattr(samples, each.name).tolist() for each in fields(Samples)}
    return columns | {
        "parts": [len(parts.read_part(part, dataset.game)) for part in dataset.parts()],
        "summary": json.loads((path / IMPORTED).read_text()),
        "head": json.loads((path / HEAD).read_text()),
    }


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("written", [False, True])
def test_killed_at_every_part_and_again(
    tmp_path: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch, name: str, written: bool
) -> None:
    import_games(files, tmp_path / "whole", **CHOICES[name].changed())
    real, calls = parts.write_part, itertools.count(1)

    def killed(*arguments: Any, **options: Any) -> None:
        if written:
            real(*arguments, **options)
        if next(calls) % 2 == 0:
            raise SystemExit  # nothing is done any more, as after a kill
        if not written:
            real(*arguments, **options)

    monkeypatch.setattr(writing, "write_part", killed)
    monkeypatch.setattr(stages, "write_part", killed)
    kills = 0
    while not (tmp_path / "killed" / HEAD).exists() or not load_dataset(tmp_path / "killed").complete:
        try:
            import_games(files, tmp_path / "killed", **CHOICES[name].changed())
        except SystemExit:
            kills += 1
            with pytest.raises(InputError, match=r"the import into .* is incomplete; run its command again"):
                load_dataset(tmp_path / "killed").read()
    assert kills >= 2
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def in_a_child(work: Callable[[], object]) -> int:
    """Fork, so that a killed import costs no start of Python."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return pid


@pytest.mark.parametrize("name", ["per game", "per stage"])
def test_killed_at_random_moments(tmp_path: Path, files: list[Path], name: str) -> None:
    choice, path = CHOICES[name], tmp_path / "killed"
    import_games(files, tmp_path / "whole", **choice.changed())
    source = random.Random(1)
    for number in range(8):
        before = len(list(path.glob("part-*")))
        pid = in_a_child(lambda: import_games(files, path, **choice.changed()))
        patience = time.monotonic() + 20
        # Some at the beginning, most in the middle of the part behind the next one.
        while number % 3 and len(list(path.glob("part-*"))) == before and time.monotonic() < patience:
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            time.sleep(0.0005)
        time.sleep(0.004 * source.random())
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the import failed by itself"
    import_games(files, path, **choice.changed())
    assert content(path) == content(tmp_path / "whole")
    assert not list(path.glob(".part*"))


class Impatient:
    def __init__(self, games: int) -> None:
        self.left = games

    def advance(self, count: int = 1) -> None:
        self.left -= count
        if self.left <= 0:
            raise KeyboardInterrupt


def test_an_interrupted_import_resumes(tmp_path: Path, files: list[Path]) -> None:
    import_games(files, tmp_path / "whole")
    with pytest.raises(
        Interrupted, match=r"[1-9][0-9]* positions are saved of the import .* run the same command to resume"
    ):
        import_games(files, tmp_path / "d", progress=lambda *_: nullcontext(Impatient(9)))
    saved = {part: part.stat().st_mtime_ns for part in load_dataset(tmp_path / "d").parts()}
    assert saved
    import_games(files, tmp_path / "d")
    assert {part: part.stat().st_mtime_ns for part in saved} == saved  # not written again
    assert content(tmp_path / "d") == content(tmp_path / "whole")


def test_a_damaged_part_is_made_again(tmp_path: Path, files: list[Path]) -> None:
    import_games(files, tmp_path / "whole")
    with pytest.raises(Interrupted):
        import_games(files, tmp_path / "d", progress=lambda *_: nullcontext(Impatient(13)))
    found = load_dataset(tmp_path / "d").parts()
    assert len(found) > 3
    found[2].write_bytes(found[2].read_bytes()[:100])
    assert checkpoint_of(load_dataset(tmp_path / "d")).parts == 2
    import_games(files, tmp_path / "d")
    assert content(tmp_path / "d") == content(tmp_path / "whole")


def test_another_import_says_what_differs(tmp_path: Path, files: list[Path]) -> None:
    path = tmp_path / "d"
    with pytest.raises(Interrupted):
        import_games(files, path, dedup=True, progress=lambda *_: nullcontext(Impatient(9)))
    files[1].write_text(files[1].read_text()[:-20])
    with pytest.raises(MismatchError) as caught:
        import_games(files[:2], path, skip_first=3, text=True)
    assert str(caught.value) == (
        f"the import into {path} was not finished, and this is another one: c.txt is missing now; b.txt has changed; "
        "dedup was True, is now not given; skip first was not given, is now 3; and 1 more; "
        "give its command again, or use --overwrite to delete what it has and start over"
    )
    other = import_games(files[:2], path, skip_first=3, overwrite=True)
    assert other.complete
    with pytest.raises(
        MismatchError, match=r"d was made with other settings: .*; choose another folder, or use --overwrite"
    ):
        import_games(files, path)
    assert import_games(files, path, overwrite=True).summary.games > other.summary.games
    assert changes({"sources": []}, {"sources": []}) == ["it was made in another way"]


def test_an_import_that_saved_nothing_does_not_block_others(tmp_path: Path, files: list[Path]) -> None:
    with pytest.raises(Interrupted, match="nothing is saved"):
        import_games(files, tmp_path / "d", progress=lambda *_: nullcontext(Impatient(0)))
    import_games(files[:1], tmp_path / "d")


# ── Readers that begin where a batch ended ──

COUNTED = {"pgn": 1, "epd": 1, "psv": 0}  # which number of a place counts games, positions or records


def batches_of(form: Any, path: Path, begin: tuple[int, ...] = ()) -> tuple[list[Any], Faults]:
    faults = Faults(limit=100_000)
    read = form.read_position_batches if form.positions else form.read_batches
    return list(read(path, faults, begin)), faults


def check_places(form: Any, path: Path) -> None:
    whole, all_faults = batches_of(form, path)
    assert len(whole) > 3
    for number, batch in enumerate(whole):
        rest, faults = batches_of(form, path, batch.after)
        assert len(rest) == len(whole) - number - 1
        for one, other in zip(whole[number + 1 :], rest, strict=True):
            assert one.after == other.after
            assert np.array_equal(one.numbers, other.numbers)
            assert np.array_equal(one.offsets, other.offsets)
            assert np.array_equal(one.moves, other.moves)
        # Of the faults those that come behind are the same, with the same places.
        assert faults.examples == [
            fault for fault in all_faults.examples if fault.game > batch.after[COUNTED[form.name]]
        ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_pgn_begins_where_a_batch_ended(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "games.pgn"
    write_pgn(path, [record(seed % 5, 40) for seed in range(40)])
    games = path.read_text().replace("1. ", "1. Kxh8 ", 3)
    path.write_text(games[: len(games) // 2] + "\n[A \"b\"]\n\n1. e4 {" + "x" * 9000 + "} *\n\nstray\n\n"
                    + games[len(games) // 2 :], encoding=encoding)  # fmt: skip
    check_places(Pgn(chunk=1, game_limit=2000), path)


def test_lists_begin_where_a_batch_ended(tmp_path: Path) -> None:
    fen = "r1bqk2r/1p2ppbp/p2p1np1/n1pP4/2P1P3/2N2N1P/PP3PP1/R1BQKB1R w KQkq - 0 9"
    lines = [f"{fen} | {number} | 0.5" if number % 7 else "no position" for number in range(9000)]
    lines[4000] = "x" * 400_000
    path = tmp_path / "list.epd"
    path.write_text("\n".join(lines) + "\n")
    check_places(Epd(chunk=1), path)


def test_records_begin_where_a_batch_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evalsmith.records.packed import format as binary

    monkeypatch.setattr(binary, "_BLOCK", 16)
    start = bytes.fromhex(
        "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c" + "3400" + "3b1e" + "0100" + "01" + "00"
    )
    broken = start[:38] + b"\x07\x00"
    path = tmp_path / "some.psv"
    path.write_bytes((start * 5 + broken) * 15 + start[:7])
    check_places(PsvFile(), path)
