"""Players that nets bring, at the board, in the terminal and on a page; and commands that are given nonsense."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: EVALSMITH_NET=1 make setup")

import evalsmith as es  # noqa: E402
from evalsmith.engine import Limit  # noqa: E402
from evalsmith.games import find_game  # noqa: E402
from evalsmith.net.checkpoint import save_net  # noqa: E402
from evalsmith.net.model import Net  # noqa: E402
from evalsmith.net.players import GreedySearcher  # noqa: E402
from evalsmith.net.shape import NetShape  # noqa: E402
from evalsmith.players import parse_player, take_seat  # noqa: E402
from evalsmith.report.replay import write_replay  # noqa: E402
from evalsmith.run import InputError, MismatchError  # noqa: E402

GAME = find_game("drmario")
EVALSMITH = str(Path(sys.executable).with_name("evalsmith"))


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    path = tmp_path_factory.mktemp("nets") / "tiny.safetensors"
    save_net(path, Net(NetShape.of(GAME, f=2, r=0), seed=4), {})
    return path


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([EVALSMITH, *map(str, words)], capture_output=True, text=True, check=False)


def test_a_net_at_the_board(net):
    player = parse_player(f"net:{net};nodes=12;leaves=4;name=mine", GAME)
    assert (player.name, player.limit, player.in_kernel) == ("mine", Limit(nodes=12), False)
    board = es.Board(GAME, "seed:8988 level:2")
    choices = []
    for _ in range(2):
        seat = take_seat(player, Limit(nodes=50), 3)
        seat.begin(board.start, 0)
        choices.append(seat.choose(board))
    assert choices[0].nodes == 12
    assert choices[0].move in GAME.moves(board.position)
    assert choices[0].move == choices[1].move


def test_greedy_takes_what_the_evaluation_likes_best():
    position = GAME.parse("seed:8988 level:3")
    values = GreedySearcher(GAME).values(position)
    best = max(values.values())
    seat = take_seat(parse_player("greedy", GAME), Limit(nodes=1))
    board = es.Board(GAME, "seed:8988 level:3")
    seat.begin(board.start, 0)
    assert values[seat.choose(board).move] == best
    plain = {
        move: int(es.explain(es.Board(GAME, GAME.format(after))).score)
        for move in list(values)[:3]
        if GAME.status(after := GAME.play_unchecked(position, move)) != 2
    }
    assert all(values[move] == value for move, value in plain.items())


def test_matches_compare_them_on_the_same_boards(net, tmp_path):
    found = es.match(GAME, f"net:{net};nodes=5", "greedy", games=2, level="0", output=tmp_path / "match")
    assert [score.name for score in found.players] == ["tiny", "greedy"]
    assert sum(score.fail for score in found.players) == 0
    again = es.match(GAME, f"net:{net};nodes=5", "greedy", games=2, level="0", output=tmp_path / "match")
    assert again.to_json()["players"] == found.to_json()["players"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("net", "it is written net:FILE"),
        ("greedy:x", "it is written greedy"),
        ("net:none.safetensors", "the net none.safetensors does not exist"),
        ("net:{net};leaves=0", "leaves must be from 1 to 256"),
        ("net:{net};exploration=x", "exploration must be a number"),
        ("net:{net};table=5", "is not one of the options"),
    ],
)
def test_players_that_are_none(net, text, words):
    with pytest.raises(InputError, match=words):
        parse_player(text.format(net=net), GAME)


def test_a_net_of_another_game(net):
    with pytest.raises(MismatchError, match="is a net of drmario, not of othello"):
        parse_player(f"net:{net}", find_game("othello"))


def test_a_page_steps_through_the_game(net, tmp_path):
    player, limit = parse_player(f"net:{net};nodes=4", GAME), Limit(nodes=4)
    moves = write_replay(GAME, player, tmp_path / "x.html", start="seed:8988 level:0", limit=limit)
    page = (tmp_path / "x.html").read_text()
    assert page.count('type="radio"') == moves + 1
    assert page.count("<svg") == moves + 1
    assert "<script" not in page
    assert "visits" in page


def test_the_command_line(net, tmp_path):
    found = run("search", "drmario", "--net", net, "--nodes", 20, "--multipv", 2, "--json", "--level", 3)
    lines = json.loads(found.stdout)["lines"]
    assert len(lines) == 2
    assert {"visits", "prior", "score"} <= lines[0].keys()
    watched = run("play", "drmario", "--watch", f"net:{net};nodes=2", "--level", 0)
    assert watched.returncode == 0
    assert "game over" in watched.stdout
    exported = run("net", "export", net, "-o", tmp_path / "x.onnx")
    assert exported.stdout == f"written: {tmp_path / 'x.onnx'}\n"
    compared = run("net", "evaluate", "drmario", tmp_path / "x.onnx", "greedy", "--games", 2, "--simulations", 2,
                   "--level", 0, "--json")  # fmt: skip
    assert json.loads(compared.stdout)["games"] == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("net", "selfplay", "dvonn", "-o", "x"), "DVONN has no planes"),
        (("net", "loop", "drmario", "-o", "x", "--k", "2"), "a net has an odd k"),
        (("net", "evaluate", "drmario", "nothing", "greedy"), "'nothing' is neither a net nor one of greedy"),
        (("net", "train", "nowhere", "-o", "x.safetensors"), "nowhere"),
        (("play", "drmario", "--html", "x.html"), "--html writes a game of the player that --watch names"),
    ],
)
def test_nonsense_is_one_line(words, expected, tmp_path):
    done = subprocess.run([EVALSMITH, *words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("evalsmith: ")
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
