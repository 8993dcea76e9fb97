"""Othello's coefficient slices: one file a number of empties, ``slice-00.bin`` to ``slice-63.bin``.

A slice holds the weights of the features one after another, in the order of the layout, as big-endian integers of 32 or
16 bits; the size of the file tells which.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.run import BROKEN, InputError, write_together
from evalsmith.weights.file import Weights, linear_only, own_terms
from evalsmith.weights.layout import Layout

GAME_NAME = "othello"


def write_slices(weights: Weights, folder: Path, bits: int) -> list[Path]:
    """Write all slices, or none where a weight does not fit; the files that were written."""
    own_terms(weights, "slices")
    linear_only(weights, "slices hold")
    kind = np.dtype(f">i{bits // 8}")
    limits = np.iinfo(kind)
    for number, column in enumerate(weights.values):
        too_large = np.flatnonzero((column > limits.max) | (column < limits.min))
        if too_large.size:
            feature, within = weights.layout.feature_at(int(too_large[0]))
            raise InputError(
                f"column {weights.layout.columns[number]}, feature {feature}, index {within}: "
                f"{column[too_large[0]]} does not fit {limits.bits} bits"
            )
    return write_together(
        folder, ((_name(number), column.astype(kind).tobytes()) for number, column in enumerate(weights.values))
    )


def read_slices(folder: Path, game: Game) -> Weights:
    """Weights from a folder of slices, all of one width."""
    if game.name != GAME_NAME:
        raise InputError(f"slices are a format for Othello, not for {game.name}")
    if (folder / BROKEN).exists():
        raise InputError(f"{folder} mixes the slices of two exports, because the second was interrupted; export again")
    layout = Layout.of(game)
    values = np.zeros((len(layout.columns), layout.size), dtype=np.int32)
    bits = 0
    for number in range(len(layout.columns)):
        path = folder / _name(number)
        column = _read(path, layout.size, len(layout.columns) - 1)
        if bits not in (0, 8 * column.itemsize):
            raise InputError(f"{path} has integers of {8 * column.itemsize} bits, those before it have {bits}")
        bits = 8 * column.itemsize
        values[number] = column
    return Weights(game, values, folder.resolve().name, {"made": f"read from slices of {bits} bits"})


def _name(number: int) -> str:
    return f"slice-{number:02d}.bin"


def _read(path: Path, size: int, last: int) -> npt.NDArray[np.signedinteger]:
    try:
        with open(path, "rb") as file:
            content = file.read(4 * size + 1)  # one byte more tells a file that is too long
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise InputError(f"there is no folder {path.parent}") from None
        raise InputError(f"{path.parent} has no {path.name}; slices are {_name(0)} to {_name(last)}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    for width in (4, 2):
        if len(content) == width * size:
            return np.frombuffer(content, f">i{width}")
    shown = f"{len(content):,}" if len(content) <= 4 * size else f"more than {4 * size:,}"
    raise InputError(
        f"{path} has {shown} bytes; a slice of {size:,} weights has {4 * size:,} (32 bits) or {2 * size:,} (16 bits)"
    )
