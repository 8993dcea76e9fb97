"""``evalsmith play``: a game against the engine in the terminal, or one to watch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli.output import GameName, PositionText, load_game
from evalsmith.cli.terminal import Terminal, count, exists, seating

if TYPE_CHECKING:
    from evalsmith.games import Game
    from evalsmith.players.session import Setup


def play(
    game_name: GameName,
    side: Annotated[
        str | None, typer.Option("--side", metavar="SIDE", help="Yours: black, white …, first, second or both.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player", help="Your opponent: self, weights:W (a file or a name) or random, with ;key=value options."
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Its search effort a move.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Its search depth a move.")] = None,
    movetime: Annotated[
        float | None, typer.Option("--movetime", help="Its seconds a move (1 if no limit is given).")
    ] = None,
    position_text: PositionText = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes everything random reproducible.")] = None,
    watch: Annotated[
        str | None, typer.Option("--watch", metavar="PLAYER", help="Let this player play in your place, and watch.")
    ] = None,
    delay: Annotated[float, typer.Option("--delay", help="Seconds to look at each position that you watch.")] = 0.3,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Keep the game here; the same command goes on with it."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved game; the file stays as it is.")
    ] = None,
) -> None:
    """Play against the engine in the terminal; `help` at the prompt says how."""
    from dataclasses import replace

    from evalsmith.players.session import PERSON, Session, Setup, load
    from evalsmith.run import InputError, MismatchError
    from evalsmith.search import Limit

    game = load_game(game_name)
    limit = Limit(depth=depth, nodes=nodes, seconds=movetime)
    if not 0 <= delay <= 60:
        raise InputError(f"the delay is 0 to 60 seconds, not {delay}")
    if resume is not None and position_text is not None:
        raise InputError("--position is for a new game; the one to resume has its own start")
    if resume is not None and save is not None and exists(save) and save.resolve() != resume.resolve():
        raise InputError(f"{save} exists already; --save another file")

    def as_wished(setup: Setup) -> Setup:
        wished = _seated(game, setup, side, player, watch)
        return replace(
            wished,
            limit=wished.limit if limit == Limit() else limit,
            seed=wished.seed if seed is None else seed,
        )

    resumed = True
    if resume is not None:
        session = load(resume, game)
        session.rearrange(as_wished(session.setup))
    elif save is not None and exists(save):
        session = load(save, game)
        if position_text is not None and (game.parse(position_text) != session.board.start).any():
            raise MismatchError(f"{save} is a game from another start; --save another file")
    else:
        resumed = False
        start = game.format(game.start()) if position_text is None else position_text
        session = Session(game, as_wished(Setup(start, (PERSON, "self")[: game.players])))
    terminal = Terminal(session, save)
    terminal.keep(first=True)
    head = f"{resume or save}, {count(len(session.moves), 'move')} played" if resumed else game.title
    terminal.say(f"{head}: {seating(session)}")
    if PERSON in session.setup.seats:
        terminal.run()
    else:
        terminal.watch(delay)


def _seated(game: Game, setup: Setup, side: str | None, player: str | None, watch: str | None) -> Setup:
    """The setup with the seats as the options want them; what they leave out stays."""
    from dataclasses import replace

    from evalsmith.players.session import PERSON
    from evalsmith.run import InputError

    if PERSON in (player, watch):
        raise InputError(f"{PERSON!r} is no player; --side both lets people play both sides")
    people = [number for number, seat in enumerate(setup.seats) if seat == PERSON]
    yours = people or [0]
    if side is not None:
        names = {name: [number] for number, name in enumerate(("first", "second")[: game.players])}
        names |= {name.lower(): [number] for number, name in enumerate(game.sides[: game.players])}
        if game.players > 1:
            names["both"] = list(range(game.players))
        if side.lower() not in names:
            raise InputError(f"{game.name} has no side {side!r}; it has {', '.join(names)}")
        yours = names[side.lower()]
    you = watch or (PERSON if people or side is not None else setup.seats[0])
    other = player or setup.adviser
    seats = tuple(you if number in yours else other for number in range(game.players))
    return replace(setup, seats=seats, adviser=other)
