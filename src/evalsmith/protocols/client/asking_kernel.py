"""A kernel that asks a program one question after another through its pipes, until something else than answers comes.

Each question is a game of its own: a new game is announced, the program says that it is ready, and then it is asked.
`evalsmith.players.asking` is the Python around it.
"""

from __future__ import annotations

import select

import numpy as np

from evalsmith.compile import Integers, Words, caller, clock, driver, helper, int64, pointer, uint64, words_at
from evalsmith.protocols.client.uci_kernel import answer_in, ready_in

SAID_BYTES, _LEAST_ROOM = 1 << 18, 1 << 15  # for what the program says in one run, and about one question
_MAX_NANOSECONDS = 100_000_000  # that a run, or one answer, may take: what is slower needs no kernel
_TICK = _MAX_NANOSECONDS // 1_000_000

# The numbers that a run needs: addresses of the system's functions, pipes, texts, and what was said.
WRITE, READ, POLL, IN, _OUT, _ERRORS, _DEATH, NEW, NEW_BYTES, TEXT, SAID = range(11)
# Where a run has got to: the question, its step, the bytes of it that were sent and when, and what was said until now.
NUMBER, STEP, SENT, BEGAN, FROM, HEARD, NUMBERS = range(11, 18)
PIPES = slice(IN, _DEATH + 1)
ANNOUNCING, SEARCHING = 0, 1
# Of each question: where its text begins, and its bytes; where its answer begins in what was said, its line, its time.
BEGIN, BYTES, SPOKEN, LINE, TIME, QUESTION = range(6)

# Why a run ends: nothing is left or it is time to look around, or a text was not sent or not answered.
PAUSED, UNASKED, UNANSWERED = range(3)

_POLLIN, _EVENTS, _RETURNED = np.uint64(select.POLLIN), np.uint64(32), np.uint64(48)

_transfer = caller("int64(int64, words, int64)")
_poll = caller("int32(words, int64, int64)")


@helper("int64(integers, int64, int64)")
def _send(run: Integers, address: int, size: int) -> int:
    """Write a text; 0 if not all of it could be written."""
    run[FROM] = run[HEARD]
    run[SENT] = _transfer(run[WRITE], (run[IN], words_at(address), size))
    run[BEGAN] = clock()
    return 1 if run[SENT] == size else 0


@helper("int64(integers, words)")
def _hear(run: Integers, polled: Words) -> int:
    """Read until there is the answer to this step, and where its line begins; -1 for anything else that may happen."""
    while clock() - run[BEGAN] <= _MAX_NANOSECONDS:
        for i in range(3):
            polled[i] = uint64(run[_OUT + i]) | _POLLIN << _EVENTS
        if _poll(run[POLL], (polled, int64(3), int64(_TICK))) != 1 or polled[0] >> _RETURNED != _POLLIN:
            return -1
        heard = run[HEARD]
        got = _transfer(run[READ], (run[_OUT], words_at(run[SAID] + heard), SAID_BYTES - heard))
        if got <= 0:
            return -1
        run[HEARD] = heard + got
        said = words_at(run[SAID])
        line = (
            ready_in(said, run[FROM], heard + got)
            if run[STEP] == ANNOUNCING
            else answer_in(said, run[FROM], heard + got)
        )
        if line >= 0:
            return line
    return -1


@driver("int64(int64[::1], int64[:,::1], uint64[::1])")
def ask_all(run: Integers, questions: Integers, polled: Words) -> int:
    """Ask the questions from a number on; their rows get the answers, and the result says why it ends."""
    here, entered = pointer(run), clock()
    for number in range(run[NUMBER], len(questions)):
        if clock() - entered > _MAX_NANOSECONDS or SAID_BYTES - run[HEARD] < _LEAST_ROOM:
            return PAUSED
        run[STEP] = ANNOUNCING
        if _send(here, run[NEW], run[NEW_BYTES]) == 0:
            return UNASKED
        if _hear(here, pointer(polled)) < 0:
            return UNANSWERED
        run[STEP] = SEARCHING
        if _send(here, run[TEXT] + questions[number, BEGIN], questions[number, BYTES]) == 0:
            return UNASKED
        line = _hear(here, pointer(polled))
        if line < 0:
            return UNANSWERED
        questions[number, SPOKEN], questions[number, LINE] = run[FROM], line
        questions[number, TIME] = clock() - run[BEGAN]
        run[NUMBER] = number + 1
    return PAUSED
