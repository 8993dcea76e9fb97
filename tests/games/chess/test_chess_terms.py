"""The evaluation of chess: against plain Python, its names, its symmetry, and that the hand-set weights make sense."""

import random
from collections import Counter

import numpy as np
import pytest
from chess_composed import composed
from chess_plain_terms import all_terms

from evalsmith.compile import COMPILED
from evalsmith.games import contract
from evalsmith.games.chess import GAME
from evalsmith.games.chess.words import WORDS
from evalsmith.games.conformance import require, require_evaluate
from evalsmith.games.game import Position
from evalsmith.run.errors import PositionError
from naive import chess as naive

EVALUATION = GAME.evaluation
NAMES = [(feature.name, feature.describe(index)) for feature in EVALUATION.features for index in range(feature.size)]


def evaluator(weights: np.ndarray):
    """A function that evaluates a position with these weights."""
    context = GAME.context(evaluation=True)
    context.attach(contract.WEIGHTS, np.ascontiguousarray(weights, dtype=np.int32).reshape(-1))
    context.attach(contract.BLEND, np.array(EVALUATION.blend, dtype=np.int32).reshape(-1))
    context.row[contract.SCALE], context.row[contract.WIDTH] = EVALUATION.scale, EVALUATION.size
    return lambda position: int(contract.call_sum_terms(context.row, position))


HAND_SET = evaluator(EVALUATION.starting())


def named(position: Position) -> Counter[tuple[str, str]]:
    """The terms by name, with what cancels left out."""
    context = GAME.context(evaluation=True)
    index, value = np.zeros(GAME.max_terms + 8, np.int32), np.zeros(GAME.max_terms + 8, np.int16)
    count = contract.call_terms(context.row, position, index, value)
    assert count < GAME.max_terms
    total: Counter[tuple[str, str]] = Counter()
    for i, amount in zip(index[:count], value[:count], strict=True):
        total[NAMES[i]] += int(amount)
    return Counter({key: amount for key, amount in total.items() if amount})


def positions(count: int, seed: int) -> list[str]:
    """FENs of random games and of composed positions."""
    choose = random.Random(seed)
    found = []
    while len(found) < count:
        position = GAME.start()
        for _ in range(160):
            moves = GAME.moves(position)
            if not moves:
                break
            position = GAME.play_unchecked(position, choose.choice(moves))
            if choose.random() < 0.1:
                found.append(GAME.format(position))
    return [*found[:count], *composed("scattered", count, seed), *composed("castling", count // 2, seed)]


def test_conformance() -> None:
    require(GAME)
    require_evaluate(GAME, positions=100_000 if COMPILED else 200)


def test_every_weight_has_its_own_name() -> None:
    assert len(set(NAMES)) == len(NAMES) == EVALUATION.size


def test_terms_are_what_plain_python_says() -> None:
    compared = 0
    for text in positions(300, seed=3):
        try:
            position = GAME.parse(text)
        except PositionError:
            continue
        assert named(position) == all_terms(naive.read(GAME.format(position))), text
        compared += 1
    assert compared > 400


def test_exchanging_colours_changes_nothing() -> None:
    (exchange,) = GAME.symmetries()
    drawn = np.random.default_rng(5).integers(-900, 900, (2, EVALUATION.size))
    values = [HAND_SET, evaluator(drawn)]
    for text in positions(400, seed=4):
        try:
            position = GAME.parse(text)
        except PositionError:
            continue
        turned = exchange.position(position)
        assert named(turned) == named(position)
        for value in values:
            assert value(turned) == value(position), text


def test_tempo_is_all_at_the_start() -> None:
    assert named(GAME.start()) == Counter({("tempo", "to move"): 1})
    assert HAND_SET(GAME.start()) == EVALUATION.starting()[0, 0]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # a queen more
        ("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"),
        # a knight in the centre, not in the corner
        ("4k3/pppp4/8/4N3/8/8/PPPP4/4K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1"),
        # a pawn about to promote
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "8/4k3/8/8/8/8/P7/4K3 w - - 0 1"),
        # a castled king behind its pawns, with queens on
        ("r2q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1 w - - 0 1", "r2q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2QKR2 w - - 0 1"),
        # healthy pawns
        ("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1"),
        # a rook on an open file
        ("3rk3/ppp2ppp/8/8/8/8/PPP2PPP/3RK3 w - - 0 1", "3rk3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3 w - - 0 1"),
    ],
)
def test_hand_set_weights_know_chess(better: str, worse: str) -> None:
    assert HAND_SET(GAME.parse(better)) > HAND_SET(GAME.parse(worse))


def test_phase_goes_with_the_pieces() -> None:
    context = GAME.context(evaluation=True)
    found = [
        int(contract.call_position(context.row, contract.PHASE, GAME.parse(text)))
        for text in ("start", "4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1")
    ]
    assert found == [24, 4, 0]
    many = GAME.parse("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert int(contract.call_position(context.row, contract.PHASE, many)) == 24
    assert len(many) == WORDS
