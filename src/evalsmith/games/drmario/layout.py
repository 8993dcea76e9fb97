"""The features of Dr. Mario's evaluation, and where the weights of each begin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evalsmith.games.drmario.dealing import MAX_VIRUSES
from evalsmith.games.evaluation import Feature

MOST_LEFT = 20  # pills before a stall are counted up to here

_COLUMN_NAMES = ("outer", "second", "third", "middle")
RUNS = tuple(
    f"{way}, {length} cells, {kind}, {end}"
    for way in ("lying", "standing")
    for length in (2, 3)
    for kind in ("pills only", "with a virus")
    for end in ("shut", "open")
)
# How many cells a virus lacks to the nearest line of four that no other colour blocks: in its row, and in its column.
_LACKING = ("blocked", "3 missing", "2 missing", "1 missing")
LINES = tuple(f"row {lying}, column {standing}" for lying in _LACKING for standing in _LACKING)


def _grouped(group: str, *features: Feature) -> tuple[Feature, ...]:
    return tuple(replace(feature, group=group) for feature in features)


FEATURES = (
    # No more than a half of all viruses can have the second colour, and a third the last.
    *_grouped(
        "viruses",
        Feature("viruses of the most frequent colour", MAX_VIRUSES + 1, ordered=True),
        Feature("viruses of the second colour", MAX_VIRUSES // 2 + 1, ordered=True),
        Feature("viruses of the rarest colour", MAX_VIRUSES // 3 + 1, ordered=True),
    ),
    *_grouped(
        "heights",
        *(
            Feature(f"height of {'an' if name == 'outer' else 'a'} {name} column", 17, ordered=True)
            for name in _COLUMN_NAMES
        ),
    ),
    *_grouped(
        "covers",
        Feature("viruses by cells above them", 16, ordered=True),
        Feature("viruses by mismatches above them", 16, ordered=True),
    ),
    Feature("runs", len(RUNS), describe=lambda index: RUNS[index]),
    Feature("free rows below the entry", 17, ordered=True),
    *_grouped(
        "matches",
        Feature("column tops that match the pill", 17, ordered=True),
        Feature("column tops that match the preview", 17, ordered=True),
    ),
    Feature("pills left before a stall", MOST_LEFT + 1, ordered=True),
    Feature("cells of pills", 1, describe=lambda index: "each"),
    Feature("covered empty cells", 1, describe=lambda index: "each"),
    Feature("viruses by cells missing to a line", len(LINES), describe=lambda index: LINES[index]),
)
STARTS = np.concatenate([[0], np.cumsum([feature.size for feature in FEATURES])]).astype(np.int64)
MOST, SECOND, RAREST, HEIGHT = (int(start) for start in STARTS[:4])
ABOVE, MISMATCHES, RUN, ENTRY, MATCH, PREVIEW, STALL, CELLS, COVERED, LINE = (int(s) for s in STARTS[7:17])
