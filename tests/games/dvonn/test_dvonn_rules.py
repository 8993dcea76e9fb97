"""The rules of DVONN, one by one."""

import random

import numpy as np
import pytest
from dvonn_composed import composed

from evalsmith.games.dvonn import GAME, board, notation
from evalsmith.games.dvonn.legality import BLACK, WHITE, Stack
from evalsmith.games.dvonn.rules import PASS, SLOT_OF_PASS
from evalsmith.games.game import OVER, PLAYER, Position
from evalsmith.run.errors import MoveError

RED_STONE = Stack(1, None, True)


def compose(side: int = WHITE, **stacks: str) -> Position:
    """Stacks by field: ``W2`` is a white stack of two, ``B3R`` a black one with red, ``R`` a red stone."""
    made = {}
    for name, word in stacks.items():
        height = int(word[1:].rstrip("R") or 1)
        stack = RED_STONE if word == "R" else Stack(height, "WB".index(word[0]), word.endswith("R"))
        made[board.NAMES.index(name)] = stack
    # Through the text, so that only positions that can be are composed.
    return GAME.parse(GAME.format(notation.make(made, side, stacking=True)))


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = GAME.play(position, GAME.parse_move(position, move))
    return position


def names(position: Position) -> set[str]:
    return {GAME.format_move(position, move) for move in GAME.moves(position)}


def fields(position: Position) -> set[str]:
    return {board.NAMES[field] for field in notation.stacks_of(position)}


# ── Placing ──


def test_who_places_what() -> None:
    position, placed = GAME.start(), []
    for name in board.NAMES:
        mover = GAME.mover(position)
        position = after(position, name)
        stack = notation.stacks_of(position)[board.NAMES.index(name)]
        placed.append((mover, stack.owner))
    assert placed[:3] == [(WHITE, None), (BLACK, None), (WHITE, None)]
    assert placed[3:] == [(BLACK, BLACK), (WHITE, WHITE)] * 23


def test_white_places_last_and_then_moves_first() -> None:
    position = after(GAME.start(), *board.NAMES[:-1])
    assert GAME.mover(position) == WHITE
    following = after(position, board.NAMES[-1])
    assert GAME.mover(following) == WHITE
    assert notation.is_stacking(following)
    assert GAME.mover(after(following, next(iter(names(following))))) == BLACK


# ── Stacking ──


def test_a_stack_moves_as_far_as_it_is_high() -> None:
    position = compose(A3="W2", B3="R", C3="R", D3="R", A2="W1", A1="W1", B2="B1", C5="B1", B4="B1")
    assert {"A3C3", "A3C5", "A3A1"} <= names(position)
    assert "A3B3" not in names(position)


def test_it_lands_only_on_stacks() -> None:
    position = compose(A1="W2", B1="R", D1="R", C1="W1", E1="R")
    assert names(position) == {"A1C1", "C1B1", "C1D1"}


def test_an_enclosed_stack_stays() -> None:
    ring = {"E3": "B1", "G3": "B1", "F2": "B1", "E2": "R", "F4": "R", "G4": "R"}
    assert names(compose(F3="W1", **ring)) == {"PASS"}
    ring.pop("G3")
    assert names(compose(F3="W1", **ring)) == {"F3E3", "F3F2", "F3E2", "F3F4", "F3G4"}


def test_the_side_of_the_board_is_open() -> None:
    position = compose(A1="W1", B1="R", A2="R", B2="R")
    assert names(position) == {"A1B1", "A1A2", "A1B2"}


def test_a_red_stone_belongs_to_nobody_and_does_not_move() -> None:
    position = compose(A1="R", B1="R", C1="R")
    assert GAME.status(position) == OVER
    assert GAME.result(position) == 0


def test_a_stack_above_ten_cannot_move_and_ten_can() -> None:
    row = dict.fromkeys(("B3", "C3", "D3", "E3", "F3", "G3"), "W1") | {"H3": "R", "I3": "R", "J3": "R", "K3": "B1"}
    assert "A3K3" in names(compose(A3="W10", **row))
    assert not any(name.startswith("A3") for name in names(compose(A3="W11", **row)))
    assert not any(name.startswith("A3") for name in names(compose(A3="W17", **row)))


def test_what_loses_its_red_is_removed() -> None:
    position = compose(A1="R", B1="R", C1="W2R", D1="B1", E1="B1")
    following = after(position, "C1A1")
    assert fields(following) == {"A1", "B1"}
    assert notation.stacks_of(following)[0] == Stack(3, WHITE, True)


def test_a_move_can_cut_off_its_own_stack() -> None:
    position = compose(A1="R", B1="R", C1="R", D1="W1", E1="B1", F1="W1")
    following = after(position, "D1E1")
    assert fields(following) == {"A1", "B1", "C1"}
    assert GAME.status(following) == OVER


def test_a_red_that_moves_away_takes_the_others_along() -> None:
    position = compose(A1="W2R", B1="B1", C1="R", D1="R")
    assert fields(after(position, "A1C1")) == {"C1", "D1", "B1"}
    position = compose(A1="B1", B1="W3R", E1="R", F1="B1", D1="R")
    assert fields(after(position, "B1E1")) == {"D1", "E1", "F1"}


def test_a_pass_is_legal_only_without_a_move() -> None:
    position = compose(A1="W2", B1="R", C1="R", D1="R", E1="B1", side=BLACK)
    assert "PASS" not in names(position)
    stuck = compose(A1="W4", B1="R", C1="R", D1="R", E1="B1", F1="W2", side=BLACK)
    assert "E1D1" in names(stuck)
    waiting = compose(A1="B9", B1="R", C1="R", D1="R", E1="W1", side=BLACK)
    assert names(waiting) == {"PASS"}
    following = after(waiting, "PASS")
    assert GAME.mover(following) == WHITE
    assert names(following) == {"E1D1"}


def test_the_first_stacking_move_can_be_a_pass() -> None:
    """Black and one red hold the whole side, so white is enclosed."""
    side = [name for field, name in enumerate(board.NAMES) if len(board.neighbours(field)) < 6]
    inner = [name for name in board.NAMES if name not in side]
    stacks = dict.fromkeys(side, "B1") | {side[0]: "R"} | dict.fromkeys(inner, "W1") | dict.fromkeys(inner[:2], "R")
    position = compose(**stacks)
    assert names(position) == {"PASS"}
    following = after(position, "PASS")
    assert GAME.format(following)[0] == "D"
    assert (GAME.parse(GAME.format(following)) == following).all()


def test_the_score_counts_stones_under_ones_own_tops() -> None:
    position = compose(A1="W5R", B2="B3", side=BLACK)
    assert GAME.status(position) == OVER
    assert GAME.result(position) == -200
    assert GAME.format(position)[0] == "F"


# ── What the search asks ──


def test_gain_is_what_the_margin_grows_by() -> None:
    gained = 0
    for seed in range(100):
        position = GAME.parse(composed(seed).text())
        for move in GAME.moves(position):
            grown = -GAME.result(GAME.play_unchecked(position, move)) - GAME.result(position)
            assert GAME.capture_value(position, move) == max(grown, 0)
            gained += grown > 0
    assert gained > 100


def test_order_prefers_enemies_then_reds_then_ones_own() -> None:
    position = compose(B2="W1", A2="B1", B1="R", C2="W1", A1="R", C1="R")
    scores = [GAME.order(position, GAME.parse_move(position, move)) for move in ("B2A2", "B2B1", "B2C2")]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_slots_are_dense() -> None:
    assert GAME.slots == SLOT_OF_PASS + 1 + board.FIELDS
    placing = {GAME.slot(GAME.start(), move) for move in GAME.moves(GAME.start())}
    assert placing == set(range(SLOT_OF_PASS + 1, GAME.slots))
    pairs = [(a, b) for a in range(board.FIELDS) for b in range(board.FIELDS) if board.straight(a, b)]
    assert len(pairs) == SLOT_OF_PASS


def test_nothing_is_noisy_and_nobody_rests() -> None:
    position = compose(A1="W1", B1="R", A2="R", B2="R")
    assert GAME.noisy(position) == []
    assert GAME.null_move(position) is None
    assert GAME.status(position) == PLAYER


# ── Symmetries ──


@pytest.mark.parametrize("symmetry", GAME.symmetries(), ids=lambda symmetry: symmetry.name)
def test_a_symmetry_keeps_lines_and_is_its_own_inverse(symmetry) -> None:
    places = board.SYMMETRIES[symmetry.name]
    assert sorted(places) == list(range(board.FIELDS))
    for a in range(board.FIELDS):
        assert places[places[a]] == a
        assert {places[b] for b in board.neighbours(a)} == set(board.neighbours(places[a]))
    position = GAME.parse(composed(3).text())
    assert (symmetry.position(symmetry.position(position)) == position).all()
    assert symmetry.move(position, PASS) == PASS


def test_the_board_has_no_other_symmetry() -> None:
    """Of the twelve maps that keep the six directions and the middle, these and the identity keep the board."""
    middle = np.array([5, 2])
    kept = set()
    for right in board.DIRECTIONS:
        for down in board.DIRECTIONS:
            if (right[0] + down[0], right[1] + down[1]) in board.DIRECTIONS:
                moved = [middle + (c - 5) * np.array(right) + (r - 2) * np.array(down) for c, r in board.PLACES]
                image = tuple(tuple(map(int, place)) for place in moved)
                if set(image) == set(board.PLACES):
                    kept.add(tuple(board.PLACES.index(place) for place in image))
    assert kept == {tuple(range(board.FIELDS)), *board.SYMMETRIES.values()}


def test_the_exchange_of_colours_keeps_moves_and_results_once_stones_are_placed() -> None:
    for seed in range(60):
        choose = random.Random(seed)
        position = GAME.parse(composed(seed).text())
        swapped = notation.exchange_colours(position)
        assert (notation.exchange_colours(swapped) == position).all()
        assert GAME.moves(swapped) == GAME.moves(position)
        assert GAME.status(swapped) == GAME.status(position)
        assert GAME.result(swapped) == GAME.result(position)
        if legal := GAME.moves(position):
            move = choose.choice(legal)
            assert (GAME.play(swapped, move) == notation.exchange_colours(GAME.play(position, move))).all()


def test_play_refuses_what_is_not_legal() -> None:
    with pytest.raises(MoveError, match="not legal"):
        GAME.play(GAME.start(), PASS)
