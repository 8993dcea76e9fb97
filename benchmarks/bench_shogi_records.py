"""How fast files of shogi games are read, beside cshogi, python-shogi and rsshogi, all in one run on one core.

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
from dataclasses import dataclass, replace
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
    Score,
    Sfen,
    Usi,
    format_csa,
    format_ki2,
    format_kif,
    format_usi,
    open_bytes,
    write_csa,
)

GOALS = {"cshogi": 1.0, "python-shogi": 20.0}
ROUNDS = 5  # turns of each reader
SLICE = 150  # games that others read of the Japanese formats; we read each of them so many times:
COPIES = 10
MAX_PLIES = 2000  # of a game that is given times


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
            Record("shogi", tuple(moves), result=result, termination="resigned", players=players, ratings=(1500, 1900))
        )
    write_csa(path, made)


@dataclass(frozen=True)
class Racer:
    """A reader and what it has to read; ``work`` gives the number of games. ``goal`` is our ratio to it."""

    name: str
    work: Callable[[], int] | None
    goal: float | None = None


def race(title: str, work: Callable[[], int], others: list[Racer], unit: str = "games") -> None:
    """Let all read in turns, so that they meet the same machine; the best turn of each counts."""
    racers = [Racer("ours", work), *(other for other in others if other.work is not None)]
    rates = dict.fromkeys((racer.name for racer in racers), 0.0)
    for _ in range(ROUNDS):
        for racer in racers:
            assert racer.work is not None
            began = time.process_time()
            games = racer.work()
            rates[racer.name] = max(rates[racer.name], games / (time.process_time() - began))
    print(f"{title}: {rates['ours']:,.0f} {unit}/s")
    for other in others:
        if other.work is None:
            print(f"  {other.name:<34} not installed: no comparison")
            continue
        aim = "" if other.goal is None else f"   goal {other.goal:g}"
        rate = rates[other.name]
        print(f"  {other.name:<34} {rate:10,.0f} {unit}/s   ratio {rates['ours'] / rate:8.2f}{aim}")


def ours(known: Format, path: Path) -> Callable[[], int]:
    """Our reader; it reads the file three times, because it is soon done."""
    return lambda: sum(len(batch) for _ in range(3) for batch in known.read_batches(path, Faults()))


def cshogi_csa(text: str) -> Racer:
    try:
        import cshogi
    except ImportError:
        return Racer("cshogi, Parser.parse_str", None)
    return Racer("cshogi, Parser.parse_str", lambda: len(cshogi.Parser.parse_str(text)), GOALS["cshogi"])


def python_shogi(kind: str, texts: list[str], play: bool = False) -> Racer:
    """python-shogi; its parser of KIF does not play the moves, unlike that of CSA and ours."""
    name = f"python-shogi, {kind.upper()}.Parser" + (" and board" if play else "")
    try:
        import shogi
        from shogi import CSA, KIF
    except ImportError:
        return Racer(name, None)
    parser = {"csa": CSA, "kif": KIF}[kind].Parser

    def work() -> int:
        for text in texts:
            parsed = parser.parse_str(text)[0]
            if play:
                board = shogi.Board(parsed["sfen"])
                for move in parsed["moves"]:
                    board.push_usi(move)
        return len(texts)

    return Racer(name, work, None if play else GOALS["python-shogi"])


def rsshogi(kind: str, texts: list[str]) -> Racer:
    try:
        from rsshogi.record import Record as Theirs
    except ImportError:
        return Racer("rsshogi", None)
    readers = {"kif": Theirs.from_kif_str, "ki2": Theirs.from_ki2_str, "csa": Theirs.from_csa_str}
    read = readers.get(kind, Theirs.from_usi_position)
    texts = [text.strip() for text in texts] if kind == "usi" else texts

    def work() -> int:
        for text in texts:
            read(text)
        return len(texts)

    return Racer("rsshogi", work)


def japanese(records: list[Record], path: Path) -> None:
    """KIF with and without times in two encodings, KI2, and USI."""
    clocks = tuple(Score(None, None, float(7 * second % 600)) for second in range(MAX_PLIES))
    timed = [replace(record, scores=clocks[: len(record.moves)]) for record in records]
    for name, known, write, games, encodings in (
        ("KIF", Kif(), format_kif, records, ("utf-8", "cp932")),
        ("KIF with times", Kif(), format_kif, timed, ("utf-8", "cp932")),
        ("KI2", Ki2(), format_ki2, records, ("utf-8", "cp932")),
        ("USI", Usi(), format_usi, records, ("utf-8",)),
    ):
        texts = [write(record) for record in games]
        others = [rsshogi(known.name, texts)]
        if known.name == "kif":
            others += [python_shogi("kif", texts), python_shogi("kif", texts[:40], play=True)]
        for encoding in encodings:
            path.write_bytes("".join(texts * COPIES).encode(encoding, "replace"))
            race(f"{name}, {encoding}, {len(texts) * COPIES:,} games", ours(known, path), others)


def positions(records: list[Record], path: Path) -> None:
    """Lists of positions in SFEN."""
    lines = []
    for record in records:
        position = GAME.start() if record.start is None else GAME.parse(record.start)
        for move in record.moves:
            lines.append(GAME.format(position))
            position = GAME.play_unchecked(position, move)
    path.write_text("\n".join(lines) + "\n")
    title = f"SFEN, {len(lines):,} positions"
    work = lambda: sum(len(batch) for batch in Sfen().read_position_batches(path, Faults()))  # noqa: E731
    race(title, work, [cshogi_sfen(lines)], unit="positions")


def cshogi_sfen(lines: list[str]) -> Racer:
    try:
        import cshogi
    except ImportError:
        return Racer("cshogi, Board.set_sfen", None)
    board = cshogi.Board()

    def work() -> int:
        for line in lines:
            board.set_sfen(line)
        return len(lines)

    return Racer("cshogi, Board.set_sfen", work)


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
        batches = list(Csa().read_batches(path, Faults()))
        games, plies = sum(map(len, batches)), sum(len(batch.moves) for batch in batches)
        records = list(islice((record for batch in batches for record in batch.records()), SLICE))
        texts = [*map(format_csa, records)]
        race(
            f"CSA, {games:,} games, {plies:,} moves, {path.stat().st_size / 1e6:.1f} MB",
            ours(Csa(), path),
            [cshogi_csa(path.read_text("utf-8")), python_shogi("csa", texts[:50]), rsshogi("csa", texts)],
        )
        japanese(records, path)
        positions(records[:60], path)
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
