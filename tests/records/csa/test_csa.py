from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_samples import WIN, names, only, random_record, read

from evalsmith.games.shogi import GAME
from evalsmith.records import Csa, Record, Score, format_csa, read_games, write_csa
from evalsmith.run import InputError

CSA = Csa()
HEAD = "V2.2\nN+alpha\nN-beta\nPI\n+\n"
MOVES = "+7776FU\nT12\n-3334FU\nT6\n+8822UM\n-3122GI\n+0055KA\n"
NAMES = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]
FLOODGATE = """V2
N+alpha
N-beta
$EVENT:wdoor+floodgate-300-10F+alpha+beta+20240101000000
$START_TIME:2024/01/01 00:00:00
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *\x20
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *\x20
P5 *  *  *  *  *  *  *  *  *\x20
P6 *  *  *  *  *  *  *  *  *\x20
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *\x20
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
'rating:alpha+0123456789abcdef0123456789abcdef:beta+fedcba9876543210fedcba9876543210
'black_rate:alpha+0123456789abcdef0123456789abcdef:3189.0
'white_rate:beta+fedcba9876543210fedcba9876543210:3215.6
+7776FU
T1
'** 52 -3334FU +2726FU
-3334FU
T12
'** -31 +2726FU
'*a word
+2726FU
'** none
-8384FU
'** -120000
%TORYO
'summary:toryo:alpha lose:beta win
'$END_TIME:2024/01/01 00:10:00
"""


def test_a_game_of_floodgate() -> None:
    record = only(CSA, FLOODGATE)
    assert names(record) == ["7g7f", "3c3d", "2g2f", "8c8d"]
    assert record.start is None
    assert (record.result, record.termination, record.finished) == (-WIN, "resigned", False)
    assert record.players == ("alpha", "beta")
    assert record.ratings == (3189, 3216)
    assert record.date == "2024/01/01 00:00:00"
    assert record.event.startswith("wdoor+floodgate-300-10F")
    # Scores are for black in the file and for the mover in the record; a mate is clipped.
    assert [score and score.value for score in record.scores] == [52, 31, None, WIN]
    assert [score and score.seconds for score in record.scores] == [1, 12, None, None]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("version", ["", "V1\n", "V2\n", "V2.2\n", "'CSA encoding=UTF-8\nV3.0\n"])
def test_versions_line_ends_and_marks(version: str, mark: str, end: str) -> None:
    record = only(CSA, (mark + version + HEAD.removeprefix("V2.2\n") + MOVES + "%CHUDAN\n").replace("\n", end))
    assert names(record) == NAMES
    assert (record.result, record.termination) == (None, "interrupted")
    assert record.players == ("alpha", "beta")


def test_statements_after_commas_and_parts_of_seconds() -> None:
    record = only(CSA, "V3.0\nPI,+\n+7776FU,T16.012,'** 7\n-3334FU,T0.5\n%TORYO,T3\n")
    assert names(record) == ["7g7f", "3c3d"]
    assert [(score.value, score.seconds) for score in record.scores if score] == [
        (7, pytest.approx(16.012)),
        (None, 0.5),
    ]
    assert record.result == -WIN


@pytest.mark.parametrize(
    ("code", "termination", "black_to_move", "white_to_move"),
    [
        ("%TORYO", "resigned", -WIN, WIN),
        ("%CHUDAN", "interrupted", None, None),
        ("%SENNICHITE", "repetition", 0, 0),
        ("%TIME_UP", "time", -WIN, WIN),
        ("%ILLEGAL_MOVE", "illegal", -WIN, WIN),
        ("%+ILLEGAL_ACTION", "illegal", -WIN, -WIN),
        ("%-ILLEGAL_ACTION", "illegal", WIN, WIN),
        ("%JISHOGI", "impasse", 0, 0),
        ("%KACHI", "declared", WIN, -WIN),
        ("%HIKIWAKE", "agreed", 0, 0),
        ("%MAX_MOVES", "too long", 0, 0),
        ("%TSUMI", "mate", -WIN, WIN),
        ("%FUZUMI", "no mate", None, None),
        ("%ERROR", "error", None, None),
        ("%MATTA", "taken back", None, None),
        ("%NONSENSE", "", None, None),
        ("", "", None, None),
    ],
)
def test_terminations(code: str, termination: str, black_to_move: int | None, white_to_move: int | None) -> None:
    for moves, expected in (("+7776FU\n-3334FU\n", black_to_move), ("+7776FU\n", white_to_move)):
        record = only(CSA, HEAD + moves + code + "\n")
        assert (record.termination, record.result, record.finished) == (termination, expected, False)


def test_an_ending_that_nobody_knows_is_noted() -> None:
    _, faults = read(CSA, HEAD + MOVES + "%NONSENSE\n")
    assert faults.warnings == {"a termination that is not understood": 1}


def test_a_mate_on_the_board_needs_no_telling_and_is_believed() -> None:
    position = "P1 *  *  *  * -OU *  *  *  * \nP3 *  *  *  * +KI\nP9 *  *  *  * +OU\nP+00KI\n+\n+0052KI\n"
    record = only(CSA, position)
    assert (record.result, record.finished, record.termination) == (WIN, True, "")
    records, faults = read(CSA, position + "%SENNICHITE\n")
    assert records[0].result == WIN
    assert faults.warnings == {"the stated result is not that of the final position": 1}
    records, faults = read(CSA, HEAD + MOVES + "%TSUMI\n")
    assert records[0].result == WIN
    assert faults.warnings == {"the stated result is not that of the final position": 1}


def test_repetition_ends_a_game_where_the_moves_show_it() -> None:
    there_and_back = "+2838HI\n-8272HI\n+3828HI\n-7282HI\n"
    record = only(CSA, HEAD + 3 * there_and_back + "%SENNICHITE\n")
    assert (record.result, record.finished) == (0, True)
    # Without a word of it, the result is not known.
    record = only(CSA, HEAD + 3 * there_and_back)
    assert (record.result, record.finished) == (None, False)
    records, faults = read(CSA, HEAD + 2 * there_and_back + "%SENNICHITE\n")
    assert (records[0].result, records[0].finished) == (0, False)
    assert faults.warnings == {"a repetition that the moves do not show": 1}


@pytest.mark.parametrize(
    ("summary", "termination", "result"),
    [
        ("%KACHI\n'summary:illegal kachi:alpha lose:beta win", "declared", -WIN),
        ("'summary:oute_sennichite:alpha win:beta lose", "perpetual check", WIN),
        ("'summary:max_moves:alpha draw:beta draw", "too long", 0),
        ("'summary:abnormal:alpha lose:beta win", "interrupted", -WIN),
        ("%TORYO\n'summary:something", "resigned", -WIN),
        ("'summary:x:alpha what:beta who", "", None),
    ],
)
def test_summaries_of_the_server(summary: str, termination: str, result: int | None) -> None:
    record = only(CSA, HEAD + "+7776FU\n-3334FU\n" + summary + "\n")
    assert (record.termination, record.result) == (termination, result)


@pytest.mark.parametrize(
    ("text", "sfen"),
    [
        ("PI82HI22KA\n-\n-3334FU\n", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("PI82HI,-,-3334FU\n", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("PI\n-\n-3334FU\n", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("PI82HI\n-3334FU\n", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("P-51OU\nP+53FU59OU00KI\nP+00KI\nP-00AL\n+\n+0052KI\n",
         "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1"),
        ("P1 *  *  *  * -OU\nP9 *  *  *  * +OU\nP5 *  *  *  *  * +RY-NG\nP+00FU00FU\n+\n+4555RY\n",
         "4k4/9/9/9/5+R+s2/9/9/9/4K4 b 2P 1"),
    ],
)  # fmt: skip
def test_starts(text: str, sfen: str) -> None:
    record = only(CSA, text)
    assert record.start == sfen
    again = only(CSA, format_csa(record))
    assert (again.start, again.moves) == (record.start, record.moves)


def test_a_game_without_a_start_begins_as_usual() -> None:
    records, faults = read(CSA, "V2.2\n+7776FU\n")
    assert records[0].start is None
    assert faults.warnings == {"no starting position is given, so the standard one is assumed": 1}


@pytest.mark.parametrize("separator", ["/\n", "", "'next\n/\n\n"])
def test_several_games(separator: str) -> None:
    records, faults = read(CSA, separator.join([HEAD + MOVES + "%TORYO\nT1\n"] * 3))
    assert not faults.examples
    assert [names(record) for record in records] == [NAMES] * 3
    assert [record.number for record in records] == [1, 2, 3]
    assert records[1].offset == 15 + separator.count("\n")


def test_a_bare_list_of_games_begins_anew_with_names_or_a_board() -> None:
    text = "N+a\nN-b\nPI\n+\n+7776FU\nN+c\nN-d\nPI\n+\n+2726FU\nPI\n+\n+1716FU\n"
    records, _ = read(CSA, text)
    assert [(names(record)[0], record.players) for record in records] == [
        ("7g7f", ("a", "b")),
        ("2g2f", ("c", "d")),
        ("1g1f", ("", "")),
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("+7776FU\n-3335FU\n", r"line 7, game 2, move 2: illegal move: -3335FU in lnsg.* w - 2: the piece cannot do"),
        ("+7776FU\n+2726FU\n", r"line 7, game 2, move 2: illegal move: .*the other side is to move"),
        ("+7776FU\n-4443FU\n", r"move 2: illegal move: .*no such piece stands there"),
        ("+7776GI\n", r"line 6, game 2, move 1: illegal move: .*the piece does not become that"),
        ("+0055FU\n", r"move 1: illegal move: .*the piece cannot do that"),
        ("+7776FU\n-333FU\n", r"line 7, game 2, move 2: a line that is not understood: '-333FU'"),
        ("+7776FU\n-0033TO\n", r"move 2: a line that is not understood: '-0033TO'"),
        ("+7776FU\nsomething\n-3334FU\n", r"line 7, game 2, move 2: a line that is not understood: 'something'"),
        ("+7776FU\n%TORYO\n-3334FU\n", r"line 8, game 2, move 2: a line that is not understood: '-3334FU'"),
        ("%TORYO\n", r"line 1, game 2: no moves"),
    ],
)  # fmt: skip
def test_a_broken_game_costs_only_itself(body: str, message: str) -> None:
    sound = HEAD + MOVES + "%TORYO\n/\n"
    records, faults = read(CSA, sound + HEAD + body + "/\n" + sound)
    assert [record.number for record in records] == [1, 3]
    assert [names(record) for record in records] == [NAMES, NAMES]
    assert len(faults.examples) == 1
    lines = sound.count("\n")
    message = re.sub(r"line (\d+)", lambda found: rf"line {int(found[1]) + lines} \(byte \d+\)", message)
    assert re.search(message, str(faults.examples[0])), str(faults.examples[0])


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("PI55HI", "nothing to take away"),
        ("PX", "not part of a position"),
        ("PI\nP+00OU", "OU cannot be in hand"),
        ("P+5", "is not a piece"),
        ("P+05FU", "not a square"),
        ("P+55AL", "is on a square"),
        ("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY-KY", "more than nine cells"),
        ("P1-XX", "is not a piece"),
        ("P+" + 5 * "00KI", "more than 4 KI in hand"),
        ("P1 * ", "black has no king"),
    ],
)
def test_starts_that_are_none(start: str, message: str) -> None:
    records, faults = read(CSA, f"V2\n{start}\n+\n+7776FU\n")
    assert not records
    assert faults.examples[0].reason == "not a position"
    assert message in faults.examples[0].detail


def test_an_illegal_move_that_ended_the_game_is_left_out() -> None:
    for code, result in (("%+ILLEGAL_ACTION", -WIN), ("%ILLEGAL_MOVE", -WIN)):
        assert len(only(CSA, HEAD + "+7776FU\n-3334FU\n+7675FU\n" + code).moves) == 3
        records, faults = read(CSA, HEAD + "+7776FU\n-3334FU\n+2722FU\n" + code + "\n")
        assert names(records[0]) == ["7g7f", "3c3d"]
        assert records[0].result == result
        assert faults.warnings == {"the last move is illegal, as the termination says, and is left out": 1}
    assert not read(CSA, HEAD + "+7776FU\n-3334FU\n+2722FU\n%TORYO\n")[0]


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp"])
@pytest.mark.parametrize("told", [True, False])
def test_encodings(encoding: str, told: bool) -> None:
    line = {"utf-8": "UTF-8", "cp932": "SHIFT_JIS", "euc_jp": "EUC-JP"}[encoding]
    text = (f"'CSA encoding={line}\n" if told else "") + HEAD.replace("alpha", "羽生善治").replace("beta", "きふわらべ")
    record = only(CSA, (text + "'指し手\n" + MOVES).encode(encoding))
    assert record.players == ("羽生善治", "きふわらべ")


def test_what_stands_outside_of_games_is_a_fault_of_the_file() -> None:
    records, faults = read(CSA, "hello\nthere\n" + HEAD + MOVES)
    assert len(records) == 1
    assert [str(fault).partition(": ")[2] for fault in faults.examples] == ["text outside of a game: 'hello'"]
    assert faults.examples[0].place == "line 1 (byte 0)"


def test_a_file_is_found_by_its_name_and_by_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(HEAD + MOVES)
    (tmp_path / "b.txt").write_text(FLOODGATE)
    reader = read_games([tmp_path])
    assert [source.format.name for source in reader.sources] == ["csa", "csa"]
    assert len(list(reader)) == 2
    assert not CSA.sniff(b'[Event "x"]\n1. e4 e5\n')
    assert not CSA.sniff(b"N+\n")


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_writing_and_reading_gives_the_same_game(seed: int) -> None:
    record = random_record(seed)
    assert replace(only(CSA, format_csa(record)), offset=0) == record


def test_a_result_that_no_ending_tells_is_told_by_a_summary() -> None:
    record = replace(random_record(3, handicaps=False), result=WIN, termination="adjudicated: x", finished=False)
    again = only(CSA, format_csa(record))
    assert (again.result, again.termination) == (WIN, "adjudicated x")
    assert "'summary:adjudicated x:" in format_csa(record)


def test_a_mate_is_written_as_such() -> None:
    sfen = "4k4/9/4G4/9/9/9/9/9/4K4 b G 1"
    move = GAME.parse_move(GAME.parse(sfen), "G*5b")
    text = format_csa(Record("shogi", (move,), start=sfen, result=WIN, finished=True))
    assert text.endswith("+0052KI\n%TSUMI\n")
    assert text.startswith("V2.2\n")


def test_parts_of_seconds_and_names_make_it_version_3() -> None:
    moves = random_record(0, handicaps=False).moves[:1]
    for record in (
        Record("shogi", moves, players=("羽生", "")),
        Record("shogi", moves, scores=(Score(None, None, 1.25),)),
    ):
        text = format_csa(record)
        assert text.startswith("'CSA encoding=UTF-8\nV3.0\n")
        assert only(CSA, text).scores == record.scores


def test_a_file_of_several_games(tmp_path: Path) -> None:
    records = [random_record(seed) for seed in range(5)]
    assert write_csa(tmp_path / "games.csa", records) == 5
    reader = read_games([tmp_path / "games.csa"])
    assert [replace(record, source=records[0].source, number=1, offset=0) for record in reader] == records


def test_only_legal_games_of_shogi_are_written() -> None:
    with pytest.raises(InputError, match="CSA holds Shogi, not a game of chess"):
        format_csa(Record("chess", ()))
    with pytest.raises(InputError):
        format_csa(Record("shogi", (1,)))
