"""Where the time of a search goes: how often it calls each function of the game, times what a call takes.

Calls are counted by the search in plain Python (``EVALSMITH_COMPILE=0``), which is the same search; the arguments of
some calls are kept, and the compiled functions are timed on them. What is left of the time of a node is the search
itself and its table. A function that runs again and again on a few hundred positions finds everything in the fast part
of the memory, so its share is a lower bound, and the rest an upper one.

Run by itself, this counts: ``EVALSMITH_COMPILE=0 python search_profile.py GAME NODES POSITION…`` prints JSON.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.compile import at, caller, driver, pointer
from evalsmith.compile.operations import FUNCTIONS
from evalsmith.engine import Limit, Searcher
from evalsmith.games import Game, Position, find_game
from evalsmith.games.contract import SIGNATURES, WORDS, evaluate_of

KEPT = 300  # calls of each function whose arguments are kept
ROUNDS, SECONDS = 5, 0.02
OF_POSITION = ("status", "mover", "check", "result", "key")
OF_MOVE = ("order", "capture_value", "slot")
LISTS = ("moves", "noisy")
EVALUATIONS = ("evaluate", "terms")  # fused, or by its terms


@dataclass(frozen=True)
class Share:
    """One function: calls a node of the search, and nanoseconds a call."""

    name: str
    calls: float
    nanoseconds: float

    @property
    def cost(self) -> float:
        """Nanoseconds a node."""
        return self.calls * self.nanoseconds


# ── Counting, in plain Python ───────────────────────────────────────────────────────────────────


class Counter:
    """Stands in a context for a function of the game, counts its calls, and keeps the arguments of some."""

    def __init__(self, name: str, function: Callable[..., Any], words: int) -> None:
        self.name, self.function, self.words = name, function, words
        self.calls, self.kept = 0, []
        self.source = random.Random(name)

    def __call__(self, position: Any, *others: Any) -> Any:
        self.calls += 1
        place = self.calls - 1 if self.calls <= KEPT else self.source.randrange(self.calls)
        if place < KEPT:
            row = [int(word) for word in position.array[position.start : position.start + self.words]]
            entry = {"position": row, **self._more(others)}
            self.kept[place : place + 1] = [entry]
        return self.function(position, *others)

    def _more(self, others: tuple[Any, ...]) -> dict[str, Any]:
        if self.name in OF_MOVE or self.name == "play":
            return {"move": int(others[0])}
        if self.name == "exchange":
            return {"move": int(others[0]), "least": int(others[1])}
        if self.name == "repeated":
            count = int(others[2])
            return {
                "keys": [int(others[0][i]) for i in range(count)],
                "checks": [int(others[1][i]) for i in range(count)],
            }
        return {}


def count(game: Game, positions: list[Position], nodes: int) -> dict[str, Any]:
    """What searches of some positions call."""
    searcher = Searcher(game, table_bytes=1 << 20)
    counters = []
    for slot, name in enumerate(SIGNATURES):
        place = int(searcher.context.row[slot])
        if place and name not in ("chance", "reveal"):
            counters.append(Counter(name, FUNCTIONS[place], game.words))
            searcher.context.bind(slot, counters[-1])
    visited = 0
    for position in positions:
        searcher.new_game()
        visited += searcher.think(position, Limit(nodes=nodes)).nodes
    return {"nodes": visited, "calls": {c.name: c.calls for c in counters}, "kept": {c.name: c.kept for c in counters}}


# ── Timing, compiled ────────────────────────────────────────────────────────────────────────────

_position_call = caller("int64(words)")
_move_call = caller("int64(words, int64)")
_exchange_call = caller("int64(words, int64, int64)")
_list_call = caller("int64(words, integers)")
_play_call = caller("void(words, int64, words)")
_null_move_call = caller("int64(words, words)")
_repeated_call = caller("int64(words, words, integers, int64)")


@driver("int64(int64[::1], int64, uint64[::1], int64, int64)")
def _time_position(context, slot, rows, count, rounds):
    words, first, total = context[WORDS], pointer(rows), 0
    for _ in range(rounds):
        for i in range(count):
            total += _position_call(context[slot], (at(first, i * words),))
    return total


@driver("int64(int64[::1], int64, uint64[::1], int64[::1], int64, int64)")
def _time_move(context, slot, rows, moves, count, rounds):
    words, first, total = context[WORDS], pointer(rows), 0
    for _ in range(rounds):
        for i in range(count):
            total += _move_call(context[slot], (at(first, i * words), moves[i]))
    return total


@driver("int64(int64[::1], int64, uint64[::1], int64[::1], int64[::1], int64, int64)")
def _time_exchange(context, slot, rows, moves, least, count, rounds):
    words, first, total = context[WORDS], pointer(rows), 0
    for _ in range(rounds):
        for i in range(count):
            total += _exchange_call(context[slot], (at(first, i * words), moves[i], least[i]))
    return total


@driver("int64(int64[::1], int64, uint64[::1], int64[::1], int64, int64)")
def _time_list(context, slot, rows, out, count, rounds):
    words, first, total = context[WORDS], pointer(rows), 0
    for _ in range(rounds):
        for i in range(count):
            total += _list_call(context[slot], (at(first, i * words), pointer(out)))
    return total


@driver("int64(int64[::1], int64, uint64[::1], int64[::1], uint64[::1], int64, int64)")
def _time_play(context, slot, rows, moves, child, count, rounds):
    words, first = context[WORDS], pointer(rows)
    for _ in range(rounds):
        for i in range(count):
            _play_call(context[slot], (at(first, i * words), moves[i], pointer(child)))
    return 0


@driver("int64(int64[::1], int64, uint64[::1], uint64[::1], int64, int64)")
def _time_null_move(context, slot, rows, child, count, rounds):
    words, first, total = context[WORDS], pointer(rows), 0
    for _ in range(rounds):
        for i in range(count):
            total += _null_move_call(context[slot], (at(first, i * words), pointer(child)))
    return total


@driver("int64(int64[::1], uint64[::1], int64, int64)")
def _time_evaluate(context, rows, count, rounds):
    words, first, total = context[WORDS], pointer(rows), 0
    for _ in range(rounds):
        for i in range(count):
            total += evaluate_of(pointer(context), at(first, i * words))
    return total


@driver("int64(int64[::1], int64, uint64[::1], uint64[::1], int64[::1], int64[::1], int64, int64)")
def _time_repeated(context, slot, rows, keys, checks, lengths, count, rounds):
    words, first, total = context[WORDS], pointer(rows), 0
    width = len(keys) // count
    for _ in range(rounds):
        for i in range(count):
            given = (at(first, i * words), at(pointer(keys), i * width), at(pointer(checks), i * width), lengths[i])
            total += _repeated_call(context[slot], given)
    return total


def nanoseconds(searcher: Searcher, name: str, kept: list[dict[str, Any]]) -> float:
    """What a call of a compiled function takes on kept arguments, the best of some rounds."""
    game, context = searcher.game, searcher.context
    row, slot, number = context.row, list(SIGNATURES).index(name), len(kept)
    rows = np.array([entry["position"] for entry in kept], dtype=np.uint64).reshape(-1)
    moves = np.array([entry.get("move", 0) for entry in kept], dtype=np.int64)
    out, child = np.zeros(game.max_moves, dtype=np.int64), np.zeros(game.words, dtype=np.uint64)
    if name in OF_POSITION:
        run = partial(_time_position, row, slot, rows, number)
    elif name in OF_MOVE:
        run = partial(_time_move, row, slot, rows, moves, number)
    elif name == "exchange":
        least = np.array([entry["least"] for entry in kept], dtype=np.int64)
        run = partial(_time_exchange, row, slot, rows, moves, least, number)
    elif name in LISTS:
        run = partial(_time_list, row, slot, rows, out, number)
    elif name == "play":
        run = partial(_time_play, row, slot, rows, moves, child, number)
    elif name == "null_move":
        run = partial(_time_null_move, row, slot, rows, child, number)
    elif name in EVALUATIONS:
        run = partial(_time_evaluate, row, rows, number)
    else:
        lengths = np.array([len(entry["keys"]) for entry in kept], dtype=np.int64)
        keys = np.zeros((number, int(lengths.max()) + 1), dtype=np.uint64)
        checks = np.zeros(keys.shape, dtype=np.int64)
        for i, entry in enumerate(kept):
            keys[i, : lengths[i]], checks[i, : lengths[i]] = entry["keys"], entry["checks"]
        flat = keys.reshape(-1), checks.reshape(-1)
        run = partial(_time_repeated, row, slot, rows, *flat, lengths, number)
    rounds, taken = 1, _seconds(run, 1)
    while taken < SECONDS:
        rounds *= 2
        taken = _seconds(run, rounds)
    return min(_seconds(run, rounds) for _ in range(ROUNDS)) / (rounds * number) * 1e9


def _seconds(run: Callable[[int], int], rounds: int) -> float:
    began = time.process_time()
    run(rounds)
    return time.process_time() - began


def shares(game: Game, positions: list[Position], nodes: int) -> list[Share]:
    """What each function of the game costs a node of the search, dearest first."""
    command = [sys.executable, str(Path(__file__).resolve()), game.name, str(nodes), *map(game.format, positions)]
    ran = subprocess.run(
        command, env=os.environ | {"EVALSMITH_COMPILE": "0"}, stdout=subprocess.PIPE, text=True, check=True
    )
    found = json.loads(ran.stdout)
    searcher = Searcher(game, table_bytes=1 << 20)
    made = [
        Share(name, calls / found["nodes"], nanoseconds(searcher, name, found["kept"][name]))
        for name, calls in found["calls"].items()
        if calls and name != "phase"  # a part of the evaluation by terms
    ]
    return sorted(made, key=lambda share: -share.cost)


def main() -> None:
    game = find_game(sys.argv[1])
    print(json.dumps(count(game, [game.parse(text) for text in sys.argv[3:]], int(sys.argv[2]))))


if __name__ == "__main__":
    main()
