"""Ctrl-C that waits."""

from __future__ import annotations

import signal
import threading

import pytest

from evalsmith.run import Unbroken


def test_what_is_begun_is_finished_first() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), Unbroken():
        signal.raise_signal(signal.SIGINT)
        done.append("all")
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_inside_is_what_is_raised() -> None:
    with pytest.raises(ValueError, match="broken"), Unbroken():
        signal.raise_signal(signal.SIGINT)
        raise ValueError("broken")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_another_handler_and_another_thread_are_left_alone() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with Unbroken():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]
    with Unbroken():
        thread = threading.Thread(target=Unbroken().__enter__)
        thread.start()
        thread.join()
