"""Scores of self-play: what they say is so, for the side to move; and which players give them."""

from __future__ import annotations

import random
import threading
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalsmith.engine import Limit, Searcher, evaluate, play_game, prepare
from evalsmith.games import OVER, Game, Position, find_game
from evalsmith.games.scores import is_decided
from evalsmith.positions.samples import PLAYOUT, REPORTED, UNKNOWN, Samples
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.selfplay import chunks
from evalsmith.positions.selfplay.generation import generate, generate_with
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.selfplay.styled import Style, play_styled
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.run.errors import InputError, Interrupted, MismatchError
from evalsmith.weights import default_weights

CHESS, FOUR, OTHELLO = find_game("chess"), find_game("connect_four"), find_game("othello")
TREE = GenerateSettings(games=12, nodes=12, random_plies=4, noise=0.3, player="self;method=mcts", seed=5)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 5)
    monkeypatch.setattr(chunks, "TREE_CHUNK", 5)


def wins_at_once(game: Game, position: Position) -> bool:
    """Whether a move ends the game with a win for its player."""
    after = [game.play(position, move) for move in game.moves(position)]
    return any(game.status(end) == OVER and game.result(end) < 0 for end in after)


# ── What scores say ──


@pytest.mark.parametrize("player", ["self", "self;method=mcts"])
def test_proven_wins_are_those_of_the_side_to_move(player: str, tmp_path: Path) -> None:
    config = GenerateSettings(games=50, nodes=150, random_plies=6, player=player, seed=3)
    samples = generate_with(FOUR, tmp_path / "d", config, concurrency=1).read()
    scored = samples.take(samples.score != UNKNOWN)
    won = scored.take(scored.score == FOUR.win - 1)
    lost = scored.take(scored.score == 2 - FOUR.win)
    assert len(won) > 5 and len(lost) > 5
    assert all(wins_at_once(FOUR, row) for row in won.words)
    for row in lost.words:
        assert not wins_at_once(FOUR, row)
        assert all(wins_at_once(FOUR, FOUR.play(row, move)) for move in FOUR.moves(row))
    # No score is like a win unless one is proven.
    undecided = [score for score in scored.score.tolist() if not is_decided(score, FOUR.win)]
    assert undecided and max(map(abs, undecided)) < FOUR.win / 2


def test_a_random_move_has_no_score_and_others_that_of_the_best(tmp_path: Path) -> None:
    """A search of one ply from an empty table knows what the best move is worth."""
    searcher = Searcher(OTHELLO, table_bytes=1 << 15)
    prepare(searcher, Limit(depth=1), 9, noise=0.5, noise_plies=40)
    played, position, searched = play_game(OTHELLO, searcher, searcher, OTHELLO.start()), OTHELLO.start(), 0
    fresh = Searcher(OTHELLO, table_bytes=1 << 15)
    for move, score in zip(played.moves, played.scores, strict=True):
        legal = OTHELLO.moves(position)
        fresh.new_game()
        best = fresh.think(position, Limit(depth=1)).lines[0]
        if score is not None:
            assert (score, move) == (best.score, best.move)
            searched += len(legal) > 1
        position = OTHELLO.play(position, move)
    assert 10 < searched < len(played.moves) - 5


def test_a_temperature_stores_the_score_of_the_best_move() -> None:
    style = Style(temperature=500.0, noisy_plies=60)
    searcher, position, others = Searcher(OTHELLO, table_bytes=1 << 15), OTHELLO.start(), 0
    source = random.Random(4)
    played = play_styled(OTHELLO, searcher, Limit(depth=1), position, style, source, threading.Event())
    for move, score in zip(played.moves, played.scores, strict=True):
        if score is not None:
            best = searcher.think(position, Limit(depth=1)).lines[0]
            assert score == best.score
            others += move != best.move
        position = OTHELLO.play(position, move)
    assert others > 5


@pytest.mark.parametrize("game", [CHESS, OTHELLO], ids=lambda game: game.name)
def test_a_search_without_time_for_one_move_gives_the_evaluation(game: Game, tmp_path: Path) -> None:
    samples = generate(game, tmp_path / "d", games=2, nodes=1, scores=True, concurrency=1).read()
    scored = samples.take(samples.score != UNKNOWN)
    weights = default_weights(game)
    assert len(scored) > 20
    assert scored.score.tolist() == [evaluate(game, weights, row) for row in scored.words]


# ── Who stores them ──


def test_games_that_are_won_or_lost_store_scores_unless_told_otherwise(tmp_path: Path) -> None:
    options = {"games": 2, "nodes": 5, "concurrency": 1}
    assert (generate(FOUR, tmp_path / "a", **options).read().label == REPORTED).any()
    assert (generate(FOUR, tmp_path / "b", scores=False, **options).read().score == UNKNOWN).all()
    assert (generate(OTHELLO, tmp_path / "c", **options).read().score == UNKNOWN).all()
    assert (generate(OTHELLO, tmp_path / "d", scores=True, **options).read().label == REPORTED).any()
    by_chance = generate(FOUR, tmp_path / "e", player="random", **options)
    assert "scores" not in by_chance.made and (by_chance.read().score == UNKNOWN).all()


def test_a_dataset_without_scores_grows_without_them(tmp_path: Path) -> None:
    """As one that was begun before scores were the default."""
    begun = generate(FOUR, tmp_path / "d", games=4, nodes=5, scores=False, concurrency=1)
    assert "scores" not in begun.made
    grown = generate(FOUR, tmp_path / "d", games=9, nodes=5, concurrency=1)
    assert (grown.read().score == UNKNOWN).all() and grown.made == begun.made
    with pytest.raises(MismatchError, match="scores was not given, is now True"):
        generate(FOUR, tmp_path / "d", games=9, nodes=5, scores=True)
    generate(FOUR, tmp_path / "s", games=4, nodes=5, concurrency=1)
    with pytest.raises(MismatchError, match="scores was True, is now not given"):
        generate(FOUR, tmp_path / "s", games=4, nodes=5, scores=False)


# ── Quiet positions alone ──


def test_only_quiet_positions_are_stored(tmp_path: Path) -> None:
    options = {"games": 6, "nodes": 10, "concurrency": 1}
    everything = generate(CHESS, tmp_path / "a", **options).read()
    quiet = generate(CHESS, tmp_path / "b", quiet=True, **options)
    chosen = quiet_positions(CHESS, everything.words)
    assert 0 < chosen.sum() < len(chosen)
    assert np.array_equal(quiet.read().words, everything.words[chosen])
    assert np.array_equal(quiet.read().score, everything.score[chosen])
    with pytest.raises(MismatchError, match="quiet was True, is now not given"):
        generate(CHESS, tmp_path / "b", **options)
    rare = generate(CHESS, tmp_path / "r", quiet=True, rare=5, rare_games=2, **options).read()
    assert rare.game.max() >= 6 and quiet_positions(CHESS, rare.words).all()


# ── Monte Carlo tree search ──


def same(a: Samples, b: Samples) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("words", "result", "score", "move"))


def test_tree_search_plays_the_same_games_however_they_are_made(tmp_path: Path) -> None:
    whole = generate_with(FOUR, tmp_path / "a", TREE, concurrency=1).read()
    assert same(generate_with(FOUR, tmp_path / "b", TREE, concurrency=3).read(), whole)
    generate_with(FOUR, tmp_path / "c", replace(TREE, games=7), concurrency=2)
    assert same(generate_with(FOUR, tmp_path / "c", TREE, concurrency=2).read(), whole)
    (tmp_path / "b" / "part-00001.parquet").unlink()
    assert same(generate_with(FOUR, tmp_path / "b", TREE, concurrency=1).read(), whole)
    assert not same(generate_with(FOUR, tmp_path / "d", replace(TREE, seed=6), concurrency=1).read(), whole)
    by_depth = replace(TREE, player="self")
    assert not same(generate_with(FOUR, tmp_path / "e", by_depth, concurrency=1).read(), whole)
    with pytest.raises(MismatchError, match="player was self;method=mcts, is now self"):
        generate_with(FOUR, tmp_path / "a", by_depth)
    assert set(whole.label[whole.result == UNKNOWN].tolist()) == {REPORTED}


@pytest.mark.parametrize("name", ["chess", "dvonn", "drmario", "othello", "shogi"])
def test_tree_search_plays_every_game(name: str, tmp_path: Path) -> None:
    game = find_game(name)
    config = replace(TREE, games=1, nodes=4, noise=0.1, scores=True)
    samples = generate_with(game, tmp_path / "d", config, concurrency=1).read()
    assert (samples.label == REPORTED).any()
    assert all(game.status(row) == 0 for row in samples.words[samples.label != PLAYOUT][::20])


def test_rare_features_by_tree_search(tmp_path: Path) -> None:
    config = replace(TREE, games=2, rare=20, rare_games=3)
    extra = generate_with(FOUR, tmp_path / "d", config, concurrency=1).read()
    assert (extra.game >= 2).any() and (extra.result[extra.game >= 2] != UNKNOWN).all()


def test_a_stop_ends_a_game_of_tree_search_at_its_next_move(tmp_path: Path) -> None:
    class Impatient:
        games = 0

        def advance(self, count: int = 1) -> None:
            self.games += count
            if self.games == 7:
                raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="1 of 3 parts are saved"):
        generate_with(FOUR, tmp_path / "d", TREE, concurrency=1, progress=lambda *_: nullcontext(Impatient()))
    assert not load_dataset(tmp_path / "d").complete
    stopping = threading.Event()
    stopping.set()
    searcher = Searcher(OTHELLO, table_bytes=1 << 15)
    source = random.Random(1)
    played = play_styled(OTHELLO, searcher, Limit(nodes=5), OTHELLO.start(), Style(), source, stopping)
    assert played.stopped and played.moves == ()


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("uci:cat", "'cat' is another program; self-play is by our own search"),
        ("self;method=mcts;threads=2", "a search on 2 threads does not repeat itself"),
        ("self;tc=60", "no clock runs in self-play; give nodes, depth or movetime"),
    ],
)
def test_players_that_cannot_play_here_are_refused(player: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=reason):
        generate_with(CHESS, tmp_path / "d", replace(TREE, player=player))
    assert not (tmp_path / "d").exists()
