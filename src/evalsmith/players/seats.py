"""From a player to its seat."""

from __future__ import annotations

from pathlib import Path

from evalsmith.engine import Limit
from evalsmith.players.line_seats import CodeCupSeat, GtpSeat, NBoardSeat, StatesSeat
from evalsmith.players.own_seat import OwnSeat
from evalsmith.players.seat import Seat
from evalsmith.players.spec import Player
from evalsmith.players.uci_seat import UciSeat
from evalsmith.run import DEFAULT_SEED


def take_seat(player: Player, limit: Limit, seed: int = DEFAULT_SEED, logs: Path | None = None) -> Seat:
    """A seat for a player under a limit, unless it has its own; ``logs`` is the folder for standard error.

    Our search is loaded here; a program is started by ``begin``, in the thread that has to keep it.
    """
    if player.outside is None:
        return OwnSeat(player, limit, seed)
    if player.outside.protocol in ("uci", "usi"):
        return UciSeat(player, limit, logs)
    kinds = {"nboard": NBoardSeat, "gtp": GtpSeat, "codecup": CodeCupSeat, "states": StatesSeat}
    return kinds[player.outside.protocol](player, limit, logs)
