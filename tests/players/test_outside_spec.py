"""Outside programs as a user writes them, in a text or in a TOML file."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.players import PlayLimit, load_players, parse_player
from evalsmith.players.outside import Deadlines
from evalsmith.run import InputError

CHESS, OTHELLO, DVONN = (find_game(name) for name in ("chess", "othello", "dvonn"))


def test_a_program_is_found_in_path() -> None:
    player = parse_player("uci:sh -c 'echo a; b'", CHESS)
    assert player.outside is not None
    assert player.outside.launch.command == (str(Path(shutil.which("sh") or "").absolute()), "-c", "echo a; b")
    assert (player.name, player.limit, player.outside.restart) == ("sh", None, False)
    assert not player.in_kernel and parse_player("self", CHESS).in_kernel


def test_every_option(tmp_path: Path) -> None:
    text = (
        f"usi:sh -c x;name=A;nodes=5;tc=40/60+0.5;byoyomi=2;margin=0.3;memory=64e6;address_space=1e9;cwd={tmp_path};"
        "option.USI_Hash=16;option.Book File=a\\;b;env.LANG=C;restart=game;stderr=log.txt;handshake=1;newgame=2;stop=3;"
        "quit=4;watchdog=5"
    )
    player = parse_player(text, find_game("shogi"))
    outside = player.outside
    assert outside is not None and player.text == text
    assert player.limit == PlayLimit(nodes=5, base=60, increment=0.5, control_moves=40, byoyomi=2, margin=0.3)
    assert (outside.launch.memory, outside.launch.address_space) == (64_000_000, 1_000_000_000)
    assert (outside.launch.cwd, outside.launch.environment) == (tmp_path, (("LANG", "C"),))
    assert outside.options == (("USI_Hash", "16"), ("Book File", "a;b"))
    assert outside.restart and outside.stderr == Path("log.txt")
    assert outside.deadlines == Deadlines(1, 2, 3, 4, 5)


def test_a_program_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "engine"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    with pytest.raises(InputError, match="is not executable"):
        parse_player(f"uci:{program}", CHESS)
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for text in (f"uci:{program}", "uci:bin/engine", f"uci:./engine;cwd={program.parent}"):
        player = parse_player(text, CHESS)
        assert player.outside is not None
        assert Path(player.outside.launch.command[0]).resolve() == program.resolve()
        assert Path(player.outside.launch.command[0]).is_absolute()


def test_own_players_have_clocks_memory_and_methods() -> None:
    player = parse_player("self;tc=10+0.1;memory=30e6;method=mcts", CHESS)
    assert player.limit == PlayLimit(base=10, increment=0.1)
    assert (player.memory, player.method, player.in_kernel) == (30_000_000, "mcts", False)
    assert parse_player("self;budget=5", DVONN).limit == PlayLimit(budget=5)
    with pytest.raises(InputError, match="not our alpha-beta search"):
        player.searcher(Limit(nodes=1), 1)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("uci:", "is not one of self"),
        ("uci: ", "is not one of self"),
        ("uci:no-such-program", "no program 'no-such-program' is in PATH"),
        ("uci:/no/such/program", "the program /no/such/program is not there"),
        ("uci:''", "no program ''"),
        ("uci:sh 'x", "cannot be read: No closing quotation"),
        ("uci:sh;speed=1", "'speed=1' is not one of the options name, nodes"),
        ("uci:sh;table=1", "'table=1' is not one of the options"),
        ("uci:sh;memory=0", "memory must be a whole number of bytes above 0"),
        ("uci:sh;memory=1.5", "memory must be a whole number"),
        ("uci:sh;memory=nan", "memory must be a whole number"),
        ("uci:sh;memory=lots", "memory must be a number of bytes"),
        ("uci:sh;restart=often", "restart is one of game, never"),
        ("uci:sh;cwd=/no/such/folder", "there is no folder"),
        ("uci:sh;quit=0", "quit must be above 0"),
        ("uci:sh;quit=x", "quit must be a number of seconds"),
        ("uci:sh;tc=fast", "a time control is"),
        ("uci:sh;tc=1;budget=1", "exclude each other"),
        ("uci:sh;margin=1", "a margin alone is not a limit"),
        ("uci:sh;option.=1", "is not a name and a value"),
        ("uci:sh;env.=1", "is not a name and a value"),
        ("self;method=magic", "method is one of alphabeta, mcts"),
        ("self;cwd=/", "'cwd=/' is not one of the options"),
        ("self;option.Hash=1", "'option.Hash=1' is not one of the options"),
    ],
)
def test_errors_name_the_part(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_player(text, CHESS)
    assert part in str(caught.value) and repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "game", "part"),
    [
        ("gtp:sh", CHESS, "gtp is a protocol for othello, not for chess"),
        ("nboard:sh", DVONN, "nboard is a protocol for othello, not for dvonn"),
        ("codecup:sh;restart=never", DVONN, "restart=never is not possible"),
        ("gtp:sh;option.X=1", OTHELLO, "gtp has no options"),
    ],
)
def test_protocols_and_games_must_fit(text: str, game, part: str) -> None:
    with pytest.raises(InputError, match=part):
        parse_player(text, game)


PIECES = st.sampled_from(
    ["uci:", "sh", " ", ";", "=", "'", '"', "\\", "nodes=1", "option.", "tc=1+1", "name=x", "\0", "é"]
)


@settings(max_examples=200, deadline=None, database=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_any_text_is_a_player_or_an_error(text: str) -> None:
    try:
        player = parse_player("uci:" + text, CHESS)
        assert player.name and player.outside is not None
    except InputError as error:
        assert str(error)


# ── A TOML file ──

TOML = """
[players]
short = "uci:sh;nodes=7"

[players.long]
uci = ["sh", "-c", "echo a; b"]
tc = "10+0.1"
memory = 64_000_000
option = { Hash = 16, "Own Book" = false, Path = "a;b" }
env = { LANG = "C" }

[players."odd; name"]
self = true
nodes = 50
"""


def test_players_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    path.write_text(TOML)
    known = load_players(path)
    short, long, odd = (parse_player(name, CHESS, known) for name in ("short", "long", "odd\\; name"))
    assert (short.name, short.limit) == ("short", Limit(nodes=7))
    assert (long.name, long.limit) == ("long", PlayLimit(base=10, increment=0.1))
    assert long.outside is not None and long.outside.launch.command[1:] == ("-c", "echo a; b")
    assert long.outside.options == (("Hash", "16"), ("Own Book", "false"), ("Path", "a;b"))
    assert long.outside.launch.environment == (("LANG", "C"),)
    assert (odd.name, odd.limit) == ("odd; name", Limit(nodes=50))
    again = parse_player(long.text, CHESS)
    assert again.outside == long.outside and again.limit == long.limit and again.name == long.name


def test_options_may_follow_a_name(tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    path.write_text(TOML)
    known = load_players(path)
    player = parse_player("short;nodes=9;name=other", CHESS, known)
    assert (player.name, player.limit) == ("other", Limit(nodes=9))
    with pytest.raises(InputError, match="nor one of the names short, long"):
        parse_player("nobody", CHESS, known)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "has no table"),
        ("players = 3", "has no table"),
        ("x = [", "is not a TOML file"),
        ("[players]\na = 3", "player 'a' must be a text or a table"),
        ("[other]\n[players]", "unknown key 'other'"),
        ("[players.a]\nnodes = 3", "must be one of self, random"),
        ("[players.a]\nuci = 'x'\ngtp = 'y'", "must be one of self, random"),
        ("[players.a]\nuci = 3", "uci must be a command"),
        ('[players.a]\nuci = "sh \'x"', "cannot be read"),
        ("[players.a]\nself = false", "self must be true"),
        ("[players.a]\nuci = 'sh'\noption = 3", "option must be a table"),
        ("[players.a]\nuci = 'sh'\nnodes = [3]", "nodes must be a text or a number"),
        ("\udcff", "is not a TOML file"),
    ],
)
def test_broken_files(text: str, part: str, tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as caught:
        load_players(path)
    assert part in str(caught.value) and str(path) in str(caught.value)


def test_unknown_keys_of_a_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    path.write_text(f"[players.a]\nuci = '{sys.executable}'\nspeed = 3\n")
    with pytest.raises(InputError, match="'speed=3' is not one of the options"):
        parse_player("a", CHESS, load_players(path))
    with pytest.raises(InputError, match="there is no file"):
        load_players(tmp_path / "gone.toml")
