"""Bradley–Terry ratings, and the tables of results they are read from."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.arena.statistics.crosstable import read_crosstable
from evalsmith.arena.statistics.elo import Z95, elo_from_score, score_from_elo, trinomial
from evalsmith.arena.statistics.ratings import Pairing, bradley_terry
from evalsmith.run.errors import InputError

repeatable = settings(deadline=None, derandomize=True)
FOUR = [
    Pairing("A", "B", 20, 0, 4),
    Pairing("A", "C", 15, 0, 9),
    Pairing("A", "D", 24, 0, 0),
    Pairing("B", "C", 19, 0, 5),
    Pairing("B", "D", 24, 0, 0),
    Pairing("C", "D", 19, 0, 5),
]


def test_known_tournament() -> None:
    ratings = bradley_terry(FOUR)
    assert ratings.names == ("A", "B", "C", "D")
    assert ratings.elo.round(2).tolist() == [247.49, 124.02, -12.87, -358.64]
    assert np.sqrt(np.diagonal(ratings.covariance)).round(2).tolist() == [45.40, 40.45, 39.52, 61.93]
    assert round(ratings.log_likelihood, 5) == -58.89273
    assert ratings.advantage is None


def test_table_is_sorted_and_its_errors_are_95_percent() -> None:
    table = bradley_terry(FOUR[::-1]).table()
    assert [row.name for row in table] == ["A", "B", "C", "D"]
    assert [round(row.error / Z95, 2) for row in table] == [45.40, 40.45, 39.52, 61.93]


def test_two_players_get_the_elo_of_their_score() -> None:
    difference = bradley_terry([Pairing("A", "B", 60, 20, 20)]).difference("A", "B")
    assert difference.elo == pytest.approx(elo_from_score(0.7))
    without_draws = bradley_terry([Pairing("A", "B", 55, 0, 45)]).difference("A", "B")
    assert without_draws.error == pytest.approx(trinomial(55, 0, 45).elo_error, rel=0.02)


def test_error_of_a_difference_uses_the_covariance() -> None:
    ratings = bradley_terry(FOUR)
    away = bradley_terry(FOUR, anchors={"B": 0.0})
    difference = ratings.difference("A", "B")
    assert (difference.elo, difference.error) == pytest.approx((away.table()[0].elo, away.table()[0].error))
    assert ratings.difference("B", "A").elo == -difference.elo
    with pytest.raises(InputError, match="no player has the name Z"):
        ratings.difference("A", "Z")


def test_one_anchor_shifts_all() -> None:
    free, anchored = bradley_terry(FOUR), bradley_terry(FOUR, anchors={"C": 2000.0})
    assert anchored.elo == pytest.approx(free.elo - free.elo[2] + 2000.0)
    assert anchored.covariance[2, 2] == 0.0
    assert anchored.log_likelihood == pytest.approx(free.log_likelihood)


def test_two_anchors_stay_and_cost_likelihood() -> None:
    anchored = bradley_terry(FOUR, anchors={"A": 100.0, "D": 0.0})
    assert (anchored.elo[0], anchored.elo[3]) == pytest.approx((100.0, 0.0))
    assert anchored.log_likelihood < bradley_terry(FOUR).log_likelihood


def test_all_anchored_leaves_nothing_to_fit() -> None:
    ratings = bradley_terry(FOUR, anchors={"A": 3.0, "B": 2.0, "C": 1.0, "D": 0.0})
    assert ratings.elo == pytest.approx([3.0, 2.0, 1.0, 0.0])
    assert not ratings.covariance.any()


def test_anchors_join_what_the_games_do_not() -> None:
    apart = [Pairing("A", "B", 3, 0, 1), Pairing("C", "D", 2, 0, 2)]
    ratings = bradley_terry(apart, anchors={"A": 0.0, "C": 500.0})
    assert ratings.elo == pytest.approx([0.0, -elo_from_score(0.75), 500.0, 500.0])


def test_prior_makes_a_clean_sweep_finite() -> None:
    sweep = [Pairing("A", "B", 9, 0, 0)]
    assert bradley_terry(sweep, prior=2.0).difference("A", "B").elo == pytest.approx(elo_from_score(10 / 11))
    assert bradley_terry(FOUR, prior=5.0).elo[0] < bradley_terry(FOUR).elo[0]


def test_prior_is_counted_once_for_each_pair_and_not_in_the_likelihood() -> None:
    split = [Pairing("A", "B", 5, 0, 1), Pairing("B", "A", 2, 0, 4)]
    ratings = bradley_terry(split, prior=2.0)
    assert ratings.difference("A", "B").elo == pytest.approx(elo_from_score(10 / 14))
    chance = 10 / 14
    assert ratings.log_likelihood == pytest.approx(9 * math.log(chance) + 3 * math.log(1 - chance))


def test_first_move_advantage_is_found() -> None:
    strength, edge, games = {"A": 80.0, "B": 0.0, "C": -80.0}, 35.0, 10_000
    pairings = []
    for first in strength:
        for second in strength:
            if first != second:
                won = games * score_from_elo(strength[first] - strength[second] + edge)
                pairings.append(Pairing(first, second, won, 0.0, games - won))
    ratings = bradley_terry(pairings, first_move=True)
    assert ratings.elo == pytest.approx([80.0, 0.0, -80.0])
    assert ratings.advantage is not None
    assert ratings.advantage.elo == pytest.approx(edge)
    # 60,000 games near one half: each holds a quarter of a unit of information, in log odds.
    assert ratings.advantage.error == pytest.approx(Z95 * 400 / math.log(10) / math.sqrt(60_000 / 4), rel=0.1)
    assert ratings.log_likelihood > bradley_terry(pairings).log_likelihood


@pytest.mark.parametrize(
    ("pairings", "anchors"),
    [
        ([Pairing("A", "B", 3, 1, 2)], {}),
        ([Pairing("A", "B", 3, 0, 0), Pairing("B", "A", 3, 0, 0)], {}),
        ([Pairing("A", "B", 0, 0, 3), Pairing("B", "A", 0, 0, 3)], {}),
        ([Pairing("A", "B", 3, 0, 0)], {"A": 0.0, "B": 0.0}),
    ],
)
def test_first_move_advantage_needs_games_that_tell(pairings: list[Pairing], anchors: dict[str, float]) -> None:
    assert np.isfinite(bradley_terry(pairings, anchors=anchors).elo).all()
    with pytest.raises(InputError, match="what the first move is worth"):
        bradley_terry(pairings, anchors=anchors, first_move=True)


def test_first_move_advantage_of_anchored_players() -> None:
    ratings = bradley_terry([Pairing("A", "B", 3, 0, 1)], anchors={"A": 0.0, "B": 0.0}, first_move=True)
    assert ratings.advantage is not None
    assert ratings.advantage.elo == pytest.approx(elo_from_score(0.75))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (Pairing("E", "F", 1, 0, 1), "A, B, C, D never met E, F"),
        (Pairing("E", "A", 1, 0, 0), "A, B, C, D never took a point from E; .*prior"),
        (Pairing("A", "E", 1, 0, 0), "E never took a point from A, B, C, D"),
        (Pairing("A", "E", 0, 0, 0), "A, B, C, D never met E"),
    ],
)
def test_players_who_are_cut_off_are_named(more: Pairing, words: str) -> None:
    with pytest.raises(InputError, match=words):
        bradley_terry([*FOUR, more])


def test_many_names_stay_short() -> None:
    sweep = [Pairing("A", f"loser{i}", 1, 0, 0) for i in range(30)]
    with pytest.raises(InputError, match="loser4 and 25 more never took a point from A"):
        bradley_terry([*sweep, *(Pairing("loser0", f"loser{i}", 1, 1, 1) for i in range(1, 30))])


@pytest.mark.parametrize(
    ("pairings", "options", "words"),
    [
        ([], {}, "got none"),
        ([Pairing("A", "A", 1, 1, 1)], {}, "A plays against itself"),
        ([Pairing("A", "B", -1, 1, 1)], {}, "A against B: expected numbers of games"),
        ([Pairing("A", "B", math.nan, 1, 1)], {}, "A against B: expected numbers of games"),
        (FOUR, {"anchors": {"Z": 0.0}}, "the anchor Z has not played"),
        (FOUR, {"anchors": {"A": math.inf}}, "A=inf"),
        (FOUR, {"prior": -1.0}, "prior of 0 or more"),
        ([Pairing("A", "B", 1, 0, 1e-9)], {}, "A against B: expected numbers of games"),
        (
            [Pairing("A", "B", 6, 0, 4), Pairing("B", "C", 6, 0, 4), Pairing("B", "D", 0, 1024, 0)],
            {"anchors": {"A": 10_000.0, "C": -10_000.0}},
            "too lopsided",
        ),
    ],
)
def test_bad_input_is_named(pairings: list[Pairing], options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        bradley_terry(pairings, **options)


results = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50)),
    min_size=1,
    max_size=12,
)


@repeatable
@given(results, st.booleans())
def test_expected_points_are_the_points_made(rows: list[tuple[int, int, int, int, int]], first_move: bool) -> None:
    """At the maximum every player is expected to score what it scored, and so are all who move first."""
    pairings = [Pairing(f"P{i}", f"P{j}", *counts) for i, j, *counts in rows if i != j]
    try:
        ratings = bradley_terry(pairings, first_move=first_move)
    except InputError:
        return
    assert np.isfinite(ratings.elo).all()
    assert np.isfinite(ratings.covariance).all()
    assert float(ratings.elo.mean()) == pytest.approx(0.0, abs=1e-6)
    surplus = dict.fromkeys(ratings.names, 0.0)
    surplus_first = 0.0
    edge = ratings.advantage.elo if ratings.advantage else 0.0
    for pairing in pairings:
        gap = ratings.difference(pairing.first, pairing.second).elo + edge
        games = pairing.won + pairing.drawn + pairing.lost
        more = pairing.won + 0.5 * pairing.drawn - games * score_from_elo(gap)
        surplus[pairing.first] += more
        surplus[pairing.second] -= more
        surplus_first += more
    assert all(value == pytest.approx(0.0, abs=1e-5) for value in surplus.values())
    assert not first_move or surplus_first == pytest.approx(0.0, abs=1e-5)


def joined(pairings: list[Pairing]) -> bool:
    """Whether chains of wins join all to all, by closing the relation under composition."""
    names = {name for pairing in pairings for name in (pairing.first, pairing.second)}
    beats = {(p.first, p.second) for p in pairings if p.won + p.drawn > 0}
    beats |= {(p.second, p.first) for p in pairings if p.lost + p.drawn > 0}
    for k in names:
        beats |= {(i, j) for i in names for j in names if (i, k) in beats and (k, j) in beats}
    return all((i, j) in beats for i in names for j in names if i != j)


@repeatable
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=1, max_size=14))
def test_ratings_exist_just_when_wins_join_all(rows: list[tuple[int, int, bool]]) -> None:
    pairings = [Pairing(f"P{i}", f"P{j}", int(won), 0, int(not won)) for i, j, won in rows if i != j]
    if not pairings:
        return
    if joined(pairings):
        assert np.isfinite(bradley_terry(pairings).elo).all()
    else:
        with pytest.raises(InputError, match=r"never (met|took a point)"):
            bradley_terry(pairings)


def test_swapping_the_view_changes_nothing() -> None:
    swapped = [Pairing(p.second, p.first, p.lost, p.drawn, p.won) for p in FOUR]
    assert [row.elo for row in bradley_terry(swapped).table()] == pytest.approx(
        [row.elo for row in bradley_terry(FOUR).table()]
    )


def written(folder: Path, text: str) -> Path:
    path = folder / "results.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "A B 20 1 4\nB C 3 0 2\n",
        "# comment\n\nA,B,20,1,4\n , \nB, C, 3, 0, 2",
        "\ufeffA\tB\t20\t1\t4\r\nB\tC\t3\t0\t2\r\n",
    ],
)
def test_lines_are_read(tmp_path: Path, text: str) -> None:
    assert read_crosstable(written(tmp_path, text)) == [Pairing("A", "B", 20, 1, 4), Pairing("B", "C", 3, 0, 2)]


@pytest.mark.parametrize(
    "text",
    [
        ",A,B,C\nA,,2½,\nB,1.5,x,3\nC,,0,\n",
        "name,A,B,C\nA,0,2.5,-\nB,1.5,0,3\nC,-,0,0\n",
        "   A   B   C\nB 1.5 x   3\nA *   2.5 -\nC -   0   *\n",
    ],
)
def test_square_tables_are_read(tmp_path: Path, text: str) -> None:
    expected = [Pairing("A", "B", 2.5, 0, 1.5), Pairing("B", "C", 3, 0, 0)]
    assert read_crosstable(written(tmp_path, text)) == expected


def test_both_forms_give_the_same_ratings(tmp_path: Path) -> None:
    square = ",A,B,C,D\nA,,20,15,24\nB,4,,19,24\nC,9,5,,19\nD,0,0,5,\n"
    found = bradley_terry(read_crosstable(written(tmp_path, square)))
    assert found.elo == pytest.approx(bradley_terry(FOUR).elo)


def test_names_with_commas_and_spaces(tmp_path: Path) -> None:
    assert read_crosstable(written(tmp_path, '"Deep, Blue",my engine 2,1,2,3\n')) == [
        Pairing("Deep, Blue", "my engine 2", 1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty file"),
        ("A B 1 2\n", "line 1: expected `A B wins draws losses`"),
        ("A B 1 2 3\n\nA C 1 2\n", "line 3: expected `A B wins draws losses`"),
        ("A B 1 2 3\nA C 1 -2 3\n", "line 2: expected whole numbers of wins, draws and losses, got 1 -2 3"),
        ("A B 1 2 3\nA C 1 2 nan\n", "line 2: .* got 1 2 nan"),
        ("A B 1 2 3\nC C 1 2 3\n", "line 2: expected two different players, got 'C' and 'C'"),
        ("A B 1 2 3\n,C,1,2,3\n", "line 2: expected two different players, got '' and 'C'"),
        (",A,B\nA,,1\n", "line 1: expected a header with the 1 different names"),
        (",A,A\nA,,1\nA,1,\n", "line 1: expected a header with the 2 different names"),
        (",A,B\nA,,1\nC,1,\n", "line 3: expected the row of one of A, B, once; got C"),
        (",A,B\nA,,1\nA,1,\n", "line 3: expected the row of one of A, B, once; got A"),
        (",A,B\nA,,1,4\nB,1,\n", "line 2: expected a name and 2 cells, got 3 cells"),
        (",A,B\nA,,1\nB,inf,\n", "line 3: expected the points of B against A, got inf"),
        (",A,B\nA,7,1\nB,1,\n", "line 2: A has points against itself"),
        (",A,B\nA,,1\nB,,\n", "line 3: A has points against B, whose cell is blank"),
        (",A,B\nA,,-\nB,2,\n", "line 2: B has points against A, whose cell is blank"),
    ],
)
def test_broken_tables_are_named_with_their_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read_crosstable(written(tmp_path, text))
    assert "results.txt" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*missing"):
        read_crosstable(tmp_path / "missing")
    with pytest.raises(InputError, match="cannot read"):
        read_crosstable(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        read_crosstable(tmp_path / "binary")


@repeatable
@given(text=st.text(alphabet=st.sampled_from('AB 0123.,-x½\n"#\t\u00a0\x00') | st.characters(codec="utf-8")))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        pairings = read_crosstable(path)
    except InputError as error:
        assert str(path) in str(error)
    else:
        assert all(isinstance(pairing, Pairing) for pairing in pairings)
