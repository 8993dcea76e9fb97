"""The page of all settings, docs/settings.md: ``python -m evalsmith.cli.common.reference``."""

from __future__ import annotations

import sys

from evalsmith.arena.settings import MatchSettings, PlacementSettings, TournamentSettings
from evalsmith.arena.spsa.settings import ParameterSettings, SpsaSettings
from evalsmith.engine.settings import SearchSettings
from evalsmith.fit.probcut.settings import ProbCutSettings
from evalsmith.fit.settings import CheckSettings, TuneSettings
from evalsmith.improvement.settings import ImproveSettings
from evalsmith.net.settings import EvaluateSettings, LoopSettings, SelfplaySettings, TrainSettings
from evalsmith.net.value_settings import ValueSettings
from evalsmith.positions.importing.settings import ImportSettings
from evalsmith.positions.labelling.settings import LabelSettings
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.transform.settings import SampleSettings, SplitSettings
from evalsmith.run.settings import reference
from evalsmith.scale.place import PlaceSettings
from evalsmith.suite.settings import BuildSettings, CompareSettings, RunSettings

_PAGES = {
    "search": (SearchSettings,),
    "data import": (ImportSettings,),
    "data generate": (GenerateSettings,),
    "data label": (LabelSettings,),
    "data sample": (SampleSettings,),
    "data split": (SplitSettings,),
    "tune": (TuneSettings,),
    "improve": (ImproveSettings,),
    "weights check": (CheckSettings,),
    "probcut fit": (ProbCutSettings,),
    "net selfplay": (SelfplaySettings,),
    "net train": (TrainSettings,),
    "net evaluate": (EvaluateSettings,),
    "net loop": (LoopSettings,),
    "net value": (ValueSettings,),
    "suite build": (BuildSettings,),
    "suite run": (RunSettings,),
    "suite compare": (CompareSettings,),
    "match": (MatchSettings,),
    "tournament": (TournamentSettings,),
    "placements": (PlacementSettings,),
    "spsa": (SpsaSettings,),
    "spsa: [parameters.NAME]": (ParameterSettings,),
    "every long verb (in Python `es.run_on`)": (PlaceSettings,),
}

_HEAD = """# Settings

Every setting is a keyword of the function of that name in Python, an option on the command line (`--random-plies` for
`random_plies`, unless `--help` says otherwise) and a key in a TOML file. A name with a dot stands in a table of its own
in a file (`limit.nodes` is `nodes` in `[limit]`), and without the first part elsewhere. `make settings` writes
this page.
"""


def page() -> str:
    """The page in Markdown."""
    parts = [_HEAD]
    for verb, kinds in _PAGES.items():
        parts.append(f"## {verb}\n")
        parts += [reference(kind) for kind in kinds]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
