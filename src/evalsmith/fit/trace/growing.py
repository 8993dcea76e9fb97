"""Arrays that grow in place, as narrow as their values allow: what a large trace is held in."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

INDICES = (np.uint16, np.int32)
COUNTS = (np.int8, np.int16, np.float32)


class Growing:
    """One array to which values are added; it takes the first of ``kinds`` that holds all of them exactly."""

    def __init__(self, *kinds: Any) -> None:
        self._kinds = list(kinds)
        self._array = np.zeros(0, dtype=self._kinds[0])
        self.size = 0

    def add(self, values: npt.NDArray[Any]) -> None:
        """Append values; the array grows by half where it is too short."""
        while len(self._kinds) > 1 and not _holds(self._kinds[0], values):
            del self._kinds[0]
        if self._array.dtype != self._kinds[0]:
            self._array = self._array.astype(self._kinds[0])
        end = self.size + len(values)
        if end > len(self._array):
            self._array.resize(max(end, self.size + self.size // 2), refcheck=False)
        self._array[self.size : end] = values
        self.size = end

    def copy(self) -> Growing:
        """Another one with the same values."""
        other = Growing(*self._kinds)
        other.add(self._array[: self.size])
        return other

    def done(self) -> npt.NDArray[Any]:
        """The array, cut to its size; nothing is added after this."""
        self._array.resize(self.size, refcheck=False)
        return self._array


def _holds(kind: Any, values: npt.NDArray[Any]) -> bool:
    """Whether integers of a kind hold values; the least of a signed kind is left out, because it has no opposite."""
    if len(values) == 0:
        return True
    limits = np.iinfo(kind)
    low = max(limits.min, -limits.max)
    return bool(low <= values.min() and values.max() <= limits.max and (values == np.rint(values)).all())
