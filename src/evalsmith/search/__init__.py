"""Search: alpha-beta and Monte Carlo tree search for every game, and whole games inside one kernel."""

from importlib import import_module
from typing import TYPE_CHECKING

from evalsmith.search.limit import Limit, Line, SearchResult, State

if TYPE_CHECKING:
    from evalsmith.search.alphabeta.memory import table_bytes_for
    from evalsmith.search.alphabeta.searcher import Searcher, evaluate
    from evalsmith.search.mcts.searcher import MctsSearcher, RootMove
    from evalsmith.search.memory import Memory
    from evalsmith.search.playing import PlayedGame, SideReport, play_game, prepare

__all__ = [
    "Limit",
    "Line",
    "MctsSearcher",
    "Memory",
    "PlayedGame",
    "RootMove",
    "SearchResult",
    "Searcher",
    "SideReport",
    "State",
    "evaluate",
    "play_game",
    "prepare",
    "table_bytes_for",
]

_MODULES = {
    "table_bytes_for": "alphabeta.memory",
    "Searcher": "alphabeta.searcher",
    "evaluate": "alphabeta.searcher",
    "MctsSearcher": "mcts.searcher",
    "RootMove": "mcts.searcher",
    "Memory": "memory",
    "PlayedGame": "playing",
    "SideReport": "playing",
    "play_game": "playing",
    "prepare": "playing",
}


def __getattr__(name: str) -> object:
    """The searches come when they are asked for: the settings of a search are read without them."""
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
