"""The run folder and what every long command shares: errors, seeds, progress, safe files."""

from evalsmith.run.atomic import (
    BROKEN,
    append_json,
    make_folder,
    read_json_lines,
    write_bytes,
    write_json,
    write_text,
    write_together,
    write_with,
)
from evalsmith.run.errors import (
    BusyError,
    ConformanceError,
    EvalsmithError,
    InputError,
    Interrupted,
    KernelError,
    MismatchError,
    MissingPackage,
    MoveError,
    OutputError,
    PositionError,
    RecordError,
    UnknownGame,
)
from evalsmith.run.folder import RunFolder, append_event, read_config, read_events, to_toml
from evalsmith.run.interrupts import Unbroken
from evalsmith.run.locks import FileLock
from evalsmith.run.progress import Bar, Progress, Silent, note, resume, workers
from evalsmith.run.seeds import DEFAULT_SEED, derive

__all__ = [
    "BROKEN",
    "DEFAULT_SEED",
    "Bar",
    "BusyError",
    "ConformanceError",
    "EvalsmithError",
    "FileLock",
    "InputError",
    "Interrupted",
    "KernelError",
    "MismatchError",
    "MissingPackage",
    "MoveError",
    "OutputError",
    "PositionError",
    "Progress",
    "RecordError",
    "RunFolder",
    "Silent",
    "Unbroken",
    "UnknownGame",
    "append_event",
    "append_json",
    "derive",
    "make_folder",
    "note",
    "read_config",
    "read_events",
    "read_json_lines",
    "resume",
    "to_toml",
    "workers",
    "write_bytes",
    "write_json",
    "write_text",
    "write_together",
    "write_with",
]
