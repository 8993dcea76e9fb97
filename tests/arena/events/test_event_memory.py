"""The memory of an event does not grow with its games: not while they are played, and not when they are summed up."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from arena.logged import logged
from evalsmith.arena.events.competitions import match, tournament
from evalsmith.arena.play.opening_list import Keys, OpeningList
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.results.log import GAMES, GameLog, sorted_entries
from evalsmith.arena.results.reading import read_match, read_tournament
from evalsmith.arena.results.tally import COURSE_POINTS, Course
from evalsmith.arena.statistics.elo import pentanomial
from evalsmith.games import find_game
from evalsmith.games.opening import Opening
from evalsmith.report import write_report
from evalsmith.run import RunFolder

FEW, MANY = 400, 1200  # the course of a match has all its steps after 400 games
SMALL = 0.3
"""Of an object: as much as an event may hold of each game. One that holds games or openings has ten and more."""


class AtTheEnd:
    """Counts the objects of the process when the last game but one has ended."""

    def __init__(self, games: int) -> None:
        self.left, self.blocks = games - 1, 0

    def advance(self, count: int = 1) -> None:
        self.left -= count
        if self.left == 0:
            gc.collect()
            self.blocks = sys.getallocatedblocks()

    def show(self, table: object) -> None:
        str(table)


def blocks(folder: Path, games: int, kind: str) -> tuple[int, int]:
    """How many objects more there are while an event is played, and when its result is known."""
    common: dict[str, Any] = {"output": folder, "nodes": 1, "concurrency": 1, "balance": False}
    seen = AtTheEnd(games)
    common["progress"] = lambda *_: nullcontext(seen)
    gc.collect()
    before = sys.getallocatedblocks()
    if kind == "match":
        result: Any = match("connect_four", "random;name=a", "random;name=b", games=games, **common)
    else:
        players = [f"random;name={name}" for name in "abc"]
        result = tournament("connect_four", players, games=games // 3, **common)
    gc.collect()
    after = sys.getallocatedblocks()
    assert result.to_json()["games"] in (games, 3 * (games // 3 + games // 3 % 2))
    return seen.blocks - before, after - before


@pytest.mark.parametrize("kind", ["match", "tournament"])
def test_an_event_holds_nothing_of_a_game_that_is_over(tmp_path: Path, kind: str) -> None:
    few, many = 102, 702  # three meetings of an even number of games
    blocks(tmp_path / "first", 6, kind)  # loads what is loaded once
    playing, known = [], []
    for attempt in range(3):  # what else the process does counts too, but not every time; games that stay always do
        first, second = (blocks(tmp_path / f"{attempt}-{games}", games, kind) for games in (few, many))
        playing.append(second[0] - first[0])
        known.append(second[1] - first[1])
        if max(min(playing), min(known)) < SMALL * (many - few):
            break
    assert min(playing) < SMALL * (many - few)
    assert min(known) < SMALL * (many - few)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Matches of few and of many games."""
    return [written(tmp_path_factory.mktemp("memory") / str(games), games) for games in (FEW, MANY)]


def written(folder: Path, games: int) -> Path:
    config = {"kind": "match", "game": "othello", "names": ["a", "b"], "games": games}
    with RunFolder(folder, config) as run, GameLog(run.path / GAMES) as log:
        for number in range(games):
            key = GameKey(0, "a", "b", number // 2, number % 2)
            value = 100 * (number * 7919 % 41 - 20)
            moves = list(range(900, 960)) if number > 5 else []  # a page shows the boards of the first ones
            log.append(logged(key, value, margin=value, moves=moves, seconds=[number / 7, 1.0]))
    return folder


def peak_of(call: Callable[[], object]) -> int:
    """The most bytes that a call takes at any time."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("read", [read_match, read_tournament, write_report])
def test_a_result_takes_as_much_memory_of_many_games_as_of_few(
    folders: list[Path], read: Callable[[Path], object]
) -> None:
    read(folders[0])  # loads what is loaded once
    few, many = (peak_of(lambda folder=folder: read(folder)) for folder in folders)
    # A log in memory has more than a thousand bytes a game; some tuples of those that were read wait for reuse.
    assert many - few < 200 * (MANY - FEW)


def test_saved_games_are_read_one_at_a_time(folders: list[Path]) -> None:
    few, many = (peak_of(lambda path=path: sum(1 for _ in sorted_entries(path / GAMES))) for path in folders)
    assert many - few < 200 * (MANY - FEW)


def test_openings_are_few_bytes_each() -> None:
    game = find_game("othello")
    first, second = Opening(game.start()), Opening(game.start(), (19, 18), "a text")
    found = OpeningList([first, second])
    for number in range(100):
        found.append(number % 2, [number] * (number % 9))
    assert len(found) == 100 and found[0] is first and found[-1] == found[99] == found[90:][9]
    assert [opening.moves for opening in found] == [
        (*((19, 18) if number % 2 else ()), *([number] * (number % 9))) for number in range(100)
    ]
    assert found[3].text == "a text"
    with pytest.raises(IndexError):
        found[100]


def test_a_set_of_keys() -> None:
    keys, known = Keys([0, 5]), {0, 5}
    for number in range(5000):
        key = number * 0x9E3779B97F4A7C15 % (1 << 64) if number % 3 else number % 700 << 40
        assert keys.add(key) == (key not in known)
        known.add(key)


@pytest.mark.parametrize("pairs", [0, 1, 199, 200, 201, 1000, 5555])
def test_the_course_of_a_match_has_a_bounded_number_of_even_steps(pairs: int) -> None:
    course, counts, all_counts = Course(), [0] * 5, []
    for number in range(pairs):
        points = number * 31 % 5
        counts[points] += 1
        all_counts.append(tuple(counts))
        course.add(points)
    found = course.summaries()
    assert min(pairs, COURSE_POINTS) <= len(found) <= 2 * COURSE_POINTS
    if pairs:
        step = found[0].games // 2
        assert [one.games // 2 for one in found[:-1]] == list(range(step, step * len(found), step))
        assert found[-1] == pentanomial(all_counts[-1])
        assert all(one == pentanomial(all_counts[one.games // 2 - 1]) for one in found[:5])
