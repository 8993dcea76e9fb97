"""Files of played games: one format a module behind one small base.

    reader = open_records(["games/"])
    for record in reader:
        ...
    print(reader.reading)

A broken game costs only itself: it is counted by its reason, and the first ones are kept with their places.
"""

from evalsmith.records.batch import Batch, Texts
from evalsmith.records.format import Format
from evalsmith.records.ggf import Ggf, format_ggf
from evalsmith.records.obf import Obf
from evalsmith.records.opening import open_bytes
from evalsmith.records.reader import FORMATS, Reader, Source, find_format, open_records
from evalsmith.records.record import UNKNOWN, Fault, Faults, Reading, Record, Score
from evalsmith.records.transcript import Transcript, format_transcript, write_transcripts
from evalsmith.records.wthor import Wthor

__all__ = [
    "FORMATS",
    "UNKNOWN",
    "Batch",
    "Fault",
    "Faults",
    "Format",
    "Ggf",
    "Obf",
    "Reader",
    "Reading",
    "Record",
    "Score",
    "Source",
    "Texts",
    "Transcript",
    "Wthor",
    "find_format",
    "format_ggf",
    "format_transcript",
    "open_bytes",
    "open_records",
    "write_transcripts",
]
