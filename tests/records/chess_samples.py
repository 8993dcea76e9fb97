"""Games of chess for the tests of chess formats, and what python-chess makes of a file."""

from __future__ import annotations

import io
import random
from pathlib import Path

import chess
import chess.pgn

from evalsmith.games.chess import GAME
from evalsmith.records import Batch, Faults, Pgn, Record

PGN_DATA = Path(__file__).parent / "data" / "pgn"
RESULTS = {"1-0": 30000, "0-1": -30000, "1/2-1/2": 0, "*": None}


def read(content: bytes | str, chunk: int = 0, game_limit: int = 4 << 20) -> tuple[list[Record], Faults]:
    faults = Faults()
    data = content.encode() if isinstance(content, str) else content
    form = Pgn(chunk, game_limit) if chunk else Pgn(2 * game_limit, game_limit)
    return list(form.games(io.BufferedReader(io.BytesIO(data)), Path("games.pgn"), faults)), faults


def read_batches(content: bytes, chunk: int, game_limit: int) -> tuple[list[Batch], Faults]:
    faults = Faults()
    form = Pgn(chunk, game_limit)
    return list(form.batches(io.BufferedReader(io.BytesIO(content)), Path("games.pgn"), faults)), faults


def uci(record: Record) -> list[str]:
    """The moves of a record as UCI has them."""
    position = GAME.start() if record.start is None else GAME.parse(record.start)
    names = []
    for move in record.moves:
        assert move in GAME.moves(position)
        names.append(GAME.format_move(position, move))
        position = GAME.play_unchecked(position, move)
    return names


def oracle(content: bytes) -> list[tuple[list[str], int | None]]:
    """The games of a file as python-chess has them: moves as UCI has them, and results."""
    games = []
    stream = io.StringIO(content.decode("utf-8", "replace"))
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        board, names = game.board(), []
        for move in game.mainline_moves():
            names.append(board.uci(move))
            board.push(move)
        games.append((names, RESULTS[game.headers["Result"]]))
    return games


def random_game(seed: int, plies: int = 60, chess960: bool = False) -> chess.pgn.Game:
    """A game of random moves, from a random start of Chess960 when asked."""
    rng = random.Random(seed)
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    game = chess.pgn.Game()
    game.setup(board)
    node: chess.pgn.GameNode = game
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        # Castling, promotions and captures en passant are rare; take them where they come.
        special = [m for m in legal if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
        move = rng.choice(special or legal)
        node = node.add_variation(move)
        board.push(move)
    outcome = board.outcome()
    game.headers["Result"] = outcome.result() if outcome else rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    game.headers["White"], game.headers["Black"] = f"Player {seed}", 'O"Neill\\'
    return game
