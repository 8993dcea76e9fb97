"""Othello positions and moves as text: both ways, generously, and with errors that say what is wrong and where."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.compile import COMPILED
from evalsmith.games.game import Position
from evalsmith.games.othello import GAME, notation
from evalsmith.games.othello.rules import PASS
from evalsmith.run.errors import MoveError, PositionError
from naive import othello as naive

TRIALS = settings(max_examples=300 if COMPILED else 60, deadline=None, database=None)
START = "---------------------------OX------XO--------------------------- X"
PASSING = "-" + "O" * 6 + "X" + "-" * 56 + " O"


def rows(text: str) -> list[str]:
    return [text[8 * row : 8 * row + 8] for row in range(8)]


def boards(count: int, seed: int) -> list[naive.Othello]:
    choose = random.Random(seed)
    return [naive.random_board(choose) for _ in range(count)]


# ── Positions ──


def test_the_start() -> None:
    assert GAME.format(GAME.start()) == START == naive.Othello().text()
    for text in ("start", "startpos", "START", " start\n"):
        assert (GAME.parse(text) == GAME.start()).all()


def test_round_trips() -> None:
    for game in boards(200, 1):
        position = GAME.parse(game.text())
        assert GAME.format(position) == game.text()
        assert (GAME.parse(GAME.format(position)) == position).all()


def test_words_of_a_position() -> None:
    """Mover, enemy, side; a1 is bit 0, h1 bit 7, a2 bit 8."""
    cells = ["-"] * 64
    cells[0], cells[7], cells[8], cells[63] = "X", "O", "O", "X"
    assert GAME.parse("".join(cells) + " X").tolist() == [1 | 1 << 63, 1 << 7 | 1 << 8, 0]
    assert GAME.parse("".join(cells) + " O").tolist() == [1 << 7 | 1 << 8, 1 | 1 << 63, 1]


@pytest.mark.parametrize(
    "write",
    [
        lambda cells, side: cells.lower() + side.lower(),
        lambda cells, side: cells.replace("X", "*").replace("-", ".") + " " + side.replace("X", "*"),
        lambda cells, side: cells.replace("X", "b").replace("O", "w").replace("-", "_") + side,
        lambda cells, side: cells.replace("O", "0") + " " + side.replace("O", "0"),
        lambda cells, side: "\n".join(rows(cells)) + f"\n{side}\n",
        lambda cells, side: " ".join(cells) + f"   {side}",
        lambda cells, side: f"{cells} {side}; f5:+2; d3:-4",
        lambda cells, side: f"{cells} {side} % a remark",
    ],
    ids=["lower case", "stars and dots", "letters", "zeros", "rows", "spaced", "OBF", "remark"],
)
def test_generous_reading(write) -> None:  # type: ignore[no-untyped-def]
    for game in boards(20, 2):
        cells, side = game.text().split()
        assert GAME.format(GAME.parse(write(cells, side))) == game.text()


def test_a_list_of_moves_is_the_position_after_them() -> None:
    choose = random.Random(3)
    passes = 0
    for _ in range(30):
        game, names = naive.Othello(), []
        while legal := game.moves():
            move = choose.choice(legal)
            game = game.play(move)
            passes += move == "pass"
            if move != "pass":  # one at the end of a list could not be seen
                names.append(move)
                write = choose.choice(["".join, " ".join, "\n".join, lambda names: " ".join(names).upper()])
                assert GAME.format(GAME.parse(write(names))) == game.text()
    assert passes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("  ; a remark", "it is empty"),
        (START[:-1] + "Z", "'Z' at character 66 is neither X, O nor -"),
        ("-" * 10 + "?" + START[11:], "'?' at character 11 is neither X, O nor -"),
        (START[:63], "it has 63 cells, not 64"),
        (START[:64], r"the side to move (X or O) is missing"),
        (START + " -", "'-' at character 68 follows the side to move"),
        (START[:64] + " -", "'-' at character 66 follows the side to move"),
        (START + "X", "'X' at character 67 follows the side to move"),
        ("f5f5", "move 2, f5, is illegal in "),
        ("f5d6a1", "move 3, a1, is illegal in "),
        ("nonsense", "'n' at character 1"),
    ],
)
def test_errors_say_what_and_where(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse(text)
    assert reason in str(caught.value)


def test_long_texts_are_shortened_in_errors() -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse("-" * 10_000)
    assert len(str(caught.value)) < 300


# ── Moves ──


def test_every_move_is_read_back() -> None:
    for game in boards(100, 4):
        position = GAME.parse(game.text())
        for move in GAME.moves(position):
            name = GAME.format_move(position, move)
            for text in (name, name.upper(), f" {name} "):
                assert GAME.parse_move(position, text) == move


@pytest.mark.parametrize("text", ["pass", "PASS", "pa", "PS", "--", "@@"])
def test_words_for_the_pass(text: str) -> None:
    assert GAME.parse_move(GAME.parse(PASSING), text) == PASS


@pytest.mark.parametrize("text", ["", "a1", "pass", "i5", "f9", "f0", "f", "55", "f5f", "五五", "-1"])
def test_what_is_no_legal_move_is_refused_with_those_that_are(text: str) -> None:
    position = GAME.start()
    with pytest.raises(MoveError) as caught:
        GAME.parse_move(position, text)
    assert repr(text) in str(caught.value)
    assert "legal moves: " in str(caught.value)
    assert GAME.format(position) in str(caught.value)


def test_no_move_after_the_end() -> None:
    with pytest.raises(MoveError, match="legal moves: none, the game is over"):
        GAME.parse_move(GAME.parse("X" * 64 + " O"), "pass")


# ── Whatever comes ──

PIECES = st.text(alphabet="XO-xo.*_bw0 \n\t;%", max_size=90)
MOVES = st.lists(st.from_regex(r"[a-hA-H][1-8]", fullmatch=True), max_size=70).map("".join)


@TRIALS
@given(st.one_of(st.text(), PIECES, MOVES, st.binary(max_size=80).map(lambda raw: raw.decode("latin-1"))))
def test_any_text_is_a_position_or_a_position_error(text: str) -> None:
    try:
        position = GAME.parse(text)
    except PositionError as error:
        assert str(error)
    else:
        assert (GAME.parse(GAME.format(position)) == position).all()
        assert int(position[0]) & int(position[1]) == 0
        assert int(position[2]) in (0, 1)


@TRIALS
@given(st.one_of(st.text(), st.sampled_from([START, PASSING])), st.one_of(st.text(), MOVES))
def test_any_text_is_a_move_or_a_move_error(where: str, text: str) -> None:
    position: Position = GAME.parse(where) if where in (START, PASSING) else notation.start()
    try:
        move = GAME.parse_move(position, text)
    except MoveError as error:
        assert str(error)
    else:
        assert move in GAME.moves(position)
