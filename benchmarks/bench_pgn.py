"""How fast PGN and lists of positions are read, beside python-chess and pgn-extract, all in one run on one core.

python benchmarks/bench_pgn.py [--pgn FILE] [--epd FILE]

Without a file it reads games of random moves that it writes itself. Seconds are those of the processor, so that
other work on the machine does not count. Ours is the whole way to columns; pgn-extract writes every position as EPD.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from evalsmith.games.chess import GAME
from evalsmith.records import Epd, Faults, Pgn, Record, open_bytes, write_pgn

GOALS = {"python-chess": 30.0, "pgn-extract": 1.2}
EPD_GOAL = 300_000  # lines a second
PGN_EXTRACT = shutil.which("pgn-extract") or shutil.which("/usr/games/pgn-extract")
SLICE = 600_000  # bytes that python-chess reads


def random_games(path: Path, count: int = 1500) -> None:
    """Games of random moves, some 80 plies each."""
    choose = random.Random(1)

    def games() -> list[Record]:
        made = []
        for number in range(1, count + 1):
            position, moves = GAME.start(), []
            for _ in range(choose.randint(60, 100)):
                legal = GAME.moves(position)
                if not legal:
                    break
                moves.append(choose.choice(legal))
                position = GAME.play_unchecked(position, moves[-1])
            players = f"White {number}", f"Black {number}"
            made.append(Record("chess", tuple(moves), result=0, players=players, ratings=(2000, 2100), event="Random"))
        return made

    write_pgn(path, games())


def random_positions(path: Path, games: Path) -> None:
    """Every position of some games, with a result and a score."""
    rng = random.Random(1)
    with open(path, "w", encoding="ascii") as file:
        for record in Pgn().read(games, Faults()):
            position = GAME.parse(record.start) if record.start else GAME.start()
            for move in record.moves:
                position = GAME.play_unchecked(position, move)
                file.write(f"{GAME.format(position)}; [0.5] {rng.uniform(-9, 9):.2f}\n")


def plain(source: Path, folder: Path) -> Path:
    """The file unpacked, for programs that read nothing else."""
    target = folder / source.name.removesuffix(source.suffix if source.suffix in (".zst", ".gz", ".xz", ".bz2") else "")
    with open_bytes(source) as packed, open(target, "wb") as file:
        shutil.copyfileobj(packed, file)
    return target


def ours(path: Path) -> tuple[int, int, float]:
    """Games, plies, and the best of three times."""
    best, games, plies = 1e9, 0, 0
    for _ in range(4):
        began = time.process_time()
        batches = list(Pgn().read_batches(path, Faults()))
        best = min(best, time.process_time() - began)
        games, plies = sum(map(len, batches)), sum(len(batch.moves) for batch in batches)
    return games, plies, best


def pgn_extract(path: Path) -> float | None:
    """The best of three times."""
    if PGN_EXTRACT is None:
        return None
    best = 1e9
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [PGN_EXTRACT, "-s", "-Wepd", str(path), "-o", str(path.with_suffix(".out"))]
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def python_chess(path: Path) -> float | None:
    """Plies a second, reading and walking the main lines of the first games."""
    try:
        import chess.pgn
    except ImportError:
        return None
    with open(path, "rb") as file:
        text = io.StringIO(file.read(SLICE).decode("utf-8", "replace"))
    plies, began = 0, time.process_time()
    while (game := chess.pgn.read_game(text)) is not None:
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
            plies += 1
    return plies / (time.process_time() - began)


def lines(path: Path) -> tuple[int, float]:
    """Positions and the best of three times."""
    best, count = 1e9, 0
    for _ in range(4):
        began = time.process_time()
        count = sum(len(batch) for batch in Epd().read_position_batches(path, Faults()))
        best = min(best, time.process_time() - began)
    return count, best


def compare(name: str, ratio: float) -> str:
    goal = GOALS[name]
    return f"ours is {ratio:.1f} times as fast (goal {goal:g}: {'reached' if ratio >= goal else 'MISSED'})"


def main() -> None:
    """Print every rate, and how it compares with its goal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn", type=Path, help="games; unpacked before the clock starts")
    parser.add_argument("--epd", type=Path, help="a list of positions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.pgn is None:
            path = folder / "games.pgn"
            random_games(path)
        else:
            path = plain(options.pgn, folder)
        games, plies, seconds = ours(path)
        size = path.stat().st_size
        print(f"PGN to columns   {games:,} games, {plies:,} plies, {size / 1e6:.1f} MB in {seconds:.3f} s: "
              f"{games / seconds:,.0f} games/s, {plies / seconds / 1e6:.2f} million plies/s")  # fmt: skip
        extract, oracle = pgn_extract(path), python_chess(path)
        if extract is None:
            print("pgn-extract is not installed: nothing to compare with")
        else:
            print(f"  pgn-extract    {extract:.3f} s; {compare('pgn-extract', extract / seconds)}")
        if oracle is None:
            print("python-chess is not installed: nothing to compare with")
        else:
            print(f"  python-chess   {oracle:,.0f} plies/s; {compare('python-chess', plies / seconds / oracle)}")
        if options.epd is None:
            positions = folder / "positions.epd"
            random_positions(positions, path if options.pgn is None else _some(path, folder))
        else:
            positions = plain(options.epd, folder)
        count, seconds = lines(positions)
        verdict = "reached" if count / seconds >= EPD_GOAL else "MISSED"
        print(f"EPD to columns   {count:,} lines in {seconds:.3f} s: {count / seconds:,.0f} lines/s "
              f"(goal {EPD_GOAL:,}: {verdict})")  # fmt: skip


def _some(path: Path, folder: Path) -> Path:
    """The first games of a file."""
    some = folder / "some.pgn"
    with open(path, "rb") as file:
        some.write_bytes(file.read(SLICE))
    return some


if __name__ == "__main__":
    main()
