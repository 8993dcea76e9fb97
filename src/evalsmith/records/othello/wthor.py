"""WTHOR: the French federation's base of tournament games, one ``.wtb`` file a year.

A header of 16 bytes, then games of 68 bytes, little endian. Passes are not stored. Players and tournaments are numbers
of names in ``WTHOR.JOU`` and ``WTHOR.TRN``, which stand beside the games or are missing. Scores are black's discs, with
the empties for the winner; the theoretical one is exact for the position with as many empties as the header says.
"""

from __future__ import annotations

import functools
import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import DISAGREES, NO_MOVES, OTHER_BOARD, UNFINISHED, BrokenGameError, Format
from evalsmith.records.othello.moves import NAMES
from evalsmith.records.record import UNKNOWN, Fault, Faults
from evalsmith.records.text import clean

if TYPE_CHECKING:
    from evalsmith.records.othello.replay import Block

_HEADER = struct.Struct("<4BiHH4B")
_GAME = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("score", "u1"),
        ("theory", "u1"),
        ("moves", "u1", (60,)),
    ]
)
_BLOCK = 4096
_USUAL_DEPTH = 24
_SQUARE_COUNT = 64
_PLAYER_BYTES, _TOURNAMENT_BYTES = 20, 26
# d3, c4, f5, e6: every game begins with one of them.
_FIRST_MOVES = (34, 43, 56, 65)
_FIRST_MOVE_OFFSET = _HEADER.size + 8

CUT = "the file is cut off"
SOLITAIRES = "solitaires, not games"
NO_HEADER = "not a WTHOR header"
TAIL = "bytes after the last game"
GAP = "a move after the end of the game"
ODD_SCORE = "a score above 64"


@dataclass(frozen=True)
class Header:
    """What the first 16 bytes say."""

    games: int
    names: int
    year: int
    size: int
    kind: int
    depth: int

    @classmethod
    def parse(cls, content: bytes) -> Header | None:
        """The header, or None where this cannot be one."""
        if len(content) < _HEADER.size:
            return None
        _, _, month, day, games, names, year, size, kind, depth, _ = _HEADER.unpack_from(content)
        if games < 0 or month > 12 or day > 31 or size > 10 or depth > 60:
            return None
        return cls(games, names, year, size or 8, kind, depth or _USUAL_DEPTH)


class Wthor(Format):
    """Reads ``.wtb`` files."""

    name = "wthor"
    game = "othello"
    suffixes = (".wtb",)

    def sniff(self, head: bytes) -> bool:
        """A header that counts games, and a first move that begins a game."""
        header = Header.parse(head)
        if header is None or header.games == 0 or header.names != 0 or header.kind > 1:
            return False
        return header.size != 8 or head[_FIRST_MOVE_OFFSET : _FIRST_MOVE_OFFSET + 1] in map(_byte, _FIRST_MOVES)

    def batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
        """The games, replayed block by block."""
        content = stream.read(_HEADER.size)
        header = Header.parse(content)
        if reason := _refusal(content, header):
            faults.add(Fault(str(path), "byte 0", None, reason))
            return
        assert header is not None
        names = _Names.beside(path)
        done = 0
        while done < header.games:
            content = stream.read(_GAME.itemsize * min(_BLOCK, header.games - done))
            whole = len(content) // _GAME.itemsize
            if whole:
                yield _batch(np.frombuffer(content, _GAME, whole), done, header, names, path, faults)
                done += whole
            if whole == 0 or len(content) % _GAME.itemsize:
                detail = f"{done} complete games, where the header counts {header.games}"
                faults.add(Fault(str(path), _place(done), done + 1, CUT, detail))
                return
        if stream.read(1):
            faults.add(Fault(str(path), _place(done), None, TAIL, f"the header counts {header.games}"))


def _refusal(content: bytes, header: Header | None) -> str | None:
    """Why a file with this header is not read, or None."""
    if len(content) < _HEADER.size:
        return CUT
    if header is None or (header.games == 0 and header.names > 0):
        return NO_HEADER
    if header.size != 8:
        return OTHER_BOARD
    return None if header.kind == 0 else SOLITAIRES


def _batch(block: npt.NDArray[Any], done: int, header: Header, names: _Names, path: Path, faults: Faults) -> Batch:
    """Some games that stand after ``done`` others; the broken ones become faults."""
    from evalsmith.games.othello import notation
    from evalsmith.records.othello.replay import END, NONSENSE, OVER, PLIES, WRONG, replay

    replayed = replay(_squares(END, NONSENSE)[block["moves"]], empties=header.depth)
    results = _results(block, replayed, faults)
    fine = (replayed.facts[:, WRONG] < 0) & (replayed.facts[:, PLIES] > 0)
    for row in np.flatnonzero(~fine).tolist():
        fault = _broken(block["moves"][row], replayed, row).fault(path, _place(done + row), done + row + 1)
        faults.add(fault)
    counts = replayed.facts[fine, PLIES]
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    plies = replayed.plies[fine]
    numbers = (done + 1 + np.flatnonzero(fine)).astype(np.int64)
    chosen = block[fine]
    date = str(header.year) if header.year else ""
    players = zip(names.players(chosen["black"]), names.players(chosen["white"]), strict=True)
    moves = int(first[-1])
    return Batch(
        "othello",
        str(path),
        plies[np.arange(plies.shape[1]) < counts[:, None]].astype(np.int32),
        first,
        np.tile(notation.start(), (len(counts), 1)),
        np.ones(len(counts), dtype=np.bool_),
        results[fine],
        replayed.facts[fine, OVER] == 1,
        np.full((len(counts), 2), UNKNOWN, dtype=np.int32),
        numbers,
        _HEADER.size + _GAME.itemsize * (numbers - 1),
        np.full(moves, UNKNOWN, dtype=np.int32),
        np.full(moves, -1, dtype=np.int16),
        np.full(moves, np.nan, dtype=np.float32),
        _exact(block, replayed)[fine][np.arange(plies.shape[1]) < counts[:, None]],
        [
            Texts(pair, event, date)
            for pair, event in zip(players, names.tournaments(chosen["tournament"]), strict=True)
        ],
    )


def _results(block: npt.NDArray[Any], replayed: Block, faults: Faults) -> npt.NDArray[np.int32]:
    """The result of each game: of the final position where it is finished, else the stored one."""
    from evalsmith.records.othello.replay import OVER, PLIES, WRONG

    margins, stated = replayed.margins(), _margins(block["score"])
    finished, sound = replayed.facts[:, OVER] == 1, block["score"] <= _SQUARE_COUNT
    legal = (replayed.facts[:, WRONG] < 0) & (replayed.facts[:, PLIES] > 0)
    faults.warn(UNFINISHED, int(np.sum(legal & ~finished)))
    faults.warn(DISAGREES, int(np.sum(legal & finished & (margins != stated))))
    faults.warn(ODD_SCORE, int(np.sum(legal & ~sound)))
    return np.where(finished, margins, np.where(sound, stated, UNKNOWN)).astype(np.int32)


def _exact(block: npt.NDArray[Any], replayed: Block) -> npt.NDArray[np.int32]:
    """The theoretical score for the mover, at the ply where it is exact; UNKNOWN elsewhere."""
    from evalsmith.records.othello.replay import MARKED

    plies = replayed.facts[:, MARKED]
    values = np.where(plies & 1, -_margins(block["theory"]), _margins(block["theory"]))
    known = np.flatnonzero((plies >= 0) & (plies < replayed.plies.shape[1]) & (block["theory"] <= _SQUARE_COUNT))
    exact = np.full(replayed.plies.shape, UNKNOWN, dtype=np.int32)
    exact[known, plies[known]] = values[known]
    return exact


def _broken(moves: npt.NDArray[np.uint8], replayed: Block, row: int) -> BrokenGameError:
    """What is wrong with a game that is not legal."""
    from evalsmith.records.othello.replay import WRONG, illegal

    wrong = int(replayed.facts[row, WRONG])
    if wrong < 0:
        return BrokenGameError(NO_MOVES)
    code = int(moves[wrong])
    if wrong > 0 and moves[wrong - 1] == 0:
        return BrokenGameError(GAP, f"code {code}", wrong + 1)
    square = _square(code)
    name = f"code {code}" if square is None else NAMES[square]
    return illegal(replayed, row, name)


def _margins(scores: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Black's margin in centidiscs from black's discs, the empties being counted for the winner."""
    return (2 * scores.astype(np.int64) - 64) * 100


def _square(code: int) -> int | None:
    """The square of a move: tens are rows, units columns, a1 is 11."""
    row, column = divmod(code, 10)
    return 8 * row + column - 9 if 1 <= row <= 8 and 1 <= column <= 8 else None


@functools.cache
def _squares(end: int, nonsense: int) -> npt.NDArray[np.uint8]:
    """The square for each byte of a game's moves."""
    squares = [_square(code) for code in range(256)]
    return np.array([end] + [nonsense if square is None else square for square in squares[1:]], dtype=np.uint8)


def _place(games: int) -> str:
    return f"byte {_HEADER.size + _GAME.itemsize * games}"


def _byte(value: int) -> bytes:
    return bytes([value])


class _Names:
    """The names that numbers of players and tournaments stand for; ``#12`` where there is none."""

    def __init__(self, players: tuple[str, ...], tournaments: tuple[str, ...]) -> None:
        self._players, self._tournaments = players, tournaments

    @classmethod
    def beside(cls, path: Path) -> _Names:
        """The names from the files in the folder of a file of games."""
        try:
            found = {file.name.lower(): file for file in path.parent.iterdir() if file.is_file()}
        except OSError:
            found = {}
        players, tournaments = found.get("wthor.jou"), found.get("wthor.trn")
        return cls(_list_names(players, _PLAYER_BYTES), _list_names(tournaments, _TOURNAMENT_BYTES))

    def players(self, numbers: npt.NDArray[np.uint16]) -> list[str]:
        return [_name(self._players, number) for number in numbers.tolist()]

    def tournaments(self, numbers: npt.NDArray[np.uint16]) -> list[str]:
        return [_name(self._tournaments, number) for number in numbers.tolist()]


def _name(names: tuple[str, ...], number: int) -> str:
    return names[number] if number < len(names) else f"#{number}"


def _list_names(path: Path | None, width: int) -> tuple[str, ...]:
    """The names of a list, as far as it can be read."""
    if path is None:
        return ()
    try:
        state = path.stat()
        return _read_names(path, width, state.st_mtime_ns, state.st_size)
    except OSError:
        return ()


@functools.lru_cache(maxsize=8)  # one list serves many files of games; a changed one is read again
def _read_names(path: Path, width: int, changed: int, size: int) -> tuple[str, ...]:
    with open(path, "rb") as stream:
        header = Header.parse(stream.read(_HEADER.size))
        content = stream.read(width * header.names) if header else b""
    entries = (content[i : i + width] for i in range(0, len(content) - width + 1, width))
    return tuple(clean(entry.split(b"\0")[0].decode("latin-1")) for entry in entries)
