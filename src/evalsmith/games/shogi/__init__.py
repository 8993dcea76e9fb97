"""Shogi: mate the king; what is captured changes sides and is dropped again."""

from evalsmith.games.game import Game

GAME = Game(
    name="shogi",
    title="Shogi",
    package=__name__,
    rules_version=1,
    words=28,
    max_moves=600,
    max_plies=512,
    max_terms=214,
    slots=2187,
    unit="centipawn",
    win=30000,
    counters={26: 0xFFFFFFFF << 32},  # the number of the move, in the state
    mates="plies",
    cycles_draw=True,
    sides=("black", "white"),
    hooks={
        "bulk": ".bulk:BULK",
        "planes": ".planes:PLANES",
        "termination": ".termination:termination",
        "declaration": ".referee:declaration",
        "impasse": ".referee:impasse",
    },
)
