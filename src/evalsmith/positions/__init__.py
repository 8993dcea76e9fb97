"""Positions: datasets of samples, from self-play and from files of games."""

from evalsmith.positions.dataset import Dataset, create_dataset, is_dataset, open_dataset, read_part, write_part
from evalsmith.positions.generate import GenerateConfig, generate, random_opening
from evalsmith.positions.importing import Imported, import_records
from evalsmith.positions.samples import UNKNOWN, Replayer, Samples

__all__ = [
    "UNKNOWN",
    "Dataset",
    "GenerateConfig",
    "Imported",
    "Replayer",
    "Samples",
    "create_dataset",
    "generate",
    "import_records",
    "is_dataset",
    "open_dataset",
    "random_opening",
    "read_part",
    "write_part",
]
