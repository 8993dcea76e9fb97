"""Connect Four: four in a line on seven columns of six."""

from evalsmith.games import Game

GAME = Game(
    name="connect_four",
    title="Connect Four",
    package=__name__,
    rules=".board",
    terms=".terms",
    notation=".notation",
    picture=".notation",
    rules_version=1,
    words=2,
    max_moves=7,
    max_plies=42,
    max_terms=180,
    slots=7,
    unit="centistone",
    win=10_000,
    random_plies=4,
    hooks={"bulk": ".bulk:BULK", "planes": ".planes:PLANES"},
)
