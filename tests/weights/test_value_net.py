"""The small quantised net over linear weights: the kernel against its definition, the file, what refuses it."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

import evalsmith as es
from evalsmith.compile import COMPILED
from evalsmith.engine import Limit, Searcher
from evalsmith.games import OVER, find_game
from evalsmith.games.planes import WORD, planes_of
from evalsmith.run import InputError, MismatchError
from evalsmith.weights import (
    default_weights,
    explain,
    export_weights,
    read_weights_file,
    save_weights,
    starting_weights,
)
from evalsmith.weights.evaluating import evaluations
from evalsmith.weights.value_net import ValueNet

GAMES = ("othello", "connect_four", "drmario", "chess", "shogi")


def random_net(game, units=16, buckets=3, seed=1, alone=False, views=None):
    source, planes = np.random.default_rng(seed), planes_of(game)
    views = views or (1 if planes.enemy is None else 2)
    return ValueNet(
        planes.names,
        source.integers(-90, 90, (planes.words * WORD, units)).astype(np.int16),
        source.integers(-2000, 2000, (buckets, views * units)).astype(np.int16),
        source.integers(-300, 300, units + buckets).astype(np.int32),
        7,
        40,
        alone,
    )


def said_of(game, net, rows):
    """What the definition says of positions."""
    planes = planes_of(game)
    packed = [planes.pack(rows, enemy=view == 1) for view in range(net.views)]
    return [net.value(*views) for views in zip(*packed, strict=True)]


def positions(game, count, seed=1):
    source, rows = random.Random(seed), []
    while len(rows) < count:
        here = game.start()
        while game.status(here) != OVER and len(rows) < count:
            if game.status(here) == 0:
                rows.append(here)
                here = game.play_unchecked(here, source.choice(game.moves(here)))
            else:
                here = game.reveal(here, game.draw(here, source))
    return np.stack(rows)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("units", [8, 24])
def test_the_kernel_is_the_definition(name, units):
    game = find_game(name)
    rows, linear = positions(game, 200 if COMPILED else 3), starting_weights(game)
    net = random_net(game, units, alone=True)
    said = said_of(game, net, rows)
    assert len(set(said)) > 1
    alone = evaluations(game, replace(linear, net=net), rows)
    assert alone.tolist() == said
    over = evaluations(game, replace(linear, net=replace(net, alone=False)), rows)
    assert over.tolist() == (evaluations(game, linear, rows) + said).tolist()
    single = random_net(game, units, alone=True, views=1)
    assert evaluations(game, replace(linear, net=single), rows).tolist() == said_of(game, single, rows)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "drmario"])
def test_values_do_not_depend_on_what_was_evaluated_before(name):
    game = find_game(name)
    weights = replace(starting_weights(game), net=random_net(game))
    rows = positions(game, 120 if COMPILED else 4)
    straight = evaluations(game, weights, rows)
    order = np.random.default_rng(1).permutation(len(rows))
    assert (evaluations(game, weights, rows[order]) == straight[order]).all()


@pytest.mark.parametrize("name", ["chess", "shogi"])
def test_the_enemy_sees_what_he_would_see_as_the_mover(name):
    game = find_game(name)
    planes = planes_of(game)
    rows = positions(game, 60 if COMPILED else 4)
    after = [game.null_move(row) for row in rows]
    passed = np.array([child is not None for child in after])
    swapped = [child for child in after if child is not None]
    assert swapped
    enemy, mover = planes.pack(rows[passed], enemy=True), planes.pack(np.stack(swapped))
    # Passing a turn takes the right to capture in passing away.
    same = len(planes.names) - 1 if name == "chess" else planes.words
    assert (enemy[:, :same] == mover[:, :same]).all()


def test_the_definition_by_hand():
    game = find_game("connect_four")
    net = random_net(game, 8, buckets=2)
    row = positions(game, 12)[-1]
    held = []
    for enemy in (False, True):
        packed = planes_of(game).pack(row[None], enemy=enemy)[0]
        bits = [bool(int(word) >> i & 1) for word in packed for i in range(64)]
        for unit in range(8):
            total = int(net.biases[unit]) + sum(int(net.first[i, unit]) for i, bit in enumerate(bits) if bit)
            held.append(min(max(total, 0), 1023))
    bucket = min(sum(bits) * 2 // 40, 1)
    value = int(net.biases[8 + bucket]) + sum(h * int(net.last[bucket, i]) for i, h in enumerate(held))
    assert said_of(game, net, row[None]) == [value >> 7]


def test_a_search_evaluates_by_the_net():
    game = find_game("connect_four")
    weights = replace(default_weights(game), net=random_net(game))
    found = Searcher(game, weights).think(game.start(), Limit(depth=1), 7)
    for line in found.lines:
        after = game.play_unchecked(game.start(), line.move)
        assert line.score == -int(evaluations(game, weights, after[None])[0])
    assert Searcher(game, weights, threads=2).think(game.start(), Limit(depth=3)).lines
    assert es.search(es.Board(game), weights=weights, method="mcts", nodes=50).lines


def test_the_file_brings_everything_back(tmp_path):
    game = find_game("othello")
    weights = replace(starting_weights(game), net=random_net(game), name="with a net")
    save_weights(weights, tmp_path / "x.json")
    again = read_weights_file(tmp_path / "x.json")
    assert again.net is not None
    assert (again.digest, again.net.alone, again.net.units) == (weights.digest, False, 16)
    assert again.digest != starting_weights(game).digest
    rows = positions(game, 20)
    assert (evaluations(game, again, rows) == evaluations(game, weights, rows)).all()
    assert "a net of 192 × 2 × 16 × 3" in repr(again)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": "!"}, "its net is damaged"),
        ({"first": "eJwDAAAAAAE="}, "bytes were expected"),
        ({"units": 12}, "its net is damaged|multiples of 8"),
        ({"units": 8.5}, "not a whole number"),
        ({"buckets": 1000}, "not a whole number up to 64"),
        ({"shift": 99}, "not a whole number up to 30"),
        ({"most_bits": 0}, "has 3 buckets, 0 bits"),
        ({"packing": "pickle"}, "unknown packing"),
        ({"planes": ["cats"]}, "sees cats; Othello has the mover's discs"),
        ({"biases": None}, "its net is damaged"),
    ],
)
def test_damaged_nets_are_refused(tmp_path, change, message):
    game, path = find_game("othello"), tmp_path / "x.json"
    save_weights(replace(starting_weights(game), net=random_net(game)), path)
    document = json.loads(path.read_text())
    document["net"] |= change
    path.write_text(json.dumps(document))
    with pytest.raises((InputError, MismatchError), match=message):
        read_weights_file(path)


def test_sums_beyond_32_bits_are_refused():
    game = find_game("connect_four")
    wide = replace(random_net(game, 8), biases=np.full(11, 2**31 - 1, dtype=np.int32))
    with pytest.raises(InputError, match="could exceed 32 bits"):
        replace(starting_weights(game), net=wide)


def test_what_is_linear_refuses_a_net(tmp_path):
    game = find_game("connect_four")
    path = tmp_path / "x.json"
    save_weights(replace(starting_weights(game), net=random_net(game), name="x"), path)
    with pytest.raises(InputError, match=r"x has a net of .*; explanations take apart only linear ones"):
        explain(game, weights=str(path))
    with pytest.raises(InputError, match="sources hold only linear ones"):
        export_weights(read_weights_file(path), tmp_path / "x.h", "c")
    es.generate(game, tmp_path / "data", games=4, nodes=10)
    with pytest.raises(InputError, match="a fit starts from only linear ones"):
        es.tune(tmp_path / "data", output=tmp_path / "y.json", initial_weights=str(path))
