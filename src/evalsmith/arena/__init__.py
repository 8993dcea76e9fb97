"""The arena: matches and competitions between any players, and honest statistics of them."""

from evalsmith.arena.adjudication import Adjudication
from evalsmith.arena.formats import FORMATS, Format
from evalsmith.arena.match import MatchConfig, play_match
from evalsmith.arena.openings import OpeningConfig, make_openings, random_openings
from evalsmith.arena.referee import Opening, Rules
from evalsmith.arena.sequential import SprtConfig, parse_sprt
from evalsmith.arena.summary import MatchResult, Score, read_games, summarise

__all__ = [
    "FORMATS",
    "Adjudication",
    "Format",
    "MatchConfig",
    "MatchResult",
    "Opening",
    "OpeningConfig",
    "Rules",
    "Score",
    "SprtConfig",
    "make_openings",
    "parse_sprt",
    "play_match",
    "random_openings",
    "read_games",
    "summarise",
]
