"""One way to write terms that also sums them: for games with two columns of weights that blend.

``terms`` of such a game writes each term by ``emit``. Its ``evaluate`` runs the same code with ``fused`` set, and gets
the sum of the terms in place of their number, so that the evaluation cannot differ from its definition and nothing is
written down in between. ``fused`` is a constant in both, so nothing is decided at run time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Values, helper, int64

_HALF = 1 << 32


@helper("int64(int64, indices, values, int64, int64, int64)", inline=True)
def emit(fused: int, index: Indices, value: Values, count: int, feature: int, amount: int) -> int:
    """Write one term, unless its amount is nothing; the number of terms so far.

    Fused, ``index`` has the weights of both columns side by side, and the sum so far is given: the first column's in
    the upper half of a word, the second's in the lower.
    """
    if fused != 0:
        return count + amount * (int64(index[2 * feature]) * _HALF + int64(index[2 * feature + 1]))
    index[count] = np.int32(feature)
    value[count] = np.int16(amount)
    return count + 1 if amount != 0 else count


@helper("int64(int64, int64, int64)", inline=True)
def blend(total: int, share: int, scale: int) -> int:
    """The evaluation from a fused sum: ``share`` of ``scale`` from the second column, rounded once."""
    second = ((total + _HALF // 2) & (_HALF - 1)) - _HALF // 2
    first = (total - second) // _HALF
    return ((scale - share) * first + share * second + scale // 2) // scale


def side_by_side(weights: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The weights as the fused sum reads them: both columns of each in turn."""
    return np.ascontiguousarray(weights.T).reshape(-1)
