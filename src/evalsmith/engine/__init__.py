"""Search: alpha-beta and Monte Carlo tree search for every game, and complete games inside one kernel."""

from typing import TYPE_CHECKING

from evalsmith.engine.alphabeta.memory import table_bytes_for
from evalsmith.engine.alphabeta.searcher import Searcher, evaluate
from evalsmith.engine.limit import Limit, Line, SearchResult, State
from evalsmith.engine.memory import Memory
from evalsmith.engine.playing import PlayedGame, SideReport, play_game, prepare

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

if TYPE_CHECKING:
    from evalsmith.engine.mcts.searcher import MctsSearcher, RootMove


def __getattr__(name: str) -> object:
    """The tree search comes when it is asked for: its kernels cost an engine that does not use them its start."""
    if name in ("MctsSearcher", "RootMove"):
        from evalsmith.engine.mcts import searcher

        return getattr(searcher, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
