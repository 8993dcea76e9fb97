"""``evalsmith probcut``: parameters of ProbCut for some weights; one verb per file."""

from __future__ import annotations

from evalsmith.cli.common.help import VerbGroup, listed

VERBS = VerbGroup(
    name="probcut",
    help="Fit how well shallow searches predict deep ones, so that the search can leave deep ones out.",
    no_args_is_help=True,
    rich_markup_mode=None,
    commands=listed(
        __name__,
        {"fit": "Search positions at every depth, fit deep values to shallow ones, and write weights with the result."},
    ),
)
