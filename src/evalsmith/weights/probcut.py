"""The parameters of ProbCut: how well shallow searches with some weights predict deep ones.

For each stage of the game and each pair of depths, deep = slope · shallow + offset, with the standard deviation of what
is left. They are found with certain weights and travel with them: a section of the weights file, and of the header of
weights that ship.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.run import InputError, MismatchError
from evalsmith.weights.layout import Layout

DEPTHS = 64  # of the table that the search reads; deeper searches use its last depth
PAIRS = 2  # shallow depths that are tried for one deep one
UNIT = 1024  # slopes are whole numbers of this in the table
SHALLOW, SLOPE, OFFSET, ERROR, ENTRY = 0, 1, 2, 3, 4  # an entry of the table
_MAX_DEPTH = 60
_STEEPEST = 4.0


@dataclass(frozen=True)
class Pair:
    """One pair of depths at one stage; offset and error in the game's unit, found in so many positions."""

    stage: int
    deep: int
    shallow: int
    slope: float
    offset: float
    error: float
    positions: int


@dataclass(frozen=True)
class ProbCut:
    """The pairs of all stages; phases are divided evenly between stages. ``layout`` is what the weights must have."""

    game: str
    layout: str
    stages: int
    pairs: tuple[Pair, ...]

    def to_json(self) -> dict[str, Any]:
        """The section of a weights file."""
        return {**asdict(self), "pairs": [asdict(pair) for pair in self.pairs]}

    def phase_stages(self, phases: int) -> npt.NDArray[np.int64]:
        """The stage of each row of the blend table."""
        return stages_of(np.arange(phases), phases, self.stages)

    def table(self) -> npt.NDArray[np.int64]:
        """What the search reads: for each stage and depth the pairs, shallowest first; -1 ends them.

        A search that is deeper than all pairs takes the deepest of its parity, with both depths as much larger: errors
        shrink with depth, so that is on the safe side. A stage without pairs takes those of the nearest that has some.
        """
        table = np.full((self.stages, DEPTHS, PAIRS, ENTRY), -1, dtype=np.int64)
        fitted = sorted({pair.stage for pair in self.pairs})
        for stage in range(self.stages if fitted else 0):
            nearest = min((abs(one - stage), one) for one in fitted)[1]
            known: dict[int, list[Pair]] = {}
            for pair in sorted((one for one in self.pairs if one.stage == nearest), key=lambda one: one.shallow):
                known.setdefault(pair.deep, []).append(pair)
            for depth in range(1, DEPTHS):
                alike = [deep for deep in known if deep <= depth and (depth - deep) % 2 == 0]
                if not alike or (depth not in known and depth < max(known)):
                    continue
                deep = max(alike)
                for number, pair in enumerate(known[deep][:PAIRS]):
                    table[stage, depth, number] = _entry(pair, depth - deep)
        return table


def _entry(pair: Pair, deeper: int) -> tuple[int, int, int, int]:
    shallow = pair.shallow + deeper if pair.shallow else pair.shallow
    return shallow, max(1, round(pair.slope * UNIT)), round(pair.offset), max(1, math.ceil(pair.error))


def stages_of(phases: npt.NDArray[np.integer], count: int, stages: int) -> npt.NDArray[np.int64]:
    """The stage of each phase, of ``count`` phases that are divided evenly."""
    return np.minimum(phases.astype(np.int64) * stages // max(1, count), stages - 1)


def layout_digest(layout: Layout) -> str:
    """A hash of the layout."""
    text = json.dumps(layout.to_json(), sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def read_probcut(section: Any, layout: Layout, where: str) -> ProbCut | None:
    """The parameters in a section of a file; None where there is none. Those of something else are refused by name."""
    if section is None:
        return None
    if not isinstance(section, Mapping):
        raise InputError(f"{where}: probcut is an object, not {type(section).__name__}")
    try:
        pairs = tuple(Pair(**_checked(one)) for one in section["pairs"])
        found = ProbCut(str(section["game"]), str(section["layout"]), int(section["stages"]), pairs)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{where}: probcut is damaged ({type(error).__name__}: {error})") from None
    check_probcut(found, layout, where)
    return found


def _checked(pair: Any) -> dict[str, Any]:
    whole = {name: int(pair[name]) for name in ("stage", "deep", "shallow", "positions")}
    return {**whole, **{name: float(pair[name]) for name in ("slope", "offset", "error")}}


def check_probcut(found: ProbCut, layout: Layout, where: str) -> None:
    """Refuse parameters of another game, of other terms or stages, and numbers that no fit gives."""
    if found.game != layout.game:
        raise MismatchError(f"{where}: the parameters of ProbCut are for {found.game}, not for {layout.game}")
    if found.layout != layout_digest(layout):
        raise MismatchError(f"{where}: the parameters of ProbCut were fitted for other features or columns")
    if not 1 <= found.stages <= max(1, len(layout.blend)):
        raise MismatchError(f"{where}: ProbCut has {found.stages} stages; {layout.game} has {len(layout.blend)} phases")
    for pair in found.pairs:
        if not (
            0 <= pair.stage < found.stages
            and 0 <= pair.shallow < pair.deep <= _MAX_DEPTH
            and 0 < pair.slope <= _STEEPEST
            and abs(pair.offset) < 1 << 20
            and 0 <= pair.error < 1 << 20
        ):
            raise InputError(f"{where}: ProbCut cannot have {pair}")
