"""``evalsmith play``: a game against the engine in the terminal, or one to watch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import load_game, start_text
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import GameName, PositionText
from evalsmith.run import InputError, MismatchError
from evalsmith.run.start_settings import StartSettings

_PAGE_NODES = 100  # of a move on a page, where nothing else is said


@takes(StartSettings)
def play(
    game_name: GameName,
    given: dict[str, Any],
    side: Annotated[
        str | None,
        typer.Option("--side", metavar="SIDE", help="Your side: its name (such as black), first, second or both."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Your opponent: self, random, hand-set, fitted or a weights file, with ;key=value options.",
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
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="With --watch: write a page that steps through the game, with its thoughts."
        ),
    ] = None,
    delay: Annotated[float, typer.Option("--delay", help="Seconds between moves with --watch.")] = 0.3,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Save the game to this file. The same command resumes it, unless its suffix is that of a record: "
            ".pgn, .csa, …, or .games for any game.",
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Resume a saved game without changing its file.")
    ] = None,
) -> None:
    """Play against the engine in the terminal. Type `help` at the prompt for the commands."""
    game = load_game(game_name)
    position_text = start_text(game, position_text, given)
    limit = calls.Limit(depth=depth, nodes=nodes, seconds=movetime)
    if not 0 <= delay <= 60:
        raise InputError(f"the delay must be from 0 to 60 seconds, not {delay}")

    def changed(setup: calls.Setup) -> calls.Setup:
        """The setup with what the options ask for; what they leave out stays."""
        seated = _seated(game, setup, side, player, watch)
        return replace(
            seated,
            limit=seated.limit if limit == calls.Limit() else limit,
            seed=seated.seed if seed is None else seed,
        )

    if html is not None:
        _write_page(game, watch, html, position_text, limit, 1 if seed is None else seed)
        return
    if save is not None and calls.is_record(save):
        calls.format_for(game, save)
        if calls.exists(save):
            raise InputError(f"{save} already exists, and a record cannot be resumed; give --save another file")
    session, resumed = _open_session(game, position_text, save, resume, changed)
    terminal = calls.Terminal(session, save)
    terminal.autosave(first=True)
    head = f"{resume or save}, {calls.count(len(session.moves), 'move')} played" if resumed else game.title
    terminal.say(f"{head}: {calls.seating(session)}")
    if calls.PERSON in session.setup.seats:
        terminal.run()
    else:
        terminal.watch(delay)


def _write_page(game: es.Game, watch: str | None, path: Path, start: str | None, limit: calls.Limit, seed: int) -> None:
    """The page of one game of the player to watch."""
    if watch is None:
        raise InputError("--html writes a game of the player that --watch names")
    player = calls.parse_player(watch, game)
    chosen = calls.Limit(nodes=_PAGE_NODES) if limit == calls.Limit() else limit
    moves = calls.write_replay(game, player, path, start=start, limit=chosen, seed=seed)
    typer.echo(f"{calls.count(moves, 'move')} in {path}")


def _open_session(
    game: es.Game,
    start: str | None,
    save: Path | None,
    resume: Path | None,
    changed: Callable[[calls.Setup], calls.Setup],
) -> tuple[calls.Session, bool]:
    """The game to play, and whether it was saved before."""
    if resume is not None:
        if start is not None:
            raise InputError("--position starts a new game; a resumed game has its own start")
        if save is not None and calls.exists(save) and save.resolve() != resume.resolve():
            raise InputError(f"{save} already exists; give --save another file")
        session = calls.load_saved(resume, game)
        session.rearrange(changed(session.setup))
        return session, True
    if save is not None and calls.exists(save):
        session = calls.load_saved(save, game)
        if start is not None and (game.parse(start) != session.board.start).any():
            raise MismatchError(f"{save} is a game from another start; give --save another file")
        return session, True
    first = game.format(game.start()) if start is None else start
    return calls.Session(game, changed(calls.Setup(first, (calls.PERSON, "self")[: game.players]))), False


def _seated(game: es.Game, setup: calls.Setup, side: str | None, player: str | None, watch: str | None) -> calls.Setup:
    """The setup with the seats as the options want them; what they leave out stays."""
    if calls.PERSON in (player, watch):
        raise InputError(f"{calls.PERSON!r} is not a player; use --side both to play both sides")
    people = [number for number, seat in enumerate(setup.seats) if seat == calls.PERSON]
    yours = people or [0]
    if side is not None:
        names = {name: [number] for number, name in enumerate(("first", "second")[: game.players])}
        names |= {name.lower(): [number] for number, name in enumerate(game.sides[: game.players])}
        if game.players > 1:
            names["both"] = list(range(game.players))
        if side.lower() not in names:
            raise InputError(f"{game.name} has no side {side!r}; expected {', '.join(names)}")
        yours = names[side.lower()]
    you = watch or (calls.PERSON if people or side is not None else setup.seats[0])
    other = player or setup.adviser
    seats = tuple(you if number in yours else other for number in range(game.players))
    return replace(setup, seats=seats, adviser=other)
