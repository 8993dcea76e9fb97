"""Declarations of an entered king, by 27 and by 24 points, and the maximal length."""

import random

import cshogi
import pytest
from shogi_composed import SET, fits, sfen

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.referee import declaration, too_long
from evalsmith.run.errors import InputError, PositionError
from naive.shogi import Shogi, declared

# Ten pieces beside black's king in the enemy's camp: two dragons and a horse, seven small ones; 22 points.
ENTERED = "1+R+RK+BGGSS/3PP4/2N6/9/9/9/9/9/7k1 b {} 200"


@pytest.mark.parametrize(
    ("hand", "points", "by_27", "by_24"),
    [
        ("P", 23, "loss", "loss"),
        ("2P", 24, "loss", "draw"),
        ("5P", 27, "loss", "draw"),
        ("6P", 28, "win", "draw"),
        ("B3P", 30, "win", "draw"),
        ("9P", 31, "win", "win"),
        ("B4P", 31, "win", "win"),
    ],
)
def test_points(hand, points, by_27, by_24):
    position = GAME.parse(ENTERED.format(hand))
    found = declaration(position)
    assert (found.outcome, found.points, found.pieces) == (by_27, points, 10)
    assert declaration(position, 24).outcome == by_24


def test_white_needs_one_point_less():
    (exchange,) = GAME.symmetries()
    position = GAME.parse(ENTERED.format("5P"))
    assert declaration(position).reason == "27 points, 28 needed"
    assert declaration(exchange.position(position)).outcome == "win"


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("1+R+RK+BGGSS/3PP4/2N6/b8/9/9/9/9/7k1", "the declarer is in check"),
        ("1+R+R1+BGGSS/3PP4/2N6/3K5/9/9/9/9/7k1", "the king is not in the enemy's three ranks"),
        ("1+R+RK+BGGSS/3P5/2N6/9/9/9/9/9/7k1", "9 pieces beside the king in the enemy's three ranks, 10 needed"),
    ],
)
@pytest.mark.parametrize("rule", [27, 24])
def test_conditions(board, reason, rule):
    found = declaration(GAME.parse(f"{board} b 12P 200"), rule)
    assert (found.outcome, found.reason) == ("loss", reason)


def test_only_the_two_rules():
    with pytest.raises(InputError, match="27 or of 24 points, not 25"):
        declaration(GAME.start(), 25)


def test_a_declaration_is_no_move():
    position = GAME.parse(ENTERED.format("9P"))
    assert declaration(position).outcome == "win"
    assert all(0 <= GAME.slot(position, move) < GAME.slots for move in GAME.moves(position))


def entering(choose):
    """A black king in the enemy's camp, with many pieces around it."""
    box = list(SET)
    choose.shuffle(box)
    board = {(choose.randint(1, 9), choose.randint(1, 4)): "K", (choose.randint(1, 9), 9): "k"}
    for _ in range(choose.randint(8, 16)):
        square = (choose.randint(1, 9), choose.choice((1, 2, 2, 3, 3, 4)))
        piece = box[-1] if box[-1] == "G" or choose.random() < 0.5 else "+" + box[-1]
        if fits(board, square, piece):
            board[square] = piece
            box.pop()
    share = choose.random()
    return sfen(board, "b", [letter if choose.random() < share else letter.lower() for letter in box])


def test_as_cshogi_and_the_naive_twin_judge():
    choose = random.Random(9)
    outcomes = {"win": 0, "draw": 0, "loss": 0}
    theirs = {cshogi.NYUGYOKU_WIN: "win", cshogi.NYUGYOKU_DRAW: "draw", cshogi.NYUGYOKU_NONE: "loss"}
    (exchange,) = GAME.symmetries()
    for _ in range(1500):
        try:
            position = GAME.parse(entering(choose))
        except PositionError:
            continue
        for side in (position, exchange.position(position)):
            text = GAME.format(side)
            board, twin = cshogi.Board(text), Shogi.parse(text)
            ours = declaration(side)
            assert ours.outcome == theirs[board.nyugyoku_result(cshogi.LAW_27)], text
            assert ours.outcome == declared(twin, 27), text
            by_24 = declaration(side, 24).outcome
            assert by_24 == theirs[board.nyugyoku_result(cshogi.LAW_24)] == declared(twin, 24), text
            outcomes[ours.outcome] += 1
            outcomes["draw"] += by_24 == "draw"
    assert min(outcomes.values()) > 50


def test_the_maximal_length_is_a_setting():
    position = GAME.parse("4k4/9/9/9/9/9/9/9/4K4 b - 257")
    assert too_long(position, 256)
    assert not too_long(position, 320)
    assert not too_long(position)
