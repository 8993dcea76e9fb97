"""KI2: shogi moves in words, as books print them: ``▲７六歩``, ``△５八金右``. It shares all else with KIF."""

from __future__ import annotations

from evalsmith.records.kif.format import KI2_MOVE, KIF_MOVE, Kif
from evalsmith.records.record import Record


class Ki2(Kif):
    """Reads shogi games in KI2."""

    name = "ki2"
    suffixes = (".ki2", ".ki2u")
    _move, _other = KI2_MOVE, KIF_MOVE

    def format_record(self, record: Record) -> str:
        """A game."""
        from evalsmith.records.kif.write import format_ki2

        return format_ki2(record)
