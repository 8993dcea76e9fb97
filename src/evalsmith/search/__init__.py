"""Search: alpha-beta and Monte Carlo tree search for every game, and whole games inside one kernel."""

from evalsmith.search.limit import Limit, Line, State, Thought
from evalsmith.search.mcts_searcher import MctsSearcher, RootMove
from evalsmith.search.memory import Memory
from evalsmith.search.playing import PlayedGame, SideReport, play_game, prepare
from evalsmith.search.searcher import Searcher, evaluate, table_bytes_for

__all__ = [
    "Limit",
    "Line",
    "MctsSearcher",
    "Memory",
    "PlayedGame",
    "RootMove",
    "Searcher",
    "SideReport",
    "State",
    "Thought",
    "evaluate",
    "play_game",
    "prepare",
    "table_bytes_for",
]
