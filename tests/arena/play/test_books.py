"""Books: positions, moves or whole games; balanced, in order or shuffled, repeated only when asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalsmith.arena.play.openings import make_openings
from evalsmith.arena.settings import OpeningSettings
from evalsmith.games import find_game
from evalsmith.positions.openings.book import read_book
from evalsmith.run import InputError

CHESS, FOUR, OTHELLO, SHOGI = (find_game(name) for name in ("chess", "connect_four", "othello", "shogi"))


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_plain_positions(tmp_path: Path) -> None:
    fens = [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    ]
    found = read_book(CHESS, write(tmp_path / "book.txt", "# a comment", fens[0], "", fens[1], fens[0]))
    assert [CHESS.format(opening.start) for opening in found] == fens  # the same one twice is one


def test_epd_with_operations(tmp_path: Path) -> None:
    line = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "Ruy Lopez";'
    [opening] = read_book(CHESS, write(tmp_path / "book.epd", line))
    assert CHESS.format(opening.start).startswith("r1bqkbnr/pppp1ppp/2n5/")


def test_sfen(tmp_path: Path) -> None:
    [opening] = read_book(
        SHOGI, write(tmp_path / "b.txt", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2")
    )
    assert SHOGI.mover(opening.start) == 1


def test_a_book_says_which_of_its_lines_cannot_be_read(tmp_path: Path) -> None:
    good = "startpos moves 7g7f 3c3d"
    illegal = "sfen 4k4/9/9/9/9/9/9/4R4/K8 b 2b 1"  # the enemy's king could be taken
    with pytest.raises(InputError, match=r"bad\.sfen holds no opening for shogi: .*bad\.sfen, line 1"):
        read_book(SHOGI, write(tmp_path / "bad.sfen", illegal))
    said: list[str] = []
    book = write(tmp_path / "book.sfen", good, illegal)
    settings = OpeningSettings(book=book)
    assert len(make_openings(SHOGI, 1, settings, 1, said.append)) == 1
    [remark] = said
    assert remark.startswith(f"{book}: 1 that cannot be read are left out; the first: {book}, line 2")


def test_finished_games_are_openings_only_in_part(tmp_path: Path) -> None:
    mate = write(tmp_path / "mate.pgn", '[Result "0-1"]', "", "1. f3 e5 2. g4 Qh4# 0-1")
    with pytest.raises(InputError, match="holds no opening for chess: its games end there; --book-plies N"):
        read_book(CHESS, mate)
    [opening] = read_book(CHESS, mate, plies=3)
    assert len(opening.moves) == 3


def test_lists_of_moves(tmp_path: Path) -> None:
    found = read_book(CHESS, write(tmp_path / "moves.txt", "e2e4 e7e5 g1f3", "1. d2d4 d7d5 2. c2c4"), plies=2)
    names = []
    for opening in found:
        position, line = CHESS.start(), []
        for move in opening.moves:
            line.append(CHESS.format_move(position, move))
            position = CHESS.play(position, move)
        names.append(line)
    assert names == [["e2e4", "e7e5"], ["d2d4", "d7d5"]]


def test_files_of_games(tmp_path: Path) -> None:
    found = read_book(OTHELLO, write(tmp_path / "games.txt", "f5d6c3d3c4", "f5f6e6f4"), plies=3)
    assert [len(opening.moves) for opening in found] == [3, 3]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [(["e2e5"], "line 1: neither a position"), (["e2e4", "%x", "what"], "line 3"), (["# nothing"], "no opening")],
)
def test_a_book_must_be_right(tmp_path: Path, lines: list[str], wanted: str) -> None:
    with pytest.raises(InputError, match=wanted):
        read_book(CHESS, write(tmp_path / "book.txt", *lines))
    with pytest.raises(InputError, match="there is no file"):
        read_book(CHESS, tmp_path / "nosuch")


@settings(max_examples=40, deadline=None)
@example(b"\x28\xb5\x2f\xfd garbage")  # the first bytes of a packed file
@example(b"PK\x03\x04")
@given(st.binary(max_size=300))
def test_garbage_is_one_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("book") / "book.txt"
    path.write_bytes(content)
    try:
        assert read_book(FOUR, path)
    except InputError:
        return


def test_order_and_repetition(tmp_path: Path) -> None:
    book = write(tmp_path / "book.txt", *(f"start {column}" if not column else str(column) for column in range(1, 8)))
    in_order = make_openings(FOUR, 5, OpeningSettings(book=book, order="sequential"), 1)
    assert [FOUR.format(opening.start) for opening in in_order] == [
        FOUR.format(FOUR.parse(str(c))) for c in range(1, 6)
    ]
    shuffled = [make_openings(FOUR, 7, OpeningSettings(book=book), seed) for seed in (1, 1, 2)]
    texts = [[opening.text for opening in openings] for openings in shuffled]
    assert texts[0] == texts[1] != texts[2] and sorted(map(str, texts[0])) == [str(c) for c in range(1, 8)]
    with pytest.raises(InputError, match="has 7 different openings for connect_four, and 8 are needed; --repeat"):
        make_openings(FOUR, 8, OpeningSettings(book=book), 1)
    said: list[str] = []
    assert len(make_openings(FOUR, 8, OpeningSettings(book=book, repeat=True), 1, said.append)) == 7
    assert said == [f"{book} has 7 openings, and 8 are needed: they are repeated"]


def test_the_start_alone() -> None:
    [opening] = make_openings(FOUR, 50, OpeningSettings(0, repeat=True), 1)
    assert opening.moves == () and (opening.start == FOUR.start()).all()
    with pytest.raises(InputError, match="no 50 distinct openings of 0 random plies"):
        make_openings(FOUR, 50, OpeningSettings(0), 1)


@pytest.mark.parametrize(
    "options",
    [
        {"order": "best"},
        {"book_plies": -1},
        {"balance_bound": -5},
        {"balance": 300},
        {"balance_nodes": 0},
        {"book": "b", "random_plies": 8},
        {"random_plies": -1},
    ],
)
def test_impossible_openings_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        OpeningSettings(**options)  # type: ignore[arg-type]
