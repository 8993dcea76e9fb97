from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from othello_samples import DATA, OVER_WITH_EMPTIES, PASS, play_through, random_game

from evalsmith.games import find_game
from evalsmith.records import Faults, Ggf, Record, Score, Transcript, format_ggf
from evalsmith.records.format import DISAGREES, NO_MOVES, NOT_POSITION, OTHER_BOARD, UNFINISHED
from evalsmith.records.othello import ggf as module
from evalsmith.run import InputError

EXAMPLE = (DATA / "example.ggf").read_text()
SHORT = "(;GM[Othello]TY[8]RE[?]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)"


def read(text: str | bytes) -> tuple[list[Record], Faults]:
    faults = Faults()
    stream = io.BufferedReader(io.BytesIO(text if isinstance(text, bytes) else text.encode()))
    return list(Ggf().games(stream, Path("games.ggf"), faults)), faults


def changed(tag: str, value: str) -> str:
    """The short game with another value of a tag, or with a new tag."""
    head, found, rest = SHORT.partition(f"{tag}[")
    return f"{head}{tag}[{value}]{rest.partition(']')[2]}" if found else f"(;{tag}[{value}]{SHORT[2:]}"


def test_the_example_and_its_transcript_have_the_same_moves() -> None:
    record = next(Ggf().read(DATA / "example.ggf", Faults()))
    [other] = Transcript().read(DATA / "example.transcript", Faults())
    assert record.moves == other.moves
    assert record.result == other.result == 0
    assert (record.players, record.ratings) == (("Saio1200", "Saio3000"), (2196.37, 2200.35))
    assert (record.event, record.date, record.start) == ("GGS/os", "2003.12.15_12:33:18.MST", None)
    assert record.scores[7] == Score(239, None, 0.01)
    assert record.scores[8] == Score(None, None, 0.01)
    assert len(record.scores) == len(record.moves)


def test_a_match_of_two_games_from_a_start_with_white_to_move() -> None:
    records, faults = read(EXAMPLE)
    assert not faults.counts
    assert not faults.warnings
    assert [(record.number, record.offset, record.result) for record in records] == [
        (1, 1, 0),
        (2, 2, -1200),
        (3, 2, 3800),
    ]
    second, third = records[1:]
    assert second.start is not None
    assert second.start == third.start
    assert second.start.endswith(" O")
    assert second.moves.count(PASS) == 2
    assert second.scores[second.moves.index(PASS)] == Score(-150, None, 1.25)
    assert (third.scores, third.termination, third.finished) == ((), "time", True)


def test_line_breaks_may_stand_between_tags() -> None:
    records, faults = read("\n\n" + EXAMPLE.replace("]", "]\r\n ").replace("(;", "\n(; ").replace(";)", " ; )"))
    assert not faults.counts
    assert [record.moves for record in records] == [record.moves for record in read(EXAMPLE)[0]]
    assert records[0].offset == 4


def test_counts_may_be_missing_and_tags_be_unknown() -> None:
    text = SHORT.replace("TY", "ty").replace("RE[?]", "RE[?]KM[-2.5]KB[f5/1]CO[a [smile ;) ]XX[]TI[5:00]")
    records, faults = read("\ufeff" + text + text)
    assert [record.moves for record in records] == [(37, 45)] * 2
    assert not faults.counts


@pytest.mark.parametrize("name", ["PA", "pa", "pass", "--"])
def test_passes_in_every_spelling(name: str) -> None:
    assert [record.moves for record in read(EXAMPLE.replace("[PA", f"[{name}"))[0]] == [
        record.moves for record in read(EXAMPLE)[0]
    ]


def test_passes_may_be_left_out_or_stand_after_the_end() -> None:
    whole = read(EXAMPLE)[0][2]
    without, faults = read(EXAMPLE.replace("W[PA]", ""))
    assert without[2].moves == whole.moves
    more, _ = read(EXAMPLE.rstrip().removesuffix(";)") + "W[PA]B[PA];)")
    assert more[2].moves == whole.moves
    assert not faults.counts


@pytest.mark.parametrize(
    ("value", "score", "odd"),
    [
        ("F5", None, 0),
        ("f5/", None, 0),
        ("f5//", None, 0),
        ("f5/-1.25", Score(-125), 0),
        ("f5/ 3 /", Score(300), 0),
        ("f5//12", Score(None, None, 12.0), 0),
        ("f5A/+.5/0", Score(50, None, 0.0), 0),
        ("f5/nan/1", Score(None, None, 1.0), 1),
        ("f5/1e9", None, 1),
        ("f5/99999", None, 1),
        ("f5/2/1:30", Score(200), 1),
    ],
)
def test_scores_and_times(value: str, score: Score | None, odd: int) -> None:
    [record], faults = read(SHORT.replace("B[F5]", f"B[{value}]"))
    assert record.scores == ((score, None) if score else ())
    assert faults.warnings.get(module.ODD_SCORE, 0) == odd


@pytest.mark.parametrize(
    ("value", "result", "termination"),
    [
        ("+2.000", 200, ""),
        ("-12", -1200, ""),
        ("-64.000:t", -6400, "time"),
        ("+8:r", 800, "resigned"),
        ("0.0:s", 0, "agreed"),
        ("+1.50:l", 150, "left"),
        ("?", None, ""),
        ("", None, ""),
        ("?:r", None, "resigned"),
        ("+65", None, ""),
        ("inf", None, ""),
    ],
)
def test_results_with_their_flags(value: str, result: int | None, termination: str) -> None:
    [record], faults = read(changed("RE", value))
    assert (record.result, record.termination, record.finished) == (result, termination, False)
    assert faults.warnings[UNFINISHED] == 1
    assert faults.warnings[module.ODD_RESULT] == (value in ("?:r", "+65", "inf"))


def test_an_unknown_result_is_that_of_the_final_position() -> None:
    records, faults = read(EXAMPLE.replace("RE[-12.000]", "RE[?]"))
    assert records[1].result == -1200
    assert not faults.warnings


def test_a_told_result_may_leave_the_empties_to_nobody() -> None:
    game = random_game(OVER_WITH_EMPTIES)
    empties = 60 - len(game.squares)
    assert game.finished
    assert empties
    assert 0 < abs(game.margin) < 64
    plain = game.margin - empties if game.margin > 0 else game.margin + empties
    line = format_ggf(Record("othello", tuple(game.plies)))
    for told, warnings in ((plain, {}), (game.margin, {}), (plain + 1, {DISAGREES: 1})):
        [record], faults = read(line.replace("RE[?]", f"RE[{told:+d}]"))
        assert record.result == 100 * game.margin
        assert faults.warnings == warnings


@pytest.mark.parametrize(
    ("text", "reason", "move"),
    [
        (changed("GM", "Amazons"), module.OTHER_GAME, None),
        (changed("TY", "10"), OTHER_BOARD, None),
        (changed("TY", "88"), OTHER_BOARD, None),
        (changed("TY", "s6r8"), OTHER_BOARD, None),
        (changed("TY", "8a"), module.ANTI, None),
        (changed("TY", "s8ar20"), module.ANTI, None),
        (changed("BO", "10 " + "-" * 100 + " *"), OTHER_BOARD, None),
        (changed("BO", "8 " + "-" * 63 + " *"), NOT_POSITION, None),
        (changed("BO", "8 " + "?" * 64 + " *"), NOT_POSITION, None),
        (changed("BO", ""), NOT_POSITION, None),
        (SHORT.replace("B[F5]", "B[K5]"), module.BAD_MOVE, 1),
        (SHORT.replace("W[F6]", "W[]"), module.BAD_MOVE, 2),
        (SHORT.replace("W[F6]", "W[a1]"), "illegal move", 2),
        (SHORT.replace("W[F6]", "W[PA]"), "illegal move", 2),
        (SHORT.replace("W[F6]", "B[F6]"), module.WRONG_COLOUR, 2),
        (SHORT.replace("B[F5]W[F6]", ""), NO_MOVES, None),
        (SHORT[:-2], module.NO_END, None),
        (SHORT[:60], module.NO_END, None),
        (SHORT.replace("RE", "R!E"), module.NO_END, None),
        (changed("CO", "x" * (1 << 20)), module.LONG, None),
        (SHORT.replace("W[F6]", "W[F6]" * 200), "too many moves", None),
    ],
)
def test_a_broken_game_costs_only_itself(text: str, reason: str, move: int | None) -> None:
    records, faults = read(f"1 {SHORT}\n1 {text}\n1 {SHORT}\n")
    assert [(record.number, record.offset) for record in records] == [(1, 1), (3, 3)]
    [fault] = [fault for fault in faults.examples if fault.reason != module.OUTSIDE]
    assert (fault.reason, fault.place, fault.game, fault.move) == (reason, "line 2", 2, move)


@pytest.mark.parametrize("text", ["GM[Othello]B[f5];)", "no game", "(;;)", "\0\0\0", "x" * (1 << 21)])
def test_text_outside_of_games_is_a_fault(text: str) -> None:
    records, faults = read(f"{text}\n{SHORT}\n{text}")
    assert len(records) == 1
    assert faults.counts[module.OUTSIDE] >= 1
    assert read(text)[1].counts == {module.OUTSIDE: 1}


def test_many_beginnings_without_a_game_are_read_in_one_pass() -> None:
    _, faults = read("(;A[" * 50_000)
    assert faults.counts == {module.NO_END: 50_000}
    assert len(faults.examples) == faults.limit


def test_names_in_other_encodings_and_with_odd_letters_are_made_fit() -> None:
    [record], _ = read(changed("PB", "Jos\xe9\0 \x1b[2J").encode("latin-1"))
    assert record.players[0] == "José [2J"


def test_sniffing_wants_othello() -> None:
    assert Ggf().sniff(b"2 (;GM[othello]PC[x]")
    assert not Ggf().sniff(b"(;GM[1]FF[4]SZ[19]")
    assert not Ggf().sniff(b"GM[Othello]")


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


def test_the_example_is_written_as_it_was_read() -> None:
    records, _ = read(EXAMPLE)
    again, faults = read("\n".join(format_ggf(record) for record in records))
    assert not faults.counts
    for one, two in zip(records, again, strict=True):
        for name in (
            "moves",
            "start",
            "result",
            "players",
            "ratings",
            "event",
            "date",
            "scores",
            "termination",
            "finished",
        ):
            assert getattr(one, name) == getattr(two, name)


TEXT = st.text(max_size=20)
SCORES = st.none() | st.builds(
    Score,
    st.none() | st.integers(-6400, 6400),
    st.none(),
    st.integers(0, 10**6).map(lambda thousandths: thousandths / 1000),
)


@settings(deadline=None)
@given(seed=st.integers(0, 50), discs=st.integers(1, 60), data=st.data())
def test_any_game_survives_writing(seed: int, discs: int, data: st.DataObject) -> None:
    game = random_game(seed, discs)
    scores = data.draw(st.lists(SCORES, min_size=len(game.plies), max_size=len(game.plies)))
    record = Record(
        "othello",
        tuple(game.plies),
        result=100 * game.margin,
        players=(data.draw(TEXT), data.draw(TEXT)),
        event=data.draw(TEXT),
        scores=tuple(scores),
    )
    line = format_ggf(record)
    assert "\n" not in line
    [again], faults = read(line)
    assert not faults.counts
    assert (again.moves, again.result) == (record.moves, record.result)
    assert again.finished == play_through(game.squares).finished
    assert again.scores == (record.scores if any(scores) else ())


def test_other_games_are_not_written() -> None:
    with pytest.raises(InputError, match="GGF holds Othello, not a game of chess"):
        format_ggf(Record("chess", ()))


def test_an_unusual_start_is_written() -> None:
    game = find_game("othello")
    start = game.format(game.play(game.start(), 37))
    line = format_ggf(Record("othello", (45,), start=start, ratings=(1500.0, None)))
    assert (
        "RB[1500]TY[8]RE[?]BO[8 -------- -------- -------- ---O*--- ---***-- -------- -------- -------- O]W[f6];)"
        in line
    )
    assert read(line)[0][0].start == start
