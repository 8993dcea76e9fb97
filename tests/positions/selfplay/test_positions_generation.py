"""Self-play datasets: the same from the same seed, however they are made, killed, resumed or grown."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from broken import base as heaps

from evalsmith.games import OVER, find_game
from evalsmith.positions.openings.book import book_positions, read_book
from evalsmith.positions.openings.drawing import random_opening
from evalsmith.positions.samples import PLAYOUT, REPORTED, UNKNOWN, Samples
from evalsmith.positions.selfplay import chunks
from evalsmith.positions.selfplay.generation import generate, generate_with
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.run.errors import InputError, Interrupted, MismatchError
from evalsmith.weights import Weights, save_weights, starting_weights
from evalsmith.weights.counting import FeatureCounts

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")
SMALL = GenerateSettings(games=34, nodes=20, random_plies=4, noise=0.3, seed=5)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 10)


def parts(path: Path) -> dict[str, bytes]:
    return {part.name: part.read_bytes() for part in sorted(path.glob("part-*.parquet"))}


def same(a: Samples, b: Samples) -> bool:
    return all(np.array_equal(getattr(a, field.name), getattr(b, field.name)) for field in fields(Samples))


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset that every other way of making it must give."""
    path = tmp_path_factory.mktemp("generate") / "unbroken"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK", 10)
        generate_with(FOUR, path, SMALL, concurrency=1)
    return path


# ── The same again ──


@pytest.mark.parametrize("concurrency", [1, 2, 3])
def test_the_number_of_threads_changes_nothing(tmp_path: Path, unbroken: Path, concurrency: int) -> None:
    generate_with(FOUR, tmp_path / "d", SMALL, concurrency=concurrency)
    assert parts(tmp_path / "d") == parts(unbroken)
    assert len(parts(unbroken)) == 4


def test_another_seed_gives_other_games(tmp_path: Path, unbroken: Path) -> None:
    other = generate_with(FOUR, tmp_path / "d", replace(SMALL, seed=6), concurrency=1)
    assert not same(other.read(), load_dataset(unbroken).read())


def test_a_lost_part_is_made_again(tmp_path: Path, unbroken: Path) -> None:
    generate_with(FOUR, tmp_path / "d", SMALL, concurrency=1)
    (tmp_path / "d" / "part-00001.parquet").unlink()
    (tmp_path / "d" / "part-00003.parquet").unlink()
    generate_with(FOUR, tmp_path / "d", SMALL, concurrency=1)
    assert parts(tmp_path / "d") == parts(unbroken)


def test_finished_parts_are_not_made_again(tmp_path: Path) -> None:
    class Count:
        done: list[int]

        def __init__(self) -> None:
            self.done = []

        def advance(self, count: int = 1) -> None:
            self.done.append(count)

    generate_with(FOUR, tmp_path / "d", SMALL, concurrency=1)
    before = {part.name: part.stat().st_mtime_ns for part in (tmp_path / "d").glob("part-*")}
    counted = Count()
    generate_with(FOUR, tmp_path / "d", SMALL, concurrency=1, progress=lambda *_: nullcontext(counted))
    assert {part.name: part.stat().st_mtime_ns for part in (tmp_path / "d").glob("part-*")} == before
    assert counted.done == [34]


@pytest.mark.parametrize("first", [1, 7, 10, 13, 30])
def test_a_dataset_grows(tmp_path: Path, unbroken: Path, first: int) -> None:
    generate_with(FOUR, tmp_path / "d", replace(SMALL, games=first), concurrency=1)
    generate_with(FOUR, tmp_path / "d", SMALL, concurrency=1)
    assert parts(tmp_path / "d") == parts(unbroken)


def test_games_that_leave_no_sample_do_not_count_as_missing(tmp_path: Path) -> None:
    """Short games with noise to their very end have no quiet position."""
    config = GenerateSettings(games=60, nodes=5, random_plies=0, noise=0.99, seed=2)
    dataset = generate_with(heaps.GAME, tmp_path / "d", config, concurrency=1)
    assert len(set(dataset.read().game.tolist())) < 60
    before = {part.name: part.stat().st_mtime_ns for part in dataset.parts()}
    generate_with(heaps.GAME, tmp_path / "d", config, concurrency=1)
    assert {part.name: part.stat().st_mtime_ns for part in dataset.parts()} == before


def test_other_settings_are_refused(tmp_path: Path) -> None:
    generate_with(FOUR, tmp_path / "d", replace(SMALL, games=3), concurrency=1)
    for change in ({"seed": 1}, {"nodes": 21}, {"noise": 0.0}, {"random_plies": 5}, {"player": "random"}):
        with pytest.raises(MismatchError, match="was made with other settings"):
            generate_with(FOUR, tmp_path / "d", replace(SMALL, **change), concurrency=1)


def test_other_weights_under_the_same_name_are_refused(tmp_path: Path) -> None:
    """The file of a player may have changed since the dataset was begun."""
    config = replace(SMALL, games=12, player=f"weights:{tmp_path / 'w.json'}")
    weights = starting_weights(FOUR)
    save_weights(weights, tmp_path / "w.json")
    generate_with(FOUR, tmp_path / "d", replace(config, games=3), concurrency=1)
    save_weights(Weights(FOUR, weights.values + np.int32(1)), tmp_path / "w.json")
    with pytest.raises(MismatchError, match="was made with other settings"):
        generate_with(FOUR, tmp_path / "d", config, concurrency=1)
    save_weights(weights, tmp_path / "w.json")
    assert len(generate_with(FOUR, tmp_path / "d", config, concurrency=1).parts()) == 2


def test_a_dataset_grows_after_its_weights_file_was_moved(tmp_path: Path) -> None:
    (tmp_path / "old; first").mkdir()
    save_weights(starting_weights(FOUR), tmp_path / "old; first" / "w.json")
    before = replace(SMALL, games=3, player=f"weights:{tmp_path}/old\\; first/w.json;name=best")
    made = generate_with(FOUR, tmp_path / "d", before, concurrency=1).made
    assert made["player"] == "weights:w.json;name=best"
    (tmp_path / "old; first").rename(tmp_path / "new")
    after = replace(before, games=12, player=f"weights:{tmp_path / 'new' / 'w.json'};name=best")
    assert len(generate_with(FOUR, tmp_path / "d", after, concurrency=1).parts()) == 2


def test_a_dataset_that_stores_the_folder_of_its_weights_file_grows_too(tmp_path: Path) -> None:
    save_weights(starting_weights(FOUR), tmp_path / "w.json")
    player = f"weights:{tmp_path / 'w.json'}"
    dataset = generate_with(FOUR, tmp_path / "d", replace(SMALL, games=3, player=player), concurrency=1)
    replace(dataset, made={**dataset.made, "player": player}).save()
    grown = generate_with(FOUR, tmp_path / "d", replace(SMALL, games=12, player=player), concurrency=1)
    assert grown.made["player"] == player and len(grown.parts()) == 2


# ── Broken off ──

SCRIPT = """
import signal, sys
from evalsmith.positions.selfplay import chunks, generation
from evalsmith.run import Interrupted
chunks.CHUNK = 10
signal.signal(signal.SIGINT, signal.default_int_handler)
settings = dict(games=400, nodes=600, random_plies=4, noise=0.3, seed=5)
try:
    generation.generate("connect_four", sys.argv[1], concurrency=2, **settings)
except Interrupted as error:
    print(error)
"""


def wait_for_parts(path: Path, count: int, running: Callable[[], bool]) -> None:
    while len(list(path.glob("part-*.parquet"))) < count:
        assert running(), "it ended before it could be broken off"
        time.sleep(0.01)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    config = GenerateSettings(games=400, nodes=600, random_plies=4, noise=0.3, seed=5)
    with subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path / "killed")]) as process:
        wait_for_parts(tmp_path / "killed", 2, lambda: process.poll() is None)
        process.send_signal(signal.SIGKILL)
    kept = parts(tmp_path / "killed")
    assert 2 <= len(kept) < 40
    games = 10 * (len(kept) + 2)
    generate_with(FOUR, tmp_path / "killed", replace(config, games=games), concurrency=2)
    generate_with(FOUR, tmp_path / "whole", replace(config, games=games), concurrency=1)
    assert same(load_dataset(tmp_path / "killed").read(), load_dataset(tmp_path / "whole").read())
    assert {name: parts(tmp_path / "killed")[name] for name in kept} == kept


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "d")], stdout=subprocess.PIPE, text=True
    ) as process:
        wait_for_parts(tmp_path / "d", 2, lambda: process.poll() is None)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=120)
    assert output.startswith(f"{len(parts(tmp_path / 'd'))} of 40 parts are saved in ")
    assert process.returncode == 0


def test_an_interrupt_in_this_process(tmp_path: Path) -> None:
    class Impatient:
        games = 0

        def advance(self, count: int = 1) -> None:
            self.games += count
            if self.games == 17:
                raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="1 of 4 parts are saved"):
        generate_with(FOUR, tmp_path / "d", SMALL, concurrency=1, progress=lambda *_: nullcontext(Impatient()))
    assert list(parts(tmp_path / "d")) == ["part-00000.parquet"]


# ── What is in it ──


def test_samples_are_the_quiet_rest_of_each_game(tmp_path: Path) -> None:
    samples = generate_with(FOUR, tmp_path / "d", replace(SMALL, scores=False), concurrency=1).read()
    for number in set(samples.game.tolist()):
        game = samples.take(samples.game == number)
        assert game.ply.tolist() == list(range(game.ply[0], game.ply[0] + len(game)))
        assert game.ply[0] >= SMALL.random_plies
        movers = [FOUR.mover(row) for row in game.words]
        results = {
            int(result) if mover == 0 else -int(result) for result, mover in zip(game.result, movers, strict=True)
        }
        assert len(results) == 1
        assert results <= {FOUR.win, 0, -FOUR.win}
        for here, following in zip(game.words[:-1], game.words[1:], strict=True):
            after = [FOUR.play(here, move).tolist() for move in FOUR.moves(here)]
            assert following.tolist() in after
        last = game.words[-1]
        ends = [FOUR.play(last, move) for move in FOUR.moves(last)]
        assert any(FOUR.status(end) == OVER for end in ends)


@pytest.mark.parametrize("temperature", [0.0, 50.0])
def test_what_the_search_thought_is_kept_where_it_was_asked(tmp_path: Path, temperature: float) -> None:
    config = replace(SMALL, games=12, temperature=temperature)
    plain = generate_with(OTHELLO, tmp_path / "a", config, concurrency=1).read()
    kept = generate_with(OTHELLO, tmp_path / "b", replace(config, scores=True), concurrency=1).read()
    playout = kept.take(kept.result != UNKNOWN)
    assert np.array_equal(playout.words, plain.words) and np.array_equal(playout.result, plain.result)
    assert len(kept) > len(playout)
    searched = kept.label == REPORTED
    assert np.array_equal(searched, kept.score != UNKNOWN)
    assert searched[kept.result == UNKNOWN].all()
    forced = np.array([len(OTHELLO.moves(row)) == 1 for row in playout.words])
    assert np.array_equal(playout.score == UNKNOWN, forced)
    # The last of a game's moves that had a choice was made with the end in sight.
    last = playout.take((playout.phase <= 2) & ~forced)
    assert len(last) > 0 and np.array_equal(last.score, last.result)


def test_a_random_player_plays_at_random(tmp_path: Path) -> None:
    """A search of any depth takes a four that is there; chance does not."""
    config = replace(SMALL, player="random", noise=0.0)
    samples = generate_with(FOUR, tmp_path / "d", config, concurrency=1).read()
    missed = 0
    for number in set(samples.game.tolist()):
        words = samples.words[samples.game == number]
        for here in words[:-1]:
            missed += any(
                FOUR.status(FOUR.play(here, m)) == OVER and FOUR.result(FOUR.play(here, m)) for m in FOUR.moves(here)
            )
    assert missed > 5


def test_a_game_with_chance(tmp_path: Path) -> None:
    config = GenerateSettings(games=25, nodes=20, random_plies=2, noise=0.2, scores=False, seed=1)
    samples = generate_with(heaps.GAME, tmp_path / "d", config, concurrency=1).read()
    assert all(int(row[4]) > 0 for row in samples.words)  # no sample where the die has not been thrown
    assert set(np.abs(samples.result).tolist()) == {heaps.WIN}


def test_othello_too(tmp_path: Path) -> None:
    config = GenerateSettings(games=12, nodes=20, random_plies=6, seed=1)
    samples = generate_with(OTHELLO, tmp_path / "d", config, concurrency=2).read()
    assert len(samples) > 200
    assert (np.abs(samples.result) <= 6400).all()


# ── Openings and settings ──


@pytest.mark.parametrize(
    "lines",
    [
        ("e4 e5 Nf3", "# a comment", "1. d4 d5", "c4"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
    ],
)
def test_a_book_may_be_a_plain_list_as_in_a_match(lines: tuple[str, ...], tmp_path: Path) -> None:
    chess, path = find_game("chess"), tmp_path / "book.txt"
    path.write_text("\n".join(lines) + "\n")
    rows = {row.tobytes() for row in book_positions(chess, path, 2)}
    assert rows == {one.position(chess).tobytes() for one in read_book(chess, path, 2)} and len(rows) > 1


def test_random_openings_are_legal_and_not_over() -> None:
    source = random.Random(1)
    for plies in (0, 1, 5, 20):
        opening = random_opening(OTHELLO, plies, source)
        assert opening is not None
        position = OTHELLO.start()
        for move in opening[1]:
            position = OTHELLO.play(position, move)
        assert len(opening[1]) == plies
        assert (position == opening[0]).all()
    assert random_opening(OTHELLO, 200, source) is None


def test_too_many_random_plies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="games of connect_four are over before 60 random plies"):
        generate_with(FOUR, tmp_path / "d", replace(SMALL, random_plies=60), concurrency=1)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"games": 0}, "games must be a whole number of at least 1, not 0"),
        ({"random_plies": -1}, "random_plies must be a whole number of at least 0"),
        ({"noise": 1.0}, "noise must be a number of at least 0 and below 1"),
        ({"noise": -0.1}, "noise must be a number of at least 0 and below 1"),
        ({"noise": float("nan")}, "noise must be a number of at least 0 and below 1"),
        ({"nodes": 0}, "nodes must be a whole number of at least 1"),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, float], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        GenerateSettings(**options)  # type: ignore[arg-type]


def test_an_unknown_player_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="player 'nobody'"):
        generate_with(FOUR, tmp_path / "d", replace(SMALL, player="nobody"))
    assert not (tmp_path / "d").exists()


# ── Styles, books and rare features ──


@pytest.mark.parametrize("name", ["chess", "dvonn", "drmario", "othello", "shogi"])
def test_one_command_for_every_game(name: str, tmp_path: Path) -> None:
    game = find_game(name)
    config = GenerateSettings(games=3, nodes=60, random_plies=4, noise=0.0, temperature=30.0, seed=2)
    dataset = generate_with(game, tmp_path / "d", config, concurrency=1)
    samples = dataset.read()
    assert len(samples) > 0
    for row in samples.words[:: max(1, len(samples) // 20)]:
        assert (game.parse(game.format(row)) == row).all()
    # What is no alternative of a game played alone is a position in which a player moves.
    for row in samples.words[samples.label != PLAYOUT][::20]:
        assert game.status(row) == 0


def test_games_that_both_call_decided_end_there(tmp_path: Path) -> None:
    plain = generate(OTHELLO, tmp_path / "a", games=6, nodes=30, noise=0.0, concurrency=1).read()
    config = GenerateSettings(games=6, nodes=30, noise=0.0, resign=1000)
    early = generate_with(OTHELLO, tmp_path / "b", config, concurrency=1).read()
    assert len(early) < len(plain)
    again = generate_with(OTHELLO, tmp_path / "c", config, concurrency=2).read()
    assert np.array_equal(early.words, again.words)
    with pytest.raises(InputError, match="one player"):
        generate_with(find_game("drmario"), tmp_path / "d", config)


def test_games_from_a_book(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("f5d6c3d3c4f4f6\nf5f6e6f4e3c5c4\n")
    config = GenerateSettings(games=8, nodes=10, random_plies=0, noise=0.0, book=str(book), book_plies=6)
    samples = generate_with(OTHELLO, tmp_path / "d", config, concurrency=1).read()
    starts = {tuple(row) for row in samples.words[samples.ply == 0].tolist()}
    assert starts == {tuple(OTHELLO.parse(text).tolist()) for text in ("f5d6c3d3c4f4", "f5f6e6f4e3c5")}
    book.write_text("f5d6c3d3c4f4f6f3\n")
    with pytest.raises(MismatchError, match="the book changed"):
        generate_with(OTHELLO, tmp_path / "d", config)
    with pytest.raises(InputError, match="no opening of 50 plies"):
        generate_with(OTHELLO, tmp_path / "e", replace(config, book_plies=50))


def test_rare_features_get_positions(tmp_path: Path) -> None:
    plain = GenerateSettings(games=4, nodes=10, seed=3)
    base = generate_with(FOUR, tmp_path / "a", plain, concurrency=1).read()
    rare = generate_with(FOUR, tmp_path / "b", replace(plain, rare=20, rare_games=30), concurrency=1)
    samples = rare.read()
    extra = samples.take(samples.game >= 4)
    assert np.array_equal(samples.take(samples.game < 4).words, base.words)
    assert len(extra) > 0
    counts = FeatureCounts(FOUR)
    counts.add(base.words)
    for row in extra.words:  # each has one that was rare when it was taken
        assert counts.take_rare(row.reshape(1, -1), 20).all()
    assert generate_with(FOUR, tmp_path / "b", replace(plain, rare=20, rare_games=30)).rows() == len(samples)
