"""A runner killed at any moment and started again plays exactly the planned games, none twice."""

from __future__ import annotations

import json
import os
import random
import signal
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.logged import logged
from evalsmith.arena.events.formats import Format
from evalsmith.arena.events.runner import EventRunner
from evalsmith.arena.play.workers import UNCHANGED, PairOptions, Setting
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, GameLog, read_log
from evalsmith.arena.results.played import Played
from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.opening import Opening
from evalsmith.players import parse_player
from evalsmith.run import Interrupted, RunFolder

FOUR = find_game("connect_four")


class MockWorker:
    """Games of a millisecond whose results depend on their names alone; some lines are long."""

    def __init__(self, pause: float = 0.001) -> None:
        self.pause = pause
        self.stopped = False

    def play(self, key: GameKey, opening: Opening, options: PairOptions = UNCHANGED) -> GameEntry:
        source = random.Random(str(key))
        time.sleep(self.pause * source.random())
        moves = [source.randrange(7) for _ in range(source.choice((5, 40, 3000)))]
        return logged(key, source.choice((-1, 0, 1)), opening=list(opening.moves), moves=moves)

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        pass


def setting(players: int) -> Setting:
    return Setting(FOUR, tuple(parse_player(f"random;name=p{i}", FOUR) for i in range(players)), Limit(nodes=1))


def run_event(
    folder: Path, form: Format, players: int, concurrency: int, make: Callable[[], Any] = MockWorker
) -> dict[GameKey, Any]:
    with RunFolder(folder, {"kind": "tournament"}) as run:
        runner = EventRunner(setting(players), form, [Opening(FOUR.start())], concurrency, make=make)
        runner.play(run)
    return read_log(folder / GAMES)


def in_a_child(work: Callable[[], object]) -> int:
    """Fork, so that a killed runner costs no start of Python."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return pid


def lines(folder: Path) -> list[dict[str, Any]]:
    found = []
    for line in (folder / GAMES).read_text().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


@pytest.mark.parametrize(
    ("form", "players"),
    [(Format("round-robin", 16), 5), (Format("swiss", 6, rounds=6), 9), (Format("knockout", 8), 12)],
    ids=lambda one: getattr(one, "kind", str(one)),
)
def test_killed_at_random_moments_and_resumed(tmp_path: Path, form: Format, players: int) -> None:
    """Fifty kills over the three formats, with another concurrency each time."""
    source = random.Random(players)
    whole = run_event(tmp_path / "whole", form, players, 2)
    log = tmp_path / "killed" / GAMES
    kills = at_work = 0
    for number in range(17):
        before = log.stat().st_size if log.exists() else 0
        pid = in_a_child(lambda: run_event(tmp_path / "killed", form, players, source.choice((1, 2, 3))))
        patience = time.monotonic() + 20
        # Some are killed before their first game, most of them just after one, in the middle of others.
        while number % 4 and (not log.exists() or log.stat().st_size == before) and time.monotonic() < patience:
            time.sleep(0.0005)
        time.sleep(0.006 * source.random())
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            break
        assert os.WIFSIGNALED(status), "the runner failed by itself"
        kills += 1
        at_work += log.exists() and log.stat().st_size > before
    games = run_event(tmp_path / "killed", form, players, 2)
    assert kills >= 10 and at_work >= 5
    counted = Counter(GameEntry.from_json(line).key for line in lines(tmp_path / "killed"))
    names = [f"p{i}" for i in range(players)]
    assert set(counted.values()) == {1}
    assert set(counted) == set(form.planned(names, Played(games.values()))) == set(whole)
    assert {key: entry.moves for key, entry in games.items()} == {key: entry.moves for key, entry in whole.items()}


def test_half_pairs_are_finished_first(tmp_path: Path) -> None:
    form = Format("match", 3)
    run_event(tmp_path, form, 2, 1)
    kept = [line for line in (tmp_path / GAMES).read_text().splitlines() if json.loads(line)["half"] == 0]
    (tmp_path / GAMES).write_text("\n".join(kept))  # the last line without its end
    run_event(tmp_path, form, 2, 1)
    assert [(entry["pair"], entry["half"]) for entry in lines(tmp_path)] == [
        (0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1),
    ]  # fmt: skip


def test_a_finished_event_plays_nothing(tmp_path: Path) -> None:
    form = Format("round-robin", 2)
    run_event(tmp_path, form, 3, 2)
    before = (tmp_path / GAMES).read_bytes()

    def refuse() -> Any:
        raise AssertionError

    run_event(tmp_path, form, 3, 2, make=refuse)
    assert (tmp_path / GAMES).read_bytes() == before


# ── Memory ──


class ShortGames(MockWorker):
    """Games of a few moves, at once; Python keeps shorter tuples for later use, and would seem to need more memory."""

    def play(self, key: GameKey, opening: Opening, options: PairOptions = UNCHANGED) -> GameEntry:
        return logged(key, 1 - key.pair % 3, moves=[key.pair % 7] * 25)


@pytest.mark.parametrize("form", [Format("match", 2000), Format("swiss", 1000, rounds=2)], ids=lambda one: one.kind)
def test_memory_does_not_grow_with_the_games(tmp_path: Path, form: Format) -> None:
    held: dict[int, int] = {}
    games = 0

    def look(*seen: Any) -> None:
        nonlocal games
        games += 1
        if games in (600, 3600):
            held[games] = tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        with RunFolder(tmp_path, {"kind": "tournament"}) as run:
            runner = EventRunner(setting(2), form, [Opening(FOUR.start())], 1, make=ShortGames)
            runner.play(run, watch=look)
    finally:
        tracemalloc.stop()
    assert games == 4000
    # An object for each of the 3,000 games between would be 200,000 bytes and more.
    assert held[3600] - held[600] < 20_000


# ── Ctrl-C ──


def interrupted(folder: Path, signals: list[tuple[float, int]]) -> tuple[int, int]:
    """Run a slow event in a child, send it signals, and give its exit code and the games that it kept."""

    def work() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            run_event(folder, Format("round-robin", 50), 3, 2, make=lambda: MockWorker(0.4))
        except Interrupted as error:
            os._exit(30 if f"saved {len(read_log(folder / GAMES))} of 300 games" in error.saved else 31)

    pid = in_a_child(work)
    for pause, number in signals:
        patience = time.monotonic() + 30
        while not (folder / GAMES).exists() or not lines(folder):
            assert time.monotonic() < patience
            time.sleep(0.005)
        time.sleep(pause)
        os.kill(pid, number)
    _, status = os.waitpid(pid, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1, len(lines(folder))


def test_one_ctrl_c_lets_the_running_games_end(tmp_path: Path) -> None:
    code, kept = interrupted(tmp_path, [(0.0, signal.SIGINT)])
    assert code == 30
    assert 2 <= kept <= 20
    assert kept == len(read_log(tmp_path / GAMES))


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_drops_them(tmp_path: Path, second: int) -> None:
    code, kept = interrupted(tmp_path, [(0.0, signal.SIGINT), (0.0, second)])
    assert code == 30
    assert 1 <= kept <= 20


def test_sigterm_alone_drops_them(tmp_path: Path) -> None:
    assert interrupted(tmp_path, [(0.0, signal.SIGTERM)])[0] == 30


# ── The log ──


def entry(pair: int, **more: Any) -> dict[str, Any]:
    game = {"pair": pair, "half": 0, "sides": ["a", "b"], "result": 1, "reason": "rule", "seconds": [0, 0]}
    return game | more


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 3), st.integers(0, 400))
def test_a_torn_last_line_is_removed(tmp_path: Path, whole: int, cut: int) -> None:
    """Wherever the kill came: whole games stay, half of one does not stay in the middle of the file."""
    path = tmp_path / GAMES
    lines = [json.dumps(entry(pair, moves=[1] * 50)).encode() + b"\n" for pair in range(4)]
    path.write_bytes(b"".join(lines[:whole]) + lines[whole][:cut])
    last = GameEntry.from_json(entry(9))
    with GameLog(path) as log:
        log.append(last)
    kept = whole + (cut >= len(lines[whole]) - 1)
    assert [key.pair for key in read_log(path)] == [*range(kept), 9]
    assert path.read_bytes() == b"".join(lines[:kept]) + json.dumps(last.to_json()).encode() + b"\n"


def test_a_torn_line_may_be_long_or_all_there_is(tmp_path: Path) -> None:
    path = tmp_path / GAMES
    good = json.dumps(entry(0)).encode() + b"\n"
    for before in (b"", good):
        path.write_bytes(before + b'{"moves": "' + b"\xff" * 200_000)
        with GameLog(path):
            pass
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"pair": -1},
        {"pair": "0"},
        {"half": 2},
        {"result": None},
        {"sides": ["a"]},
        {"sides": [1, 2]},
        {"seconds": 5},
        {"reason": 7},
        {"failed": 5},
        {"failed": [5]},
        {"failed": [{"side": 9}]},
        {"round": "x"},
    ],
)
def test_nonsense_is_no_game(tmp_path: Path, wrong: dict[str, Any]) -> None:
    path = tmp_path / GAMES
    path.write_text(json.dumps(entry(0) | wrong) + "\n" + json.dumps(entry(1)) + "\n[]\n5\n\xff\n")
    assert [key.pair for key in read_log(path)] == [1]


def test_of_two_lines_of_one_game_the_first_counts(tmp_path: Path) -> None:
    path = tmp_path / GAMES
    path.write_text("".join(json.dumps(entry(0, result=value)) + "\n" for value in (5, -5)))
    assert [one.result for one in read_log(path).values()] == [5]


def test_the_name_of_a_game_does_not_depend_on_its_half() -> None:
    first = GameEntry.from_json(entry(3)).key
    second = GameEntry.from_json(entry(3, half=1, sides=["b", "a"])).key
    assert first == GameKey(0, "a", "b", 3, 0) and second == first._replace(half=1)
    assert second.sides == ("b", "a")
