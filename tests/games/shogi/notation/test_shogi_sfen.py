"""SFEN and handicaps: what is read, what is written, and what is refused with its reason."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalsmith.games.shogi import GAME, notation
from evalsmith.games.shogi.handicaps import HANDICAPS
from evalsmith.games.shogi.notation.sfen import START
from evalsmith.run.errors import PositionError

BARE = "4k4/9/9/9/9/9/9/9/4K4"
FIVE = "9/9/9/9/9"


@pytest.mark.parametrize(
    "sfen",
    [
        START,
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        f"{BARE} w 18P 77",
        f"{BARE} b 2R2B4G4S4N4L18P 100000",
        "g1g3+Pnb/1+PPLp2p1/3PP1kS1/1s1p5/N+B1NS3p/pP3S1PP/lg3+p2n/3g+r2L1/2+l3K1R w 3Pp 186",
    ],
)
def test_written_as_read(sfen):
    position = GAME.parse(sfen)
    assert GAME.format(position) == sfen
    assert np.array_equal(GAME.parse(f"sfen {sfen}"), position)


def test_the_number_may_be_missing_and_hands_come_in_any_order():
    assert GAME.format(GAME.parse(f"{BARE} b p2G")) == f"{BARE} b 2Gp 1"


def test_usi_positions():
    assert GAME.format(GAME.parse("startpos")) == START
    after = GAME.parse("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e")
    assert GAME.format(after) == "lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6"
    again = GAME.parse(f"sfen {GAME.format(GAME.start())} moves 7g7f 3c3d 8h2b+ 3a2b B*5e")
    assert np.array_equal(after, again)
    assert np.array_equal(GAME.parse("startpos moves"), GAME.start())


# Written out once more, so that a slip in the table of missing pieces shows.
TOP_RANKS = {
    "平手": "lnsgkgsnl/1r5b1", "香落ち": "lnsgkgsn1/1r5b1", "右香落ち": "1nsgkgsnl/1r5b1", "角落ち": "lnsgkgsnl/1r7",
    "飛車落ち": "lnsgkgsnl/7b1", "飛香落ち": "lnsgkgsn1/7b1", "二枚落ち": "lnsgkgsnl/9", "三枚落ち": "lnsgkgsn1/9",
    "四枚落ち": "1nsgkgsn1/9", "五枚落ち": "2sgkgsn1/9", "左五枚落ち": "1nsgkgs2/9", "六枚落ち": "2sgkgs2/9",
    "左七枚落ち": "2sgkg3/9", "右七枚落ち": "3gkgs2/9", "八枚落ち": "3gkg3/9", "十枚落ち": "4k4/9",
}  # fmt: skip


@pytest.mark.parametrize("name", TOP_RANKS)
def test_handicaps(name):
    rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
    assert GAME.format(GAME.parse(name)) == f"{TOP_RANKS[name]}/{rest} {'b' if name == '平手' else 'w'} - 1"
    assert set(TOP_RANKS) == set(HANDICAPS)
    assert np.array_equal(notation.handicap(name), GAME.parse(name))


def test_an_unknown_handicap():
    with pytest.raises(PositionError, match="unknown handicap '九枚落ち'; expected one of 平手"):
        notation.handicap("九枚落ち")


@pytest.mark.parametrize(
    ("sfen", "reason"),
    [
        ("", "here are 0 fields"),
        (f"{BARE} b", "here are 2 fields"),
        (f"{BARE} b - 1 1", "here are 5 fields"),
        (f"{BARE} x - 1", "the side to move is b or w, not 'x'"),
        (f"{BARE} b - 0", "the number of the move is 1 to 100000, not '0'"),
        (f"{BARE} b - 1000000", "the number of the move"),
        (f"{BARE} b - ²", "the number of the move"),
        (f"4k4/9/9/9/{FIVE} b - 1", "black has no king, not one"),
        ("4k4/9/9/9/9/9/9/9/4KK3 b - 1", "black has 2 kings, not one"),
        ("3kk4/9/9/9/9/9/9/9/4K4 b - 1", "white has 2 kings"),
        ("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b 2P 1", "there are 20 pawns, promoted ones and hands counted"),
        (f"{BARE} b 30p 1", "30p in hand: a set has 1 to 18 of them"),
        (f"{BARE} b 3R 1", "3R in hand: a set has 1 to 2"),
        (f"{BARE} b 9999P 1", "9999P in hand"),
        (f"{BARE} b 0P 1", "0P in hand"),
        ("4k4/9/4+R4/9/9/9/9/9/4K4 b Rr 1", "there are 3 rooks, promoted ones and hands counted; a set has 2"),
        ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "black's pawn on 1a could never move again"),
        ("4k4/9/9/9/9/9/9/9/l3K4 b - 1", "white's lance on 9i could never move again"),
        ("4k4/1N7/9/9/9/9/9/9/4K4 b - 1", "black's knight on 8b could never move again"),
        ("4k4/9/9/8P/9/8P/9/9/4K4 b - 1", "black has two pawns on file 1"),
        ("4k4/9/9/9/9/9/9/9/4K3r w - 1", "black is in check, but it is white's move"),
        ("4k4/9/9/9/9/9/9/4K4 b - 1", "the board ends on rank 8 after 9 squares"),
        ("4k4/9/9/9/9/9/9/9/4K4/9 b - 1", "the board has more than 9 ranks"),
        ("4k3/9/9/9/9/9/9/9/4K4 b - 1", "rank 1 has 8 squares, not 9"),
        ("4k5/9/9/9/9/9/9/9/4K4 b - 1", "'5' at character 3 of the board goes beyond the 9 squares of rank 1"),
        ("4k3x/9/9/9/9/9/9/9/4K4 b - 1", "'x' at character 4 of the board is no piece"),
        ("4k3+/9/9/9/9/9/9/9/4K4 b - 1", "'/' at character 5 of the board cannot be promoted"),
        ("4k3+G/9/9/9/9/9/9/9/4K4 b - 1", "'G' at character 5 of the board cannot be promoted"),
        ("4k4/9/9/9/9/9/9/9/4K3+ b - 1", "the board ends with a +"),
        (f"{BARE} b PK 1", "'K' at character 2 of the hands is no piece"),
        (f"{BARE} b PGP 1", "'P' stands twice in the hands"),
        ("startpos moves 7g7f 7g7f", "move 2: '7g7f' is not a legal move"),
        ("startpos moves7g7f", "a blank and the moves must follow 'moves'"),
    ],
)
def test_refusals_say_why(sfen, reason):
    with pytest.raises(PositionError) as error:
        GAME.parse(sfen)
    assert reason in str(error.value)


# ── Garbage ──

LETTERS = "PLNSGBRKplnsgbrk+123456789/ bw-0*x歩成銀玉同打０９▲△(7)\u3000\x00"
sfen_like = st.text(alphabet=LETTERS, max_size=90) | st.text(max_size=40)
ranks = st.lists(st.sampled_from(["9", "4k4", "4K4", "ppppppppp", "+R7l", "P8", "1n7", "8", "k8", "K7K", "Z"]))


@settings(max_examples=300, deadline=None)
@given(text=sfen_like)
@example(text="moves")
@example(text="sfen")
@example(text="\ud800")
def test_garbage_is_refused_or_read(text):
    try:
        position = GAME.parse(text)
    except PositionError as error:
        assert str(error).startswith("not a shogi position, ") or str(error).startswith("move ")
    else:
        assert np.array_equal(GAME.parse(GAME.format(position)), position)


@settings(max_examples=300, deadline=None)
@given(rows=ranks, side=st.sampled_from("bwx"), hands=st.text(alphabet="PLRpg0129-", min_size=1, max_size=8))
def test_almost_positions_are_refused_or_playable(rows, side, hands):
    try:
        position = GAME.parse(f"{'/'.join(rows)} {side} {hands} 1")
    except PositionError as error:
        assert "not a shogi position, " in str(error)
    else:
        assert np.array_equal(GAME.parse(GAME.format(position)), position)
        assert len(GAME.moves(position)) <= 593


# ── Colours exchanged ──


def test_exchanging_colours_twice_changes_nothing():
    (exchange,) = GAME.symmetries()
    position = GAME.parse("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")
    turned = exchange.position(position)
    assert GAME.format(turned) == "lkB4nl/8r/1sg5p/p1p2Bpp1/1Ps2p3/Pp4P1P/3s1PN2/KG1+p5/LN6L b GSN5Prg 1"
    assert np.array_equal(exchange.position(turned), position)
