"""What tests of outside programs share: mock programs at a seat, and a look at what they leave behind."""

from __future__ import annotations

import shlex
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.players import Seat, parse_player, take_seat

MOCKS = Path(__file__).parent / "mocks"
# Short enough for tests that let each of them pass, long enough for a crowded machine.
HASTE = "handshake=20;newgame=20;stop=0.3;quit=20;watchdog=20"


def command(script: str, *words: object) -> str:
    """The command of a mock; -S and -E let it start quickly."""
    return shlex.join([sys.executable, "-S", "-E", str(MOCKS / script), *map(str, words)])


def processes_with(token: str) -> list[int]:
    """The processes, dead or alive, that have a word in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if token.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def after(board: Board, *texts: str) -> Board:
    """The board after further moves."""
    for text in texts:
        board.push(text)
    return board


def clocked(board: Board, first: float | None, second: float | None) -> Board:
    """The board with seconds on the clocks."""
    board.clocks = (first, second)
    return board


@contextmanager
def seated(
    text: str,
    limit: Limit | None = None,
    *,
    game: str = "chess",
    side: int = 0,
    logs: Path | None = None,
    token: str = "",
) -> Iterator[tuple[Seat, Board]]:
    """A player that has begun a game; afterwards nothing of it may be left."""
    found = find_game(game)
    seat = take_seat(parse_player(text, found), limit or Limit(nodes=100), 1, logs)
    board = Board(found)
    try:
        seat.begin(board.start, side)
        yield seat, board
    finally:
        seat.close()
        if token:
            nothing_left(token)


def nothing_left(token: str) -> None:
    """No process of a program is left; somebody else may need a moment to reap a dead one."""
    deadline = time.monotonic() + 5
    while processes_with(token):
        assert time.monotonic() < deadline, f"left behind: {processes_with(token)}"
        time.sleep(0.01)


def fresh() -> str:
    """A word that no other process has."""
    return f"mock-{uuid.uuid4().hex}"


def engine(mode: str, number: float = 0, *, token: str, options: str = "", protocol: str = "uci") -> str:
    """A misbehaving engine as a player."""
    return ";".join(filter(None, [f"{protocol}:{command('engine.py', mode, number, token)}", HASTE, options]))
