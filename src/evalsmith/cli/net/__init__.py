"""``evalsmith net``: train a neural net by self-play; one verb per file."""

from __future__ import annotations

from evalsmith.cli.common.help import VerbGroup, listed

VERBS = VerbGroup(
    name="net",
    help="Train a neural net by self-play: play, train, evaluate, all of it in rounds, export.",
    no_args_is_help=True,
    rich_markup_mode=None,
    commands=listed(
        __name__,
        {
            "selfplay": "Play games of a net against itself (or alone) into a dataset; without a net it is round 0.",
            "train": "Train a net on datasets of self-play.",
            "evaluate": "Compare two players on the same starts: nets, round 0, the weights, or one ply of them.",
            "loop": "Train a net from nothing: rounds of self-play, training and a gate.",
            "value": "Train a small quantised net over linear weights, as an evaluation for alpha-beta.",
            "export": "Export a net to ONNX, for programs without PyTorch.",
        },
    ),
)
