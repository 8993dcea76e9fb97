"""NTest's coefficients (``.cof``): read, and evaluated exactly as NTest does.

A set is ten files, ``JAa.cof`` to ``JAj.cof``, for 59 empties down to 0, six a file; each has one table for odd and one
for even numbers of empties. A table holds a word for every configuration of every pattern, counted by mobility,
potential mobility and parity. Rows are told apart by their distance from the edge, and potential mobility is counted
line by line, so such a set is not a set of our weights: it is an evaluation of its own.
"""

from __future__ import annotations

import functools
import re
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.run.errors import InputError

FILES = 10
FILE_LETTERS = "abcdefghij"
SUBSET = 143_655  # words
HIGHEST_EMPTIES = 59
_EMPTIES_PER_FILE = 6
_HEADER = struct.Struct("<II")
_VERSION, _INTEGERS, _FLOATS = 1, 100, 14
_CENTIDISCS, _CLIP = 100, 16383  # how NTest turns floats into integers
# What NTest adds to the parity words of a file when it loads the set, by the file's letter.
_LATE_BONUS = {"g": 33, "h": 65, "i": 65, "j": 65}
_NAME = re.compile(r"(.*)([a-j])", re.IGNORECASE | re.DOTALL)

_MOBILITY, _ENEMY_MOBILITY, _POTENTIAL, _ENEMY_POTENTIAL, _PARITY = 143_397, 143_461, 143_525, 143_589, 143_653
_BLOCK = 1 << 14  # positions that are evaluated at once

Squares = tuple[int, ...]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Map:
    """A pattern: where its words begin in a table, its places on the board, and its own mirror image, if it has one."""

    name: str
    offset: int
    places: tuple[Squares, ...]
    mirror: Squares | None

    @property
    def cells(self) -> int:
        """How many squares it looks at."""
        return len(self.places[0])

    def ids(self) -> npt.NDArray[np.int32]:
        """The word of each configuration; a configuration and its mirror image share one."""
        configurations = np.arange(3**self.cells)
        if self.mirror is None:
            return configurations.astype(np.int32)
        powers = 3 ** np.arange(self.cells)
        digits = configurations[:, None] // powers % 3
        twins = (digits[:, self.mirror] * powers).sum(axis=1)
        return np.unique(np.minimum(configurations, twins), return_inverse=True)[1].reshape(-1).astype(np.int32)


@dataclass(frozen=True)
class Coefficients:
    """A set: ``tables`` (int16, file × subset × word), in centidiscs for the mover."""

    name: str
    tables: npt.NDArray[np.int16]

    def table(self, empties: int) -> npt.NDArray[np.int16]:
        """The table for a number of empties; there is none for 60."""
        if not 0 <= empties <= HIGHEST_EMPTIES:
            raise InputError(f"{self.name} has tables for 0 to {HIGHEST_EMPTIES} empties, not for {empties}")
        found: npt.NDArray[np.int16] = self.tables[(HIGHEST_EMPTIES - empties) // _EMPTIES_PER_FILE, 1 - empties % 2]
        return found

    def evaluate(self, words: Words) -> npt.NDArray[np.int32]:
        """The values of positions (uint64, one a row: the mover's discs, the enemy's discs, …), for the mover."""
        if words.ndim != 2 or words.shape[1] < 2:
            raise InputError(f"positions are rows of at least two words, not an array of {words.shape}")
        parts = [self._evaluate(words[i : i + _BLOCK]) for i in range(0, len(words), _BLOCK)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)

    def _evaluate(self, words: Words) -> npt.NDArray[np.int32]:
        mover, enemy = words[:, 0], words[:, 1]
        empties = 64 - np.bitwise_count(mover | enemy).astype(np.int64)
        if len(words) and empties.max() > HIGHEST_EMPTIES:
            self.table(int(empties.max()))
        indices = word_indices(mover, enemy)
        rows = (HIGHEST_EMPTIES - empties) // _EMPTIES_PER_FILE * 2 + 1 - empties % 2
        found = self.tables.reshape(-1)[rows[:, None] * SUBSET + indices]
        values: npt.NDArray[np.int32] = found.sum(axis=1, dtype=np.int32)
        return values


# ── Files ───────────────────────────────────────────────────────────────────────────────────────


def read_cof(path: Path, late_bonus: bool = True) -> Coefficients:
    """A set from its folder, or from any one of its files; ``late_bonus`` adds what NTest adds when it loads set A."""
    files = _files_of_set(path)
    tables = np.stack([read_cof_file(file) for file in files])
    if late_bonus:
        for letter, bonus in _LATE_BONUS.items():
            parity = tables[FILE_LETTERS.index(letter), :, _PARITY:].astype(np.int64) + bonus
            tables[FILE_LETTERS.index(letter), :, _PARITY:] = np.clip(parity, -(2**15), 2**15 - 1)
    return Coefficients(files[0].stem[:-1] or files[0].parent.name, tables)


def read_cof_file(path: Path) -> npt.NDArray[np.int16]:
    """The two tables of one file: subset × word."""
    try:
        with open(path, "rb") as file:
            content = file.read(_HEADER.size + 2 * SUBSET * 4 + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    if len(content) < _HEADER.size:
        raise InputError(f"{path} has {len(content)} bytes; a .cof file begins with a header of {_HEADER.size}")
    version, kind = _HEADER.unpack_from(content)
    if version != _VERSION or kind not in (_INTEGERS, _FLOATS):
        raise InputError(
            f"{path} is of version {version} and kind {kind}; "
            f"known are version {_VERSION} with kind {_INTEGERS} (integers) or {_FLOATS} (floats)"
        )
    width = 2 if kind == _INTEGERS else 4
    if len(content) != _HEADER.size + 2 * SUBSET * width:
        shown = (
            f"{len(content)}" if len(content) < _HEADER.size + 2 * SUBSET * 4 + 1 else f"more than {len(content) - 1}"
        )
        raise InputError(f"{path} has {shown} bytes, not the {_HEADER.size + 2 * SUBSET * width} of its kind {kind}")
    if kind == _INTEGERS:
        words = np.frombuffer(content, "<i2", offset=_HEADER.size).astype(np.int16)
    else:
        discs = np.frombuffer(content, "<f4", offset=_HEADER.size).astype(np.float64)
        if not np.isfinite(discs).all():
            raise InputError(f"{path}: word {int(np.flatnonzero(~np.isfinite(discs))[0])} is not a number")
        words = np.clip(discs * _CENTIDISCS, -_CLIP, _CLIP).astype(np.int16)
    return words.reshape(2, SUBSET)


def _files_of_set(path: Path) -> list[Path]:
    folder = path if path.is_dir() else path.parent
    try:
        found = sorted(file for file in folder.iterdir() if file.suffix.lower() == ".cof" and file.is_file())
    except OSError as error:
        raise InputError(f"cannot read {folder}: {error.strerror}") from None
    sets: dict[str, dict[str, Path]] = {}
    for file in found:
        if match := _NAME.fullmatch(file.stem):
            sets.setdefault(match[1], {})[match[2].lower()] = file
    if path.is_dir():
        if len(sets) != 1:
            shown = f"those of {len(sets)} sets ({', '.join(sets)})" if sets else "none"
            raise InputError(f"{folder} should have the .cof files of one set, and has {shown}; name one of its files")
        [files] = sets.values()
    else:
        match = _NAME.fullmatch(path.stem)
        if path not in found or match is None:
            raise InputError(f"there is no file {path} whose name ends with one of the letters a to j and .cof")
        files = sets[match[1]]
    missing = [letter for letter in FILE_LETTERS if letter not in files]
    if missing:
        raise InputError(f"the set in {folder} has no file for the letters {', '.join(missing)}")
    return [files[letter] for letter in FILE_LETTERS]


# ── Words of a position ─────────────────────────────────────────────────────────────────────────


def word_indices(mover: Words, enemy: Words) -> npt.NDArray[np.int64]:
    """Which words of a table the value of each position is the sum of: positions × words."""
    squares = np.arange(64, dtype=np.uint64)
    own, other = ((board[:, None] >> squares & np.uint64(1)).astype(np.int64) for board in (mover, enemy))
    cells = 1 + own - other  # enemy 0, empty 1, mover 2
    columns = []
    for pattern, ids in _patterns():
        powers = 3 ** np.arange(pattern.cells)
        columns += [pattern.offset + ids[cells[:, place] @ powers] for place in pattern.places]
    empties = 64 - np.bitwise_count(mover | enemy).astype(np.int64)
    columns += [
        _MOBILITY + np.bitwise_count(legal_moves(mover, enemy)).astype(np.int64),
        _ENEMY_MOBILITY + np.bitwise_count(legal_moves(enemy, mover)).astype(np.int64),
        _POTENTIAL + potential_mobility(cells, 0),
        _ENEMY_POTENTIAL + potential_mobility(cells, 2),
        _PARITY + empties % 2,
    ]
    return np.stack(columns, axis=1)


def potential_mobility(cells: npt.NDArray[np.int64], disc: int) -> npt.NDArray[np.int64]:
    """Half the pairs of such a disc and an empty neighbour on a line, for discs that are not at the line's end."""
    pairs = np.zeros(len(cells), dtype=np.int64)
    for line in _lines():
        inner = cells[:, line[1:-1]] == disc
        empty = cells[:, line] == 1
        pairs += (inner & empty[:, :-2]).sum(axis=1) + (inner & empty[:, 2:]).sum(axis=1)
    return pairs // 2


def legal_moves(mover: Words, enemy: Words) -> Words:
    """The empty squares where the mover may place a disc."""
    found = np.zeros_like(mover)
    inner_files = np.uint64(0x7E7E7E7E7E7E7E7E)
    for shift, mask in ((1, inner_files), (7, inner_files), (9, inner_files), (8, np.uint64(2**64 - 1))):
        step, between = np.uint64(shift), enemy & mask
        up, down = between & (mover << step), between & (mover >> step)
        for _ in range(5):
            up |= between & (up << step)
            down |= between & (down >> step)
        found |= (up << step) | (down >> step)
    return found & ~(mover | enemy)


@functools.cache
def _patterns() -> tuple[tuple[Map, npt.NDArray[np.int32]], ...]:
    return tuple((pattern, pattern.ids()) for pattern in maps())


@functools.cache
def maps() -> tuple[Map, ...]:
    """The patterns, in the order of the file."""
    rows = [_named(" ".join(f"{file}{rank}" for file in "abcdefgh")) for rank in (1, 2, 3, 4)]
    found = [_map(f"row {i + 1}", 3321 * i, row, _backwards(8)) for i, row in enumerate(rows)]
    offsets = {8: 13284, 7: 16605, 6: 17739, 5: 18117}
    found += [_map(f"diagonal {n}", start, _diagonal(n), _backwards(n)) for n, start in offsets.items()]
    triangle = _named("a1 b2 d1 c1 b1 c2 b3 a2 a3 a4")
    found += [
        _map("triangle", 18252, triangle, (0, 1, 9, 8, 7, 6, 5, 4, 3, 2)),
        _map("corner 2x4", 48141, _named("a2 b2 c2 d2 a1 b1 c1 d1"), None),
        _map("corner 2x5", 54702, _named("a2 b2 c2 d2 e2 a1 b1 c1 d1 e1"), None),
        _map("edge and both X", 113751, _named("b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"), _backwards(10)),
    ]
    return tuple(found)


@functools.cache
def _lines() -> tuple[Squares, ...]:
    """The rows, the columns and the diagonals of four and more."""
    lines = [_named(" ".join(f"{file}{rank}" for file in "abcdefgh")) for rank in (1, 2, 3, 4)]
    return tuple(place for line in [*lines, *map(_diagonal, (8, 7, 6, 5, 4))] for place in _places(line))


def _map(name: str, offset: int, squares: Squares, mirror: Squares | None) -> Map:
    return Map(name, offset, _places(squares), mirror)


def _places(squares: Squares) -> tuple[Squares, ...]:
    """The squares under the symmetries of the board; those that lie on the same squares count once."""
    found: dict[frozenset[int], Squares] = {}
    for turned in (False, True):
        for flip_file in (0, 7):
            for flip_rank in (0, 7):
                cells = [divmod(square, 8) for square in squares]
                moved = [((f, r) if turned else (r, f)) for r, f in cells]
                place = tuple(8 * (rank ^ flip_rank) + (file ^ flip_file) for rank, file in moved)
                found.setdefault(frozenset(place), place)
    return tuple(found.values())


def _named(names: str) -> Squares:
    return tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in names.split())


def _diagonal(length: int) -> Squares:
    return tuple(8 * (8 - length + i) + i for i in range(length))


def _backwards(length: int) -> Squares:
    return tuple(reversed(range(length)))
