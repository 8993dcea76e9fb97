"""How fast Dr. Mario is: random playouts against the naive twin, with and without timing, and the evaluation.

Everything runs on one core, and seconds are the processor's, so that other programs disturb little. No library plays
Dr. Mario, so the naive twin of the tests is the only peer.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path

import numpy as np

from evalsmith.compile import Context, at, driver, pointer, reals_at
from evalsmith.games.contract import (
    BLEND,
    FIRST_FREE,
    OVER,
    PLAYER,
    SCALE,
    WEIGHTS,
    WIDTH,
    WORDS,
    chance_of,
    evaluate_of,
    moves_of,
    play_into,
    result_of,
    reveal_into,
    status_of,
)
from evalsmith.games.drmario import GAME, settings
from evalsmith.games.drmario.setup import start_from
from evalsmith.games.keys import mix

HERE = Path(__file__).resolve().parent
GAMES, NAIVE_GAMES, GREEDY_GAMES, ROUNDS = 4_000, 10, 200, 5
PROBABILITY = FIRST_FREE
SEED = np.uint64(7)
_STEP, _HALF, _LOW = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)


@driver("int64(int64[::1], uint64[::1], int64[::1], int64, uint64, int64)", floats=True)
def playouts(context, rows, buffer, games, seed, evaluating):
    """Random games from the first of three rows to their ends; the number of placements."""
    where, moves, words = pointer(context), pointer(buffer), context[WORDS]
    start, probability = pointer(rows), reals_at(context[PROBABILITY])
    placed, state, checksum = 0, seed, 0
    for _ in range(games):
        here, there = at(start, words), at(start, 2 * words)
        for word in range(words):
            here[word] = start[word]
        status = status_of(where, here)
        while status != OVER:
            state = mix(state, _STEP)
            if status == PLAYER:
                count = moves_of(where, here, moves)
                chosen = np.int64(((state & _LOW) * np.uint64(count)) >> _HALF)
                play_into(where, here, moves[chosen], there)
                placed += 1
            else:
                chance_of(where, here, probability)
                drawn = np.float64(state >> _HALF) / 4294967296.0
                outcome = 0
                while outcome < 8 and drawn >= probability[outcome]:
                    drawn -= probability[outcome]
                    outcome += 1
                reveal_into(where, here, outcome, there)
            here, there = there, here
            if evaluating != 0:
                checksum += evaluate_of(where, here)
            status = status_of(where, here)
    context[127] = checksum
    return placed


@driver("int64(int64[::1], uint64[::1], int64[::1], uint64)", floats=True)
def greedy(context, rows, buffer, seed):
    """Play the first of two rows to its end, each pill where the evaluation is best; the result."""
    where, here, moves, words = pointer(context), pointer(rows), pointer(buffer), context[WORDS]
    there, probability, state = at(here, words), reals_at(context[PROBABILITY]), seed
    status = status_of(where, here)
    while status != OVER:
        if status == PLAYER:
            best, chosen = -1_000_000, 0
            for i in range(moves_of(where, here, moves)):
                play_into(where, here, moves[i], there)
                over = status_of(where, there) == OVER
                value = result_of(where, there) if over else evaluate_of(where, there)
                if value > best:
                    best, chosen = value, moves[i]
            play_into(where, here, chosen, there)
        else:
            chance_of(where, here, probability)
            state = mix(state, _STEP)
            drawn = np.float64(state >> _HALF) / 4294967296.0
            outcome = 0
            while outcome < 8 and drawn >= probability[outcome]:
                drawn -= probability[outcome]
                outcome += 1
            reveal_into(where, here, outcome, there)
        for word in range(words):
            here[word] = there[word]
        status = status_of(where, here)
    return result_of(where, here)


def context() -> Context:
    """The game with its hand-set weights."""
    made, evaluation = GAME.context(evaluation=True), GAME.evaluation
    made.attach(WEIGHTS, evaluation.starting().reshape(-1))
    made.attach(BLEND, np.array(evaluation.blend, dtype=np.int32).reshape(-1))
    made.attach(PROBABILITY, np.zeros(GAME.max_outcomes, dtype=np.float64))
    made.row[SCALE], made.row[WIDTH] = evaluation.scale, evaluation.size
    return made


def our_playouts(text: str, games: int, *, evaluating: bool = False) -> tuple[int, float]:
    """The placements of random games, and the seconds of the best round."""
    made = context()
    rows = np.zeros(3 * GAME.words, dtype=np.uint64)
    rows[: GAME.words] = GAME.parse(text)
    buffer = np.zeros(GAME.max_moves, dtype=np.int64)
    taken, placed = [], 0
    for _ in range(ROUNDS):
        began = time.process_time()
        placed = playouts(made.row, rows, buffer, games, SEED, int(evaluating))
        taken.append(time.process_time() - began)
    return placed, min(taken)


def naive_rate(text: str) -> float:
    """Placements a second of the plain Python game of the tests."""
    place = HERE.parent / "tests" / "naive" / "drmario.py"
    spec = importlib.util.spec_from_file_location("naive_drmario", place)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    bottle = GAME.format(GAME.parse(text)).split()[0]
    began = time.process_time()
    placed = sum(module.random_game(seed, bottle) for seed in range(NAIVE_GAMES))
    return placed / (time.process_time() - began)


def greedy_games(level: int, games: int) -> tuple[int, float]:
    """How many bottles greedy play with the hand-set weights clears, and with how many pills on average."""
    made, buffer = context(), np.zeros(GAME.max_moves, dtype=np.int64)
    rows = np.zeros(2 * GAME.words, dtype=np.uint64)
    pills = []
    for game in range(games):
        rows[: GAME.words] = start_from(0x8988 + 97 * game & 0xFFFF, level)
        if greedy(made.row, rows, buffer, np.uint64(game)) > 0:
            pills.append(int(settings.pills(rows[GAME.words - 1])))
    return len(pills), float(np.mean(pills)) if pills else 0.0


def line(what: str, ours: float, other: float | None = None) -> None:
    """Our rate, the twin's, and the ratio."""
    compared = f"   naive twin {other:>8,.0f}/s   ratio {ours / other:8,.0f}" if other else ""
    print(f"{what:<44} {ours:>12,.0f}/s{compared}", flush=True)


def main() -> None:
    """Print one line a measurement."""
    for level in (0, 10, 20):
        text = f"seed:8988 level:{level}"
        placed, seconds = our_playouts(f"{text} speed:fast", GAMES)
        line(f"placements, fast mode, level {level}", placed / seconds, naive_rate(text))
    plain = seconds / placed
    for name, extra in (("low", ""), ("medium", ""), ("high", ""), ("high", " pills:300"), ("high", " pills:490")):
        timed, taken = our_playouts(f"seed:8988 level:10 speed:{name}{extra}", GAMES // 10)
        line(f"placements, speed {name}{extra}, level 10", timed / taken)
    placed, seconds = our_playouts("seed:8988 level:20 speed:fast", GAMES, evaluating=True)
    line("evaluations, level 20", 1 / ((seconds / placed - plain) / 2))
    for level in (9, 15):
        won, pills = greedy_games(level, GREEDY_GAMES)
        bottles = f"{won} of {GREEDY_GAMES} bottles of {4 * level + 4} viruses"
        print(f"greedy play with hand-set weights clears {bottles}, with {pills:.0f} pills on average")


if __name__ == "__main__":
    main()
