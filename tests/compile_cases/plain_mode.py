"""What only a process without compilation shows; prints one JSON document."""

from __future__ import annotations

import json
import sys

import numpy as np

from compile_cases import operations
from evalsmith.compile import COMPILED, Row, at


def outside(row: Row, index: int) -> list[str]:
    """What reading and writing at an index say."""
    said = []
    for touch in (lambda: row[index], lambda: row.__setitem__(index, 0)):
        try:
            touch()
            said.append("fine")
        except IndexError as error:
            said.append(str(error))
    return said


row = Row(np.zeros(4, dtype=np.uint64))
most, small = np.uint64(2**64 - 1), np.int64(2**63 - 1)
context = operations.context()
document = {
    "compiled": COMPILED,
    "numba": [name for name in ("numba", "llvmlite") if name in sys.modules],
    "below": outside(row, -1),
    "beyond": outside(row, 4),
    "last": outside(row, 3),
    "offset": [*outside(at(row, 2), 2), *outside(at(row, 2), -2)],
    "wrapped": [int(most + np.uint64(1)), int(most * most), int(small + np.int64(1)), int(most << np.uint64(1))],
    "attached": operations.attached(context.row, 3),
    "words": context.arrays[operations.WORDS].tolist(),
}
print(json.dumps(document))
