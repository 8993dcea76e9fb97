"""Matches: pairs that repeat, resume without losing or repeating a game, and are summed up as counting by hand does."""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalsmith.arena.events.competitions import match
from evalsmith.arena.play.openings import random_openings
from evalsmith.arena.results.counting import CountedGames
from evalsmith.arena.results.log import GAMES, RESULT, LoggedGames
from evalsmith.arena.results.match_result import MatchResult, match_result
from evalsmith.arena.results.reading import read_match
from evalsmith.arena.statistics.sequential import SprtConfig, parse_sprt
from evalsmith.games import OVER, Game, find_game
from evalsmith.run.errors import InputError, Interrupted, MismatchError
from evalsmith.weights import starting_weights

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")
TIMES = ("seconds", "longest", "wall", "cpu", "waited", "load", "date")
SMALL: dict[str, Any] = {"games": 11, "nodes": 25, "random_plies": 4, "seed": 3}
LONG: dict[str, Any] = {"games": 2000, "nodes": 60, "random_plies": 5, "seed": 1, "sprt": "0,100"}
PLAYERS = ("self", "self;name=other;nodes=12")

Entry = dict[str, Any]


def played(
    path: Path, players: tuple[Any, Any] = PLAYERS, concurrency: int = 1, progress: Any = None, **settings: Any
) -> MatchResult:
    first, second = players
    more = {} if progress is None else {"progress": lambda *_: nullcontext(progress)}
    return match(FOUR, first, second, output=path, concurrency=concurrency, **more, **{**SMALL, **settings})


def summarise(game: Game, path: Path, names: tuple[str, str], test: SprtConfig | None = None) -> MatchResult:
    return match_result(game, CountedGames(LoggedGames(path / GAMES), names, test))


def entries(path: Path) -> list[Entry]:
    lines = (path / GAMES).read_text().splitlines()
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
    played(tmp_path, seed=4)
    assert not games(tmp_path) & games(whole)


def test_a_longer_match_begins_with_the_shorter(tmp_path: Path, whole: Path) -> None:
    played(tmp_path, games=4)
    assert len(games(tmp_path)) == 4
    assert games(tmp_path) < games(whole)


# ── Broken off and gone on with ──


@pytest.mark.parametrize("seed", range(12))
def test_a_log_cut_anywhere_is_completed(tmp_path: Path, whole: Path, seed: int) -> None:
    """Cut at a random byte, in the middle of a line or between two."""
    raw = (whole / GAMES).read_bytes()
    ends = [place + 1 for place, byte in enumerate(raw) if byte == ord("\n")]
    cut = [0, len(raw), ends[3], ends[5] - 1, ends[2] + 1]
    place = cut[seed] if seed < len(cut) else random.Random(seed).randrange(len(raw))
    (tmp_path / GAMES).write_bytes(raw[:place])
    result = played(tmp_path)
    assert games(tmp_path) == games(whole)
    assert len(entries(tmp_path)) == 12  # none twice
    assert result.pentanomial == summarise(FOUR, whole, ("self", "other")).pentanomial


def test_a_finished_match_is_only_summed_up(tmp_path: Path) -> None:
    played(tmp_path)
    before = (tmp_path / GAMES).read_bytes()
    again = played(tmp_path)
    assert (tmp_path / GAMES).read_bytes() == before
    assert again.games == 12


def test_ctrl_c_keeps_the_finished_games(tmp_path: Path, whole: Path) -> None:
    class Impatient:
        left = 5

        def advance(self, count: int = 1) -> None:
            self.left -= count
            if self.left == 0:
                raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="saved 5 of 12 games in "):
        played(tmp_path, progress=Impatient())
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
    result = played(tmp_path, ("self", "self;name=other;nodes=20"), seed=seed, games=24)
    counts, table = by_hand(tmp_path)
    assert list(result.pentanomial) == counts
    for score in result.players:
        assert [score.won, score.tied, score.lost, score.points] == table[score.name]
        assert score.fail == 0
    assert result.games == 24
    assert result.terminations == {"rule": 24}


def test_half_pairs_count_as_games_but_not_as_pairs(tmp_path: Path, whole: Path) -> None:
    lines = (whole / GAMES).read_text().splitlines(keepends=True)
    kept = [line for line in lines if not (json.loads(line)["pair"] == 2 and json.loads(line)["half"] == 1)]
    (tmp_path / GAMES).write_text("".join(kept))
    result = summarise(FOUR, tmp_path, ("self", "other"))
    assert result.games == 11
    assert sum(result.pentanomial) == 5


def entry_of(pair: int, half: int, result: int) -> Entry:
    """A game as the log has it; the result is for the first player."""
    sides = ["a", "b"] if half == 0 else ["b", "a"]
    told = result if half == 0 else -result
    seconds = [0.5, 0.25] if half == 0 else [0.25, 0.5]
    return {"pair": pair, "half": half, "sides": sides, "result": told, "reason": "rule", "seconds": seconds}


def write_games(path: Path, pairs: list[tuple[int, int]]) -> None:
    rows = [entry_of(number, half, pair[half]) for number, pair in enumerate(pairs) for half in (0, 1)]
    (path / GAMES).write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_margins_and_times(tmp_path: Path) -> None:
    write_games(tmp_path, [(400, 200), (-100, 300), (0, 0)])
    result = summarise(OTHELLO, tmp_path, ("a", "b"))
    assert result.pentanomial == (0, 0, 2, 0, 1)
    assert result.margin == pytest.approx((300 + 100 + 0) / 3)
    deviation = (((300 - 400 / 3) ** 2 + (100 - 400 / 3) ** 2 + (400 / 3) ** 2) / 2) ** 0.5
    assert result.margin_error == pytest.approx(4.3027 * deviation / 3**0.5)  # three pairs: two degrees of freedom
    assert (result.players[0].time_avg, result.players[1].time_avg) == (0.5, 0.25)
    assert (result.players[0].time_max, result.players[1].time_max) == (0.5, 0.25)


def test_no_games_at_all(tmp_path: Path) -> None:
    result = summarise(OTHELLO, tmp_path, ("a", "b"))
    assert (result.games, result.pentanomial, result.margin, result.margin_error) == (0, (0, 0, 0, 0, 0), 0.0, 0.0)
    assert "have not finished a game" in result.verdict()


def test_the_verdict_never_calls_noise_an_improvement(tmp_path: Path) -> None:
    write_games(tmp_path, [(100, -100)] * 10 + [(100, 100), (100, 0)])
    assert "a and b cannot be told apart" in summarise(OTHELLO, tmp_path, ("a", "b")).verdict()
    write_games(tmp_path, [(100, 100)] * 30 + [(100, -100)] * 3)
    assert "a is stronger than b by" in summarise(OTHELLO, tmp_path, ("a", "b")).verdict()
    write_games(tmp_path, [(-100, -100)] * 30 + [(100, -100)] * 3)
    assert "b is stronger than a by" in summarise(OTHELLO, tmp_path, ("a", "b")).verdict()


def test_the_result_is_written(whole: Path) -> None:
    stored = json.loads((whole / RESULT).read_text())
    result = summarise(FOUR, whole, ("self", "other"))
    assert stored["pentanomial"] == list(result.pentanomial)
    assert stored["game"] == "connect_four"
    assert stored["verdict"] == result.verdict()
    assert [player["name"] for player in stored["players"]] == ["self", "other"]


def test_search_beats_chance(tmp_path: Path) -> None:
    result = played(tmp_path, ("self", "random"), games=30, nodes=200)
    assert result.players[0].points >= 27
    assert result.summary.elo > 0
    assert "self is stronger than random" in result.verdict()


# ── The sequential test ──


def test_a_clear_difference_ends_the_match_early(tmp_path: Path) -> None:
    result = played(tmp_path, ("self", "random"), **LONG)
    assert result.sprt is not None
    assert result.sprt.state == "accepted H1"
    assert 20 <= result.games < 200
    assert result.games == 2 * sum(result.pentanomial)


def test_the_end_does_not_depend_on_the_threads(tmp_path: Path) -> None:
    one, two = (played(tmp_path / str(n), ("self", "random"), n, **LONG).to_json() for n in (1, 2))
    for result in (one, two):
        del result["times"]
        for player in result["players"]:
            del player["time_avg"], player["time_max"]
    assert one == two


def test_a_decided_match_is_not_gone_on_with(tmp_path: Path) -> None:
    first = played(tmp_path, ("self", "random"), **LONG)
    count = len(entries(tmp_path))
    again = played(tmp_path, ("self", "random"), **LONG)
    assert len(entries(tmp_path)) == count
    assert (again.games, again.pentanomial) == (first.games, first.pentanomial)


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
    lines = (tmp_path / GAMES).read_text().splitlines(keepends=True)
    (tmp_path / GAMES).write_text("".join(lines[:10] + lines[11:]))
    result = summarise(OTHELLO, tmp_path, ("a", "b"), SprtConfig(0, 100))
    assert result.sprt is not None
    assert result.sprt.state == "running"
    assert result.games == 119


def test_equal_players_reach_the_last_game(tmp_path: Path) -> None:
    result = played(tmp_path, games=16, sprt="0,5")
    assert result.games == 16
    assert result.sprt is not None
    assert result.sprt.state == "running"


# ── Refusals ──


def test_two_players_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"two players have the name 'self'; rename one with ;name="):
        played(tmp_path, ("self", "self;nodes=5"))


def test_too_few_openings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no 100 distinct openings of 1 random plies"):
        played(tmp_path, games=200, random_plies=1)


@pytest.mark.parametrize("options", [{"games": 0}, {"games": -2}, {"random_plies": -1}])
def test_impossible_settings_are_refused(tmp_path: Path, options: dict[str, int]) -> None:
    with pytest.raises(InputError, match="must"):
        played(tmp_path, **options)


def test_the_text_of_a_sequential_test() -> None:
    assert parse_sprt("0,5") == SprtConfig(0.0, 5.0)
    assert parse_sprt("-2.5, 2.5") == SprtConfig(-2.5, 2.5)
    for text in ("", "5", "0,5,9", "a,b", "5,0", "3,3", "nan,5"):
        with pytest.raises(InputError, match="sprt"):
            parse_sprt(text)


# ── Run folders ──


def test_the_result_is_read_back(whole: Path) -> None:
    result = read_match(whole)
    assert result.to_json() == json.loads((whole / RESULT).read_text())
    assert result == played(whole) and str(result) == str(played(whole))
    assert result.run == whole and f"Games in {whole}" in repr(result)
    assert "<table>" in result._repr_html_()
    assert result.report() == whole / "report.html" and (whole / "report.html").stat().st_size > 1000


@pytest.mark.parametrize(
    ("players", "settings", "difference"),
    [
        (PLAYERS[::-1], {}, "names was ['self', 'other'], is now ['other', 'self']"),
        (("self", "random"), {}, "names was"),
        (PLAYERS, {"nodes": 26}, "limit.nodes was 25, is now 26"),
        (PLAYERS, {"sprt": "0,5"}, "sprt was None, is now '0,5'"),
        (PLAYERS, {"random_plies": 5}, "openings.random_plies was 4, is now 5"),
        (PLAYERS, {"seed": 4}, "seed was 3, is now 4"),
    ],
)
def test_another_match_in_an_old_folder_is_refused(
    whole: Path, players: tuple[str, str], settings: dict[str, Any], difference: str
) -> None:
    with pytest.raises(MismatchError, match="choose another folder, or delete it") as error:
        played(whole, players, **settings)
    assert difference in str(error.value)


def test_without_a_folder_it_is_named_by_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one, two, other = (match("connect_four", *PLAYERS, **{**SMALL, "games": games}).run for games in (2, 2, 4))
    assert one == two != other
    assert one is not None and one.parent == Path("runs") and one.name.startswith("match-connect_four-")


def test_weights_and_results_of_fits_play(tmp_path: Path) -> None:
    """Their weights are saved in the run folder, so that the match resumes; other weights are refused."""

    class Fit:
        weights = replace(starting_weights(FOUR), name="tuned")

    first = played(tmp_path, (Fit(), starting_weights(FOUR)), games=4)
    assert [score.name for score in first.players] == ["tuned", starting_weights(FOUR).name]
    assert (tmp_path / "players" / "1.json").exists()
    assert played(tmp_path, (Fit(), starting_weights(FOUR)), games=4) == first
    Fit.weights = replace(Fit.weights, values=Fit.weights.values + 1)
    with pytest.raises(MismatchError, match="files was"):
        played(tmp_path, (Fit(), starting_weights(FOUR)), games=4)
    with pytest.raises(MismatchError, match="are of othello"):
        played(tmp_path, (starting_weights(OTHELLO), "self"))
    with pytest.raises(InputError, match="a player is a text"):
        played(tmp_path, (5, "self"))


def test_unknown_settings_are_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no setting 'node'; did you mean nodes\?"):
        played(tmp_path, node=5)
