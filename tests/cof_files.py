"""Sets of NTest's tables with random words, in the exact form of its files."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt

WORDS = 143_655
LETTERS = "abcdefghij"


def write_set(folder: Path, name: str = "JA", seed: int = 1, largest: int = 2000) -> npt.NDArray[np.int16]:
    """Write the ten files of a set; the words by file and subset."""
    tables = np.random.default_rng(seed).integers(-largest, largest, (10, 2, WORDS), dtype=np.int16)
    folder.mkdir(parents=True, exist_ok=True)
    for letter, table in zip(LETTERS, tables, strict=True):
        content = struct.pack("<II", 1, 100) + table.astype("<i2").tobytes()
        assert len(content) == 574_628
        (folder / f"{name}{letter}.cof").write_bytes(content)
    return tables
