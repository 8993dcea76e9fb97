"""Positions in bulk: derived words come back, images are those of the symmetries, and rows are judged as texts are."""

from __future__ import annotations

import random

import numpy as np
import pytest

from evalsmith.games import CHANCE, OVER, Game, find_game
from evalsmith.games.bulk import INVALID, UNKNOWN, VALID, bulk_of, keys_of

GAMES = ["chess", "connect_four", "drmario", "dvonn", "othello", "shogi"]


def positions(game: Game, seed: int, games: int = 4, plies: int = 60) -> np.ndarray:
    choose, rows = random.Random(seed), []
    for _ in range(games):
        position = game.start()
        for _ in range(plies):
            if (status := game.status(position)) == OVER:
                break
            rows.append(position)
            if status == CHANCE:
                position = game.reveal(position, choose.randrange(len(game.chance(position))))
            else:
                position = game.play_unchecked(position, choose.choice(game.moves(position)))
    return np.array(rows, dtype=np.uint64)


@pytest.mark.parametrize("name", GAMES)
def test_derived_words_come_back(name: str) -> None:
    game, bulk = find_game(name), bulk_of(find_game(name))
    rows = positions(game, 1)
    bare = np.zeros_like(rows)
    bare[:, list(bulk.stored)] = rows[:, list(bulk.stored)]
    bulk.restore(bare)
    assert np.array_equal(bare, rows)
    assert keys_of(game, rows).tolist() == [game.key(row) for row in rows]


@pytest.mark.parametrize("name", GAMES)
def test_images_are_those_of_the_symmetries(name: str) -> None:
    game = find_game(name)
    rows = positions(game, 2, games=2)
    images = bulk_of(game).images(rows)
    symmetries = game.symmetries()
    assert len(images) == len(symmetries)
    for image, symmetry in zip(images, symmetries, strict=True):
        assert image.tolist() == [symmetry.position(row).tolist() for row in rows]


def is_position(game: Game, row: np.ndarray) -> bool:
    try:
        return bool((game.parse(game.format(row)) == row).all())
    except Exception:
        return False


@pytest.mark.parametrize("name", GAMES)
def test_real_positions_are_not_wrong(name: str) -> None:
    game = find_game(name)
    rows = positions(game, 3)
    verdicts = bulk_of(game).judge(rows)
    assert (verdicts != INVALID).all()
    assert all(is_position(game, row) for row in rows[verdicts == UNKNOWN])


@pytest.mark.parametrize("name", ["chess", "drmario", "dvonn", "othello", "shogi"])
def test_damaged_rows_are_judged_as_their_texts_are(name: str) -> None:
    """One bit of a stored word flipped: what is called valid is one, and what is called invalid is none."""
    game = find_game(name)
    bulk, source = bulk_of(game), np.random.default_rng(4)
    rows = positions(game, 5, games=6)
    rows = np.repeat(rows, 3, axis=0)
    words = source.choice(bulk.stored, len(rows))
    rows[np.arange(len(rows)), words] ^= np.uint64(1) << source.integers(0, 64, len(rows)).astype(np.uint64)
    bulk.restore(rows)
    verdicts = bulk.judge(rows)
    assert (verdicts == INVALID).sum() > len(rows) // 4
    for row, verdict in zip(rows, verdicts, strict=True):
        if verdict == VALID:
            assert is_position(game, row), game.format(row)
        elif verdict == INVALID:
            assert not is_position(game, row), game.format(row)
