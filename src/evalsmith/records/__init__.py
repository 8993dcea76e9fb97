"""Files of played games: one format per module over a small common base.

    reader = read_games(["games/"])
    for record in reader:
        ...
    print(reader.reading)

A broken game costs only itself: it is counted by its reason, and the first ones are listed with their places.
"""

from evalsmith.records.batch import Batch, Texts
from evalsmith.records.choosing import format_for, is_record
from evalsmith.records.convert import Converted, convert_records
from evalsmith.records.csa.format import Csa
from evalsmith.records.csa.write import format_csa, write_csa
from evalsmith.records.drmario.maryodel import Example, Maryodel, format_example, read_examples, write_examples
from evalsmith.records.dvonn.codecup import DvonnCodecup, format_dvonn_codecup
from evalsmith.records.dvonn.log import DvonnLog, format_dvonn_log
from evalsmith.records.epd.format import Epd
from evalsmith.records.format import Format
from evalsmith.records.jkf.format import Jkf
from evalsmith.records.kif.format import Kif
from evalsmith.records.kif.ki2 import Ki2
from evalsmith.records.kif.write import format_ki2, format_kif, write_kif
from evalsmith.records.moves.format import Moves
from evalsmith.records.moves.write import format_moves
from evalsmith.records.opening import open_bytes
from evalsmith.records.othello.ggf import Ggf, format_ggf
from evalsmith.records.othello.obf import Obf, format_obf
from evalsmith.records.othello.transcript import Transcript, format_transcript, write_transcripts
from evalsmith.records.othello.wthor import Wthor
from evalsmith.records.packed.format import BINARY_FORMATS, BinaryFormat
from evalsmith.records.pgn.format import Pgn
from evalsmith.records.pgn.write import format_pgn, write_pgn
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.reader import FORMATS, Reader, Source, find_format, read_games
from evalsmith.records.record import UNKNOWN, Fault, Faults, Reading, Record, Score
from evalsmith.records.sfen.format import Sfen, Usi, format_usi

__all__ = [
    "BINARY_FORMATS",
    "FORMATS",
    "UNKNOWN",
    "Batch",
    "BinaryFormat",
    "Converted",
    "Csa",
    "DvonnCodecup",
    "DvonnLog",
    "Epd",
    "Example",
    "Fault",
    "Faults",
    "Format",
    "Ggf",
    "Jkf",
    "Ki2",
    "Kif",
    "Maryodel",
    "Moves",
    "Obf",
    "Pgn",
    "PositionBatch",
    "Reader",
    "Reading",
    "Record",
    "Score",
    "Sfen",
    "Source",
    "Texts",
    "Transcript",
    "Usi",
    "Wthor",
    "convert_records",
    "find_format",
    "format_csa",
    "format_dvonn_codecup",
    "format_dvonn_log",
    "format_example",
    "format_for",
    "format_ggf",
    "format_ki2",
    "format_kif",
    "format_moves",
    "format_obf",
    "format_pgn",
    "format_transcript",
    "format_usi",
    "is_record",
    "open_bytes",
    "read_examples",
    "read_games",
    "write_csa",
    "write_examples",
    "write_kif",
    "write_pgn",
    "write_transcripts",
]
