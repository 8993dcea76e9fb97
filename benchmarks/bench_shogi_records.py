"""How fast files of shogi games are read, beside cshogi and python-shogi, all in one run on one core.

    python benchmarks/bench_shogi_records.py [--csa FILE]

Without a file it reads games of random moves that it writes itself. Seconds are those of the processor, so that
other work on the machine does not count. Ours is the whole way to columns, with every move checked on the board.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from evalsmith.games.shogi import GAME
from evalsmith.records import (
    Csa,
    Faults,
    Format,
    Ki2,
    Kif,
    Record,
    Usi,
    format_csa,
    format_ki2,
    format_kif,
    format_usi,
    open_bytes,
    write_csa,
)

GOALS = {"cshogi": 1.0, "python-shogi": 20.0}
SLICE = 150  # games that python-shogi and we read of the Japanese formats


def random_games(path: Path, count: int = 2000) -> None:
    """Games of random moves, some 110 plies each, with what floodgate writes of them."""
    choose = random.Random(1)
    made = []
    for number in range(1, count + 1):
        position, moves = GAME.start(), []
        for _ in range(choose.randint(80, 140)):
            legal = GAME.moves(position)
            if not legal:
                break
            moves.append(choose.choice(legal))
            position = GAME.play_unchecked(position, moves[-1])
        result = -30_000 * (1 - 2 * GAME.mover(position))
        players = f"black {number % 50}", f"white {number % 50}"
        made.append(
            Record("shogi", tuple(moves), result=result, ending="resigned", players=players, ratings=(1500, 1900))
        )
    write_csa(path, made)


def best(work: Callable[[], int], times: int = 4) -> float:
    """Games a second, in the best of a few runs."""
    rates = []
    for _ in range(times):
        began = time.process_time()
        games = work()
        rates.append(games / (time.process_time() - began))
    return max(rates)


def ours(known: Format, path: Path) -> float:
    """Our games a second."""
    return best(lambda: sum(len(batch) for batch in known.read_batches(path, Faults())))


def compare(name: str, rate: float, theirs: float | None, goal: float | None = None) -> None:
    """One line of the result."""
    if theirs is None:
        print(f"  {name:<34} not installed: no comparison")
        return
    aim = "" if goal is None else f"   goal {goal:g}"
    print(f"  {name:<34} {theirs:10,.0f} games/s   ratio {rate / theirs:8.2f}{aim}")


def cshogi_csa(text: str) -> float | None:
    try:
        import cshogi
    except ImportError:
        return None
    return best(lambda: len(cshogi.Parser.parse_str(text)))


def python_shogi(kind: str, texts: list[str], play: bool = False) -> float | None:
    """python-shogi's games a second; its parser of KIF does not play the moves, unlike that of CSA and ours."""
    try:
        import shogi
        from shogi import CSA, KIF
    except ImportError:
        return None
    parser = {"csa": CSA, "kif": KIF}[kind].Parser

    def work() -> int:
        for text in texts:
            parsed = parser.parse_str(text)[0]
            if play:
                board = shogi.Board(parsed["sfen"])
                for move in parsed["moves"]:
                    board.push_usi(move)
        return len(texts)

    return best(work, 2)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--csa", type=Path, help="a file of games in CSA, packed or not")
    chosen = options.parse_args().csa
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "games.csa"
        if chosen is None:
            random_games(path)
        else:
            with open_bytes(chosen) as packed, open(path, "wb") as file:
                shutil.copyfileobj(packed, file)
        rate = ours(Csa(), path)
        batches = list(Csa().read_batches(path, Faults()))
        games, plies = sum(map(len, batches)), sum(len(batch.moves) for batch in batches)
        size = path.stat().st_size
        print(f"CSA, {games:,} games, {plies:,} moves, {size / 1e6:.1f} MB: {rate:,.0f} games/s", end="")
        print(f", {rate * plies / games / 1e6:.2f} M moves/s, {rate * size / games / 1e6:.0f} MB/s")
        compare("cshogi, Parser.parse_str", rate, cshogi_csa(path.read_text("utf-8")), GOALS["cshogi"])
        records = list(islice((record for batch in batches for record in batch.records()), SLICE))
        compare(
            "python-shogi, CSA.Parser", rate, python_shogi("csa", [*map(format_csa, records)]), GOALS["python-shogi"]
        )
        for known, write, copies in ((Kif(), format_kif, 10), (Ki2(), format_ki2, 1), (Usi(), format_usi, 10)):
            texts = [write(record) for record in records]
            for encoding in ("utf-8", "cp932") if known.name == "kif" else ("utf-8",):
                path.write_bytes("".join(texts * copies).encode(encoding, "replace"))
                rate = ours(known, path)
                print(f"{known.name.upper()}, {encoding}, {len(texts) * copies:,} games: {rate:,.0f} games/s")
                if known.name == "kif":
                    played = python_shogi("kif", texts, play=True)
                    compare("python-shogi, KIF.Parser and board", rate, played)
                    alone = python_shogi("kif", texts)
                    compare("python-shogi, KIF.Parser alone", rate, alone, GOALS["python-shogi"])
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
