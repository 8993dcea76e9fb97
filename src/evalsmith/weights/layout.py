"""The layout: what every number of a set of weights is called, and how its columns blend."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.run import InputError


@dataclass(frozen=True)
class Layout:
    """Names and sizes of the features in order, the columns, and the blend table of a game."""

    game: str
    rules_version: int
    features: tuple[tuple[str, int], ...]
    columns: tuple[str, ...]
    blend: tuple[tuple[int, int, int], ...]
    scale: int

    @classmethod
    def of(cls, game: Game) -> Layout:
        """The layout that a game's terms declare."""
        evaluation = game.evaluation
        return cls(
            game.name,
            game.rules_version,
            tuple((feature.name, feature.size) for feature in evaluation.features),
            evaluation.columns,
            evaluation.blend,
            evaluation.scale,
        )

    @property
    def size(self) -> int:
        """How many weights a column has."""
        return sum(size for _, size in self.features)

    @property
    def sliced(self) -> bool:
        """Whether every position reads one column alone, so that columns can be fitted one by one."""
        return all(share == 0 for _, _, share in self.blend)

    def slice_of(self, feature: str) -> slice:
        """Where a feature's weights stand in a column."""
        start = 0
        for name, size in self.features:
            if name == feature:
                return slice(start, start + size)
            start += size
        raise KeyError(feature)

    def matching(self, pattern: str) -> list[str]:
        """The features that a name or a pattern such as ``king*`` means; one that means none is refused."""
        known = [name for name, _ in self.features]
        # A name is taken as it is before it is read as a pattern.
        found = [name for name in known if name == pattern] or fnmatch.filter(known, pattern)
        if not found:
            raise InputError(f"{self.game} has no feature {pattern!r}; its features are: {', '.join(known)}")
        return found

    def feature_at(self, index: int) -> tuple[str, int]:
        """The feature that an index belongs to, and the index within it."""
        for name, size in self.features:
            if index < size:
                return name, index
            index -= size
        raise IndexError(index)

    def blend_rows(self) -> npt.NDArray[np.int32]:
        """The blend table as kernels read it: column a, column b, share, one row a phase."""
        return np.array(self.blend, dtype=np.int32).reshape(-1)

    def to_json(self) -> dict[str, Any]:
        """The layout as it stands in a weights file."""
        return {
            "columns": list(self.columns),
            "features": [{"name": name, "size": size} for name, size in self.features],
            "blend": [list(entry) for entry in self.blend],
            "scale": self.scale,
        }

    def differences(self, other: dict[str, Any]) -> str | None:
        """What a layout from a file has otherwise than this one; None when they agree."""
        mine = self.to_json()
        for key in ("columns", "features", "blend", "scale"):
            if mine[key] == other.get(key):
                continue
            if key == "features" and isinstance(other.get(key), list):
                ours = [f"{name} ({size})" for name, size in self.features]
                theirs = [f"{f.get('name')} ({f.get('size')})" for f in other[key] if isinstance(f, dict)]
                if sorted(ours) == sorted(theirs):
                    return "its features stand in another order"
                missing = ", ".join(name for name in ours if name not in theirs)
                extra = ", ".join(name for name in theirs if name not in ours)
                return f"features differ: it lacks {missing or 'none'} and adds {extra or 'none'}"
            return f"its {key} differ from the game's"
        return None
