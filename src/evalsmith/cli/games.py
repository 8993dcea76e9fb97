"""``evalsmith games``: what is installed, and what each game supports."""

from __future__ import annotations

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.output import JsonFlag, print_json, print_table, say
from evalsmith.run.errors import UnknownGame


def games(json_output: JsonFlag = False) -> None:
    """List the installed games."""
    from rich.table import Table

    found = []
    for name in es.game_names():
        try:
            found.append(es.find_game(name))
        except UnknownGame as error:
            say(str(error))  # a game that is being written must not hide the others
    if json_output:
        document = [
            {
                "name": game.name,
                "title": game.title,
                "rules_version": game.rules_version,
                "players": game.players,
                "unit": game.unit,
                "chance": game.max_outcomes > 0,
                "records": [known.name for known in calls.FORMATS if known.game == game.name],
                "hooks": sorted(game.hooks),
            }
            for game in found
        ]
        print_json({"games": document})
        return
    table = Table("game", "title", "players", "unit", "chance", "files of games", "extras")
    table.columns[0].no_wrap = True
    for game in found:
        table.add_row(
            game.name,
            game.title,
            str(game.players),
            game.unit,
            "yes" if game.max_outcomes else "no",
            ", ".join(known.name for known in calls.FORMATS if known.game == game.name) or "none",
            ", ".join(sorted(game.hooks)) or "none",
        )
    print_table(table)
