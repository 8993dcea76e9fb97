"""From files to datasets and to text, one core: PGN beside python-chess and pgn-extract, WTHOR, bytes, memory, exports.

python benchmarks/bench_data.py [--pgn FILE] [--epd FILE] [--wthor FOLDER]

Without files it makes games of random moves, which change more from ply to ply than real ones. Seconds are those of the
processor. Kernels are loaded before the clock starts.
"""

from __future__ import annotations

import argparse
import io
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.games import OVER, Game, find_game
from evalsmith.games.othello.rules import PASS
from evalsmith.games.registry import game_names
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.replay import replay
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.exporting import export_dataset
from evalsmith.positions.transform.sampling import sample
from evalsmith.records import Faults, Record, Wthor, open_bytes, write_pgn

GOALS = {
    "python-chess": 30.0,
    "pgn-extract": 1.2,
    "WTHOR games/s": 100_000,
    "in order": 16.0,
    "shuffled": 40.0,
    "exported positions/s": 200_000,
}
EXPORTED_GAMES = 400  # of self-play with 10 nodes a move
TEXT_FORMATS = ("csv", "jsonl", "bracket", "pipe", "c9")
MOST_MEGABYTES = 1000
PEER_GAMES = 600  # that python-chess reads
LARGER = 8  # times the file, to see whether memory grows with it
PGN_EXTRACT = shutil.which("pgn-extract") or shutil.which("/usr/games/pgn-extract")
MEMORY = """
import resource, sys
from pathlib import Path
from evalsmith.positions.importing.games import import_games
rows = import_games([Path(sys.argv[1])], Path(sys.argv[2]), dedup=True).rows()
print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def random_pgn(path: Path, count: int = 1500) -> None:
    """Games of random moves, some 80 plies each."""
    chess, choose, made = find_game("chess"), random.Random(1), []
    for number in range(count):
        position, moves = chess.start(), []
        for _ in range(choose.randint(60, 100)):
            if not (legal := chess.moves(position)):
                break
            moves.append(choose.choice(legal))
            position = chess.play_unchecked(position, moves[-1])
        made.append(Record("chess", tuple(moves), result=0, ratings=(2000, 2100), event=f"Random {number}"))
    write_pgn(path, made)


def random_wthor(folder: Path, count: int = 4000) -> None:
    """A year of random games, each ten times."""
    othello, choose, games = find_game("othello"), random.Random(1), []
    for _ in range(count // 10):
        position, codes = othello.start(), b""
        while othello.status(position) != OVER:
            move = choose.choice(othello.moves(position))
            codes += b"" if move == PASS else bytes([10 * (move // 8 + 1) + move % 8 + 1])
            position = othello.play_unchecked(position, move)
        games.append(struct.pack("<HHHBB", 0, 0, 0, 32, 32) + codes.ljust(60, b"\0"))
    header = struct.pack("<4BiHH4B", 20, 1, 1, 1, 10 * len(games), 0, 2001, 8, 0, 22, 0)
    (folder / "WTH_2001.wtb").write_bytes(header + b"".join(games) * 10)


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The best of some runs."""
    best = 1e9
    for _ in range(times):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def against_python_chess(text: str) -> float:
    """Games a second that python-chess reads and walks through."""
    import chess.pgn

    stream, games, began = io.StringIO(text), 0, time.process_time()
    while games < PEER_GAMES and (game := chess.pgn.read_game(stream)) is not None:
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
        games += 1
    return games / (time.process_time() - began)


def against_pgn_extract(path: Path, games: int) -> float:
    """Games a second that pgn-extract writes as EPD."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(PGN_EXTRACT), "-s", "-Wepd", str(path)], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return games / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def bytes_each(dataset: Path) -> float:
    """Bytes a position of a dataset."""
    return sum(part.stat().st_size for part in dataset.glob("*.parquet")) / load_dataset(dataset).rows()


def bench_pgn(pgn: Path, folder: Path) -> bool:
    """PGN to dataset, and what its positions take."""

    def once() -> None:
        shutil.rmtree(folder / "d", ignore_errors=True)
        import_games([pgn], folder / "d", game="chess")

    once()
    summary = import_games([pgn], folder / "d", game="chess").summary
    rate = summary.games / seconds(once)
    print(f"PGN to dataset: {rate:,.0f} games/s, {rate * summary.positions / summary.games:,.0f} positions/s")
    peers = {"python-chess": against_python_chess(pgn.read_text(encoding="latin-1"))}
    if PGN_EXTRACT:
        peers["pgn-extract"] = against_pgn_extract(pgn, summary.games)
    fine = True
    for name, peer in peers.items():
        fine &= rate / peer >= GOALS[name]
        print(f"  {name}: {peer:,.0f} games/s; ours is {rate / peer:.1f} times that, wanted {GOALS[name]:g}")
    if not PGN_EXTRACT:
        print("  pgn-extract is not installed")
    return fine


def bench_size(source: Path, folder: Path, name: str) -> bool:
    """Bytes a position in the order of the file, and shuffled."""
    import_games([source], folder / f"{name}-order", game="chess")
    sample(folder / f"{name}-order", folder / f"{name}-mixed", shuffle=True)
    order, mixed = bytes_each(folder / f"{name}-order"), bytes_each(folder / f"{name}-mixed")
    print(f"bytes a position, {name}: {order:.2f} in order (at most 16), {mixed:.2f} shuffled (at most 40)")
    return order <= GOALS["in order"] and mixed <= GOALS["shuffled"]


def bench_wthor(folder: Path) -> bool:
    """WTHOR decoded and replayed, and imported."""
    othello = find_game("othello")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".wtb")
    games = 0

    def once() -> None:
        nonlocal games
        games = 0
        for file in files:
            for batch in Wthor().read_batches(file, Faults()):
                replay(othello, batch.starts, batch.moves, batch.first)
                games += len(batch)

    once()
    rate = games / seconds(once)
    print(f"WTHOR decoded, checked and replayed into positions: {rate:,.0f} games/s, wanted {GOALS['WTHOR games/s']:,}")
    return rate >= GOALS["WTHOR games/s"]


def formatted(game: Game, rows: Any) -> list[str]:
    """The texts of positions, one by one."""
    return [game.format(row) for row in rows]


def bench_exports(folder: Path) -> bool:
    """Every game's positions as text, by its writer and by ``Game.format`` row by row."""
    fine = True
    for name in game_names():
        game, path = find_game(name), folder / f"exported-{name}"
        generate(name, path, games=EXPORTED_GAMES, nodes=10, scores=True)
        dataset = load_dataset(path)
        rows = np.concatenate([samples.words for samples in dataset.batches()])
        by_format = len(rows) / seconds(partial(formatted, game, rows), 1)
        rates = {}
        for form in TEXT_FORMATS:
            export_dataset(dataset, folder / "text", form)
            work = partial(export_dataset, dataset, folder / "text", form)
            rates[form] = len(rows) / seconds(work)
        slowest = min(rates.values())
        fine &= slowest >= GOALS["exported positions/s"]
        shown = ", ".join(f"{form} {rate:,.0f}" for form, rate in rates.items())
        print(f"{name} as text, positions/s: {shown}; wanted {GOALS['exported positions/s']:,}")
        print(f"  Game.format alone: {by_format:,.0f}; the slowest export is {slowest / by_format:.1f} times that")
    return fine


def bench_memory(pgn: Path, folder: Path) -> bool:
    """Peak memory of an import with dedup, of a file and of a larger one."""
    larger = folder / "larger.pgn"
    with open(larger, "wb") as file:
        for _ in range(LARGER):
            file.write(pgn.read_bytes() + b"\n")
    peaks = []
    for path, name in ((pgn, "m1"), (larger, "m2")):
        command = [sys.executable, "-c", MEMORY, str(path), str(folder / name)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        peaks.append(int(output[-1]))
        print(f"peak memory for {path.stat().st_size / 1e6:.1f} MB of PGN: {output[-1]} MB, at most {MOST_MEGABYTES}")
    return max(peaks) <= MOST_MEGABYTES


def bench_choice(pgn: Path, folder: Path) -> None:
    """What selections cost."""
    chosen: dict[str, dict[str, Any]] = {
        "--quiet 3 --dedup": {"quiet": 3, "dedup": True},
        "--quiet position": {"quiet": "position"},
        "--quiet line": {"quiet": "line"},
    }
    for name, choice in chosen.items():

        def once(choice: dict[str, Any] = choice) -> None:
            shutil.rmtree(folder / "c", ignore_errors=True)
            import_games([pgn], folder / "c", game="chess", **choice)

        once()
        games = import_games([pgn], folder / "c", game="chess", **choice).summary.games
        print(f"with {name}: {games / seconds(once, 1):,.0f} games/s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn", type=Path, help="games of chess; unpacked before the clock starts")
    parser.add_argument("--epd", type=Path, help="a list of chess positions with results and scores")
    parser.add_argument("--wthor", type=Path, help="a folder with .wtb files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pgn = folder / "games.pgn"
        if options.pgn:
            with open_bytes(options.pgn) as packed, open(pgn, "wb") as file:
                shutil.copyfileobj(packed, file)
        else:
            random_pgn(pgn)
        if not options.wthor:
            random_wthor(folder)
        fine = [bench_pgn(pgn, folder), bench_size(pgn, folder, "games")]
        if options.epd:
            fine.append(bench_size(options.epd, folder, "list"))
        bench_choice(pgn, folder)
        fine += [bench_wthor(options.wthor or folder), bench_memory(pgn, folder), bench_exports(folder)]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
