"""``evalsmith play``: a game against the engine in the terminal, or one to watch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common.inputs import load_game
from evalsmith.cli.common.output import GameName, PositionText
from evalsmith.cli.common.terminal import Terminal, count, exists, seating
from evalsmith.engine import Limit
from evalsmith.games import Game
from evalsmith.players.saved_game import load
from evalsmith.players.session import PERSON, Session, Setup
from evalsmith.run import InputError, MismatchError


def play(
    game_name: GameName,
    side: Annotated[
        str | None,
        typer.Option("--side", metavar="SIDE", help="Your side: its name (such as black), first, second or both."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player", help="Your opponent: self, weights:W (a file or a name) or random, with ;key=value options."
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="The opponent's nodes per move.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="The opponent's search depth.")] = None,
    movetime: Annotated[
        float | None, typer.Option("--movetime", help="The opponent's seconds per move. Default: 1.")
    ] = None,
    position_text: PositionText = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Random seed.")] = None,
    watch: Annotated[
        str | None, typer.Option("--watch", metavar="PLAYER", help="Watch this player play in your place.")
    ] = None,
    delay: Annotated[float, typer.Option("--delay", help="Seconds between moves with --watch.")] = 0.3,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the game to this file. The same command resumes it."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Resume a saved game without changing its file.")
    ] = None,
) -> None:
    """Play against the engine in the terminal. Type `help` at the prompt for the commands."""
    game = load_game(game_name)
    limit = Limit(depth=depth, nodes=nodes, seconds=movetime)
    if not 0 <= delay <= 60:
        raise InputError(f"the delay must be from 0 to 60 seconds, not {delay}")

    def changed(setup: Setup) -> Setup:
        """The setup with what the options ask for; what they leave out stays."""
        seated = _seated(game, setup, side, player, watch)
        return replace(
            seated,
            limit=seated.limit if limit == Limit() else limit,
            seed=seated.seed if seed is None else seed,
        )

    session, resumed = _open_session(game, position_text, save, resume, changed)
    terminal = Terminal(session, save)
    terminal.autosave(first=True)
    head = f"{resume or save}, {count(len(session.moves), 'move')} played" if resumed else game.title
    terminal.say(f"{head}: {seating(session)}")
    if PERSON in session.setup.seats:
        terminal.run()
    else:
        terminal.watch(delay)


def _open_session(
    game: Game, start: str | None, save: Path | None, resume: Path | None, changed: Callable[[Setup], Setup]
) -> tuple[Session, bool]:
    """The game to play, and whether it was saved before."""
    if resume is not None:
        if start is not None:
            raise InputError("--position starts a new game; a resumed game has its own start")
        if save is not None and exists(save) and save.resolve() != resume.resolve():
            raise InputError(f"{save} already exists; give --save another file")
        session = load(resume, game)
        session.rearrange(changed(session.setup))
        return session, True
    if save is not None and exists(save):
        session = load(save, game)
        if start is not None and (game.parse(start) != session.board.start).any():
            raise MismatchError(f"{save} is a game from another start; give --save another file")
        return session, True
    first = game.format(game.start()) if start is None else start
    return Session(game, changed(Setup(first, (PERSON, "self")[: game.players]))), False


def _seated(game: Game, setup: Setup, side: str | None, player: str | None, watch: str | None) -> Setup:
    """The setup with the seats as the options want them; what they leave out stays."""
    if PERSON in (player, watch):
        raise InputError(f"{PERSON!r} is not a player; use --side both to play both sides")
    people = [number for number, seat in enumerate(setup.seats) if seat == PERSON]
    yours = people or [0]
    if side is not None:
        names = {name: [number] for number, name in enumerate(("first", "second")[: game.players])}
        names |= {name.lower(): [number] for number, name in enumerate(game.sides[: game.players])}
        if game.players > 1:
            names["both"] = list(range(game.players))
        if side.lower() not in names:
            raise InputError(f"{game.name} has no side {side!r}; expected {', '.join(names)}")
        yours = names[side.lower()]
    you = watch or (PERSON if people or side is not None else setup.seats[0])
    other = player or setup.adviser
    seats = tuple(you if number in yours else other for number in range(game.players))
    return replace(setup, seats=seats, adviser=other)
