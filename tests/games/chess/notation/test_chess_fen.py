"""FEN, with Shredder's and X-FEN's castling: what is read, what is written, and what is refused and why."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.chess import GAME
from evalsmith.games.chess.notation.fen import START
from evalsmith.run.errors import PositionError


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the board is missing"),
        ("8/8/8/8/8/8/8/8", "the side to move is missing"),
        ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks, not 8"),
        ("4k3/8/8/8/7/8/8/4K3 w - - 0 1", r"rank 4 \(7\) has 7 squares"),
        ("4k3/8/8/8/8p/8/8/4K3 w - - 0 1", "rank 4 .* has 9 squares"),
        ("4k3/8/3x4/8/8/8/8/4K3 w - - 0 1", "'x' on rank 6"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has no king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings"),
        ("4k3/8/8/8/8/4K3/PPPPPPPP/PPPPPPPP w - - 0 1", "white has 16 pawns"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn stands on a1"),
        ("4k3/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1", "black has 17 pieces, more than 16"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move is 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling 'K' needs white's king and that rook"),
        ("4k3/8/8/8/8/4K3/8/7R w K - 0 1", "castling 'K' needs"),
        ("4k3/8/8/8/8/8/8/4K2R w Z - 0 1", "'Z' in the castling field"),
        ("4k3/8/8/8/8/8/8/4K2R w \u212a - 0 1", "in the castling field"),  # the sign of kelvin
        ("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", "names one wing of white twice"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant square is 'e9'"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "not one on rank 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn can just have moved two squares past e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock is 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "move number is '-1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 9", "'9' follows the six fields"),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "white is in check although black is to move"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "the kings stand side by side"),
        ("4k3/8/8/8/8/8/8/4K3 w -;- 0 1", "'-;-' is not understood"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        GAME.parse(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("start", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", START.replace("KQkq", "-")),
        ("  4k3/8/8/8/8/8/8/4K2R   w K -  ", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 0", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1"),  # X-FEN: the inner rook by its file
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b KQkq - 3 4", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 3 4"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
    ],
)
def test_positions_are_read_generously_and_written_one_way(text: str, written: str) -> None:
    position = GAME.parse(text)
    assert GAME.format(position) == written
    assert (GAME.parse(written) == position).all()


# Kernels may have to be compiled first, so no deadline; the same examples in every run.
RELAXED = settings(deadline=None, derandomize=True, database=None)
_RANK = st.text("12345678pnbrqkPNBRQK", max_size=8)
_NEARLY = st.builds(
    lambda ranks, rest: "/".join(ranks) + " " + rest,
    st.lists(_RANK, min_size=6, max_size=9),
    st.text("wb-KQkqAHah 0123456789e3", max_size=20),
)


@RELAXED
@given(st.text() | st.text(string.printable) | _NEARLY)
def test_garbage_is_no_position(text: str) -> None:
    try:
        position = GAME.parse(text)
    except PositionError as error:
        assert "not a chess position" in str(error)
    else:
        assert (GAME.parse(GAME.format(position)) == position).all()


@RELAXED
@given(st.permutations(list("KkQRRBBNNPPPPqrrbbnnpppp" + " " * 40)), st.sampled_from("wb"))
def test_any_placement_is_read_or_refused(squares: list[str], side: str) -> None:
    rows = ["".join(squares[8 * i : 8 * i + 8]).replace(" ", "1") for i in range(8)]
    try:
        position = GAME.parse(f"{'/'.join(rows)} {side} - - 0 1")
    except PositionError:
        return
    assert (GAME.parse(GAME.format(position)) == position).all()
    for move in GAME.moves(position):
        following = GAME.play_unchecked(position, move)
        assert (GAME.parse(GAME.format(following)) == following).all()
