"""DVONN: stacks jump as far as they are high and must stay connected to a red stone; the most stones win."""

from evalsmith.games.game import Game

GAME = Game(
    name="dvonn",
    title="DVONN",
    package=__name__,
    rules_version=1,
    words=11,
    max_moves=138,  # a colour has at most 23 stacks, and a stack at most 6 moves
    max_plies=145,  # 49 placings, and at most 48 stackings each with a pass before it
    max_terms=180,
    slots=836,
    unit="centistone",
    margin=4900,
    finished_is_leaf=True,
    unhelpful=("killers", "counters", "iid", "aspiration", "singles", "lmr", "improving"),
    sides=("white", "black"),
    hooks={
        "bulk": ".bulk:BULK",
        "counts": ".contest:counts",
        "moves_left": ".contest:moves_left",
    },
)
