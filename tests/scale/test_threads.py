"""Threads give every result, and leave nothing running behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalsmith.scale import cores, interruptible, on_threads


class Stop:
    """A stop that counts its calls and lets waiting work end."""

    def __init__(self) -> None:
        self.calls = 0
        self.flag = threading.Event()

    def __call__(self) -> None:
        self.calls += 1
        self.flag.set()

    def wait(self) -> None:
        assert self.flag.wait(300), "nobody stopped the work"


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("concurrency", [0, 1, 2, 7, 40])
def test_every_item_comes_with_its_result_once(concurrency: int) -> None:
    stop = Stop()
    pairs = list(on_threads(lambda x: x * x, range(30), concurrency, stop))
    assert sorted(pairs) == [(x, x * x) for x in range(30)]
    assert stop.calls == 0


def test_nothing_to_do_is_done() -> None:
    assert list(on_threads(lambda x: x, [], 3, Stop())) == []


def test_items_are_worked_on_at_the_same_time() -> None:
    meeting = threading.Barrier(3, timeout=300)

    def meet(_: int) -> int:
        meeting.wait()
        return threading.get_ident()

    threads = {thread for _, thread in on_threads(meet, range(3), 3, Stop())}
    assert len(threads) == 3
    assert threading.get_ident() not in threads, "the main thread waits for Ctrl-C"


def test_items_are_taken_one_at_a_time_and_as_late_as_possible() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    stop = Stop()
    results = on_threads(lambda x: x if x < 3 else stop.wait(), items(), 2, stop)
    assert sorted(next(results)[0] for _ in range(3)) == [0, 1, 2]
    results.close()
    assert taken == [0, 1, 2, 3, 4]


def test_leaving_early_stops_and_waits() -> None:
    stop = Stop()
    ended: list[int] = []

    def work(x: int) -> None:
        if x:
            stop.wait()
            ended.append(x)

    for item, _ in on_threads(work, range(100), 3, stop):
        assert item == 0
        break
    assert stop.calls == 1
    assert ended != [], "the others were waited for"
    assert len(ended) <= 3


@pytest.mark.parametrize("error", [ValueError("broken"), KeyboardInterrupt("in a thread"), StopIteration("odd")])
def test_an_error_in_a_thread_is_raised_here(error: BaseException) -> None:
    stop = Stop()

    def work(x: int) -> int:
        if x == 1:
            raise error
        stop.wait()
        return x

    # Python turns a StopIteration that leaves a generator into a RuntimeError.
    with pytest.raises(RuntimeError if isinstance(error, StopIteration) else type(error)) as caught:
        list(on_threads(work, range(10), 2, stop))
    assert error in (caught.value, caught.value.__cause__)
    assert stop.calls == 1


def test_an_error_of_the_items_is_raised_here() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("no more")

    stop = Stop()
    with pytest.raises(ValueError, match="no more"):
        list(on_threads(lambda x: x, items(), 2, stop))
    assert stop.calls == 1


def test_an_error_where_the_results_are_used_stops_the_work() -> None:
    stop = Stop()

    def use() -> None:
        for item, _ in on_threads(lambda x: stop.wait() if x else None, range(10), 2, stop):
            raise ValueError(f"cannot use {item}")

    with pytest.raises(ValueError, match="cannot use 0"):
        use()
    assert stop.calls == 1


@pytest.mark.parametrize("begun", [True, False])
def test_an_interrupt_while_threads_begin_leaves_none(monkeypatch: pytest.MonkeyPatch, begun: bool) -> None:
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        if begun:
            start(thread)
        raise KeyboardInterrupt

    stop = Stop()
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        interruptible(stop.wait, stop)
    assert stop.calls == 1


def test_one_piece_of_work_beside_the_main_thread() -> None:
    stop = Stop()
    assert interruptible(threading.get_ident, stop) != threading.get_ident()
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0, stop)
    assert stop.calls == 1


def test_there_is_a_core() -> None:
    assert 1 <= cores() <= os.cpu_count()


# ── Ctrl-C ──────────────────────────────────────────────────────────────────────────────────────

SPIN = """
import os, signal, sys, threading
import numpy as np
from evalsmith.scale import interruptible, on_threads
sys.path.insert(0, sys.argv[2])
from compile_cases.operations import BEGUN, FLAG, wait_for_flag

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background hands down that it is ignored
flags = np.zeros((2, 2), dtype=np.int64)

def stop():
    flags[:, FLAG] = 1

def spin(row):
    return wait_for_flag(row, 2**62)

def tell():
    while not flags[: 2 if sys.argv[1] == "on_threads" else 1, BEGUN].all():
        pass
    print("running", flush=True)

teller = threading.Thread(target=tell)
teller.start()
try:
    if sys.argv[1] == "on_threads":
        list(on_threads(spin, list(flags), 2, stop))
    else:
        interruptible(lambda: spin(flags[0]), stop)
except KeyboardInterrupt:
    teller.join()
    print("interrupted", flags[:, FLAG].tolist(), threading.active_count(), flush=True)
"""


@pytest.mark.parametrize("way", ["interruptible", "on_threads"])
def test_ctrl_c_stops_kernels(way: str) -> None:
    command = [sys.executable, "-c", SPIN, way, str(Path(__file__).parents[1])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        try:
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert said == "interrupted [1, 1] 1\n"
    assert process.returncode == 0


def test_a_thread_that_no_interrupt_reaches_works_itself() -> None:
    found: list[bool] = []
    thread = threading.Thread(
        target=lambda: found.append(interruptible(threading.get_ident, lambda: None) == threading.get_ident())
    )
    thread.start()
    thread.join()
    assert found == [True]
