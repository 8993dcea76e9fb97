"""NTest's evaluation as our search uses it: the contract, and the numbers of the reference to the integer."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from cof_files import write_set
from evalsmith.compile import COMPILED
from evalsmith.engine import Limit, MctsSearcher, Searcher, evaluate
from evalsmith.games import Position, find_game
from evalsmith.games.conformance import require, require_evaluate
from evalsmith.games.contract import PHASE, call_evaluate, call_position, call_sum_terms, call_terms
from evalsmith.games.othello.ntest import GAME as NTEST
from evalsmith.weights import Coefficients, Weights, explain_position, read_cof
from evalsmith.weights.cof import word_indices

OTHELLO = find_game("othello")
MANY = 5000 if COMPILED else 60


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Coefficients:
    folder = tmp_path_factory.mktemp("cof")
    write_set(folder, largest=32_768)
    return read_cof(folder)


@pytest.fixture(scope="module")
def weights(tables: Coefficients) -> Weights:
    return tables.weights()


def positions(count: int) -> npt.NDArray[np.uint64]:
    """Of random games from the start to the end, and boards of any discs with any number of empties."""
    source, rows = random.Random(3), []
    while len(rows) < count // 2:
        position = OTHELLO.start()
        while moves := OTHELLO.moves(position):
            rows.append(position)
            position = OTHELLO.play_unchecked(position, source.choice(moves))
        rows.append(position)
    while len(rows) < count:
        filled = source.getrandbits(64) | (source.getrandbits(64) if source.random() < 0.5 else 0)
        if source.random() < 0.5:
            filled &= source.getrandbits(64)
        own = filled & source.getrandbits(64)
        rows.append(np.array([own, filled & ~own, 0], dtype=np.uint64))
    for own, other in ((0x00FF00FF00FF00FF, 0), (0, 0xFF00FF00FF00FF00), (0, 0), (2**64 - 1, 0)):
        rows.append(np.array([own, other, 0], dtype=np.uint64))
    return np.array(rows, dtype=np.uint64)


def test_it_keeps_the_contract() -> None:
    require(NTEST, positions=40 if COMPILED else 3)
    require_evaluate(NTEST, positions=2000 if COMPILED else 20)


def test_every_form_is_the_reference(tables: Coefficients, weights: Weights) -> None:
    rows = positions(MANY)
    expected = tables.evaluate(rows)
    indices = np.sort(word_indices(rows[:, 0], rows[:, 1]), axis=1)
    fused, plain = OTHELLO.context(evaluation=True), OTHELLO.context(evaluation=True)
    weights.attach(fused)
    weights.attach(plain, by_definition=True)
    index, value = np.zeros(NTEST.max_terms, dtype=np.int32), np.zeros(NTEST.max_terms, dtype=np.int16)
    for row, known, words in zip(rows, expected.tolist(), indices, strict=True):
        assert call_evaluate(fused.row, row) == known
        assert call_sum_terms(plain.row, row) == known
        assert call_terms(fused.row, row, index, value) == NTEST.max_terms
        assert (np.sort(index) == words).all() and (value == 1).all()
        empties = 64 - int(row[0] | row[1]).bit_count()
        assert call_position(fused.row, PHASE, row) == min(empties, 63)


def test_weights_of_our_own_terms_are_untouched(weights: Weights) -> None:
    """Both kinds in one process, each in its own contexts."""
    from evalsmith.weights import starting_weights

    own = starting_weights(OTHELLO)
    position = positions(20)[11]
    before = evaluate(OTHELLO, own, position)
    assert evaluate(OTHELLO, weights, position) != before
    assert evaluate(OTHELLO, own, position) == before


def best_by_hand(tables: Coefficients, position: Position) -> int:
    """The value of a search of one ply."""
    values = []
    for move in OTHELLO.moves(position):
        following = OTHELLO.play(position, move)
        over = OTHELLO.status(following) == 2
        values.append(-(OTHELLO.result(following) if over else int(tables.evaluate(following[None])[0])))
    return max(values)


def test_a_search_uses_it(tables: Coefficients, weights: Weights) -> None:
    searcher = Searcher(OTHELLO, weights, 1 << 16)
    for position in positions(60)[:30:7]:
        if OTHELLO.moves(position) not in ([], [64]):
            searcher.new_game()
            assert searcher.think(position, Limit(depth=1)).lines[0].score == best_by_hand(tables, position)
    tree = MctsSearcher(OTHELLO, weights, memory_bytes=4_000_000, seed=1)
    assert tree.think(OTHELLO.start(), Limit(nodes=50)).lines[0].move in OTHELLO.moves(OTHELLO.start())


def test_explain_adds_up(tables: Coefficients, weights: Weights) -> None:
    for position in positions(60)[::9]:
        found = explain_position(weights, position)
        assert found.score == sum(part.part for part in found.parts) == int(tables.evaluate(position[None])[0])
        assert len(found.parts) == 59
    [corner] = [part for part in explain_position(weights, OTHELLO.start()).parts if part.term == "triangle a1…a4"]
    assert corner.index == "a1- b2- d1- c1- b1- c2- b3- a2- a3- a4-"
    [discs] = [part for part in explain_position(weights, OTHELLO.start()).parts if part.term == "row 4 a4…h4"]
    assert discs.index == "a4- b4- c4- d4O e4X f4- g4- h4-"  # the discs on the board, not the mirror image of the word


def test_a_solver_orders_moves_by_it(weights: Weights) -> None:
    from evalsmith.games.othello.endgame import solve

    source, position = random.Random(8), OTHELLO.start()
    while 64 - int(position[0] | position[1]).bit_count() > (14 if COMPILED else 4):
        position = OTHELLO.play_unchecked(position, source.choice(OTHELLO.moves(position)))
    plain = solve(position)
    ordered = solve(position, weights=weights.engine_row, terms=NTEST.terms_module)
    assert (ordered.score, ordered.solved) == (plain.score, True)
    assert ordered.nodes != plain.nodes or not COMPILED
