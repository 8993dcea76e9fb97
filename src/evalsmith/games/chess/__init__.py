"""Chess, and Chess960: the king that cannot escape has lost."""

from evalsmith.games.game import Game

GAME = Game(
    name="chess",
    title="Chess",
    rules="evalsmith.games.chess.rules",
    terms="evalsmith.games.chess.terms",
    notation="evalsmith.games.chess.notation",
    picture="evalsmith.games.chess.picture",
    rules_version=1,
    words=10,
    max_moves=416,
    max_plies=12000,
    max_terms=256,
    slots=4168,
    unit="centipawn",
    win=30000,
    sides=("white", "black"),
    hooks={
        "bulk": "evalsmith.games.chess.bulk:BULK",
        "termination": "evalsmith.games.chess.termination:termination",
        "write_move": "evalsmith.games.chess.notation.moves:format_san",
    },
)
