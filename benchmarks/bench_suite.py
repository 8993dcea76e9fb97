"""What suites cost besides the engine: CPU seconds of ours beside those of the program; and 100,000 positions opened.

The peer is a bare loop that writes the same commands to the same program and reads to ``bestmove``, in turns with ours:
what it spends itself is what pipes and the scheduler cost anybody. On a busy machine both grow alike.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import evalsmith as es
from evalsmith.suite.answers import Answers, judge, write_answers
from evalsmith.suite.store import Suite, SuitePosition, write_suite

POSITIONS, NODES, ROUNDS = 1500, 1000, 2
BUILT, DEPTH = 8, 12
LARGE = 100_000
OWN_GOAL, BUILD_GOAL, SECONDS_GOAL = 10.0, 5.0, 10.0  # percent, percent, CPU seconds
STOCKFISH = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


def usage(who: int) -> float:
    found = resource.getrusage(who)
    return found.ru_utime + found.ru_stime


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds of ours and of the programs that we started, for some work."""
    own, theirs = usage(resource.RUSAGE_SELF), usage(resource.RUSAGE_CHILDREN)
    work()
    return usage(resource.RUSAGE_SELF) - own, usage(resource.RUSAGE_CHILDREN) - theirs


def positions(folder: Path) -> Suite:
    """A suite of best moves from self-play: only that there are legal positions matters."""
    data = es.generate("chess", folder / "data", games=60, nodes=50, seed=5)
    words = data.read().words
    chosen = words[np.linspace(0, len(words) - 1, POSITIONS).astype(int)]
    game = es.find_game("chess")
    made = []
    for number, row in enumerate(chosen):
        moves = tuple(game.format_move(row, move) for move in game.moves(row))
        made.append(
            SuitePosition(game.format(row), f"p{number}", moves, tuple(-n for n in range(len(moves))), best=moves[:1])
        )
    return Suite(game, [one for one in made if one.moves], "positions")


def bare_loop(suite: Suite) -> None:
    """The same commands to one program, without anything around them."""
    assert STOCKFISH
    program = subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert program.stdin and program.stdout
    output = program.stdout.fileno()

    def ask(text: str, ends: re.Pattern[bytes]) -> None:
        os.write(program.stdin.fileno(), text.encode())  # type: ignore[union-attr]
        heard = b""
        while not ends.search(heard):
            heard += os.read(output, 1 << 16)

    ready, best = re.compile(rb"readyok\n"), re.compile(rb"bestmove [^\n]*\n")
    ask("uci\nsetoption name Threads value 1\nisready\n", ready)
    for one in suite.positions:
        ask("ucinewgame\nisready\n", ready)
        ask(f"position fen {one.text}\ngo nodes {NODES}\n", best)
    program.communicate(b"quit\n")


def run_cost(suite: Suite, folder: Path) -> None:
    """Our share of the CPU time of a run, and the bare loop's."""
    es.run_suite(suite, "uci:stockfish", nodes=10, output=folder / "warm")
    shares: dict[str, list[float]] = {"ours": [], "bare loop": []}
    for turn in range(ROUNDS):
        run = folder / f"run{turn}"
        own, theirs = measured(partial(es.run_suite, suite, "uci:stockfish", nodes=NODES, output=run))
        shares["ours"].append(100 * own / (own + theirs))
        own, theirs = measured(lambda: bare_loop(suite))
        shares["bare loop"].append(100 * own / (own + theirs))
    for name, found in shares.items():
        goal = f" (goal: at most {OWN_GOAL:g} %)" if name == "ours" else ""
        print(f"run, {len(suite)} positions at {NODES} nodes: {name} takes {min(found):.1f} % of the CPU time{goal}")


def build_cost(folder: Path) -> None:
    """Our share of the CPU time of a build, with choosing the positions."""

    def build(name: str, depth: int) -> None:
        es.build_suite(folder / "data", folder / name, player="uci:stockfish", depth=depth, positions=BUILT)

    build("first", 1)
    own, theirs = measured(lambda: build("built", DEPTH))
    share = 100 * own / (own + theirs)
    print(
        f"build, {BUILT} positions to depth {DEPTH}: ours takes {share:.1f} % of the CPU time "
        f"(goal: at most {BUILD_GOAL:g} %)"
    )


def large(suite: Suite, folder: Path) -> None:
    """A suite of many positions: opened, and two runs of it compared."""
    game, few, source = suite.game, list(suite.positions), np.random.default_rng(3)
    many = [few[number % len(few)] for number in range(LARGE)]
    write_suite(Suite(game, many), folder / "large.parquet")
    opened = measured(lambda: len(es.load_suite(folder / "large.parquet")))[0]
    for name in "ab":
        picks = source.geometric(0.3, LARGE)
        answers = [
            judge(game, one, {"move": one.moves[(pick - 1) % len(one.moves)]}, 275)
            for one, pick in zip(many, picks, strict=True)
        ]
        head = {"game": "chess", "player": name, "suite": "large", "fingerprint": "same", "limit": ""}
        (folder / name).mkdir()
        write_answers(Answers.of(answers), head, folder / name / "answers.parquet")
    compared = measured(lambda: str(es.compare_suites(folder / "a", folder / "b")))[0]
    print(
        f"{LARGE:,} positions: opened in {opened:.2f} s, two runs compared in {compared:.2f} s of CPU time "
        f"(goal: {SECONDS_GOAL:g} s)"
    )


def main() -> int:
    if STOCKFISH is None:
        print("stockfish is not installed, so nothing is measured", file=sys.stderr)
        return 1
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = positions(folder)
        run_cost(suite, folder)
        build_cost(folder)
        large(suite, folder)
    print(f"measured in {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
