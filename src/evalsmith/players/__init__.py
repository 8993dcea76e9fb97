"""Players: anything that picks a move."""

from evalsmith.players.limit import GameClock, PlayLimit, parse_tc, play_limit
from evalsmith.players.player_file import load_players
from evalsmith.players.seat import Choice, Seat
from evalsmith.players.seats import take_seat
from evalsmith.players.spec import KINDS, Options, Player, parse_player
from evalsmith.processes.failure import FAILURES, Failure

__all__ = [
    "FAILURES",
    "KINDS",
    "Choice",
    "Failure",
    "GameClock",
    "Options",
    "PlayLimit",
    "Player",
    "Seat",
    "load_players",
    "parse_player",
    "parse_tc",
    "play_limit",
    "take_seat",
]
