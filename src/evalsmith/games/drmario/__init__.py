"""Dr. Mario: two-coloured pills fall into a bottle; four of a colour in a line vanish, and no virus may stay."""

from evalsmith.games.game import Game

GAME = Game(
    name="drmario",
    title="Dr. Mario",
    package=__name__,
    rules_version=1,
    words=13,
    # Resting places: lying ones are two rows apart, standing ones three: (7·8 + 8·6) places, two ways round each.
    max_moves=208,
    # Each of 84 viruses takes at most 100 pills (the largest stall limit), and each pill a reveal.
    max_plies=16_800,
    max_terms=81,
    slots=512,
    unit="centivirus",
    win=30_000,
    players=1,
    max_outcomes=9,
    sides=("player",),
    hooks={
        "starts": ".contest:starts",
        "standard_seed": ".contest:STANDARD_SEED",
        "solo": ".contest:SOLO",
        "remaining": ".contest:remaining",
        "bulk": ".bulk:BULK",
        "facts": ".notation:facts",
        "sequence": ".notation:sequence",
        "planes": ".planes:PLANES",
    },
)
