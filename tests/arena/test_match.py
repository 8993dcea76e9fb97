"""Matches: pairs that repeat, resume without losing or repeating a game, and are summed up as counting by hand does."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalsmith.arena.events import match
from evalsmith.arena.events.match import MatchConfig, play_match
from evalsmith.arena.play.openings import random_openings
from evalsmith.arena.results.summary import summarise
from evalsmith.arena.statistics.sequential import SprtConfig, parse_sprt
from evalsmith.games import OVER, find_game
from evalsmith.players import Player, parse_player
from evalsmith.run import RunFolder
from evalsmith.run.errors import InputError, Interrupted
from evalsmith.search import Limit

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")
TIMES = ("seconds", "longest", "wall", "cpu", "waited", "load")
SMALL = MatchConfig(games=11, limit=Limit(nodes=25), random_plies=4, seed=3)

Entry = dict[str, Any]


def pair_of(first: str, second: str) -> tuple[Player, Player]:
    return parse_player(first, FOUR), parse_player(second, FOUR)


PLAYERS = pair_of("self", "self;name=other;nodes=12")


def played(
    path: Path, config: MatchConfig = SMALL, players: tuple[Player, Player] = PLAYERS, concurrency: int = 1
) -> match.MatchResult:
    with RunFolder(path, {"kind": "match"}) as run:
        return play_match(FOUR, players, config, run, concurrency=concurrency)


def entries(path: Path) -> list[Entry]:
    lines = (path / match.GAMES).read_text().splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def games(path: Path) -> set[str]:
    """The games of a match as a set, without what the clock says."""
    return {json.dumps({k: v for k, v in entry.items() if k not in TIMES}) for entry in entries(path)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "whole"
    played(path)
    return path


# ── The games ──


def test_games_are_pairs_with_the_sides_swapped(whole: Path) -> None:
    """Eleven games are rounded up to six pairs."""
    found = {(entry["pair"], entry["half"]): entry for entry in entries(whole)}
    assert set(found) == {(pair, half) for pair in range(6) for half in (0, 1)}
    openings = random_openings(FOUR, 6, 4, seed=3)
    for pair in range(6):
        first, second = found[pair, 0], found[pair, 1]
        assert first["opening"] == second["opening"] == openings[pair][1]
        assert first["sides"] == second["sides"][::-1] == ["self", "other"]


def test_games_are_legal_and_end_with_their_result(whole: Path) -> None:
    for entry in entries(whole):
        position = FOUR.start()
        for move in entry["opening"] + entry["moves"]:
            position = FOUR.play(position, move)
        assert FOUR.status(position) == OVER
        sign = 1 if FOUR.mover(position) == 0 else -1
        assert entry["result"] == sign * FOUR.result(position)
        assert entry["reason"] == "rule"


@pytest.mark.parametrize("concurrency", [1, 2])
def test_the_same_seed_gives_the_same_games(tmp_path: Path, whole: Path, concurrency: int) -> None:
    played(tmp_path, concurrency=concurrency)
    assert games(tmp_path) == games(whole)


def test_another_seed_gives_other_games(tmp_path: Path, whole: Path) -> None:
    played(tmp_path, replace(SMALL, seed=4))
    assert not games(tmp_path) & games(whole)


def test_a_longer_match_begins_with_the_shorter(tmp_path: Path, whole: Path) -> None:
    played(tmp_path, replace(SMALL, games=4))
    assert len(games(tmp_path)) == 4
    assert games(tmp_path) < games(whole)


# ── Broken off and gone on with ──


@pytest.mark.parametrize("seed", range(12))
def test_a_log_cut_anywhere_is_completed(tmp_path: Path, whole: Path, seed: int) -> None:
    """Cut at a random byte, in the middle of a line or between two."""
    raw = (whole / match.GAMES).read_bytes()
    ends = [place + 1 for place, byte in enumerate(raw) if byte == ord("\n")]
    cut = [0, len(raw), ends[3], ends[5] - 1, ends[2] + 1]
    place = cut[seed] if seed < len(cut) else random.Random(seed).randrange(len(raw))
    with RunFolder(tmp_path, {"kind": "match"}):
        (tmp_path / match.GAMES).write_bytes(raw[:place])
    result = played(tmp_path)
    assert games(tmp_path) == games(whole)
    assert len(entries(tmp_path)) == 12  # none twice
    assert result.counts == summarise(FOUR, whole, ("self", "other")).counts


def test_a_finished_match_is_only_summed_up(tmp_path: Path) -> None:
    played(tmp_path)
    before = (tmp_path / match.GAMES).read_bytes()
    again = played(tmp_path)
    assert (tmp_path / match.GAMES).read_bytes() == before
    assert again.games == 12


def test_ctrl_c_keeps_the_finished_games(tmp_path: Path, whole: Path) -> None:
    class Impatient:
        left = 5

        def advance(self, count: int = 1) -> None:
            self.left -= count
            if self.left == 0:
                raise KeyboardInterrupt

    with RunFolder(tmp_path, {"kind": "match"}) as run, pytest.raises(Interrupted, match="kept 5 of 12 games in "):
        play_match(FOUR, PLAYERS, SMALL, run, concurrency=1, progress=Impatient())
    assert len(games(tmp_path)) == 5
    assert games(tmp_path) < games(whole)
    played(tmp_path)
    assert games(tmp_path) == games(whole)


# ── The sum ──


def by_hand(path: Path) -> tuple[list[int], dict[str, list[float]]]:
    """Pentanomial counts, and won, tied, lost and points of each player, from the log alone."""
    points: dict[int, dict[str, float]] = {}
    table: dict[str, list[float]] = {"self": [0, 0, 0, 0], "other": [0, 0, 0, 0]}
    for entry in entries(path):
        for side, name in enumerate(entry["sides"]):
            value = entry["result"] if side == 0 else -entry["result"]
            outcome = 0 if value > 0 else 1 if value == 0 else 2
            score = (1.0, 0.5, 0.0)[outcome]
            table[name][outcome] += 1
            table[name][3] += score
            pair = points.setdefault(entry["pair"], {"self": 0.0, "other": 0.0})
            pair[name] += score
    counts = [0, 0, 0, 0, 0]
    for pair in points.values():
        counts[round(2 * pair["self"])] += 1
    return counts, table


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_counting_by_hand(tmp_path: Path, seed: int) -> None:
    result = played(tmp_path, replace(SMALL, seed=seed, games=24), pair_of("self", "self;name=other;nodes=20"))
    counts, table = by_hand(tmp_path)
    assert list(result.counts) == counts
    for score in result.players:
        assert [score.won, score.tied, score.lost, score.points] == table[score.name]
        assert score.fail == 0
    assert result.games == 24
    assert result.reasons == {"rule": 24}


def test_half_pairs_count_as_games_but_not_as_pairs(tmp_path: Path, whole: Path) -> None:
    lines = (whole / match.GAMES).read_text().splitlines(keepends=True)
    kept = [line for line in lines if not (json.loads(line)["pair"] == 2 and json.loads(line)["half"] == 1)]
    (tmp_path / match.GAMES).write_text("".join(kept))
    result = summarise(FOUR, tmp_path, ("self", "other"))
    assert result.games == 11
    assert sum(result.counts) == 5


def entry_of(pair: int, half: int, result: int) -> Entry:
    """A game as the log has it; the result is for the first player."""
    sides = ["a", "b"] if half == 0 else ["b", "a"]
    told = result if half == 0 else -result
    seconds = [0.5, 0.25] if half == 0 else [0.25, 0.5]
    return {"pair": pair, "half": half, "sides": sides, "result": told, "reason": "rule", "seconds": seconds}


def write_games(path: Path, pairs: list[tuple[int, int]]) -> None:
    rows = [entry_of(number, half, pair[half]) for number, pair in enumerate(pairs) for half in (0, 1)]
    (path / match.GAMES).write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_margins_and_times(tmp_path: Path) -> None:
    write_games(tmp_path, [(400, 200), (-100, 300), (0, 0)])
    result = summarise(OTHELLO, tmp_path, ("a", "b"))
    assert result.counts == (0, 0, 2, 0, 1)
    assert result.margin == pytest.approx((300 + 100 + 0) / 3)
    deviation = (((300 - 400 / 3) ** 2 + (100 - 400 / 3) ** 2 + (400 / 3) ** 2) / 2) ** 0.5
    assert result.margin_error == pytest.approx(1.959964 * deviation / 3**0.5)
    assert (result.players[0].time_avg, result.players[1].time_avg) == (0.5, 0.25)
    assert (result.players[0].time_max, result.players[1].time_max) == (0.5, 0.25)


def test_no_games_at_all(tmp_path: Path) -> None:
    result = summarise(OTHELLO, tmp_path, ("a", "b"))
    assert (result.games, result.counts, result.margin, result.margin_error) == (0, (0, 0, 0, 0, 0), 0.0, 0.0)
    assert "cannot be told apart" in result.verdict()


def test_the_verdict_never_calls_noise_an_improvement(tmp_path: Path) -> None:
    write_games(tmp_path, [(100, -100)] * 10 + [(100, 100), (100, 0)])
    assert "a and b cannot be told apart" in summarise(OTHELLO, tmp_path, ("a", "b")).verdict()
    write_games(tmp_path, [(100, 100)] * 30 + [(100, -100)] * 3)
    assert "a is stronger than b by" in summarise(OTHELLO, tmp_path, ("a", "b")).verdict()
    write_games(tmp_path, [(-100, -100)] * 30 + [(100, -100)] * 3)
    assert "b is stronger than a by" in summarise(OTHELLO, tmp_path, ("a", "b")).verdict()


def test_the_result_is_written(whole: Path) -> None:
    stored = json.loads((whole / match.RESULT).read_text())
    result = summarise(FOUR, whole, ("self", "other"))
    assert stored["pentanomial"] == list(result.counts)
    assert stored["game"] == "connect_four"
    assert stored["verdict"] == result.verdict()
    assert [player["name"] for player in stored["players"]] == ["self", "other"]


def test_search_beats_chance(tmp_path: Path) -> None:
    result = played(tmp_path, replace(SMALL, games=30, limit=Limit(nodes=200)), pair_of("self", "random"))
    assert result.players[0].points >= 27
    assert result.summary.elo > 0
    assert "self is stronger than random" in result.verdict()


# ── The sequential test ──


def test_a_clear_difference_ends_the_match_early(tmp_path: Path) -> None:
    config = MatchConfig(games=2000, limit=Limit(nodes=60), random_plies=5, seed=1, sprt=SprtConfig(0, 100))
    result = played(tmp_path, config, pair_of("self", "random"))
    assert result.sprt is not None
    assert result.sprt.state == "accepted H1"
    assert 20 <= result.games < 200
    assert result.games == 2 * sum(result.counts)


def test_the_end_does_not_depend_on_the_threads(tmp_path: Path) -> None:
    config = MatchConfig(games=2000, limit=Limit(nodes=60), random_plies=5, seed=1, sprt=SprtConfig(0, 100))
    one, two = (played(tmp_path / str(n), config, pair_of("self", "random"), concurrency=n).to_json() for n in (1, 2))
    for result in (one, two):
        del result["times"]
        for player in result["players"]:
            del player["time_avg"], player["time_max"]
    assert one == two


def test_a_decided_match_is_not_gone_on_with(tmp_path: Path) -> None:
    config = MatchConfig(games=2000, limit=Limit(nodes=60), random_plies=5, seed=1, sprt=SprtConfig(0, 100))
    first = played(tmp_path, config, pair_of("self", "random"))
    count = len(entries(tmp_path))
    again = played(tmp_path, config, pair_of("self", "random"))
    assert len(entries(tmp_path)) == count
    assert (again.games, again.counts) == (first.games, first.counts)


def test_games_after_the_decision_do_not_count(tmp_path: Path) -> None:
    test = SprtConfig(0, 100)
    write_games(tmp_path, [(100, 100)] * 60)
    decided = summarise(OTHELLO, tmp_path, ("a", "b"), test)
    assert decided.sprt is not None
    assert decided.sprt.state == "accepted H1"
    assert decided.games < 120
    write_games(tmp_path, [(100, 100)] * (decided.games // 2) + [(-100, -100)] * 40)
    assert summarise(OTHELLO, tmp_path, ("a", "b"), test) == decided


def test_the_test_waits_for_the_pairs_before(tmp_path: Path) -> None:
    """A hole in the log, as two threads may leave one, holds the decision up."""
    write_games(tmp_path, [(100, 100)] * 60)
    lines = (tmp_path / match.GAMES).read_text().splitlines(keepends=True)
    (tmp_path / match.GAMES).write_text("".join(lines[:10] + lines[11:]))
    result = summarise(OTHELLO, tmp_path, ("a", "b"), SprtConfig(0, 100))
    assert result.sprt is not None
    assert result.sprt.state == "running"
    assert result.games == 119


def test_equal_players_reach_the_last_game(tmp_path: Path) -> None:
    config = replace(SMALL, games=16, sprt=SprtConfig(0, 5))
    result = played(tmp_path, config)
    assert result.games == 16
    assert result.sprt is not None
    assert result.sprt.state == "running"


# ── Refusals ──


def test_two_players_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"both players are called 'self'; give one a name with ;name="):
        played(tmp_path, players=pair_of("self", "self;nodes=5"))


def test_too_few_openings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no 100 distinct openings of 1 random plies"):
        played(tmp_path, replace(SMALL, games=200, random_plies=1))


@pytest.mark.parametrize("options", [{"games": 0}, {"games": -2}, {"random_plies": -1}])
def test_impossible_settings_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(InputError, match="must"):
        MatchConfig(**options)  # type: ignore[arg-type]


def test_the_text_of_a_sequential_test() -> None:
    assert parse_sprt("0,5") == SprtConfig(0.0, 5.0)
    assert parse_sprt("-2.5, 2.5") == SprtConfig(-2.5, 2.5)
    for text in ("", "5", "0,5,9", "a,b", "5,0", "3,3", "nan,5"):
        with pytest.raises(InputError, match="--sprt"):
            parse_sprt(text)
