"""--level and --seeds: the same start in every verb that chooses one."""

import json
from pathlib import Path

LEVEL_5 = "seed:1000 level:5"


def test_verbs_begin_where_they_are_told(run):
    for verb in (("show",), ("search", "-n", 50), ("explain",), ("perft", "-d", 1)):
        code, named, _ = run(verb[0], "drmario", *verb[1:], "--level", 5, "--seeds", 1000, "--json")
        _, written, _ = run(verb[0], "drmario", *verb[1:], "--position", LEVEL_5, "--json")
        one, other = json.loads(named), json.loads(written)
        one.pop("seconds", None), other.pop("seconds", None)
        assert code == 0 and one == other
    assert "viruses:24" in json.loads(run("show", "drmario", "--level", 5, "--json")[1])["position"]


def test_play_begins_there(run):
    code, _, err = run(
        "play", "drmario", "--watch", "random", "--level", 0, "--seeds", 1000, "--delay", 0, "--save", "one.json"
    )
    assert (code, err) == (0, "")
    assert "seed:1000 level:0" in Path("one.json").read_text()


def test_what_cannot_be_is_refused(run):
    for words, part in (
        (("search", "chess", "--level", 3), "Chess has neither levels nor seeds, so --level cannot choose its start"),
        (("show", "drmario", "--level", 3, "--position", LEVEL_5), "--position names a start already"),
        (("show", "drmario", "--seeds", "1000-1005"), "3 starts are named, and one is needed here"),
        (("match", "othello", "--player", "self", "--player", "random", "--seeds", 1), "Othello has neither levels"),
        (("data", "generate", "dvonn", "-o", "d", "--level", 1), "DVONN has neither levels nor seeds"),
    ):
        code, _, err = run(*words)
        assert code == 2 and part in err


def test_a_match_says_what_was_played(run):
    code, out, _ = run(
        "match", "drmario", "--player", "hand-set", "--player", "random", "--games", 4, "--level", "0,1", "--seeds",
        "1000-100f", "--nodes", 2, "-o", "m",
    )  # fmt: skip
    assert code == 0
    assert "Each game is one board that both players played alone" in out
    assert "level 0" in out and "level 1" in out and "viruses left (mean)" in out and "over 4 games" in out
    starts = [json.loads(line)["start"] for line in Path("m/games.jsonl").read_text().splitlines()]
    assert sorted(starts) == [f"seed:{seed} level:{level}" for seed in (1000, 1002) for level in (0, 1)]
    code, out, _ = run("report", "m")
    page = Path("m/report.html").read_text(encoding="utf-8")
    assert "level 0" in page and "where cleared" in page and "The board of hand-set: " in page
    assert "1–0" not in page and "either side" not in page


def test_generated_games_have_starts_of_their_own(run):
    code, _, _ = run("data", "generate", "drmario", "-o", "d", "--games", 6, "--nodes", 1, "--level", 0, "--text",
                     "--random-plies", 0, "--noise", 0, "--seeds", "1000-1005")  # fmt: skip
    assert code == 0
    import pyarrow.parquet as parquet

    table = parquet.read_table("d/part-00000.parquet").to_pylist()
    first = {row["game"]: row["text"].split()[0] for row in reversed(table) if row["ply"] == 0}
    assert len(first) == 6 and len(set(first.values())) == 3  # three boards, each played twice
    assert all(first[number] == first[number + 3] for number in range(3))
