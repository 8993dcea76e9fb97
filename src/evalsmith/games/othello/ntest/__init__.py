"""Othello as NTest's tables (``.cof``) evaluate it: the same rules, other terms."""

from dataclasses import replace

from evalsmith.games.othello import GAME as OWN

GAME = replace(
    OWN,
    terms=".ntest.terms",
    max_terms=59,
    hooks={**OWN.hooks, "own": "evalsmith.games.othello:GAME"},
)
