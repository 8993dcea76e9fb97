"""``evalsmith data``: make datasets of positions, and look at them; one verb a file."""

from __future__ import annotations

from evalsmith.cli.data_convert import convert
from evalsmith.cli.data_export import export
from evalsmith.cli.data_generate import generate
from evalsmith.cli.data_import import import_
from evalsmith.cli.data_info import info
from evalsmith.cli.data_label import label
from evalsmith.cli.data_merge import merge
from evalsmith.cli.data_sample import sample
from evalsmith.cli.data_split import split
from evalsmith.cli.help import VerbApp

data_app = VerbApp("data", "Make datasets of positions from self-play or files of games, and look at them.")
data_app.command()(generate)
data_app.command("import")(import_)
data_app.command()(label)
data_app.command()(info)
data_app.command()(merge)
data_app.command()(split)
data_app.command()(sample)
data_app.command()(export)
data_app.command()(convert)
