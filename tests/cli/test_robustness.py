"""What went wrong for a hostile user once, and must not again."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest


@pytest.fixture
def run(run):
    """As elsewhere, with standard error by lines."""

    def call(*words):
        code, out, err = run(*words)
        return code, out, err.splitlines()

    return call


@pytest.fixture
def positions(run):
    assert run("data", "generate", "connect_four", "-o", "d", "--games", 40, "--nodes", 20)[0] == 0
    return "d"


def one_line(answer, wanted=""):
    code, _, err = answer
    assert code == 2 and len(err) == 1 and err[0].startswith("evalsmith: ") and wanted in err[0], answer


def test_changed_positions_are_never_taken_for_the_old_ones(run, positions, tmp_path):
    assert run("tune", positions, "-o", "w.json")[0] == 0
    assert run("data", "generate", "connect_four", "-o", "d", "--games", 60, "--nodes", 20)[0] == 0
    one_line(run("tune", positions, "-o", "w.json"), "content")


def test_two_games_prove_nothing(run):
    for seed in range(1, 6):
        words = ("match", "connect_four", "--player", "random;name=a", "--player", "random;name=b")
        code, out, _ = run(*words, "--games", 4, "--seed", seed)
        assert code == 0 and "cannot be told apart" in out


def test_a_command_that_failed_does_not_block_the_corrected_one(run, positions, tmp_path):
    (tmp_path / "garbage.wtb").write_bytes(b"\1" * 100)
    assert run("tune", "garbage.wtb", "-o", "w.json")[0] == 2
    assert run("tune", positions, "-o", "w.json")[0] == 0


def test_positions_that_cannot_be_are_refused_before_a_kernel_sees_them(run, positions, tmp_path):
    [part] = sorted((tmp_path / "d").glob("part-*"))
    table = pq.read_table(part)
    wrong = np.full(len(table), 0xFFFFFFFFFFFFFFFF, dtype=np.uint64)
    pq.write_table(table.set_column(0, "w0", [wrong]), part)
    one_line(run("tune", positions, "-o", "w.json"), "row 0 is not a position")


def test_a_part_that_others_wrote_is_taken_when_its_positions_are_sound(run, positions, tmp_path):
    [part] = sorted((tmp_path / "d").glob("part-*"))
    pq.write_table(pq.read_table(part).replace_schema_metadata({}), part)
    assert run("tune", positions, "-o", "w.json")[0] == 0


def test_a_symbolic_link_is_followed(run, tmp_path):
    (tmp_path / "real.svg").write_text("old")
    (tmp_path / "link.svg").symlink_to("real.svg")
    assert run("show", "connect_four", "--svg", "link.svg")[0] == 0
    assert (tmp_path / "link.svg").is_symlink() and "<svg" in (tmp_path / "real.svg").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["search", "othello", "--movetime", "1e12", "--depth", "2"],
        ["tune", "d", "-o", ""],
        ["tune", "d", "-o", "."],
        ["tune", "x" * 300, "-o", "w.json"],
        ["show", "othello", "--svg", "x" * 300],
        ["match", "connect_four", "--player", "self;movetime=1e12", "--player", "random"],
    ],
)
def test_odd_options_are_one_line(run, positions, words):
    one_line(run(*words))


def test_nonsense_in_the_log_of_a_match_is_passed_over(run, tmp_path):
    words = ("match", "connect_four", "--player", "self", "--player", "random", "--games", 4, "--nodes", 20, "-o", "m")
    first = run(*words, "--json")
    with open(tmp_path / "m" / "games.jsonl", "a") as log:
        log.write('5\n{}\n{"pair": 99, "half": 7, "result": 1}\n[]\n"x"\n')
    assert run(*words, "--json")[1] == first[1]
    assert run("report", "m")[0] == 0


def test_a_page_needs_the_log_and_not_the_result(run, tmp_path):
    words = ("match", "connect_four", "--player", "self", "--player", "random", "--games", 2, "--nodes", 20, "-o", "m")
    assert run(*words)[0] == 0
    assert run("report", "m")[0] == 0
    page = (tmp_path / "m" / "report.html").read_text()
    for text in ("[]", "{}", "5", "{", '{"elo": "much"}', '{"overload": 5}'):
        (tmp_path / "m" / "result.json").write_text(text)
        assert run("report", "m")[0] == 0
        assert (tmp_path / "m" / "report.html").read_text() == page


@pytest.mark.parametrize("config", ["names = 5", 'names = ["a"]', 'names = ["a", "b"]\ngames = "x"'])
def test_damaged_configurations_are_one_line(run, tmp_path, config):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "config.toml").write_text(f'kind = "match"\ngame = "connect_four"\n{config}\n')
    one_line(run("report", "m"))
    one_line(run("stats", "m"))


def test_damaged_columns_are_fitted_again(run, tmp_path):
    assert run("data", "generate", "othello", "-o", "d", "--games", 30, "--nodes", 10)[0] == 0
    code = run("tune", "d", "-o", "w.json")[0]
    assert code in (0, 1)  # a fit of so few games may be worse than its start
    whole = json.loads((tmp_path / "w.json").read_text())["weights"]
    columns = sorted((tmp_path / "w.run" / "columns").glob("*.npy"))
    columns[0].write_bytes(columns[0].read_bytes()[:100])
    columns[1].write_bytes(b"")
    with open(tmp_path / "w.run" / "events.jsonl", "a") as log:
        log.write('{"event": "column"}\n{"event": "column", "column": 999}\n')
    assert run("tune", "d", "-o", "w.json")[0] == code
    assert json.loads((tmp_path / "w.json").read_text())["weights"] == whole


def test_a_title_with_markup_is_only_a_title(run, positions, tmp_path):
    assert run("tune", positions, "-o", "w.json")[0] == 0
    document = json.loads((tmp_path / "w.json").read_text())
    (tmp_path / "w.json").write_text(json.dumps(document | {"name": "[/red] x"}))
    code, out, _ = run("weights", "show", "w.json")
    assert code == 0 and "[/red] x" in out
