"""Search: alpha-beta for every game, the transposition table, and whole games inside one kernel."""

from evalsmith.search.playing import PlayedGame, SideReport, play_game, prepare
from evalsmith.search.searcher import Limit, Line, Searcher, Thought, evaluate, table_bytes_for

__all__ = [
    "Limit",
    "Line",
    "PlayedGame",
    "Searcher",
    "SideReport",
    "Thought",
    "evaluate",
    "play_game",
    "prepare",
    "table_bytes_for",
]
