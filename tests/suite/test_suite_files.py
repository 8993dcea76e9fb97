"""Suites as EPD and OBF, both ways."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.run import InputError, MismatchError, OutputError
from evalsmith.suite.epd import epd_lines, read_epd_suite
from evalsmith.suite.files import export_suite, load_suite
from evalsmith.suite.store import BEST, POINTS, SCORES, Suite, SuitePosition, write_suite
from suite_cases import CHESS, EPD, MATE_IN_ONE, START, scored_suite

OBF = (
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4;\n"
    "nonsense\n"
)


@pytest.fixture
def epd(tmp_path):
    (tmp_path / "sts.epd").write_text(EPD)
    return tmp_path / "sts.epd"


def test_points_best_moves_and_moves_to_avoid(epd):
    points, best, avoid = load_suite(epd).positions
    assert (points.valued, best.valued, avoid.valued) == (POINTS, BEST, BEST)
    assert dict(zip(points.moves, points.points, strict=True)) == {"f4f5": 10, "d4f2": 3, "d4e5": 2, "f3g4": 2}
    assert (points.best, points.id) == (("f4f5",), "STS 1")
    assert (best.best, avoid.avoid) == (("a1a8",), ("h2h3",))


def test_values_are_taken_from_c8_and_c9_where_c0_says_something_else(tmp_path):
    (tmp_path / "x.epd").write_text(
        f'{" ".join(MATE_IN_ONE.split()[:4])} bm Ra8#; c0 "a comment"; c8 "10 3"; c9 "a1a8 h2h3";\n'
    )
    [one] = load_suite(tmp_path / "x.epd").positions
    assert dict(zip(one.moves, one.points, strict=True)) == {"a1a8": 10, "h2h3": 3}


def test_a_line_that_cannot_be_read_is_a_failed_position_with_its_reason(epd):
    lines = EPD.splitlines()
    broken = [
        lines[0],
        "9/8/8 w - - bm e4;",
        f"{' '.join(START.split()[:4])} bm Qh5;",
        f'{" ".join(START.split()[:4])} id "none";',
    ]
    epd.write_text("# a comment\n\n" + "\n".join(broken) + "\n" + lines[1][:30])
    suite = load_suite(epd)
    assert [bool(one.failed) for one in suite.positions] == [False, True, True, True, True]
    assert suite.positions[1].failed.startswith("line 4: not a line of EPD")
    assert "Qh5" in suite.positions[2].failed
    assert "no bm, no am" in suite.positions[3].failed


def test_a_packed_file_that_is_cut_keeps_what_could_be_read(tmp_path):
    whole = gzip.compress((EPD * 400).encode(), mtime=0)
    (tmp_path / "sts.epd.gz").write_bytes(whole[: len(whole) // 2])
    suite = load_suite(tmp_path / "sts.epd.gz")
    assert len(suite) > 10
    assert "cut off" in suite.positions[-1].failed


def test_a_suite_with_scores_is_read_back_from_epd(tmp_path):
    suite = scored_suite()
    again = load_suite(export_suite(suite, tmp_path / "s.epd"))
    for one, other in zip(suite.positions, again.positions, strict=False):
        assert (one.text, one.id, one.moves, one.scores, one.best, one.tags) == (
            other.text, other.id, other.moves, other.scores, other.best, other.tags,
        )  # fmt: skip
        assert other.valued == SCORES
    assert len(again) == 2  # the failed one has nothing to write


@given(
    st.lists(st.integers(-9999, 9999).filter(lambda score: abs(score) != 9000), min_size=20, max_size=20),
    st.integers(0, 40),
)
def test_any_scores_come_back_from_epd(tmp_path_factory, scores, depth):
    position = CHESS.start()
    moves = [CHESS.format_move(position, move) for move in CHESS.moves(position)]
    ranked = sorted(scores, reverse=True)
    best = tuple(move for move, score in zip(moves, ranked, strict=True) if score == ranked[0])
    one = SuitePosition(START, "id", tuple(moves), tuple(ranked), best=best, depth=depth, stable_depth=depth // 2)
    path = tmp_path_factory.mktemp("epd") / "s.epd"
    path.write_text("\n".join(epd_lines(Suite(CHESS, [one]))))
    [read] = read_epd_suite(path).positions
    assert (read.moves, read.scores, read.best) == (one.moves, one.scores, one.best)
    assert (read.depth, read.stable_depth) == (depth, depth // 2)


@given(st.text(max_size=80))
def test_no_line_breaks_the_reader(tmp_path_factory, line):
    path = tmp_path_factory.mktemp("epd") / "s.epd"
    path.write_text(EPD + line, encoding="utf-8", errors="replace")
    assert len(load_suite(path)) >= 3


def test_obf_is_a_suite(tmp_path):
    (tmp_path / "ffo.obf").write_text(OBF)
    suite = load_suite(tmp_path / "ffo.obf")
    first, second = suite.positions
    assert (suite.game.name, first.best, first.scores[:2], first.moves[0]) == ("othello", ("g8",), (1800, 1200), "g8")
    assert second.failed
    export_suite(suite, tmp_path / "again.obf")
    assert load_suite(tmp_path / "again.obf").positions[0].scores == first.scores
    with pytest.raises(InputError, match="EPD holds positions of chess"):
        export_suite(suite, tmp_path / "again.epd")


def test_whatever_is_no_suite_is_refused_in_one_line(tmp_path):
    (tmp_path / "notes.txt").write_text("hello\n")
    (tmp_path / "empty.epd").write_text("\n")
    (tmp_path / "folder").mkdir()
    for name, message in (
        ("notes.txt", "is not a suite"),
        ("empty.epd", "has no positions"),
        ("folder", "the build is not finished"),
        ("nothing", "there is no suite"),
    ):
        with pytest.raises(InputError, match=message):
            load_suite(tmp_path / name)
    with pytest.raises(InputError, match=r"written as \.parquet, \.epd or \.obf"):
        export_suite(scored_suite(), tmp_path / "suite.doc")


def test_the_game_is_checked(epd):
    with pytest.raises(MismatchError, match="is a suite of chess, not of shogi"):
        load_suite(epd, find_game("shogi"))


def test_nothing_is_overwritten_unless_told_to(tmp_path):
    target = export_suite(scored_suite(), tmp_path / "s.parquet")
    with pytest.raises(OutputError, match="--overwrite"):
        export_suite(scored_suite(), target)
    export_suite(scored_suite(), target, overwrite=True)
    assert write_suite(scored_suite(), target).name == "s"


def test_a_list_of_best_squares_is_a_suite_of_best_moves(tmp_path):
    """The square counts from a1 row by row; its score is Black's whoever moves, so it is no value of the move."""
    board = "-OOOOOO---OOOO-XXXOOXXXX-OOXXOOX-OXOOOXX-XXXXXXX--OOXX-X-OOOO-X-"
    lines = [f"{board} Black 32 -34", f"{board} Black -1 -34", f"{board} Black 3 0", "nonsense"]
    (tmp_path / "endgames.txt").write_text("\n".join(lines))
    suite = load_suite(tmp_path / "endgames.txt")
    assert suite.game.name == "othello"
    assert [one.best for one in suite.positions] == [("a5",), (), (), ()]
    assert suite.positions[0].valued == BEST
    reasons = [one.failed for one in suite.positions]
    assert reasons[0] == "" and "no best square" in reasons[1] and "d1" in reasons[2] and "nonsense" in reasons[3]
