"""The small net of alpha-beta: it learns, its integers say what it learned, kills, and games with it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch", reason="PyTorch is not installed: EVALSMITH_NET=1 make setup")

import evalsmith as es  # noqa: E402
from evalsmith.cli.main import app  # noqa: E402
from evalsmith.engine.mcts.searcher import default_scale  # noqa: E402
from evalsmith.games import find_game  # noqa: E402
from evalsmith.games.planes import WORD, planes_of  # noqa: E402
from evalsmith.net.value import train_value  # noqa: E402
from evalsmith.net.value_examples import Bits, load_value_examples, most_bits_of  # noqa: E402
from evalsmith.net.value_model import ValueModel, quantised  # noqa: E402
from evalsmith.net.value_trainer import ValueTrainer  # noqa: E402
from evalsmith.positions.samples import UNKNOWN  # noqa: E402
from evalsmith.positions.selection.quiet import quiet_positions  # noqa: E402
from evalsmith.run import InputError  # noqa: E402
from evalsmith.weights import default_weights, load_weights  # noqa: E402
from evalsmith.weights.evaluating import evaluations  # noqa: E402

SMALL = {"units": 8, "buckets": 2, "batch": 64, "concurrency": 1}


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "games"
    es.generate(find_game("connect_four"), path, games=40, nodes=30, concurrency=1)
    return path


def views_of(game, words):
    planes = planes_of(game)
    return zip(planes.pack(words), planes.pack(words, enemy=True), strict=True)


def test_integers_say_what_the_net_learned(games):
    game = find_game("connect_four")
    words = es.load_dataset(games).read().words
    most = most_bits_of(game, words)
    model = ValueModel(planes_of(game).words * WORD, 16, 2, 4, seed=3)
    torch.manual_seed(4)
    for each in (model.last.weight, model.last.bias):
        torch.nn.init.normal_(each)
    scale = default_scale(game)
    net = quantised(model, game, scale, most, alone=True)
    bits, bucket = Bits(game, 4, most, augment=False).of(words)
    with torch.inference_mode():
        floats = scale * model(torch.from_numpy(bits).float(), torch.from_numpy(bucket)).numpy()
    integers = np.array([net.value(*views) for views in views_of(game, words)])
    assert np.abs(floats).max() > 50
    assert np.abs(integers - floats).max() < 0.06 * scale
    assert np.abs(integers - floats).mean() < 0.02 * scale


def test_quiet_positions_alone_teach(tmp_path):
    game = find_game("chess")
    es.generate(game, tmp_path / "games", games=3, nodes=20, concurrency=1)
    every = load_value_examples(game, [tmp_path / "games"], None, 1.0, None, 1)
    quiet = load_value_examples(game, [tmp_path / "games"], None, 1.0, None, 1, quiet=True)
    assert 0 < len(quiet) < len(every)
    assert quiet_positions(game, quiet.words).all()


def test_it_learns_what_linear_weights_miss(games, tmp_path):
    game = find_game("connect_four")
    found = train_value(game, [games], tmp_path / "x.json", passes=40, validation=0, rate=0.01, **SMALL)
    assert not found.held_out
    assert found.losses["net"] < found.losses["linear"]
    assert found.losses["quantised"] == pytest.approx(found.losses["net"], rel=0.1)
    made = load_weights(str(tmp_path / "x.json"), game)
    assert made.net is not None and not made.net.alone
    assert (made.values == default_weights(game).values).all()
    again = train_value(game, [games], tmp_path / "x.json", passes=40, validation=0, rate=0.01, **SMALL)
    assert again.losses == found.losses, "what is done is not done again"
    match = es.match(game, f"weights:{tmp_path / 'x.json'}", "self", games=4, nodes=50, output=tmp_path / "match")
    assert sum(score.fail for score in match.players) == 0
    assert "squared error" in str(found)


def test_alone_it_says_everything_itself(games, tmp_path):
    game = find_game("connect_four")
    train_value(game, [games], tmp_path / "x.json", alone=True, weights="zero", passes=2, **SMALL)
    made = load_weights(str(tmp_path / "x.json"), game)
    words = es.load_dataset(games).read().words[:50]
    assert made.net is not None
    assert evaluations(game, made, words).tolist() == [made.net.value(*views) for views in views_of(game, words)]


def test_a_killed_training_comes_to_the_same_weights(games, tmp_path, monkeypatch):
    game = find_game("connect_four")
    train_value(game, [games], tmp_path / "whole.json", passes=2, **SMALL)
    monkeypatch.setattr("evalsmith.net.value_trainer._SAVE_STEPS", 3)
    learn = ValueTrainer.learn

    def killed(self, examples):
        if self.step == 8:
            raise MemoryError("killed")
        return learn(self, examples)

    monkeypatch.setattr(ValueTrainer, "learn", killed)
    with pytest.raises(MemoryError):
        train_value(game, [games], tmp_path / "broken.json", passes=2, **SMALL)
    monkeypatch.setattr(ValueTrainer, "learn", learn)
    train_value(game, [games], tmp_path / "broken.json", passes=2, **SMALL)
    whole, broken = (load_weights(str(tmp_path / f"{name}.json"), game) for name in ("whole", "broken"))
    assert whole.digest == broken.digest


def test_targets_mix_results_and_scores(games):
    game = find_game("connect_four")
    result, mixed, score = (load_value_examples(game, [games], None, share, None, 1).worth for share in (0, 0.25, 1))
    known = es.load_dataset(games).read().result != UNKNOWN
    assert set(np.unique(result[known])) <= {-1.0, 0.0, 1.0}
    assert np.allclose(mixed[known], (0.75 * result + 0.25 * score)[known], atol=1e-6)
    assert np.allclose(mixed[~known], score[~known]), "where the result is not known, the score counts alone"
    assert len(load_value_examples(game, [games], None, 0.5, 30, 1)) == 30


def test_bad_requests_are_refused(games, tmp_path):
    game = find_game("connect_four")
    with pytest.raises(InputError, match=r"with the suffix .json, not .*x.safetensors"):
        train_value(game, [games], tmp_path / "x.safetensors")
    with pytest.raises(InputError, match="units must be a multiple of 8, not 12"):
        train_value(game, [games], tmp_path / "x.json", units=12)
    with pytest.raises(InputError, match="has no planes"):
        train_value(find_game("dvonn"), [games], tmp_path / "x.json")


def test_the_command(games, tmp_path):
    words = ["net", "value", str(games), "-o", str(tmp_path / "x.json"), "--passes", "1", "--batch", "64", "--json"]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 0, found.output
    document = json.loads(found.stdout)
    assert set(document["losses"]) == {"linear", "net", "quantised"}
    report = CliRunner().invoke(app, ["report", str(tmp_path / "x.run")])
    assert report.exit_code == 0, report.output
    assert "quantised" in (tmp_path / "x.run" / "report.html").read_text()
