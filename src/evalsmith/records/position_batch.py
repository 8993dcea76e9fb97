"""Many positions at once, as columns: what fast readers of position lists give.

A list of positions has no moves, so a ``Batch`` of games cannot hold it: here every row is a position with what
its line says of it. Formats with ``positions`` set offer ``position_batches``; their ``games`` come from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evalsmith.games import OVER, find_game
from evalsmith.records.record import UNKNOWN, Record

NO_MOVE = -1
NOT_COUNTED = -1
SHARES = np.dtype([("move", np.int32), ("share", np.float64)])
"""A move and its share of a distribution."""


def no_policy(rows: int, width: int = 0) -> npt.NDArray[np.void]:
    """Room for the shares of a number of moves in each row, all empty: move -1."""
    empty = np.zeros((rows, width), dtype=SHARES)
    empty["move"] = NO_MOVE
    return empty


@dataclass(frozen=True)
class PositionBatch:
    """Positions of one file; row ``i`` of ``words`` is a position as its game lays it out, known to be valid.

    ``results`` (of the game the position comes from) are for side 0, whoever moves; ``scores`` are for the mover; both
    are in the game's unit, and UNKNOWN where nothing is known. ``numbers`` count the positions of the file from 1,
    broken ones too, and ``offsets`` say on which line each stands. ``moves`` are the moves that the file names there,
    as the game numbers them; -1 where it names none. ``policy`` are distributions over moves, rows × moves of SHARES,
    with move -1 where a row has fewer; ``cleared`` and ``duration`` say how a game for one went on from there: what it
    cleared until its end, and how long that took, in the unit of the file; -1 where nobody counted. All from ``moves``
    on are filled in where they are left out. ``after`` is as in a batch of games.
    """

    game: str
    source: str
    words: npt.NDArray[np.uint64]
    results: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    after: tuple[int, ...] = ()
    policy: npt.NDArray[np.void] = field(default_factory=lambda: no_policy(0))
    cleared: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    duration: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))

    def __post_init__(self) -> None:
        for name, value in (("moves", NO_MOVE), ("cleared", NOT_COUNTED), ("duration", NOT_COUNTED)):
            if len(getattr(self, name)) != len(self.results):
                object.__setattr__(self, name, np.full(len(self.results), value, dtype=np.int32))
        if len(self.policy) != len(self.results):
            object.__setattr__(self, "policy", no_policy(len(self.results)))

    def __len__(self) -> int:
        return len(self.results)

    def records(self) -> Iterator[Record]:
        """The positions one by one, each a record without moves; its score is the label of ply 0."""
        game = find_game(self.game)
        standard = game.format(game.start())
        for i in range(len(self)):
            text = game.format(self.words[i])
            result, score = int(self.results[i]), int(self.scores[i])
            yield Record(
                self.game,
                (),
                start=None if text == standard else text,
                result=None if result == UNKNOWN else result,
                finished=game.status(self.words[i]) == OVER,
                source=self.source,
                number=int(self.numbers[i]),
                offset=int(self.offsets[i]),
                labels={} if score == UNKNOWN else {0: score},
            )
