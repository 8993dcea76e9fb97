"""What positions are fitted to: labels that were made, results, what players told, or a mix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalsmith.fit.targets import WIN_SHARE, labelled, target_kinds, targets
from evalsmith.games import find_game
from evalsmith.positions.samples import EXACT, NONE, PLAYER, PLAYOUT, REPORTED, SEARCH, UNKNOWN, Samples
from evalsmith.run import InputError
from fitting_samples import random_samples

OTHELLO, FOUR = find_game("othello"), find_game("connect_four")
NAN = float("nan")
MADE = (PLAYOUT, SEARCH, EXACT, PLAYER)


def samples_of(*known: tuple[int | None, int | None, int]) -> Samples:
    """Samples with these results, scores and labels."""
    some = random_samples(OTHELLO, 1).take(np.arange(len(known)))
    result, score = (np.array([UNKNOWN if one[k] is None else one[k] for one in known], dtype=np.int32) for k in (0, 1))
    return replace(some, result=result, score=score, label=np.array([one[2] for one in known], dtype=np.int8))


KNOWN = samples_of(
    (600, -200, EXACT),
    (600, -200, SEARCH),
    (600, -200, REPORTED),
    (None, -200, REPORTED),
    (600, None, NONE),
    (None, None, NONE),
)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("label", [-200, -200, 600, -200, 600, NAN]),
        ("result", [600, 600, 600, NAN, 600, NAN]),
        ("score", [-200, -200, -200, -200, NAN, NAN]),
        ("mix", [0, 0, 0, -200, 600, NAN]),
    ],
)
def test_which_value_counts(kind: str, expected: list[float]) -> None:
    np.testing.assert_array_equal(targets(OTHELLO, KNOWN, kind, 0.25), expected)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("label", ["exact", "search", "result", "reported", "result"]),
        ("result", ["result"] * 5),
        ("score", ["exact", "search", "reported", "reported", "none"]),
        ("mix", ["mixture", "mixture", "mixture", "reported", "result"]),
    ],
)
def test_each_target_says_what_it_is(kind: str, expected: list[str]) -> None:
    assert target_kinds(KNOWN, kind)[:5].tolist() == expected


def test_every_label_that_was_made_goes_before_the_result() -> None:
    """As solves near the end and searches elsewhere do in one dataset."""
    made = samples_of(*((6400, 100 * kind, kind) for kind in MADE))
    assert targets(OTHELLO, made).tolist() == [100.0 * kind for kind in MADE]
    assert labelled(made).all()


def test_best_is_what_the_samples_say() -> None:
    best = targets(OTHELLO, KNOWN)
    assert [UNKNOWN if np.isnan(value) else int(value) for value in best] == KNOWN.target.tolist()


def test_a_win_counts_as_a_part_of_it_and_a_score_in_its_own_unit() -> None:
    some = samples_of((FOUR.win, 50, REPORTED), (-FOUR.win, 50, SEARCH), (0, -FOUR.win, PLAYOUT), (0, 10**6, SEARCH))
    part = FOUR.win / WIN_SHARE
    assert targets(FOUR, some).tolist() == [part, 50.0, -part, part]
    assert targets(FOUR, some, "mix", 1.0).tolist() == [part, -part, 0.0, 0.0]


def test_thoughts_are_cut_at_the_largest_margin_and_facts_beyond_it_refused() -> None:
    assert targets(OTHELLO, samples_of((None, 9000, REPORTED), (None, -9000, SEARCH))).tolist() == [6400, -6400]
    for bad, named in (
        ((6500, None, NONE), "the result is 65 discs"),
        ((None, -7000, EXACT), "exact value is -70 discs"),
    ):
        with pytest.raises(InputError, match=rf"game \d+, ply \d+: .*{named}, beyond ±64"):
            targets(OTHELLO, samples_of((600, None, NONE), bad))


def test_alone_only_proven_ends_are_cut() -> None:
    """Dr. Mario's evaluation of a hard level lies far below a tenth of a win, and must not be cut there."""
    game = find_game("drmario")
    some = random_samples(game, 1).take(np.arange(4))
    score = np.array([-8000, -100, game.win - 3, -game.win], dtype=np.int32)
    alone = replace(some, score=score, label=np.full(4, SEARCH, dtype=np.int8))
    assert targets(game, alone, "score").tolist() == [-8000, -100, 8000, -8000]
