"""Players as a user writes them: options are read, and whatever is wrong is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.engine import Limit, play_game, table_bytes_for
from evalsmith.engine.alphabeta import slots
from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.run.errors import InputError, MismatchError
from evalsmith.weights import Weights, save_weights, starting_weights

FOUR = find_game("connect_four")


@pytest.fixture
def weights_file(tmp_path: Path) -> Path:
    values = starting_weights(FOUR).values + np.int32(5)
    save_weights(Weights(FOUR, values), tmp_path / "better.json")
    return tmp_path / "better.json"


# ── Kinds and options ──


def test_self_plays_with_the_hand_set_weights() -> None:
    player = parse_player("self", FOUR)
    assert (player.name, player.random, player.limit, player.table_bytes) == ("self", False, None, None)
    assert (player.weights.values == starting_weights(FOUR).values).all()


def test_random_plays_at_random() -> None:
    player = parse_player("random", FOUR)
    assert (player.name, player.random) == ("random", True)
    played = []
    for seed in (1, 1, 2):
        searcher = player.searcher(Limit(nodes=100), seed)
        played.append(play_game(FOUR, searcher, searcher, FOUR.start()))
    assert played[0].moves == played[1].moves != played[2].moves
    assert played[0].sides[0].nodes == 0


def test_weights_come_from_a_file(weights_file: Path) -> None:
    player = parse_player(f"weights:{weights_file}", FOUR)
    assert player.name == "better"
    assert (player.weights.values == starting_weights(FOUR).values + 5).all()


def test_weights_need_no_prefix(weights_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(weights_file.parent)
    weights_file.rename("mine")
    for text, name, more in (("hand-set", "hand-set", 0), ("hand-set;nodes=5", "hand-set", 0), ("./mine", "mine", 5)):
        player = parse_player(text, FOUR)
        assert (player.name, player.text) == (name, text)
        assert (player.weights.values == starting_weights(FOUR).values + more).all()
    assert (parse_player("fitted", find_game("othello")).weights.name, parse_player("random", FOUR).random) == (
        parse_player("weights:fitted", find_game("othello")).weights.name,
        True,
    )
    assert parse_player("hand-set", FOUR, {"hand-set": "random"}).random  # a name of the user's own comes first
    with pytest.raises(InputError, match=r"there is no weights file gone\.json"):
        parse_player("gone.json", FOUR)


def test_every_option() -> None:
    player = parse_player("self;name=A b;nodes=500;depth=7;movetime=0.25;table=65536", FOUR)
    assert player.name == "A b"
    assert player.limit == Limit(depth=7, nodes=500, seconds=0.25)
    assert player.table_bytes == 65536


def test_spaces_and_large_numbers() -> None:
    player = parse_player(" self ; nodes=1e6 ; name=x", FOUR)
    assert (player.limit, player.name) == (Limit(nodes=1_000_000), "x")


def test_a_player_may_override_the_limit_of_the_match() -> None:
    match = Limit(nodes=1000)
    own = parse_player("self;nodes=77", FOUR).searcher(match, 1)
    given_ = parse_player("self", FOUR).searcher(match, 1)
    assert own.context.row[slots.NODE_LIMIT] == 77
    assert given_.context.row[slots.NODE_LIMIT] == 1000
    assert own.context.arrays[slots.table.slot].nbytes == table_bytes_for(77)
    assert given_.context.arrays[slots.table.slot].nbytes == table_bytes_for(1000)


def test_a_table_is_as_large_as_asked() -> None:
    searcher = parse_player("self;table=8192", FOUR).searcher(Limit(nodes=10), 1)
    assert searcher.context.arrays[slots.table.slot].nbytes == 8192


# ── Errors ──


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "player '' is not one of self"),
        ("selfish", "player 'selfish' is not one of self, hand-set, zero, fitted, a weights file, weights:FILE"),
        ("self:x", "is not one of"),
        ("weights", "is not one of"),
        ("weights:", "is not one of"),
        ("self;", "'' is not one of the options name, nodes"),
        ("self;fast", "'fast' is not one of the options"),
        ("self;speed=9", "'speed=9' is not one of the options"),
        ("self;nodes", "'nodes' is not one of the options"),
        ("self;nodes=", "the option nodes has no value"),
        ("self;name=", "the option name has no value"),
        ("self;nodes=many", "nodes must be a number, not 'many'"),
        ("self;nodes=1.5", "nodes must be a whole number, not '1.5'"),
        ("self;nodes=inf", "nodes must be a whole number, not 'inf'"),
        ("self;nodes=nan", "nodes must be a whole number, not 'nan'"),
        ("self;depth=-inf", "depth must be a whole number, not '-inf'"),
        ("self;nodes=0", "the number of nodes must be above 0"),
        ("self;nodes=-4", "the number of nodes must be above 0"),
        ("self;nodes=1e300", "the number of nodes must be above 0 and finite"),
        ("self;depth=1000", "the depth must be at most"),
        ("self;movetime=0", "the movetime must be above 0"),
        ("self;movetime=nan", "the movetime must be above 0 and finite, not nan"),
        ("self;movetime=soon", "movetime must be a number, not 'soon'"),
        ("self;table=0", "table must be from 1 to"),
        ("self;table=-1", "table must be from 1 to"),
        ("self;table=1e30", "table must be from 1 to"),
    ],
)
def test_errors_name_the_part(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_player(text, FOUR)
    assert part in str(caught.value)
    assert repr(text) in str(caught.value)


def test_the_weights_must_be_there_and_of_this_game(tmp_path: Path, weights_file: Path) -> None:
    with pytest.raises(InputError, match=r"there is no weights file .*gone\.json"):
        parse_player(f"weights:{tmp_path / 'gone.json'}", FOUR)
    with pytest.raises(MismatchError, match="holds weights of connect_four, not of othello"):
        parse_player(f"weights:{weights_file}", find_game("othello"))


PIECES = st.sampled_from(["self", "random", "weights:", ";", "=", "nodes", "name", "depth", "table", "1", "-1", "x"])


@settings(max_examples=200, deadline=None, database=None)
@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_any_text_is_a_player_or_an_error(text: str) -> None:
    try:
        assert parse_player(text, FOUR).name
    except InputError as error:
        assert str(error)


# ── Constants of the search ──


def test_constants_of_the_search_are_options() -> None:
    player = parse_player("self;lmr_base=80;history_bonus=200", FOUR)
    assert (player.constants.lmr_base, player.constants.history_bonus, player.constants.lmr_moves) == (80, 200, 3)
    assert player.searcher(Limit(nodes=10), 1).constants == player.constants


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("self;lmr_base=500", "player 'self;lmr_base=500': lmr_base must be a whole number from 0 to 400, not 500"),
        ("self;lmr_base=x", "lmr_base must be a whole number, not 'x'"),
        ("self;method=mcts;lmr_base=80", "lmr_base belongs to alphabeta"),
    ],
)
def test_wrong_constants_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_player(text, FOUR)


def test_a_player_with_other_values() -> None:
    own = parse_player("self;lmr_base=80;lmr_moves=5", FOUR).tuned((("lmr_base", "90"),))
    assert (own.constants.lmr_base, own.constants.lmr_moves) == (90, 5)
    program = parse_player("uci:/bin/cat;option.Hash=16;option.X=1", FOUR).tuned((("hash", "32"),))
    assert program.outside is not None and program.outside.options == (("X", "1"), ("hash", "32"))
    assert program.tuned(()) is program


def test_techniques_can_be_left_out() -> None:
    player = parse_player("self;without=lmr,table", find_game("othello"))
    assert player.without == ("lmr", "table")
    assert {"lmr", "table"}.isdisjoint(player.searcher(Limit(nodes=100), 1).techniques)
    with pytest.raises(InputError, match="unknown technique 'luck'"):
        parse_player("self;without=luck", find_game("othello"))
    with pytest.raises(InputError, match="lmr belongs to alphabeta"):
        parse_player("self;method=mcts;without=lmr", find_game("othello"))
