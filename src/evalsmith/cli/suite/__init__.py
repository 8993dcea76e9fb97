"""``evalsmith suite``: build evaluation suites, run them, and compare runs; one verb per file."""

from __future__ import annotations

from evalsmith.cli.common.help import VerbGroup, listed

VERBS = VerbGroup(
    name="suite",
    help="Build suites of positions with scored moves, run players on them, and compare the runs.",
    no_args_is_help=True,
    rich_markup_mode=None,
    commands=listed(
        __name__,
        {
            "build": "Score every legal move of positions from files of games, and store them as a suite.",
            "run": "Let a player move in every position of a suite, and sum up what its moves cost.",
            "compare": "Compare two runs of a suite position by position.",
            "export": "Write a suite as EPD, OBF or Parquet.",
        },
    ),
)
