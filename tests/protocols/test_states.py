"""Positions as text lines: a whole bottle of Dr. Mario, and what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalsmith.games import CHANCE, OVER, find_game
from evalsmith.games.drmario.notation import sequence
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.states import StatesServer

GAME = find_game("drmario")
START = "seed:8988 level:0"


@pytest.fixture(scope="module")
def server() -> StatesServer:
    return StatesServer(Engine(GAME, EngineOptions(table_bytes=1 << 20)), print)


def ask(server: StatesServer, *lines: str) -> list[str]:
    said: list[str] = []
    server.write = said.append
    server.serve(lines)
    assert all(text.endswith("\n") and text.count("\n") == 1 for text in said)
    return [text.rstrip("\n") for text in said]


def test_a_whole_bottle(server: StatesServer) -> None:
    """Placements from the first pill until the bottle is won or lost; the pills come as the cartridge draws them."""
    pills = sequence(START)
    assert ask(server, "nodes 300") == ["ok"]
    position, text, placed = GAME.parse(START), START, 0
    while True:
        [said] = ask(server, text)
        if GAME.status(position) == OVER:
            assert said == f"over {GAME.result(position)}"
            break
        name, _, after = said.partition(" ")
        position = GAME.play(position, GAME.parse_move(position, name))
        assert after == GAME.format(position)
        assert (GAME.parse(after) == position).all()
        if GAME.status(position) == CHANCE:
            assert ask(server, after)[0].startswith("error: chance is to move")
            position = GAME.reveal(position, pills[placed % len(pills)])
        placed += 1
        text = GAME.format(position)
    assert placed > 3


def test_limits_are_set_and_wrong_ones_refused(server: StatesServer) -> None:
    assert ask(server, "nodes 100") == ["ok"]
    limit = server.limit
    for line in ("nodes 0", "nodes many", "nodes", "movetime -1", "movetime nan", "movetime inf", "nodes 1e3"):
        assert ask(server, line)[0].startswith("error: "), line
        assert server.limit == limit
    assert ask(server, "movetime 0.01", "", "  ") == ["ok"]
    ask(server, "nodes 100")


def test_the_same_question_gets_the_same_answer(server: StatesServer) -> None:
    server.engine.new_game()
    first = ask(server, "nodes 2000", START)
    server.engine.new_game()
    assert ask(server, "nodes 2000", START) == first


@settings(max_examples=50, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(st.text(st.characters(exclude_characters="\n\r"), max_size=40), max_size=4))
def test_nonsense_gets_an_error(server: StatesServer, lines: list[str]) -> None:
    lines = [line for line in lines if line.strip().lower() not in ("quit", "start", "startpos")]
    said = ask(server, *lines)
    assert len(said) == sum(1 for line in lines if line.strip())
    assert all(text.startswith("error: ") for text in said)


def test_another_game_speaks_it_too() -> None:
    othello = find_game("othello")
    server = StatesServer(Engine(othello, EngineOptions(table_bytes=1 << 20)), print)
    [_, said] = ask(server, "nodes 500", othello.format(othello.start()))
    name, _, after = said.partition(" ")
    assert (othello.play(othello.start(), othello.parse_move(othello.start(), name)) == othello.parse(after)).all()
