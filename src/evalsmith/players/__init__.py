"""Players: anything that picks a move."""

from evalsmith.players.spec import KINDS, Player, parse_player

__all__ = ["KINDS", "Player", "parse_player"]
