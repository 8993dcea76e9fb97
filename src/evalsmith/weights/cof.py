"""NTest's coefficients (``.cof``): read, and evaluated exactly as NTest does.

A set is ten files, ``JAa.cof`` to ``JAj.cof``, for 59 empties down to 0, six a file; each has one table for odd and one
for even numbers of empties. A table holds a word for every configuration of every pattern, counted by mobility,
potential mobility and parity. Rows are told apart by their distance from the edge, and potential mobility is counted
line by line, so such a set is an evaluation of its own: `Coefficients.weights` are weights of the game with NTest's
terms, which a search can use. What is computed here, with numpy alone, is what those terms must come to.

There is no file for more than 59 empties; they use the nearest table of their parity.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.games.othello.ntest import GAME
from evalsmith.games.othello.ntest.maps import (
    COUNT,
    ENEMY_MOBILITY,
    ENEMY_POTENTIAL,
    MOBILITY,
    PARITY,
    POTENTIAL,
    SIZE,
    lines,
    maps,
)
from evalsmith.run.errors import InputError
from evalsmith.weights.file import Weights

FILES = 10
FILE_LETTERS = "abcdefghij"
HIGHEST_EMPTIES = 59
_EMPTIES_PER_FILE = 6
_HEADER = struct.Struct("<II")
_VERSION, _INTEGERS, _FLOATS = 1, 100, 14
_CENTIDISCS, _CLIP = 100, 16383  # how NTest turns floats into integers
# What NTest adds to the parity words of a file when it loads the set, by the file's letter.
_LATE_BONUS = {"g": 33, "h": 65, "i": 65, "j": 65}
_NAME = re.compile(r"(.*)([a-j])", re.IGNORECASE | re.DOTALL)

_BLOCK = 1 << 14  # positions that are evaluated at once

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Coefficients:
    """A set: ``tables`` (int16, file × subset × word), in centidiscs for the mover."""

    name: str
    tables: npt.NDArray[np.int16]

    def table(self, empties: int) -> npt.NDArray[np.int16]:
        """The table for a number of empties."""
        found: npt.NDArray[np.int16] = self.tables.reshape(-1, SIZE)[table_number(np.array(empties))]
        return found

    def weights(self) -> Weights:
        """The set as weights of the game with NTest's terms."""
        columns = table_number(np.arange(len(GAME.evaluation.columns)))
        values = self.tables.reshape(-1, SIZE)[columns].astype(np.int32)
        return Weights(GAME, values, self.name, {"made": "read from NTest's tables", "set": self.name})

    def evaluate(self, words: Words) -> npt.NDArray[np.int32]:
        """The values of positions (uint64, one a row: the mover's discs, the enemy's discs, …), for the mover."""
        if words.ndim != 2 or words.shape[1] < 2:
            raise InputError(f"positions are rows of at least two words, not an array of {words.shape}")
        parts = [self._evaluate(words[i : i + _BLOCK]) for i in range(0, len(words), _BLOCK)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)

    def _evaluate(self, words: Words) -> npt.NDArray[np.int32]:
        mover, enemy = words[:, 0], words[:, 1]
        empties = 64 - np.bitwise_count(mover | enemy).astype(np.int64)
        found = self.tables.reshape(-1)[table_number(empties)[:, None] * SIZE + word_indices(mover, enemy)]
        values: npt.NDArray[np.int32] = found.sum(axis=1, dtype=np.int32)
        return values


def table_number(empties: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Which of the tables, file by file and subset by subset, serves each number of empties."""
    served = np.minimum(empties, 63)  # as the phase of a board without discs
    served = np.where(served > HIGHEST_EMPTIES, HIGHEST_EMPTIES - 1 + served % 2, served)
    numbers: npt.NDArray[np.int64] = (HIGHEST_EMPTIES - served) // _EMPTIES_PER_FILE * 2 + 1 - served % 2
    return numbers


# ── Files ───────────────────────────────────────────────────────────────────────────────────────


def read_cof(path: Path, late_bonus: bool = True) -> Coefficients:
    """A set from its folder, or from any one of its files; ``late_bonus`` adds what NTest adds when it loads set A."""
    files = files_of_set(path)
    tables = np.stack([read_cof_file(file) for file in files])
    if late_bonus:
        for letter, bonus in _LATE_BONUS.items():
            parity = tables[FILE_LETTERS.index(letter), :, PARITY:].astype(np.int64) + bonus
            tables[FILE_LETTERS.index(letter), :, PARITY:] = np.clip(parity, -(2**15), 2**15 - 1)
    return Coefficients(files[0].stem[:-1] or files[0].parent.name, tables)


def read_cof_file(path: Path) -> npt.NDArray[np.int16]:
    """The two tables of one file: subset × word."""
    try:
        with open(path, "rb") as file:
            content = file.read(_HEADER.size + 2 * SIZE * 4 + 1)
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
    if len(content) != _HEADER.size + 2 * SIZE * width:
        shown = f"{len(content)}" if len(content) < _HEADER.size + 2 * SIZE * 4 + 1 else f"more than {len(content) - 1}"
        raise InputError(f"{path} has {shown} bytes, not the {_HEADER.size + 2 * SIZE * width} of its kind {kind}")
    if kind == _INTEGERS:
        words = np.frombuffer(content, "<i2", offset=_HEADER.size).astype(np.int16)
    else:
        discs = np.frombuffer(content, "<f4", offset=_HEADER.size).astype(np.float64)
        if not np.isfinite(discs).all():
            raise InputError(f"{path}: word {int(np.flatnonzero(~np.isfinite(discs))[0])} is not a number")
        words = np.clip(discs * _CENTIDISCS, -_CLIP, _CLIP).astype(np.int16)
    return words.reshape(2, SIZE)


def files_of_set(path: Path) -> list[Path]:
    """The ten files of the set in a folder, or of the one that a file belongs to."""
    if not path.exists():
        raise InputError(f"there is no folder of .cof files {path}, and no such file")
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
            raise InputError(f"{path} is not a file of a set: its name must end with a letter from a to j and .cof")
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
    for pattern in maps():
        powers = 3 ** np.arange(pattern.cells)
        columns += [pattern.offset + pattern.ids[cells[:, place] @ powers] for place in pattern.places]
    empties = 64 - np.bitwise_count(mover | enemy).astype(np.int64)
    columns += [
        MOBILITY + np.bitwise_count(legal_moves(mover, enemy)).astype(np.int64),
        ENEMY_MOBILITY + np.bitwise_count(legal_moves(enemy, mover)).astype(np.int64),
        POTENTIAL + potential_mobility(cells, 0),
        ENEMY_POTENTIAL + potential_mobility(cells, 2),
        PARITY + empties % 2,
    ]
    return np.stack(columns, axis=1)


def potential_mobility(cells: npt.NDArray[np.int64], disc: int) -> npt.NDArray[np.int64]:
    """Half the pairs of such a disc and an empty neighbour on a line, for discs that are not at the line's end."""
    pairs = np.zeros(len(cells), dtype=np.int64)
    for line in lines():
        inner = cells[:, line[1:-1]] == disc
        empty = cells[:, line] == 1
        pairs += (inner & empty[:, :-2]).sum(axis=1) + (inner & empty[:, 2:]).sum(axis=1)
    return np.minimum(pairs // 2, COUNT - 1)


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
