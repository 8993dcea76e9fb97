"""Positions: datasets of samples, from self-play and from files of games."""

from evalsmith.positions.dataset import Dataset, create_dataset, is_dataset, open_dataset, read_part, write_part
from evalsmith.positions.generate import GenerateConfig, generate, random_opening
from evalsmith.positions.importing import Imported, import_records
from evalsmith.positions.mixing import Mix, open_mix
from evalsmith.positions.samples import LABELS, UNKNOWN, Replayer, Samples
from evalsmith.positions.selection import Selection

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
