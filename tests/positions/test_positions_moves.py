"""The move played: kept from games and from records that have one, and written where a format has room for it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from chess_games import CHESS, batch, record
from othello_sets import OTHELLO, transcripts

from evalsmith.games import OVER, find_game
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.labelling.labels import label
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.chooser import Chooser
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.exporting import export_dataset
from evalsmith.records import Record, Usi, write_csa

SHOGI = find_game("shogi")


def shogi_game(seed: int, plies: int = 40) -> Record:
    choose, position, moves = random.Random(seed), SHOGI.start(), []
    while len(moves) < plies and SHOGI.status(position) != OVER:
        moves.append(choose.choice(SHOGI.moves(position)))
        position = SHOGI.play_unchecked(position, moves[-1])
    return Record("shogi", tuple(moves), result=SHOGI.win, termination="resigned")


def test_moves_of_games_are_kept(tmp_path: Path) -> None:
    source = transcripts(tmp_path / "a.txt", range(3))
    samples = import_games([source], tmp_path / "d", game="othello").read()
    for row in range(len(samples) - 1):
        if samples.game[row] == samples.game[row + 1]:
            following = OTHELLO.play(samples.words[row], int(samples.move[row]))
            assert np.array_equal(following, samples.words[row + 1])
    without = import_games([source], tmp_path / "e", game="othello", moves=False)
    assert (without.read().move == -1).all()
    assert np.array_equal(without.read().words, samples.words)
    made = generate(OTHELLO, tmp_path / "g", games=2, nodes=10, concurrency=1).read()
    assert all(int(move) in OTHELLO.moves(row) for row, move in zip(made.words, made.move, strict=True))


def test_a_position_that_was_changed_has_no_move() -> None:
    games = batch(record(1), record(2), record(5))
    usual = Samples.join(Chooser(CHESS, Selection()).games_of(games, 0), CHESS.words)
    moved = Samples.join(Chooser(CHESS, Selection(quiet="line")).games_of(games, 0), CHESS.words)
    played = {(game, ply): row for row, (game, ply) in enumerate(zip(usual.game, usual.ply, strict=True))}
    changed = 0
    for row, (game, ply) in enumerate(zip(moved.game, moved.ply, strict=True)):
        same = np.array_equal(moved.words[row], usual.words[played[game, ply]])
        assert moved.move[row] == (usual.move[played[game, ply]] if same else -1)
        changed += not same
    assert changed


@pytest.mark.parametrize("form", ["psv", "hcpe"])
def test_shogi_records_come_back_with_their_moves(tmp_path: Path, form: str) -> None:
    write_csa(tmp_path / "games.csa", [shogi_game(seed) for seed in range(4)])
    dataset = import_games([tmp_path / "games.csa"], tmp_path / "d")
    label(dataset.path, by="search", nodes=20)
    before = load_dataset(dataset.path).read()
    assert export_dataset(dataset.path, tmp_path / f"x.{form}", form).written == len(before)
    after = import_games([tmp_path / f"x.{form}"], tmp_path / "e").read()
    assert np.array_equal(after.move, before.move)
    assert np.array_equal(after.score, before.score)
    assert np.array_equal(after.result, before.result)
    assert export_dataset(tmp_path / "e", tmp_path / f"y.{form}", form).written == len(before)
    assert (tmp_path / f"y.{form}").read_bytes() == (tmp_path / f"x.{form}").read_bytes()


def test_without_a_game_the_best_line_is_the_move(tmp_path: Path) -> None:
    with open(tmp_path / "games.usi", "wb") as stream:
        Usi().write(stream, [shogi_game(1, 10)])
    choice = Selection(unknown_results=True)
    dataset = import_games([tmp_path / "games.usi"], tmp_path / "d", **choice.changed(), moves=False)
    label(dataset.path, by="search", nodes=100, multipv=2)
    samples = load_dataset(dataset.path).read()
    samples.result[:] = 0
    from evalsmith.positions.store.parts import write_part

    write_part(dataset.path, 0, samples, SHOGI)
    export_dataset(dataset.path, tmp_path / "x.psv", "psv")
    back = import_games([tmp_path / "x.psv"], tmp_path / "e").read()
    assert np.array_equal(back.move, samples.lines[:, 0, 0])
