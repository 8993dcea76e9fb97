"""Shogi's terms: every weight named once, the same with colours exchanged, and castles and threats as meant."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_composed import composed
from shogi_slow_terms import slow_terms

from evalsmith.games.contract import BLEND, PHASE, SCALE, WEIGHTS, WIDTH, call_position, call_sum_terms, call_terms
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.evaluation.castles import CASTLES
from evalsmith.games.shogi.layout import AMOUNT_SIZE, FEATURES, STARTS
from evalsmith.run.errors import PositionError

EVALUATION = GAME.evaluation
NAMES = [f"{feature.name}: {feature.describe(i)}" for feature in FEATURES for i in range(feature.size)]


def context(weights=None):
    made = GAME.context(evaluation=True)
    made.attach(WEIGHTS, np.ascontiguousarray(EVALUATION.starting() if weights is None else weights).reshape(-1))
    made.attach(BLEND, np.array(EVALUATION.blend, dtype=np.int32).reshape(-1))
    made.row[SCALE], made.row[WIDTH] = EVALUATION.scale, EVALUATION.size
    return made


CONTEXT = context()


def value(position):
    return call_sum_terms(CONTEXT.row, position)


def terms(position):
    """What the position has more of for the mover, by name."""
    index, amount = np.zeros(GAME.max_terms + 8, np.int32), np.zeros(GAME.max_terms + 8, np.int16)
    count = call_terms(CONTEXT.row, position, index, amount)
    assert count <= GAME.max_terms
    found = Counter()
    for i, v in zip(index[:count], amount[:count], strict=True):
        found[NAMES[i]] += int(v)
    return {name: number for name, number in found.items() if number}


def of(sfen):
    return terms(GAME.parse(sfen))


# ── The layout ──


def test_every_weight_has_its_own_index_and_name():
    assert len(NAMES) == EVALUATION.size == len(set(NAMES))
    assert STARTS["tempo"] == EVALUATION.size - 1
    assert sum(feature.size for feature in FEATURES if STARTS[feature.name] < AMOUNT_SIZE) == AMOUNT_SIZE


def test_hand_set_weights_cover_what_they_name():
    middle, end = EVALUATION.starting()
    assert middle.dtype == np.int32
    assert (middle != end).any()
    start = STARTS["material"]
    assert (middle[start : start + 13] > 0).all()


# ── Colours exchanged ──


def random_positions(seed, count):
    choose = random.Random(seed)
    while count > 0:
        position = GAME.start()
        for _ in range(200):
            moves = GAME.moves(position)
            if not moves or count == 0:
                break
            yield position
            count -= 1
            noisy = GAME.noisy(position)
            position = GAME.play_unchecked(position, choose.choice(noisy if noisy and choose.random() < 0.3 else moves))


def test_games_have_the_same_value_with_colours_exchanged():
    (exchange,) = GAME.symmetries()
    for position in random_positions(1, 3000):
        turned = exchange.position(position)
        assert value(turned) == value(position)
        assert terms(turned) == terms(position)


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 1 << 30))
def test_composed_positions_have_the_same_value_with_colours_exchanged(seed):
    (exchange,) = GAME.symmetries()
    try:
        position = GAME.parse(composed(random.Random(seed)))
    except PositionError:
        return
    turned = exchange.position(position)
    assert terms(turned) == terms(position)
    assert value(turned) == value(position)
    assert call_position(CONTEXT.row, PHASE, turned) == call_position(CONTEXT.row, PHASE, position)


def test_the_start_is_worth_the_move():
    assert terms(GAME.start()) == {"tempo: the move": 1}
    assert value(GAME.start()) == EVALUATION.starting()[0, STARTS["tempo"]]


# ── Against the slow way ──


def test_terms_of_games_are_those_of_the_slow_way():
    for number, position in enumerate(random_positions(2, 900)):
        if number % 6 == 0:
            assert terms(position) == slow_terms(GAME.format(position))


def test_terms_of_composed_positions_are_those_of_the_slow_way():
    choose, compared = random.Random(3), 0
    while compared < 150:
        sfen = composed(choose)
        try:
            position = GAME.parse(sfen)
        except PositionError:
            continue
        assert terms(position) == slow_terms(sfen), sfen
        compared += 1


@pytest.mark.parametrize("castle", [castle.name for castle in CASTLES])
def test_castles_the_slow_way(castle):
    for boards in (CASTLED, PARTIAL):
        sfen = f"{boards[castle][0]} b - 1"
        assert of(sfen) == slow_terms(sfen)


# ── Single terms ──

BARE = "4k4/9/9/9/9/9/9/9/4K4"


def test_material_and_hands_by_number():
    found = of("4k4/9/+R8/9/9/9/9/9/4K4 b 3P2gp 1")
    assert found["material: dragon"] == 1
    assert found["pawn in hand: 3"] == 1
    assert found["pawn in hand: 1"] == -1
    assert found["gold in hand: 2"] == -1
    assert found["dragon on square: 9c"] == 1


def test_squares_are_as_their_owner_sees_them():
    found = of("4k4/9/9/9/9/1g7/9/9/4K4 b - 1")
    assert found["gold on square: 2d"] == -1


@pytest.mark.parametrize(
    ("board", "name", "count"),
    [
        ("4k4/9/9/9/R8/9/9/9/4K4", "rook mobility: 16", 1),
        ("4k4/9/9/9/R2P5/9/9/9/4K4", "rook mobility: 10", 1),
        ("4k4/9/9/9/R2p5/9/9/9/4K4", "rook mobility: 11", 1),
        ("4k4/9/9/4B4/9/9/9/9/4K4", "bishop mobility: 14", 1),
        ("4k4/9/9/9/9/9/9/9/L3K4", "lance mobility: 8", 1),
        ("4k4/9/9/9/9/9/9/9/N3K4", "knight mobility: 1", 1),
        ("4k4/9/9/6S2/9/9/9/9/4K4", "silver mobility: 5", 1),
        ("4k4/9/9/6+P2/9/9/9/9/4K4", "promoted piece mobility: 6", 1),
        ("4k4/9/9/6G2/9/9/9/9/4K4", "gold mobility: 6", 1),
    ],
)
def test_mobility(board, name, count):
    assert of(f"{board} b - 1")[name] == count


CASTLED = {
    "Mino castle": ("4k4/9/9/9/9/9/9/4G1SK1/5G1NL", 5),
    "Anaguma castle": ("4k4/9/9/9/9/9/9/6GSL/6GNK", 5),
    "Yagura castle": ("4k4/9/9/9/9/9/5GS2/6GK1/7NL", 5),
}
PARTIAL = {
    "Mino castle": ("4k4/9/9/9/9/9/9/6SK1/5G3", 2),
    "Anaguma castle": ("4k4/9/9/9/9/9/9/7SL/7NK", 3),
    "Yagura castle": ("4k4/9/9/9/9/9/6S2/6GK1/9", 2),
}


def mirrored(board):
    return "/".join(row[::-1] for row in board.split("/"))


@pytest.mark.parametrize("castle", [castle.name for castle in CASTLES])
@pytest.mark.parametrize("boards", [CASTLED, PARTIAL], ids=["whole", "partial"])
def test_castles(castle, boards):
    board, grade = boards[castle]
    for shown in (board, mirrored(board)):
        assert of(f"{shown} b - 1")[f"{castle}: {grade}"] == 1
        assert of(f"{shown} w - 1")[f"{castle}: {grade}"] == -1
    (exchange,) = GAME.symmetries()
    assert terms(exchange.position(GAME.parse(f"{board} b - 1")))[f"{castle}: {grade}"] == 1


@pytest.mark.parametrize(
    "board",
    ["4k4/9/9/9/9/9/9/5G1SK/5G1NL", "4k4/9/9/9/9/9/5G3/4G2K1/6SNL", "4k4/9/9/9/9/9/9/9/4K4"],
)
def test_a_king_elsewhere_has_no_castle(board):
    assert not [name for name in of(f"{board} b - 1") if "castle: 5" in name]


def test_high_mino_and_silver_crown_are_mino():
    assert of("4k4/9/9/9/9/9/5G3/6SK1/5G1NL b - 1")["Mino castle: 5"] == 1
    assert of("4k4/9/9/9/9/9/5G1S1/6GK1/7NL b - 1")["Mino castle: 5"] == 1


def test_the_king_and_its_attackers():
    # A dragon beside white's king: it attacks squares around it, and one piece is near.
    found = of("4k4/9/3+R5/9/9/9/9/9/4K4 w - 1")
    assert found["attackers near the king: 1"] == 1
    assert found["attackers near the king: 0"] == -1
    assert found["square at the enemy's king attacked: dragon"] < 0
    safe = of("3gkg3/9/9/9/9/9/9/9/4K4 w - 1")
    assert safe["guards beside the king: 2"] == 1
    assert safe["guards beside the king: 0"] == -1
    assert safe["escape squares of the king: 3"] == 1


def test_coordination():
    found = of("4k4/9/9/9/3G5/3S5/9/9/4K4 b - 1")
    assert found["defended piece: gold"] == 1  # by the silver
    assert found["defended piece: silver"] == 1  # by the gold behind it
    loose = of("4k4/9/9/9/R7r/9/9/9/4K4 b - 1")
    assert "attacked and undefended piece: rook" not in loose  # both attack each other
    hanging = of("4k4/9/9/6p2/6G2/9/9/9/4K4 b - 1")
    assert hanging["attacked and undefended piece: gold"] == 1
    assert hanging["piece attacked by a pawn: gold"] == 1
    assert hanging["attacked and undefended piece: pawn"] == -1


def test_pawns():
    found = of("4k4/9/9/9/9/9/PPP1P4/9/4K4 b - 1")
    assert found["pawns side by side: 2"] == 1
    assert found["files open for a pawn: 5"] == 1
    assert found["files open for a pawn: 9"] == -1
    assert found["undefended pawns: 4"] == 1
    across = of("4k4/9/9/9/9/9/1PP6/9/4K4 b - 1")
    assert across["pawns side by side: 1"] == 1
    far = of("4k4/9/9/3P5/3S5/9/9/9/4K4 b - 1")
    assert far["defended pawns beyond the middle: 1"] == 1


def test_threats_by_drop():
    # A gold checks from the three squares before the king, where nothing guards it but the king itself: none is safe.
    assert "safe check by drop: gold" not in of(f"{BARE} b G 1")
    # A pawn guards the square before the king.
    assert of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")["safe check by drop: gold"] == 1
    assert of(f"{BARE} b N 1")["safe check by drop: knight"] == 2
    assert of(f"{BARE} b R 1")["hole in the enemy camp for drop: rook"] == 27 - 6
    before = of("4k4/9/9/2n6/9/9/9/9/4K4 b P 1")
    assert before["pawn drop before: knight"] == 1
    assert "pawn drop before: knight" not in of("4k4/9/9/2n6/9/9/2P6/9/4K4 b P 1")


def test_the_phase_grows_with_hands_and_invaders():
    full = f"{BARE} b 2R2B4G4S4N4L 1"
    texts = ("startpos", f"{BARE} b P 1", f"{BARE} b GS 1", "4k4/9/1+R7/9/9/9/9/9/4K4 b GS 1", full)
    phases = [call_position(CONTEXT.row, PHASE, GAME.parse(text)) for text in texts]
    assert phases == [0, 0, 4, 5, len(EVALUATION.blend) - 1]


# ── Pairs ──


@pytest.mark.parametrize(
    ("sfen", "name", "value"),
    [
        ("4k4/9/9/9/9/9/9/1B5R1/4K4 b - 1", "bishop and rook: both on the board", 1),
        ("4k4/9/9/9/9/9/9/1+B5+R1/4K4 w - 1", "bishop and rook: both on the board", -1),
        ("4k4/9/9/9/9/9/9/7R1/4K4 b B 1", "bishop and rook: bishop in hand", 1),
        ("4k4/9/9/9/9/9/9/7B1/4K4 b R 1", "bishop and rook: rook in hand", 1),
        ("4k4/9/9/9/9/9/9/7R1/4K4 b BR 1", "bishop and rook: both in hand", 1),
        ("4k4/9/9/9/9/9/9/7R1/4K4 b Rb 1", "bishop and rook: rook in hand", 0),
    ],
)
def test_pairs(sfen, name, value):
    assert of(sfen).get(name, 0) == value


def test_pairs_have_no_weight_by_hand():
    assert not EVALUATION.starting()[:, STARTS["bishop and rook"] :][:, :4].any()


# ── Sense ──


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (f"{BARE} b P 1", f"{BARE} b - 1"),
        (f"{BARE} b R 1", f"{BARE} b B 1"),
        (f"{CASTLED['Mino castle'][0]} b r 1", "4k4/9/9/9/9/9/9/4G1S2/4KG1NL b r 1"),
        ("4k4/9/9/9/9/9/9/4+R4/3K5 w - 1", "4k4/4+R4/3S5/9/9/9/9/9/3K5 w - 1"),
    ],
)
def test_hand_set_weights_see_what_players_see(better, worse):
    assert value(GAME.parse(better)) > value(GAME.parse(worse))


def test_no_position_has_more_terms_than_there_is_room_for():
    # Squares, mobility of all but pawns and kings (eighteen tokins are possible), then for each side the counts of
    # king and pawns, two castles that share a home square, hands and a pair; the amounts and the tempo.
    assert GAME.max_terms == 40 + 38 + 2 * (4 + 2 + 4 + 7 + 1) + AMOUNT_SIZE + 1
