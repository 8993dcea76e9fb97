"""Binary formats of positions: records packed and unpacked a second, on one core.

Shogi stands beside cshogi, a call from Python for each position, as it is used; chess beside python-chess reading FEN.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import chess
import cshogi
import numpy as np

from evalsmith.games import Game, find_game
from evalsmith.records.packed.chess import Bullet, Marlin
from evalsmith.records.packed.othello import OthelloValues
from evalsmith.records.packed.positions import Packing, Positions
from evalsmith.records.packed.shogi import Hcpe, PackedSfenValue

COUNT = 300_000
ROUNDS = 3
PEERS = 5_000
GOALS = {"chess": 1_000_000, "shogi": 200_000, "othello": 1_000_000}


def positions(game: Game, games: int = 40) -> np.ndarray:
    """The positions of random games."""
    rng, rows = random.Random(1), []
    for _ in range(games):
        position = game.start()
        for _ in range(150):
            moves = game.moves(position)
            if not moves or game.status(position) != 0:
                break
            rows.append(position)
            position = game.play_unchecked(position, rng.choice(moves))
    return np.stack(rows)


def rate(count: int, work: Callable[[], object]) -> float:
    """How many a second, the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        best = max(best, count / (time.perf_counter() - began))
    return best


def measure(packing: Packing, rows: np.ndarray) -> None:
    """Print the rates of one format."""
    words = np.tile(rows, (COUNT // len(rows) + 1, 1))[:COUNT]
    given = Positions.of(words, np.zeros(COUNT), np.zeros(COUNT))
    content = packing.pack(given).content.tobytes()
    packs, unpacks = rate(COUNT, lambda: packing.pack(given)), rate(COUNT, lambda: packing.unpack(content))
    print(
        f"{packing.name:10} pack {packs / 1e6:6.2f} million/s   unpack {unpacks / 1e6:6.2f} million/s"
        f"   (wanted: above {GOALS[packing.game] / 1e6:.1f})"
    )


def main() -> None:
    rows = {name: positions(find_game(name)) for name in GOALS}
    for packing in (Bullet(), Marlin(), PackedSfenValue(), Hcpe(), OthelloValues()):
        measure(packing, rows[packing.game])

    fens = [find_game("chess").format(row) for row in rows["chess"][:PEERS]]
    reads = rate(len(fens), lambda: [chess.Board(fen) for fen in fens])
    print(f"python-chess, a board from FEN       {reads / 1e6:6.3f} million/s")

    boards = [cshogi.Board(find_game("shogi").format(row)) for row in rows["shogi"][:PEERS]]
    codes = np.zeros((len(boards), 1), cshogi.HuffmanCodedPos)

    def write() -> None:
        for board, code in zip(boards, codes, strict=True):
            board.to_hcp(code)

    def read() -> None:
        board = cshogi.Board()
        for code in codes:
            board.set_hcp(code)

    print(
        f"cshogi     pack {rate(len(boards), write) / 1e6:6.2f} million/s"
        f"   unpack {rate(len(boards), read) / 1e6:6.2f} million/s   (hcp alone, a call each)"
    )


if __name__ == "__main__":
    main()
