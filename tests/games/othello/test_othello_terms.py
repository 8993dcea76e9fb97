"""Othello's evaluation: every pattern against brute force, the sums in all their forms, and the symmetries."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from evalsmith.compile import COMPILED
from evalsmith.games.contract import PHASE, call_evaluate, call_position, call_sum_terms, call_terms
from evalsmith.games.game import Position
from evalsmith.games.othello import GAME, patterns
from evalsmith.games.othello.layout import SIZE
from evalsmith.games.othello.sums import COLUMNS
from evalsmith.weights import Layout, Weights, explain_position, starting_weights
from naive import othello as naive

POSITIONS = 300 if COMPILED else 20
LAYOUT = Layout.of(GAME)
ORIDS = {
    "edge+2x": 29_646,
    "corner3x3": 10_206,
    "corner2x5": 59_049,
    "corner2x4": 6_561,
    "triangle": 29_889,
    "line8": 3_321,
    "diagonal8": 3_321,
    "diagonal7": 1_134,
    "diagonal6": 378,
    "diagonal5": 135,
    "diagonal4": 45,
}
PLACES = {
    "edge+2x": 4,
    "corner3x3": 4,
    "corner2x5": 8,
    "corner2x4": 8,
    "triangle": 4,
    "line8": 16,
    "diagonal8": 2,
    **{f"diagonal{length}": 4 for length in (4, 5, 6, 7)},
}


@pytest.fixture(scope="module")
def orids() -> dict[str, list[int]]:
    return {pattern: naive.orids(pattern) for pattern in naive.PATTERNS}


def drawn(kind: str, seed: int) -> list[naive.Othello]:
    """Positions of random games, or boards with discs anywhere."""
    choose = random.Random(seed)
    if kind == "boards":
        return [naive.random_board(choose) for _ in range(POSITIONS)]
    found: list[naive.Othello] = []
    while len(found) < POSITIONS:
        game = naive.Othello()
        while legal := game.moves():
            found.append(game)
            game = game.play(choose.choice(legal))
        found.append(game)
    return choose.sample(found, POSITIONS)


def terms_of(position: Position) -> dict[str, Counter[int]]:
    """What the kernel emits, as the naive twin says it."""
    index, value = np.zeros(GAME.max_terms, dtype=np.int32), np.zeros(GAME.max_terms, dtype=np.int16)
    count = call_terms(GAME.context(evaluation=True).row, position, index, value)
    assert count == GAME.max_terms == len(GAME.evaluation.terms or ())
    found: dict[str, Counter[int]] = {feature.name: Counter() for feature in GAME.evaluation.features}
    for i, amount in zip(index[:count], value[:count], strict=True):
        feature, within = LAYOUT.feature_at(int(i))
        found[feature][within] += int(amount)
    return found


# ── Patterns ──


def test_the_number_of_orids() -> None:
    sizes = {feature.name: feature.size for feature in GAME.evaluation.features}
    assert {name: sizes[name] for name in ORIDS} == ORIDS
    counts = ("mobility", "enemy mobility", "potential mobility", "enemy potential mobility")
    assert {name: sizes[name] for name in sizes if name not in ORIDS} == {**dict.fromkeys(counts, 65), "parity": 2}
    assert sum(sizes.values()) == SIZE == 143_947


@pytest.mark.parametrize("pattern", patterns.PATTERNS, ids=lambda pattern: pattern.name)
def test_orids_by_brute_force(pattern: patterns.Pattern, orids: dict[str, list[int]]) -> None:
    assert pattern.orids().tolist() == orids[pattern.name]
    assert len(pattern.places) == PLACES[pattern.name]


def test_the_terms_are_named_by_their_squares() -> None:
    named = [feature for _, feature in GAME.evaluation.terms or ()]
    assert Counter(named) == Counter({**PLACES, **{name: 1 for name in named if name not in PLACES}})
    assert GAME.evaluation.terms is not None
    assert ("corner3x3 a1…c3", "corner3x3") in GAME.evaluation.terms


@pytest.mark.parametrize("kind", ["games", "boards"])
def test_terms_against_the_naive_twin(kind: str, orids: dict[str, list[int]]) -> None:
    for game in drawn(kind, 1):
        assert terms_of(GAME.parse(game.text())) == naive.features(game, orids), game.text()


def test_a_described_orid_is_its_configuration(orids: dict[str, list[int]]) -> None:
    feature = next(feature for feature in GAME.evaluation.features if feature.name == "corner3x3")
    game = naive.Othello([[*"-XO-----"], *([*"--------"] for _ in range(7))])
    squares = tuple(naive.PATTERNS["corner3x3"][0].split())
    assert feature.describe(orids["corner3x3"][game.instance(squares)]) == "a1- b1X c1O a2- b2- c2- a3- b3- c3-"


# ── Sums ──


def random_weights(seed: int) -> Weights:
    values = np.random.default_rng(seed).integers(-3000, 3001, (COLUMNS, SIZE), dtype=np.int32)
    return Weights(GAME, values, "random")


def by_hand(game: naive.Othello, values: npt.NDArray[np.int32], orids: dict[str, list[int]]) -> int:
    """The evaluation from the naive features."""
    column = values[min(game.count("-"), 63)]
    return sum(
        amount * int(column[LAYOUT.slice_of(feature)][index])
        for feature, counts in naive.features(game, orids).items()
        for index, amount in counts.items()
    )


@pytest.mark.parametrize("made", ["starting", "random"])
def test_all_forms_of_the_evaluation_agree(made: str, orids: dict[str, list[int]]) -> None:
    weights = starting_weights(GAME) if made == "starting" else random_weights(2)
    plain, fused = GAME.context(evaluation=True), GAME.context(evaluation=True)
    weights.attach(plain, by_definition=True)
    weights.attach(fused)
    for game in drawn("games", 3) + drawn("boards", 4):
        position = GAME.parse(game.text())
        value = int(call_evaluate(fused.row, position))
        assert value == call_sum_terms(plain.row, position) == by_hand(game, weights.values, orids), game.text()
        assert call_position(plain.row, PHASE, position) == min(game.count("-"), 63)


def test_explain_adds_up() -> None:
    weights = random_weights(5)
    context = GAME.context(evaluation=True)
    weights.attach(context)
    for game in drawn("games", 6)[:40]:
        position = GAME.parse(game.text())
        explained = explain_position(weights, position)
        assert explained.score == call_evaluate(context.row, position)
        assert sum(Fraction(part.part) for part in explained.parts) == explained.score
        assert len(explained.parts) == GAME.max_terms


def test_the_board_without_a_disc() -> None:
    """It has 64 empties, one more than there are columns; the last column serves it."""
    weights = random_weights(7)
    explained = explain_position(weights, GAME.parse("-" * 64 + " X"))
    assert explained.phase == 63
    assert {part.index for part in explained.parts if part.feature == "mobility"} == {"0"}


# ── Symmetries ──


def test_the_seven_symmetries_are_those_of_the_square() -> None:
    start = GAME.parse("XO" + "-" * 62 + " X")
    images = {GAME.format(symmetry.position(start)) for symmetry in GAME.symmetries()}
    assert len(images) == 7
    assert GAME.format(start) not in images


def test_symmetries_keep_value_moves_and_terms() -> None:
    weights = random_weights(8)
    context = GAME.context(evaluation=True)
    weights.attach(context)
    for game in drawn("games", 9)[:60] + drawn("boards", 10)[:60]:
        position = GAME.parse(game.text())
        value, terms = call_evaluate(context.row, position), terms_of(position)
        for symmetry in GAME.symmetries():
            turned = symmetry.position(position)
            assert call_evaluate(context.row, turned) == value
            assert terms_of(turned) == terms
            moved = sorted(symmetry.move(position, move) for move in GAME.moves(position))
            assert moved == GAME.moves(turned)


# ── Hand-set weights ──


def test_hand_set_weights_like_corners_and_shun_what_lies_beside() -> None:
    context = GAME.context(evaluation=True)
    starting_weights(GAME).attach(context)
    middle = "-" * 27 + "OX------XO" + "-" * 27

    def value(square: int) -> int:
        cells = middle[:square] + "X" + middle[square + 1 :]
        return int(call_evaluate(context.row, GAME.parse(cells + " X")))

    corner, beside, diagonal, far = (value(square) for square in (0, 1, 9, 18))
    assert corner > far > beside > diagonal


def test_the_last_slice_counts_discs() -> None:
    """With a full board the hand-set value is the margin."""
    choose = random.Random(11)
    context = GAME.context(evaluation=True)
    starting_weights(GAME).attach(context)
    for _ in range(50):
        game = naive.Othello([choose.choices("XO", k=8) for _ in range(8)], choose.choice("XO"))
        assert call_evaluate(context.row, GAME.parse(game.text())) == 100 * game.margin()
