"""``evalsmith match``: limits, openings, tests, plans, and what is said of them."""

import json

import pytest

WORDS = ("match", "connect_four", "--player", "self", "--player", "random", "--games", 4)


@pytest.mark.parametrize(
    "limit",
    [("--tc", "1+0.01"), ("--tc", "5/1+0"), ("--budget", 1), ("--movetime", 0.01), ("--byoyomi", 0.01), ("--depth", 2)],
)
def test_every_limit(run, tmp_path, limit):
    code, out, err = run(*WORDS[:-1], 2, *limit, "--json", "-o", "m")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["games"] == 2
    assert {"players", "pentanomial", "elo", "elo_error", "nelo", "los", "p_value", "sprt"} <= found.keys()
    keys = {"name", "points", "won", "tied", "lost", "fail", "time_avg", "time_max"}
    assert all(keys <= player.keys() for player in found["players"])


def test_the_default_limit_is_a_clock(run, tmp_path):
    assert (
        run("match", "connect_four", "--player", "random;name=a", "--player", "random;name=b", "--games", 2, "-o", "m")[
            0
        ]
        == 0
    )
    text = (tmp_path / "m" / "config.toml").read_text()
    assert 'tc = "2+0.02"' in text


def test_a_book_and_early_ends(run, tmp_path):
    (tmp_path / "book.txt").write_text("44\n35\n")
    words = (*WORDS, "--nodes", 20, "--book", "book.txt", "--order", "sequential", "--max-plies", 4, "-o", "m")
    code, out, _ = run(*words, "--json")
    assert code == 0 and json.loads(out)["reasons"] == {"adjudication: length": 4}
    games = [json.loads(line) for line in (tmp_path / "m" / "games.jsonl").read_text().splitlines()]
    assert {game["start"] for game in games} == {"44", "35"}
    assert run("report", "m")[0] == 0
    (tmp_path / "book.txt").write_text("44\n36\n")
    assert "openings.book_digest was" in run(*words)[2]
    assert "a book (book.txt) or random plies (3), not both" in run(*words, "--random-plies", 3)[2]


def test_a_sequential_test_afterwards(run):
    assert run(*WORDS[:-1], 40, "--nodes", 40, "-o", "m")[0] == 0
    code, out, _ = run("stats", "m", "--sprt", "0,100", "--json")
    pairs = json.loads(out)
    assert code == 0 and pairs["state"] == "accepted H1" and pairs["elo"] > 300
    games = json.loads(run("stats", "m", "--sprt", "0,100", "--trinomial", "--json")[1])
    logistic = json.loads(run("stats", "m", "--sprt", "0,100", "--model", "logistic", "--json")[1])
    assert len({one["llr"] for one in (pairs, games, logistic)}) == 3
    back = json.loads(run("stats", "m", "--player", "random", "--player", "self", "--json")[1])
    assert back["elo"] == pytest.approx(-pairs["elo"])
    assert "Elo of random over self" in run("stats", "m", "--player", "random", "--player", "self")[1]


@pytest.mark.parametrize("words", [("--model", "logistic"), ("--trinomial",)])
def test_other_sequential_tests(run, words):
    code, out, _ = run(*WORDS[:-1], 400, "--nodes", 40, "--sprt", "0,100", *words, "--json", "-o", "m")
    assert code == 0 and json.loads(out)["sprt"]["state"] == "accepted H1"


def test_a_plan(run):
    code, out, err = run("match", "connect_four", "--plan", "--elo", 5, "--concurrency", 2, "--json")
    plan = json.loads(out)
    assert (code, err) == (0, "") and plan["sprt_if_true"] == 25592 and plan["limit"] == "tc 2+0.02"
    assert "41,862" in run("match", "connect_four", "--plan")[1]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["--tc", "soon"], "time control"),
        (["--tc", "1+1", "--budget", 5], "exclude"),
        (["--draw", "10,8"], "--draw takes 3"),
        (["--resign", "x,y"], "--resign takes 2"),
        (["--book", "nosuch"], "there is no file"),
        (["--order", "best"], "order"),
        (["--model", "bayes"], "model must be normalized or logistic"),
        (["--sprt", "0,900"], "Elo must be from"),
        (["--solve-from", 10], "has no solver"),
        (["--plan", "--elo", 0], "elo must be"),
        (["--plan", "--depth", 4], "fixed depth"),
        (["--random-plies", 0], "distinct openings"),
        (["--players", "nosuch.toml"], "nosuch.toml"),
    ],
)
def test_bad_asks_are_one_line(run, words, wanted):
    code, out, err = run(*WORDS, *words)
    assert (code, out) == (2, "") and wanted in err and len(err.splitlines()) == 1


def test_stats_of_no_run(run, tmp_path):
    (tmp_path / "x").mkdir()
    for words, wanted in (
        (("x",), "not a run folder"),
        (("x", "--wdl", "1,2,3"), "exactly one"),
        (("--wdl", "1,2,3", "--player", "a"), "need RUN"),
        (("x", "--prior", "1"), "--crosstable"),
    ):
        code, _, err = run("stats", *words)
        assert code == 2 and wanted in err


def test_several_threads_and_a_number_of_nodes_are_warned_of(run):
    words = ("match", "connect_four", "--player", "self;threads=2;name=two", "--player", "random", "--games", 2)
    code, _, err = run(*words, "--nodes", 20, "-o", "m")
    assert code == 0 and "two: with several threads, a search with a node limit is not reproducible" in err
    assert "not reproducible" not in run(*words, "--depth", 2, "-o", "n")[2]


def test_weights_with_and_without_probcut_are_warned_of(run):
    words = ("match", "othello", "--player", "fitted", "--games", 2, "--nodes", 5)
    code, _, err = run(*words, "--player", "hand-set", "-o", "m")
    assert code == 0 and "only fitted searches with ProbCut" in err
    words = ("match", "othello", "--player", "fitted;without=probcut", "--games", 2, "--nodes", 5)
    assert "ProbCut" not in run(*words, "--player", "hand-set", "-o", "n")[2]
