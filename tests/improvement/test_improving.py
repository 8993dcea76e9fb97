"""Complete runs: generations that are kept and not kept, resumed, killed, changed by hand, on a page."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evalsmith as es
from evalsmith.improvement.record import RECORD, MatchFacts, read_record
from evalsmith.improvement.result import read_improvement, stop_reason
from evalsmith.improvement.settings import LengthSettings
from evalsmith.run import InputError, MismatchError
from evalsmith.run.progress import Silent
from evalsmith.weights import load_weights, read_weights_file, save_weights, starting_weights

SMALL: dict[str, Any] = {
    "start": "zero", "games": 240, "nodes": 40, "result_share": (0.0, 0.5), "trial_games": 10, "gate_games": 60,
    "start_games": 20, "match_nodes": 60, "generations": 2, "patience": 2, "seed": 3, "games_growth": 1.5,
}  # fmt: skip


def improved(output: Path, **settings: Any) -> es.ImproveResult:
    return es.improve("connect_four", output, **(SMALL | settings))


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> es.ImproveResult:
    return improved(tmp_path_factory.mktemp("improve") / "run")


@pytest.fixture
def copy(unbroken: es.ImproveResult, tmp_path: Path) -> Path:
    assert unbroken.run is not None
    return Path(shutil.copytree(unbroken.run, tmp_path / "run"))


def test_a_run_from_zero_finds_something_better(unbroken: es.ImproveResult) -> None:
    first = unbroken.generations[0]
    assert first.kept and first.gate.elo > 0 and first.fit.result_share == 1
    assert first.start is not None and unbroken.improved and unbroken.weights.values.any()
    assert unbroken.elo == unbroken.kept[-1].start.elo and unbroken.error > 0  # type: ignore[union-attr]


def test_later_generations_play_more_and_search_longer_and_choose_among_candidates(unbroken: es.ImproveResult) -> None:
    second = unbroken.generations[1]
    assert (second.games, second.nodes, len(second.candidates)) == (360, 52, 2)
    scores = [tried.trial.score for tried in second.candidates if tried.trial is not None]
    assert len(scores) == 2 and scores[second.chosen - 1] == max(scores)


def test_the_files_say_the_same(unbroken: es.ImproveResult) -> None:
    assert unbroken.run is not None
    stored = json.loads((unbroken.run / "result.json").read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(unbroken.to_json()))
    assert {"generations", "elo", "error"} <= stored.keys()
    assert all({"elo", "error", "kept"} <= one.keys() for one in stored["generations"])
    weights = read_weights_file(unbroken.run / "weights.json")
    assert weights.digest == unbroken.weights.digest
    assert {"command", "data", "loss", "match", "rules_version"} <= weights.provenance.keys()
    assert "--from zero" in weights.provenance["command"] and "Elo in 20 games" in weights.provenance["match"]
    assert read_improvement(unbroken.run).to_json() == unbroken.to_json()


def test_a_finished_run_is_read_and_not_played_again(unbroken: es.ImproveResult, copy: Path) -> None:
    shown: list[str] = []
    again = improved(copy, progress=watcher(shown))
    assert again.to_json() == unbroken.to_json() and not shown


def test_a_longer_run_goes_on_where_a_shorter_one_ended(unbroken: es.ImproveResult, tmp_path: Path) -> None:
    shorter = improved(tmp_path / "run", generations=1)
    assert shorter.stopped == "1 generation done" and len(shorter.generations) == 1
    assert improved(tmp_path / "run").to_json() == unbroken.to_json()


def test_progress_names_the_generation_the_stage_and_the_elo_so_far(copy: Path) -> None:
    shutil.rmtree(copy / "generation-2")
    shown: list[str] = []
    improved(copy, progress=watcher(shown))
    assert shown[0].startswith("generation 2 (best so far +") and shown[0].endswith(" Elo): self-play")
    assert [title.split(": ")[1] for title in shown].count("match against the best") == 1


def watcher(shown: list[str]) -> Callable[[str, int | None, str], Any]:
    class Shown(Silent):
        def __enter__(self) -> Shown:
            return self

        def __exit__(self, *given: object) -> None:
            pass

    def watch(title: str, total: int | None, unit: str) -> Shown:
        shown.append(title)
        return Shown()

    return watch


# ── Killed ──

CODE = f"import sys, evalsmith as es\nes.improve('connect_four', sys.argv[1], **{SMALL!r})"
STAGES = [
    "generation-1/games/dataset.json",
    "generation-1/fit-1.run/config.toml",
    "generation-1/gate/games.jsonl",
    "generation-1/start/games.jsonl",
    "generation-2/trial-2/games.jsonl",
    "generation-2/gate/games.jsonl",
]


def test_a_run_that_is_killed_at_every_stage_ends_as_if_it_had_not_been(
    unbroken: es.ImproveResult, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    for stage in STAGES:
        process = subprocess.Popen([sys.executable, "-c", CODE, str(run)])
        while process.poll() is None and not (run / stage).exists():
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert (run / stage).exists()
    again = improved(run)
    assert again.to_json() == unbroken.to_json()
    assert again.run is not None and unbroken.run is not None
    assert (again.run / "weights.json").read_bytes() == (unbroken.run / "weights.json").read_bytes()


def test_a_run_that_was_killed_resumes_in_another_folder(unbroken: es.ImproveResult, copy: Path) -> None:
    (copy / "generation-2" / RECORD).unlink()
    assert improved(copy).to_json() == unbroken.to_json()


def test_a_finished_fit_is_read_and_not_made_again(unbroken: es.ImproveResult, copy: Path) -> None:
    (copy / "generation-2" / RECORD).unlink()
    shown: list[str] = []
    assert improved(copy, progress=watcher(shown)).to_json() == unbroken.to_json()
    assert not [title for title in shown if "fit" in title]


def test_a_fit_that_was_changed_before_its_generation_was_finished_is_made_again(
    unbroken: es.ImproveResult, copy: Path
) -> None:
    (copy / "generation-2" / RECORD).unlink()
    shutil.copy(copy / "start.json", copy / "generation-2" / "fit-1.json")
    shown: list[str] = []
    assert improved(copy, progress=watcher(shown)).to_json() == unbroken.to_json()
    assert len([title for title in shown if "fit" in title]) == 1


# ── Bad input ──


def test_a_file_changed_by_hand_is_named_and_nothing_is_lost(copy: Path) -> None:
    before = sorted(copy.rglob("*"))
    path = copy / "generation-1" / "fit-1.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("0", "1", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"generation-1/fit-1\.json was changed after its generation was finished"):
        improved(copy)
    path.unlink()
    with pytest.raises(InputError, match=r"generation-1/fit-1\.json is missing after its generation was finished"):
        improved(copy)
    path.write_text(text, encoding="utf-8")
    assert sorted(copy.rglob("*")) == before
    improved(copy)


def test_a_log_changed_by_hand_is_named(copy: Path) -> None:
    log = copy / "generation-2" / "gate" / "games.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[2:]))
    with pytest.raises(InputError, match=r"generation-2/gate/games\.jsonl was changed"):
        improved(copy)


def test_games_that_are_missing_are_named_with_what_to_do(copy: Path) -> None:
    shutil.rmtree(copy / "generation-1" / "games")
    with pytest.raises(InputError, match=r"there is no dataset .*generation-1/games; restore it, or delete "):
        improved(copy)


def test_a_damaged_record_is_named(copy: Path) -> None:
    (copy / "generation-1" / RECORD).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"generation-1/generation\.json is not the record of a generation"):
        improved(copy)


def test_other_settings_are_refused(copy: Path) -> None:
    with pytest.raises(MismatchError, match="games was 240, is now 241"):
        improved(copy, games=241)


def test_weights_of_another_game_or_layout_are_refused_as_a_start(tmp_path: Path) -> None:
    path = tmp_path / "start.json"
    save_weights(starting_weights(es.find_game("dvonn")), path)
    with pytest.raises(MismatchError, match="holds weights of dvonn, not of connect_four"):
        improved(tmp_path / "run", start=str(path))
    save_weights(starting_weights(es.find_game("connect_four")), path)
    path.write_text(path.read_text(encoding="utf-8").replace('"threat"', '"menace"'), encoding="utf-8")
    with pytest.raises(MismatchError, match="does not fit connect_four"):
        improved(tmp_path / "run", start=str(path))
    with pytest.raises(InputError, match=r"there is no weights file nothing\.json"):
        improved(tmp_path / "run", start="nothing.json")
    assert not (tmp_path / "run").exists()


# ── Results ──


def test_nothing_better_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    found = improved(tmp_path, start="hand-set", games=20, nodes=5, gate_games=20, generations=3, patience=1)
    assert not found.improved and found.elo == found.error == 0
    assert "Nothing better than the hand-set weights was found." in str(found)
    assert "Stopped: generation 1 gained nothing that a match proves." in str(found)
    assert not (tmp_path / "weights.json").exists()
    assert found.weights.digest == load_weights("hand-set", "connect_four").digest


def test_the_page_shows_the_elo_curve_the_losses_and_the_weights_that_moved(unbroken: es.ImproveResult) -> None:
    page = unbroken.report().read_text(encoding="utf-8")
    for words in ("Elo against the start", "Loss on held-out games", "Weights that moved", "trial (Elo)"):
        assert words in page
    assert page.count("<svg") >= 2


def test_a_run_ends_after_its_hours_or_without_gain(unbroken: es.ImproveResult) -> None:
    assert unbroken.run is not None
    one = read_record(unbroken.run / "generation-1")
    assert one is not None and one.kept
    assert stop_reason([one], LengthSettings(hours=100)) is None
    assert stop_reason([one], LengthSettings(hours=one.seconds / 7200)) == "0.0 hours are over"
    assert stop_reason([], LengthSettings(generations=1)) is None


def test_a_match_is_a_few_numbers() -> None:
    facts = MatchFacts(400, 1000, 0.75, 190.8, 150.2, 230.6)
    assert facts.sentence() == "75.0 %, +191 (+150 … +231) Elo in 400 games at 1,000 nodes per move"


@pytest.mark.parametrize("name", ["othello", "chess", "shogi", "dvonn", "drmario"])
def test_every_game_can_be_improved(name: str, tmp_path: Path) -> None:
    small: dict[str, Any] = {"games": 12, "nodes": 4, "trial_games": 2, "gate_games": 20, "start_games": 2}
    found = es.improve(name, tmp_path, generations=1, match_nodes=4, penalty=(1000.0,), result_share=(0.5,), **small)
    assert len(found.generations) == 1 and found.generations[0].positions > 12
