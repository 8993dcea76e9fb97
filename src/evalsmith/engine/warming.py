"""Load all that a game in progress asks for, or compile it on first use, before a clock runs."""

from __future__ import annotations

from evalsmith.engine.alphabeta.searcher import Searcher
from evalsmith.engine.limit import Limit
from evalsmith.engine.mcts.searcher import MctsSearcher
from evalsmith.games.board import Board
from evalsmith.games.contract import CHANCE, PLAYER
from evalsmith.games.game import Game

_STEPS = 4  # a move, chance, a move after moves
_SEED = 1


def warm(game: Game, searcher: Searcher | MctsSearcher) -> None:
    """Begin a game in every way that engines and seats do: search with a past, write moves, read them, take back."""
    board = Board(game)
    for _ in range(_STEPS):
        if board.status == CHANCE:
            board.draw(_SEED)
        if board.status != PLAYER:
            break
        thought = searcher.think(board.position, Limit(nodes=20), history=board.history)
        move = game.format_move(board.position, thought.lines[0].move)
        _ = board.wins_by_declaration, board.in_check, board.outcome(), searcher.state
        board.push(move)
    # As a protocol has it: a position as text, and the moves after it.
    begun = Board(game, game.parse(game.format(game.start())))
    _ = begun.outcome(), begun.legal_moves(), board.outcome()
    if board.move_stack:
        board.undo()
    searcher.new_game()
