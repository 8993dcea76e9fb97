"""Self-play, training, the gate and the loop: small nets, real games, kills, and the same result after them."""

from __future__ import annotations

import json
import math
import operator
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: EVALSMITH_NET=1 make setup")

import evalsmith as es  # noqa: E402
from evalsmith.engine.mcts.searcher import RootMove  # noqa: E402
from evalsmith.games import find_game  # noqa: E402
from evalsmith.net.checkpoint import file_digest  # noqa: E402
from evalsmith.net.examples import Batches, load_examples  # noqa: E402
from evalsmith.net.loop import net_loop  # noqa: E402
from evalsmith.net.loss import losses  # noqa: E402
from evalsmith.net.pilots import tell_durations  # noqa: E402
from evalsmith.net.results import curve_points  # noqa: E402
from evalsmith.net.selfplay import self_play  # noqa: E402
from evalsmith.net.settings import TrainSettings  # noqa: E402
from evalsmith.net.trainer import Trainer  # noqa: E402
from evalsmith.net.training import run_training, train_net  # noqa: E402
from evalsmith.positions.samples import UNKNOWN  # noqa: E402
from evalsmith.run import InputError, Interrupted, MismatchError  # noqa: E402
from evalsmith.run.watching import unwatched  # noqa: E402

SMALL = {"f": 4, "r": 1, "passes": 1, "batch": 32}


@pytest.fixture(scope="module")
def bottles(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "bottles"
    result = self_play(find_game("drmario"), path, games=6, together=3, level="1", first_simulations=30)
    return path, result


def test_round_0_into_a_dataset(bottles):
    path, result = bottles
    game = find_game("drmario")
    samples = es.load_dataset(path).read()
    assert (result.games, result.positions) == (6, len(samples))
    assert (samples.cleared >= 0).all()
    first = np.flatnonzero(np.diff(samples.game, prepend=-1))
    assert len(first) == 6
    for begin, end in zip(first, [*first[1:], len(samples)], strict=True):
        assert samples.duration[begin:end].tolist() == list(range(end - begin, 0, -1))
        left = [game.hook("remaining")(row) for row in samples.words[begin:end]]
        assert (np.diff(np.array(left) - samples.cleared[begin:end]) == 0).all(), "the same is left at the end"
    shares = np.where(samples.policy["move"] >= 0, samples.policy["share"], 0).sum(axis=1)
    assert np.allclose(shares, 1)
    for row, policy in zip(samples.words, samples.policy, strict=True):
        assert {int(m) for m in policy["move"] if m >= 0} <= set(game.moves(row))


def test_self_play_resumes_to_the_same_games(bottles, tmp_path):
    path, _ = bottles
    game, again = find_game("drmario"), tmp_path / "again"
    settings = {"games": 6, "together": 3, "level": "1", "first_simulations": 30}
    self_play(game, again, **settings)
    (again / "part-00000.parquet").unlink()
    head = json.loads((again / "dataset.json").read_text())
    (again / "dataset.json").write_text(json.dumps({**head, "complete": False}))
    self_play(game, again, **settings)
    first, second = es.load_dataset(path).read(), es.load_dataset(again).read()
    assert (first.words == second.words).all()
    assert (first.policy == second.policy).all()
    with pytest.raises(MismatchError, match="made with other settings"):
        self_play(game, again, **{**settings, "level": "2"})


def test_batches_are_images_of_examples(bottles):
    game = find_game("drmario")
    examples = load_examples(game, [bottles[0]])
    batches = Batches(examples)
    batch = batches.draw(64, seed=5)
    assert batch.planes.shape == (64, 18, 8, 16)
    assert np.allclose(batch.moves.sum(axis=1), 1, atol=1e-5)
    assert (batches.draw(64, seed=5).planes == batch.planes).all()
    rows = np.arange(24) % len(examples)
    plain, turned = batches.make(rows), batches.make(rows, np.arange(24))
    assert (plain.planes.sum(axis=(1, 2, 3)) == turned.planes.sum(axis=(1, 2, 3))).all()
    assert np.allclose(np.sort(plain.moves, axis=1), np.sort(turned.moves, axis=1))
    training, held = examples.split(0.5, seed=1)
    assert held is not None
    assert not set(training.number) & set(held.number), "games are not divided"


def test_training_lowers_the_loss(bottles, tmp_path):
    game = find_game("drmario")
    result = train_net(game, [bottles[0]], tmp_path / "a.safetensors", f=8, r=1, passes=30, batch=32, validation=0)
    start = train_net(game, [bottles[0]], tmp_path / "b.safetensors", f=8, r=1, passes=0.01, batch=32, validation=0)
    for part in ("cleared", "duration", "moves"):
        assert result.losses[part] < start.losses[part]
    page = result.report().read_text()
    assert "what to play" in page


def test_another_suffix_is_refused_before_training(bottles, tmp_path):
    with pytest.raises(InputError, match=r"with the suffix .safetensors, not .*x.txt"):
        train_net(find_game("drmario"), [bottles[0]], tmp_path / "x.txt")


def test_16_bit_training_lowers_the_loss(bottles, tmp_path):
    game, small = find_game("drmario"), {"f": 8, "r": 1, "batch": 32, "validation": 0, "bfloat16": True}
    result = train_net(game, [bottles[0]], tmp_path / "a.safetensors", passes=10, **small)
    start = train_net(game, [bottles[0]], tmp_path / "b.safetensors", passes=0.01, **small)
    assert result.losses["moves"] < start.losses["moves"]


def test_a_killed_training_comes_to_the_same_net(bottles, tmp_path, monkeypatch):
    game, settings = find_game("drmario"), TrainSettings.from_options({**SMALL, "passes": 4})
    whole = tmp_path / "whole.safetensors"
    run_training(game, [bottles[0]], whole, settings, None, unwatched)
    monkeypatch.setattr("evalsmith.net.trainer._SAVE_STEPS", 3)
    learn = Trainer.learn

    def killed(self, batch):
        if self.step == 8:
            raise MemoryError("killed")
        return learn(self, batch)

    monkeypatch.setattr(Trainer, "learn", killed)
    broken = tmp_path / "broken.safetensors"
    with pytest.raises(MemoryError):
        run_training(game, [bottles[0]], broken, settings, None, unwatched)
    monkeypatch.setattr(Trainer, "learn", learn)
    run_training(game, [bottles[0]], broken, settings, None, unwatched)
    assert file_digest(whole) == file_digest(broken)


def test_an_interrupt_within_a_step_waits_for_its_end(bottles, tmp_path, monkeypatch):
    game, settings = find_game("drmario"), TrainSettings.from_options({**SMALL, "passes": 4})
    whole = tmp_path / "whole.safetensors"
    run_training(game, [bottles[0]], whole, settings, None, unwatched)
    broken, calls = tmp_path / "broken.safetensors", []

    def interrupted(*parts):
        calls.append(len(calls))
        if len(calls) in (1, 5):
            signal.raise_signal(signal.SIGINT)  # the net has seen the batch, and has not learned from it
        return losses(*parts)

    monkeypatch.setattr("evalsmith.net.trainer.losses", interrupted)
    for step in (1, 5):
        with pytest.raises(Interrupted, match=rf"saved {step} of \d+ steps"):
            run_training(game, [bottles[0]], broken, settings, None, unwatched)
    monkeypatch.setattr("evalsmith.net.trainer.losses", losses)
    run_training(game, [bottles[0]], broken, settings, None, unwatched)
    assert file_digest(whole) == file_digest(broken)


@pytest.mark.parametrize(
    ("name", "settings"), [("drmario", {"level": "0"}), ("connect_four", {}), ("othello", {"random_plies": 50})]
)
def test_every_game_with_planes_trains(name, settings, tmp_path):
    game = find_game(name)
    how = {"rounds": 2, "games": 4, "together": 2, "simulations": 8, "gate_games": 2, **SMALL, **settings}
    how["yardstick_games"] = 2
    result = net_loop(game, tmp_path / "run", **how)
    assert [one["round"] for one in result.rounds] == [0, 1]
    assert result.rounds[1]["difference"] is not None
    assert result.net is not None and result.net.is_file()
    assert "Round by round" in result.report().read_text()
    again = net_loop(game, tmp_path / "run", **how)
    assert again.rounds == result.rounds, "what is done is not done again"
    player = f"net:{result.net};nodes=4"
    match = es.match(
        game,
        player,
        "random",
        games=2,
        nodes=4,
        output=tmp_path / "match",
        **({"level": "0"} if name == "drmario" else {}),
    )
    assert sum(score.fail for score in match.players) == 0


def test_a_loop_killed_anywhere_comes_to_the_same_nets(tmp_path):
    words = ["net", "loop", "connect_four", "--rounds", "2", "--games", "6", "--together", "2", "--simulations", "12"]
    words += [
        "--f",
        "4",
        "--r",
        "1",
        "--passes",
        "2",
        "--batch",
        "16",
        "--gate-games",
        "2",
        "--yardstick-games",
        "2",
        "--concurrency",
        "1",
    ]
    command = [str(Path(sys.executable).with_name("evalsmith")), *words, "-o"]
    subprocess.run([*command, str(tmp_path / "whole")], check=True, capture_output=True)
    for delay in (2.0, 3.0, 4.0):
        process = subprocess.Popen(
            [*command, str(tmp_path / "killed")], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run([*command, str(tmp_path / "killed")], check=True, capture_output=True)
    for number in ("000", "001"):
        place = Path("rounds") / number / "net.safetensors"
        assert file_digest(tmp_path / "whole" / place) == file_digest(tmp_path / "killed" / place)


def test_a_loop_from_a_net(tmp_path):
    game, how = find_game("connect_four"), {"games": 2, "together": 2, "simulations": 6, "gate_games": 2, **SMALL}
    how["yardstick_games"] = 0
    first = net_loop(game, tmp_path / "first", rounds=1, **how)
    assert first.rounds[0].get("difference") is None, "there is nothing yet to compare with"
    later = net_loop(game, tmp_path / "later", start=first.net, rounds=1, **how)
    assert later.rounds[0]["difference"] is not None
    with pytest.raises(MismatchError, match="made with other settings"):
        net_loop(game, tmp_path / "later", rounds=1, **how)


def test_every_round_meets_the_yardstick_on_the_same_starts(tmp_path):
    game = find_game("drmario")
    how = {"games": 4, "together": 2, "simulations": 6, "gate_games": 0, "yardstick_games": 3, "level": "0", **SMALL}
    first = net_loop(game, tmp_path / "first", rounds=2, **how)
    points = curve_points(first.start, first.rounds)
    assert [one.round for one in points] == [0, 1]
    assert all(one.games == 3 and one.cleared is not None for one in points)
    games = [
        (tmp_path / "first" / "rounds" / number / "yardstick" / "games.jsonl").read_text() for number in ("000", "001")
    ]
    greedy = [
        [entry for line in text.splitlines() for entry in json.loads(line)["games"] if entry["number"] % 2]
        for text in games
    ]
    key = operator.itemgetter("number")
    assert sorted(greedy[0], key=key) == sorted(greedy[1], key=key), "the yardstick has the same starts and chances"
    page = first.report().read_text()
    assert "Against greedy" in page and "Score against greedy" in page
    assert "3 paired starts, the same for all nets" in str(first)
    later = net_loop(game, tmp_path / "later", start=first.net, rounds=1, **how)
    assert later.start is not None
    assert [one.round for one in curve_points(later.start, later.rounds)] == [-1, 0]
    assert net_loop(game, tmp_path / "later", start=first.net, rounds=1, **how).start == later.start
    with pytest.raises(InputError, match="neither a net nor one of"):
        net_loop(game, tmp_path / "other", rounds=1, yardstick="nobody", **how)


def test_every_round_learns_from_other_datasets_too(bottles, tmp_path):
    game, how = find_game("drmario"), {"games": 2, "together": 2, "simulations": 4, "first_simulations": 8, **SMALL}
    how |= {"gate_games": 0, "yardstick_games": 0, "level": "0", "rounds": 1}
    alone = net_loop(game, tmp_path / "alone", **how)
    with_more = net_loop(game, tmp_path / "more", also=[bottles[0]], **how)
    learned = [
        json.loads((result.run / "events.jsonl").read_text().splitlines()[1])["positions"]
        for result in (alone, with_more)
    ]
    assert learned[1] > learned[0] + 20
    assert alone.rounds[0]["positions"] == with_more.rounds[0]["positions"]
    with pytest.raises(MismatchError, match="made with other settings"):
        net_loop(game, tmp_path / "more", **how)


def test_a_net_tells_how_long_games_go_on(bottles, tmp_path):
    said = (
        RootMove(5, 40, 0.5, 0.5, False),
        RootMove(6, 9, 0.5 + 0.5 * math.tanh(0.3), 0.2, False),
        RootMove(7, 3, -1.0, 0.2, False),
        RootMove(8, 2, 0.9, 0.1, False),
        RootMove(9, 30, 1.0, 0.1, True),
    )
    told = tell_durations(said, 30.0)
    assert [one.score for one in told][:2] == [-3000, -2700], "the pace of utility.pace, turned round"
    assert told[2].score is not None and told[2].score < -5000
    assert [one.score for one in told][3:] == [None, None], "too few visits, and a proven end"
    game = find_game("drmario")
    net = train_net(game, [bottles[0]], tmp_path / "x.safetensors", **SMALL).net
    self_play(game, tmp_path / "games", net=net, games=2, level="1", simulations=20)
    samples = es.load_dataset(tmp_path / "games").read()
    assert (samples.score != UNKNOWN).mean() > 0.3
    assert (samples.score[samples.score != UNKNOWN] <= 0).all()


def test_data_without_distributions_is_refused(tmp_path):
    es.generate(find_game("connect_four"), tmp_path / "plain", games=4, nodes=10)
    with pytest.raises(InputError, match="no positions with a result and a distribution over moves"):
        train_net(find_game("connect_four"), [tmp_path / "plain"], tmp_path / "x.safetensors", **SMALL)
