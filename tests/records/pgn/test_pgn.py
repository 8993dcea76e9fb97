"""PGN as files have it: shapes of moves and tags, starts, results."""

from __future__ import annotations

import io

import pytest
from chess_samples import PGN_DATA, oracle, random_game, read, uci

from evalsmith.games.chess import GAME
from evalsmith.records import Faults, Pgn
from evalsmith.records.format import DISAGREES, ILLEGAL, NO_MOVES, NOT_POSITION
from evalsmith.records.pgn.buffer import (
    AMBIGUOUS,
    NO_RESULT,
    NO_SUCH_MOVE,
    NULL,
    OTHER_VARIANT,
    STRAY_LINES,
    TWO_RESULTS,
    UNCLOSED_COMMENT,
    UNCLOSED_VARIATION,
    PgnBuffer,
)

SHAPES = (
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Bd2 Bxd2+ Nbxd2 d5 exd5 Nxd5 O-O O-O Re1 Nce7 Ne5 c6 h3 a5 g4 f5 "
    "g5 h5 gxh6 Ng6 hxg7 Nxe5 gxf8=Q+ Qxf8 Rxe5 Kh8 Qh5+ Kg8 Kh2 b5 Bb3 a4 Rg1+"
)


def after(text: str) -> list[str]:
    """The moves of one game that reads well."""
    records, faults = read(text)
    assert not faults.counts, faults.examples
    assert len(records) == 1
    return uci(records[0])


def reasons(text: str) -> list[str]:
    records, faults = read(text)
    assert not records
    return [fault.reason for fault in faults.examples]


def played(sans: str) -> list[str]:
    position, names = GAME.start(), []
    for san in sans.split():
        move = GAME.parse_move(position, san)
        names.append(GAME.format_move(position, move))
        position = GAME.play_unchecked(position, move)
    return names


def test_all_shapes_of_moves() -> None:
    records, faults = read((PGN_DATA / "shapes.pgn").read_bytes())
    assert not faults.counts, faults.examples
    assert not faults.warnings
    first, second = records
    assert uci(first) == played(SHAPES)
    assert uci(second) == played("e4 d5 exd5 Nf6 Bb5+ c6 dxc6 Qc7 cxb7+ Nfd7 bxa8=Q a6 Qxb8 a5")
    assert first.event == 'Shapes "of" moves'
    assert first.players == ("M\\ller, A", "Petit, J")
    assert (first.date, first.time_control, first.termination) == ("2024.01.02", "180+2", "time")
    assert first.ratings == (2310, 2299)
    assert (first.result, second.result) == (30000, None)
    assert (first.number, second.number) == (1, 2)
    assert (PGN_DATA / "shapes.pgn").read_bytes()[second.offset :].startswith(b'[White "no tags')


@pytest.mark.parametrize("name", ["shapes.pgn", "chess960.pgn", "scores.pgn"])
def test_files_as_python_chess_reads_them(name: str) -> None:
    content = (PGN_DATA / name).read_bytes()
    if name == "shapes.pgn":  # python-chess knows neither of these
        content = content.replace("♕".encode(), b"Q").replace(b"bxa8(Q)", b"bxa8=Q").replace(b"e4:d5", b"e4xd5")
        content = content.replace(b"c6 N ", b"c6 ").replace(b"{a comment {with", b"{a comment with")
        content = content.replace(b"gxh6e.p.", b"gxh6").replace(b" +-\n", b"\n")
    records, faults = read(content)
    assert not faults.counts, faults.examples
    assert [(uci(record), record.result) for record in records] == oracle(content)


def test_random_games_as_python_chess_reads_them() -> None:
    content = "\n\n".join(str(random_game(seed, 150, seed % 3 == 0)) for seed in range(40)).encode()
    records, faults = read(content)
    assert not faults.counts, faults.examples
    expected = oracle(content)
    assert [uci(record) for record in records] == [moves for moves, _ in expected]
    assert [record.result for record in records] == [result for _, result in expected]
    assert records[0].players == ("Player 0", 'O"Neill\\')


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1. e4 1... e5 2. Nf3 *",
        "1 e4 e5 2 Nf3 *",
        "1… e4 e5 2…Nf3 *",
        "e4 e5 Nf3",
        "e2e4 e7e5 g1f3 *",
        "1. e2-e4 e7-e5 2. Ng1-f3+!! *",
        "1. e4 ! e5 $3$4 2. Nf3 $140 *",
        "1. e4 {a} {b} e5 (1... c5 2. Nf3 (2. c3)) (1... e6) 2. Nf3 1/2-1/2",
        "1. e4\re5\r2. Nf3\r*",
        "1. e4\r\n{com\r\nment}\r\ne5\r\n2. Nf3\r\n*\r\n",
        "\ufeff1. e4 e5 2. Nf3 *",
        "1. e4\0e5\0 2. Nf3 *",
        "1. ♙e4 e5 2. ♘f3 *",
        "1. e4 e5 {} () ; 2. d4\n2. Nf3 *",
        "{before} 1. e4 e5 2. Nf3 *",
        "1. e4 e5 2. Nf3 {after} * {and later}",
        "1. Pe4 e5 2. Nf3 ½-½",
        "some text\nthat is not PGN\n\n1. e4 e5 2. Nf3 *",
        '[Event]\n[Site ?]\n[%odd]\n[White "a"]\n1. e4 [%clk 0:00:01] e5 2. Nf3 *',
        '[White "a"]\n\n\n1. e4 e5\n\n\n2. Nf3\n\n*',
    ],
)
def test_one_game_in_many_shapes(text: str) -> None:
    assert after(text) == ["e2e4", "e7e5", "g1f3"]


@pytest.mark.parametrize("promotion", ["=Q", "Q", "(Q)", "/Q", "=q", "=(Q)", "=Q+", "q"])
def test_promotions(promotion: str) -> None:
    text = f'[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n1. a8{promotion} Kg7 *'
    assert after(text) == ["a7a8q", "h7g7"]


@pytest.mark.parametrize("castling", ["O-O", "0-0", "o-o", "OO", "e1g1", "e1h1", "O-O!?", "0-0+"])
def test_castling(castling: str) -> None:
    assert after(f'[FEN "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]\n1. {castling} Kd7 *')[0] == "e1g1"
    assert after('[FEN "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]\n1. 0-0-0 Ke7 *')[0] == "e1c1"


@pytest.mark.parametrize("move", ["exd6", "exd6e.p.", "exd6 e.p.", "exd6ep", "e5d6", "e5xd6", "ed6"])
def test_en_passant(move: str) -> None:
    assert after(f"1. e4 a6 2. e5 d5 3. {move} *")[-1] == "e5d6"


def test_the_pinned_piece_is_not_meant() -> None:
    # The knight of e2 is pinned, so Nd4 can only be that of f3.
    assert after('[FEN "k3r3/8/8/8/8/5N2/4N3/4K3 w - - 0 1"]\n1. Nd4 Ka7 *')[0] == "f3d4"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e5 *", ILLEGAL),
        ("1. e4 e5 2. Ke2 Ke7 3. Kf6 *", ILLEGAL),
        ("1. e4 e5 2. O-O *", ILLEGAL),
        ("1. Nf3 a6 2. Nc3 a5 3. Nd4 a4 4. Nb5 Ra6 5. Nd4 *", AMBIGUOUS),
        ("1. e4 d5 2. d5 *", ILLEGAL),
        ('[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n1. a8 *', ILLEGAL),
        ("1. e4=Q *", ILLEGAL),
        ("1. e4 xyz *", NO_SUCH_MOVE),
        ("1. e4 Nf6Nc3 *", NO_SUCH_MOVE),
        ("1. e4 -- 2. d4 *", NULL),
        ("1. e4 Z0 2. d4 *", NULL),
        ("1. e4 0000 2. d4 *", NULL),
        ('[Variant "Atomic"]\n1. e4 *', OTHER_VARIANT),
        ('[Variant "Crazyhouse"]\n1. e4 e5 2. N@f3 *', OTHER_VARIANT),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n1. e4 *', NOT_POSITION),
        ('[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 x"]\n1. e4 *', NOT_POSITION),
        ('[Event "x"]\n\n1-0', NO_MOVES),
        ('[Event "x"]\n\n', NO_MOVES),
        ("1. e4 {never closed", UNCLOSED_COMMENT),
        ("1. e4 (1. d4 d5", UNCLOSED_VARIATION),
        ("1. e4 (1. d4 {never closed ) d5", UNCLOSED_VARIATION),
    ],
)
def test_broken_games(text: str, reason: str) -> None:
    assert reasons(text) == [reason]


@pytest.mark.parametrize(
    "broken",
    [
        '[Event "b"]\n1. e4 e5 2. Ke3 {x} (y) 1-0',
        '[Event "b"]\n1. e4 e5 2. Nf3 {never closed 1-0',
        '[Event "b"]\n1. e4 e5 (2. Nf3 (3. a4 1-0',
        '[Event "b"]\n1. e4 e5 2. Kxq1 1-0',
        '[Event "b"]\n[FEN "nonsense"]\n1. e4 e5 1-0',
        '[Event "b"]\n[Variant "Antichess"]\n1. e4 e5 1-0',
        '[Event "b"]\n[Result "*"]\n',
    ],
)
def test_a_broken_game_costs_itself_only(broken: str) -> None:
    sound = '[Event "{}"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'
    content = sound.format("a") + broken + "\n\n" + sound.format("c")
    records, faults = read(content)
    assert [record.event for record in records] == ["a", "c"]
    assert [record.number for record in records] == [1, 3]
    assert [fault.game for fault in faults.examples] == [2]
    assert content[records[1].offset :].startswith('[Event "c"]')


def test_faults_say_where_and_what() -> None:
    content = '[Event "a"]\n\n1. e4 e5 2. Nf6 Nc6 1-0\n'
    _, faults = read(content)
    (fault,) = faults.examples
    assert (fault.file, fault.place, fault.game, fault.move) == ("games.pgn", f"byte {content.index('Nf6')}", 1, 3)
    assert fault.detail == "'Nf6' in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    _, faults = read('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n1. e4 *')
    assert "white has no king" in str(faults.examples[0])
    _, faults = read('[Variant "Atomic"]\n1. e4 *')
    assert "'Atomic'" in str(faults.examples[0])


@pytest.mark.parametrize(
    ("tag", "end", "result", "warnings"),
    [
        ("1-0", "1-0", 30000, []),
        ("1-0", "0-1", -30000, [TWO_RESULTS]),
        ("1-0", "*", None, [TWO_RESULTS]),
        ("1-0", "", 30000, [NO_RESULT]),
        ("*", "", None, [NO_RESULT]),
        ("", "1/2-1/2", 0, []),
        ("", "1/2", 0, []),
        ("?", "", None, [NO_RESULT]),
    ],
)
def test_results(tag: str, end: str, result: int | None, warnings: list[str]) -> None:
    text = (f'[Result "{tag}"]\n' if tag else "") + f"1. e4 e5 {end}\n\n" + '[Event "next"]\n1. d4 *'
    records, faults = read(text)
    assert [record.result for record in records] == [result, None]
    assert list(faults.warnings) == warnings


def test_mate_and_stalemate_decide() -> None:
    mate = "1. f3 e5 2. g4 Qh4#"
    records, faults = read(f"{mate} 1-0\n\n{mate} *\n\n{mate} 0-1")
    assert [(record.result, record.finished) for record in records] == [(-30000, True)] * 3
    assert faults.warnings == {DISAGREES: 1}
    records, faults = read('[FEN "7k/5Q2/8/8/8/8/8/K7 w - - 0 1"]\n1. Qf7-g6 1-0\n\n[Event ""]\n1. e4 1/2-1/2')
    assert [(record.result, record.finished) for record in records] == [(0, True), (0, False)]
    assert faults.warnings == {DISAGREES: 1}


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("2700", 2700),
        ("1500?", 1500),
        ("-", None),
        ("?", None),
        ("", None),
        ("0", None),
        ("99999999999", None),
        ("x", None),
    ],
)
def test_ratings(text: str, rating: int | None) -> None:
    records, _ = read(f'[WhiteElo "{text}"]\n1. e4 *')
    assert records[0].ratings == (rating, None)


def test_terminations() -> None:
    told = {
        "Time forfeit": "time",
        "white won on time": "time",
        "Someone won by resignation": "resigned",
        "Game drawn by agreement": "agreed",
        "abandoned": "left",
        "adjudication": "adjudicated",
        "rules infraction": "illegal",
        "normal": "",
    }
    for text, termination in told.items():
        assert read(f'[Termination "{text}"]\n1. e4 *')[0][0].termination == termination


def test_starts() -> None:
    usual = GAME.format(GAME.start())
    records, _ = read(f'[FEN "{usual}"]\n1. e4 *\n\n[SetUp "1"]\n[FEN ""]\n1. e4 *')
    assert [record.start for record in records] == [None, None]
    records, _ = read((PGN_DATA / "chess960.pgn").read_bytes())
    assert records[0].start == "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1"
    assert uci(records[0])[4] == uci(records[1])[4] == "e1f1"
    assert records[2].start == "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 3 3"


def test_encodings_of_names() -> None:
    content = b'[White "M\xfcller"]\n[Black "M\xc3\xbcller"]\n1. e4 *'
    assert read(content)[0][0].players == ("Müller", "Müller")
    assert read('[White "a\0b"]\n[Black "The "Big" one"]\n1. e4 *')[0][0].players == ("a b", 'The "Big" one')
    assert read('[White "never closed]\n[Black "?"]\n1. e4 *')[0][0].players == ("never closed]", "")


def test_what_stands_between_games_is_counted() -> None:
    records, faults = read("hello\nworld\n1. e4 *\n) } 1-0\nmore text\n\n1. d4 *")
    assert len(records) == 2
    assert faults.warnings == {STRAY_LINES: 3}


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'[Event "x"]', True),
        (b'\xef\xbb\xbf\n[Site "x"]', True),
        (b"% x\n; y\n{z} 1. e4", True),
        (b"1.Nf3", True),
        (b"(;GM[Othello]", False),
        (b"[Event]", False),
        (b"", False),
    ],
)
def test_sniff(head: bytes, known: bool) -> None:
    assert Pgn().sniff(head) is known


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u2009", "\u202f", "\u3000", "\u205f", "\u1680", "\u200b"])
@pytest.mark.parametrize("chunk", [1 << 16, 256])
def test_any_space_of_unicode_is_one(space: str, chunk: int) -> None:
    plain = '[White "Carlsen, M"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {good move} 1-0\n\n' * 5
    buffer = PgnBuffer(chunk, 1 << 14)
    found = []
    for text in (plain, plain.replace(" ", space)):
        faults = Faults()
        stream = io.BufferedReader(io.BytesIO(text.encode()))
        batches = list(buffer.batches(stream, "x", faults))
        found.append([(record.moves, record.players, record.result) for batch in batches for record in batch.records()])
        assert not faults.counts
    assert found[0] == found[1] and len(found[0]) == 5


def test_no_break_spaces_of_latin_1_and_letters_that_end_like_one() -> None:
    text = '[White "Voilà"]\n[Black "Lécuyer"]\n\n1.\u00a0e4\u00a0e5\u00a02. Nf3 *\n'
    for encoding in ("latin-1", "utf-8"):
        stream = io.BufferedReader(io.BytesIO(text.encode(encoding)))
        [record] = [
            one for batch in PgnBuffer(1 << 14, 1 << 13).batches(stream, "x", Faults()) for one in batch.records()
        ]
        assert (len(record.moves), record.players) == (3, ("Voilà", "Lécuyer"))
