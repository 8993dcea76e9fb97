"""Games of outside programs in worker processes: failures by reason, no process left, no game lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from evalsmith.arena.events.competitions import tournament
from evalsmith.arena.play.workers import SeatWorker, Setting
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.results.log import GAMES
from evalsmith.arena.results.tournament_result import TournamentResult
from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.opening import Opening
from evalsmith.players import Player, PlayLimit, parse_player
from evalsmith.players.own_seat import OwnSeat
from evalsmith.players.seat import Seat
from evalsmith.run import InputError

FOUR = find_game("connect_four")

# Plays the first free column, and after some of its own moves does what it is told.
PROGRAM = """
import os, sys, time
what, after = sys.argv[1], int(sys.argv[2])
free = [6] * 7
made = 0
for line in sys.stdin:
    line = line.strip()
    if line == "Quit":
        break
    if line != "Start":
        free[int(line) - 1] -= 1
    if made >= after:
        if what == "crash":
            os._exit(3)
        if what == "illegal":
            print("9", flush=True)
        if what == "hang":
            time.sleep(600)
        if what == "slow":
            time.sleep(0.7)
    column = next(c for c in (3, 2, 4, 1, 5, 0, 6) if free[c])
    free[column] -= 1
    made += 1
    print(column + 1, flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def codecup(program: Path, what: str, after: int = 2, **options: Any) -> str:
    more = "".join(f";{key}={value}" for key, value in options.items())
    return f"codecup:{sys.executable} -S {program} {what} {after};name={what}{more}"


def event(folder: Path, players: list[str], *, games: int = 2, concurrency: int = 2) -> TournamentResult:
    settings: dict[str, Any] = {"games": games, "nodes": 20, "random_plies": 0, "repeat": True}
    return tournament("connect_four", players, output=folder, concurrency=concurrency, **settings)


def left_behind(word: str) -> list[int]:
    """Processes whose command has the word."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and word.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def test_every_program_fails_in_its_own_way_and_the_event_goes_on(tmp_path: Path, program: Path) -> None:
    players = [
        codecup(program, "good", 99),
        codecup(program, "crash"),
        codecup(program, "illegal"),
        codecup(program, "hang", watchdog=0.5),
        codecup(program, "slow", movetime=0.2, stop=1),
        "self",
    ]
    result = event(tmp_path / "run", players)
    rows = {row.name: row for row in result.standings.rows}
    assert result.standings.games == 30 and all(row.games == 10 for row in rows.values())
    wanted = {"crash": "crash", "illegal": "illegal", "hang": "stall", "slow": "time"}
    for name, reason in wanted.items():
        # Of two failing programs the first to fail ends the game.
        assert set(rows[name].failures) == {reason}, name
        assert 0 < rows[name].fail <= rows[name].lost  # who fails has lost, whoever the opponent is
    assert rows["good"].fail == rows["self"].fail == 0
    assert not left_behind(str(program))
    entries = [json.loads(line) for line in (tmp_path / "run" / GAMES).read_text().splitlines()]
    assert len(entries) == 30
    details = {one["reason"]: one["detail"] for entry in entries for one in entry.get("failed", ())}
    assert (
        "3" in details["crash"]
        and "'9'" in details["illegal"]
        and ("late" in details["time"] or "time was up" in details["time"])
    )


def test_workers_are_pinned_and_games_go_on_with_another_concurrency(tmp_path: Path, program: Path) -> None:
    players = [codecup(program, "good", 99), "random"]
    event(tmp_path / "run", players, games=8, concurrency=1)
    log = tmp_path / "run" / GAMES
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:2]))
    result = event(tmp_path / "run", players, games=8, concurrency=3)
    assert result.standings.games == 8
    assert not left_behind(str(program))


def test_openings_are_refused_where_a_program_cannot_be_told_them(tmp_path: Path, program: Path) -> None:
    with pytest.raises(InputError, match="has no openings"):
        tournament("connect_four", [codecup(program, "good"), "random"], output=tmp_path / "run", nodes=1)


def test_nothing_is_left_of_a_killed_runner(tmp_path: Path, program: Path) -> None:
    """Not its workers, and not their programs."""
    command = [sys.executable, "-m", "evalsmith", "tournament", "connect_four", "--random-plies", "0", "--repeat"]
    command += ["--player", codecup(program, "slow", 0), "--player", "random", "--nodes", "1", "--games", "40"]
    command += ["-o", str(tmp_path / "run"), "--concurrency", "2"]
    runner = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    patience = time.monotonic() + 120
    while len(left_behind(str(program))) < 2 and time.monotonic() < patience:  # the runner itself, and a program
        time.sleep(0.05)
    time.sleep(0.3)
    runner.kill()
    runner.wait()
    while left_behind(str(program)) and time.monotonic() < patience:
        time.sleep(0.05)
    assert not left_behind(str(program))


def test_our_own_player_is_told_how_late_it_was_in_the_game_before() -> None:
    expected: list[float] = []

    def take(player: Player, limit: Limit, seed: int, logs: Path | None) -> Seat:
        seat = OwnSeat(player, limit, seed)

        def expect(seconds: float) -> None:
            expected.append(seconds)
            seat._lateness.expect(0.02 * len(expected))  # as if its moves had come late

        seat.expect_delay = expect  # type: ignore[method-assign]
        return seat

    players = tuple(parse_player(f"self;name={name}", FOUR) for name in "ab")
    worker = SeatWorker(Setting(FOUR, players, PlayLimit(base=60.0, nodes=10)), take)
    for half in (0, 1):
        worker.play(GameKey(0, "a", "b", 0, half), Opening(FOUR.start()))
    assert expected[:2] == [0.0, 0.0] and expected[2] == expected[3] > 0.0
