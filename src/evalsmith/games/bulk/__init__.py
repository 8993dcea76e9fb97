"""Many positions of a game at once: which words files need, how the others come back, what rows can be positions.

A game offers this through its hook ``bulk``. One that does not has all its words stored, and its texts decide row by
row what a position is; that is right but slow. The same holds for writing texts (``Bulk.texts``).
"""

from evalsmith.games.bulk.bulk import INVALID, UNKNOWN, VALID, Bulk, Texts, all_fixed, bulk_of, row_by_row
from evalsmith.games.bulk.rows import ask_each, keys_of, legal_each
from evalsmith.games.bulk.writing import bits_of, texts_of_cells

__all__ = [
    "INVALID",
    "UNKNOWN",
    "VALID",
    "Bulk",
    "Texts",
    "all_fixed",
    "ask_each",
    "bits_of",
    "bulk_of",
    "keys_of",
    "legal_each",
    "row_by_row",
    "texts_of_cells",
]
