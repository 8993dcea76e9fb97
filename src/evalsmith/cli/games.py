"""``evalsmith games``: what is installed, and what each game supports."""

from __future__ import annotations

from evalsmith.cli.common.output import JsonFlag, print_json, print_table
from evalsmith.games import find_game, game_names
from evalsmith.records import FORMATS


def games(json_output: JsonFlag = False) -> None:
    """List the installed games."""
    from rich.table import Table

    found = [find_game(name) for name in game_names()]
    if json_output:
        document = [
            {
                "name": game.name,
                "title": game.title,
                "rules_version": game.rules_version,
                "players": game.players,
                "unit": game.unit,
                "chance": game.max_outcomes > 0,
                "records": [known.name for known in FORMATS if known.game == game.name],
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
            ", ".join(known.name for known in FORMATS if known.game == game.name) or "none",
            ", ".join(sorted(game.hooks)) or "none",
        )
    print_table(table)
