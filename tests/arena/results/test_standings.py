"""The table of a competition, counted by hand; every comparison with its exact p-value."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from arena.logged import counted, logged, table_of
from evalsmith.arena.events.formats import Format
from evalsmith.arena.play.load import Machines
from evalsmith.arena.results.entry import Failed, GameEntry, GameKey, MachineLoad
from evalsmith.arena.results.match_result import match_result
from evalsmith.arena.results.times import Times
from evalsmith.arena.results.tournament_result import TournamentResult, standings_table
from evalsmith.games import find_game
from evalsmith.report.matches import match_sections
from evalsmith.report.page import Page
from evalsmith.run import InputError

NUMBER = count()


def game(white: str, black: str, result: int, **more: Any) -> tuple[GameKey, GameEntry]:
    key = GameKey(0, white, black, next(NUMBER), 0)
    return key, logged(key, result, **{"seconds": [1.0, 2.0], **more})


def crash(side: int) -> dict[str, Any]:
    return {"reason": "crash", "failed": [{"side": side, "reason": "crash", "detail": "exit code 1", "ply": 9}]}


def test_the_table_of_the_contest() -> None:
    """Own stones, 90 for a win, 45 for a tie; nothing for a program that failed, all for its opponent."""
    games = dict(
        [
            game("a", "b", 500, counts=[20, 15]),
            game("b", "a", 0, counts=[12, 12]),
            game("a", "c", -1, counts=[25, 3], **crash(0)),
            game("c", "b", -700, counts=[4, 11]),
        ]
    )
    table = table_of(["a", "b", "c"], games, contest=True)
    points = {row.name: row.points for row in table.rows}
    assert points == {"a": 20 + 90 + 12 + 45, "b": 15 + 12 + 45 + 11 + 90, "c": 3 + 90 + 4}
    assert table.names == ["b", "a", "c"]
    rows = {row.name: row for row in table.rows}
    assert (rows["a"].won, rows["a"].tied, rows["a"].lost, rows["a"].fail) == (1, 1, 1, 1)
    assert rows["a"].failures == {"crash": 1} and rows["c"].fail == 0
    assert rows["a"].by_side == [[1, 0, 1], [0, 1, 0]]
    assert table.wins == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert table.played == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    # The failed game has no margin: 500 and 0 between a and b, 700 of b against c.
    assert table.difference == [[None, -250.0, 700.0], [250.0, None, None], [-700.0, None, None]]
    assert table.points[1] == [1.5, 0.0, 0.0]
    assert table.terminations == {"rule": 3, "crash": 1}


def test_points_of_wins() -> None:
    games = dict([game("a", "b", 30000), game("b", "a", 0), game("a", "b", -30000)])
    assert [(row.name, row.points) for row in table_of(["a", "b"], games).rows] == [("a", 1.5), ("b", 1.5)]


@pytest.mark.parametrize("contest", [False, True])
def test_a_free_round_counts_in_points_and_says_so(contest: bool) -> None:
    """Of three players the last sits out first; its points come from there, and from no game."""
    form = Format("swiss", 1, rounds=1)
    keys = [GameKey(0, "a", "b", 0, half) for half in (0, 1)]
    games = {key: logged(key, 1) for key in keys}
    table = table_of(["a", "b", "c"], games, contest, form)
    row = next(row for row in table.rows if row.name == "c")
    assert (row.free, row.points, row.games) == (2, 180.0 if contest else 2.0, 0)
    assert [player["free"] for player in table.to_json()["players"]] == [int(name == "c") * 2 for name in table.names]
    shown = standings_table(table)
    assert shown.columns[2] == "Elo" and shown.columns[-1] == "free" and "without play" in str(shown)
    assert [row[2:4] + row[-1:] for row in shown.rows if row[1] == "c"] == [("", 0, 2)]  # no rating, all columns
    assert "free" not in standings_table(table_of(["a", "b"], games)).columns


@pytest.mark.parametrize(("won", "lost", "tied", "p"), [(105, 94, 1, 0.48), (250, 235, 15, 0.53), (119, 76, 5, 0.0025)])
def test_p_values_beside_every_comparison(won: int, lost: int, tied: int, p: float) -> None:
    results = [1] * won + [-1] * lost + [0] * tied
    games = dict(game("a", "b", value) if i % 2 else game("b", "a", -value) for i, value in enumerate(results))
    [one] = table_of(["a", "b"], games).comparisons
    assert (one.won, one.tied, one.lost) == (won, tied, lost)
    assert one.p_value == pytest.approx(p, rel=0.02)


def test_ratings_say_why_there_are_none() -> None:
    games = dict([game("a", "b", 1), game("a", "c", 1), game("b", "c", 1)])
    table = table_of(["a", "b", "c"], games)
    assert table.ratings == () and "never took a point" in table.unrated
    assert table_of(["a", "b"], {}).unrated == "no games were played"


def test_ratings_of_the_reference() -> None:
    """The table of 24 games a pair, through the log and back."""
    wins = {"AB": (20, 4), "AC": (15, 9), "AD": (24, 0), "BC": (19, 5), "BD": (24, 0), "CD": (19, 5)}
    games = {}
    for pair, (won, lost) in wins.items():
        games |= dict(game(pair[0], pair[1], 1) for _ in range(won))
        games |= dict(game(pair[0], pair[1], -1) for _ in range(lost))
    table = table_of(list("DCBA"), games)
    assert {one.name: round(one.elo, 2) for one in table.ratings} == {
        "A": 247.49,
        "B": 124.02,
        "C": -12.87,
        "D": -358.64,
    }
    assert table.names == list("ABCD")


def times_of(name: str, games: list[GameEntry]) -> Times:
    return counted("ab", {entry.key: entry for entry in games}).tally().players[name].times.result()


def overload(games: list[GameEntry], concurrency: int | None = None) -> list[str]:
    machines = Machines()
    for entry in games:
        machines.add(entry)
    return machines.overload(concurrency)


def test_times_by_both_clocks() -> None:
    games = [
        game("a", "b", 1, told=[[0.5, 0.9, 4], [0, 0, 0]], longest=[0.4, 0.1], bytes=[100, None])[1],
        game("b", "a", 1, seconds=[5.0, 3.0], told=[[0, 0, 0], [2.0, 2.4, 4]], longest=[0.4, 0.7], bytes=[None, 50])[1],
    ]
    times = times_of("a", games)
    assert (times.time_avg, times.time_max, times.longest, times.bytes) == (2.0, 3.0, 0.7, 100)
    assert times.reported_avg == 1.25 and times.latency == pytest.approx(0.1)
    ahead = game("a", "b", 1, told=[[1.5, 0.9, 4], [0, 0, 0]])[1]
    assert times_of("a", [ahead]).latency == 0.0  # it rounds its times up: nothing comes before it is sent
    other = times_of("b", games)
    assert other.reported_avg is None and other.latency is None and other.bytes is None


def test_a_busy_machine_is_spoken_of() -> None:
    quiet = [game("a", "b", 1, moves=[0] * 50)[1]] * 4
    quiet = [replace(entry, machine=MachineLoad(wall=1.0, waited=0.001, load=0.9)) for entry in quiet]
    assert overload(quiet) == []
    assert overload([]) == []
    waiting = [replace(entry, machine=MachineLoad(wall=1.0, waited=0.5, load=0.9)) for entry in quiet]
    assert overload(waiting) == ["players waited 50 % of the time for a core"]
    crowded = [replace(entry, machine=MachineLoad(wall=1.0, load=2.0)) for entry in quiet]
    assert overload(crowded) == ["2.0 processes wanted each core"]
    late = replace(quiet[0], failed=(Failed(0, "time"),))
    assert overload([*quiet, late]) == ["1 of 5 games were lost on time"]
    assert "games at once on" in overload(quiet, 10_000)[0]


def test_each_host_is_judged_by_its_own_games() -> None:
    def games(host: str, load: float, speed: float) -> list[GameEntry]:
        machine = MachineLoad(wall=1.0, load=load, host=host, speed=speed)
        return [replace(game("a", "b", 1, moves=[0] * 50)[1], machine=machine)] * 3

    assert overload([*games("ada", 0.9, 100.0), *games("bob", 0.9, 90.0)]) == []
    assert overload([*games("ada", 0.9, 100.0), *games("bob", 3.0, 60.0)]) == [
        "bob: 3.0 processes wanted each core",
        "bob searches at 60 % of the speed of ada",
    ]
    [entry] = games("ada", 0.9, 100.0)[:1]
    assert GameEntry.from_json(entry.to_json()).machine == entry.machine
    both = {one.key: one for one in (*games("ada", 0.9, 100.0)[:1], *games("bob", 3.0, 60.0)[:1])}
    result = match_result(find_game("connect_four"), counted("ab", both))
    assert [(one["host"], one["games"], one["speed"], one["load"]) for one in result.to_json()["hosts"]] == [
        ("ada", 1, 100.0, 0.9), ("bob", 1, 60.0, 3.0)
    ]  # fmt: skip
    told = "bob played 1 games, 60 thousand nodes per second of CPU, 0 % of the time waiting for a core, 3.0 processes"
    assert told in str(result)
    page = Page("match")
    match_sections(page, replace(result, entries=counted("ab", {})))
    assert "The hosts that played." in page.render()
    unclocked = replace(entry, machine=MachineLoad(wall=1.0))
    assert not {"host", "speed"} & unclocked.to_json().keys()


def test_lost_games() -> None:
    games = dict([game("a", "b", 5), game("b", "a", 5), game("c", "a", 5), game("a", "c", 1, **crash(0))])
    table = table_of(["a", "b", "c"], games)
    result = TournamentResult(find_game("connect_four"), "round-robin", table, counted("abc", games))
    assert [entry.sides for entry in result.lost_by("a")] == [("b", "a"), ("a", "c"), ("c", "a")]
    assert [entry.sides for entry in result.lost_by("a", "b")] == [("b", "a")]
    assert result.lost_by("c", "b") == []
    with pytest.raises(InputError, match="no player has the name 'x'; the players are a, b, c"):
        result.lost_by("x")


def test_counts_for_a_test_afterwards() -> None:
    """Pairs of several rounds, with either player named first; half pairs count as games alone."""

    def one(round_: int, first: str, second: str, pair: int, half: int, value: int) -> tuple[GameKey, GameEntry]:
        key = GameKey(round_, first, second, pair, half)
        return key, logged(key, value)

    games = dict(
        [
            one(0, "a", "b", 0, 0, 1), one(0, "a", "b", 0, 1, -1),  # a wins both
            one(1, "b", "a", 0, 0, 1), one(1, "b", "a", 0, 1, 0),  # b wins one, one drawn
            one(0, "a", "b", 1, 0, 1),
            one(0, "a", "c", 0, 0, 1), one(0, "a", "c", 0, 1, 1),
        ]
    )  # fmt: skip
    met = counted("abc", games)
    one_way, other_way = met.meeting("a", "b").all, met.meeting("b", "a").all
    assert (one_way.pair_counts, one_way.game_counts) == ((0, 1, 0, 0, 1), (1, 1, 3))
    assert (other_way.pair_counts, other_way.game_counts) == ((1, 0, 0, 1, 0), (3, 1, 1))


def test_the_table_is_ranked_by_rating_not_by_the_number_of_games() -> None:
    """In a gauntlet the challenger has the most games, and so the most points, whether it is good or not."""
    games = {}
    for number, (opponent, won) in enumerate([("b", 1), ("c", 3), ("d", 3)]):
        for pair in range(4):
            for half in (0, 1):
                key = GameKey(0, "a", opponent, 10 * number + pair, half)
                value = 1 if pair < won else -1
                games[key] = logged(key, value if half == 0 else -value)
    table = table_of(list("abcd"), games, form=Format("gauntlet", 4))
    rows = {row.name: row for row in table.rows}
    assert rows["a"].points > rows["b"].points and table.names == ["b", "a", "c", "d"]
    assert (rows["a"].games, rows["a"].share, rows["b"].share) == (24, 14 / 24, 0.75)
    shown = standings_table(table)
    assert [row[shown.columns.index("games")] for row in shown.rows] == [8, 24, 8, 8]
    assert [row[shown.columns.index("share")] for row in shown.rows] == ["75.0 %", "58.3 %", "25.0 %", "25.0 %"]
    assert shown.sentences == ("Ranked by rating.",)
    # The same games of a contest or a Swiss tournament: their rule is points, and the table says so.
    swiss = table_of(list("abcd"), games, form=Format("swiss", 4, rounds=3))
    assert swiss.names[0] == "a" and "Ranked by points, then by rating." in str(standings_table(swiss))
    assert table_of(list("abcd"), games, contest=True).by_points
    without = table_of(list("ab"), {key: one for key, one in games.items() if key.second == "c"})
    assert without.names == ["a", "b"]


def test_anchors_fix_ratings_by_name() -> None:
    games = dict([game("a", "b", 1), game("a", "b", 1), game("a", "b", 1), game("a", "b", -1)])
    table = table_of(["a", "b"], games, anchors={"b": 2000.0})
    assert {one.name: round(one.elo) for one in table.ratings} == {"a": 2191, "b": 2000}
    assert table.to_json()["anchors"] == {"b": 2000.0}
    assert "2000 (fixed)" in str(standings_table(table)) and "2191 ± " in str(standings_table(table))
    with pytest.raises(InputError, match="no player has the name 'x' of an anchor; the players are a, b"):
        table_of(["a", "b"], games, anchors={"x": 1.0})
