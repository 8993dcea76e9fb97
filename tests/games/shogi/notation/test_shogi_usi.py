"""USI moves: what is refused with its reason, and that garbage is refused or legal."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalsmith.games.shogi import GAME
from evalsmith.run.errors import MoveError

LETTERS = "PLNSGBRKplnsgbrk+123456789/ bw-0*x歩成銀玉同打０９▲△(7)\u3000\x00"
garbage = st.text(alphabet=LETTERS, max_size=30) | st.text(max_size=40)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7g7e", "'7g7e' is not a legal move in lnsgkgsnl/"),
        ("7g7f+", "not a legal move"),
        ("P*5e", "not a legal move"),
        ("P@5e", "no move of USI, CSA, KIF or KI2"),
        ("", "no move of USI"),
        ("0000", "no move of USI"),
        ("x" * 500, "…' is no move"),
    ],
)
def test_refused_moves(text, reason):
    with pytest.raises(MoveError) as error:
        GAME.parse_move(GAME.start(), text)
    assert reason in str(error.value)
    assert "legal moves: " in str(error.value) and "and 10 more" in str(error.value)


def test_after_mate_there_are_no_moves_to_name():
    with pytest.raises(MoveError, match="none, the game is over"):
        GAME.parse_move(GAME.parse("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), "5a5b")


@settings(max_examples=300, deadline=None)
@given(text=garbage)
@example(text="B*5e")
@example(text="5eB*")
def test_garbage_moves_are_refused_or_legal(text):
    position = GAME.parse("startpos moves 7g7f 3c3d 8h2b+ 3a2b")
    try:
        move = GAME.parse_move(position, text)
    except MoveError as error:
        assert "legal moves: " in str(error)
    else:
        assert move in GAME.moves(position)
