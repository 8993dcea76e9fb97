"""Search: alpha-beta and Monte Carlo tree search for every game, and complete games inside one kernel.

Names are imported at their first use: who only asks for the settings, or for one of the two searches, does not wait for
the rest.
"""

from typing import TYPE_CHECKING

from evalsmith.lazy import importer

if TYPE_CHECKING:
    from evalsmith.engine.alphabeta.memory import table_bytes_for
    from evalsmith.engine.alphabeta.searcher import Searcher, evaluate
    from evalsmith.engine.limit import Limit, Line, SearchResult, State
    from evalsmith.engine.mcts.searcher import MctsSearcher, RootMove
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

if not TYPE_CHECKING:
    __getattr__ = importer(
        __name__,
        {
            "Limit": "engine.limit",
            "Line": "engine.limit",
            "MctsSearcher": "engine.mcts.searcher",
            "Memory": "engine.memory",
            "PlayedGame": "engine.playing",
            "RootMove": "engine.mcts.searcher",
            "SearchResult": "engine.limit",
            "Searcher": "engine.alphabeta.searcher",
            "SideReport": "engine.playing",
            "State": "engine.limit",
            "evaluate": "engine.alphabeta.searcher",
            "play_game": "engine.playing",
            "prepare": "engine.playing",
            "table_bytes_for": "engine.alphabeta.memory",
        },
    )
