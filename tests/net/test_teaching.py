"""A player as teacher: its values as distributions, what all moves are worth, and durations that scores tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: EVALSMITH_NET=1 make setup")

import evalsmith as es  # noqa: E402
from evalsmith.engine import Limit  # noqa: E402
from evalsmith.games import OVER, find_game  # noqa: E402
from evalsmith.games.planes import planes_of, play_each  # noqa: E402
from evalsmith.net.comparing import _judge  # noqa: E402
from evalsmith.net.durations import Curve  # noqa: E402
from evalsmith.net.examples import Batches, load_examples  # noqa: E402
from evalsmith.net.loss import Targets, losses  # noqa: E402
from evalsmith.net.model import Net, Outputs  # noqa: E402
from evalsmith.net.pilots import value_shares  # noqa: E402
from evalsmith.net.selfplay import self_play  # noqa: E402
from evalsmith.net.shape import NetShape  # noqa: E402
from evalsmith.players import parse_player  # noqa: E402
from evalsmith.positions.samples import LINE_MOVE, LINE_SCORE, UNKNOWN, Samples  # noqa: E402
from evalsmith.run import InputError  # noqa: E402

GAME = find_game("drmario")
TEACHER = "fitted;depth=1"


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "lessons"
    self_play(GAME, path, games=8, together=4, level="1", first=TEACHER, stray=0.1, spread=25.0, concurrency=1)
    return path


def test_values_become_shares():
    shares = value_shares([100, 80, 60, -30000], 20.0)
    assert shares.sum() == pytest.approx(1)
    assert shares[1] / shares[0] == pytest.approx(1 / math.e)
    assert shares[2] / shares[0] == pytest.approx(1 / math.e**2)
    assert shares[3] == 0


def test_a_teacher_says_what_all_moves_are_worth(lessons):
    samples = es.load_dataset(lessons).read()
    player = parse_player(TEACHER, GAME)
    assert player.limit is not None
    searcher = player.searcher(player.limit, 1)
    for row in range(0, len(samples), 10):
        searcher.new_game()
        found = searcher.think(samples.words[row], Limit(depth=1), GAME.max_moves)
        told = samples.lines[row][samples.lines[row, :, LINE_MOVE] >= 0]
        assert sorted(told[:, LINE_MOVE]) == sorted(GAME.moves(samples.words[row]))
        assert [line.score for line in found.lines] == told[:, LINE_SCORE].tolist()
        assert samples.score[row] == told[0, LINE_SCORE]
        policy = {int(move): share for move, share in samples.policy[row] if move >= 0}
        first, second = (int(move) for move in told[:2, LINE_MOVE])
        if second in policy:
            worse = int(told[0, LINE_SCORE]) - int(told[1, LINE_SCORE])
            assert policy[second] / policy[first] == pytest.approx(math.exp(-worse / 25), rel=1e-2)


def test_strays_are_played_and_not_taught(tmp_path):
    self_play(GAME, tmp_path / "x", games=4, level="0", first=TEACHER, stray=1.0, concurrency=1)
    samples = es.load_dataset(tmp_path / "x").read()
    best = samples.policy["move"][np.arange(len(samples)), samples.policy["share"].argmax(axis=1)]
    assert (best == samples.move).mean() < 0.5
    assert (best == samples.lines[:, 0, LINE_MOVE]).mean() > 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [("uci:cat", "outside program; a net learns from our own players"), ("nobody", "'nobody' is not one of")],
)
def test_who_cannot_teach(text, words, tmp_path):
    with pytest.raises(InputError, match=words):
        self_play(GAME, tmp_path / "x", games=1, first=text)


def some_samples(scores, durations):
    count = len(scores)
    return Samples(
        np.repeat(GAME.start()[None], count, axis=0),
        np.arange(count, dtype=np.int64),
        np.zeros(count, dtype=np.int32),
        np.zeros(count, dtype=np.int32),
        np.full(count, GAME.win, dtype=np.int32),
        np.array(scores, dtype=np.int32),
        duration=np.array(durations, dtype=np.int32),
    )


def test_scores_tell_durations():
    source = np.random.default_rng(2)
    scores = source.integers(-2000, 0, size=6000)
    curve = Curve(some_samples(scores, np.maximum(1, -scores / 40 + source.normal(0, 8, size=6000))))
    asked = np.arange(-1950, -300, 50)
    told = curve(asked.astype(np.int32))
    assert np.abs(told + asked / 40).max() < 3, "the mean, without the luck of each game"
    assert (np.diff(told) <= 0).all()
    worse = curve(np.array([-2600, -2300, -2000], dtype=np.int32))
    assert worse[0] > worse[1] > worse[2], "worse boards than any that was played take longer"
    unknown = Curve(some_samples(np.full(500, UNKNOWN), np.full(500, 7)))
    assert not unknown.known
    assert (unknown(asked.astype(np.int32)) == -1).all()


def test_positions_after_a_move():
    position = GAME.parse("seed:1000 level:3")
    moves = np.array(GAME.moves(position)[:6], dtype=np.int32)
    after, over = play_each(GAME, np.repeat(position[None], 6, axis=0), moves)
    for row, move, ended in zip(after, moves.tolist(), over, strict=True):
        assert (row == GAME.play_unchecked(position, move)).all()
        assert ended == (GAME.status(row) == OVER)


def test_half_of_a_batch_are_positions_after_other_moves(lessons):
    examples = load_examples(GAME, [lessons], 0.8)
    assert (examples.others >= 0).any()
    batch = Batches(examples, augment=False, alternatives=0.5).draw(64, seed=3)
    plain = Batches(examples, augment=False).draw(64, seed=3)
    other = np.isnan(batch.won)
    assert 20 <= other.sum() <= 32
    assert not other[32:].any()
    assert (batch.planes[32:] == plain.planes[32:]).all()
    assert (batch.moves[other] == 0).all()
    assert (batch.cleared[other] == -1).all()
    assert (batch.duration[other] >= 0).all()
    assert any((a != b).any() for a, b in zip(batch.planes[other], plain.planes[other], strict=True))


def test_what_is_not_known_adds_nothing_to_the_loss():
    net = Net(NetShape.of(GAME, f=2, r=0))
    said = Outputs(torch.tensor([0.5, 0.1]), torch.ones(2), torch.tensor([4.0, 5.0]), torch.zeros(2, GAME.slots))
    moves = torch.zeros(2, GAME.slots)
    moves[0, 3] = 1.0
    known = Targets(torch.tensor([1.0, math.nan]), torch.tensor([1.0, -1.0]), torch.tensor([4.0, 10.0]), moves)
    found = losses(net, said, known)
    assert float(found.won) == pytest.approx(0.25 / 2)
    assert float(found.cleared) == 0
    assert float(found.duration) == pytest.approx(0.25 / 2)
    assert float(found.moves) == pytest.approx(math.log(GAME.slots) / 2)
    more = (found.weighted(3.0) - found.total).detach()
    assert float(more) == pytest.approx(2 * float(found.duration), rel=1e-4)
    assert float(losses(net, said, known, floor=20.0).duration) == pytest.approx(5**2 / 20**2 / 2)


def test_comparisons_say_how_often_and_how_quickly():
    entries = []
    for pair, (one, two) in enumerate([((40, 0), (60, 0)), ((42, 0), (50, 0)), ((30, 0), (99, 2)), ((44, 0), (60, 0))]):
        for half, (moves, left) in enumerate((one, two)):
            value = GAME.win if left == 0 else -GAME.win
            entries.append({"number": 2 * pair + half, "value": value, "moves": moves, "start": 24, "left": left})
    found = _judge(GAME, entries, ("a", "b"))
    assert found.cleared is not None and found.moves is not None
    assert found.cleared.mean == pytest.approx(0.25)
    assert (found.moves.mean, found.moves.count) == (pytest.approx(-44 / 3), 3)
    assert found.moves.interval[1] < 0
    text = str(found)
    assert "cleared more often by +25.0 %" in text
    assert "where both cleared (3 starts): -14.7" in text


def test_players_are_compared_by_their_text(tmp_path):
    found = es.evaluate_nets(GAME, "hand-set;depth=1;name=plain", "random", games=2, level="0")
    assert (found.first.name, found.second.name) == ("plain", "random")
    assert found.first.cleared == 2
    assert planes_of(GAME).left is not None
