"""What a net and its search say of a position, for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evalsmith.engine.analysis import Analysis, AnalysisLine, BoardLike, move_texts
from evalsmith.engine.settings import SearchSettings
from evalsmith.net.players import NetSearcher, shared_net
from evalsmith.run import InputError


def search_with_net(board: BoardLike, net: Path | str, **settings: Any) -> Analysis:
    """Search a position with a net: moves with their visits and priors. Nodes are simulations.

    ``settings`` are those of `SearchSettings`, of which a net takes nodes, movetime and multipv.
    """
    chosen = SearchSettings.from_options(settings)
    if settings.get("method") == "alphabeta":
        raise InputError("a net searches by mcts, not by alphabeta")
    found, _ = shared_net(Path(net), board.game)
    searcher = NetSearcher(board.game, found)
    history = tuple(board.history) if board.game.has_repetition else ()
    result = searcher.think(board.position, chosen.limit, chosen.multipv, history=history)
    lines = []
    for line in result.lines:
        names = tuple(move_texts(board.game, board.position, line.moves))
        lines.append(AnalysisLine(names[0], line.score, line.depth, names, line.visits, line.prior))
    return Analysis(tuple(lines), board.game, result.nodes, result.seconds, str(searcher.memory))
