"""What can be tuned in an engine, and what is refused before a game is played."""

from __future__ import annotations

from typing import Any

import pytest

from evalsmith.arena.spsa.course import Parameter
from evalsmith.arena.spsa.offers import make_parameters
from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.run import InputError
from players.programs import HASTE, command, engine, fresh

FOUR = find_game("connect_four")
TUNED = f"usi:{command('tuned.py')};{HASTE}"


def made(player: str, **tables: Any) -> tuple[Parameter, ...]:
    return make_parameters(parse_player(player, FOUR), tables)


def test_a_constant_of_our_search_knows_its_value_and_its_range() -> None:
    [one] = made("self;lmr_base=80", lmr_base={})
    assert one == Parameter("lmr_base", 80, 0, 400, c_end=20, r_end=0.002)


def test_what_the_user_says_comes_first() -> None:
    [one] = made("self", lmr_base={"start": 60.5, "min": 50, "max": 100, "c_end": 3, "r_end": 0.01})
    assert one == Parameter("lmr_base", 60.5, 50, 100, 3, 0.01)


def test_options_of_a_program_by_their_kind() -> None:
    spin, flag, text = made(f"{TUNED};option.Level=60", level={}, Bold={}, Rate={"min": 0, "max": 2})
    assert spin == Parameter("Level", 60, 0, 100, 5, 0.002)
    assert flag == Parameter("Bold", 0, 0, 1, 0.5, 0.002, boolean=True)
    assert text == Parameter("Rate", 0.5, 0, 2, 0.1, 0.002, integer=False)


@pytest.mark.parametrize(
    ("player", "name", "table", "message"),
    [
        ("self", "lmr_bass", {}, "lmr_bass: the engine self has no option of that name; did you mean lmr_base"),
        ("self", "futility_margin", {}, "belongs to futility, which is not used in connect_four"),
        ("self", "lmr_base", {"max": 500}, "parameter lmr_base: max is 500, but the engine takes 0 to 400"),
        ("self", "lmr_base", {"start": 500}, "start is 500, which is not from 0 to 400"),
        ("self", "lmr_base", {"min": 9, "max": 9}, "min must be below max"),
        ("self", "lmr_base", {"c_end": 0.1}, "c_end is 0.1, but whole numbers need 0.5"),
        ("self", "lmr_base", {"c_end": 300}, "more than half of the range"),
        ("self", "lmr_base", {"min": 0.5}, "must be whole"),
        ("self", "lmr_base", {"type": "real"}, "takes whole numbers only"),
        ("self", "lmr_base", {"step": 3}, "there is no setting 'step' in parameter lmr_base"),
        ("self", "lmr_base", 3, "expected a table"),
        ("self;method=mcts", "lmr_base", {}, "our mcts has no constants"),
        ("random", "lmr_base", {}, "random moves have no parameters"),
        (f"codecup:{command('tuned.py')}", "Level", {}, "codecup has no options"),
        (TUNED, "Depth", {}, "has no option of that name; it has Level, Bold, Rate, Clear"),
        (TUNED, "Clear", {}, "the option is a button"),
        (TUNED, "Rate", {}, "give min and max: the engine does not declare them"),
        (TUNED, "Level", {"max": 101}, "the engine takes 0 to 100"),
        (engine("exit-hello", 4, token=fresh()), "Level", {}, "does not start: crash: .*exit code 4"),
    ],
)  # fmt: skip
def test_what_cannot_be_tuned_is_named(player: str, name: str, table: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(player, **{name: table})


def test_there_must_be_a_parameter() -> None:
    with pytest.raises(InputError, match=r"name one as \[parameters.NAME\]"):
        made("self")
