"""The fast path through a game of two programs that answer at once: Python only looks in from time to time.

A program that searches a hundred nodes answers in a fraction of a millisecond. Between two answers the memory is cold,
so what Python does there costs a good part of the program's own work. Here a kernel (`pipe_kernel`) asks both programs
in turn and plays their moves. Whatever it does not expect (silence, an end, standard error, an answer of another form,
an illegal move) is left to the seat, which continues from there.
"""

from __future__ import annotations

import functools
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.arena.play import pipe_kernel
from evalsmith.compile import COMPILED, load
from evalsmith.games import Game, Position
from evalsmith.games.board import Board
from evalsmith.games.stepping import legal
from evalsmith.players.seat import Choice, Seat
from evalsmith.players.uci_seat import Line, UciSeat
from evalsmith.processes.system_calls import system_functions
from evalsmith.protocols.client.uci import bounded, highest_score, mate_score, namer
from evalsmith.protocols.client.uci_kernel import WORD_BYTES, word_of
from evalsmith.run import InputError

MAX_TURNS = 256
_WALKS, _WALK = 100, 120  # random games, and their plies, that show the common moves
_NAME = re.compile(f"[!-~]{{1,{WORD_BYTES}}}")


class _Names:
    """The names of moves that have come up, as far as a name does not depend on the position."""

    def __init__(self, game: Game, name: Callable[[Position, int], str]) -> None:
        self._name, self.table = name, np.zeros(2 * pipe_kernel.TABLE, dtype=np.uint64)
        self.address = int(self.table.ctypes.data)
        self._known: set[int] = set()
        self._taken = bytearray(pipe_kernel.TABLE)
        self._gate = threading.Lock()
        self.learn(_common_moves(game))

    def learn(self, moves: list[int]) -> bool:
        """Store the names of moves that come up; whether one is new."""
        nowhere: Any = None
        with self._gate:
            room = pipe_kernel.TABLE // 2 - len(self._known)
            new = [move for move in moves if move not in self._known][:room]
            self._known.update(new)
            for move in new:
                try:
                    name = self._name(nowhere, move)
                except Exception:  # noqa: S112  (whatever a game does that has to see the position)
                    continue
                if _NAME.fullmatch(name):
                    self._keep(move, word_of(name.encode()))
        return bool(new)

    def _keep(self, move: int, word: int) -> None:
        place = pipe_kernel.place_of(word)
        while self._taken[place]:
            place = (place + 1) % pipe_kernel.TABLE
        self._taken[place] = 1
        # In this order, because another thread may be reading.
        self.table[2 * place + 1] = move
        self.table[2 * place] = word


def _common_moves(game: Game) -> list[int]:
    """Moves that come up in random games: to learn them one by one, while programs wait, would take longer."""
    board = Board(game, game.start())
    board.reserve(_WALK)
    seen = np.zeros(1 << 18, dtype=np.uint64)
    pipe_kernel.collect_moves(board.context.row, _WALKS, _WALK, seen)
    words = np.flatnonzero(seen)
    return [
        64 * word + bit for word, bits in zip(words.tolist(), seen[words].tolist(), strict=True) for bit in _set(bits)
    ]


def _set(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


_names_of = functools.cache(_Names)


class _Buffers(threading.local):
    """Work rows of one thread, which plays one game at a time: fresh memory in each would cost more than a move."""

    def __init__(self) -> None:
        self.turns = np.zeros((MAX_TURNS, pipe_kernel.TURN), dtype=np.int64)
        self.said = np.zeros(pipe_kernel.SAID_BYTES // 8, dtype=np.uint64)
        self.polled = np.zeros(3, dtype=np.uint64)
        self.addresses = tuple(int(row.ctypes.data) for row in (self.said, self.turns, self.polled))


_buffers = _Buffers()


class FastPath:
    """The fast path through one game."""

    def __init__(self, board: Board, seats: Sequence[UciSeat]) -> None:
        self.board, self.seats = board, seats
        self.names = _names_of(board.game, seats[0].namer)
        self._texts = [np.zeros(0, dtype=np.uint64)] * 2
        fixed = (*system_functions(), self.names.address, *_buffers.addresses)
        board.context.row[pipe_kernel.FIXED] = fixed

    def play(self, hear: Callable[[int, Choice], None]) -> Callable[[], Choice] | None:
        """Let the programs move while nothing else happens; ``hear`` is called with the side and choice of each move.

        What comes back gives the next choice: it takes a turn over that needs more than the fast path, or is None.
        """
        board, row = self.board, self.board.context.row
        lines = [seat.line(board) for seat in self.seats]
        if lines[0] is None or lines[1] is None:
            return functools.partial(self.seats[board.mover].choose, board)
        for side, line in enumerate(lines):
            self._attach(side, line)  # type: ignore[arg-type]
        first, max_turns = board.ply, min(MAX_TURNS, board.plies_left)
        board.reserve(max_turns)
        row[pipe_kernel.COUNT], row[pipe_kernel.STANDING], row[pipe_kernel.HEARD] = 0, board.standing, 0
        why = pipe_kernel.UNKNOWN
        known: int | None = pipe_kernel.ASK
        while why == pipe_kernel.UNKNOWN and known is not None:
            why = pipe_kernel.play_turns(row, first, max_turns, known)
            if why == pipe_kernel.UNKNOWN:
                known = self._look_up(board.position_at(first + row[pipe_kernel.COUNT]))
        said = self._heard(0)
        turns = _buffers.turns[: row[pipe_kernel.COUNT]].tolist()
        win, highest = board.game.win, highest_score(board.game.win)
        for move, side, took, begin, end, complete, mate, score, depth, nodes, milliseconds in turns:
            if not complete or (mate and not win):
                hear(side, self.seats[side].heard(move, took / 1e9, said[begin:end]))
                continue
            if mate:
                score = mate_score(score, win, self.seats[side].dialect)
            elif score > highest or score < -highest:
                score = bounded(score, win)
            hear(side, Choice(move, took / 1e9, score, depth, nodes, milliseconds / 1000))
        if turns:
            board.follow([turn[0] for turn in turns], int(row[pipe_kernel.STANDING]))
        if why == pipe_kernel.PAUSED:
            return None
        rest = b""
        if why == pipe_kernel.UNASKED:
            request = self._texts[board.mover].tobytes().rstrip(b"\0")
            rest = request[max(0, int(row[pipe_kernel.SENT])) :]
        seat, began = self.seats[board.mover], float(row[pipe_kernel.BEGAN]) / 1e9
        return functools.partial(seat.take_over, board, rest, began, said[row[pipe_kernel.FROM] :])

    def _heard(self, begin: int) -> bytes:
        """What was said from a place on."""
        return _buffers.said.view(np.uint8)[begin : self.board.context.row[pipe_kernel.HEARD]].tobytes()

    def _look_up(self, position: Position) -> int | None:
        """What becomes of an unknown word: RETRY, the move that it means, or None if the seat must look into that."""
        game, context = self.board.game, self.board.context
        if self.names.learn(context.arrays[legal.slot][: context.row[pipe_kernel.OPTIONS]].tolist()):
            return pipe_kernel.RETRY
        line = self._heard(int(context.row[pipe_kernel.LINE]))
        words = line.partition(b"\n")[0].decode("utf-8", "replace").split(None, 2)
        text = words[1] if len(words) > 1 else ""
        if not _NAME.fullmatch(text):
            return None
        try:
            move = game.parse_move(position, text)
        except InputError:
            return None
        # The other program gets the move as the game writes it, however the first one wrote it.
        return move if self.seats[0].namer(position, move) == text else None

    def _attach(self, side: int, line: Line) -> None:
        """Show the kernel a program."""
        context, first = self.board.context, pipe_kernel.SIDES + pipe_kernel.SIDE * side
        room = len(line.game) + len(line.go) + (MAX_TURNS + 1) * (WORD_BYTES + 1)
        self._texts[side] = context.attach(first + pipe_kernel.TEXT, _words(line.game, room))
        go = context.attach(first + pipe_kernel.GO, _words(line.go, len(line.go)))
        row = context.row
        row[first + pipe_kernel.IN : first + pipe_kernel.DEATH + 1] = line.pipes
        row[first + pipe_kernel.LENGTH], row[first + pipe_kernel.GO_WORDS] = len(line.game), len(go)
        row[first + pipe_kernel.PATIENCE] = int(line.patience * 1e9)


def _words(text: bytes, room: int) -> npt.NDArray[np.uint64]:
    """Bytes as a row of words followed by zeros, with space for ``room`` bytes and at least one more."""
    return np.frombuffer(bytearray(text.ljust(8 * (room // 8 + 1), b"\0")), dtype=np.uint64)


def _is_possible(game: Game) -> bool:
    """Whether the fast path can play a game: two players, no chance, and a system whose calls we know."""
    return COMPILED and sys.platform == "linux" and game.players == 2 and not game.max_outcomes


def prepare_names(game: Game) -> None:
    """Load the rules of a game and learn its common moves, before any clock starts."""
    if _is_possible(game):
        _names_of(game, namer(game, False))
        load(pipe_kernel.play_turns)


def fast_path(board: Board, seats: Sequence[Seat]) -> FastPath | None:
    """The fast path through a game, where both seats speak UCI or USI."""
    programs = [seat for seat in seats if isinstance(seat, UciSeat)]
    return FastPath(board, programs) if len(programs) == 2 and _is_possible(board.game) else None
