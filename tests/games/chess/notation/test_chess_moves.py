"""Chess moves as UCI and SAN: what is read, what is written, and what is refused and why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.chess import GAME
from evalsmith.games.chess.notation import format_uci
from evalsmith.games.chess.notation.fen import START
from evalsmith.games.chess.notation.moves import format_san, parse_move
from evalsmith.run.errors import MoveError


def test_castling_texts() -> None:
    standard = GAME.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    short = GAME.parse_move(standard, "e1g1")
    assert {GAME.parse_move(standard, text) for text in ("e1h1", "O-O", "0-0", "o-o", "O-O+", "OO")} == {short}
    assert GAME.format_move(standard, short) == "e1g1"
    assert format_uci(standard, short, chess960=True) == "e1h1"
    assert GAME.parse_move(standard, "0-0-0") == GAME.parse_move(standard, "e1a1") == GAME.parse_move(standard, "e1c1")
    moved = GAME.parse("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1")
    long = GAME.parse_move(moved, "O-O-O")
    assert GAME.format_move(moved, long) == "d1b1"
    step = GAME.parse_move(moved, "d1c1")  # the king's step, although castling ends there too
    assert format_san(moved, step) == "Kc1"
    assert GAME.format(GAME.play(moved, long)) == "1r1k2r1/8/8/8/8/8/8/2KR2R1 b gb - 1 1"


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (START, "Nf3", "g1f3"),
        (START, "Ng1-f3", "g1f3"),
        (START, "♘f3!?", "g1f3"),
        (START, " e4 ", "e2e4"),
        (START, "e2-e4", "e2e4"),
        (START, "Pe4", "e2e4"),
        (START, "e2–e4", "e2e4"),  # the dash and the cross of print
        (START, "g1-f3", "g1f3"),  # squares alone name any piece
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4×d5", "e4d5"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O–O–O", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O†", "e1g1"),
        # A rook that is named by its square castles, even where the other wing's king would go there.
        ("4k3/8/8/8/8/8/8/RKR5 w CA - 0 1", "b1c1", "b1c1"),
        (START, "E2E4".lower() + "+", "e2e4"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", "a7b8q"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8Q", "a7a8q"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8(N)", "a7a8n"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8Q", "a7a8q"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "dxe3 e.p.", "d4e3"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d:e3ep", "d4e3"),
    ],
)
def test_moves_are_read_generously(fen: str, text: str, uci: str) -> None:
    position = GAME.parse(fen)
    assert GAME.format_move(position, GAME.parse_move(position, text)) == uci


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
        ("4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "a1d1", "Rad1"),
        ("4k3/R7/8/8/4K3/8/8/R7 w - - 0 1", "a1a4", "R1a4"),
        ("2k5/Q7/8/8/8/8/8/Q2Q3K w - - 0 1", "a1d4", "Qa1d4"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),  # the other knight is pinned
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
    ],
)
def test_san_is_the_shortest_that_tells(fen: str, uci: str, san: str) -> None:
    position = GAME.parse(fen)
    move = GAME.parse_move(position, uci)
    assert format_san(position, move) == san
    assert parse_move(position, san) == move


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START, "e2e5", "not a legal move in rnbq.*legal moves: .*Nf3"),
        (START, "Nf6", "not a legal move"),
        (START, "O-O", "not a legal move"),
        (START, "", "is not a chess move such as"),
        (START, "exd", "is not a chess move such as"),
        (START, "hello", "is not a chess move such as"),
        (START, "00", "is not a chess move such as"),  # no standard castles without dashes between zeros
        (START, "Nf3é", "is not a chess move such as"),
        (START, "Nf3 Nf6", "is not a chess move such as"),
        ("4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "Rd1", "ambiguous in .* it may be Rad1 or Rhd1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "not a legal move"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "is not a chess move"),
        ("k7/2Q5/K7/8/8/8/8/8 b - - 0 1", "a8a7", "none, the game is over"),
    ],
)
def test_wrong_moves_are_refused(fen: str, text: str, reason: str) -> None:
    with pytest.raises(MoveError, match=reason):
        GAME.parse_move(GAME.parse(fen), text)


# Kernels may have to be compiled first, so no deadline; the same examples in every run.
RELAXED = settings(deadline=None, derandomize=True, database=None)


@RELAXED
@given(st.text() | st.text("abcdefgh12345678NBRQKxO0-=+#.ep ", max_size=8))
def test_garbage_is_no_move(text: str) -> None:
    position = GAME.parse("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")
    try:
        move = GAME.parse_move(position, text)
    except MoveError as error:
        assert repr(text) in str(error)
    else:
        assert move in GAME.moves(position)
