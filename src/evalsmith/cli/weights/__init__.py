"""``evalsmith weights``: look at weights, judge and compare them, and export them; one verb a file."""

from __future__ import annotations

from evalsmith.cli.common.help import VerbGroup, listed

VERBS = VerbGroup(
    name="weights",
    help="Look at weights, judge and compare them, and export them for other programs.",
    no_args_is_help=True,
    rich_markup_mode=None,
    commands=listed(
        __name__,
        {
            "show": "Show what weights hold: their features, and the largest or the rarest weights of a column.",
            "check": "Compare weights with known values, stage by stage: mean absolute error and bias, beside "
            "predicting 0.",
            "diff": "Show where two sets of weights differ: by feature, and the largest changes.",
            "export": "Write weights in a form that other programs read.",
        },
    ),
)
