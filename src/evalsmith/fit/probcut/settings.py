"""What a fit of ProbCut is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.run.settings import Settings, seed_setting, setting

_POSITIONS, _SEARCH, _FIT = "Positions", "Searches", "Fit"


@dataclass(frozen=True)
class ProbCutSettings(Settings):
    """Which positions are searched how deep, and how the pairs of values are fitted."""

    weights: str = setting(
        "self", metavar="WEIGHTS", group=_SEARCH, help="The weights to fit for: a file, fitted, hand-set or self."
    )
    depth: int = setting(10, low=2, high=40, group=_SEARCH, help="The deepest search of each position.")
    nodes: int = setting(
        50_000_000, low=1, group=_SEARCH, help="Nodes after which no deeper search of a position is begun."
    )
    without: tuple[str, ...] = setting(
        (), metavar="TECHNIQUE", group=_SEARCH, help="Search without a technique; may be repeated."
    )
    positions: int = setting(250, low=3, group=_POSITIONS, help="Number of positions of each stage.")
    games: int = setting(400, low=1, group=_POSITIONS, help="Number of games of self-play, where no dataset is given.")
    game_nodes: int = setting(200, low=1, group=_POSITIONS, help="Nodes per move of these games.")
    stages: int = setting(8, low=1, high=64, group=_FIT, help="Number of stages that the phases are divided into.")
    least: int = setting(30, low=3, group=_FIT, help="Pairs of values that a stage needs; with fewer it has no cuts.")
    seed: int = seed_setting()
