"""A worker process: ``python -m evalsmith.arena.play.worker_process`` plays the games that `process_pool` asks for."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from evalsmith.arena.events.runner import warm
from evalsmith.arena.play.fast_path import prepare_names
from evalsmith.arena.play.referee import Rules
from evalsmith.arena.play.workers import SeatWorker, Setting
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.settings import Adjudication
from evalsmith.games import find_game
from evalsmith.games.opening import Opening
from evalsmith.players import parse_player
from evalsmith.players.limit import PlayLimit
from evalsmith.run import EvalsmithError

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Read the setting, then play each game that is asked for, until the input ends."""
    answers = _private_output()
    parent = os.getppid()
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != parent:
            return
    line = sys.stdin.buffer.readline()
    if not line:
        return
    request = json.loads(line)
    if request["core"] is not None:
        os.sched_setaffinity(0, {request["core"]})  # its programs inherit it

    worker: Any = None
    try:
        worker = _worker(request)
        for line in sys.stdin.buffer:
            entry = _play(worker, json.loads(line))
            answers.write(json.dumps({"entry": entry}, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")
            answers.flush()
    except EvalsmithError as error:
        answers.write(json.dumps({"error": str(error)}).encode() + b"\n")
        answers.flush()
    except BrokenPipeError:
        pass
    finally:
        if worker is not None:
            worker.close()


def _private_output() -> Any:
    """Standard output for answers alone: whatever else is printed goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


def _worker(request: dict[str, Any]) -> Any:

    game = find_game(request["game"])
    rules = {**request["rules"], "adjudication": Adjudication(**request["rules"]["adjudication"])}
    setting = Setting(
        game,
        tuple(parse_player(text, game) for _, text in request["players"]),
        PlayLimit(**request["limit"]),
        Rules(**rules),
        request["seed"],
        None if request["logs"] is None else Path(request["logs"]),
    )
    warm(setting)
    prepare_names(game)
    if request["core"] is not None and not setting.timed:
        _wait_for_whole_answers()
    gc.freeze()  # what is loaded by now stays
    return SeatWorker(setting)


def _wait_for_whole_answers() -> None:
    """Not to interrupt the program on our core with each line that it writes: it gives way when it has nothing to do.

    Its own policy stays as it was. Where clocks run, we rather hear of a move at once.
    """
    if sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _play(worker: Any, request: dict[str, Any]) -> Any:

    opening = Opening(np.array(request["start"], dtype=np.uint64), tuple(request["moves"]), request["text"])
    return worker.play(GameKey(*request["key"]), opening).to_json()


if __name__ == "__main__":
    main()
