"""Filters of a dataset's positions, and the same ones at the import of files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalsmith.fit.filters import select_samples, selection_of, unfiltered
from evalsmith.fit.settings import TuneSettings
from evalsmith.games import find_game
from evalsmith.run import InputError
from fitting_samples import random_samples

FOUR = find_game("connect_four")
PLAIN = TuneSettings()


def test_ratings_of_both_players_count() -> None:
    some = random_samples(FOUR, 1).take(np.arange(4))
    rating = np.array([2500, 2500, 1900, -1], dtype=np.int16)
    opponent = np.array([2400, 1900, 2500, 2500], dtype=np.int16)
    rated = replace(some, rating=rating, opponent=opponent)
    assert select_samples(rated, replace(PLAIN, min_rating=2000)).rating.tolist() == [2500]
    assert select_samples(rated, replace(PLAIN, max_rating=2500, min_rating=1950)).rating.tolist() == [2500]
    assert len(select_samples(rated, replace(PLAIN, min_rating=1000))) == 3
    with pytest.raises(InputError, match="leave none of the 4 positions; loosen min_rating"):
        select_samples(rated, replace(PLAIN, min_rating=2600))


def test_plies_at_both_ends_and_positions_of_each_game() -> None:
    samples = random_samples(FOUR, 20)
    last = {game: samples.ply[samples.game == game].max() for game in np.unique(samples.game)}
    left = select_samples(samples, replace(PLAIN, skip_opening=3, skip_closing=2))
    assert left.ply.min() == 3
    assert all(left.ply[left.game == game].max(initial=0) <= last[game] - 2 for game in last)
    few = select_samples(samples, replace(PLAIN, positions_per_game=2))
    assert all((few.game == game).sum() == 2 for game in last)
    again = select_samples(samples, replace(PLAIN, positions_per_game=2))
    assert (few.words == again.words).all()


def test_quiet_plies_are_for_files_only() -> None:
    with pytest.raises(InputError, match="give it to 'evalsmith data import'"):
        select_samples(random_samples(FOUR, 1), replace(PLAIN, quiet_threshold=2))
    settings = TuneSettings(quiet_threshold=2, min_rating=2000, skip_opening=8, positions_per_game=5)
    chosen = selection_of(settings)
    assert (chosen.quiet, chosen.min_rating, chosen.skip_first, chosen.per_game) == (2, 2000, 8, 5)
    assert unfiltered(settings) == TuneSettings()
