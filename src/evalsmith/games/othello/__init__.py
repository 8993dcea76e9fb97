"""Othello: the most discs of one's colour when neither side can move; the winner takes the empties."""

from evalsmith.games.game import Game

GAME = Game(
    name="othello",
    title="Othello",
    package=__name__,
    rules_version=1,
    words=3,
    max_moves=64,
    max_plies=128,
    max_terms=67,
    slots=65,
    unit="centidisc",
    margin=6400,
    balanced=300,
    finished_is_leaf=True,
    unhelpful=("killers", "counters", "iid", "aspiration", "singles", "improving", "evaluations"),
    sides=("black", "white"),
    hooks={
        "bulk": ".bulk:BULK",
        "cof": ".ntest:GAME",
        "finish": ".endgame.playing:FINISHER",
        "planes": ".planes:PLANES",
        "solve": ".endgame:solve",
        "solve_many": ".endgame:solve_many",
    },
)
