"""``evalsmith data``: make datasets of positions, and look at them; one verb per file."""

from __future__ import annotations

from evalsmith.cli.common.help import VerbGroup, listed

VERBS = VerbGroup(
    name="data",
    help="Create datasets of positions from self-play or files of games, and work with them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    commands=listed(
        __name__,
        {
            "generate": "Let the engine play against itself, and store the positions with results and search scores.",
            "import": "Import files of games or positions into a dataset, and count what is rejected and why.",
            "label": "Label positions with scores from playouts, searches, an exact solver or another program.",
            "info": "Describe datasets: results, labels, ratings, stages, plies, openings, sources.",
            "merge": "Combine several datasets into one; games and sources stay distinct.",
            "split": "Split a dataset at random, with all positions of a game on the same side.",
            "sample": "Draw a random sample of a dataset into another.",
            "export": "Export the positions of a dataset as text or in a binary format for trainers.",
            "convert": "Convert games or positions to another format of the same game, and count what it cannot hold.",
        },
    ),
)
