"""Search: alpha-beta and Monte Carlo tree search for every game, and whole games inside one kernel."""

from evalsmith.search.mcts_searcher import MctsSearcher, RootMove
from evalsmith.search.playing import PlayedGame, SideReport, play_game, prepare
from evalsmith.search.searcher import Limit, Line, Searcher, Thought, evaluate, table_bytes_for

__all__ = [
    "Limit",
    "Line",
    "MctsSearcher",
    "PlayedGame",
    "RootMove",
    "Searcher",
    "SideReport",
    "Thought",
    "evaluate",
    "play_game",
    "prepare",
    "table_bytes_for",
]
