"""Running suites: what moves cost, the same result in every run, and players that fail."""

from __future__ import annotations

import json

import numpy as np
import pytest

import evalsmith as es
from evalsmith.run import InputError, MismatchError
from evalsmith.suite.answers import Answers, judge, read_answers, write_answers
from evalsmith.suite.loss import loss_between
from evalsmith.suite.store import SuitePosition, write_suite
from suite_cases import CHESS, EPD, MATE_IN_ONE, START, mock, scored_suite


@pytest.fixture
def suite(tmp_path):
    return write_suite(scored_suite(), tmp_path / "small.parquet").path


def run(suite, name="run", player=None, **settings):
    return es.run_suite(suite, player or mock(), output=suite.parent / name, **{"depth": 3, **settings})


@pytest.mark.parametrize(
    ("entry", "loss", "status"),
    [
        ({"move": "a1a8"}, 0, "answered"),
        ({"move": "a1b1"}, None, "answered"),
        ({"illegal": "'a1a1'"}, 100, "illegal"),
        ({"move": "e8e9"}, 100, "illegal"),
        ({"failed": "crash: exit code 3"}, float("nan"), "failed"),
        ({"ends": "resigns"}, loss_between(9999, -10000), "answered"),
        ({"ends": "declares"}, 0, "answered"),
    ],
)
def test_what_an_answer_costs(entry, loss, status):
    one = scored_suite().positions[0]
    answer = judge(CHESS, one, entry, 275)
    expected = loss_between(9999, one.scores[one.moves.index("a1b1")]) if loss is None else loss
    assert answer.loss == pytest.approx(expected, nan_ok=True)
    assert answer.status == status


def test_points_and_best_moves():
    points = SuitePosition(START, moves=("e2e4", "d2d4"), points=(10, 4), best=("e2e4",))
    assert [judge(CHESS, points, {"move": move}, 275).loss for move in ("e2e4", "d2d4", "a2a3")] == [0, 60, 100]
    assert [judge(CHESS, points, {"move": move}, 275).points for move in ("e2e4", "d2d4", "a2a3")] == [10, 4, 0]
    best = SuitePosition(START, best=("e2e4", "d2d4"))
    assert [judge(CHESS, best, {"move": move}, 275).loss for move in ("d2d4", "a2a3")] == [0, 100]
    avoid = SuitePosition(START, avoid=("a2a3",))
    assert [judge(CHESS, avoid, {"move": move}, 275).loss for move in ("d2d4", "a2a3")] == [0, 100]


def test_our_engine_finds_the_mate_and_the_sums_are_those_of_the_answers(suite):
    result = run(suite, player="self", depth=None, nodes=2000)
    assert (result.positions, result.failed, result.illegal) == (3, 1, 0)
    assert result.answers.row(0).move == "a1a8"
    assert result.answers.row(0).loss == 0
    assert result.loss_total == pytest.approx(np.nansum(result.answers["loss"]))
    document = result.to_json()
    assert {"positions", "loss_mean", "loss_total", "error", "by_tag", "failed"} <= set(document)
    assert set(document["by_tag"]) == {"tactic", "quiet"}
    assert json.loads((suite.parent / "run" / "result.json").read_text()) == document
    assert "failed" in str(result)


@pytest.mark.parametrize("player", ["self", "random", "self;method=mcts", "mock"])
def test_fixed_nodes_give_the_same_answers_in_every_run(suite, player):
    player = mock() if player == "mock" else player
    limit = {"depth": 3} if "uci" in player else {"depth": None, "nodes": 300}
    runs = [run(suite, f"run{n}", player, concurrency=n, **limit) for n in (1, 2, 3)]
    for name in ("move", "own_score", "depth", "nodes", "loss"):
        for other in runs[1:]:
            assert np.array_equal(runs[0].answers[name][:2], other.answers[name][:2])
    assert runs[0].to_json() == {**runs[1].to_json()}


def test_sts_and_wac_run_as_they_are(tmp_path):
    (tmp_path / "sts.epd").write_text(EPD)
    result = run(tmp_path / "sts.epd", player="self", depth=None, nodes=3000)
    assert result.points[1] == 10
    assert 0 <= result.points[0] <= 10
    assert result.answers.row(1).loss == 0  # a mate in one
    assert "points" in str(result)


def test_a_player_that_dies_or_answers_nonsense_costs_that_position(suite):
    result = run(suite, player=mock("die", MATE_IN_ONE.split()[0], "illegal", START.split()[0]))
    assert (result.failed, result.illegal) == (2, 1)
    assert result.loss.mean == 100
    assert result.answers.row(0).reason.startswith("crash")
    assert "a1a1" in result.answers.row(1).reason


def test_a_tag_all_of_whose_positions_failed_has_a_dash(suite):
    result = run(suite, player=mock("die", MATE_IN_ONE.split()[0]))
    assert "nan" not in str(result)
    assert [line.split()[1:] for line in str(result).splitlines() if line.startswith("tactic")] == [["0", "–", "–"]]


def test_a_player_that_always_fails_is_given_up_and_nothing_is_left_in_the_way(suite):
    with pytest.raises(InputError, match="mock failed on each of its first 2 positions: crash"):
        run(suite, player=mock("die", ""))
    assert run(suite).failed == 1


def test_a_run_that_was_cut_off_resumes(suite):
    whole = run(suite)
    folder = suite.parent / "run"
    lines = (folder / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "answers.parquet").unlink()
    (folder / "answers.jsonl").write_bytes(lines[0] + lines[1] + lines[2][:10])
    again = run(suite)
    assert np.array_equal(again.answers["move"], whole.answers["move"])
    assert len((folder / "answers.jsonl").read_bytes().splitlines()) == 4  # the cut line stands alone


def test_another_run_in_the_same_folder_is_refused(suite):
    run(suite)
    with pytest.raises(MismatchError, match=r"depth was 3, is now 2.*or use --overwrite"):
        run(suite, depth=2)
    assert run(suite, depth=2, overwrite=True).positions == 3


def test_a_damaged_run_is_refused_in_one_line(suite):
    run(suite)
    path = suite.parent / "run" / "answers.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="is damaged"):
        read_answers(path)


def test_answers_are_read_back(tmp_path):
    judged = [
        judge(CHESS, one, {"failed": "x"} if one.failed else {"move": "a1a8", "score": 31}, 275)
        for one in scored_suite().positions
    ]
    answers = Answers.of(judged)
    write_answers(answers, {"player": "self"}, tmp_path / "a.parquet")
    again, head = read_answers(tmp_path / "a.parquet")
    assert head == {"player": "self"}
    for row, one in enumerate(judged):
        assert repr(again.row(row)) == repr(one)


def test_a_player_whose_protocol_has_no_positions_is_refused(suite):
    with pytest.raises(InputError):
        run(suite, player="gtp:cat")


# ── The static evaluation ──


def test_the_static_evaluation_against_the_scores(tmp_path):
    (tmp_path / "games.pgn").write_text(PGN_OF_MANY)
    es.build_suite(tmp_path / "games.pgn", tmp_path / "suite", depth=2)
    found = es.run_suite(tmp_path / "suite", "hand-set", static=True, output=tmp_path / "static")
    assert found.overall.positions == found.parts[0].positions + sum(
        one.positions for one in found.parts[1:] if one.name.startswith("phase")
    )
    assert -1 <= found.overall.rank_correlation <= 1
    assert 0 <= found.overall.error <= 100
    assert abs(found.overall.bias) <= found.overall.error
    assert any(one.term == "tempo" for one in found.terms)
    document = json.loads((tmp_path / "static" / "result.json").read_text())
    assert document["positions"] == found.overall.positions
    assert "rank correlation" in str(found)


def test_weights_that_are_wrong_in_one_term_are_found_out(tmp_path):
    """The reference is the evaluation itself, so that only the term that is changed can have residuals."""
    (tmp_path / "games.pgn").write_text(PGN_OF_MANY)
    built = es.build_suite(tmp_path / "games.pgn", tmp_path / "suite", depth=1)
    right = es.load_weights("hand-set", CHESS)
    from dataclasses import replace

    from evalsmith.engine.alphabeta.searcher import evaluate

    positions = [
        replace(one, scores=tuple(int(evaluate(CHESS, right, CHESS.parse(one.text))) for _ in one.scores))
        for one in built.positions
    ]
    exact = type(built)(CHESS, positions, "exact")
    agrees = es.run_suite(exact, right, static=True, output=tmp_path / "right")
    assert agrees.overall.rank_correlation == pytest.approx(1)
    assert agrees.overall.error == 0
    place = right.layout.slice_of("tempo")
    values = right.values.copy()
    values[:, place] -= 40
    wrong = replace(right, values=values)
    found = es.run_suite(exact, wrong, static=True, output=tmp_path / "wrong")
    assert found.terms[0].term == "tempo"
    assert found.terms[0].significant
    assert found.overall.bias > 0


def test_only_weights_and_scores_can_be_compared_statically(suite, tmp_path):
    with pytest.raises(InputError, match="--static looks at weights of ours"):
        es.run_suite(suite, mock(), static=True, output=tmp_path / "a")
    (tmp_path / "sts.epd").write_text(EPD)
    with pytest.raises(InputError, match="has no scores of moves"):
        es.run_suite(tmp_path / "sts.epd", "self", static=True, output=tmp_path / "b")
    with pytest.raises(InputError, match="searches nothing"):
        es.run_suite(suite, "self", static=True, nodes=5)


PGN_OF_MANY = """[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1-0

[Result "0-1"]

1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. Bd3 d5 6. Nf3 c5 7. O-O Nc6 8. a3 Bxc3 9. bxc3 dxc4 10. Bxc4 Qc7 0-1

[Result "1/2-1/2"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7 9. Qd2 O-O 10. O-O-O Nbd7 1/2-1/2
"""
