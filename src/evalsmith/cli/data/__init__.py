"""``evalsmith data``: make datasets of positions, and look at them; one verb a file."""

from __future__ import annotations

from evalsmith.cli.common.help import VerbGroup, listed

VERBS = VerbGroup(
    name="data",
    help="Make datasets of positions from self-play or files of games, and look at them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    commands=listed(
        __name__,
        {
            "generate": "Play games of the engine against itself, and store the positions with their playout values.",
            "import": "Read files of played games or of positions into a dataset, and count what is rejected by "
            "its reason.",
            "label": "Give positions a score: a playout's, a search's, an exact one, or that of another program.",
            "info": "Show what datasets hold: results, labels, ratings, stages, plies, openings, sources.",
            "merge": "Write several datasets as one; games and sources stay apart.",
            "split": "Split a dataset by a draw; all positions of a game go the same way.",
            "sample": "Draw positions of a dataset into another.",
            "export": "Write the positions of a dataset as text or in a binary format that trainers read.",
            "convert": "Write games or positions in another format of the same game, and count what it has no "
            "place for.",
        },
    ),
)
