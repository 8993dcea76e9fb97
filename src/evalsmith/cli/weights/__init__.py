"""``evalsmith weights``: look at weights, judge, compare, export and patch them; one verb per file."""

from __future__ import annotations

from evalsmith.cli.common.help import VerbGroup, listed

VERBS = VerbGroup(
    name="weights",
    help="Inspect, evaluate, compare, export and patch weights.",
    no_args_is_help=True,
    rich_markup_mode=None,
    commands=listed(
        __name__,
        {
            "show": "Show the features of weights, and the largest or rarest weights of a column.",
            "check": "Measure weights against known values, by stage: mean absolute error, bias, and the error of "
            "predicting 0.",
            "diff": "Compare two sets of weights: differences by feature, and the largest changes.",
            "export": "Export weights in a format for other programs.",
            "patch": "Write weights into a C, C++, Rust, Java or Python source, between its markers.",
        },
    ),
)
