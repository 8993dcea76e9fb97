"""``evalsmith weights``: look at weights, judge and compare them, and export them; one verb a file."""

from __future__ import annotations

from evalsmith.cli.help import VerbApp
from evalsmith.cli.weights import check, diff, export, show

weights_app = VerbApp("weights", "Look at weights, judge and compare them, and export them for other programs.")
weights_app.command()(show.show)
weights_app.command()(check.check)
weights_app.command()(diff.diff)
weights_app.command()(export.export)
