"""``evalsmith improve`` from the command line."""

import json

SMALL = [
    "--nodes",
    30,
    "--trial-games",
    4,
    "--gate-games",
    40,
    "--start-games",
    6,
    "--match-nodes",
    30,
    "--no-progress",
]


def test_a_gain_is_printed_stored_and_shown(run, tmp_path):
    words = ("improve", "connect_four", "-o", "r", "--from", "zero", "--games", 100, "--generations", 1, *SMALL)
    code, out, err = run(*words, "--json")
    found = json.loads(out)
    assert (code, found["improved"], len(found["generations"])) == (0, True, 1)
    assert found["elo"] > 0 and found["error"] > 0 and found["generations"][0]["kept"] is True
    assert "generation 1: +" in err and "kept" in err
    code, out, _ = run("weights", "show", "r/weights.json", "--top", 1)
    assert code == 0 and "evalsmith improve connect_four -o RUN --generations 1 --from zero" in out
    assert "rules version" in out and "Elo in 6 games" in out
    code, out, _ = run("report", "r")
    assert code == 0 and (tmp_path / "r" / "report.html").exists()


def test_no_gain_is_exit_code_one(run, tmp_path):
    code, out, _ = run("improve", "connect_four", "-o", "r", "--games", 20, "--generations", 1, *SMALL)
    assert code == 1 and "Nothing better than the hand-set weights was found." in out
    assert not (tmp_path / "r" / "weights.json").exists()


def test_bad_input_is_one_line(run):
    code, out, err = run("improve", "connect_four", "-o", "r", "--from", "missing.json")
    assert (code, out) == (2, "") and err.startswith("evalsmith: there is no weights file missing.json")
    code, _, err = run("improve", "connect_four", "-o", "r", "--result-share", "2")
    assert code == 2 and err.count("\n") == 1 and "result_share" in err
