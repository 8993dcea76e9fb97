"""The rules of shogi one by one: what ends a game, repetition, and what search asks of moves."""

import numpy as np
import pytest

from evalsmith.games.contract import DRAW, FRESH, LOSS, WIN
from evalsmith.games.game import OVER, PLAYER
from evalsmith.games.shogi import GAME, rules
from evalsmith.games.shogi.squares import WORDS


def names(sfen, noisy=False):
    position = GAME.parse(sfen)
    return {GAME.format_move(position, move) for move in (GAME.noisy if noisy else GAME.moves)(position)}


def played(sfen, moves):
    """The position after moves, with the keys and checks of all before it."""
    position, keys, checks = GAME.parse(sfen), [], []
    for name in moves:
        keys.append(GAME.key(position))
        checks.append(int(GAME.check(position)))
        position = GAME.play(position, GAME.parse_move(position, name))
    return position, keys, checks


# ── Moves ──


def test_a_pawn_may_mate_by_moving_but_not_by_drop():
    moved, dropped = "7nk/7nl/9/6G1P/9/9/9/9/4K4 b - 1", "8k/9/6G1P/9/9/9/9/9/4K4 b P 1"
    assert "1d1c" in names(moved)
    assert "P*1b" not in names(dropped)
    assert {"P*2b", "P*3b"} <= names(dropped)


@pytest.mark.parametrize(
    ("sfen", "legal"),
    [
        # The pawn's guard is pinned, but a pinned guard still guards.
        ("7nk/7n1/9/9/9/9/9/7L1/4K4 b LP 1", True),  # nobody guards 1b: the king takes
        ("7nk/7n1/8S/9/9/9/9/9/4K4 b P 1", False),
        # A gold could take the pawn.
        ("6gnk/6gn1/8S/9/9/9/9/9/4K4 b P 1", False),
        ("7nk/6gg1/8S/9/9/9/9/9/4K4 b P 1", True),
        # The gold that could take it is pinned by a bishop.
        ("7nk/7g1/6B1S/9/9/9/9/9/4K4 b P 1", False),
    ],
)
def test_mates_by_dropped_pawns(sfen, legal):
    assert ("P*1b" in names(sfen)) == legal


def test_a_pinned_piece_moves_along_its_line_only():
    moves = names("3kr4/9/9/9/4R4/9/9/9/4K4 b - 1")
    rook = {name for name in moves if name.startswith("5e")}
    assert rook == {f"5e5{rank}" for rank in "abcdfgh"} | {f"5e5{rank}+" for rank in "abc"}


def test_in_check_by_a_slider_a_drop_may_interpose():
    moves = names("4r4/9/9/9/k8/9/9/9/4K4 b G 1")
    assert {name for name in moves if "*" in name} == {f"G*5{rank}" for rank in "bcdefgh"}


# ── The end ──


def test_whoever_cannot_move_has_lost():
    mate = GAME.parse("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")
    assert GAME.check(mate)
    assert (GAME.status(mate), GAME.result(mate)) == (OVER, -GAME.win)
    stalemate = GAME.parse("k8/2G6/1+R7/9/9/9/9/9/4K4 w - 1")
    assert not GAME.check(stalemate)
    assert (GAME.status(stalemate), GAME.result(stalemate)) == (OVER, -GAME.win)


def test_a_game_that_grows_too_long_is_drawn_unless_it_is_mate():
    start = GAME.format(GAME.start()).rsplit(" ", 1)[0]
    assert GAME.max_plies == rules.LONGEST
    assert GAME.status(GAME.parse(f"{start} {rules.LONGEST}")) == PLAYER
    late = GAME.parse(f"{start} {rules.LONGEST + 1}")
    assert (GAME.status(late), GAME.result(late)) == (OVER, 0)
    mate = GAME.parse(f"4k4/4G4/4P4/9/9/9/9/9/4K4 w - {rules.LONGEST + 1}")
    assert (GAME.status(mate), GAME.result(mate)) == (OVER, -GAME.win)


# ── Repetition ──

DANCE = ["5i5h", "5a5b", "5h5i", "5b5a"]


def test_the_fourth_time_is_a_draw():
    for times in (1, 2):
        assert GAME.repeated(*played("startpos", DANCE * times)) == FRESH
    assert GAME.repeated(*played("startpos", DANCE * 3)) == DRAW


def test_hands_and_side_make_another_position():
    start = GAME.start()
    assert GAME.key(start) != GAME.key(GAME.parse(GAME.format(start).replace(" b ", " w ")))
    bare = "4k4/9/9/9/9/9/9/9/4K4"
    keys = {GAME.key(GAME.parse(f"{bare} b {hands} 1")) for hands in ("-", "P", "p", "2P", "Pp", "G", "g")}
    assert len(keys) == 7
    assert GAME.key(GAME.parse(f"{bare} b - 1")) == GAME.key(GAME.parse(f"{bare} b - 77"))


# The black rook gives check on every move; white's king steps to and fro.
CHASE = "3k5/9/9/9/9/9/9/9/R7K b - 1"
CHECKS = ["9i9a+", "6a6b", "9a9b", "6b6a", "9b9a", "6a6b", "9a9b", "6b6a", "9b9a", "6a6b", "9a9b", "6b6a", "9b9a"]


def test_perpetual_check_loses_for_who_gives_it():
    position, keys, checks = played(CHASE, CHECKS)
    assert GAME.check(position)  # white to move, in check for the fourth time
    assert GAME.repeated(position, keys, checks) == WIN
    position, keys, checks = played(CHASE, [*CHECKS, "6a6b"])
    assert GAME.repeated(position, keys, checks) == LOSS


def test_one_quiet_move_in_between_makes_it_a_draw():
    quiet = [*CHECKS[:4], "9b9c", "6a7a", "9c9b", "7a6a", *(CHECKS[4:8] * 2), "9b9a"]
    position, keys, checks = played(CHASE, quiet)
    assert GAME.repeated(position, keys, checks) == DRAW


def test_checks_before_the_first_occurrence_do_not_matter():
    quiet = ["9i9h", "6a5a", "9h9i", "5a6a", *CHECKS]
    position, keys, checks = played(CHASE, quiet)
    assert GAME.repeated(position, keys, checks) == WIN


# ── What search asks ──


def test_noisy_moves_are_captures_and_promotions_that_win():
    sfen = "4k4/9/4p4/3pP4/4S4/9/9/1B5R1/4K4 b G 1"
    noisy = names(sfen, noisy=True)
    assert noisy == {"5d5c+", "5e6d", "2h2a+", "2h2b+", "2h2c+"}
    position = GAME.parse(sfen)
    assert all(GAME.capture_value(position, GAME.parse_move(position, name)) > 0 for name in noisy)
    # A pawn, bishop or rook that can promote and does not is left out as well.
    quiet = [name for name in names(sfen) - noisy if not name.endswith("+") and name + "+" not in noisy]
    assert [name for name in quiet if GAME.capture_value(position, GAME.parse_move(position, name)) != 0] == []


def test_in_check_every_evasion_is_noisy():
    sfen = "4r4/9/9/9/k8/9/9/9/4K4 b G 1"
    assert names(sfen, noisy=True) == names(sfen)


def test_gain_counts_the_piece_twice_and_the_promotion():
    position = GAME.parse("4k4/9/4r4/4P4/9/9/9/9/4K4 b - 1")
    taking, promoting = (GAME.capture_value(position, GAME.parse_move(position, name)) for name in ("5d5c", "5d5c+"))
    assert taking == 800 + 880
    assert promoting == taking + 440


def test_order_prefers_the_larger_victim_and_the_lesser_taker():
    position = GAME.parse("4k4/9/9/3pr4/3GP4/9/9/9/4K4 b - 1")
    order = {name: GAME.order(position, GAME.parse_move(position, name)) for name in ("5e5d", "6e5d", "6e6d", "6e7e")}
    # The rook takes back on 6d, so a gold for a pawn comes last.
    assert order["5e5d"] > order["6e5d"] > order["6e7e"] > order["6e6d"]


def test_slots_are_the_same_when_colours_are_exchanged():
    position = GAME.parse("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")
    (exchange,) = GAME.symmetries()
    turned = exchange.position(position)
    for move in GAME.moves(position):
        assert GAME.slot(position, move) == GAME.slot(turned, exchange.move(position, move))


def test_the_null_move_changes_the_side_and_is_refused_in_check():
    after = GAME.null_move(GAME.start())
    assert GAME.format(after) == GAME.format(GAME.start()).replace(" b - 1", " w - 2")
    assert np.array_equal(after, GAME.parse(GAME.format(after)))
    assert GAME.null_move(GAME.parse("4r4/9/9/9/k8/9/9/9/4K4 b G 1")) is None


def test_legality_of_single_numbers():
    position = GAME.start()
    legal = set(GAME.moves(position))
    assert [number for number in range(1 << 15) if rules.is_legal(position, number)] == sorted(legal)
    assert position.shape == (WORDS,) == (GAME.words,)
