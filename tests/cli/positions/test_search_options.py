"""``evalsmith search`` with its switches: techniques, replacement, threads, memory, method."""

import json
import re
import sys

import pytest

MIDDLE = "r1bqk2r/pp1nbppp/2p1pn2/3p4/2PP4/2N1PN2/PPQ2PPP/R1B1KB1R w KQkq - 2 7"


@pytest.fixture
def search(monkeypatch, finish):
    """Search chess; the exit code, standard output and standard error."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["evalsmith", "search", "chess", "--position", MIDDLE, *map(str, words)])
        return finish()

    return call


def nodes(search, *words):
    """The nodes of a search to depth 5."""
    code, out, err = search("--depth", 5, *words, "--json")
    assert code == 0, err
    return json.loads(out)["nodes"]


def test_switches_change_the_search_and_the_same_switches_repeat_it(search):
    full = nodes(search)
    assert full == nodes(search)
    for name in ("lmr", "null", "futility", "table", "order"):
        assert nodes(search, "--without", name) != full
    assert nodes(search, "--without", "lmr", "--without", "null") not in (full, nodes(search, "--without", "lmr"))


def test_what_a_search_needs_is_enough(search):
    least = int(search("--nodes", 1, "--memory", 1000)[2].split("needs ")[1].split()[0].replace(",", ""))
    for more in (0, 1 << 12, 1 << 16, 1 << 20):
        assert search("--nodes", 1, "--memory", least + more)[0] == 0
    assert search("--nodes", 1, "--memory", least - 1)[0] == 2


def test_replacement_is_a_switch(search):
    least = int(search("--nodes", 1, "--memory", 1000)[2].split("needs ")[1].split()[0].replace(",", ""))
    small = ("--memory", least + 4096)
    assert len({nodes(search, *small, "--replacement", name) for name in ("relevance", "depth", "always")}) > 1


def test_threads_say_that_they_do_not_repeat(search):
    code, out, err = search("--nodes", 5000, "--threads", 2, "--json")
    # Each thread has its half; the second ends with the first.
    assert code == 0 and 2500 <= json.loads(out)["nodes"] < 10_000
    assert "not reproducible" in err
    assert "reproducible" not in search("--nodes", 500, "--json")[2]


@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
def test_memory_says_what_it_chose(search, method):
    code, out, err = search("--nodes", 500, "--memory", 64_000_000, "--method", method, "--json")
    assert code == 0 and json.loads(out)["bestmove"]
    told = int(err.split("memory: ")[1].split()[0].replace(",", ""))
    assert 63_000_000 < told <= 64_000_000


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--without", "luck"], "unknown technique 'luck'; expected one of pvs"),
        (["--replacement", "never"], "relevance, depth or always"),
        (["--method", "luck"], "alphabeta or mcts"),
        (["--memory", "1000"], "bytes"),
        (["--memory", "1000", "--method", "mcts"], "bytes"),
        (["--threads", "257"], "256"),
        (["--threads", "257", "--method", "mcts"], "256"),
        (["--movetime", "nan"], "movetime"),
        (["--method", "mcts", "--without", "lmr"], "belong to alphabeta"),
        (["--method", "mcts", "--replacement", "depth"], "belong to alphabeta"),
    ],
)
def test_wrong_switches_are_refused_in_one_line(search, words, reason):
    code, out, err = search(*words)
    assert code == 2 and out == ""
    assert reason in err and err.count("\n") == 1


def test_memory_that_no_machine_has_is_a_usage_error(search):
    code, out, err = search("--memory", 10**25)
    assert code == 2 and out == "" and "memory" in err and "Traceback" not in err


def test_memory_that_this_machine_has_not_is_one_line(search, monkeypatch):
    def refuse(*_, **__):
        raise MemoryError("Unable to allocate 1 TiB")

    monkeypatch.setattr("evalsmith.engine.analysis.Searcher", refuse)
    code, out, err = search("--nodes", 10)
    assert code == 2 and out == ""
    assert "not enough memory: Unable to allocate 1 TiB" in err and err.count("\n") == 1


def test_a_tree_search_tells_the_visits_and_the_prior_of_each_line(run):
    words = ("search", "othello", "--position", "f5d6c3", "--nodes", 400, "--multipv", 3)
    lines = json.loads(run(*words, "--method", "mcts", "--json")[1])["lines"]
    assert len(lines) == 3 and all(line["visits"] > 0 and 0 < line["prior"] < 1 for line in lines)
    assert sum(line["visits"] for line in lines) <= 400 and sum(line["prior"] for line in lines) <= 1.001
    assert [line["visits"] for line in lines] == sorted((line["visits"] for line in lines), reverse=True)
    assert re.search(r"move +score \(discs\) +visits +prior +depth", run(*words, "--method", "mcts")[1])
    assert "visits" not in json.loads(run(*words, "--json")[1])["lines"][0]


def test_scores_are_in_the_unit_of_players_and_hundredths_in_json(run):
    fool = ("search", "chess", "--position", "f3 e5 g4", "--depth", 2)
    assert "mate in 1" in run(*fool)[1] and json.loads(run(*fool, "--json")[1])["lines"][0]["score"] == 29_999
    words = ("search", "othello", "--position", "f5d6c3", "--depth", 4)
    score = json.loads(run(*words, "--json")[1])["lines"][0]["score"]
    assert re.search(rf"^\w\w +{re.escape(f'{score / 100:+.2f}'.removesuffix('.00'))} ", run(*words)[1], re.M)
