"""Events in TOML: everything is checked, nothing unknown passes; and the plan before a match."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from evalsmith.arena.events.entrants import digest
from evalsmith.arena.events.plan import make_plan
from evalsmith.arena.events.resolving import (
    EventFile,
    by_contest,
    make_format,
    make_limit,
    make_rules,
    read_event_file,
    resolve,
)
from evalsmith.arena.settings import LimitSettings, TournamentSettings
from evalsmith.arena.statistics.sequential import SequentialTest, parse_sprt
from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.players import PlayLimit, parse_player
from evalsmith.run import InputError

FOUR, DVONN = find_game("connect_four"), find_game("dvonn")
WHOLE = """
game = "connect_four"
format = "gauntlet"
games = 3
challengers = 1
seed = 9

[players]
one = "self;nodes=10"
two = { random = true }

[limit]
tc = "40/60+0.5"
margin = 0.2

[openings]
random_plies = 3
repeat = true

[adjudication]
max_plies = 30
"""


def event(tmp_path: Path, text: str) -> EventFile:
    path = tmp_path / "event.toml"
    path.write_text(text)
    return read_event_file(path)


def test_a_whole_event(tmp_path: Path) -> None:
    found = event(tmp_path, WHOLE)
    settings = resolve(found.settings, FOUR)
    form = make_format(settings)
    assert (found.game, form.kind, form.pairs, settings.seed) == ("connect_four", "gauntlet", 2, 9)
    assert make_limit(settings.limit) == PlayLimit(base=60.0, increment=0.5, control_moves=40, margin=0.2)
    assert settings.openings.random_plies == 3 and settings.openings.repeat
    assert settings.adjudication.max_plies == 30
    one, two = (parse_player(name, FOUR, found.players) for name in found.players)
    assert (one.name, two.name, two.random) == ("one", "two", True)
    assert not make_rules(settings).replace_failed and settings.points == "wins"  # there is no contest points
    assert TournamentSettings.from_table(settings.to_table()) == settings


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("seed = 9", "speed = 9", "there is no setting 'speed'; did you mean seed"),
        ("games = 3", "games = true", "games must be a whole number from 1"),
        ("games = 3", "games = 0", "from 1 to 1,000,000, not 0"),
        ('tc = "40/60+0.5"', 'tc = "fast"', "time control"),
        ('tc = "40/60+0.5"', "depht = 5", "there is no setting 'depht' in .limit.; did you mean depth"),
        ("repeat = true", "repeat = 1", "repeat must be true or false"),
        ("max_plies = 30", 'max_plies = "long"', "max_plies must be a whole number"),
        ('game = "connect_four"', "", "expected game, the name"),
        ('one = "self;nodes=10"', "one = 5", "one"),
        ("[players]", "[nobody]", r"\[players\]"),
        ('format = "gauntlet"', "format = ", "is not a TOML file"),
        ("challengers = 1", 'points = "many"', "points must be wins or contest"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, wanted: str) -> None:
    with pytest.raises(InputError, match=wanted) as error:
        make_limit(event(tmp_path, WHOLE.replace(old, new)).settings.limit)
    assert len(str(error.value).splitlines()) == 1


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        read_event_file(tmp_path / "nosuch.toml")
    with pytest.raises(InputError, match="cannot read"):
        read_event_file(tmp_path)


def test_contests_count_what_is_on_the_board() -> None:
    settings = TournamentSettings()
    assert by_contest(settings, DVONN) and resolve(settings, DVONN).replace_failed
    assert not by_contest(TournamentSettings(points="wins"), DVONN)
    with pytest.raises(InputError, match="no contest points"):
        by_contest(TournamentSettings(points="contest"), FOUR)


def test_limits() -> None:
    assert make_limit(resolve(TournamentSettings(), FOUR).limit) == PlayLimit(base=2.0, increment=0.02)
    plain = make_limit(LimitSettings(nodes=5))
    assert plain == Limit(nodes=5) and type(plain) is Limit
    assert make_limit(LimitSettings(budget=5.0, nodes=7)) == PlayLimit(nodes=7, budget=5.0)
    assert make_limit(LimitSettings(byoyomi=1.0)) == PlayLimit(byoyomi=1.0)
    with pytest.raises(InputError):
        make_limit(LimitSettings(tc="1+1", budget=5.0))


def test_changed_files_make_another_run(tmp_path: Path) -> None:
    from evalsmith.weights import Weights, save_weights, starting_weights

    path, start = tmp_path / "w.json", starting_weights(FOUR)
    save_weights(start, path)
    before = digest(parse_player(f"weights:{path}", FOUR))
    path.write_text(path.read_text() + " ")  # the same numbers
    assert digest(parse_player(f"weights:{path}", FOUR)) == before == digest(parse_player("weights:hand-set", FOUR))
    save_weights(Weights(FOUR, start.values + np.int32(1)), path)
    assert digest(parse_player(f"weights:{path}", FOUR)) != before
    assert digest(parse_player("random", FOUR)) == "none"
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    player = parse_player(f"codecup:{program}", DVONN)
    first = digest(player)
    program.write_text("#!/bin/bash\n")
    assert digest(player) != first != "none"
    program.unlink()
    assert digest(player) == "none"


def test_all_files_of_a_command_count_and_none_that_the_program_writes(tmp_path: Path) -> None:
    program, script, net, log = (tmp_path / name for name in ("program", "bot.py", "net.bin", "games.log"))
    for path in (program, script, net, log):
        path.write_text("one")
    program.chmod(0o755)

    def of(command: str) -> str:
        return digest(parse_player(command.replace("@", str(tmp_path)), find_game("chess")))

    commands = [
        f"uci:{program} bot.py --eval=net.bin;cwd=@",
        f"uci:{program};option.File=@/net.bin",
        f"uci:{program} @",
    ]
    before = [of(command) for command in commands]
    assert before == [of(command) for command in commands], "equal runs stay equal"
    assert before[2] == hashlib.blake2b(b"one").hexdigest()[:16], "as it was when only the program counted"
    assert (
        of(f"uci:{program} @/games.log --log-to=@/net.bin -log @/bot.py;option.Debug Log File=@/net.bin") == before[2]
    )
    script.write_text("two")
    after = [of(command) for command in commands]
    assert [a != b for a, b in zip(before, after, strict=True)] == [True, False, False]
    net.write_text("two")
    assert [a != b for a, b in zip(after, map(of, commands), strict=True)] == [True, True, False]
    assert of("uci:@/program -c 5 '' --x=") == before[2]


# ── Plans and tests ──


def test_the_numbers_of_a_plan() -> None:
    """Wald's approximation: 2·0.9·ln 19/t² games if one hypothesis holds, (ln 19)²/t² halfway; t = 5·ln 10/800."""
    plan = make_plan(FOUR, make_limit(LimitSettings(tc="1+0")), 5.0, 4, 1)
    assert plan.sprt_if_true == plan.sprt_if_equal == pytest.approx(25591, abs=2)
    assert plan.sprt_worst == pytest.approx(41862, abs=2)
    assert plan.fixed_detect == pytest.approx(37897, abs=2)
    assert plan.fixed_error == pytest.approx(74193, abs=2)
    assert plan.seconds_per_game == pytest.approx(1.8)
    assert plan.hours(8000) == pytest.approx(1.0)
    assert 10 < plan.plies <= 42


def test_plans_that_cannot_be() -> None:
    for elo in (0.0, -5.0, 1e9, float("nan")):
        with pytest.raises(InputError, match="elo"):
            make_plan(FOUR, Limit(nodes=10), elo, 1, 1)
    with pytest.raises(InputError, match="fixed depth"):
        make_plan(FOUR, Limit(depth=3), 5.0, 1, 1)


def test_the_three_kinds_of_sequential_tests() -> None:
    values = {(pair, half): 1 if pair % 4 else -1 for pair in range(60) for half in (0, 1)}
    states = {}
    for model, counting in (("normalized", "pentanomial"), ("logistic", "pentanomial"), ("normalized", "trinomial")):
        test = SequentialTest(parse_sprt("0,50", model, counting=counting))
        test.decided_by(values)
        assert test.state is not None
        states[model, counting] = test.state.llr
    assert len(set(states.values())) == 3
    with pytest.raises(InputError, match="counting must be"):
        parse_sprt("0,5", counting="by hand")
    with pytest.raises(InputError, match="Elo must be from"):
        parse_sprt("0,500")
    with pytest.raises(InputError, match="alpha"):
        parse_sprt("0,5", alpha=0.7)
