"""Games: the contract, the registry, the conformance kit, and one folder per game."""

from evalsmith.games.evaluation import Evaluation, Feature, Overview
from evalsmith.games.game import CHANCE, NO_MOVE, OVER, PLAYER, Game, Position, Symmetry
from evalsmith.games.registry import find_game, game_names

__all__ = [
    "CHANCE",
    "NO_MOVE",
    "OVER",
    "PLAYER",
    "Evaluation",
    "Feature",
    "Game",
    "Overview",
    "Position",
    "Symmetry",
    "find_game",
    "game_names",
]
