"""DVONN positions and moves as text."""

import random
from pathlib import Path

import pytest
from dvonn_composed import composed
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.dvonn import GAME, board, notation
from evalsmith.games.dvonn.legality import BLACK, WHITE, Stack
from evalsmith.run.errors import MoveError, PositionError

_LINES = (Path(__file__).parent / "refused.txt").read_text(encoding="utf-8").splitlines()
REFUSED = [line.split(" | ") for line in _LINES if not line.startswith("#")]
EXAMPLE = "DDACCDAAHADCGDWAAADCADDCDCGCCDBHCDBBCADDCDCCCDAGHA"
FULL = "CDCDCDCDCDCDCDCDCDCDCDBCDBCDBCDCDCDCDCDCDCDCDCDCDC"
OPEN = "CAAAAGCDAGAAGDABAHADAACDCNCAKGALSAHHAAALAAABACAAAH"
LETTERS = notation.DIGITS


# ── Positions ──


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_cannot_be_is_refused_with_reason_and_place(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as error:
        GAME.parse(text)
    assert reason in str(error.value)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_nothing_is_no_position(text: str) -> None:
    with pytest.raises(PositionError, match="has 0 characters, not 50"):
        GAME.parse(text)


def test_the_start() -> None:
    assert GAME.format(GAME.start()) == "A" * 50
    assert (GAME.parse(" start\n") == GAME.start()).all()
    assert (GAME.parse("A" * 50) == GAME.start()).all()


@pytest.mark.parametrize("text", [EXAMPLE, FULL, OPEN])
def test_state_strings_come_back(text: str) -> None:
    assert GAME.format(GAME.parse(text)) == text


def test_fields_are_read_in_order() -> None:
    stacks = notation.stacks_of(GAME.parse(EXAMPLE))
    assert stacks[0] == Stack(1, BLACK, False)
    assert 1 not in stacks
    assert stacks[board.NAMES.index("H1")] == Stack(2, BLACK, False)
    assert stacks[board.NAMES.index("E2")] == Stack(6, WHITE, False)
    assert [board.NAMES[field] for field, stack in stacks.items() if stack.red] == ["K3", "E4", "F4"]
    assert notation.side_of(GAME.parse(EXAMPLE)) == BLACK


@pytest.mark.parametrize("height", [15, 16, 17, 45])
@pytest.mark.parametrize("side", [WHITE, BLACK])
@pytest.mark.parametrize("red", [False, True])
def test_high_stacks_are_not_lost(height: int, side: int, red: bool) -> None:
    stacks = {24: Stack(height, side, red), 25: Stack(1, None, True), 26: Stack(1, None, True)}
    if not red:
        stacks[23] = Stack(1, None, True)
    position = notation.make(stacks, side, stacking=True)
    text = GAME.format(position)
    assert len(text.split()[0]) == 50
    assert (" F3=" in text) == (height > 15)
    assert notation.stacks_of(GAME.parse(text)) == dict(sorted(stacks.items()))
    assert (GAME.parse(text) == position).all()


def test_several_high_stacks() -> None:
    text = "E*A*" + 7 * "A" + "*" + 38 * "A"
    position = GAME.parse(text + " A1=16WR c1=16br B2=17WR")
    assert GAME.format(position) == text + " A1=16WR C1=16BR B2=17WR"


def test_a_board_where_nobody_can_move_is_finished_whatever_it_says() -> None:
    board_text = "BBB" + 46 * "A"
    assert GAME.format(GAME.parse("D" + board_text)) == "F" + board_text
    assert GAME.format(GAME.parse("F" + board_text)) == "F" + board_text


def test_a_list_of_moves_is_a_position() -> None:
    moves = ["F3", "c3", "I3", *(name for name in board.NAMES if name not in ("F3", "C3", "I3"))]
    assert GAME.format(GAME.parse(" ".join(moves))) == FULL
    following = GAME.parse("\n".join([*moves, "b1c1"]))
    assert (following == GAME.play(GAME.parse(FULL), GAME.parse_move(GAME.parse(FULL), "B1C1"))).all()


def test_passes_may_be_left_out_of_a_list() -> None:
    for seed in range(300):
        choose = random.Random(seed)
        position, names = GAME.start(), []
        while legal := GAME.moves(position):
            move = choose.choice(legal)
            names.append(GAME.format_move(position, move))
            position = GAME.play_unchecked(position, move)
        if "PASS" in names:
            assert (GAME.parse(" ".join(names)) == position).all()
            assert (GAME.parse(" ".join(name for name in names if name != "PASS")) == position).all()
            return
    pytest.fail("no random game had a pass")


def test_a_list_that_goes_on_after_the_end() -> None:
    with pytest.raises(PositionError, match=r"move 50: 'PASS' is not a legal move in .*there are other moves"):
        notation.after([*board.NAMES, "PASS"])


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.text(alphabet="ABCDEFGHIJK12345 *=WR\n"), st.text(LETTERS, min_size=50, max_size=50)))
def test_garbage_is_refused_or_comes_back(text: str) -> None:
    try:
        position = GAME.parse(text)
    except PositionError as error:
        assert str(error)
    else:
        assert (GAME.parse(GAME.format(position)) == position).all()


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([EXAMPLE, FULL, OPEN, "A" * 50]), st.integers(0, 49), st.sampled_from(LETTERS + "*- "))
def test_a_changed_letter_is_refused_or_playable(text: str, place: int, letter: str) -> None:
    try:
        position = GAME.parse(text[:place] + letter + text[place + 1 :])
    except PositionError:
        return
    assert len(GAME.moves(position)) <= GAME.max_moves
    assert (GAME.parse(GAME.format(position)) == position).all()


# ── Moves ──


@pytest.mark.parametrize("text", ["D2", "d2", " D2\n"])
def test_placings(text: str) -> None:
    assert GAME.format_move(GAME.start(), GAME.parse_move(GAME.start(), text)) == "D2"


@pytest.mark.parametrize("text", ["B1C1", "b1c1", "B1c1 "])
def test_stackings(text: str) -> None:
    position = GAME.parse(FULL)
    assert GAME.format_move(position, GAME.parse_move(position, text)) == "B1C1"


@pytest.mark.parametrize("text", ["PASS", "pass", " Pass"])
def test_passes(text: str) -> None:
    position = GAME.parse("C*BBBD" + 44 * "A" + " A1=20W")
    assert GAME.format_move(position, GAME.parse_move(position, text)) == "PASS"


@pytest.mark.parametrize(
    ("position", "move", "reason"),
    [
        ("start", "PASS", "there are other moves, so there is no pass"),
        ("start", "J1", "the board has no field J1"),
        ("start", "A4", "the board has no field A4"),
        ("start", "A1B1", "stones are still being placed, on one field each"),
        ("start", "", "a move is a field (D2), two fields (A1B1) or PASS"),
        ("start", "e2e4q", "a move is a field (D2), two fields (A1B1) or PASS"),
        ("F3", "F3", "on F3 is a red stone"),
        (FULL, "A1", "all stones are placed; a stack moves from one field to another"),
        (FULL, "A1A1", "on A1 is a stone of black, and white is to move"),
        (FULL, "F3E3", "on F3 is a red stone, and white is to move"),
        (FULL, "C2D2", "the stack on C2 is enclosed on all six sides"),
        (FULL, "B1Z9", "the board has no field Z9"),
        (OPEN, "A1B1", "A1 is empty"),
        (OPEN, "E1C1", "C1 is empty"),
        (OPEN, "E1F3", "E1 and F3 are not on one line"),
        (OPEN, "E1E1", "E1 and E1 are not on one line"),
        (OPEN, "E1F1", "on E1 is a stack of 2 of white, F1 is 1 away"),
        ("E" + "BBB" + 46 * "A", "PASS", "the game is over"),
        ("E" + "BBB" + 46 * "A", "A1B1", "on A1 is a red stone"),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(position: str, move: str, reason: str) -> None:
    with pytest.raises(MoveError) as error:
        GAME.parse_move(GAME.parse(position), move)
    assert reason in str(error.value)


def test_every_refused_pair_has_a_reason() -> None:
    for seed in range(6):
        position = GAME.parse(composed(seed).text())
        legal = {GAME.format_move(position, move) for move in GAME.moves(position)}
        for name in (a + b for a in board.NAMES[::3] for b in board.NAMES):
            if name not in legal:
                with pytest.raises(MoveError, match=r": \S.*"):
                    GAME.parse_move(position, name)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(), st.text(alphabet="ABCDEFGHIJKabk0123456PS ", max_size=5)), st.sampled_from(["start", OPEN]))
def test_garbage_is_no_move(text: str, where: str) -> None:
    position = GAME.parse(where)
    try:
        move = GAME.parse_move(position, text)
    except MoveError as error:
        assert str(error).rstrip()[-1] != ":"
    else:
        assert move in GAME.moves(position)
