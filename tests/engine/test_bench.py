"""The node counts of fixed searches: whoever changes them must mean it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalsmith.engine.bench import MCTS, BenchLine, BenchResult, run_bench

EXPECTED = json.loads((Path(__file__).parent / "bench.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found() -> BenchResult:
    return run_bench()


def counted(games: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    return {name: {method: n for method, n in counts.items() if method != MCTS} for name, counts in games.items()}


def test_the_search_visits_as_many_nodes_as_it_did(found: BenchResult) -> None:
    meant = "if the change of behaviour is meant, renew tests/engine/bench.json with `make bench-nodes` and commit it"
    assert counted(found.games) == counted(EXPECTED["games"]), meant
    assert found.nodes == EXPECTED["nodes"], meant


def test_every_game_is_there_by_both_methods(found: BenchResult) -> None:
    assert set(found.games) == {"chess", "drmario", "dvonn", "othello", "shogi"}
    assert all({"alphabeta", "mcts"} <= set(counts) for counts in found.games.values())
    assert "solve" in found.games["othello"]


def test_the_total_leaves_tree_search_out() -> None:
    lines = (BenchLine("a", "alphabeta", 10, 2.0), BenchLine("a", "mcts", 5, 1.0), BenchLine("b", "solve", 7, 3.0))
    result = BenchResult(lines)
    assert (result.nodes, result.seconds) == (17, 5.0)
    assert result.games == {"a": {"alphabeta": 10, "mcts": 5}, "b": {"solve": 7}}
    assert lines[0].nodes_per_second == 5.0
