"""Items run in threads or processes here: all of them, in order, within a window, and nothing is left behind."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.run import EvalsmithError, InputError
from evalsmith.scale import How, Job, roster, run
from evalsmith.scale.here import run_on_threads
from evalsmith.scale.order import Window


class Squarer:
    """Squares numbers; those below zero kill the process once, -99 always, and text is refused."""

    def __init__(self, folder: str = "") -> None:
        self.folder, self.stopped = folder, False

    def do(self, item: Any, report: Callable[[int], None]) -> Any:
        if isinstance(item, str):
            raise InputError(f"{item} is no number")
        if item == -99 or (item < 0 and self._first_time(item)):
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.001 * (item % 3))
        report(1)
        return item * item

    def _first_time(self, item: int) -> bool:
        try:
            (Path(self.folder) / str(item)).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        pass


HERE = "scale.test_running:Squarer"


def jobs(folder: Path) -> list[Job]:
    return [Job(HERE, (str(folder),)), Job(HERE, (str(folder),), programs=True)]


@pytest.fixture(autouse=True)
def _tests_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    tests = str(Path(__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", tests + os.pathsep + os.environ.get("PYTHONPATH", ""))
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("kind", [0, 1], ids=["threads", "processes"])
def test_results_come_in_the_order_of_the_items(tmp_path: Path, concurrency: int, kind: int) -> None:
    units: list[int] = []
    how = How(concurrency, report=units.append)
    found = list(run(jobs(tmp_path)[kind], range(40), how))
    assert found == [(i, i * i) for i in range(40)]
    assert sum(units) == 40


@pytest.mark.parametrize("kind", [0, 1], ids=["threads", "processes"])
def test_an_error_of_an_item_is_raised_here(tmp_path: Path, kind: int) -> None:
    with pytest.raises(InputError, match="seven is no number"):
        list(run(jobs(tmp_path)[kind], [1, 2, "seven", 3], How(2)))


def test_an_item_whose_process_dies_is_done_again(tmp_path: Path) -> None:
    items = [1, -2, 3, -4, 5]
    assert list(run(jobs(tmp_path)[1], items, How(2))) == [(i, i * i) for i in items]


def test_an_item_that_kills_every_process_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvalsmithError, match=r"-99 ended 3 times, with signal 9"):
        list(run(jobs(tmp_path)[1], [1, -99], How(1)))


def test_no_more_items_are_open_than_the_window_has(tmp_path: Path) -> None:
    """The first item waits until all others that may begin have: the window bounds what is done ahead of it."""
    given: list[int] = []
    release = threading.Event()

    class Waiter(Squarer):
        def do(self, item: Any, report: Callable[[int], None]) -> Any:
            if item == 0:
                assert release.wait(60)
            return item

    def items() -> Iterator[int]:
        for i in range(50):
            given.append(i)
            yield i

    results = run_on_threads(Waiter, items(), How(2, window=6))
    threading.Timer(0.3, lambda: (given.append(-1), release.set())).start()
    assert [result for _, result in results] == list(range(50))
    assert given.index(-1) == 6


def test_items_that_depend_on_results_wait_for_them(tmp_path: Path) -> None:
    """An item None says that nothing can begin before the next result is committed."""
    committed: list[int] = []

    def items() -> Iterator[int | None]:
        for i in range(10):
            while len(committed) < i - 1:
                yield None
            yield i

    for item, _ in run(jobs(tmp_path)[0], items(), How(4)):
        committed.append(item)
    assert committed == list(range(10))


@pytest.mark.parametrize("kind", [0, 1], ids=["threads", "processes"])
def test_when_no_new_items_may_begin_those_under_way_are_finished(tmp_path: Path, kind: int) -> None:
    found: list[int] = []
    for item, _ in run(jobs(tmp_path)[kind], range(10_000), How(2, window=50, going=lambda: len(found) < 5)):
        found.append(item)
    assert found == list(range(len(found)))
    assert 5 <= len(found) < 60


def test_leaving_early_stops_the_workers() -> None:
    made: list[Squarer] = []

    def make() -> Squarer:
        made.append(Squarer())
        return made[-1]

    for item, _ in run_on_threads(make, range(1000), How(3)):
        if item == 4:
            break
    assert made and all(worker.stopped for worker in made)


@pytest.mark.parametrize("kind", [0, 1], ids=["threads", "processes"])
def test_what_workers_did_is_one_event_at_the_end_and_how_many_there_are_is_shown(tmp_path: Path, kind: int) -> None:
    events: list[dict[str, Any]] = []
    crews: list[str] = []
    how = How(2, event=lambda name, **fields: events.append({"event": name, **fields}), crew=crews.append)
    assert len(list(run(jobs(tmp_path)[kind], range(20), how))) == 20
    assert [event["event"] for event in events] == ["workers"]
    assert sum(worker["done"] for worker in events[0]["workers"]) == 20
    assert {"host", "doing", "load", ("thread", "pid")[kind]} <= set(events[0]["workers"][0])
    assert crews == ["1 worker", "2 workers"]


def test_what_workers_do_is_an_event_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "EVENT_EVERY", 0.0)
    found: list[str] = []
    how = How(1, event=lambda name, **fields: found.extend(one["doing"] for one in fields["workers"]))
    list(run(jobs(tmp_path)[0], range(1, 30), how))
    assert len(found) > 2
    assert {name for name in found if name} <= {str(item) for item in range(1, 30)}


def test_a_process_that_dies_is_an_event(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = []
    how = How(1, event=lambda name, **fields: events.append({"event": name, **fields}))
    list(run(jobs(tmp_path)[1], [1, -2, 3], how))
    lost = [event for event in events if event.get("what") == "lost"]
    assert [(event["reason"], event["doing"]) for event in lost] == [("signal 9", "-2")]


@pytest.mark.parametrize("kind", [0, 1], ids=["threads", "processes"])
def test_where_the_order_does_not_matter_no_result_waits_for_an_earlier_one(tmp_path: Path, kind: int) -> None:
    """The first item takes until the others are done."""
    release = tmp_path / "release"
    job = Job("scale.test_running:Patient", (str(release),), programs=bool(kind))
    found = []
    for item, _ in run(job, range(6), How(2, ordered=False)):
        found.append(item)
        if len(found) == 5:
            release.touch()
    assert found[-1] == 0 and sorted(found) == list(range(6))


class Patient(Squarer):
    """Does item 0 when a file is there."""

    def do(self, item: Any, report: Callable[[int], None]) -> Any:
        deadline = time.monotonic() + 60
        while item == 0 and not Path(self.folder).exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        return item


class Core(Squarer):
    """Says on which cores it may run."""

    def do(self, item: Any, report: Callable[[int], None]) -> Any:
        return sorted(os.sched_getaffinity(0)), os.getpid()


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system pins nothing")
@pytest.mark.parametrize("pin", [True, False])
def test_light_workers_are_threads_and_stay_on_a_core_with_their_programs(pin: bool) -> None:
    before = sorted(os.sched_getaffinity(0))
    job = Job("scale.test_running:Core", programs=True, light=True)
    found = [result for _, result in run(job, range(4), How(2, pin=pin))]
    assert all(len(allowed) == 1 for allowed, _ in found) if pin else all(allowed == before for allowed, _ in found)
    assert {process for _, process in found} == {os.getpid()}
    assert sorted(os.sched_getaffinity(0)) == before


def test_a_window_takes_back_only_what_was_given_last() -> None:
    window = Window(range(10), 4, lambda: True)
    assert [number for number, _ in window.new_items()] == [0, 1, 2, 3]
    window.drop([3, 2])
    window.put(1, "b")
    assert list(window.committed()) == []
    window.put(0, "a")
    assert list(window.committed()) == [(0, "a"), (1, "b")]
    assert window.open == 0


def test_games_weights_and_players_survive_pickling() -> None:
    game = find_game("othello")
    assert pickle.loads(pickle.dumps(game)) is game
    ours = parse_player("hand-set;nodes=5;name=a", game)
    copy = pickle.loads(pickle.dumps(ours))
    assert (copy.name, copy.limit, copy.weights.digest) == ("a", ours.limit, ours.weights.digest)
    moved = pickle.dumps(parse_player("random", game))
    assert len(moved) < 10_000  # a random mover takes no weights along
    assert pickle.loads(moved).weights.digest == parse_player("random", game).weights.digest
