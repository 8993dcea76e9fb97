"""Games for one: both players have the same board and chances; clearing wins, then fewer pills, then fewer viruses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.seats import MockSeat, failing
from evalsmith.arena.events.competitions import match
from evalsmith.arena.play.entries import solo_entry
from evalsmith.arena.play.openings import make_openings
from evalsmith.arena.play.solo import Attempt, compare, play_alone
from evalsmith.arena.play.usage import usage_of
from evalsmith.arena.results.entry import Failed, GameEntry, GameKey
from evalsmith.arena.results.log import GAMES
from evalsmith.arena.settings import OpeningSettings
from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, find_game
from evalsmith.games.drmario.frames import frames
from evalsmith.games.opening import Opening
from evalsmith.processes.failure import CRASH
from evalsmith.run.errors import InputError

MARIO = find_game("drmario")
BOARD = "seed:8988 level:0 stall:4"


def attempt(cleared: bool = False, moves: int = 10, left: int = 3, failed: bool = False) -> Attempt:
    problem = Failed(0, CRASH, "", 0) if failed else None
    return Attempt((), moves, 0 if cleared else left, cleared, "rule", problem, usage_of([]), MARIO.start())


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (attempt(cleared=True, moves=90), attempt(left=1, moves=5)),
        (attempt(cleared=True, moves=40), attempt(cleared=True, moves=41)),
        (attempt(left=2, moves=90), attempt(left=3, moves=10)),
        (attempt(left=40), attempt(cleared=True, failed=True)),
    ],
)
def test_who_is_better(better: Attempt, worse: Attempt) -> None:
    assert (compare(better, worse), compare(worse, better), compare(better, better)) == (1, -1, 0)


def test_two_failures_are_level() -> None:
    assert compare(attempt(failed=True, left=1), attempt(failed=True, left=9)) == 0


def outcomes(moves: tuple[int, ...]) -> list[int]:
    """The pills that chance brought."""
    position, found = MARIO.parse(BOARD), []
    for move in moves:
        if MARIO.status(position) == CHANCE:
            found.append(move)
            position = MARIO.reveal(position, move)
        else:
            position = MARIO.play(position, move)
    assert MARIO.status(position) == OVER
    return found


@pytest.mark.parametrize("text", [None, BOARD])
def test_both_get_the_same_pills(text: str | None) -> None:
    """Those of the cartridge where the start is a seed, else those of our own."""
    opening = Opening(MARIO.parse(BOARD), text=text)
    one, two = (play_alone(MARIO, MockSeat(MARIO, seed=seed), 0, opening, Limit(nodes=1), 77) for seed in (1, 2))
    first, second = outcomes(one.moves), outcomes(two.moves)
    count = min(len(first), len(second))
    assert one.moves != two.moves and count >= 3
    assert first[:count] == second[:count]
    if text is not None:
        assert first == list(MARIO.hook("sequence")(text))[: len(first)]


def test_what_is_left_is_counted() -> None:
    opening = Opening(MARIO.parse(BOARD), text=BOARD)
    done = play_alone(MARIO, MockSeat(MARIO, seed=3), 0, opening, Limit(nodes=1), 5)
    assert done.own_moves == sum(MARIO.status(p) != CHANCE for p in positions(done.moves))
    placed = [pair for pair in zip(positions(done.moves), done.moves, strict=True) if MARIO.status(pair[0]) != CHANCE]
    assert done.time == sum(frames(*pair) for pair in placed) > 0
    assert not done.cleared and done.left == MARIO.hook("remaining")(done.final) > 0


def positions(moves: tuple[int, ...]) -> list[Any]:
    found, position = [], MARIO.parse(BOARD)
    for move in moves:
        found.append(position)
        chance = MARIO.status(position) == CHANCE
        position = MARIO.reveal(position, move) if chance else MARIO.play(position, move)
    return found


def test_a_failure_alone() -> None:
    opening = Opening(MARIO.parse(BOARD), text=BOARD)
    bad = play_alone(MARIO, MockSeat(MARIO, act=failing(CRASH, "signal 9", 4)), 1, opening, Limit(nodes=1), 5)
    good = play_alone(MARIO, MockSeat(MARIO), 0, opening, Limit(nodes=1), 5)
    assert bad.failed is not None and bad.broken and bad.termination == CRASH
    entry = solo_entry(MARIO, GameKey(0, "a", "b", 0, 0), opening, good, bad)
    assert entry.result == MARIO.win and entry.termination == CRASH
    assert entry.failed == (Failed(1, CRASH, "signal 9", len(bad.moves)),)
    assert entry.solo is not None and entry.solo.time == (good.time, bad.time)
    assert GameEntry.from_json(json.loads(json.dumps(entry.to_json()))) == entry
    old = {name: value for name, value in entry.to_json().items() if name != "time"}  # a log of an earlier version
    earlier = GameEntry.from_json(old)
    assert earlier.solo is not None and earlier.solo.time is None


def test_a_match_of_boards(tmp_path: Path) -> None:
    book = tmp_path / "boards.txt"
    book.write_text("\n".join(f"seed:{seed:04x} level:0 stall:4" for seed in range(0x100, 0x108, 2)))
    first, second = (f"random;name={name}" for name in "ab")
    settings: dict[str, Any] = {"games": 4, "nodes": 1, "book": book, "order": "sequential"}
    result = match(MARIO, first, second, output=tmp_path / "run", concurrency=1, **settings)
    assert result.games == 4
    entries = [json.loads(line) for line in (tmp_path / "run" / GAMES).read_text().splitlines()]
    assert len({entry["start"] for entry in entries}) == 4  # each game has a board of its own
    for entry in entries:
        left = entry["left"]
        assert entry["reason"] in ("fewer left", "level") and entry["cleared"] == [False, False]
        assert (entry["result"] > 0) == (left[0] < left[1]) and (entry["result"] < 0) == (left[0] > left[1])


def test_boards_are_dealt_by_the_seed() -> None:
    one, again, other = (make_openings(MARIO, 6, OpeningSettings(), seed) for seed in (1, 1, 2))
    texts = [opening.text for opening in one]
    assert texts == [opening.text for opening in again] != [opening.text for opening in other]
    assert len(set(texts)) == 6 and all(text and text.startswith("seed:") for text in texts)


def test_named_seeds_are_taken_in_order() -> None:
    config = OpeningSettings(level="3", seeds="1000-1009")
    texts = [opening.text for opening in make_openings(MARIO, 4, config, 1)]
    assert texts == [f"seed:{seed} level:3" for seed in (1000, 1002, 1004, 1006)]
    with pytest.raises(InputError, match="only 5 different starts with the seeds 1000-1009, and 6 are needed"):
        make_openings(MARIO, 6, config, 1)
    again = OpeningSettings(level="3", seeds="1000-1009", repeat=True)
    assert len(make_openings(MARIO, 6, again, 1)) == 5
    with pytest.raises(InputError, match="a book has its own starts"):
        make_openings(MARIO, 2, OpeningSettings(book=Path("x.txt"), level="3"), 1)
