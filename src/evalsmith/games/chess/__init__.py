"""Chess, and Chess960: the king that cannot escape has lost."""

from evalsmith.games.game import Game

GAME = Game(
    name="chess",
    title="Chess",
    package=__name__,
    rules_version=1,
    words=10,
    max_moves=416,
    max_plies=12000,
    max_terms=256,
    slots=4168,
    unit="centipawn",
    win=30000,
    counters={8: 0xFFFFFFFFFF << 24},  # the quiet plies and the number of the move, in the state
    mates="moves",
    cycles_draw=True,
    sides=("white", "black"),
    hooks={
        "bulk": ".bulk:BULK",
        "planes": ".planes:PLANES",
        "termination": ".termination:termination",
        "write_move": ".notation.moves:format_san",
    },
)
