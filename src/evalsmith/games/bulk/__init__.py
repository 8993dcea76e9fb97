"""Many positions of a game at once: which words files need, how the others come back, what rows can be positions.

A game offers this through its hook ``bulk``. One that does not has all its words stored, and its texts decide row by
row what a position is; that is right but slow.
"""

from evalsmith.games.bulk.bulk import INVALID, UNKNOWN, VALID, Bulk, bulk_of
from evalsmith.games.bulk.rows import ask_each, keys_of, legal_each

__all__ = ["INVALID", "UNKNOWN", "VALID", "Bulk", "ask_each", "bulk_of", "keys_of", "legal_each"]
