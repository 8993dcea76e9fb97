"""``evalsmith match``: two players, pairs of games, and what may be concluded."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.arena.settings import MatchSettings
from evalsmith.cli.common import arena_options as options
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, GameName, JsonFlag, On, print_json, print_result, say
from evalsmith.run.errors import InputError
from evalsmith.run.watching import bars
from evalsmith.scale import cores


@takes(MatchSettings)
def match(
    *,
    game_name: GameName,
    player: options.Players = None,
    players_file: options.PlayersFile = None,
    given: dict[str, Any],
    draw: options.Draw = None,
    resign: options.Resign = None,
    output: options.Output = None,
    save: options.Save = None,
    pin: options.Pin = True,
    plan: Annotated[
        bool, typer.Option("--plan", help="Play no games; estimate how many games and hours it takes to detect --elo.")
    ] = (False),
    elo: Annotated[float, typer.Option("--elo", metavar="ELO", help="With --plan: the difference to detect.")] = 5.0,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Play a match of paired games, and report what it proves. Default time control: 2+0.02."""
    game = load_game(game_name)
    given |= options.adjudication(draw, resign)
    if plan:
        _plan(game, MatchSettings.from_options(given), elo, concurrency, json_output)
        return
    if not player or len(player) != 2:
        raise InputError(f"a match needs --player twice, not {len(player or ())} times")
    options.check_save(game, save)
    players = options.find_players(player, players_file, game)
    options.warn_of_threads(players, given)
    options.warn_of_probcut(players)
    options.say_pairs(MatchSettings.from_options(given))
    first, second = players
    how: dict[str, Any] = {"output": output, "concurrency": concurrency, "pin": pin, "progress": bars, "say": say}
    with options.saving(save):
        result = es.match(game, first, second, **how, **given)
    options.save_log(result.run, save)
    print_result(result, json_output)


def _plan(game: es.Game, settings: MatchSettings, elo: float, concurrency: int | None, json_output: bool) -> None:

    plan = calls.make_plan(
        game, calls.make_limit(calls.resolve(settings, game).limit), elo, concurrency or cores(), settings.seed
    )
    if json_output:
        print_json(asdict(plan))
    else:
        typer.echo(str(plan.table()))
