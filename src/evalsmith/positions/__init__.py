"""Positions: datasets of samples, from self-play and from files of games."""

from evalsmith.positions.importing.importer import Imported, import_records
from evalsmith.positions.openings.drawing import random_opening
from evalsmith.positions.samples import LABELS, UNKNOWN, Replayer, Samples
from evalsmith.positions.selection.selection import Selection
from evalsmith.positions.selfplay.generation import GenerateConfig, generate
from evalsmith.positions.store.dataset import Dataset, create_dataset, is_dataset, open_dataset
from evalsmith.positions.store.parts import read_part, write_part
from evalsmith.positions.transform.mixture import Mix, open_mix

__all__ = [
    "LABELS",
    "UNKNOWN",
    "Dataset",
    "GenerateConfig",
    "Imported",
    "Mix",
    "Replayer",
    "Samples",
    "Selection",
    "create_dataset",
    "generate",
    "import_records",
    "is_dataset",
    "open_dataset",
    "open_mix",
    "random_opening",
    "read_part",
    "write_part",
]
