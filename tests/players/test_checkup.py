"""The engine check: what a mock breaks is named, and what it keeps is not."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from programs import HASTE, command, engine, fresh, nothing_left

from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.players.checkup import examiner, lines, uci
from evalsmith.players.checkup.examine import default_game, examine
from evalsmith.players.checkup.examiner import FAIL, INAPPLICABLE, PASS, mate_in_one
from evalsmith.run import InputError


def states(text: str, game: str = "chess") -> dict[str, tuple[str, str]]:
    checkup = examine(parse_player(text, find_game(game)))
    assert bool(checkup.failed) == any(check.state == FAIL for check in checkup.checks)
    return {check.name: (check.state, check.detail) for check in checkup.checks}


def test_a_mock_that_knows_three_moves_fails_what_it_must() -> None:
    """It always answers from its list of moves, and ends infinite searches by itself."""
    token = fresh()
    seen = states(engine("ok", token=token))
    nothing_left(token)
    passed = {name for name, (state, _) in seen.items() if state == PASS}
    assert {"handshake", "options", "nodes", "unknown commands", "memory", "quit", "end of input"} <= passed
    assert seen["handshake"][1].startswith("Mock 1, ")
    assert seen["depth"] == (FAIL, "depth 9 was searched instead of 4")
    assert seen["byoyomi"][0] == INAPPLICABLE
    assert seen["stop"] == (FAIL, "a bestmove before stop in an infinite search")
    assert seen["lines are legal"][0] == FAIL and "is illegal in" in seen["lines are legal"][1]
    assert seen["complete game"][0] == FAIL and seen["complete game"][1].startswith("illegal: ")


@pytest.mark.parametrize(
    ("mode", "check", "part"),
    [
        ("hang-quit", "quit", "still running 0.3 s after quit"),
        ("fork", "quit", "left 1 process running"),
        ("hang-go", "nodes", "no bestmove 0.2 s after 'go nodes 1000'"),
        ("exit-go", "depth", "crash: exit code 7"),
    ],
)
def test_what_is_broken_is_named(mode: str, check: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if mode == "hang-go":  # every search would wait so long
        monkeypatch.setattr(uci, "PATIENCE", 0.2)
    token = fresh()
    seen = states(engine(mode, 7, token=token, options="quit=0.3;watchdog=0.5"))
    nothing_left(token)
    assert seen[check][0] == FAIL and part in seen[check][1]


def test_without_a_handshake_there_is_nothing_more_to_check() -> None:
    token = fresh()
    seen = states(engine("hang-hello", token=token, options="handshake=0.3"))
    nothing_left(token)
    assert seen == {"handshake": (FAIL, "stall: no answer to the handshake in 0.3 s")}


@pytest.mark.parametrize(("protocol", "game"), [("gtp", "othello"), ("nboard", "othello"), ("codecup", "dvonn")])
def test_other_protocols(protocol: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PATIENCE", 3.0)  # the mock knows no hint
    token = fresh()
    answers = {"gtp": "F5", "nboard": "F5/0.5", "codecup": "F3"}[protocol]
    text = f"{protocol}:{command('lines.py', protocol, 'ok', token, *[answers] * 9)};{HASTE}"
    seen = states(text, game)
    nothing_left(token)
    first = {"gtp": "genmove", "nboard": "go", "codecup": "first move"}[protocol]
    assert {seen[name][0] for name in ("handshake", first, "memory", "quit", "end of input")} == {PASS}
    assert seen["complete game"][0] == FAIL and "illegal" in seen["complete game"][1]
    # It gives the first move of the standard start, whatever it is shown.
    found, detail = seen["book positions"]
    assert (found, "illegal" in detail) == ((FAIL, True) if protocol == "nboard" else (INAPPLICABLE, False))


def test_positions_of_a_book_are_asked_for_in_uci() -> None:
    token = fresh()
    assert states(engine("ok", token=token))["book positions"][1].startswith("illegal: ")
    nothing_left(token)


def test_a_program_that_hangs_again_and_again_is_not_examined_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci, "PATIENCE", 0.2)
    monkeypatch.setattr(examiner, "_HANGING", 0.15)
    token, tried = fresh(), []
    player = parse_player(engine("hang-go", 7, token=token, options="quit=0.3;watchdog=0.5"), find_game("chess"))
    checkup = examine(player, progress=tried.append)
    nothing_left(token)
    assert tried == ["handshake", "options", "depth", "nodes"]
    left = [check for check in checkup.checks if check.name not in tried]
    assert len(left) > 10
    assert {(check.state, check.detail) for check in left} == {
        (INAPPLICABLE, "not tried: the program hung 2 times before")
    }


def test_the_waits_of_a_check_are_short() -> None:
    """Two hanging checks, each with a restart, and the handshake before them are less than a minute."""
    player = parse_player("uci:false", find_game("chess"))
    asked = examiner._impatient(player, examiner._HANDSHAKE)
    assert player.outside is not None and asked.outside is not None
    deadlines = asked.outside.deadlines
    assert (deadlines.handshake, deadlines.newgame, deadlines.watchdog) == (40.0, 10.0, 10.0)
    assert 2 * (deadlines.newgame + max(uci.PATIENCE, lines.PATIENCE, deadlines.watchdog)) <= 50.0


@pytest.mark.parametrize(
    ("text", "game"), [("uci:x", "chess"), ("usi:x", "shogi"), ("gtp:x", "othello"), (" codecup:x", "dvonn")]
)
def test_the_default_game_of_a_protocol(text: str, game: str) -> None:
    assert default_game(text) == game


def test_our_own_search_is_no_program() -> None:
    with pytest.raises(InputError, match="is not an outside program"):
        default_game("self")
    with pytest.raises(InputError, match="is our own search"):
        examine(parse_player("random", find_game("chess")))


@pytest.mark.parametrize("name", ["chess", "shogi"])
def test_a_mate_in_one_is_found_by_random_play(name: str) -> None:
    game = find_game(name)
    found = mate_in_one(game, 1)
    assert found is not None
    position, wins = found
    legal = game.moves(position)
    assert wins and wins <= set(legal)
    for move in legal:
        after = game.play(position, move)
        assert (move in wins) == (game.status(after) == 2 and game.result(after) == -game.win)


def test_no_mate_where_results_are_margins() -> None:
    assert mate_in_one(find_game("othello"), 1) is None


def test_the_command_prints_one_document_and_says_no_by_its_code() -> None:
    token = fresh()
    text = engine("hang-hello", token=token, options="handshake=0.3")
    done = subprocess.run(
        [sys.executable, "-m", "evalsmith", "check-engine", text, "--json"], capture_output=True, text=True, check=False
    )
    nothing_left(token)
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert document["checks"] == [
        {"name": "handshake", "state": "fail", "detail": "stall: no answer to the handshake in 0.3 s"}
    ]
    assert (document["protocol"], document["game"], document["passed"]) == ("uci", "chess", False)


def test_the_game_may_stand_before_the_player() -> None:
    """As in match; what is tried is shown on standard error."""
    for words, code, said in (
        (["othello", "nboard:false"], 1, "checking handshake"),
        (["nowhere", "nboard:false"], 2, "nowhere"),
        (["othello", "chess", "uci:false"], 2, "expected one game and one player"),
        (["othello", "nboard:false", "--game", "othello"], 2, "expected one game and one player"),
    ):
        run = subprocess.run(
            [sys.executable, "-m", "evalsmith", "check-engine", *words], capture_output=True, text=True, check=False
        )
        assert run.returncode == code and said in run.stderr, (words, run.stderr)
