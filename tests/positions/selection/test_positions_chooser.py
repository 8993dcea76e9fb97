"""Selections: every game and position that is left out is counted by its reason, and what is taken obeys it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from chess_games import CHESS, batch, record, scored
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.positions.samples import EXACT, NONE, REPORTED, UNKNOWN, Samples
from evalsmith.positions.selection import chooser as reasons
from evalsmith.positions.selection.chooser import Chooser, some_of_each
from evalsmith.positions.selection.quiescence import Settler
from evalsmith.positions.selection.selection import Selection, read_selection, seconds_planned
from evalsmith.positions.selection.symmetry import canonical
from evalsmith.records import Batch, Record
from evalsmith.records.position_batch import PositionBatch
from evalsmith.run.errors import InputError

OTHELLO = find_game("othello")


def chosen(games: Batch, **choice: object) -> tuple[Samples, Counter[str], Chooser]:
    chooser = Chooser(CHESS, Selection(**choice))  # type: ignore[arg-type]
    samples = Samples.join(chooser.games_of(games, 3), CHESS.words)
    return samples, chooser.rejected, chooser


GAMES = batch(*(record(seed, 30 + 5 * seed) for seed in range(6)))


def test_without_a_choice_everything_is_taken() -> None:
    samples, rejected, chooser = chosen(GAMES)
    assert len(samples) == len(GAMES.moves)
    assert rejected == {}
    assert chooser.games == 6
    assert set(samples.source.tolist()) == {3}
    assert sorted(set(samples.game.tolist())) == list(range(6))
    for number in range(6):
        rows = samples.take(samples.game == number)
        result = int(GAMES.results[number])
        assert rows.ply.tolist() == list(range(len(rows)))
        assert rows.result.tolist() == [result if ply % 2 == 0 else -result for ply in range(len(rows))]


def test_games_are_turned_away_by_their_first_reason() -> None:
    games = batch(
        record(0, result=None, ratings=(2000.0, 2000.0)),
        record(1, ratings=(None, 2000.0)),
        record(2, ratings=(2000.0, 1500.0)),
        record(3, 5, ratings=(2000.0, 2000.0)),
        record(4, ratings=(2000.0, 2000.0), time_control="60+0"),
        record(5, ratings=(2000.0, 2000.0), time_control="-"),
        record(6, ratings=(2001.0, 2002.0), time_control="900+10"),
    )
    samples, rejected, chooser = chosen(games, min_rating=1800, min_plies=10, min_seconds=600)
    assert rejected == {
        reasons.NO_RESULT: 1, reasons.NO_RATING: 1, reasons.RATING: 1, reasons.LENGTH: 1, reasons.CONTROL: 1,
        reasons.NO_CONTROL: 1,
    }  # fmt: skip
    assert chooser.games == 1
    assert samples.rating.tolist() == [2001 if ply % 2 == 0 else 2002 for ply in range(len(samples))]
    assert samples.opponent.tolist() == [2002 if ply % 2 == 0 else 2001 for ply in range(len(samples))]


def test_plies_at_both_ends() -> None:
    samples, rejected, _ = chosen(GAMES, skip_first=8, skip_last=4)
    assert rejected == {reasons.OPENING: 48, reasons.ENDING: 24}
    assert samples.ply.min() == 8
    for number in range(6):
        assert samples.ply[samples.game == number].max() == GAMES.first[number + 1] - GAMES.first[number] - 5


def test_no_check_and_quiet() -> None:
    everything, _, _ = chosen(GAMES)
    checks = [CHESS.check(row) for row in everything.words]
    samples, rejected, _ = chosen(GAMES, no_check=True)
    assert rejected == {reasons.IN_CHECK: sum(checks)}
    assert 0 < sum(checks) == len(everything) - len(samples)
    quiet, counted, _ = chosen(GAMES, quiet=3)
    assert counted[reasons.IN_CHECK] == sum(checks)
    assert len(quiet) + sum(counted.values()) == len(everything)
    place = {(int(g), int(p)): row for row, (g, p) in enumerate(zip(everything.game, everything.ply, strict=True))}
    for number, ply in zip(quiet.game.tolist(), quiet.ply.tolist(), strict=True):
        for before in range(max(0, ply - 3), ply):
            row = place[number, before]
            move = int(GAMES.moves[GAMES.first[number] + before])
            assert CHESS.capture_value(everything.words[row], move) <= 0


def test_quiet_positions_alone() -> None:
    everything, _, _ = chosen(GAMES)
    ends, settled = Settler(CHESS).ends(everything.words)
    checks = np.array([CHESS.check(row) for row in everything.words])
    quiet = settled & (ends == everything.words).all(axis=1) & ~checks
    samples, rejected, _ = chosen(GAMES, quiet="position")
    assert np.array_equal(samples.words, everything.words[quiet])
    assert np.array_equal(samples.move, everything.move[quiet])
    assert rejected == {reasons.NOISY: int((~quiet).sum())}
    assert 0 < quiet.sum() < len(quiet)


def test_quiet_positions_are_drawn_and_counted_once() -> None:
    """What is not quiet takes no place among the positions of a game, and is not remembered."""
    quiet, _, _ = chosen(GAMES, quiet="position")
    some, rejected, _ = chosen(GAMES, quiet="position", per_game=5, dedup=True)
    assert rejected[reasons.NOISY] > 0
    assert {row.tobytes() for row in some.words} <= {row.tobytes() for row in quiet.words}
    counts = np.bincount(quiet.game, minlength=6)
    assert len(some) + rejected[reasons.REPEAT] == np.minimum(counts, 5).sum()


def test_lines_stand_for_their_beginnings() -> None:
    everything, _, _ = chosen(GAMES)
    samples, rejected, _ = chosen(GAMES, quiet="line")
    assert len(samples) + rejected[reasons.LINE_ENDS] + rejected[reasons.NOISY] == len(everything)
    known = {(int(g), int(p)): row for row, (g, p) in enumerate(zip(everything.game, everything.ply, strict=True))}
    turned = 0
    for row in range(len(samples)):
        before = known[int(samples.game[row]), int(samples.ply[row])]
        same = CHESS.mover(samples.words[row]) == CHESS.mover(everything.words[before])
        assert samples.result[row] == everything.result[before] * (1 if same else -1)
        assert not CHESS.check(samples.words[row])
        turned += not same
    assert turned > 5


def test_some_of_each_game() -> None:
    samples, rejected, _ = chosen(GAMES, per_game=4)
    assert np.unique(samples.game, return_counts=True)[1].tolist() == [4] * 6
    assert rejected == {reasons.ENOUGH: len(GAMES.moves) - 24}
    again, _, _ = chosen(GAMES, per_game=4)
    other, _, _ = chosen(GAMES, per_game=4, seed=2)
    assert np.array_equal(samples.words, again.words)
    assert not np.array_equal(samples.ply, other.ply)


def test_repeats_are_taken_once_across_batches() -> None:
    chooser = Chooser(CHESS, Selection(dedup=True))
    first = Samples.join(chooser.games_of(GAMES, 0), CHESS.words)
    assert Samples.join(chooser.games_of(GAMES, 1), CHESS.words).words.shape == (0, CHESS.words)
    keys = {CHESS.key(row) for row in first.words}
    assert len(keys) == len(first)
    assert chooser.rejected[reasons.REPEAT] == 2 * len(GAMES.moves) - len(first)


def test_images_become_one() -> None:
    chooser = Chooser(OTHELLO, Selection(dedup=True, symmetry=True))
    start = OTHELLO.start()
    firsts = [OTHELLO.play(start, move) for move in OTHELLO.moves(start)]
    words = np.array(firsts)
    positions = PositionBatch(
        "othello", "x", words, np.zeros(4, dtype=np.int32), np.full(4, UNKNOWN, dtype=np.int32),
        np.arange(4), np.arange(4),
    )  # fmt: skip
    samples = chooser.positions_of(positions, 0)
    assert len(samples) == 1
    assert samples.words[0].tolist() in [image.tolist() for image in firsts]
    every = [symmetry.position(firsts[0]) for symmetry in OTHELLO.symmetries()]
    assert len(np.unique(canonical(OTHELLO, np.array(every)), axis=0)) == 1


def test_scores_and_exact_values() -> None:
    played = scored(1)
    labelled = Record("chess", played.moves, labels={3: 55}, scores=played.scores)
    samples, rejected, _ = chosen(batch(played, labelled))
    first = samples.take(samples.game == 0)
    assert first.label.tolist() == [REPORTED if ply % 2 == 0 else NONE for ply in range(20)]
    assert (first.score[4], first.depth[4]) == (40, 5)
    assert first.target.tolist() == first.result.tolist()  # what a player told is not what the fit is after
    second = samples.take(samples.game == 1)
    assert second.ply.tolist() == [3]
    assert (second.label.tolist(), second.score.tolist(), second.target.tolist()) == ([EXACT], [55], [55])
    assert rejected == {reasons.NO_VALUE: 19}
    everything, _, _ = chosen(batch(labelled), unknown_results=True)
    assert len(everything) == 20
    assert everything.target[0] == 0  # without a result, what was told is all there is


def test_lists_of_positions_are_games_while_their_plies_grow() -> None:
    fens = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    ]
    words = np.array([CHESS.parse(fen) for fen in fens])
    results = np.array([CHESS.win, CHESS.win, CHESS.win, -CHESS.win, UNKNOWN], dtype=np.int32)
    scores = np.array([1, 2, 3, UNKNOWN, UNKNOWN], dtype=np.int32)
    chooser = Chooser(CHESS, Selection())
    samples = chooser.positions_of(PositionBatch("chess", "x", words, results, scores, np.arange(5), np.arange(5)), 0)
    assert samples.game.tolist() == [0, 0, 0, 1]
    assert samples.ply.tolist() == [1, 2, 3, 1]
    assert samples.result.tolist() == [-CHESS.win, CHESS.win, -CHESS.win, CHESS.win]
    assert samples.label.tolist() == [REPORTED, REPORTED, REPORTED, NONE]
    assert chooser.rejected == {reasons.NO_RESULT: 1}
    assert chooser.games == 2


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), min_size=1, max_size=60), st.integers(1, 5))
def test_the_draw_of_each_game_is_of_the_right_size(rows: list[tuple[int, int]], most: int) -> None:
    games = np.array(sorted(game for game, _ in rows), dtype=np.int64)
    plies = np.arange(len(rows), dtype=np.int32)
    none = np.zeros(len(rows), dtype=np.int32)
    samples = Samples(np.zeros((len(rows), 3), dtype=np.uint64), games, plies, none, none, none)
    fine = some_of_each(samples, most, 7)
    for game in set(games.tolist()):
        assert fine[games == game].sum() == min(most, (games == game).sum())


# ── The configuration ──


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"min_rating": 5, "max_rating": 4}, "min_rating is 5, above max_rating"),
        ({"skip_first": -1}, "skip_first must be a whole number of at least 0, not -1"),
        ({"per_game": 0}, "per_game must be a whole number of at least 1, not 0"),
        ({"quiet": "soon"}, "quiet must be a whole number of at least 0, or position or line, not 'soon'"),
        ({"quiet": -2}, "quiet must be a whole number of at least 0, or position or line, not -2"),
    ],
)
def test_impossible_choices_are_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Selection(**options)  # type: ignore[arg-type]


def test_a_selection_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text('[select]\nmin_rating = 2000\nquiet = "line"\nmin_seconds = 180\ndedup = true\n')
    assert read_selection(path) == Selection(min_rating=2000, quiet="line", min_seconds=180, dedup=True)
    assert read_selection(path).to_json() == {
        "min_rating": 2000, "quiet": "line", "min_seconds": 180, "dedup": True,
    }  # fmt: skip
    for text, told in (
        ("[select]\nrating = 3", "no setting 'rating' in .*select.; did you mean min_rating"),
        ("[select]\ndedup = 1", "select.: dedup must be true or false, not 1"),
        ('[select]\nper_game = "x"', "select.: per_game must be a whole number of at least 1, not 'x'"),
        ("x = 1", "no table"),
        ("x = ", "not a TOML file"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=told):
            read_selection(path)
    with pytest.raises(InputError, match="there is no file"):
        read_selection(tmp_path / "absent")


def test_only_what_was_chosen_is_stored() -> None:
    assert Selection().to_json() == {}
    assert Selection(seed=5).to_json() == {}  # nothing is drawn
    assert Selection(seed=5, per_game=3).to_json() == {"per_game": 3, "seed": 5}
    assert Selection(**asdict(Selection(quiet=3))) == Selection(quiet=3)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("300+3", 420), ("300", 300), ("40/7200:3600", 7200), ("20/600:300+2", 940), ("80/7200", 3600),
        ("-", None), ("?", None), ("", None), ("40/x", None), ("0/60", 60),
    ],
)  # fmt: skip
def test_time_controls(text: str, seconds: float | None) -> None:
    assert seconds_planned(text) == seconds


def test_quiet_as_it_is_typed() -> None:
    assert [Selection(quiet=value).quiet for value in (None, "4", "line", "position")] == [None, 4, "line", "position"]
