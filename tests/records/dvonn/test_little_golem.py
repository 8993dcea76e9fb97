"""Little Golem's transcripts of DVONN games: on one line, without the forced last placing, ended by a resignation."""

from __future__ import annotations

import io
from pathlib import Path

from dvonn_samples import GAME, played

from evalsmith.records import DvonnCodecup, Faults, Record
from evalsmith.records.dvonn.games import RESIGNED

HEADERS = "Event [dvo.DVO.mc.2005.jan.1.1] Site [www.littlegolem.net] White [First] Black [second one] "


def transcript(record: Record, plies: int | None = None, headers: str = HEADERS) -> str:
    """All moves but the 49th, in pairs on one line."""
    names = [GAME.format_move(GAME.start(), move).lower() for move in record.moves[:plies]]
    del names[48]
    pairs = [f"{i // 2 + 1}. {' '.join(names[i : i + 2])}" for i in range(0, len(names), 2)]
    return headers + " ".join(pairs)


def read(text: str) -> tuple[list[Record], Faults]:
    faults = Faults()
    assert DvonnCodecup().sniff(text.encode())
    return list(DvonnCodecup().games(io.BufferedReader(io.BytesIO(text.encode())), Path("x"), faults)), faults


def test_a_game_on_one_line_without_its_last_placing() -> None:
    [found], faults = read(transcript(played(1)))
    assert not faults.counts and not faults.warnings
    assert (found.moves, found.result, found.finished) == (played(1).moves, played(1).result, True)
    assert (found.players, found.event) == (("First", "second one"), "dvo.DVO.mc.2005.jan.1.1")


def test_several_games_and_a_resignation() -> None:
    text = f"{transcript(played(1), 60)} resign\n{transcript(played(2))}\n{transcript(played(3), 55)} Resigns."
    found, faults = read(text)
    assert [record.moves for record in found] == [played(1).moves[:60], played(2).moves, played(3).moves[:55]]
    assert [record.termination for record in found] == ["resigned", "", "resigned"]
    assert [record.result for record in found] == [None, played(2).result, None]
    assert faults.warnings == {RESIGNED: 2} and not faults.counts


def test_a_resignation_before_the_last_placing() -> None:
    [found], faults = read(f"{transcript(played(1), 49)} resign")
    assert (found.moves, found.termination, faults.counts) == (played(1).moves[:48], "resigned", {})


def test_the_last_placing_may_be_there() -> None:
    names = [GAME.format_move(GAME.start(), move).lower() for move in played(4).moves]
    [found], _ = read(HEADERS + " ".join(names))
    assert found.moves == played(4).moves
