"""Many questions to one program, each a game of its own: a kernel asks as long as nothing but answers comes.

A program that searches a thousand nodes answers in a millisecond, and between two answers the memory is cold: what
Python does there costs a good part of the program's own work. Silence, an end, standard error or an answer of another
form are left to the seat, which goes on from there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TypeVar

import numpy as np

from evalsmith.compile import COMPILED
from evalsmith.players.uci_seat import Question, Spoken, UciSeat, UnderWay
from evalsmith.processes.system_calls import system_functions
from evalsmith.protocols.client import asking_kernel as kernel

T = TypeVar("T")


class Asker:
    """Asks the program of a seat; it belongs to one thread."""

    def __init__(self) -> None:
        self._said = np.zeros(kernel.SAID_BYTES // 8, dtype=np.uint64)
        self._polled = np.zeros(3, dtype=np.uint64)
        self._run = np.zeros(kernel.NUMBERS, dtype=np.int64)
        self._run[: kernel.IN] = system_functions()
        self._run[kernel.SAID] = self._said.ctypes.data

    def ask(
        self,
        seat: Callable[[], UciSeat],
        questions: Sequence[Question],
        attempt: Callable[[Question, UnderWay | None], T],
    ) -> list[Spoken | T]:
        """The answers in the order of the questions.

        ``attempt`` gets the answer to one question by the seat, as `UciSeat.ask_alone` does; where that fails it may
        answer otherwise, and have another seat before the next one.
        """
        found: list[Spoken | T] = []
        while len(found) < len(questions):
            now, rest = seat(), questions[len(found) :]
            pipes = now.pipes_alone(rest[0]) if COMPILED and sys.platform == "linux" else None
            under_way: UnderWay | None = None
            if pipes is not None:
                told = now.is_chess960
                alike = list(takewhile(lambda one, told=told: one.chess960 == told, rest))  # type: ignore[misc]
                answers, under_way = self._ask_kernel(now, pipes, alike)
                found += answers
            if pipes is None or under_way is not None:
                found.append(attempt(questions[len(found)], under_way))
        return found

    def _ask_kernel(
        self, seat: UciSeat, pipes: tuple[int, int, int, int], questions: Sequence[Question]
    ) -> tuple[list[Spoken], UnderWay | None]:
        """The answers until it is time to look around, and what is under way where somebody must look after it."""
        run, (new, before) = self._run, seat.commands_alone
        texts = [before + one.command for one in questions]
        sizes = np.array([len(text) for text in texts], dtype=np.int64)
        rows = np.zeros((len(texts), kernel.QUESTION), dtype=np.int64)
        rows[:, kernel.BEGIN], rows[:, kernel.BYTES] = np.cumsum(sizes) - sizes, sizes
        text, announcement = np.frombuffer(b"".join(texts), np.uint8), np.frombuffer(new, np.uint8)
        run[kernel.PIPES] = pipes
        run[kernel.NEW], run[kernel.NEW_BYTES] = announcement.ctypes.data, len(new)
        run[kernel.TEXT], run[kernel.NUMBER], run[kernel.HEARD] = text.ctypes.data, 0, 0
        why = kernel.ask_all(run, rows, self._polled)
        said, count = self._said.view(np.uint8)[: run[kernel.HEARD]].tobytes(), int(run[kernel.NUMBER])
        answers = [_spoken(said, *row) for row in rows[:count, kernel.SPOKEN :].tolist()]
        if why == kernel.PAUSED:
            return answers, None
        searching = bool(run[kernel.STEP] == kernel.SEARCHING)
        sent = max(0, int(run[kernel.SENT])) if why == kernel.UNASKED else sys.maxsize
        rest = (texts[count] if searching else new)[sent:]
        return answers, UnderWay(searching, rest, float(run[kernel.BEGAN]) / 1e9, said[run[kernel.FROM] :])


def _spoken(said: bytes, begin: int, line: int, nanoseconds: int) -> Spoken:
    end = said.index(b"\n", line)
    return Spoken(said[line:end].removeprefix(b"bestmove").strip(), said[begin:line], nanoseconds / 1e9)
