"""The arena: matches in pairs, and honest statistics of them."""

from evalsmith.arena.match import (
    MatchConfig,
    MatchResult,
    Score,
    SprtConfig,
    parse_sprt,
    play_match,
    read_games,
    summarise,
)
from evalsmith.arena.openings import random_openings

__all__ = [
    "MatchConfig",
    "MatchResult",
    "Score",
    "SprtConfig",
    "parse_sprt",
    "play_match",
    "random_openings",
    "read_games",
    "summarise",
]
