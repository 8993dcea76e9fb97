"""Our readers and writers of shogi games beside those of cshogi, python-shogi and rsshogi, on random games."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shogi_samples import WIN, names, only, random_record

from evalsmith.games.shogi import GAME
from evalsmith.records import Csa, Ki2, Kif, Record, format_csa, format_ki2, format_kif

SEEDS = range(40)
CSA, KIF, KI2 = Csa(), Kif(), Ki2()


def plain(seed: int, handicaps: bool = True) -> Record:
    """A game that all of them understand: somebody resigns, or nothing is told."""
    record = random_record(seed, handicaps=handicaps)
    termination = record.termination if record.termination in ("mate", "resigned", "time") else ""
    return replace(
        record,
        players=("alpha", "beta"),
        event="",
        termination=termination,
        result=record.result if termination else None,
    )


def sfen(record: Record) -> str:
    return GAME.format(GAME.start()) if record.start is None else record.start


@pytest.mark.parametrize("seed", SEEDS)
def test_cshogi_reads_our_csa(seed: int) -> None:
    cshogi = pytest.importorskip("cshogi")
    record = plain(seed)
    (parsed,) = cshogi.Parser.parse_str(format_csa(record))
    assert [cshogi.move_to_usi(move) for move in parsed.moves] == names(record)
    assert parsed.sfen == sfen(record)
    assert parsed.names == list(record.players)
    if record.termination in ("resigned", "time"):
        assert parsed.win == {WIN: cshogi.BLACK_WIN, -WIN: cshogi.WHITE_WIN}[record.result]
    # Theirs are for black, ours for the mover; where a program said nothing, they differ in what they write for it.
    first = GAME.mover(GAME.parse(sfen(record)))
    for ply, score in enumerate(record.scores):
        if score is not None:
            assert parsed.scores[ply] == score.value * (1 if (first + ply) % 2 == 0 else -1)


@pytest.mark.parametrize("seed", SEEDS)
def test_python_shogi_reads_our_csa_and_kif(seed: int) -> None:
    csa, kif = pytest.importorskip("shogi.CSA"), pytest.importorskip("shogi.KIF")
    record = plain(seed, handicaps=False)
    (parsed,) = csa.Parser.parse_str(format_csa(record))
    assert parsed["moves"] == names(record)
    if record.termination in ("resigned", "time"):
        assert parsed["win"] == ("b" if record.result == WIN else "w")
    (parsed,) = kif.Parser.parse_str(format_kif(record))
    assert parsed["moves"] == names(record)
    assert parsed["names"] == [f"alpha(R{record.ratings[0]:.0f})", "beta"]
    if record.result is not None:
        assert parsed["win"] == ("b" if record.result == WIN else "w")


@pytest.mark.parametrize("seed", SEEDS)
def test_rsshogi_reads_what_we_write_and_we_what_it_writes(seed: int) -> None:
    rsshogi = pytest.importorskip("rsshogi.record")
    record = plain(seed)
    if "手合割：左七" in format_kif(record) or "手合割：右七" in format_kif(record):
        pytest.skip("rsshogi does not know handicaps of seven pieces by their names")
    for known, text, parse in (
        (CSA, format_csa(record), rsshogi.Record.from_csa_str),
        (KIF, format_kif(record), rsshogi.Record.from_kif_str),
        (KI2, format_ki2(record), rsshogi.Record.from_ki2_str),
    ):
        parsed = parse(text)
        assert [entry.move.to_usi() for entry in parsed.moves] == names(record)
        assert parsed.init_position_sfen == sfen(record)
        if record.termination == "resigned" and known is not KI2:
            assert parsed.result.is_black_win() == (record.result == WIN)
            assert parsed.result.is_white_win() == (record.result == -WIN)
        for written, reader in ((parsed.to_csa(), CSA), (parsed.to_kif(), KIF), (parsed.to_ki2(), KI2)):
            again = only(reader, written)
            assert again.moves == record.moves
            assert again.start == record.start
            if known is not KI2 and record.termination in ("resigned", "time", "mate"):
                assert again.result == record.result


@pytest.mark.parametrize("seed", SEEDS)
def test_we_read_what_cshogi_writes(seed: int, tmp_path) -> None:
    cshogi = pytest.importorskip("cshogi")
    from cshogi import CSA as theirs
    from cshogi import KIF as theirs_too

    record = plain(seed)
    board = cshogi.Board(sfen(record))
    exporter = theirs.Exporter(str(tmp_path / "game.csa"))
    exporter.info(board.copy(), list(record.players), version="V2.2")
    kif = theirs_too.Exporter(str(tmp_path / "game.kif"))
    kif.header(list(record.players), handicap=board.copy())
    for number, name in enumerate(names(record)):
        move = board.move_from_usi(name)
        exporter.move(move, number)
        kif.move(move, number)
        board.push(move)
    exporter.endgame("%TORYO")
    kif.end("resign")
    exporter.close()
    kif.close()
    lost = WIN if board.turn == cshogi.WHITE else -WIN
    for reader, path in ((CSA, "game.csa"), (KIF, "game.kif")):
        again = only(reader, (tmp_path / path).read_bytes())
        assert (names(again), again.start, again.result) == (names(record), record.start, lost)
        assert [score and score.seconds for score in again.scores] == list(range(len(record.moves)))
