"""``evalsmith data``: make datasets of positions, and look at them; one verb a file."""

from __future__ import annotations

from evalsmith.cli.data import convert, export, generate, import_, info, label, merge, sample, split
from evalsmith.cli.help import VerbApp

data_app = VerbApp("data", "Make datasets of positions from self-play or files of games, and look at them.")
data_app.command()(generate.generate)
data_app.command("import")(import_.import_)
data_app.command()(label.label)
data_app.command()(info.info)
data_app.command()(merge.merge)
data_app.command()(split.split)
data_app.command()(sample.sample)
data_app.command()(export.export)
data_app.command()(convert.convert)
