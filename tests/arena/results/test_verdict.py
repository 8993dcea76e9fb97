"""Verdicts on logged games: failures decide nothing, and say so first."""

from __future__ import annotations

from typing import Any

import pytest

from arena.logged import counted, logged, table_of
from evalsmith.arena.results.entry import Failed, GameEntry, GameKey
from evalsmith.arena.results.match_result import MatchResult, match_result
from evalsmith.arena.results.tournament_result import TournamentResult
from evalsmith.games import find_game
from evalsmith.processes.failure import TIME, Failure
from evalsmith.report.matches import match_sections, match_verdict
from evalsmith.report.page import Page

CHESS = find_game("chess")
NAMES = ("stockfish", "gps")


def late(side: int, seconds: float) -> dict[str, Any]:
    failure = {"side": side, "reason": "time", "detail": f"{seconds:.3f} s late", "ply": 9, "late": seconds}
    return {"reason": "time", "failed": [failure]}


def games(outcomes: list[tuple[int, int]], failed_from: int | None = None) -> dict[GameKey, GameEntry]:
    """Pairs by the first player's results; from a pair on, what gps lost it lost on time."""
    found = {}
    for pair, values in enumerate(outcomes):
        for half, value in enumerate(values):
            key = GameKey(0, *NAMES, pair, half)
            broken = failed_from is not None and pair >= failed_from and value > 0
            more = late(1 - half, 0.1 + 0.04 * half) if broken else {}
            found[key] = logged(key, value if half == 0 else -value, **more)
    return found


def result(*arguments: Any) -> MatchResult:
    return match_result(CHESS, counted(NAMES, games(*arguments)))


def test_an_engine_that_always_failed_is_the_headline() -> None:
    found = result([(1, 1)] * 10, 0)
    assert found.verdict().startswith("gps failed in 20 of 20 games: time, 0.12 s late on average.")
    assert "nothing is known of strength" in found.verdict() and "stronger than" not in found.verdict()
    assert not found.proven and found.judged.outcome == "not proven"
    assert not any("Elo" in line for line in found.sentences())  # no figure for what no move decided
    page = Page("match")
    match_verdict(page, found)
    match_sections(page, found)
    assert "gps failed in 20 of 20 games" in page.render() and "not-proven" in page.render()
    assert "likelihood of superiority" not in page.render()


def test_how_late_is_in_the_table() -> None:
    text = str(result([(1, 1)] * 10, 0)).splitlines()
    assert text[0].split()[-1] == "late"
    assert text[3].startswith("gps") and text[3].endswith("0.12 s")
    assert result([(1, 1)] * 10, 0).to_json()["players"][1]["late_avg"] == pytest.approx(0.12)


def test_a_verdict_that_rests_on_failures_says_so_first() -> None:
    found = result([(1, -1)] * 10 + [(1, 1)] * 10, 10)
    assert found.summary.proven and not found.proven
    assert found.verdict().startswith("gps failed in 20 of 40 games: time, 0.12 s late on average. Without ")
    assert "cannot be told apart: +0" in found.verdict()
    assert any(line.startswith("Elo with failures counted as losses +") for line in found.sentences())


def test_a_verdict_that_stands_without_the_failures_stays() -> None:
    found = result([(1, 1)] * 10 + [(1, -1)] * 3 + [(1, 1)], 13)
    assert found.proven
    assert found.verdict().startswith("stockfish is stronger than gps by ")
    assert found.verdict().endswith("gps failed in 2 of 28 games: time, 0.12 s late on average.")


def test_a_tournament_names_who_always_failed_and_gives_the_verdict_of_the_match() -> None:
    played = games([(1, 1)] * 10, 0)
    table = table_of(NAMES, played)
    found = TournamentResult(CHESS, "round-robin", table, counted(NAMES, played))
    assert found.verdict().startswith("gps failed in 20 of 20 games: time, 0.12 s late on average. stockfish is first")
    [one] = table.comparisons
    assert one.verdict == result([(1, 1)] * 10, 0).judged and not one.distinct
    [line] = [line for line in str(found).splitlines() if "decided by failures" in line]
    assert "%" not in line


def test_a_failure_says_how_late_it_was_and_the_log_keeps_it() -> None:
    failed = Failed.of(1, Failure(TIME, "0.123 s late, 0.1 s allowed", 0.12345), 7)
    assert failed.late == 0.1235
    key = GameKey(0, *NAMES, 0, 0)
    entry = logged(key, 1, reason="time", failed=[failed.to_json()])
    assert entry.failed == (failed,) and GameEntry.from_json(entry.to_json()) == entry
    assert "late" not in Failed.of(0, Failure("crash", "exit code 1"), 3).to_json()
