"""Conversion between formats: what comes over, and that what does not is counted by its name."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path

import numpy as np
import pytest
from dvonn_samples import played as dvonn_game
from othello_samples import DATA, random_game

from evalsmith.games import find_game
from evalsmith.records import FORMATS, Faults, Record, Score, find_format, read_games
from evalsmith.records import convert_records as convert
from evalsmith.records.leftovers import held
from evalsmith.records.packed.chess import Bullet, Marlin
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.records.packed.positions import Positions
from evalsmith.records.packed.shogi import Hcpe, PackedSfenValue
from evalsmith.run import InputError, Interrupted, MismatchError, OutputError


def write(path: Path, records: list[Record]) -> Path:
    known = next(known for known in FORMATS if path.suffix in known.suffixes)
    with open(path, "wb") as stream:
        known.write(stream, records)
    return path


def othello(seed: int, **told: object) -> Record:
    game = random_game(seed)
    return Record("othello", tuple(game.plies), result=game.margin * 100, finished=True, **told)  # type: ignore[arg-type]


def read(path: Path) -> list[Record]:
    return list(read_games(path))


def random_positions(name: str, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Positions of a random game that goes on, and a legal move in each."""
    game, rng = find_game(name), random.Random(seed)
    rows, moves = [], []
    position = game.start()
    while len(rows) < count:
        legal = game.moves(position)
        if not legal or game.status(position) != 0:
            position = game.start()
            continue
        rows.append(position)
        moves.append(rng.choice(legal))
        position = game.play_unchecked(position, moves[-1])
    return np.stack(rows), np.array(moves)


# ── Games ───────────────────────────────────────────────────────────────────────────────────────


def test_what_the_target_has_no_place_for_is_counted(tmp_path: Path) -> None:
    scored = othello(2)
    games = [
        othello(1, players=("a", "b"), ratings=(2100.5, None), event="GGS"),
        Record("othello", scored.moves, result=scored.result, scores=(Score(150, None, 0.25),) * len(scored.moves)),
    ]
    source = write(tmp_path / "games.ggf", games)
    converted = convert(source, tmp_path / "games.transcript")
    assert (converted.source, converted.target) == ("ggf", "transcript")
    assert (converted.read, converted.written) == (2, 2)
    assert converted.lost == {"players": 1, "ratings": 1, "event": 1, "scores": 1}
    assert converted.refused == {}
    assert [record.moves for record in read(tmp_path / "games.transcript")] == [game.moves for game in games]
    back = convert(tmp_path / "games.transcript", tmp_path / "again.ggf")
    assert back.lost == {}


def test_games_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    start = find_game("othello").format(find_game("othello").parse("f5d6"))
    other = Record("othello", tuple(find_game("othello").moves(find_game("othello").parse(start))[:1]), start=start)
    source = write(tmp_path / "games.ggf", [othello(1), other, othello(3)])
    converted = convert(source, tmp_path / "games.transcript")
    assert (converted.read, converted.written) == (3, 2)
    assert converted.refused == {"it does not fit into the format": 1}
    assert "game 2: it does not fit into the format: a transcript holds Othello" in converted.examples[0]


def test_a_game_that_would_come_back_changed_is_not_written(tmp_path: Path) -> None:
    """A game without moves is no line of a transcript."""
    source = tmp_path / "games.obf"
    source.write_text("-" * 27 + "OX------XO" + "-" * 27 + " X;\n")
    assert read(source)[0].start is None
    with pytest.raises(InputError, match="game 1: it would not be read back as the same game"):
        convert(source, tmp_path / "games.transcript")
    assert not (tmp_path / "games.transcript").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.obf"]


def test_broken_games_are_counted(tmp_path: Path) -> None:
    source = tmp_path / "games.transcript"
    source.write_bytes((DATA / "example.transcript").read_bytes() + b"f5f5\n")
    converted = convert(source, tmp_path / "games.ggf.gz")
    assert converted.broken == {"illegal move": 1}
    assert converted.to_json()["broken"] == {"illegal move": 1}
    with gzip.open(tmp_path / "games.ggf.gz") as stream:
        assert stream.read(12) == b"(;GM[Othello"
    assert len(read(tmp_path / "games.ggf.gz")) == converted.written


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_targets_are_packed_as_their_suffix_says(tmp_path: Path, suffix: str) -> None:
    source = write(tmp_path / "games.ggf", [othello(seed) for seed in range(5)])
    convert(source, tmp_path / f"games.transcript{suffix}")
    assert (tmp_path / f"games.transcript{suffix}").read_bytes()[:2] != b"f5"
    assert len(read(tmp_path / f"games.transcript{suffix}")) == 5


def test_dvonn_games_go_both_ways(tmp_path: Path) -> None:
    source = write(tmp_path / "games.dvonn", [dvonn_game(seed) for seed in range(3)])
    assert convert(source, tmp_path / "games.codecup").lost == {}
    assert convert(tmp_path / "games.codecup", tmp_path / "again.dvonn").lost == {}
    assert (tmp_path / "again.dvonn").read_bytes() == source.read_bytes()


GAMES = {
    "chess": (["pgn"], "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1"),
    "shogi": (["csa", "kif", "ki2", "usi"], "7g7f 3c3d 8h2b+ 3a2b B*5e 8c8d 5e2b+"),
}


@pytest.mark.parametrize(
    ("source", "target"),
    [("csa", "kif"), ("kif", "csa"), ("csa", "ki2"), ("ki2", "usi"), ("usi", "csa"), ("pgn", "pgn")],
)
def test_main_formats_are_connected(tmp_path: Path, source: str, target: str) -> None:
    name = find_format(source).game
    game = find_game(name)
    position, moves = game.start(), []
    for text in GAMES[name][1].split():
        moves.append(game.parse_move(position, text))
        position = game.play(position, moves[-1])
    record = Record(name, tuple(moves), result=game.win, termination="resigned", players=("Black", "White"))
    first, second = tmp_path / f"games.{source}", tmp_path / f"again.{target}"
    with open(first, "wb") as stream:
        assert find_format(source).write(stream, [record, record]) == 2
    converted = convert(first, second)
    assert (converted.read, converted.written) == (2, 2)
    assert [found.moves for found in read(second)] == [record.moves] * 2


# ── Positions ───────────────────────────────────────────────────────────────────────────────────


def test_shogi_positions_keep_their_moves(tmp_path: Path) -> None:
    words, moves = random_positions("shogi", 300)
    scores, results = np.arange(300), np.where(np.arange(300) % 2, 30000, -30000)
    given = Positions.of(words, scores, results, None, moves)
    (tmp_path / "a.psv").write_bytes(PackedSfenValue().pack(given).content.tobytes())
    converted = convert(tmp_path / "a.psv", tmp_path / "b.hcpe")
    assert (converted.read, converted.written) == (300, 300)
    assert set(converted.lost) == {"move number"}
    assert (tmp_path / "b.hcpe").read_bytes() == Hcpe().pack(given).content.tobytes()


def test_chess_positions_between_binary_and_text(tmp_path: Path) -> None:
    words, _ = random_positions("chess", 200)
    given = Positions.of(words, np.arange(200) - 100, np.resize([30000, 0, -30000], 200))
    content = Marlin().pack(given).content.tobytes()
    (tmp_path / "a.marlin").write_bytes(content)
    converted = convert(tmp_path / "a.marlin", tmp_path / "b.epd")
    assert (converted.read, converted.written, converted.lost) == (200, 200, {})
    assert "| -100 | 1.0\n" in (tmp_path / "b.epd").read_text()
    convert(tmp_path / "b.epd", tmp_path / "c.marlin")
    assert (tmp_path / "c.marlin").read_bytes() == content
    short = convert(tmp_path / "b.epd", tmp_path / "d.bin", target_format="bullet")
    assert short.lost["black to move"] == 100
    assert (tmp_path / "d.bin").read_bytes() == Bullet().pack(given).content.tobytes()
    assert [source.format.name for source in read_games(tmp_path / "d.bin").sources] == ["bullet"]


def test_othello_positions(tmp_path: Path) -> None:
    source = tmp_path / "a.obf"
    source.write_text(
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;\n"
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- O; -4.5;\n"
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- O;\n"
    )
    converted = convert(source, tmp_path / "b.othello20")
    assert (converted.read, converted.written) == (3, 2)
    assert converted.refused == {"neither a score nor a result is known": 1}
    read_back = OthelloValues().unpack((tmp_path / "b.othello20").read_bytes()).positions
    assert read_back.scores.tolist() == [1800, -450]
    assert convert(tmp_path / "b.othello20", tmp_path / "c.obf").lost == {}
    assert (tmp_path / "c.obf").read_text().splitlines()[1].endswith("X; -4.5;")
    high = convert(tmp_path / "b.othello20", tmp_path / "d", target_format="othello20-high")
    assert high.written == 2
    assert OthelloValues("high").unpack((tmp_path / "d").read_bytes()).positions.scores.tolist() == [1800, -450]
    assert len(convert(source, tmp_path / "e.obf").lost) == 0


def test_games_are_not_positions(tmp_path: Path) -> None:
    source = write(tmp_path / "games.ggf", [othello(1)])
    with pytest.raises(InputError, match=r"nothing of .* could be written as othello20.*it is a game with moves"):
        convert(source, tmp_path / "a.othello20")
    assert not (tmp_path / "a.othello20").exists()


# ── Binary files as files ───────────────────────────────────────────────────────────────────────


def test_a_binary_file_with_broken_records(tmp_path: Path) -> None:
    words, _ = random_positions("chess", 40)
    content = bytearray(Marlin().pack(Positions.of(words, np.zeros(40), np.zeros(40))).content.tobytes())
    content[5 * 32 + 30] = 9
    path = tmp_path / "a.marlin"
    path.write_bytes(content[:-5])
    reader = read_games(path)
    records = list(reader)
    assert [record.number for record in records] == [n for n in range(1, 40) if n != 6]
    assert records[5].offset == 6 * 32
    assert [str(fault) for fault in reader.reading.examples] == [
        f"{path}, byte 190, game 6: the result is not 0, 1 or 2",
        f"{path}, byte 1248, game 40: the last record is cut off: 27 of 32 bytes",
    ]


@pytest.mark.parametrize(
    ("name", "packing"),
    [
        ("chess", Bullet()),
        ("chess", Marlin()),
        ("shogi", PackedSfenValue()),
        ("shogi", Hcpe()),
        ("othello", OthelloValues()),
    ],
)
def test_binary_files_are_known_by_their_records(tmp_path: Path, name: str, packing: Bullet) -> None:
    words, _ = random_positions(name, 30)
    (tmp_path / "a.bin").write_bytes(packing.pack(Positions.of(words, np.zeros(30), np.zeros(30))).content.tobytes())
    reader = read_games(tmp_path / "a.bin")
    assert [source.format.name for source in reader.sources] == [packing.name]
    assert len(list(reader)) == 30
    batches = list(reader.sources[0].format.read_position_batches(tmp_path / "a.bin", Faults()))
    assert [len(batch) for batch in batches] == [30]
    text = tmp_path / "b.txt"
    text.write_bytes(b"no such thing \0 " * 100)
    with pytest.raises(InputError, match="unknown format"):
        read_games(text)


# ── Refusals ────────────────────────────────────────────────────────────────────────────────────


def test_bad_requests_are_named(tmp_path: Path) -> None:
    source = write(tmp_path / "games.ggf", [othello(1)])
    with pytest.raises(InputError, match=r"does not imply a format; use one of \.bullet, \.codecup"):
        convert(source, tmp_path / "games.txt")
    with pytest.raises(InputError, match="unknown record format 'tea'"):
        convert(source, tmp_path / "games.txt", target_format="tea")
    with pytest.raises(InputError, match="wthor cannot be written; formats of othello that can: othello-games, ggf, "):
        convert(source, tmp_path / "games.wtb")
    with pytest.raises(MismatchError, match="holds othello, and csa is a format of shogi"):
        convert(source, tmp_path / "games.csa")
    with pytest.raises(InputError, match="there is no file"):
        convert(tmp_path / "none.ggf", tmp_path / "games.transcript")
    with pytest.raises(InputError, match="archives can be read but not written"):
        convert(source, tmp_path / "games.ggf.zip")
    with pytest.raises(OutputError):
        convert(source, tmp_path, target_format="transcript")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.ggf"]


def test_an_interrupted_conversion_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    source = write(tmp_path / "games.ggf", [othello(1)])
    monkeypatch.setattr("evalsmith.records.othello.transcript.format_transcript", interrupt)
    with pytest.raises(Interrupted, match="was not written"):
        convert(source, tmp_path / "games.transcript")
    assert [path.name for path in tmp_path.iterdir()] == ["games.ggf"]


def test_formats_that_cannot_be_written_say_so() -> None:
    for known in FORMATS:
        if not known.writable:
            with pytest.raises(InputError, match=f"games cannot be written as {known.name}"):
                known.write(io.BytesIO(), [Record(known.game, ())])


def test_a_file_is_never_written_over_by_its_own_conversion(tmp_path: Path) -> None:
    source = write(tmp_path / "games.ggf", [othello(1)])
    before = source.read_bytes()
    other = tmp_path / "other.ggf"
    other.symlink_to(source)
    for named, target in ((source, source), (source, other), (tmp_path, source)):
        with pytest.raises(InputError, match="is also the source"):
            convert(named, target)
    assert source.read_bytes() == before


def test_a_file_without_games_is_called_so(tmp_path: Path) -> None:
    source = tmp_path / "empty.ggf"
    source.write_bytes(b"\n")
    with pytest.raises(InputError, match="holds no game"):
        convert(source, tmp_path / "out.ggf")
    assert not (tmp_path / "out.ggf").exists()


def test_a_format_that_cannot_be_written_names_those_that_can(tmp_path: Path) -> None:
    source = tmp_path / "a.ggf"
    source.write_text("(;GM[Othello];)\n")
    with pytest.raises(InputError, match="wthor cannot be written; formats of othello that can: othello-games, ggf"):
        convert(source, tmp_path / "b.wtb")


def test_what_pgn_has_beside_the_moves_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "games.pgn"
    source.write_text('[Event "a"]\n\n1. e4! {best by test} (1. d4) e5 {[%eval 0.2]} 1-0\n')
    converted = convert(source, tmp_path / "out.pgn")
    assert converted.written == 1
    assert {name: converted.lost[name] for name in ("comments", "variations", "marks of moves")} == {
        "comments": 1, "variations": 1, "marks of moves": 1,
    }  # fmt: skip


def test_what_a_killed_writer_left_is_swept(tmp_path: Path) -> None:
    source = write(tmp_path / "games.ggf", [othello(1)])
    left, other = tmp_path / ".out.transcript.0123abcd", tmp_path / ".out.transcript.mine"
    busy = tmp_path / ".out.transcript.89abcdef"
    for path in (left, other, busy):
        path.write_bytes(b"half")
    with held(busy):
        convert(source, tmp_path / "out.transcript")
        assert not left.exists()
        assert other.exists()
        assert busy.exists()  # somebody writes it
    convert(source, tmp_path / "out.transcript")
    assert not busy.exists()
